/* credentials.c - what we present to the server now: tokens from files and plugins, kept fresh. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/log.h"
#include "base/str.h"
#include "kube/plugin.h"

enum { TOKEN_MAX = 64 * 1024 };
#define TOKEN_FILE_AGE (60 * USEC_SEC)
#define EXPIRY_MARGIN (60 * USEC_SEC)
#define PLUGIN_EVERY (5 * USEC_SEC) /* a plugin that fails is not run for every request */

struct kube_credentials {
    struct arena *arena; /* of the copied configuration */
    struct kube_config config;
    pthread_mutex_t lock; /* everything below */
    pthread_cond_t refreshed;
    char *header;    /* the current one, NULL for none */
    char *cert, *key; /* from the plugin, NULL for none */
    unsigned serial; /* of the certificate */
    bool had;        /* the plugin gave us something already */
    usec read_at;    /* monotonic */
    usec ran_at;     /* the plugin, monotonic */
    usec expires;    /* wall clock; USEC_NEVER when unknown */
    bool refreshing; /* the plugin runs */
    bool stale;      /* the server refused it */
    pthread_t thread;
    bool has_thread;
};

static struct kube_exec *copy_exec(struct arena *a, const struct kube_exec *from)
{
    struct kube_exec *exec = arena_copy(a, from, sizeof *from);

    exec->command = arena_str(a, from->command);
    exec->api_version = arena_str(a, from->api_version);
    exec->install_hint = arena_str(a, from->install_hint);
    exec->args.v = arena_make_n(a, const char *, from->args.n);
    for (size_t i = 0; i < from->args.n; i++)
        exec->args.v[i] = arena_str(a, from->args.v[i]);
    exec->env = (struct pairs){ 0 };
    for_each (pair, from->env)
        exec->env = pairs_with(a, exec->env, arena_str(a, pair->key), arena_str(a, pair->value));
    return exec;
}

struct kube_credentials *kube_credentials_new(const struct kube_config *config)
{
    struct kube_credentials *c = must_alloc(sizeof *c);

    c->arena = arena_new();
    c->config = *config;
    c->config.token = arena_str(c->arena, config->token);
    c->config.token_file = arena_str(c->arena, config->token_file);
    c->config.username = arena_str(c->arena, config->username);
    c->config.password = arena_str(c->arena, config->password);
    c->config.server = arena_str(c->arena, config->server);
    c->config.ca_file = arena_str(c->arena, config->ca_file);
    c->config.ca_pem = arena_str(c->arena, config->ca_pem);
    c->config.tls_server_name = arena_str(c->arena, config->tls_server_name);
    c->config.proxy_url = arena_str(c->arena, config->proxy_url);
    if (config->exec)
        c->config.exec = copy_exec(c->arena, config->exec);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->refreshed, NULL);
    c->expires = USEC_NEVER;
    return c;
}

