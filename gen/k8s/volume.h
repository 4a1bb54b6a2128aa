/* volume.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/container.h"
#include "k8s/meta.h"

struct k8s_claim_volume;
struct k8s_config_map_volume;
struct k8s_empty_dir_volume;
struct k8s_host_path_volume;
struct k8s_nfs_volume;
struct k8s_projected_keys;
struct k8s_projected_token;
struct k8s_projected_volume;
struct k8s_secret_volume;

/* Something containers may mount; a name and one source. */
struct k8s_volume {
    const char *name; /* Name that mounts refer to. */
    struct k8s_host_path_volume *host_path; /* A file or directory of the node. */
    struct k8s_empty_dir_volume *empty_dir; /* An empty directory that lives as long as the pod. */
    struct k8s_secret_volume *secret; /* The keys of a Secret. */
    struct k8s_nfs_volume *nfs; /* A directory of an NFS server. */
    struct k8s_claim_volume *persistent_volume_claim; /* A claim in the same namespace. */
    const struct json *downward_api; /* Fields of the pod itself. */
    struct k8s_config_map_volume *config_map; /* The keys of a ConfigMap. */
    struct k8s_projected_volume *projected; /* Several sources in one directory. */
    const struct json *csi; /* What a CSI driver makes for this pod. */
    const struct json *ephemeral; /* A claim that lives as long as the pod. */
    const struct json *image; /* The files of an OCI image. */
};

struct k8s_volume_list {
    struct k8s_volume *v;
    size_t n;
};

/* A file or directory of the node. */
struct k8s_host_path_volume {
    const char *path; /* Where it is on the node. */
    const char *type; /* What it must be, such as DirectoryOrCreate. */
};

/* An empty directory. */
struct k8s_empty_dir_volume {
    const char *medium; /* Memory for tmpfs. */
    const char *size_limit; /* How much it may hold. */
};

/* A key and its file. */
struct k8s_key_to_path {
    const char *key; /* Key within the data. */
    const char *path; /* Name of the file. */
    struct maybe_int mode; /* Mode of the file. */
};

struct k8s_key_to_path_list {
    struct k8s_key_to_path *v;
    size_t n;
};

/* The keys of a Secret as files. */
struct k8s_secret_volume {
    const char *secret_name; /* Name of the Secret. */
    struct k8s_key_to_path_list items; /* Only these keys. */
    struct maybe_int default_mode; /* Mode of the files. */
    enum flag optional; /* It need not be there. */
};

/* A directory of an NFS server. */
struct k8s_nfs_volume {
    const char *server; /* Host name or address. */
    const char *path; /* Directory on the server. */
    enum flag read_only; /* It cannot be written. */
};

/* A claim. */
struct k8s_claim_volume {
    const char *claim_name; /* Name of the claim. */
    enum flag read_only; /* It cannot be written. */
};

/* The keys of a ConfigMap as files. */
struct k8s_config_map_volume {
    const char *name; /* Name of the ConfigMap. */
    struct k8s_key_to_path_list items; /* Only these keys. */
    struct maybe_int default_mode; /* Mode of the files. */
    enum flag optional; /* It need not be there. */
};

/* A source; one of these. */
struct k8s_projection {
    struct k8s_projected_keys *secret; /* Keys of a Secret. */
    const struct json *downward_api; /* Fields of the pod itself. */
    struct k8s_projected_keys *config_map; /* Keys of a ConfigMap. */
    struct k8s_projected_token *service_account_token; /* A token of the pod's account. */
};

struct k8s_projection_list {
    struct k8s_projection *v;
    size_t n;
};

/* Several sources in one directory. */
struct k8s_projected_volume {
    struct k8s_projection_list sources; /* The sources. */
    struct maybe_int default_mode; /* Mode of the files. */
};

/* Keys of a ConfigMap or Secret. */
struct k8s_projected_keys {
    const char *name; /* Name of the object. */
    struct k8s_key_to_path_list items; /* Only these keys. */
    enum flag optional; /* It need not be there. */
};

