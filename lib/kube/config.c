/* config.c - kubeconfig files and the pod's own account, read into one struct. */
#include "kube/config.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/str.h"
#include "json/yaml.h"

#define ACCOUNT_DIR "/var/run/secrets/kubernetes.io/serviceaccount"
enum { CONFIG_MAX = 4 * 1024 * 1024, NAMESPACE_MAX = 256 };

/* Where a value stands, for messages. */
struct source {
    struct arena *arena;
    const char *dir; /* relative file names start here */
};

static const char *text_at(const struct json *v, const char *path)
{
    const char *text = json_str_or(json_at(v, path), NULL);

    return str_empty(text) ? NULL : text;
}

static const char *file_at(const struct source *s, const struct json *v, const char *path)
{
    const char *name = text_at(v, path);

    if (!name || name[0] == '/' || !s->dir)
        return name;
    return fmt(s->arena, "%s/%s", s->dir, name);
}

/* The element of a list of { name: ..., <what>: {...} } with that name. */
static const struct json *named(const struct json *list, const char *name, const char *what)
{
    for (size_t i = 0; name && i < json_count(list); i++) {
        const struct json *item = json_item(list, i);

        if (str_eq(text_at(item, "name"), name))
            return json_get(item, what);
    }
    return NULL;
}

static int data_at(const struct source *s, const struct json *v, const char *path,
                   const char **ret, struct error *err)
{
    const char *encoded = text_at(v, path);

    if (!encoded)
        return 0;
    *ret = base64_decode(s->arena, encoded, NULL);
    return *ret ? 0 : fail(err, -EINVAL, "%s: is not base64", path);
}

static int read_cluster(const struct source *s, const struct json *cluster,
                        struct kube_config *config, struct error *err)
{
    config->server = text_at(cluster, "server");
    if (!config->server)
        return fail(err, -EINVAL, "cluster.server: missing; want https://host:port");
    config->ca_file = file_at(s, cluster, "certificate-authority");
    config->tls_server_name = text_at(cluster, "tls-server-name");
    config->proxy_url = text_at(cluster, "proxy-url");
    config->insecure = json_bool_or(json_get(cluster, "insecure-skip-tls-verify"), false);
    return data_at(s, cluster, "certificate-authority-data", &config->ca_pem, err);
}

static struct strs read_strings(struct arena *a, const struct json *list)
{
    struct strs strs = { .v = arena_make_n(a, const char *, json_count(list)) };

    for (size_t i = 0; i < json_count(list); i++)
        strs.v[strs.n++] = json_str_or(json_item(list, i), "");
    return strs;
}

static int read_exec(const struct source *s, const struct json *exec, struct kube_config *config,
                     struct error *err)
{
    struct kube_exec *plugin = arena_make(s->arena, struct kube_exec);
    const struct json *env = json_get(exec, "env");

    plugin->command = text_at(exec, "command");
    if (!plugin->command)
        return fail(err, -EINVAL, "exec.command: missing");
    if (strchr(plugin->command, '/'))
        plugin->command = file_at(s, exec, "command");
    plugin->api_version = text_at(exec, "apiVersion");
    plugin->install_hint = text_at(exec, "installHint");
    plugin->provide_cluster_info = json_bool_or(json_get(exec, "provideClusterInfo"), false);
    plugin->args = read_strings(s->arena, json_get(exec, "args"));
    for (size_t i = 0; i < json_count(env); i++)
        plugin->env = pairs_with(s->arena, plugin->env, text_at(json_item(env, i), "name") ?: "",
                                 text_at(json_item(env, i), "value") ?: "");
    if (!str_starts(plugin->api_version, "client.authentication.k8s.io/"))
        return fail(err, -EINVAL, "exec.apiVersion: '%s' is not client.authentication.k8s.io/v1",
                    plugin->api_version ?: "");
    config->exec = plugin;
    return 0;
}

static int read_user(const struct source *s, const struct json *user, struct kube_config *config,
                     struct error *err)
{
    const struct json *exec = json_get(user, "exec");

