/* loginset.c - LoginSet of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "slinky/loginset.h"

static const struct field slinky_loginset_spec_fields[] = {
    FIELD(slinky_loginset_spec, controller_ref, OBJECT, "controllerRef", .flags = REQUIRED,
          .of = &slinky_local_ref_type, .doc = "Controller whose cluster people log in to."),
    FIELD(slinky_loginset_spec, replicas, INT, "replicas", .default_text = "1",
          .doc = "How many login pods run."),
    FIELD(slinky_loginset_spec, login, RAW, "login",
          .doc = "The login container; a port named login moves sshd to that port."),
    FIELD(slinky_loginset_spec, initconf, RAW, "initconf",
          .doc = "The init container that lays out /etc/slurm; fields of a core/v1 Container."),
    FIELD(slinky_loginset_spec, template, POINTER, "template", .of = &slinky_pod_template_type,
          .doc = "What to add to the login pods."),
    FIELD(slinky_loginset_spec, root_ssh_authorized_keys, STR, "rootSshAuthorizedKeys",
          .doc = "The authorized_keys of root."),
    FIELD(slinky_loginset_spec, extra_sshd_config, STR, "extraSshdConfig",
          .doc = "Lines appended to sshd_config."),
    FIELD(slinky_loginset_spec, sssd_conf_ref, OBJECT, "sssdConfRef", .flags = REQUIRED,
          .of = &slinky_secret_key_type, .doc = "The sssd.conf that says who may log in."),
    FIELD(slinky_loginset_spec, strategy, POINTER, "strategy", .of = &slinky_loginset_strategy_type,
          .doc = "How changed pods replace old ones; an apps/v1 DeploymentStrategy."),
    FIELD(slinky_loginset_spec, service, POINTER, "service", .of = &slinky_service_type,
          .doc = "The Service people reach sshd by; port 22 unless changed."),
    { 0 },
};
const struct type slinky_loginset_spec_type =
    TYPE(slinky_loginset_spec, slinky_loginset_spec_fields);

static const struct field slinky_loginset_status_fields[] = {
    FIELD(slinky_loginset_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(slinky_loginset_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "What is known about the object now; Ready sums it up."),
    FIELD(slinky_loginset_status, replicas, INT, "replicas", .doc = "Pods there are."),
    FIELD(slinky_loginset_status, selector, STR, "selector", .flags = REQUIRED,
          .doc = "Label selector of the pods, for autoscalers."),
    { 0 },
};
const struct type slinky_loginset_status_type =
    TYPE(slinky_loginset_status, slinky_loginset_status_fields);

static const struct field slinky_loginset_fields[] = {
    FIELD(slinky_loginset, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(slinky_loginset, spec, OBJECT, "spec", .of = &slinky_loginset_spec_type,
          .doc = "The login nodes as they should be."),
    FIELD(slinky_loginset, status, OBJECT, "status", .of = &slinky_loginset_status_type,
          .doc = "The login nodes as last seen."),
    { 0 },
};
const struct type slinky_loginset_type = TYPE(slinky_loginset, slinky_loginset_fields);

static const struct field slinky_loginset_strategy_fields[] = {
    FIELD(slinky_loginset_strategy, type, STR, "type", .doc = "RollingUpdate or Recreate."),
    FIELD(slinky_loginset_strategy, rolling_update, POINTER, "rollingUpdate",
          .of = &slinky_loginset_strategy_rolling_update_type,
          .doc = "Bounds of a rolling update."),
    { 0 },
};
const struct type slinky_loginset_strategy_type =
    TYPE(slinky_loginset_strategy, slinky_loginset_strategy_fields);

static const struct field slinky_loginset_strategy_rolling_update_fields[] = {
    FIELD(slinky_loginset_strategy_rolling_update, max_surge, INT_STR, "maxSurge",
          .doc = "How many pods more than replicas there may be."),
    FIELD(slinky_loginset_strategy_rolling_update, max_unavailable, INT_STR, "maxUnavailable",
          .doc = "How many pods fewer than replicas may be ready."),
    { 0 },
};
const struct type slinky_loginset_strategy_rolling_update_type =
    TYPE(slinky_loginset_strategy_rolling_update, slinky_loginset_strategy_rolling_update_fields);

const struct kind slinky_loginset_kind = {
    .group = "slinky.slurm.net",
    .version = "v1beta1",
    .kind = "LoginSet",
    .plural = "loginsets",
    .namespaced = true,
    .has_status = true,
    .has_scale = true,
    .type = &slinky_loginset_type,
    .status = &slinky_loginset_fields[2],
};

struct slinky_loginset *slinky_loginset_keep(struct arena *a, const struct slinky_loginset *from)
{
    return table_copy(a, &slinky_loginset_type, from);
}