/* A token of the pod's account. */
struct k8s_projected_token {
    const char *audience; /* Who will check it. */
    struct maybe_int expiration_seconds; /* How long it is valid. */
    const char *path; /* Name of the file. */
};

/* Storage that is asked for. */
struct k8s_claim_spec {
    struct strs access_modes; /* How it is used, such as ReadWriteOnce. */
    struct k8s_label_selector *selector; /* Which volumes will do. */
    struct k8s_resources *resources; /* How much. */
    const char *volume_name; /* The volume that is bound to it. */
    const char *storage_class_name; /* What kind of storage. */
    const char *volume_mode; /* Filesystem or Block. */
    const struct json *data_source; /* What to fill it with. */
    const struct json *data_source_ref; /* The same, from any kind. */
    const char *volume_attributes_class_name; /* Class of its adjustable attributes. */
};

/* A claim that each pod of a set gets of its own. */
struct k8s_claim_template {
    struct k8s_meta meta; /* Name and labels of the claims. */
    struct k8s_claim_spec spec; /* The claims. */
};

struct k8s_claim_template_list {
    struct k8s_claim_template *v;
    size_t n;
};

/* What becomes of the claims of a set. */
struct k8s_retention_policy {
    const char *when_deleted; /* Retain or Delete when the set is deleted. */
    const char *when_scaled; /* Retain or Delete when it shrinks. */
};

extern const struct type k8s_volume_type;
extern const struct type k8s_host_path_volume_type;
extern const struct type k8s_empty_dir_volume_type;
extern const struct type k8s_key_to_path_type;
extern const struct type k8s_secret_volume_type;
extern const struct type k8s_nfs_volume_type;
extern const struct type k8s_claim_volume_type;
extern const struct type k8s_config_map_volume_type;
extern const struct type k8s_projection_type;
extern const struct type k8s_projected_volume_type;
extern const struct type k8s_projected_keys_type;
extern const struct type k8s_projected_token_type;
extern const struct type k8s_claim_spec_type;
extern const struct type k8s_claim_template_type;
extern const struct type k8s_retention_policy_type;

/* Deep copies that live as long as the arena. */
struct k8s_volume *k8s_volume_keep(struct arena *a, const struct k8s_volume *from);
struct k8s_host_path_volume *k8s_host_path_volume_keep(struct arena *a,
                                                       const struct k8s_host_path_volume *from);
struct k8s_empty_dir_volume *k8s_empty_dir_volume_keep(struct arena *a,
                                                       const struct k8s_empty_dir_volume *from);
struct k8s_key_to_path *k8s_key_to_path_keep(struct arena *a, const struct k8s_key_to_path *from);
struct k8s_secret_volume *k8s_secret_volume_keep(struct arena *a,
                                                 const struct k8s_secret_volume *from);
struct k8s_nfs_volume *k8s_nfs_volume_keep(struct arena *a, const struct k8s_nfs_volume *from);
struct k8s_claim_volume *
k8s_claim_volume_keep(struct arena *a, const struct k8s_claim_volume *from);
struct k8s_config_map_volume *k8s_config_map_volume_keep(struct arena *a,
                                                         const struct k8s_config_map_volume *from);
struct k8s_projection *k8s_projection_keep(struct arena *a, const struct k8s_projection *from);
struct k8s_projected_volume *k8s_projected_volume_keep(struct arena *a,
                                                       const struct k8s_projected_volume *from);
struct k8s_projected_keys *k8s_projected_keys_keep(struct arena *a,
                                                   const struct k8s_projected_keys *from);
struct k8s_projected_token *k8s_projected_token_keep(struct arena *a,
                                                     const struct k8s_projected_token *from);
struct k8s_claim_spec *k8s_claim_spec_keep(struct arena *a, const struct k8s_claim_spec *from);
struct k8s_claim_template *k8s_claim_template_keep(struct arena *a,
                                                   const struct k8s_claim_template *from);
struct k8s_retention_policy *k8s_retention_policy_keep(struct arena *a,
                                                       const struct k8s_retention_policy *from);
