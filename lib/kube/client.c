/* client.c - one server: its connection, its paths, and the everyday calls. */
#include "kube/client.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/str.h"
#include "json/list.h"
#include "kube/client_internal.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/url.h"

enum { PAGE = 500, PAGE_BYTES_MAX = 256 * 1024 * 1024 };
#define REFRESH_EVERY (5 * USEC_SEC)

/* Everything but reads; but the lease, which is what opens the fence; and but reviews, which are
 * questions. */
static bool is_fenced(const char *method, const char *path)
{
    return !str_eq(method, "GET") && !str_starts(path, "/apis/coordination.k8s.io/") &&
           !str_starts(path, "/apis/authentication.k8s.io/") &&
           !str_starts(path, "/apis/authorization.k8s.io/");
}

static struct http_tls tls_of(const struct kube_config *config)
{
    return (struct http_tls){
        .ca_file = config->ca_file,
        .ca_pem = config->ca_pem,
        .cert_file = config->cert_file,
        .cert_pem = config->cert_pem,
        .key_file = config->key_file,
        .key_pem = config->key_pem,
        .server_name = config->tls_server_name,
        .insecure = config->insecure,
    };
}

/* A certificate of a plugin stands in for what the configuration says. */
static void use_plugin_certificate(struct client *client, struct arena *a, struct http_tls *tls)
{
    const char *cert = NULL;
    const char *key = NULL;

    client->certificate = kube_credentials_certificate(client->credentials, a, &cert, &key);
    if (cert) {
        tls->cert_pem = cert;
        tls->key_pem = key;
    }
}

static void reload(void *arg)
{
    struct client *client = arg;
    scoped(arena) struct arena *a = arena_new();
    struct http_tls tls = tls_of(&client->config);

    if (client->closing)
        return;
    use_plugin_certificate(client, a, &tls);
    http_reload(client->http, &tls, NULL); /* a file that is being replaced is read next time */
}

/* On the loop thread, just before a request goes out. */
static int authorize(void *userdata, const char *method, const char *path, struct buf *lines,
                     struct error *err)
{
    struct client *client = userdata;
    scoped(free) char *header = NULL;
    int rc;

    if (is_fenced(method, path) && client->may_write && !client->may_write(client->fence_data))
        return fail(err, -EPERM, "not sent: this process may no longer be the leader");
    rc = kube_credentials_header(client->credentials, &header, err);
    if (kube_credentials_certificate(client->credentials, NULL, NULL, NULL) != client->certificate)
        loop_post(client->loop, reload, client);
    if (rc == 0 && header) {
        buf_fmt(lines, "Authorization: %s\n", header);
        explicit_bzero(header, strlen(header));
    }
    return rc;
}

static void copy_config(struct client *client, const struct kube_config *config)
{
    struct kube_config *own = &client->config;
    const char **strings[] = { &own->server,    &own->ca_file,  &own->ca_pem,
                               &own->cert_file, &own->cert_pem, &own->key_file,
                               &own->key_pem,   &own->proxy_url, &own->tls_server_name,
                               &own->namespace };

    *own = *config;
    for (size_t i = 0; i < ARRAY_SIZE(strings); i++)
        *strings[i] = arena_str(client->arena, *strings[i]);
}

static char *host_of(struct arena *a, const char *server)
{
    const char *scheme = strstr(server, "://");
    const char *host = scheme ? scheme + 3 : server;

    return arena_strn(a, host, strcspn(host, "/"));
}

static void init_pause(struct client *client)
{
    pthread_condattr_t attr;

    pthread_mutex_init(&client->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&client->hurried, &attr);
    pthread_condattr_destroy(&attr);
}

