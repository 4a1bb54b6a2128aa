/* credentials.c - what we present to the server now: tokens from files and plugins, kept fresh. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/log.h"
#include "base/str.h"
#include "json/json.h"
#include "kube/config.h"

enum { TOKEN_MAX = 64 * 1024, PLUGIN_ANSWER_MAX = 256 * 1024 };
#define TOKEN_FILE_AGE (60 * USEC_SEC)
#define PLUGIN_TIME (30 * USEC_SEC)
#define EXPIRY_MARGIN (60 * USEC_SEC)

extern char **environ;

struct kube_credentials {
    struct arena *arena; /* of the copied configuration */
    struct kube_config config;
    pthread_mutex_t lock; /* everything below */
    pthread_cond_t refreshed;
    char *header;    /* the current one, NULL for none */
    usec read_at;    /* monotonic */
    usec expires;    /* wall clock; USEC_NEVER when unknown */
    bool refreshing; /* the plugin runs */
    bool stale;      /* the server refused it */
    pthread_t thread;
    bool has_thread;
};

struct kube_credentials *kube_credentials_new(const struct kube_config *config)
{
    struct kube_credentials *c = must_alloc(sizeof *c);

    c->arena = arena_new();
    c->config = *config;
    c->config.token = arena_str(c->arena, config->token);
    c->config.token_file = arena_str(c->arena, config->token_file);
    c->config.username = arena_str(c->arena, config->username);
    c->config.password = arena_str(c->arena, config->password);
    if (config->exec) {
        struct kube_exec *exec = arena_copy(c->arena, config->exec, sizeof *exec);

        exec->command = arena_str(c->arena, exec->command);
        exec->api_version = arena_str(c->arena, exec->api_version);
        exec->install_hint = arena_str(c->arena, exec->install_hint);
        exec->args.v = arena_make_n(c->arena, const char *, exec->args.n);
        for (size_t i = 0; i < exec->args.n; i++)
            exec->args.v[i] = arena_str(c->arena, config->exec->args.v[i]);
        exec->env = (struct pairs){ 0 };
        for_each (pair, config->exec->env)
            exec->env = pairs_with(c->arena, exec->env, arena_str(c->arena, pair->key),
                                   arena_str(c->arena, pair->value));
        c->config.exec = exec;
    }
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

static char **plugin_environment(struct arena *a, const struct kube_exec *exec)
{
    size_t n = 0;
    char **env;

    while (environ[n])
        n++;
    env = arena_make_n(a, char *, n + exec->env.n + 2);
    memcpy(env, environ, n * sizeof *env);
    for_each (pair, exec->env)
        env[n++] = fmt(a, "%s=%s", pair->key, pair->value);
    env[n] = fmt(a, "KUBERNETES_EXEC_INFO={\"kind\":\"ExecCredential\",\"apiVersion\":\"%s\","
                    "\"spec\":{\"interactive\":false}}", exec->api_version);
    return env;
}

static int spawn_plugin(struct arena *a, const struct kube_exec *exec, pid_t *ret_pid, int *ret_out,
                        struct error *err)
{
    char **argv = arena_make_n(a, char *, exec->args.n + 2);
    posix_spawn_file_actions_t actions;
    int ends[2];
    int rc;

    argv[0] = (char *)exec->command;
    for (size_t i = 0; i < exec->args.n; i++)
        argv[i + 1] = (char *)exec->args.v[i];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return fail(err, -errno, "pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    rc = posix_spawnp(ret_pid, exec->command, &actions, NULL, argv, plugin_environment(a, exec));
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (rc) {
        close(ends[0]);
        return fail(err, -rc, "credential plugin %s: %s%s%s", exec->command, strerror(rc),
                    exec->install_hint ? "; " : "", exec->install_hint ?: "");
    }
    *ret_out = ends[0];
    return 0;
}

/* Reads the plugin's answer until it closes its end, for a bounded time. */
static int read_answer(int fd, struct buf *answer, struct error *err)
{
    usec deadline = clock_now() + PLUGIN_TIME;
    char chunk[4096];

    for (;;) {
        struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
        usec left = deadline - clock_now();
        ssize_t got;

        if (left <= 0 || poll(&poll_fd, 1, (int)(left / USEC_MSEC) + 1) == 0)
            return fail(err, -ETIMEDOUT, "no answer within 30 s");
        got = read(fd, chunk, sizeof chunk);
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return fail(err, -errno, "read: %s", strerror(errno));
        if (got > 0 && buf_add(answer, chunk, (size_t)got) < 0)
            return fail(err, -EMSGSIZE, "its answer is longer than %d bytes", PLUGIN_ANSWER_MAX);
    }
}

static int run_plugin(struct arena *a, const struct kube_exec *exec, struct buf *answer,
                      struct error *err)
{
    scoped(fd) int out = -1;
    pid_t pid;
    int status = 0;
    int rc = spawn_plugin(a, exec, &pid, &out, err);

    if (rc < 0)
        return rc;
    rc = read_answer(out, answer, err);
    if (rc < 0)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (rc < 0)
        return wrap(err, "credential plugin %s", exec->command);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return fail(err, -EACCES, "credential plugin %s failed; run it by hand to see why",
                    exec->command);
    return 0;
}

static int read_credential(struct arena *a, const struct buf *answer, const char **ret_token,
                           usec *ret_expires, struct error *err)
{
    const char *expires;
    struct json *v;

    if (json_parse(a, answer->bytes ?: "", answer->len, &v, err) < 0)
        return wrap(err, "the plugin's answer");
    *ret_token = json_str_or(json_at(v, "status.token"), NULL);
    expires = json_str_or(json_at(v, "status.expirationTimestamp"), NULL);
    if (!*ret_token)
        return fail(err, -EACCES, "the plugin's answer has no status.token");
    if (!expires || !time_parse(expires, ret_expires))
        *ret_expires = USEC_NEVER;
    return 0;
}

/* Runs without the lock; takes it to keep the result. */
static int refresh_plugin(struct kube_credentials *c, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf answer = { .limit = PLUGIN_ANSWER_MAX };
    const char *token = NULL;
    usec expires = USEC_NEVER;
    int rc = run_plugin(a, c->config.exec, &answer, err)
        ?: read_credential(a, &answer, &token, &expires, err);

    scoped_lock(&c->lock);
    if (rc == 0)
        keep(c, "Bearer", token, expires);
    c->refreshing = false;
    pthread_cond_broadcast(&c->refreshed);
    if (answer.bytes)
        explicit_bzero(answer.bytes, answer.len);
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
    if (c->refreshing)
        return;
    if (c->has_thread)
        pthread_join(c->thread, NULL);
    c->refreshing = true;
    c->has_thread = !pthread_create(&c->thread, NULL, refresh_thread, c);
    if (!c->has_thread)
        c->refreshing = false;
}

static int plugin_header(struct kube_credentials *c, struct error *err)
{
    pthread_mutex_lock(&c->lock);
    while (c->refreshing && !c->header)
        pthread_cond_wait(&c->refreshed, &c->lock); /* bounded by PLUGIN_TIME */
    if (!c->header) {
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

void kube_credentials_stale(struct kube_credentials *c)
{
    scoped_lock(&c->lock);

    c->stale = true;
    if (c->config.exec && c->header)
        refresh_soon(c);
}
