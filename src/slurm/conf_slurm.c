/* conf_slurm.c - slurm.conf in the Slinky profile: fragments under headings, in a fixed order. */
#include <string.h>

#include "base/scope.h"
#include "base/str.h"
#include "slurm/conf.h"
#include "slurm/conf_internal.h"

#define LOG_DIR "/var/log/slurm"

uint64_t slurm_max_node_count(uint64_t nodes)
{
    uint64_t room = SLURM_NODES_MIN;

    while (room / 2 < nodes && room < UINT64_C(1) << 31)
        room *= 2;
    return room;
}

uint64_t conf_nodes_of(const struct slurm_conf *in)
{
    uint64_t nodes = 0;

    for_each (set, in->nodesets)
        nodes += set->replicas;
    return in->nodes ?: nodes;
}

static void write_general(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set(t, "ClusterName", in->cluster_name);
    conf_set(t, "SlurmUser", "slurm");
    conf_set_each(t, "SlurmctldHost", "", in->controllers);
    conf_set_int(t, "SlurmctldPort", in->controller_port ?: SLURMCTLD_PORT);
    if (in->external)
        return;
    conf_set_some(t, "SlurmctldAddr", in->controller_addr);
    conf_setf(t, "StateSaveLocation", "/var/spool/slurmctld/%s", in->cluster_name);
    conf_set(t, "SlurmdUser", "root");
    conf_set_int(t, "SlurmdPort", SLURMD_PORT);
    conf_set(t, "SlurmdSpoolDir", "/var/spool/slurmd");
    conf_set_int(t, "MaxNodeCount", (int64_t)slurm_max_node_count(conf_nodes_of(in)));
}

static void write_logging(struct conf_text *t, const struct slurm_conf *in)
{
    (void)in;
    conf_set(t, "SlurmctldLogFile", LOG_DIR "/slurmctld.log");
    conf_set(t, "SlurmSchedLogFile", LOG_DIR "/slurmctld.log");
    conf_set(t, "SlurmdLogFile", LOG_DIR "/slurmd.log");
}

void conf_set_jwt(struct conf_text *t, const char *jwt_key, const char *jwks)
{
    if (jwt_key && jwks)
        conf_setf(t, "AuthAltParameters", "jwt_key=%s,jwks=%s", jwt_key, jwks);
    else if (jwt_key)
        conf_setf(t, "AuthAltParameters", "jwt_key=%s", jwt_key);
    else if (jwks)
        conf_setf(t, "AuthAltParameters", "jwks=%s", jwks);
}

static void write_plugins(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set(t, "AuthType", "auth/slurm");
    conf_set(t, "CredType", "cred/slurm");
    if (in->jwt_key || in->jwks || in->external)
        conf_set(t, "AuthAltTypes", "auth/jwt");
    if (in->external)
        return;
    conf_set_jwt(t, in->jwt_key, in->jwks);
    conf_set(t, "AuthInfo", "use_client_ids");
    conf_set(t, "SlurmctldParameters", "enable_configless,reconfig_on_restart");
    if (in->metrics)
        conf_set(t, "MetricsType", "metrics/openmetrics");
}

static void write_accounting(struct conf_text *t, const struct slurm_conf *in)
{
    if (!in->accounting_host) {
        conf_set(t, "AccountingStorageType", "accounting_storage/none");
        return;
    }
    conf_set(t, "AccountingStorageType", "accounting_storage/slurmdbd");
    conf_set(t, "AccountingStorageHost", in->accounting_host);
    conf_set_int(t, "AccountingStoragePort", in->accounting_port ?: SLURMDBD_PORT);
}

/* slurmctld runs its own scripts by path; slurmd gets the others by name with its configuration. */
static void write_controller_scripts(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set_each(t, "PrologSlurmctld", "/etc/slurm/", in->prolog_slurmctld);
    conf_set_each(t, "EpilogSlurmctld", "/etc/slurm/", in->epilog_slurmctld);
}

static void write_node_scripts(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set_each(t, "Prolog", "", in->prolog);
    conf_set_each(t, "Epilog", "", in->epilog);
}

static void write_nodesets(struct conf_text *t, const struct slurm_conf *in)
{
    for_each (set, in->nodesets) {
        conf_setf(t, "NodeSet", "%s Feature=%s", set->name, set->name);
        if (set->partition)
            conf_setf(t, "PartitionName", "%s Nodes=%s %s", set->name, set->name,
                      set->partition_options ?: "");
    }
}

static bool in_cluster(const struct slurm_conf *in)
{
    return !in->external;
}

static bool has_controller_scripts(const struct slurm_conf *in)
{
    return !in->external && (in->prolog_slurmctld.n || in->epilog_slurmctld.n);
}

static bool has_node_scripts(const struct slurm_conf *in)
{
    return !in->external && (in->prolog.n || in->epilog.n);
}

static bool has_nodesets(const struct slurm_conf *in)
{
    return !in->external && in->nodesets.n > 0;
}

static const struct conf_fragment fragments[] = {
    { "GENERAL", NULL, write_general },
    { "LOGGING", in_cluster, write_logging },
    { "PLUGINS & PARAMETERS", NULL, write_plugins },
    { "ACCOUNTING", NULL, write_accounting },
    { "SLURMCTLD PROLOG & EPILOG", has_controller_scripts, write_controller_scripts },
    { "PROLOG & EPILOG", has_node_scripts, write_node_scripts },
    { "NODESET & PARTITION", has_nodesets, write_nodesets },
    { 0 },
};

void conf_write_fragments(struct conf_text *t, const struct conf_fragment *list,
                          const struct slurm_conf *in)
{
    for (const struct conf_fragment *f = list; f->write; f++) {
        if (f->wanted && !f->wanted(in))
            continue;
        if (f->title)
            conf_section(t, f->title);
        f->write(t, in);
    }
}

static char *slinky_text(struct arena *a, const struct slurm_conf *in)
{
    const struct conf_managed managed[] = {
        conf_managed_jwt(a, in->jwt_key, in->jwks),
        { "AuthInfo", STRS("use_client_ids") },
        { "SlurmctldParameters", STRS("enable_configless", "reconfig_on_restart") },
    };
    struct conf_text t = { 0 };

    conf_write_fragments(&t, fragments, in);
    if (!in->external)
        conf_extra(&t, in->extra, managed, ARRAY_SIZE(managed));
    return conf_done(a, &t);
}

struct conf_managed conf_managed_jwt(struct arena *a, const char *jwt_key, const char *jwks)
{
    struct conf_managed managed = { .key = "AuthAltParameters" };

    managed.options.v = arena_make_n(a, const char *, 2);
    if (jwt_key)
        managed.options.v[managed.options.n++] = fmt(a, "jwt_key=%s", jwt_key);
    if (jwks)
        managed.options.v[managed.options.n++] = fmt(a, "jwks=%s", jwks);
    return managed;
}

char *slurm_conf_text(struct arena *a, const struct slurm_conf *in)
{
    return in->profile == CONF_SOPERATOR ? conf_soperator_text(a, in) : slinky_text(a, in);
}
