/* keeper.c - the thread that keeps certificates and bundles right. */
#include "webhook/keeper.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "k8s/secret.h"
#include "kube/cache.h"
#include "kube/client.h"
#include "webhook/certs.h"

#define FIRST_TIME (30 * USEC_SEC)
#define SETTLE_TIME (30 * USEC_SEC)
#define LOOK_EVERY (3600 * USEC_SEC) /* nothing depends on it; for changes that were missed */
#define RETRY_FIRST (200 * USEC_MSEC)
#define RETRY_MAX (30 * USEC_SEC)

struct keeper {
    struct keeper_options options;
    struct client *client;
    struct arena *arena; /* of the rules */
    struct certs_rules rules;
    struct bundles *bundles;
    struct cache *secrets;
    char *served; /* the certificate that on_pair last took */
    pthread_t thread;
    bool is_running;
    pthread_mutex_t lock; /* the two below */
    pthread_cond_t changed;
    bool woken, stopping;
};

/* ------------------------------------------------------------------ waking up */

static void wake(void *userdata)
{
    struct keeper *k = userdata;
    scoped_lock(&k->lock);

    k->woken = true;
    pthread_cond_broadcast(&k->changed);
}

static void on_secret(void *userdata, const void *old, const void *now)
{
    (void)old;
    (void)now;
    wake(userdata);
}

/* False when it is time to end. */
static bool wait_for(struct keeper *k, usec span)
{
    usec until = clock_now() + span;
    struct timespec deadline = { .tv_sec = until / USEC_SEC, .tv_nsec = until % USEC_SEC * 1000 };
    scoped_lock(&k->lock);

    while (!k->woken && !k->stopping && clock_now() < until)
        pthread_cond_timedwait(&k->changed, &k->lock, &deadline);
    k->woken = false;
    return !k->stopping;
}

/* ------------------------------------------------------------------ the Secret */

static int read_secret(struct keeper *k, struct arena *a, struct k8s_secret **ret,
                       struct error *err)
{
    void *object = NULL;
    int rc = client_get(k->client, a, &k8s_secret_kind, k->options.bundles.namespace,
                        k->options.secret, &object, err);

    *ret = object;
    return rc == -ENOENT ? 0 : rc;
}

/* -EEXIST and -ESTALE: another replica was faster. */
static int write_secret(struct keeper *k, struct arena *a, const struct k8s_secret *old,
                        const struct certs *certs, struct error *err)
{
    struct k8s_secret secret = {
        .meta = { .name = k->options.secret, .namespace = k->options.bundles.namespace },
        .type = "kubernetes.io/tls",
    };
    struct call call = { .verb = old ? VERB_UPDATE : VERB_CREATE,
                         .kind = &k8s_secret_kind,
                         .namespace = secret.meta.namespace,
                         .name = old ? secret.meta.name : NULL,
                         .object = &secret };
    struct outcome outcome = { 0 };

    if (old)
        secret = *old;
    secret.data = certs_data(a, certs);
    return client_call(k->client, a, &call, &outcome, err);
}

/* ------------------------------------------------------------------ one pass */

struct pass {
    struct arena *arena;
    struct certs certs; /* what the Secret holds at its end */
    usec again;         /* wall clock */
};

static int settle_secret(struct keeper *k, struct pass *pass, bool everywhere, struct error *err)
{
    for (int tries = 0; tries < 5; tries++) {
        struct k8s_secret *secret = NULL;
        struct certs_plan plan = { 0 };
        struct certs have = { 0 };
        int rc = read_secret(k, pass->arena, &secret, err);

        if (rc < 0)
            return wrap(err, "get Secret %s", k->options.secret);
        if (secret)
            have = certs_of(pass->arena, secret->data);
        rc = certs_decide(pass->arena, &k->rules, &have, everywhere, clock_wall(), &plan, err);
        if (rc == 0 && plan.changed)
            rc = write_secret(k, pass->arena, secret, &plan.certs, err);
        if (rc == -EEXIST || rc == -ESTALE)
            continue;
        if (rc < 0)
            return wrap(err, "write Secret %s", k->options.secret);
        if (plan.changed)
            log_info(NULL, "certificates renewed", KV("secret", k->options.secret));
        pass->certs = plan.certs;
        pass->again = plan.again;
        return 0;
    }
    return fail(err, -EAGAIN, "others keep writing Secret %s", k->options.secret);
}

static int serve_pair(struct keeper *k, const struct certs *certs, struct error *err)
{
    struct tls_pair pair = { .cert = (char *)certs->cert, .key = (char *)certs->key };
    int rc;

    if (str_eq(k->served, certs->cert))
        return 0;
    rc = k->options.on_pair(k->options.userdata, &pair, err);
    if (rc < 0)
        return wrap(err, "take up the certificate");
    free(k->served);
    k->served = must_str(certs->cert);
    log_info(NULL, "new certificate taken up");
    return 0;
}

/* The Secret first, then those who must trust it; if that lets another step be taken, that too. */
static int run_pass(struct keeper *k, struct pass *pass, struct error *err)
{
    int rc = settle_secret(k, pass, false, err) ?: serve_pair(k, &pass->certs, err)
        ?: bundles_set(k->bundles, pass->arena, pass->certs.bundle, err);

    return rc ?: settle_secret(k, pass, true, err) ?: serve_pair(k, &pass->certs, err);
}

