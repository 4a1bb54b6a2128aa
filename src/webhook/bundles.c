/* bundles.c - tells API servers which CA to trust when they call us. */
#include "webhook/bundles.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/log.h"
#include "base/str.h"
#include "k8s/crd.h"
#include "k8s/mutating_webhooks.h"
#include "k8s/validating_webhooks.h"
#include "kube/cache.h"
#include "kube/client.h"

#define SYNC_TIME (5 * USEC_SEC)

struct bundles {
    struct bundles_options options;
    struct client *client;
    void (*on_change)(void *userdata);
    void *userdata;
    struct cache *validating, *mutating, *crds;
};

static void on_change(void *userdata, const void *old, const void *now)
{
    struct bundles *b = userdata;

    (void)old;
    if (now)
        b->on_change(b->userdata);
}

static struct cache *follow(struct bundles *b, const struct kind *kind, const char *const *names)
{
    struct cache *cache = cache_new(&(struct cache_options) { .kind = kind, .by_name = true });

    cache_on_change(cache, on_change, b);
    cache_start(cache, b->client);
    for (; *names; names++)
        cache_follow(cache, NULL, *names);
    return cache;
}

struct bundles *bundles_new(struct client *client, const struct bundles_options *options,
                            void (*change)(void *userdata), void *userdata)
{
    struct bundles *b = must_alloc(sizeof *b);
    const char *const configurations[] = { options->configuration, NULL };

    *b = (struct bundles) {
        .options = *options, .client = client, .on_change = change, .userdata = userdata
    };
    b->validating = follow(b, &k8s_validating_webhooks_kind, configurations);
    b->mutating = follow(b, &k8s_mutating_webhooks_kind, configurations);
    b->crds = follow(b, &k8s_crd_kind, options->crds);
    return b;
}

void bundles_free(struct bundles *b)
{
    if (!b)
        return;
    cache_stop(b->validating);
    cache_stop(b->mutating);
    cache_stop(b->crds);
    cache_free(b->validating);
    cache_free(b->mutating);
    cache_free(b->crds);
    free(b);
}

/* ------------------------------------------------------------------ what to change */

/* A client with a URL is in a configuration of our name, so it is ours as well. */
static bool leads_here(const struct bundles *b, const struct k8s_webhook_client *client)
{
    if (!client || !client->service)
        return client && client->url;
    return str_eq(client->service->name, b->options.service) &&
           str_eq(client->service->namespace, b->options.namespace);
}

static void add_op(struct arena *a, struct json *ops, const char *op, const char *path,
                   const char *value)
{
    struct json *one = json_object(a);

    json_set_str(a, one, "op", op);
    json_set_str(a, one, "path", path);
    json_set_str(a, one, "value", value);
    json_add(a, ops, one);
}

/* Entries have no key that a merge patch would know; the tests make sure that they are where they
 * were. NULL when nothing is to change. */
static char *webhooks_patch(const struct bundles *b, struct arena *a,
                            const struct k8s_webhook_list *webhooks, const char *bundle)
{
    struct json *ops = json_array(a);

    for_each (hook, *webhooks) {
        size_t i = (size_t)(hook - webhooks->v);

        if (!leads_here(b, hook->client_config) || str_eq(hook->client_config->ca_bundle, bundle))
            continue;
        add_op(a, ops, "test", fmt(a, "/webhooks/%zu/name", i), hook->name);
        add_op(a, ops, "add", fmt(a, "/webhooks/%zu/clientConfig/caBundle", i), bundle);
    }
    return json_count(ops) ? json_text(a, ops) : NULL;
}

static struct json *our_service(const struct bundles *b, struct arena *a)
{
    struct json *service = json_object(a);

    json_set_str(a, service, "namespace", b->options.namespace);
    json_set_str(a, service, "name", b->options.service);
    json_set_str(a, service, "path", "/convert");
    json_set(a, service, "port", json_int(a, 443));
    return service;
}

