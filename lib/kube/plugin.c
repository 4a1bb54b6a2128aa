/* plugin.c - runs a credential plugin and reads what it prints. */
#include "kube/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/str.h"
#include "json/json.h"

enum { ANSWER_MAX = 256 * 1024, CA_MAX = 1024 * 1024 };
#define PLUGIN_TIME (30 * USEC_SEC)

extern char **environ;

/* ------------------------------------------------------------------ what it is told */

/* The CA as the plugin wants it, whether we have it in a file or in memory. */
static char *ca_data(struct arena *a, const struct kube_config *config)
{
    scoped(free) char *text = NULL;
    size_t len;

    if (config->ca_pem)
        return base64_encode(a, config->ca_pem, strlen(config->ca_pem));
    if (!config->ca_file || file_read(config->ca_file, CA_MAX, &text, &len, NULL) < 0)
        return NULL;
    return base64_encode(a, text, len);
}

static char *exec_info(struct arena *a, const struct kube_config *config)
{
    struct json *info = json_object(a);
    struct json *spec = json_object(a);
    struct json *cluster = json_object(a);

    json_set_str(a, info, "apiVersion", config->exec->api_version);
    json_set_str(a, info, "kind", "ExecCredential");
    json_set(a, spec, "interactive", json_bool(a, false));
    if (config->exec->provide_cluster_info) {
        json_set_str(a, cluster, "server", config->server);
        json_set_str(a, cluster, "tls-server-name", config->tls_server_name);
        json_set_str(a, cluster, "proxy-url", config->proxy_url);
        json_set_str(a, cluster, "certificate-authority-data", ca_data(a, config));
        if (config->insecure)
            json_set(a, cluster, "insecure-skip-tls-verify", json_bool(a, true));
        json_set(a, spec, "cluster", cluster);
    }
    json_set(a, info, "spec", spec);
    return json_text(a, info);
}

static bool is_named(const char *assignment, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(assignment, name, len) && assignment[len] == '=';
}

/* One more variable, in place of one of that name. */
static void set_variable(struct arena *a, char **env, const char *name, const char *value)
{
    while (*env && !is_named(*env, name))
        env++;
    *env = fmt(a, "%s=%s", name, value);
}

static char **environment(struct arena *a, const struct kube_config *config)
{
    size_t n = 0;
    char **env;

    while (environ[n])
        n++;
    env = arena_make_n(a, char *, n + config->exec->env.n + 2);
    memcpy(env, environ, n * sizeof *env);
    for_each (pair, config->exec->env)
        set_variable(a, env, pair->key, pair->value);
    set_variable(a, env, "KUBERNETES_EXEC_INFO", exec_info(a, config));
    return env;
}

/* ------------------------------------------------------------------ the run */

static int start(struct arena *a, const struct kube_config *config, pid_t *ret_pid, int *ret_out,
                 struct error *err)
{
    const struct kube_exec *exec = config->exec;
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
    rc = posix_spawnp(ret_pid, exec->command, &actions, NULL, argv, environment(a, config));
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (rc) {
        close(ends[0]);
        return fail(err, -rc, "%s%s%s", strerror(rc), exec->install_hint ? "; " : "",
                    exec->install_hint ?: "");
    }
    *ret_out = ends[0];
    return 0;
}

/* Reads until the plugin closes its end, for a bounded time. */
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
            return fail(err, -EMSGSIZE, "its answer is longer than %d bytes", ANSWER_MAX);
    }
}

static int run(struct arena *a, const struct kube_config *config, struct buf *answer,
               struct error *err)
{
    scoped(fd) int out = -1;
    pid_t pid;
    int status = 0;
    int rc = start(a, config, &pid, &out, err);

    if (rc < 0)
        return rc;
    rc = read_answer(out, answer, err);
    if (rc < 0)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (rc == 0 && (!WIFEXITED(status) || WEXITSTATUS(status)))
        rc = fail(err, -EACCES, "it failed; run it by hand to see why");
    return rc;
}

static int read_credential(struct arena *a, const struct buf *answer, struct plugin_answer *ret,
                           struct error *err)
{
    const struct json *status;
    const char *expires;
    struct json *v;

    if (json_parse(a, answer->bytes ?: "", answer->len, &v, err) < 0)
        return wrap(err, "its answer");
    status = json_get(v, "status");
    *ret = (struct plugin_answer){
        .token = json_str_or(json_get(status, "token"), NULL),
        .cert = json_str_or(json_get(status, "clientCertificateData"), NULL),
        .key = json_str_or(json_get(status, "clientKeyData"), NULL),
        .expires = USEC_NEVER,
    };
    if (!ret->token && !ret->cert)
        return fail(err, -EACCES, "its answer has no status.token and no "
                                  "status.clientCertificateData");
    if (!ret->cert != !ret->key)
        return fail(err, -EINVAL, "its answer has one of status.clientCertificateData and "
                                  "status.clientKeyData: want both");
    expires = json_str_or(json_get(status, "expirationTimestamp"), NULL);
    if (expires && !time_parse(expires, &ret->expires))
        return fail(err, -EINVAL, "its answer's status.expirationTimestamp: '%s' is no time",
                    expires);
    return 0;
}

int plugin_run(struct arena *a, const struct kube_config *config, struct plugin_answer *ret,
               struct error *err)
{
    scoped(buf) struct buf answer = { .limit = ANSWER_MAX };
    int rc = run(a, config, &answer, err) ?: read_credential(a, &answer, ret, err);

    if (answer.bytes)
        explicit_bzero(answer.bytes, answer.len);
    if (rc < 0)
        wrap(err, "credential plugin %s", config->exec->command);
    return rc;
}
