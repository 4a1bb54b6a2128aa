/* conf_soperator.c - slurm.conf in the Soperator profile: known nodes, munge, power saving. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/str.h"
#include "slurm/conf.h"
#include "slurm/conf_internal.h"
#include "slurm/hostlist.h"

#define BASE_FILE "slurm_base.conf.noedit"
#define USER_FILE "slurm_k8s_extra.conf.noedit"

void conf_banner(struct conf_text *t)
{
    conf_comment(t, " Written by windlass.");
    conf_comment(t, " Changes made here are lost with the next update of the cluster;");
    conf_comment(t, " put them into the cluster's description instead.");
}

char *conf_entry_text(struct arena *a, const char *dir)
{
    struct conf_text t = { 0 };

    conf_banner(&t);
    conf_line(&t, fmt(a, "include %s/" BASE_FILE, dir));
    conf_line(&t, fmt(a, "include %s/" USER_FILE, dir));
    return conf_done(a, &t);
}

char *conf_user_text(struct arena *a, const char *extra)
{
    struct conf_text t = { 0 };

    conf_comment(&t, " The cluster's own settings; read last, so they win.");
    if (!str_empty(extra))
        conf_line(&t, extra);
    return conf_done(a, &t);
}

char *conf_rest_text(struct arena *a, const char *dir)
{
    struct conf_text t = { 0 };

    conf_banner(&t);
    conf_line(&t, fmt(a, "include %s/slurm.conf", dir));
    conf_set(&t, "AuthType", "auth/jwt");
    return conf_done(a, &t);
}

static void write_identity(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set(t, "ClusterName", in->cluster_name);
    conf_set_each(t, "SlurmctldHost", "", in->controllers);
    conf_set(t, "AuthType", "auth/munge");
    conf_set(t, "CredType", "cred/munge");
    conf_set_all(t, in->settings);
    if (in->gpus)
        conf_set(t, "GresTypes", "gpu");
}

static void write_daemons(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set(t, "MpiDefault", "pmix");
    conf_set(t, "MailProg", "/usr/bin/true");
    conf_set(t, "PluginDir", "/usr/lib/slurm");
    conf_set(t, "ProctrackType", "proctrack/cgroup");
    conf_set(t, "ReturnToService", "2");
    conf_set(t, "SlurmctldPidFile", "/var/run/slurmctld.pid");
    conf_set_int(t, "SlurmctldPort", in->controller_port ?: SLURMCTLD_PORT);
    if (in->metrics)
        conf_set(t, "MetricsType", "metrics/openmetrics");
    conf_set(t, "SlurmdPidFile", "/var/run/slurmd.pid");
    conf_set(t, "SlurmdSpoolDir", "/var/spool/slurmd");
    conf_set(t, "SlurmUser", "root");
    conf_set(t, "StateSaveLocation", "/var/spool/slurmctld");
    conf_set(t, "TaskPlugin", "task/cgroup,task/affinity");
    conf_set(t, "CliFilterPlugins", "cli_filter/user_defaults");
    conf_set(t, "LaunchParameters", "use_interactive_step");
    conf_set(t, "ScronParameters", "enable,explicit_scancel");
    conf_set(t, "PropagateResourceLimits", "NONE");
}

static bool has_health_check(const struct slurm_conf *in)
{
    return in->health_check.interval > 0;
}

static void write_joined(struct conf_text *t, const char *key, struct strs values)
{
    if (values.n == 0)
        return;
    buf_fmt(&t->out, "%s=", key);
    for (size_t i = 0; i < values.n; i++)
        buf_fmt(&t->out, "%s%s", i ? "," : "", values.v[i]);
    buf_char(&t->out, '\n');
}

static void write_health_check(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set_int(t, "HealthCheckInterval", in->health_check.interval);
    conf_set_some(t, "HealthCheckProgram", in->health_check.program);
    write_joined(t, "HealthCheckNodeState", in->health_check.states);
}

static void write_timeouts(struct conf_text *t, const struct slurm_conf *in)
{
    (void)in;
    conf_set(t, "InactiveLimit", "0");
    conf_set(t, "KillOnBadExit", "1");
    conf_set(t, "KillWait", "180");
    conf_set(t, "UnkillableStepTimeout", "600");
    conf_set(t, "SlurmctldTimeout", "180");
    conf_set(t, "SlurmdTimeout", "180");
    conf_set(t, "TCPTimeout", "15");
    conf_set(t, "WaitTime", "0");
}

static bool any_power_managed(const struct slurm_conf *in)
{
    for_each (set, in->nodesets)
        if (set->power_managed)
            return true;
    return false;
}

static void write_controller(struct conf_text *t, const struct slurm_conf *in)
{
    conf_setf(t, "SlurmctldParameters",
              "conmgr_max_connections=%" PRIu64
              ",conmgr_threads=32,validate_nodeaddr_threads=32,enable_stepmgr%s",
              slurm_max_node_count(conf_nodes_of(in)),
              any_power_managed(in) ? ",cloud_dns,idle_on_node_suspend" : "");
    conf_set(t, "PrologFlags", "contain");
}

/* The names of all nodes that power saving must leave alone. */
static void write_always_on(struct conf_text *t, const struct slurm_conf *in)
{
    scoped(arena) struct arena *a = arena_new();
    bool first = true;

    for_each (set, in->nodesets) {
        if (set->power_managed || set->replicas == 0)
            continue;
        buf_fmt(&t->out, "%s%s", first ? "SuspendExcNodes=" : ",",
                hostlist_of_count(a, fmt(a, "%s-", set->name), set->replicas));
        first = false;
    }
    if (!first)
        buf_char(&t->out, '\n');
}