    config->cert_file = file_at(s, user, "client-certificate");
    config->key_file = file_at(s, user, "client-key");
    config->token = text_at(user, "token");
    config->token_file = file_at(s, user, "tokenFile");
    config->username = text_at(user, "username");
    config->password = text_at(user, "password");
    if (exec && exec->type == JSON_OBJECT && read_exec(s, exec, config, err) < 0)
        return err ? err->code : -EINVAL;
    return data_at(s, user, "client-certificate-data", &config->cert_pem, err)
        ?: data_at(s, user, "client-key-data", &config->key_pem, err);
}

static int read_context(const struct source *s, const struct json *config_file, const char *name,
                        struct kube_config *config, struct error *err)
{
    const struct json *context;
    const struct json *cluster;
    const struct json *user;

    name = name ?: text_at(config_file, "current-context");
    if (!name)
        return fail(err, -EINVAL, "current-context: missing; name one with --context");
    context = named(json_get(config_file, "contexts"), name, "context");
    if (!context)
        return fail(err, -EINVAL, "contexts: there is no '%s'", name);
    cluster = named(json_get(config_file, "clusters"), text_at(context, "cluster"), "cluster");
    if (!cluster)
        return fail(err, -EINVAL, "context '%s': there is no cluster '%s'", name,
                    text_at(context, "cluster") ?: "");
    user = named(json_get(config_file, "users"), text_at(context, "user"), "user");
    if (!user && text_at(context, "user"))
        return fail(err, -EINVAL, "context '%s': there is no user '%s'", name,
                    text_at(context, "user"));
    config->namespace = text_at(context, "namespace") ?: "default";
    if (read_cluster(s, cluster, config, err) < 0)
        return wrap(err, "clusters[%s]", text_at(context, "cluster"));
    if (read_user(s, user, config, err) < 0)
        return wrap(err, "users[%s]", text_at(context, "user"));
    return 0;
}

int kube_config_parse(struct arena *a, const char *text, size_t len, const char *dir,
                      const char *context, struct kube_config *ret, struct error *err)
{
    struct source source = { .arena = a, .dir = dir };
    struct kube_config config = { 0 };
    struct json *documents;
    int rc = yaml_parse(a, text, len, &documents, err);

    if (rc < 0)
        return rc;
    rc = read_context(&source, json_item(documents, 0), context, &config, err);
    if (rc == 0)
        *ret = config;
    return rc;
}

/* $KUBECONFIG may list several files: the first one that names a thing wins, lists are joined. */
static void merge_file(struct arena *a, struct json *all, const struct json *file)
{
    static const char *const lists[] = { "clusters", "users", "contexts" };

    if (!text_at(all, "current-context") && text_at(file, "current-context"))
        json_set_str(a, all, "current-context", text_at(file, "current-context"));
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        const struct json *more = json_get(file, lists[i]);

        if (!json_get(all, lists[i]))
            json_set(a, all, lists[i], json_array(a));
        for (size_t k = 0; k < json_count(more); k++)
            json_add(a, (struct json *)json_get(all, lists[i]), json_copy(a, json_item(more, k)));
    }
}

static char *directory_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? arena_strn(a, path, (size_t)(slash - path)) : arena_str(a, ".");
}

/* A command without a slash is looked for in $PATH. */
static void anchor_plugins(const struct source *s, const struct json *users)
{
    for (size_t i = 0; i < json_count(users); i++) {
        struct json *exec = (struct json *)json_at(json_item(users, i), "user.exec");
        const char *command = text_at(exec, "command");

        if (command && strchr(command, '/'))
            json_set_str(s->arena, exec, "command", file_at(s, exec, "command"));
    }
}

