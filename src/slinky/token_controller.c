/* token_controller.c - Token: a JWT in a Secret, good whatever happens to it.
 *
 * The Secret is looked at again in every pass, and minted anew when it is gone, edited, expired,
 * about to expire, signed with another key, or says something other than the spec does.
 */
#include <errno.h>

#include "base/base64.h"
#include "base/rand.h"
#include "base/str.h"
#include "build/token.h"
#include "kinds.h"
#include "slinky/shared.h"
#include "slinky/token_parts.h"

/* A clock that is set wakes nobody, so look again this often. */
#define LOOK_AGAIN (60 * USEC_SEC)

static const char *text_in(struct arena *a, const struct model_token *m,
                           const struct k8s_secret *secret)
{
    const char *encoded = secret ? pairs_get(secret->data, m->key) : NULL;

    return encoded ? base64_decode(a, encoded, NULL) : NULL;
}

/* Another one controls it: slurm-operator made the signing key the owner, which deletes every token
 * with its key, and keeps them when their Token goes. */
static bool is_owned_by_key(const struct k8s_secret *live, const struct model_token *m)
{
    for_each (owner, live->meta.owner_references)
        if (owner->controller == YES && str_eq(owner->kind, "Secret") &&
            str_eq(owner->name, m->jwt_key.name))
            return true;
    return false;
}

/* What cannot be changed makes room for a new one, and a foreign owner for us. */
static int make_room(struct reconcile *r, const struct model_token *m,
                     const struct k8s_secret *live)
{
    struct call call = { .kind = &k8s_secret_kind, .namespace = r->namespace,
                         .name = m->secret.name };
    int rc;

    if (live && live->immutable == YES) {
        call.verb = VERB_DELETE;
        call.uid = live->meta.uid;
    } else if (live && is_owned_by_key(live, m)) {
        call.verb = VERB_MERGE_PATCH;
        call.body = "{\"metadata\":{\"ownerReferences\":null}}";
    } else {
        return 0;
    }
    rc = reconcile_call(r, &call, NULL);
    return rc == -ENOENT ? 0 : rc;
}

/* A random UUID (RFC 9562, version 4). */
static char *new_id(struct arena *a)
{
    uint8_t b[16];

    rand_bytes(b, sizeof(b));
    b[6] = (b[6] & 0x0f) | 0x40;
    b[8] = (b[8] & 0x3f) | 0x80;
    return fmt(a, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
               b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
               b[15]);
}

static int mint(struct reconcile *r, const struct model_token *m, const struct jwt_trust *trust,
                struct jwt_claims *ret)
{
    usec now = clock_wall() / USEC_SEC * USEC_SEC;

    *ret = (struct jwt_claims){ .user = m->user,
                                .issuer = m->issuer,
                                .id = new_id(r->arena),
                                .issued = now,
                                .not_before = now,
                                .expires = now + m->lifetime };
    return APPLY(r, token_secret(r->arena, m, jwt_sign(r->arena, trust->key, trust->key_len, ret)));
}

static void tell(struct reconcile *r, const struct slinky_token *cr, const struct model_token *m,
                 const struct jwt_claims *claims)
{
    struct slinky_token now = *cr;
    usec left = token_renew_at(claims) - clock_wall();
    const char *until = time_text(r->arena, claims->expires, false);

    now.status.observed_generation = cr->meta.generation;
    now.status.issued_at = claims->issued;
    reconcile_status(r, &now);
    if (clock_wall() >= claims->expires) {
        reconcile_condition(r, "Ready", CONDITION_FALSE, "Expired",
                            "It expired at %s and spec.refresh is false: set it to true, or delete "
                            "Secret %s to have a new one made.", until, m->secret.name);
        return;
    }
    tell_ready(r, &cr->status.conditions, "Issued",
               fmt(r->arena, "In Secret %s, key %s, until %s.", m->secret.name, m->key, until));
    if (!m->refresh)
        left = claims->expires - clock_wall();
    again_after(r, left < USEC_SEC ? USEC_SEC : left > LOOK_AGAIN ? LOOK_AGAIN : left);
}

static int sync_secret(struct reconcile *r, const struct model_token *m, const struct jwt_trust *trust)
{
    const void *object = GET(r, k8s_secret, m->secret.name); /* knows what we wrote last */
    const struct k8s_secret *live;
    struct jwt_claims claims = { 0 };
    const char *flaw;
    int rc = object ? 0 : reconcile_follow(r, &k8s_secret_kind, r->namespace, m->secret.name,
                                           &object);

    if (rc < 0)
        return rc;
    live = object;
    flaw = token_flaw(r->arena, m, text_in(r->arena, m, live), trust, clock_wall(), &claims);
    if (flaw) {
        log_info(r->log, "minting a token", KV("because", flaw));
        rc = make_room(r, m, live) ?: mint(r, m, trust, &claims);
    }
    if (rc == 0)
        tell(r, r->object, m, &claims);
    return rc;
}

static int reconcile(struct reconcile *r)
{
    const struct slinky_token *cr = r->object;
    struct slinky_world world = world_of(r);
    struct slinky_token now = *cr;
    struct jwt_trust trust = { 0 };
    struct model_token m;
    const char *key = NULL;
    bool stop;
    int rc;

    now.status.observed_generation = cr->meta.generation;
    reconcile_status(r, &now);
    rc = front_token(r->arena, &world, cr, &m, &r->err)
        ?: front_secret_value(r->arena, &world, r->namespace, m.jwt_key, "spec.jwtKeyRef", &key,
                              &trust.key_len, &r->err);

    rc = translated(r, rc, &stop);
    if (stop)
        return rc;
    trust.key = key;
    return sync_secret(r, &m, &trust);
}

const struct controller token_controller = {
    .name = "token-controller",
    .reconciles = &slinky_token_kind,
    .owns = KINDS(&k8s_secret_kind),
    .follows = KINDS(&k8s_secret_kind),
    .reconcile = reconcile,
};