static void write_power(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set(t, "RebootProgram", "/opt/bin/slurm/reboot.sh");
    conf_set(t, "PowerAction",
             "soperator-worker-handoff Location=slurmd Program=/opt/bin/slurm/worker_handoff.py");
    conf_set(t, "ResumeProgram", "/opt/soperator/bin/power_resume.sh");
    conf_set(t, "ResumeFailProgram", "/opt/soperator/bin/power_resume_fail.sh");
    conf_set(t, "SuspendProgram", "/opt/soperator/bin/power_suspend.sh");
    conf_set(t, "SuspendTimeout", "90");
    conf_set(t, "ResumeRate", "100");
    conf_set(t, "SuspendRate", "100");
    conf_set(t, "ReconfigFlags", "KeepPowerSaveSettings");
    write_always_on(t, in);
}

static void write_scheduling(struct conf_text *t, const struct slurm_conf *in)
{
    uint64_t nodes = conf_nodes_of(in), array = nodes * 5;

    conf_set(t, "SchedulerType", "sched/backfill");
    conf_set(t, "SchedulerParameters",
             "nohold_on_prolog_fail,extra_constraints,pack_serial_at_end,salloc_wait_nodes,"
             "sbatch_wait_nodes,defer_batch,max_rpc_cnt=100,bf_continue,bf_max_time=60,"
             "bf_max_job_test=1000,bf_max_job_part=300,bf_running_job_reserve");
    conf_set(t, "SelectType", "select/cons_tres");
    conf_set(t, "SelectTypeParameters", "CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK");
    conf_set(t, "SlurmctldDebug", "debug");
    conf_set(t, "SlurmctldLogFile", "/dev/null");
    conf_set(t, "SlurmdDebug", "debug");
    conf_set(t, "SlurmdLogFile", "/dev/null");
    conf_set(t, "DebugFlags", "Script,Power");
    conf_set_int(t, "MaxNodeCount", (int64_t)slurm_max_node_count(nodes));
    conf_set_int(t, "MaxArraySize", (int64_t)(array < SLURM_NODES_MIN ? SLURM_NODES_MIN : array));
    conf_set(t, "JobRequeue", "1");
    conf_set(t, "PreemptMode", "REQUEUE");
    conf_set(t, "PreemptType", "preempt/partition_prio");
}

/* The user's words for a node line, without those that are ours to say. */
static void write_node_options(struct buf *out, const char *options)
{
    while (options && *options) {
        size_t len = strcspn(options, " \t\r\n");

        if (len > 0 && strncasecmp(options, "Feature=", strlen("Feature=")) != 0 &&
            strncasecmp(options, "State=", strlen("State=")) != 0)
            buf_fmt(out, " %.*s", (int)len, options);
        options += len + (options[len] != '\0');
    }
}

static void write_node_line(struct conf_text *t, const struct conf_nodeset *set)
{
    scoped(arena) struct arena *a = arena_new();
    const char *hosts = hostlist_of_count(a, fmt(a, "%s-", set->name), set->replicas);

    buf_fmt(&t->out, "NodeName=%s State=CLOUD NodeAddr=%s%s%s RealMemory=%" PRIu64, hosts, hosts,
            set->domain ? "." : "", set->domain ?: "", set->memory_mib);
    if (set->no_auto_resume)
        buf_str(&t->out, " AutoResume=Off");
    if (set->port)
        buf_fmt(&t->out, " Port=%d", set->port);
    for (size_t i = 0; i < set->features.n; i++)
        buf_fmt(&t->out, "%s%s", i ? "," : " Feature=", set->features.v[i]);
    write_node_options(&t->out, set->options);
    buf_char(&t->out, '\n');
}

