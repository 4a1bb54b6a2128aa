/* config.h - how to reach an API server, and as whom.
 *
 * From a kubeconfig file (contexts, certificates inline or in files, tokens, token files, exec
 * credential plugins, proxy, TLS server name) or from inside a pod. What may rotate while we run (a
 * token file, a service account's CA bundle, the answer of an exec plugin) is kept as where to read
 * it, and read again by kube_credentials_refresh().
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "json/table.h"

struct kube_exec { /* an exec credential plugin, client.authentication.k8s.io */
    const char *command;
    struct strs args;
    struct pairs env;
    const char *api_version;
    const char *install_hint;
    bool provide_cluster_info;
};

struct kube_config {
    const char *server;    /* https://host:port */
    const char *namespace; /* the context's, or the pod's own; "default" when none is said */
    const char *ca_file, *ca_pem;
    const char *cert_file, *cert_pem;
    const char *key_file, *key_pem; /* secret */
    const char *token, *token_file; /* secret */
    const char *username, *password;
    const struct kube_exec *exec;
    const char *tls_server_name;
    const char *proxy_url;
    bool insecure; /* do not verify the server */
    bool in_cluster;
    const char *source; /* where it came from, for messages */
};

/* path: a kubeconfig; NULL tries $KUBECONFIG (a list of files, merged), the pod's own account, then
 * ~/.kube/config. context: NULL for the current one. Errors name the file and the field. */
int kube_config_load(struct arena *a, const char *path, const char *context,
                     struct kube_config *ret, struct error *err);
/* The same from text, for tests and fuzzing; relative file names are taken from dir. */
int kube_config_parse(struct arena *a, const char *text, size_t len, const char *dir,
                      const char *context, struct kube_config *ret, struct error *err);

/* What goes into the requests right now. A token file is read again when what we have of it is a
 * minute old; an exec plugin runs again, in the background, shortly before its credential expires.
 * Thread-safe. */
struct kube_credentials;
struct kube_credentials *kube_credentials_new(const struct kube_config *config);
void kube_credentials_free(struct kube_credentials *c);
/* The Authorization header's value, yours to free; NULL when a certificate says who we are. Waits
 * only for the very first answer of an exec plugin, 30 s at most. */
int kube_credentials_header(struct kube_credentials *c, char **ret, struct error *err);
/* The certificate that an exec plugin gave us, copied into the arena, and its number; 0 for none yet.
 * The number changes with the certificate. a NULL: the number alone. */
unsigned kube_credentials_certificate(struct kube_credentials *c, struct arena *a,
                                      const char **ret_cert, const char **ret_key);
/* The server answered 401: read the file or run the plugin again, whatever the age. Does not wait. */
void kube_credentials_stale(struct kube_credentials *c);
