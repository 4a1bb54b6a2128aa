/* controller.c - Controller of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "slinky/controller.h"

static const struct field slinky_controller_spec_fields[] = {
    FIELD(slinky_controller_spec, cluster_name, STR, "clusterName",
          .doc = "ClusterName of slurm.conf; absent means NAMESPACE_NAME of this object."),
    FIELD(slinky_controller_spec, slurm_key_ref, POINTER, "slurmKeyRef",
          .of = &slinky_secret_key_type,
          .doc = "Key of auth/slurm, which all daemons of the cluster share."),
    FIELD(slinky_controller_spec, jwt_key_ref, POINTER, "jwtKeyRef", .of = &slinky_secret_key_type,
          .doc = "HS256 key of auth/jwt, which signs tokens."),
    FIELD(slinky_controller_spec, jwt_hs256_key_ref, POINTER, "jwtHs256KeyRef",
          .of = &slinky_secret_key_type,
          .doc = "Older name of jwtKeyRef, used when that is absent."),
    FIELD(slinky_controller_spec, jwks_key_ref, POINTER, "jwksKeyRef",
          .of = &slinky_config_map_key_type,
          .doc = "JWKS file with further keys that auth/jwt trusts."),
    FIELD(slinky_controller_spec, accounting_ref, POINTER, "accountingRef",
          .of = &slinky_local_ref_type,
          .doc = "Accounting to register with; absent means no accounting."),
    FIELD(slinky_controller_spec, external, BOOL, "external", .default_text = "false",
          .doc = "The slurmctld runs outside Kubernetes; only configuration is made here."),
    FIELD(slinky_controller_spec, external_config, POINTER, "externalConfig",
          .of = &slinky_external_config_type, .doc = "Where the external slurmctld answers."),
    FIELD(slinky_controller_spec, ha, POINTER, "ha", .of = &slinky_controller_ha_type,
          .doc = "Backup controllers that take over when the first fails."),
    FIELD(slinky_controller_spec, slurmctld, RAW, "slurmctld",
          .doc = "The slurmctld container; fields of a core/v1 Container."),
    FIELD(slinky_controller_spec, inplace_reconfigure, BOOL, "inplaceReconfigure",
          .doc = "Apply changed configuration in place; absent means so."),
    FIELD(slinky_controller_spec, reconfigure, RAW, "reconfigure",
          .doc = "The sidecar that reconfigures in place; fields of a core/v1 Container."),
    FIELD(slinky_controller_spec, logfile, RAW, "logfile",
          .doc = "The sidecar that prints slurmctld's log; fields of a core/v1 Container."),
    FIELD(slinky_controller_spec, template, POINTER, "template", .of = &slinky_pod_template_type,
          .doc = "What to add to the slurmctld pods."),
    FIELD(slinky_controller_spec, extra_conf, STR, "extraConf",
          .doc = "Lines appended to slurm.conf."),
    FIELD(slinky_controller_spec, config_file_refs, LIST, "configFileRefs", .flags = NULLABLE,
          .of = &slinky_local_ref_type, .rule = RULE(.max_items = SOME(1024)),
          .doc = "ConfigMaps whose files stand beside slurm.conf."),
    FIELD(slinky_controller_spec, prolog_script_refs, LIST, "prologScriptRefs", .flags = NULLABLE,
          .of = &slinky_local_ref_type, .rule = RULE(.max_items = SOME(1024)),
          .doc = "ConfigMaps of scripts that slurmd runs before a job, in order of name."),
    FIELD(slinky_controller_spec, epilog_script_refs, LIST, "epilogScriptRefs", .flags = NULLABLE,
          .of = &slinky_local_ref_type, .rule = RULE(.max_items = SOME(1024)),
          .doc = "ConfigMaps of scripts that slurmd runs after a job, in order of name."),
    FIELD(slinky_controller_spec, prolog_slurmctld_script_refs, LIST, "prologSlurmctldScriptRefs",
          .flags = NULLABLE, .of = &slinky_local_ref_type, .rule = RULE(.max_items = SOME(1024)),
          .doc = "ConfigMaps of scripts that slurmctld runs before a job."),
    FIELD(slinky_controller_spec, epilog_slurmctld_script_refs, LIST, "epilogSlurmctldScriptRefs",
          .flags = NULLABLE, .of = &slinky_local_ref_type, .rule = RULE(.max_items = SOME(1024)),
          .doc = "ConfigMaps of scripts that slurmctld runs after a job."),
    FIELD(slinky_controller_spec, persistence, POINTER, "persistence",
          .of = &slinky_persistence_type, .doc = "Where slurmctld keeps its state."),
    FIELD(slinky_controller_spec, service, POINTER, "service", .of = &slinky_service_type,
          .doc = "The Service clients reach slurmctld by; port 6817 unless changed."),
    FIELD(slinky_controller_spec, metrics, POINTER, "metrics", .of = &slinky_metrics_type,
          .doc = "OpenMetrics of slurmctld."),
    { 0 },
};
const struct type slinky_controller_spec_type =
    TYPE(slinky_controller_spec, slinky_controller_spec_fields);

static const struct field slinky_controller_status_fields[] = {
    FIELD(slinky_controller_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(slinky_controller_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "What is known about the object now; Ready sums it up."),
    { 0 },
};
const struct type slinky_controller_status_type =
    TYPE(slinky_controller_status, slinky_controller_status_fields);

static const struct field slinky_controller_fields[] = {
    FIELD(slinky_controller, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(slinky_controller, spec, OBJECT, "spec", .of = &slinky_controller_spec_type,
          .doc = "The cluster as it should be."),
    FIELD(slinky_controller, status, OBJECT, "status", .of = &slinky_controller_status_type,
          .doc = "The cluster as last seen."),
    { 0 },
};
const struct type slinky_controller_type = TYPE(slinky_controller, slinky_controller_fields);

static const struct field slinky_controller_ha_fields[] = {
    FIELD(slinky_controller_ha, enabled, BOOL, "enabled", .flags = REQUIRED,
          .default_text = "false",
          .doc = "Run backups; needs a claim that several pods can write."),
    FIELD(slinky_controller_ha, backups, INT, "backups", .rule = RULE(.min = SOME(1)),
          .default_text = "1", .doc = "How many backups stand by."),
    { 0 },
};
const struct type slinky_controller_ha_type =
    TYPE(slinky_controller_ha, slinky_controller_ha_fields);

const struct kind slinky_controller_kind = {
    .group = "slinky.slurm.net",
    .version = "v1beta1",
    .kind = "Controller",
    .plural = "controllers",
    .namespaced = true,
    .has_status = true,
    .type = &slinky_controller_type,
    .status = &slinky_controller_fields[2],
};

struct slinky_controller *slinky_controller_keep(struct arena *a,
                                                 const struct slinky_controller *from)
{
    return table_copy(a, &slinky_controller_type, from);
}
