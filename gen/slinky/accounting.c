/* accounting.c - Accounting of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "slinky/accounting.h"

static const struct field slinky_accounting_spec_fields[] = {
    FIELD(slinky_accounting_spec, slurm_key_ref, POINTER, "slurmKeyRef",
          .of = &slinky_secret_key_type,
          .doc = "Key of auth/slurm, the same as the clusters have."),
    FIELD(slinky_accounting_spec, jwt_key_ref, POINTER, "jwtKeyRef", .of = &slinky_secret_key_type,
          .doc = "HS256 key of auth/jwt, the same as the clusters have."),
    FIELD(slinky_accounting_spec, jwt_hs256_key_ref, POINTER, "jwtHs256KeyRef",
          .of = &slinky_secret_key_type,
          .doc = "Older name of jwtKeyRef, used when that is absent."),
    FIELD(slinky_accounting_spec, jwks_key_ref, POINTER, "jwksKeyRef",
          .of = &slinky_config_map_key_type,
          .doc = "JWKS file with further keys that auth/jwt trusts."),
    FIELD(slinky_accounting_spec, external, BOOL, "external", .default_text = "false",
          .doc = "The slurmdbd runs outside Kubernetes; nothing is deployed."),
    FIELD(slinky_accounting_spec, external_config, POINTER, "externalConfig",
          .of = &slinky_external_config_type, .doc = "Where the external slurmdbd answers."),
    FIELD(slinky_accounting_spec, slurmdbd, RAW, "slurmdbd",
          .doc = "The slurmdbd container; fields of a core/v1 Container."),
    FIELD(slinky_accounting_spec, template, POINTER, "template", .of = &slinky_pod_template_type,
          .doc = "What to add to the slurmdbd pod."),
    FIELD(slinky_accounting_spec, storage_config, POINTER, "storageConfig",
          .of = &slinky_accounting_storage_config_type,
          .doc = "The MySQL or MariaDB database behind slurmdbd."),
    FIELD(slinky_accounting_spec, extra_conf, STR, "extraConf",
          .doc = "Lines appended to slurmdbd.conf."),
    FIELD(slinky_accounting_spec, service, POINTER, "service", .of = &slinky_service_type,
          .doc = "The Service clusters reach slurmdbd by; port 6819 unless changed."),
    { 0 },
};
const struct type slinky_accounting_spec_type =
    TYPE(slinky_accounting_spec, slinky_accounting_spec_fields);

static const struct field slinky_accounting_status_fields[] = {
    FIELD(slinky_accounting_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(slinky_accounting_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "What is known about the object now; Ready sums it up."),
    { 0 },
};
const struct type slinky_accounting_status_type =
    TYPE(slinky_accounting_status, slinky_accounting_status_fields);

static const struct field slinky_accounting_fields[] = {
    FIELD(slinky_accounting, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(slinky_accounting, spec, OBJECT, "spec", .of = &slinky_accounting_spec_type,
          .doc = "The accounting as it should be."),
    FIELD(slinky_accounting, status, OBJECT, "status", .of = &slinky_accounting_status_type,
          .doc = "The accounting as last seen."),
    { 0 },
};
const struct type slinky_accounting_type = TYPE(slinky_accounting, slinky_accounting_fields);

static const struct field slinky_accounting_storage_config_fields[] = {
    FIELD(slinky_accounting_storage_config, host, STR, "host", .flags = REQUIRED,
          .doc = "Host name or IP address of the database."),
    FIELD(slinky_accounting_storage_config, port, INT, "port", .default_text = "3306",
          .doc = "Its TCP port."),
    FIELD(slinky_accounting_storage_config, database, STR, "database",
          .default_text = "\"slurm_acct_db\"", .doc = "Name of the database."),
    FIELD(slinky_accounting_storage_config, username, STR, "username", .doc = "User to log in as."),
    FIELD(slinky_accounting_storage_config, password_key_ref, OBJECT, "passwordKeyRef",
          .flags = REQUIRED, .of = &slinky_secret_key_type, .doc = "That user's password."),
    { 0 },
};
const struct type slinky_accounting_storage_config_type =
    TYPE(slinky_accounting_storage_config, slinky_accounting_storage_config_fields);

const struct kind slinky_accounting_kind = {
    .group = "slinky.slurm.net",
    .version = "v1beta1",
    .kind = "Accounting",
    .plural = "accountings",
    .namespaced = true,
    .has_status = true,
    .type = &slinky_accounting_type,
    .status = &slinky_accounting_fields[2],
};

struct slinky_accounting *slinky_accounting_keep(struct arena *a,
                                                 const struct slinky_accounting *from)
{
    return table_copy(a, &slinky_accounting_type, from);
}