static void wipe(char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

void kube_credentials_free(struct kube_credentials *c)
{
    if (!c)
        return;
    if (c->has_thread)
        pthread_join(c->thread, NULL);
    wipe(c->header);
    wipe(c->cert);
    wipe(c->key);
    pthread_cond_destroy(&c->refreshed);
    pthread_mutex_destroy(&c->lock);
    arena_free(c->arena);
    free(c);
}

/* The lock is held. */
static void keep(struct kube_credentials *c, const char *scheme, const char *secret, usec expires)
{
    char *header = NULL;

    if (asprintf(&header, "%s %s", scheme, secret) < 0)
        abort();
    wipe(c->header);
    c->header = header;
    c->read_at = clock_now();
    c->stale = false;
    c->expires = expires;
}

static int read_token_file(struct kube_credentials *c, struct error *err)
{
    scoped(free) char *token = NULL;

    if (file_read(c->config.token_file, TOKEN_MAX, &token, NULL, err) < 0)
        return c->header ? 0 : wrap(err, "token"); /* an old token may still do */
    token[strcspn(token, "\r\n")] = '\0';
    keep(c, "Bearer", token, USEC_NEVER);
    explicit_bzero(token, strlen(token));
    return 0;
}

/* The lock is held. */
static void keep_answer(struct kube_credentials *c, const struct plugin_answer *answer)
{
    if (answer->token)
        keep(c, "Bearer", answer->token, answer->expires);
    if (answer->cert && !str_eq(answer->cert, c->cert)) {
        wipe(c->cert);
        wipe(c->key);
        c->cert = must_str(answer->cert);
        c->key = must_str(answer->key);
        c->serial++;
    }
    c->had = true;
    c->stale = false;
    c->expires = answer->expires;
}

/* Runs without the lock; takes it to keep the result. */
static int refresh_plugin(struct kube_credentials *c, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    struct plugin_answer answer;
    int rc = plugin_run(a, &c->config, &answer, err);

    scoped_lock(&c->lock);
    if (rc == 0)
        keep_answer(c, &answer);
    c->refreshing = false;
    pthread_cond_broadcast(&c->refreshed);
    return rc;
}

static void *refresh_thread(void *arg)
{
    struct error err = { 0 };

    if (refresh_plugin(arg, &err) < 0)
        log_error(NULL, "cannot renew the credential", KV("error", error_text(&err)));
    return NULL;
}

/* Renews in the background while the old credential still holds; the lock is held. */
static void refresh_soon(struct kube_credentials *c)
{
    usec now = clock_now();

    if (c->refreshing || (c->ran_at && now - c->ran_at < PLUGIN_EVERY))
        return;
    if (c->has_thread)
        pthread_join(c->thread, NULL);
    c->ran_at = now;
    c->refreshing = true;
    c->has_thread = !pthread_create(&c->thread, NULL, refresh_thread, c);
    if (!c->has_thread)
        c->refreshing = false;
}

static int plugin_header(struct kube_credentials *c, struct error *err)
{
    pthread_mutex_lock(&c->lock);
    while (c->refreshing && !c->had)
        pthread_cond_wait(&c->refreshed, &c->lock); /* bounded by the plugin's own time */
    if (!c->had) {
        c->refreshing = true;
        pthread_mutex_unlock(&c->lock);
        return refresh_plugin(c, err);
    }
    if (c->expires != USEC_NEVER && clock_wall() > c->expires - EXPIRY_MARGIN)
        refresh_soon(c);
    pthread_mutex_unlock(&c->lock);
    return 0;
}

/* The lock is held. */
static void keep_fixed(struct kube_credentials *c)
{
    if (c->header)
        return;
    if (c->config.token) {
        keep(c, "Bearer", c->config.token, USEC_NEVER);
    } else if (c->config.username) {
        const char *both = fmt(c->arena, "%s:%s", c->config.username, c->config.password ?: "");

        keep(c, "Basic", base64_encode(c->arena, both, strlen(both)), USEC_NEVER);
    }
}

static int file_header(struct kube_credentials *c, struct error *err)
{
    scoped_lock(&c->lock);

    if (!c->config.token_file)
        keep_fixed(c);
    else if (!c->header || c->stale || clock_now() - c->read_at > TOKEN_FILE_AGE)
        return read_token_file(c, err);
    return 0;
}

int kube_credentials_header(struct kube_credentials *c, char **ret, struct error *err)
{
    int rc = c->config.exec ? plugin_header(c, err) : file_header(c, err);

    if (rc < 0)
        return rc;
    scoped_lock(&c->lock);
    *ret = c->header ? must_str(c->header) : NULL;
    return 0;
}

unsigned kube_credentials_certificate(struct kube_credentials *c, struct arena *a,
                                      const char **ret_cert, const char **ret_key)
{
    scoped_lock(&c->lock);

    if (a) {
        *ret_cert = arena_str(a, c->cert);
        *ret_key = arena_str(a, c->key);
    }
    return c->serial;
}

void kube_credentials_stale(struct kube_credentials *c)
{
    scoped_lock(&c->lock);

    c->stale = true;
    if (c->config.exec && c->had)
        refresh_soon(c);
}
