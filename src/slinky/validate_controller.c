/* validate_controller.c - which Controllers are let in. */
#include <string.h>

#include "base/str.h"
#include "slinky/controller.h"
#include "slinky/validate_parts.h"

enum {
    CLUSTER_NAME_MAX = 40,
    /* StatefulSet NAME-controller: its pods carry NAME-controller-HASH as a label of 63 at most. */
    NAME_MAX_LEN = 63 - sizeof("-controller") + 1 - sizeof("-1234567890") + 1,
};

/* The operator writes these itself. */
static const char *const reserved_files[] = { "slurm.conf", "slurmdbd.conf", NULL };
static const char *const known_files[] = {
    "acct_gather.conf", "burst_buffer.conf",  "cgroup.conf",    "cli_filter.lua", "gres.conf",
    "helpers.conf",     "job_container.conf", "job_submit.lua", "mpi.conf",       "namespace.yaml",
    "oci.conf",         "plugstack.conf",     "topology.conf",  "topology.yaml",  NULL,
};

static const char *cluster_name_of(struct problems *p, const struct slinky_controller *c)
{
    if (!str_empty(c->spec.cluster_name))
        return c->spec.cluster_name;
    return fmt(p->arena, "%s_%s", c->meta.namespace ?: "", c->meta.name ?: "");
}

static bool is_persistent(const struct slinky_controller *c)
{
    return !c->spec.persistence || c->spec.persistence->enabled != NO;
}

static const char *claim_of(const struct slinky_controller *c)
{
    return c->spec.persistence ? c->spec.persistence->existing_claim ?: "" : "";
}

static bool is_ha(const struct slinky_controller *c)
{
    return c->spec.ha && c->spec.ha->enabled == YES;
}

/* ---- cluster name */

static bool is_one_word(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == '\x7f' || strchr("#=\"\\", *c))
            return false;
    return true;
}

static void check_cluster_name(struct problems *p, const struct slinky_controller *old,
                               const struct slinky_controller *c)
{
    const char *name = cluster_name_of(p, c);

    if (old && !str_eq(cluster_name_of(p, old), name))
        refuse(
            p, "spec.clusterName", shown_str(p, name),
            "the name of a cluster cannot change from %s, its accounting and state are kept under "
            "it; make a new Controller instead",
            cluster_name_of(p, old));
    if (!old && strlen(name) > CLUSTER_NAME_MAX)
        refuse(p, "spec.clusterName", shown_str(p, name),
               "Slurm allows 40 characters for the name of a cluster, not %zu; %s", strlen(name),
               str_empty(c->spec.cluster_name) ? "give a shorter one here"
                                               : "choose a shorter one");
    if (!is_one_word(name))
        refuse(p, "spec.clusterName", shown_str(p, name),
               "a cluster name is one word of slurm.conf; use letters, digits, dash, dot and "
               "underscore");
}

/* ---- files */

struct file_check {
    struct problems *p;
    const struct surroundings *around;
    const char *namespace;
    struct pairs seen; /* file name to the ConfigMap it came from */
};

static enum known files_of(const struct file_check *check, const char *config_map,
                           struct strs *ret_files)
{
    if (!check->around->files_of)
        return KNOWN_NOTHING;
    return check->around->files_of(check->around->userdata, check->namespace, config_map,
                                   ret_files);
}

static void check_file(struct file_check *check, const char *path, const char *file, bool is_config)
{
    if (is_config && str_in(file, reserved_files))
        refuse(
            check->p, path, shown_str(check->p, file),
            "the operator writes this file itself; take it out of the ConfigMap and use extraConf");
    else if (is_config && !str_in(file, known_files))
        warn_of(check->p, path, shown_str(check->p, file),
                "Slurm does not read a file of this name; include it from another file");
}

/* Two files of one name cannot both stand in /etc/slurm. */
static void check_clash(struct file_check *check, const char *path, const char *file,
                        const char *config_map)
{
    const char *other = pairs_get(check->seen, file);

    if (other && !str_eq(other, config_map))
        refuse(check->p, path, shown_str(check->p, file),
               "ConfigMap %s brings a file of the same name; rename one of them", other);
    else if (!other)
        check->seen = pairs_with(check->p->arena, check->seen, file, config_map);
}

