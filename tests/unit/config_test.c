/* config_test.c - kubeconfig files and what they make us present to the server. */
#include "kube/config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/str.h"
#include "support/test.h"

static const char two_contexts[] =
    "current-context: dev\n"
    "contexts:\n"
    "- {name: dev, context: {cluster: dev, user: me}}\n"
    "- {name: prod, context: {cluster: prod, user: robot, namespace: hpc}}\n"
    "clusters:\n"
    "- {name: dev, cluster: {server: 'https://dev:6443', insecure-skip-tls-verify: true}}\n"
    "- name: prod\n"
    "  cluster:\n"
    "    server: https://prod:6443\n"
    "    certificate-authority-data: aGVsbG8=\n"
    "    tls-server-name: api.prod\n"
    "    proxy-url: socks5://proxy:1080\n"
    "users:\n"
    "- {name: me, user: {client-certificate: me.crt, client-key: /abs/me.key}}\n"
    "- {name: robot, user: {token: secret}}\n";

static int parse(struct arena *a, const char *text, const char *context, struct kube_config *ret,
                 struct error *err)
{
    return kube_config_parse(a, text, strlen(text), "/etc/k", context, ret, err);
}

TEST(the_current_context_is_taken_and_files_are_relative_to_the_configuration)
{
    scoped(arena) struct arena *a = arena_new();
    struct kube_config config;
    struct error err = { 0 };

    CHECK_OK(parse(a, two_contexts, NULL, &config, &err), err);
    CHECK_STR(config.server, "https://dev:6443");
    CHECK_STR(config.namespace, "default");
    CHECK_STR(config.cert_file, "/etc/k/me.crt");
    CHECK_STR(config.key_file, "/abs/me.key");
    CHECK(config.insecure);
}

TEST(another_context_can_be_asked_for)
{
    scoped(arena) struct arena *a = arena_new();
    struct kube_config config;
    struct error err = { 0 };

    CHECK_OK(parse(a, two_contexts, "prod", &config, &err), err);
    CHECK_STR(config.server, "https://prod:6443");
    CHECK_STR(config.namespace, "hpc");
    CHECK_STR(config.ca_pem, "hello");
    CHECK_STR(config.token, "secret");
    CHECK_STR(config.tls_server_name, "api.prod");
    CHECK_STR(config.proxy_url, "socks5://proxy:1080");
    CHECK(!config.insecure && !config.cert_file);
}

TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *text, *story;
    } cases[] = {
        { "{}", "current-context: missing" },
        { "[]", "current-context: missing" },
        { "", "current-context: missing" },
        { "current-context: x", "contexts: there is no 'x'" },
        { "{current-context: x, contexts: [{name: x, context: {cluster: c}}]}",
          "context 'x': there is no cluster 'c'" },
        { "{current-context: x, contexts: [{name: x, context: {cluster: c, user: u}}], "
          "clusters: [{name: c, cluster: {server: s}}]}", "context 'x': there is no user 'u'" },
        { "{current-context: x, contexts: [{name: x, context: {cluster: c}}], "
          "clusters: [{name: c, cluster: {}}]}", "clusters[c]: cluster.server: missing" },
        { "{current-context: x, contexts: [{name: x, context: {cluster: c}}], "
          "clusters: [{name: c, cluster: {server: s, certificate-authority-data: '%'}}]}",
          "clusters[c]: certificate-authority-data: is not base64" },
        { "{current-context: x, contexts: [{name: x, context: {cluster: c, user: u}}], "
          "clusters: [{name: c, cluster: {server: s}}], users: [{name: u, user: {exec: {}}}]}",
          "users[u]: exec.command: missing" },
        { "{current-context: x, contexts: [{name: x, context: {cluster: c, user: u}}], "
          "clusters: [{name: c, cluster: {server: s}}], "
          "users: [{name: u, user: {exec: {command: e, apiVersion: v9}}}]}",
          "users[u]: exec.apiVersion: 'v9' is not client.authentication.k8s.io/v1" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        scoped(arena) struct arena *a = arena_new();
        struct kube_config config;
        struct error err = { 0 };

        CHECK_INT(parse(a, cases[i].text, NULL, &config, &err), -EINVAL);
        if (!str_starts(error_text(&err), cases[i].story))
            CHECK_STR(error_text(&err), cases[i].story);
    }
}

/* ------------------------------------------------------------------ files */

static char dir[64];

static const char *put_file(struct arena *a, const char *name, const char *text, int mode)
{
    const char *path;
    struct error err = { 0 };

    if (!*dir) {
        snprintf(dir, sizeof dir, "/tmp/config_test.XXXXXX");
        CHECK(mkdtemp(dir));
    }
    path = fmt(a, "%s/%s", dir, name);
    CHECK_OK(file_write(path, text, strlen(text), mode, &err), err);
    return path;
}