static bool has_nodes(const struct slurm_conf *in, const char *nodeset)
{
    for_each (set, in->nodesets)
        if (str_eq(set->name, nodeset))
            return set->replicas > 0;
    return false;
}

static void write_partition(struct conf_text *t, const struct slurm_conf *in,
                            const struct conf_partition *partition)
{
    scoped(buf) struct buf nodes = { 0 };

    if (!partition->all_nodes && partition->nodesets.n == 0) {
        conf_comment(t, " a partition without node sets was left out");
        return;
    }
    for (size_t i = 0; i < partition->nodesets.n; i++) {
        if (has_nodes(in, partition->nodesets.v[i]))
            buf_fmt(&nodes, "%s%s", nodes.len ? "," : "", partition->nodesets.v[i]);
        else
            buf_fmt(&t->out, "# WARNING: partition %s: no nodes in node set %s\n", partition->name,
                    partition->nodesets.v[i]);
    }
    buf_fmt(&t->out, "PartitionName=%s Nodes=%s", partition->name,
            partition->all_nodes ? "ALL"
            : nodes.len          ? buf_text(&nodes)
                                 : "\"\"");
    if (!str_empty(partition->options))
        buf_fmt(&t->out, " %s", partition->options);
    buf_char(&t->out, '\n');
}

static void write_structured(struct conf_text *t, const struct slurm_conf *in)
{
    scoped(arena) struct arena *a = arena_new();

    for_each (set, in->nodesets)
        if (set->replicas > 0)
            write_node_line(t, set);
    for_each (partition, in->partitions)
        write_partition(t, in, partition);
    for_each (set, in->nodesets)
        if (set->replicas > 0)
            conf_setf(t, "NodeSet", "%s Nodes=%s", set->name,
                      hostlist_of_count(a, fmt(a, "%s-", set->name), set->replicas));
}

static void write_partitions(struct conf_text *t, const struct slurm_conf *in)
{
    switch (in->partition_source) {
    case PARTITIONS_DEFAULT:
        conf_line(t, "PartitionName=main Nodes=ALL Default=YES PriorityTier=10 MaxTime=INFINITE "
                     "State=UP OverSubscribe=YES");
        conf_line(t, "PartitionName=hidden Nodes=ALL Default=NO PriorityTier=10 PreemptMode=OFF "
                     "Hidden=YES MaxTime=INFINITE State=UP OverSubscribe=YES");
        break;
    case PARTITIONS_RAW:
        for (size_t i = 0; i < in->raw_partitions.n; i++)
            conf_line(t, in->raw_partitions.v[i]);
        break;
    case PARTITIONS_STRUCTURED:
        write_structured(t, in);
        break;
    }
}

static bool has_accounting(const struct slurm_conf *in)
{
    return in->accounting_host != NULL;
}

static void write_accounting(struct conf_text *t, const struct slurm_conf *in)
{
    conf_set(t, "AccountingStorageType", "accounting_storage/slurmdbd");
    conf_set(t, "AccountingStorageHost", in->accounting_host);
    conf_set_int(t, "AccountingStoragePort", in->accounting_port ?: SLURMDBD_PORT);
    conf_set(t, "JobCompType", "jobcomp/none");
    conf_set_all(t, in->accounting_settings);
    if (in->jwt_key || in->jwks)
        conf_set(t, "AuthAltTypes", "auth/jwt");
    conf_set_jwt(t, in->jwt_key, in->jwks);
}

static const struct conf_fragment fragments[] = {
    { NULL, NULL, write_identity },
    { NULL, NULL, write_daemons },
    { NULL, has_health_check, write_health_check },
    { NULL, NULL, write_timeouts },
    { NULL, NULL, write_controller },
    { NULL, NULL, write_power },
    { NULL, NULL, write_scheduling },
    { NULL, NULL, write_partitions },
    { NULL, has_accounting, write_accounting },
    { 0 },
};

char *conf_soperator_text(struct arena *a, const struct slurm_conf *in)
{
    struct conf_text t = { 0 };

    conf_banner(&t);
    conf_write_fragments(&t, fragments, in);
    return conf_done(a, &t);
}