static void check_files_of(struct file_check *check, const char *path, const char *config_map,
                           bool is_config)
{
    struct strs files = { 0 };

    switch (files_of(check, config_map, &files)) {
    case KNOWN_NOTHING:
        warn_of(check->p, path, shown_str(check->p, config_map),
                "the ConfigMap could not be looked at, so its files are not checked");
        return;
    case KNOWN_ABSENT:
        if (is_config)
            refuse(check->p, path, shown_str(check->p, config_map),
                   "there is no such ConfigMap; create it first");
        else
            warn_of(check->p, path, shown_str(check->p, config_map),
                    "there is no such ConfigMap yet; slurmctld waits for it");
        return;
    case KNOWN_THERE:
        for_each (file, files) {
            check_file(check, path, *file, is_config);
            check_clash(check, path, *file, config_map);
        }
    }
}

static void check_refs(struct file_check *check, const char *field,
                       const struct slinky_local_ref_list *refs, bool is_config)
{
    for_each (ref, *refs) {
        const char *path = path_of(check->p, "spec.%s[%zu].name", field, (size_t)(ref - refs->v));

        if (str_empty(ref->name))
            refuse(check->p, path, NULL,
                   "the reference names no ConfigMap; give its name or remove the entry");
        else
            check_files_of(check, path, ref->name, is_config);
    }
}

static void check_files(struct problems *p, const struct slinky_controller *c,
                        const struct surroundings *around)
{
    const struct slinky_controller_spec *spec = &c->spec;
    struct file_check check = { .p = p, .around = around, .namespace = c->meta.namespace };

    check_refs(&check, "configFileRefs", &spec->config_file_refs, true);
    check_refs(&check, "prologScriptRefs", &spec->prolog_script_refs, false);
    check_refs(&check, "epilogScriptRefs", &spec->epilog_script_refs, false);
    check_refs(&check, "prologSlurmctldScriptRefs", &spec->prolog_slurmctld_script_refs, false);
    check_refs(&check, "epilogSlurmctldScriptRefs", &spec->epilog_slurmctld_script_refs, false);
}

/* ---- state */

static void check_shared_claim(struct problems *p, const struct slinky_controller *c,
                               const struct surroundings *around)
{
    const char *path = "spec.persistence.existingClaim";
    const char *claim = claim_of(c);
    struct strs modes = { 0 };
    enum known known = KNOWN_NOTHING;

    if (around->access_modes_of)
        known = around->access_modes_of(around->userdata, c->meta.namespace, claim, &modes);
    if (known == KNOWN_NOTHING)
        warn_of(p, path, shown_str(p, claim),
                "the claim could not be looked at; it must have access mode ReadWriteMany");
    else if (known == KNOWN_ABSENT)
        warn_of(p, path, shown_str(p, claim),
                "there is no such claim yet; create it with access mode ReadWriteMany");
    else if (!strs_has(modes, "ReadWriteMany"))
        refuse(p, path, shown_str(p, claim),
               "backups share the state, but this claim lacks access mode ReadWriteMany; use a "
               "claim that has it");
}

static void check_ha(struct problems *p, const struct slinky_controller *c,
                     const struct surroundings *around)
{
    if (!is_ha(c))
        return;
    if (!c->spec.persistence || !is_persistent(c) || str_empty(claim_of(c)))
        refuse(p, "spec.persistence", NULL,
               "with ha.enabled all controllers share one state; name a claim with access mode "
               "ReadWriteMany in persistence.existingClaim and leave persistence.enabled true");
    else
        check_shared_claim(p, c, around);
    if (c->spec.external == YES)
        warn_of(p, "spec.ha", NULL, "not used, as the slurmctld is external; remove it");
}

/* The claim of a StatefulSet cannot change after it was made. */
static void warn_of_claim_changes(struct problems *p, const struct slinky_controller *old,
                                  const struct slinky_controller *c)
{
    struct slinky_persistence was = { 0 };
    struct slinky_persistence is = { 0 };

    if (!is_persistent(c) || !str_empty(claim_of(c)))
        return;
    if (old->spec.persistence)
        was = *old->spec.persistence;
    if (c->spec.persistence)
        is = *c->spec.persistence;
    was.enabled = is.enabled = YES;
    was.existing_claim = is.existing_claim = NULL;
    if (!table_equal(&slinky_persistence_type, &was, &is))
        warn_of(p, "spec.persistence", NULL,
                "the claim was made when the Controller was and stays as it is; change the claim "
                "itself, for instance to a larger size");
}