int client_new(struct loop *loop, const struct kube_config *config,
               const struct client_options *options, struct client **ret, struct error *err)
{
    struct client *client = must_alloc(sizeof *client);
    scoped(free) char *header = NULL;
    scoped(arena) struct arena *a = arena_new();
    struct http_tls tls = tls_of(config);

    client->arena = arena_new();
    client->loop = loop;
    init_pause(client);
    copy_config(client, config);
    client->manager = arena_str(client->arena, options->field_manager ?: "windlass");
    client->host = host_of(client->arena, config->server);
    client->timeout = options->timeout ?: 30 * USEC_SEC;
    client->credentials = kube_credentials_new(config);
    /* The first credential is had before the loop can ask for it, since a plugin takes its time. */
    if (kube_credentials_header(client->credentials, &header, err) == 0) {
        use_plugin_certificate(client, a, &tls);
        client->http = http_new(loop,
                                &(struct http_options){
                                    .url = config->server,
                                    .proxy = config->proxy_url,
                                    .user_agent = options->user_agent ?: "windlass/" WINDLASS_VERSION,
                                    .tls = tls,
                                    .timeout = client->timeout,
                                    .max_in_flight = options->max_in_flight ?: 32,
                                    .authorize = authorize,
                                    .userdata = client,
                                },
                                err);
    }
    if (!client->http) {
        client_free(client);
        return wrap(err, "%s", config->server);
    }
    *ret = client;
    return 0;
}

static void close_down(void *arg)
{
    struct client *client = arg;

    client->closing = true; /* after whatever was posted before */
}

void client_free(struct client *client)
{
    if (!client)
        return;
    loop_call(client->loop, close_down, client);
    http_free(client->http);
    kube_credentials_free(client->credentials);
    pthread_cond_destroy(&client->hurried);
    pthread_mutex_destroy(&client->lock);
    arena_free(client->arena);
    free(client);
}

struct fence {
    struct client *client;
    bool (*may_write)(void *userdata);
    void *userdata;
};

static void set_fence(void *arg)
{
    const struct fence *fence = arg;

    fence->client->may_write = fence->may_write;
    fence->client->fence_data = fence->userdata;
}

void client_set_fence(struct client *client, bool (*may_write)(void *userdata), void *userdata)
{
    struct fence fence = { client, may_write, userdata };

    loop_call(client->loop, set_fence, &fence);
}

void client_hurry(struct client *client)
{
    scoped_lock(&client->lock);

    client->hurry = true;
    pthread_cond_broadcast(&client->hurried);
}

struct http *client_http(struct client *client)
{
    return client->http;
}

struct loop *client_loop(struct client *client)
{
    return client->loop;
}

usec client_timeout(const struct client *client)
{
    return client->timeout;
}

void client_refresh(struct client *client)
{
    usec now = clock_now();
    usec last = atomic_load(&client->refreshed);

    if (now - last < REFRESH_EVERY || !atomic_compare_exchange_strong(&client->refreshed, &last, now))
        return;
    kube_credentials_stale(client->credentials);
    if (client->config.ca_file || client->config.cert_file)
        loop_post(client->loop, reload, client);
}

char *client_path(struct arena *a, const struct kind *kind, const char *namespace,
                  const char *name, const char *subresource)
{
    const char *root = *kind->group ? fmt(a, "/apis/%s/%s", kind->group, kind->version)
                                    : fmt(a, "/api/%s", kind->version);
    const char *scope = kind->namespaced && namespace ? fmt(a, "/namespaces/%s", namespace) : "";

    return fmt(a, "%s%s/%s%s%s%s%s", root, scope, kind->plural, name ? "/" : "", name ?: "",
               subresource ? "/" : "", subresource ?: "");
}

/* ------------------------------------------------------------------ the everyday forms */

static int call_for_object(struct client *client, struct arena *a, const struct call *call,
                           void **ret, struct error *err)
{
    struct outcome outcome;
    int rc = client_call(client, a, call, &outcome, err);

    if (rc == 0 && ret)
        *ret = outcome.object;
    return rc;
}

int client_get(struct client *client, struct arena *a, const struct kind *kind,
               const char *namespace, const char *name, void **ret, struct error *err)
{
    struct call call = { .verb = VERB_GET, .kind = kind, .namespace = namespace, .name = name };

    return call_for_object(client, a, &call, ret, err);
}

int client_create(struct client *client, struct arena *a, const struct kind *kind,
                  const void *object, void **ret, struct error *err)
{
    struct call call = { .verb = VERB_CREATE, .kind = kind, .object = object };

    return call_for_object(client, a, &call, ret, err);
}