/* File names inside one of several files are relative to that file: made absolute before merging. */
static void anchor_files(struct arena *a, struct json *file, const char *dir)
{
    static const struct {
        const char *list, *what, *name;
    } places[] = {
        { "clusters", "cluster", "certificate-authority" },
        { "users", "user", "client-certificate" },
        { "users", "user", "client-key" },
        { "users", "user", "tokenFile" },
    };
    struct source source = { .arena = a, .dir = dir };

    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        const struct json *list = json_get(file, places[i].list);

        for (size_t k = 0; k < json_count(list); k++) {
            struct json *entry = (struct json *)json_get(json_item(list, k), places[i].what);
            const char *path = file_at(&source, entry, places[i].name);

            if (path)
                json_set_str(a, entry, places[i].name, path);
        }
    }
    anchor_plugins(&source, json_get(file, "users"));
}

static int add_file(struct arena *a, const char *path, struct json *all, struct error *err)
{
    scoped(free) char *text = NULL;
    struct json *documents;
    size_t len;

    int rc = file_read(path, CONFIG_MAX, &text, &len, err);

    if (rc < 0)
        return rc;
    if (yaml_parse(a, text, len, &documents, err) < 0)
        return wrap(err, "%s", path);
    if (json_item(documents, 0)) {
        anchor_files(a, (struct json *)json_item(documents, 0), directory_of(a, path));
        merge_file(a, all, json_item(documents, 0));
    }
    return 0;
}

static int finish_files(struct arena *a, const struct json *all, const char *paths,
                        const char *context, struct kube_config *ret, struct error *err)
{
    struct source source = { .arena = a };
    struct kube_config config = { .source = arena_str(a, paths) };

    if (read_context(&source, all, context, &config, err) < 0)
        return wrap(err, "kubeconfig %s", paths);
    *ret = config;
    return 0;
}

static int load_file(struct arena *a, const char *path, const char *context,
                     struct kube_config *ret, struct error *err)
{
    struct json *all = json_object(a);

    return add_file(a, path, all, err) ?: finish_files(a, all, path, context, ret, err);
}

/* Those of the list that are not there do not count, as long as one is. */
static int load_files(struct arena *a, const char *paths, const char *context,
                      struct kube_config *ret, struct error *err)
{
    struct json *all = json_object(a);
    char *rest = NULL;
    bool found = false;

    for (char *path = strtok_r(arena_str(a, paths), ":", &rest); path;
         path = strtok_r(NULL, ":", &rest)) {
        int rc = add_file(a, path, all, err);

        if (rc < 0 && rc != -ENOENT)
            return rc;
        found |= rc == 0;
    }
    if (!found)
        return fail(err, -ENOENT, "$KUBECONFIG: none of %s is there", paths);
    error_clear(err);
    return finish_files(a, all, paths, context, ret, err);
}

static int load_in_cluster(struct arena *a, const char *host, const char *port,
                           struct kube_config *ret, struct error *err)
{
    scoped(free) char *namespace = NULL;

    if (file_read(ACCOUNT_DIR "/namespace", NAMESPACE_MAX, &namespace, NULL, err) < 0)
        return wrap(err, "the pod's service account");
    *ret = (struct kube_config){
        .server = fmt(a, strchr(host, ':') ? "https://[%s]:%s" : "https://%s:%s", host, port),
        .namespace = arena_str(a, namespace),
        .ca_file = ACCOUNT_DIR "/ca.crt",
        .token_file = ACCOUNT_DIR "/token",
        .in_cluster = true,
        .source = "the pod's service account",
    };
    return 0;
}

int kube_config_load(struct arena *a, const char *path, const char *context,
                     struct kube_config *ret, struct error *err)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    const char *port = getenv("KUBERNETES_SERVICE_PORT");
    const char *home = getenv("HOME");

    if (!str_empty(path))
        return load_file(a, path, context, ret, err);
    if (!str_empty(getenv("KUBECONFIG")))
        return load_files(a, getenv("KUBECONFIG"), context, ret, err);
    if (!str_empty(host) && !context)
        return load_in_cluster(a, host, str_empty(port) ? "443" : port, ret, err);
    if (home && !access(fmt(a, "%s/.kube/config", home), F_OK))
        return load_file(a, fmt(a, "%s/.kube/config", home), context, ret, err);
    return fail(err, -ENOENT,
                "no cluster to talk to: give --kubeconfig, set KUBECONFIG, or run in a pod");
}
