/* volume.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/volume.h"

static const struct field k8s_volume_fields[] = {
    FIELD(k8s_volume, name, STR, "name", .flags = REQUIRED, .doc = "Name that mounts refer to."),
    FIELD(k8s_volume, host_path, POINTER, "hostPath", .of = &k8s_host_path_volume_type,
          .doc = "A file or directory of the node."),
    FIELD(k8s_volume, empty_dir, POINTER, "emptyDir", .of = &k8s_empty_dir_volume_type,
          .doc = "An empty directory that lives as long as the pod."),
    FIELD(k8s_volume, secret, POINTER, "secret", .of = &k8s_secret_volume_type,
          .doc = "The keys of a Secret."),
    FIELD(k8s_volume, nfs, POINTER, "nfs", .of = &k8s_nfs_volume_type,
          .doc = "A directory of an NFS server."),
    FIELD(k8s_volume, persistent_volume_claim, POINTER, "persistentVolumeClaim",
          .of = &k8s_claim_volume_type, .doc = "A claim in the same namespace."),
    FIELD(k8s_volume, downward_api, RAW, "downwardAPI", .doc = "Fields of the pod itself."),
    FIELD(k8s_volume, config_map, POINTER, "configMap", .of = &k8s_config_map_volume_type,
          .doc = "The keys of a ConfigMap."),
    FIELD(k8s_volume, projected, POINTER, "projected", .of = &k8s_projected_volume_type,
          .doc = "Several sources in one directory."),
    FIELD(k8s_volume, csi, RAW, "csi", .doc = "What a CSI driver makes for this pod."),
    FIELD(k8s_volume, ephemeral, RAW, "ephemeral", .doc = "A claim that lives as long as the pod."),
    FIELD(k8s_volume, image, RAW, "image", .doc = "The files of an OCI image."),
    { 0 },
};
const struct type k8s_volume_type = TYPE(k8s_volume, k8s_volume_fields);

static const struct field k8s_host_path_volume_fields[] = {
    FIELD(k8s_host_path_volume, path, STR, "path", .doc = "Where it is on the node."),
    FIELD(k8s_host_path_volume, type, STR, "type",
          .doc = "What it must be, such as DirectoryOrCreate."),
    { 0 },
};
const struct type k8s_host_path_volume_type =
    TYPE(k8s_host_path_volume, k8s_host_path_volume_fields);

static const struct field k8s_empty_dir_volume_fields[] = {
    FIELD(k8s_empty_dir_volume, medium, STR, "medium", .doc = "Memory for tmpfs."),
    FIELD(k8s_empty_dir_volume, size_limit, QUANTITY, "sizeLimit", .doc = "How much it may hold."),
    { 0 },
};
const struct type k8s_empty_dir_volume_type =
    TYPE(k8s_empty_dir_volume, k8s_empty_dir_volume_fields);

static const struct field k8s_key_to_path_fields[] = {
    FIELD(k8s_key_to_path, key, STR, "key", .doc = "Key within the data."),
    FIELD(k8s_key_to_path, path, STR, "path", .doc = "Name of the file."),
    FIELD(k8s_key_to_path, mode, INT, "mode", .doc = "Mode of the file."),
    { 0 },
};
const struct type k8s_key_to_path_type = TYPE(k8s_key_to_path, k8s_key_to_path_fields);

static const struct field k8s_secret_volume_fields[] = {
    FIELD(k8s_secret_volume, secret_name, STR, "secretName", .doc = "Name of the Secret."),
    FIELD(k8s_secret_volume, items, LIST, "items", .of = &k8s_key_to_path_type,
          .doc = "Only these keys."),
    FIELD(k8s_secret_volume, default_mode, INT, "defaultMode", .doc = "Mode of the files."),
    FIELD(k8s_secret_volume, optional, BOOL, "optional", .doc = "It need not be there."),
    { 0 },
};
const struct type k8s_secret_volume_type = TYPE(k8s_secret_volume, k8s_secret_volume_fields);

static const struct field k8s_nfs_volume_fields[] = {
    FIELD(k8s_nfs_volume, server, STR, "server", .doc = "Host name or address."),
    FIELD(k8s_nfs_volume, path, STR, "path", .doc = "Directory on the server."),
    FIELD(k8s_nfs_volume, read_only, BOOL, "readOnly", .doc = "It cannot be written."),
    { 0 },
};
const struct type k8s_nfs_volume_type = TYPE(k8s_nfs_volume, k8s_nfs_volume_fields);

static const struct field k8s_claim_volume_fields[] = {
    FIELD(k8s_claim_volume, claim_name, STR, "claimName", .doc = "Name of the claim."),
    FIELD(k8s_claim_volume, read_only, BOOL, "readOnly", .doc = "It cannot be written."),
    { 0 },
};
const struct type k8s_claim_volume_type = TYPE(k8s_claim_volume, k8s_claim_volume_fields);

static const struct field k8s_config_map_volume_fields[] = {
    FIELD(k8s_config_map_volume, name, STR, "name", .doc = "Name of the ConfigMap."),
    FIELD(k8s_config_map_volume, items, LIST, "items", .of = &k8s_key_to_path_type,
          .doc = "Only these keys."),
    FIELD(k8s_config_map_volume, default_mode, INT, "defaultMode", .doc = "Mode of the files."),
    FIELD(k8s_config_map_volume, optional, BOOL, "optional", .doc = "It need not be there."),
    { 0 },
};
const struct type k8s_config_map_volume_type =
    TYPE(k8s_config_map_volume, k8s_config_map_volume_fields);

static const struct field k8s_projection_fields[] = {
    FIELD(k8s_projection, secret, POINTER, "secret", .of = &k8s_projected_keys_type,
          .doc = "Keys of a Secret."),
    FIELD(k8s_projection, downward_api, RAW, "downwardAPI", .doc = "Fields of the pod itself."),
    FIELD(k8s_projection, config_map, POINTER, "configMap", .of = &k8s_projected_keys_type,
          .doc = "Keys of a ConfigMap."),
    FIELD(k8s_projection, service_account_token, POINTER, "serviceAccountToken",
          .of = &k8s_projected_token_type, .doc = "A token of the pod's account."),
    { 0 },
};
const struct type k8s_projection_type = TYPE(k8s_projection, k8s_projection_fields);

static const struct field k8s_projected_volume_fields[] = {
    FIELD(k8s_projected_volume, sources, LIST, "sources", .of = &k8s_projection_type,
          .doc = "The sources."),
    FIELD(k8s_projected_volume, default_mode, INT, "defaultMode", .doc = "Mode of the files."),
    { 0 },
};
const struct type k8s_projected_volume_type =
    TYPE(k8s_projected_volume, k8s_projected_volume_fields);

static const struct field k8s_projected_keys_fields[] = {
    FIELD(k8s_projected_keys, name, STR, "name", .doc = "Name of the object."),
    FIELD(k8s_projected_keys, items, LIST, "items", .of = &k8s_key_to_path_type,
          .doc = "Only these keys."),
    FIELD(k8s_projected_keys, optional, BOOL, "optional", .doc = "It need not be there."),
    { 0 },
};
const struct type k8s_projected_keys_type = TYPE(k8s_projected_keys, k8s_projected_keys_fields);

static const struct field k8s_projected_token_fields[] = {
    FIELD(k8s_projected_token, audience, STR, "audience", .doc = "Who will check it."),
    FIELD(k8s_projected_token, expiration_seconds, INT, "expirationSeconds",
          .doc = "How long it is valid."),
    FIELD(k8s_projected_token, path, STR, "path", .doc = "Name of the file."),
    { 0 },
};
const struct type k8s_projected_token_type = TYPE(k8s_projected_token, k8s_projected_token_fields);

static const struct field k8s_claim_spec_fields[] = {
    FIELD(k8s_claim_spec, access_modes, STRS, "accessModes",
          .doc = "How it is used, such as ReadWriteOnce."),
    FIELD(k8s_claim_spec, selector, POINTER, "selector", .of = &k8s_label_selector_type,
          .doc = "Which volumes will do."),
    FIELD(k8s_claim_spec, resources, POINTER, "resources", .of = &k8s_resources_type,
          .doc = "How much."),
    FIELD(k8s_claim_spec, volume_name, STR, "volumeName", .doc = "The volume that is bound to it."),
    FIELD(k8s_claim_spec, storage_class_name, STR, "storageClassName",
          .doc = "What kind of storage."),
    FIELD(k8s_claim_spec, volume_mode, STR, "volumeMode", .doc = "Filesystem or Block."),
    FIELD(k8s_claim_spec, data_source, RAW, "dataSource", .doc = "What to fill it with."),
    FIELD(k8s_claim_spec, data_source_ref, RAW, "dataSourceRef", .doc = "The same, from any kind."),
    FIELD(k8s_claim_spec, volume_attributes_class_name, STR, "volumeAttributesClassName",
          .doc = "Class of its adjustable attributes."),
    { 0 },
};
const struct type k8s_claim_spec_type = TYPE(k8s_claim_spec, k8s_claim_spec_fields);

static const struct field k8s_claim_template_fields[] = {
    FIELD(k8s_claim_template, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Name and labels of the claims."),
    FIELD(k8s_claim_template, spec, OBJECT, "spec", .of = &k8s_claim_spec_type,
          .doc = "The claims."),
    { 0 },
};
const struct type k8s_claim_template_type = TYPE(k8s_claim_template, k8s_claim_template_fields);

static const struct field k8s_retention_policy_fields[] = {
    FIELD(k8s_retention_policy, when_deleted, STR, "whenDeleted",
          .doc = "Retain or Delete when the set is deleted."),
    FIELD(k8s_retention_policy, when_scaled, STR, "whenScaled",
          .doc = "Retain or Delete when it shrinks."),
    { 0 },
};
const struct type k8s_retention_policy_type =
    TYPE(k8s_retention_policy, k8s_retention_policy_fields);

struct k8s_volume *k8s_volume_keep(struct arena *a, const struct k8s_volume *from)
{
    return table_copy(a, &k8s_volume_type, from);
}

struct k8s_host_path_volume *k8s_host_path_volume_keep(struct arena *a,
                                                       const struct k8s_host_path_volume *from)
{
    return table_copy(a, &k8s_host_path_volume_type, from);
}

struct k8s_empty_dir_volume *k8s_empty_dir_volume_keep(struct arena *a,
                                                       const struct k8s_empty_dir_volume *from)
{
    return table_copy(a, &k8s_empty_dir_volume_type, from);
}

struct k8s_key_to_path *k8s_key_to_path_keep(struct arena *a, const struct k8s_key_to_path *from)
{
    return table_copy(a, &k8s_key_to_path_type, from);
}

struct k8s_secret_volume *k8s_secret_volume_keep(struct arena *a,
                                                 const struct k8s_secret_volume *from)
{
    return table_copy(a, &k8s_secret_volume_type, from);
}

struct k8s_nfs_volume *k8s_nfs_volume_keep(struct arena *a, const struct k8s_nfs_volume *from)
{
    return table_copy(a, &k8s_nfs_volume_type, from);
}

struct k8s_claim_volume *
k8s_claim_volume_keep(struct arena *a, const struct k8s_claim_volume *from)
{
    return table_copy(a, &k8s_claim_volume_type, from);
}

struct k8s_config_map_volume *k8s_config_map_volume_keep(struct arena *a,
                                                         const struct k8s_config_map_volume *from)
{
    return table_copy(a, &k8s_config_map_volume_type, from);
}

struct k8s_projection *k8s_projection_keep(struct arena *a, const struct k8s_projection *from)
{
    return table_copy(a, &k8s_projection_type, from);
}

struct k8s_projected_volume *k8s_projected_volume_keep(struct arena *a,
                                                       const struct k8s_projected_volume *from)
{
    return table_copy(a, &k8s_projected_volume_type, from);
}

struct k8s_projected_keys *k8s_projected_keys_keep(struct arena *a,
                                                   const struct k8s_projected_keys *from)
{
    return table_copy(a, &k8s_projected_keys_type, from);
}

struct k8s_projected_token *k8s_projected_token_keep(struct arena *a,
                                                     const struct k8s_projected_token *from)
{
    return table_copy(a, &k8s_projected_token_type, from);
}

struct k8s_claim_spec *k8s_claim_spec_keep(struct arena *a, const struct k8s_claim_spec *from)
{
    return table_copy(a, &k8s_claim_spec_type, from);
}

struct k8s_claim_template *k8s_claim_template_keep(struct arena *a,
                                                   const struct k8s_claim_template *from)
{
    return table_copy(a, &k8s_claim_template_type, from);
}

struct k8s_retention_policy *k8s_retention_policy_keep(struct arena *a,
                                                       const struct k8s_retention_policy *from)
{
    return table_copy(a, &k8s_retention_policy_type, from);
}