static const char one_user[] =
    "users: [{name: u, user: {tokenFile: token, exec: {command: ./plugin, "
    "apiVersion: client.authentication.k8s.io/v1}}}]\n";
static const char one_cluster[] =
    "current-context: x\n"
    "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
    "clusters: [{name: c, cluster: {server: 'https://first', certificate-authority: ca.crt}}]\n";
static const char same_cluster[] =
    "current-context: y\n"
    "clusters: [{name: c, cluster: {server: 'https://second'}}]\n";

TEST(several_files_are_joined_and_the_first_to_say_something_wins)
{
    scoped(arena) struct arena *a = arena_new();
    const char *first = put_file(a, "first", one_cluster, 0600);
    const char *second = put_file(a, "second", same_cluster, 0600);
    const char *third = put_file(a, "third", one_user, 0600);
    struct kube_config config;
    struct error err = { 0 };

    setenv("KUBECONFIG", fmt(a, "%s:%s/none:%s:%s", first, dir, second, third), 1);
    CHECK_OK(kube_config_load(a, NULL, NULL, &config, &err), err);
    unsetenv("KUBECONFIG");
    CHECK_STR(config.server, "https://first");
    CHECK_STR(config.ca_file, fmt(a, "%s/ca.crt", dir));
    CHECK_STR(config.token_file, fmt(a, "%s/token", dir));
    CHECK_STR(config.exec->command, fmt(a, "%s/./plugin", dir));
}

TEST(a_list_of_files_none_of_which_exists_is_an_error)
{
    scoped(arena) struct arena *a = arena_new();
    struct kube_config config;
    struct error err = { 0 };

    setenv("KUBECONFIG", "/nonexistent/a:/nonexistent/b", 1);
    CHECK_INT(kube_config_load(a, NULL, NULL, &config, &err), -ENOENT);
    unsetenv("KUBECONFIG");
    CHECK(strstr(error_text(&err), "/nonexistent/b"));
    CHECK_INT(kube_config_load(a, "/nonexistent/c", NULL, &config, &err), -ENOENT);
    CHECK(strstr(error_text(&err), "/nonexistent/c"));
}

/* ------------------------------------------------------------------ credentials */

static void check_header(struct kube_credentials *c, const char *want)
{
    scoped(free) char *header = NULL;
    struct error err = { 0 };

    CHECK_OK(kube_credentials_header(c, &header, &err), err);
    CHECK_STR(header, want);
}

DEFINE_SCOPE(kube_credentials, kube_credentials_free)

TEST(tokens_and_passwords_become_headers)
{
    scoped(kube_credentials) struct kube_credentials *token =
        kube_credentials_new(&(struct kube_config){ .token = "t" });
    scoped(kube_credentials) struct kube_credentials *password =
        kube_credentials_new(&(struct kube_config){ .username = "me", .password = "pw" });
    scoped(kube_credentials) struct kube_credentials *none =
        kube_credentials_new(&(struct kube_config){ 0 });

    check_header(token, "Bearer t");
    check_header(password, "Basic bWU6cHc=");
    check_header(none, NULL);
}

TEST(a_token_file_is_read_again_when_the_server_refused_what_we_had)
{
    scoped(arena) struct arena *a = arena_new();
    const char *path = put_file(a, "token", "one\n", 0600);
    scoped(kube_credentials) struct kube_credentials *c =
        kube_credentials_new(&(struct kube_config){ .token_file = path });

    check_header(c, "Bearer one");
    put_file(a, "token", "two", 0600);
    check_header(c, "Bearer one"); /* a minute old at most */
    kube_credentials_stale(c);
    check_header(c, "Bearer two");
    unlink(path);
    kube_credentials_stale(c);
    check_header(c, "Bearer two"); /* better than none */
}

TEST(a_token_file_that_is_not_there_is_named)
{
    scoped(kube_credentials) struct kube_credentials *c =
        kube_credentials_new(&(struct kube_config){ .token_file = "/nonexistent/token" });
    char *header = NULL;
    struct error err = { 0 };

    CHECK_INT(kube_credentials_header(c, &header, &err), -ENOENT);
    CHECK(strstr(error_text(&err), "/nonexistent/token"));
}

/* A plugin that counts its runs and answers with that number, valid for so many seconds. */
static struct kube_exec counting_plugin(struct arena *a, const char *name, int valid)
{
    const char *count = put_file(a, fmt(a, "%s.count", name), "0", 0600);
    const char *expires = time_text(a, clock_wall() + valid * USEC_SEC, false);
    const char *script = fmt(a,
        "#!/bin/sh\n"
        "n=$(($(cat %s) + 1)); echo $n > %s\n"
        "echo \"$KUBERNETES_EXEC_INFO\" > %s.info\n"
        "echo '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\","
        "\"status\":{\"token\":\"'$PREFIX$1$n'\",\"expirationTimestamp\":\"%s\"}}'\n",
        count, count, count, expires);
    const char **args = arena_make_n(a, const char *, 1);