static usec pause_until(usec wall)
{
    usec span = wall - clock_wall();

    if (span < USEC_SEC)
        return USEC_SEC;
    return span < LOOK_EVERY ? span : LOOK_EVERY;
}

static void *keep(void *userdata)
{
    struct keeper *k = userdata;
    unsigned failures = 0;
    usec pause = 0;

    while (wait_for(k, pause)) {
        scoped(arena) struct arena *a = arena_new();
        struct pass pass = { .arena = a };
        struct error err = { 0 };

        if (run_pass(k, &pass, &err) < 0) {
            log_error(NULL, "certificates are not kept right", KV("error", error_text(&err)));
            pause = backoff(failures++, RETRY_FIRST, RETRY_MAX);
        } else {
            failures = 0;
            pause = pause_until(pass.again);
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ start and end */

/* NAME, NAME.NAMESPACE, NAME.NAMESPACE.svc, and what else was asked for. */
static const char *const *hosts_of(struct arena *a, const struct keeper_options *options)
{
    const char *service = options->bundles.service;
    const char *namespace = options->bundles.namespace;
    const char **hosts = arena_make_n(a, const char *, options->names.n + 5);
    size_t n = 0;

    hosts[n++] = fmt(a, "%s.%s.svc", service, namespace);
    hosts[n++] = fmt(a, "%s.%s.svc.cluster.local", service, namespace);
    hosts[n++] = fmt(a, "%s.%s", service, namespace);
    hosts[n++] = service;
    for_each (name, options->names)
        hosts[n++] = *name;
    return hosts;
}

static struct certs_rules rules_of(struct arena *a, const struct keeper_options *options)
{
    usec settle = options->ca_valid / 20;

    return (struct certs_rules) {
        .name = fmt(a, "%s CA", options->bundles.service),
        .hosts = hosts_of(a, options),
        .ca_valid = options->ca_valid,
        .cert_valid = options->cert_valid,
        .settle = settle < SETTLE_TIME ? settle : SETTLE_TIME,
    };
}

/* The API server may start after us, and another replica may be at it. */
static int first_pair(struct keeper *k, struct tls_pair *ret, struct error *err)
{
    usec until = clock_now() + FIRST_TIME;

    for (unsigned tries = 0;; tries++) {
        scoped(arena) struct arena *a = arena_new();
        struct pass pass = { .arena = a };

        error_clear(err);
        if (settle_secret(k, &pass, false, err) == 0) {
            *ret = (struct tls_pair) { .cert = must_str(pass.certs.cert),
                                       .key = must_str(pass.certs.key) };
            k->served = must_str(pass.certs.cert);
            return 0;
        }
        if (clock_now() > until || !wait_for(k, backoff(tries, RETRY_FIRST, 5 * USEC_SEC)))
            return -ETIMEDOUT;
        log_info(NULL, "no certificate yet", KV("error", error_text(err)));
    }
}

static struct keeper *make(struct client *client, const struct keeper_options *options)
{
    struct keeper *k = must_alloc(sizeof *k);
    pthread_condattr_t attr;

    *k = (struct keeper) { .options = *options,
                           .client = client,
                           .arena = arena_new(),
                           .lock = PTHREAD_MUTEX_INITIALIZER };
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&k->changed, &attr);
    pthread_condattr_destroy(&attr);
    k->rules = rules_of(k->arena, options);
    return k;
}

struct keeper *keeper_new(struct client *client, const struct keeper_options *options,
                          struct tls_pair *ret_pair, struct error *err)
{
    struct keeper *k = make(client, options);

    if (first_pair(k, ret_pair, err) == 0)
        return k;
    wrap(err, "no certificate to serve with");
    keeper_free(k);
    return NULL;
}

int keeper_start(struct keeper *k, struct error *err)
{
    int rc;

    k->secrets = cache_new(&(struct cache_options) { .kind = &k8s_secret_kind, .by_name = true });
    cache_on_change(k->secrets, on_secret, k);
    cache_start(k->secrets, k->client);
    cache_follow(k->secrets, k->options.bundles.namespace, k->options.secret);
    k->bundles = bundles_new(k->client, &k->options.bundles, wake, k);
    rc = pthread_create(&k->thread, NULL, keep, k);
    if (rc)
        return fail(err, -rc, "start the keeper of certificates: %s", strerror(rc));
    k->is_running = true;
    return 0;
}

static void ask_to_stop(struct keeper *k)
{
    scoped_lock(&k->lock);

    k->stopping = true;
    pthread_cond_broadcast(&k->changed);
}

void keeper_free(struct keeper *k)
{
    if (!k)
        return;
    ask_to_stop(k);
    if (k->is_running)
        pthread_join(k->thread, NULL);
    bundles_free(k->bundles);
    if (k->secrets) {
        cache_stop(k->secrets);
        cache_free(k->secrets);
    }
    pthread_cond_destroy(&k->changed);
    arena_free(k->arena);
    free(k->served);
    free(k);
}