static void check_state_unchanged(struct problems *p, const struct slinky_controller *old,
                                  const struct slinky_controller *c)
{
    if (is_persistent(old) != is_persistent(c))
        refuse(p, "spec.persistence.enabled", is_persistent(c) ? "true" : "false",
               "persistence cannot be switched on or off later, the cluster's state would be lost; "
               "make a new Controller instead");
    if (is_persistent(c) && !str_eq(claim_of(old), claim_of(c)))
        refuse(p, "spec.persistence.existingClaim", shown_str(p, claim_of(c)),
               "existingClaim cannot change from \"%s\", the cluster's state is on it; restore the "
               "old claim name or make a new Controller",
               claim_of(old));
    warn_of_claim_changes(p, old, c);
}

static void check_unchanged(struct problems *p, const struct slinky_controller *old,
                            const struct slinky_controller *c)
{
    const struct slinky_secret_key *was = old->spec.slurm_key_ref;
    const struct slinky_secret_key *is = c->spec.slurm_key_ref;
    const char *old_name = was ? was->name ?: "" : "";
    const char *name = is ? is->name ?: "" : "";

    if (!str_eq(old_name, name))
        refuse(p, "spec.slurmKeyRef.name", shown_str(p, name),
               "the Secret of the auth/slurm key cannot change from \"%s\" while the cluster runs; "
               "put the new key into the same Secret",
               old_name);
    check_jwt_unchanged(p, jwt_key_of(old->spec.jwt_key_ref, old->spec.jwt_hs256_key_ref),
                        jwt_key_of(c->spec.jwt_key_ref, c->spec.jwt_hs256_key_ref),
                        "put the new key into the same Secret and key");
    check_state_unchanged(p, old, c);
}

/* ---- the rest */

static void warn_of_metrics(struct problems *p, const struct slinky_metrics *metrics)
{
    const struct slinky_service_monitor *monitor = metrics ? metrics->service_monitor : NULL;

    if (monitor && monitor->enabled == YES && metrics->enabled != YES)
        warn_of(p, "spec.metrics.serviceMonitor.enabled", "true",
                "there is nothing to scrape; set metrics.enabled as well");
}

static void warn_of_unwise(struct problems *p, const struct slinky_controller *c)
{
    const struct slinky_controller_spec *spec = &c->spec;

    if (spec->external != YES && !is_persistent(c))
        warn_of(p, "spec.persistence.enabled", "false",
                "jobs, reservations and node states are lost when the slurmctld pod goes");
    if (spec->reconfigure && spec->inplace_reconfigure != YES)
        warn_of(p, "spec.reconfigure", NULL, "not used unless inplaceReconfigure is true");
    if (spec->accounting_ref && str_empty(spec->accounting_ref->name))
        warn_of(p, "spec.accountingRef", NULL,
                "it names no Accounting, so there is none; remove it or give a name");
    warn_of_older_jwt(p, spec->jwt_key_ref, spec->jwt_hs256_key_ref);
    warn_of_metrics(p, spec->metrics);
}

static void check_given_parts(struct problems *p, const struct slinky_controller_spec *spec)
{
    check_container(p, "spec.slurmctld", spec->slurmctld);
    check_container(p, "spec.reconfigure", spec->reconfigure);
    check_container(p, "spec.logfile", spec->logfile);
    check_template(p, spec->template);
    check_service(p, spec->service);
}

void validate_controller(struct problems *p, const void *old, const void *object,
                         const struct surroundings *around)
{
    const struct slinky_controller *c = object;
    const struct slinky_controller_spec *spec = &c->spec;
    struct daemon_keys keys = { spec->slurm_key_ref, spec->jwt_key_ref, spec->jwt_hs256_key_ref };

    if (spec->external == YES)
        check_external(p, spec->external_config, "slurmctld", 6817);
    else
        check_daemon_keys(p, "slurmctld", &keys);
    check_jwks(p, spec->jwks_key_ref);
    check_cluster_name(p, old, c);
    check_files(p, c, around);
    check_ha(p, c, around);
    check_given_parts(p, spec);
    if (old)
        check_unchanged(p, old, c);
    else if (spec->external != YES)
        check_name(p, &c->meta, NAME_MAX_LEN, "pods of NAME-controller could not be labelled");
    warn_of_unwise(p, c);
}