    args[0] = "-";
    setenv("PREFIX", "wrong", 1);
    return (struct kube_exec){
        .command = put_file(a, name, script, 0700),
        .args = { args, 1 },
        .env = pairs_with(a, (struct pairs){ 0 }, "PREFIX", "right"),
        .api_version = "client.authentication.k8s.io/v1",
        .provide_cluster_info = true,
    };
}

TEST(a_plugin_runs_once_while_its_answer_holds)
{
    scoped(arena) struct arena *a = arena_new();
    struct kube_exec exec = counting_plugin(a, "lasting", 3600);
    struct kube_config config = { .server = "https://s", .ca_pem = "ca", .exec = &exec };
    scoped(kube_credentials) struct kube_credentials *c = kube_credentials_new(&config);
    scoped(free) char *info = NULL;
    struct error err = { 0 };

    for (int i = 0; i < 3; i++)
        check_header(c, "Bearer right-1");
    CHECK_OK(file_read(fmt(a, "%s/lasting.count.info", dir), 10000, &info, NULL, &err), err);
    CHECK(strstr(info, "\"interactive\":false"));
    CHECK(strstr(info, "\"server\":\"https://s\""));
    CHECK(strstr(info, "\"certificate-authority-data\":\"Y2E=\""));
}

TEST(a_plugin_runs_again_in_the_background_before_its_answer_expires)
{
    scoped(arena) struct arena *a = arena_new();
    struct kube_exec exec = counting_plugin(a, "short", 30);
    struct kube_config config = { .server = "https://s", .exec = &exec };
    scoped(kube_credentials) struct kube_credentials *c = kube_credentials_new(&config);
    scoped(free) char *header = NULL;
    struct error err = { 0 };

    check_header(c, "Bearer right-1");
    check_header(c, "Bearer right-1"); /* and so begins to renew it */
    for (int i = 0; i < 500 && !str_eq(header, "Bearer right-2"); i++) {
        usleep(10000);
        free(take(header));
        CHECK_OK(kube_credentials_header(c, &header, &err), err);
    }
    CHECK_STR(header, "Bearer right-2");
}

TEST(a_plugin_may_answer_with_a_certificate)
{
    scoped(arena) struct arena *a = arena_new();
    struct kube_exec exec = {
        .command = put_file(a, "certifier", "#!/bin/sh\necho '{\"status\":{"
                            "\"clientCertificateData\":\"C\",\"clientKeyData\":\"K\"}}'\n", 0700),
        .api_version = "client.authentication.k8s.io/v1",
    };
    struct kube_config config = { .server = "https://s", .exec = &exec };
    scoped(kube_credentials) struct kube_credentials *c = kube_credentials_new(&config);
    const char *cert = NULL;
    const char *key = NULL;

    check_header(c, NULL);
    CHECK_INT(kube_credentials_certificate(c, a, &cert, &key), 1);
    CHECK_STR(cert, "C");
    CHECK_STR(key, "K");
}

TEST(a_plugin_that_cannot_answer_says_why)
{
    static const struct {
        const char *script, *story;
    } cases[] = {
        { "#!/bin/sh\nexit 3\n", "failed; run it by hand" },
        { "#!/bin/sh\necho no\n", "its answer" },
        { "#!/bin/sh\necho '{\"status\":{}}'\n", "no status.token" },
        { "#!/bin/sh\necho '{\"status\":{\"clientKeyData\":\"k\",\"token\":\"t\"}}'\n",
          "want both" },
        { "#!/bin/sh\necho '{\"status\":{\"token\":\"t\",\"expirationTimestamp\":\"soon\"}}'\n",
          "'soon' is no time" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        scoped(arena) struct arena *a = arena_new();
        struct kube_exec exec = { .command = put_file(a, "broken", cases[i].script, 0700),
                                  .api_version = "client.authentication.k8s.io/v1" };
        struct kube_config config = { .server = "https://s", .exec = &exec };
        scoped(kube_credentials) struct kube_credentials *c = kube_credentials_new(&config);
        char *header = NULL;
        struct error err = { 0 };

        CHECK(kube_credentials_header(c, &header, &err) < 0);
        CHECK(strstr(error_text(&err), cases[i].story));
        CHECK(str_starts(error_text(&err), "credential plugin "));
    }
}

TEST(a_plugin_that_is_not_installed_is_named_with_its_hint)
{
    struct kube_exec exec = { .command = "no-such-plugin", .install_hint = "get it from us",
                              .api_version = "client.authentication.k8s.io/v1" };
    struct kube_config config = { .server = "https://s", .exec = &exec };
    scoped(kube_credentials) struct kube_credentials *c = kube_credentials_new(&config);
    char *header = NULL;
    struct error err = { 0 };

    CHECK_INT(kube_credentials_header(c, &header, &err), -ENOENT);
    CHECK(strstr(error_text(&err), "no-such-plugin") && strstr(error_text(&err), "get it from us"));
}