static char *conversion_patch(const struct bundles *b, struct arena *a, bool adopt,
                              const char *bundle)
{
    struct json *root = json_object(a), *spec = json_object(a), *conversion = json_object(a);
    struct json *webhook = json_object(a), *client = json_object(a), *versions = json_array(a);

    json_set_str(a, client, "caBundle", bundle);
    json_set(a, webhook, "clientConfig", client);
    json_set(a, conversion, "webhook", webhook);
    json_set(a, spec, "conversion", conversion);
    json_set(a, root, "spec", spec);
    if (adopt) {
        json_add(a, versions, json_str(a, "v1"));
        json_set(a, webhook, "conversionReviewVersions", versions);
        json_set(a, client, "service", our_service(b, a));
        json_set_str(a, conversion, "strategy", "Webhook");
    }
    return json_text(a, root);
}

static char *crd_patch(const struct bundles *b, struct arena *a, const struct k8s_crd *crd,
                       const char *bundle)
{
    const struct k8s_crd_conversion *conversion = crd->spec.conversion;
    const struct k8s_webhook_client *client =
        conversion && conversion->webhook ? conversion->webhook->client_config : NULL;

    if (!conversion || !str_eq(conversion->strategy, "Webhook"))
        return conversion_patch(b, a, true, bundle);
    if (!leads_here(b, client) || str_eq(client->ca_bundle, bundle))
        return NULL;
    return conversion_patch(b, a, false, bundle);
}

/* ------------------------------------------------------------------ changing it */

static int send_patch(struct bundles *b, struct arena *a, const struct kind *kind, const char *name,
                      enum call_verb verb, const char *body, struct error *err)
{
    struct call call = { .verb = verb, .kind = kind, .name = name, .body = body };
    struct outcome outcome = { 0 };

    if (client_call(b->client, a, &call, &outcome, err) < 0)
        return wrap(err, "patch %s %s", kind->kind, name);
    log_info(NULL, "CA bundle written", KV("kind", kind->kind), KV("name", name));
    return 0;
}

static int set_one(struct bundles *b, struct arena *a, struct cache *cache, const char *name,
                   const char *bundle, struct error *err)
{
    scoped(view) struct view *view = view_new();
    const struct kind *kind = cache_kind(cache);
    const void *object;
    const char *body;

    if (!cache_follow_synced(cache, NULL, name, SYNC_TIME))
        return fail(err, -EAGAIN, "%s %s could not be looked at", kind->kind, name);
    object = cache_get(cache, view, NULL, name);
    if (!object)
        return 0;
    if (kind == &k8s_crd_kind) {
        body = crd_patch(b, a, object, bundle);
        return body ? send_patch(b, a, kind, name, VERB_MERGE_PATCH, body, err) : 0;
    }
    body = webhooks_patch(b, a,
                          kind == &k8s_mutating_webhooks_kind
                              ? &((const struct k8s_mutating_webhooks *)object)->webhooks
                              : &((const struct k8s_validating_webhooks *)object)->webhooks,
                          bundle);
    return body ? send_patch(b, a, kind, name, VERB_JSON_PATCH, body, err) : 0;
}

/* There is no point in trying the next one when nobody answers. */
static bool is_silence(int rc)
{
    return rc < 0 && rc != -EACCES && rc != -EINVAL && rc != -ENOENT && rc != -ESTALE;
}

int bundles_set(struct bundles *b, struct arena *a, const char *pem, struct error *err)
{
    const char *bundle = base64_encode(a, pem, strlen(pem));
    const char *configuration = b->options.configuration;
    struct error other = { 0 };
    int next = set_one(b, a, b->validating, configuration, bundle, err);
    int rc = next;

    if (!is_silence(next)) {
        next = set_one(b, a, b->mutating, configuration, bundle, rc ? &other : err);
        rc = rc ?: next;
    }
    for (const char *const *name = b->options.crds; *name && !is_silence(next); name++) {
        next = set_one(b, a, b->crds, *name, bundle, rc ? &other : err);
        rc = rc ?: next;
    }
    return rc;
}
