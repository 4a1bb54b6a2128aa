/* certs.c - decides which certificates there should be. */
#include "webhook/certs.h"

#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/str.h"
#include "net/tls.h"

#define CA_BACKDATED (3600 * USEC_SEC) /* see tls_make_ca() */
enum { BUNDLE_MAX = 3 };               /* CAs: the one that signs and two that did */

static const char end_mark[] = "-----END CERTIFICATE-----";

/* Cuts the first certificate off a bundle; NULL at its end. */
static char *next_cert(struct arena *a, const char **bundle)
{
    const char *begin = *bundle ? strstr(*bundle, "-----BEGIN CERTIFICATE-----") : NULL;
    const char *end = begin ? strstr(begin, end_mark) : NULL;

    if (!end)
        return NULL;
    *bundle = end + strlen(end_mark);
    return fmt(a, "%.*s\n", (int)(*bundle - begin), begin);
}

static struct tls_pair pair_of(const char *cert, const char *key)
{
    return (struct tls_pair) { .cert = (char *)cert, .key = (char *)key };
}

/* Less than a third of its life is left. */
static bool is_due(const char *cert, usec valid, usec now, usec *ret_when)
{
    struct tls_info info;

    if (tls_read_info(cert, &info, NULL) < 0)
        return true;
    *ret_when = info.not_after - valid / 3;
    return now >= *ret_when;
}

static bool may_sign(const char *ca, const char *key)
{
    struct tls_pair pair = pair_of(ca, key);
    struct tls_info info;

    return ca && key && tls_check(&pair, NULL, NULL, NULL) == 0 &&
           tls_read_info(ca, &info, NULL) == 0 && info.is_ca;
}

static bool is_good(const struct certs *c, const char *trusted, const struct certs_rules *rules)
{
    struct tls_pair pair = pair_of(c->cert, c->key);

    if (!c->cert || !c->key || !trusted)
        return false;
    for (const char *const *host = rules->hosts; *host; host++)
        if (tls_check(&pair, trusted, *host, NULL) < 0)
            return false;
    return true;
}

/* ------------------------------------------------------------------ making */

/* The new CA in front of those that are still good for something. */
static char *bundle_with(struct arena *a, const char *ca, const char *older, usec now)
{
    scoped(buf) struct buf bundle = { 0 };
    struct tls_info info;
    const char *next;

    buf_str(&bundle, ca);
    for (size_t n = 1; n < BUNDLE_MAX && (next = next_cert(a, &older));)
        if (tls_read_info(next, &info, NULL) == 0 && info.not_after > now) {
            buf_str(&bundle, next);
            n++;
        }
    return arena_str(a, buf_text(&bundle));
}

static int renew_ca(struct arena *a, const struct certs_rules *rules, struct certs_plan *plan,
                    usec now, struct error *err)
{
    scoped(tls_pair) struct tls_pair ca = { 0 };
    int rc = tls_make_ca(rules->name, rules->ca_valid, &ca, err);

    if (rc < 0)
        return wrap(err, "make a CA");
    plan->certs.bundle = bundle_with(a, ca.cert, plan->certs.bundle, now);
    plan->certs.ca_key = arena_str(a, ca.key);
    plan->changed = true;
    return 0;
}

static int renew_cert(struct arena *a, const struct certs_rules *rules, struct certs_plan *plan,
                      struct error *err)
{
    const char *bundle = plan->certs.bundle;
    struct tls_pair ca = pair_of(next_cert(a, &bundle), plan->certs.ca_key);
    scoped(tls_pair) struct tls_pair made = { 0 };
    int rc = tls_make_cert(&ca, rules->hosts, rules->cert_valid, &made, err);

    if (rc < 0)
        return wrap(err, "sign a certificate");
    plan->certs.cert = arena_str(a, made.cert);
    plan->certs.key = arena_str(a, made.key);
    plan->changed = true;
    return 0;
}

/* ------------------------------------------------------------------ deciding */

static int decide_ca(struct arena *a, const struct certs_rules *rules, struct certs_plan *plan,
                     usec now, struct error *err)
{
    const char *rest = plan->certs.bundle;
    const char *ca = next_cert(a, &rest);
    usec due = now;

    if (may_sign(ca, plan->certs.ca_key) && !is_due(ca, rules->ca_valid, now, &due)) {
        plan->again = due;
        return 0;
    }
    plan->again = now + rules->settle;
    return renew_ca(a, rules, plan, now, err);
}

/* When the first CA of the bundle has been there for long enough to sign what is served. */
static usec settled_at(const char *ca, const struct certs_rules *rules)
{
    struct tls_info info;

    if (tls_read_info(ca, &info, NULL) < 0)
        return USEC_NEVER;
    return info.not_before + CA_BACKDATED + rules->settle;
}

static int decide_cert(struct arena *a, const struct certs_rules *rules, struct certs_plan *plan,
                       bool everywhere, usec now, struct error *err)
{
    const char *rest = plan->certs.bundle;
    const char *ca = next_cert(a, &rest);
    usec due = now;
    usec settled = settled_at(ca, rules);

    if (!is_good(&plan->certs, plan->certs.bundle, rules))
        return renew_cert(a, rules, plan, err);
    if (!is_good(&plan->certs, ca, rules)) { /* of an older CA */
        if (!plan->changed && everywhere && now >= settled)
            return renew_cert(a, rules, plan, err);
        due = settled > now ? settled : now + USEC_SEC;
    } else if (is_due(plan->certs.cert, rules->cert_valid, now, &due)) {
        return renew_cert(a, rules, plan, err);
    }
    if (due < plan->again)
        plan->again = due;
    return 0;
}

int certs_decide(struct arena *a, const struct certs_rules *rules, const struct certs *have,
                 bool everywhere, usec now, struct certs_plan *ret, struct error *err)
{
    struct certs_plan plan = { .certs = *have };
    int rc =
        decide_ca(a, rules, &plan, now, err) ?: decide_cert(a, rules, &plan, everywhere, now, err);

    if (rc < 0)
        return rc;
    *ret = plan;
    return 0;
}

/* ------------------------------------------------------------------ Secrets */

static const char *read_part(struct arena *a, struct pairs data, const char *name)
{
    const char *text = pairs_get(data, name);

    return str_empty(text) ? NULL : base64_decode(a, text, NULL);
}

struct certs certs_of(struct arena *a, struct pairs data)
{
    return (struct certs) {
        .bundle = read_part(a, data, "ca.crt"),
        .ca_key = read_part(a, data, "ca.key"),
        .cert = read_part(a, data, "tls.crt"),
        .key = read_part(a, data, "tls.key"),
    };
}

struct pairs certs_data(struct arena *a, const struct certs *certs)
{
    struct pair parts[] = { { "ca.crt", certs->bundle },
                            { "ca.key", certs->ca_key },
                            { "tls.crt", certs->cert },
                            { "tls.key", certs->key } };
    struct pairs data = { 0 };

    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        if (parts[i].value)
            data = pairs_with(a, data, parts[i].key,
                              base64_encode(a, parts[i].value, strlen(parts[i].value)));
    return data;
}