int client_apply(struct client *client, struct arena *a, const struct kind *kind,
                 const void *object, void **ret, struct error *err)
{
    struct call call = { .verb = VERB_APPLY, .kind = kind, .object = object, .force = true };

    return call_for_object(client, a, &call, ret, err);
}

int client_delete(struct client *client, struct arena *a, const struct kind *kind,
                  const char *namespace, const char *name, const char *uid, struct error *err)
{
    struct call call = { .verb = VERB_DELETE, .kind = kind, .namespace = namespace, .name = name,
                         .uid = uid };

    return call_for_object(client, a, &call, NULL, err);
}

/* ------------------------------------------------------------------ lists */

struct lister {
    const struct kind *kind;
    struct arena *arena;
    int (*on_item)(void *userdata, const void *object, struct error *err);
    void *userdata;
};

static int list_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct lister *lister = userdata;
    void *object;

    arena_reset(lister->arena);
    object = arena_alloc(lister->arena, lister->kind->type->size);
    if (table_read(lister->arena, lister->kind->type, item, len, object, err) < 0)
        return err ? err->code : -EBADMSG;
    return lister->on_item(lister->userdata, object, err);
}

/* One page; *ret_continue lives in a and is NULL at the end of the list. */
static int list_page(struct client *client, struct arena *a, const char *path,
                     struct lister *lister, const char **ret_continue, struct error *err)
{
    scoped(buf) struct buf body = { 0 };
    struct list_options options = { .array = "items", .item_limit = OBJECT_MAX,
                                    .around_limit = OBJECT_MAX, .on_item = list_item,
                                    .userdata = lister };
    struct list_cutter *cutter;
    const char *around;
    struct json *v;
    size_t len;
    int rc = client_raw(client, "GET", path, NULL, &body, err);

    if (rc < 0)
        return rc;
    cutter = list_cutter_new(&options);
    rc = list_cutter_feed(cutter, body.bytes ?: "", body.len, err)
        ?: list_cutter_end(cutter, &around, &len, err)
        ?: json_parse(a, around, len, &v, err);
    if (rc == 0) {
        *ret_continue = arena_str(a, json_str_or(json_at(v, "metadata.continue"), NULL));
        if (str_empty(*ret_continue))
            *ret_continue = NULL;
    }
    list_cutter_free(cutter);
    return rc;
}

int client_list(struct client *client, const struct kind *kind, const char *namespace,
                const char *label_selector,
                int (*on_item)(void *userdata, const void *object, struct error *err),
                void *userdata, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(arena) struct arena *items = arena_new();
    struct lister lister = { kind, items, on_item, userdata };
    const char *base = client_path(a, kind, namespace, NULL, NULL);
    const char *selector = label_selector ? url_escape(a, label_selector) : NULL;
    const char *more = NULL;

    do {
        const char *path = fmt(a, "%s?limit=%d%s%s%s%s", base, PAGE,
                               selector ? "&labelSelector=" : "", selector ?: "",
                               more ? "&continue=" : "", more ? url_escape(a, more) : "");
        int rc = list_page(client, a, path, &lister, &more, err);

        if (rc < 0)
            return wrap(err, "list %s", kind->plural);
    } while (more);
    return 0;
}

int client_raw(struct client *client, const char *method, const char *path, const char *body,
               struct buf *ret, struct error *err)
{
    scoped(http_response) struct http_response response = { 0 };
    struct http_request request = {
        .method = method,
        .path = path,
        .body = body,
        .body_len = body ? strlen(body) : 0,
        .content_type = body ? "application/json" : NULL,
        .body_limit = PAGE_BYTES_MAX,
        .deadline = clock_now() + client->timeout,
    };
    int rc = http_do(client->http, &request, &response, err);

    if (rc < 0)
        return wrap(err, "%s %s", method, path);
    rc = client_status_error(response.status, response.body.bytes, response.body.len, err);
    if (rc < 0)
        return wrap(err, "%s %s", method, path);
    if (ret)
        *ret = take(response.body);
    return 0;
}
