/* conf_keys.c - the keys of the files beside slurm.conf, and finding a key by name. */
#include "slurm/conf_keys.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/str.h"
#include "slurm/conf_words.h"

const struct conf_key conf_keys_dbd[] = {
    { "AllResourcesAbsolute", CONF_BOOL },
    { "AllowNoDefAcct", CONF_BOOL },
    { "ArchiveDir", CONF_TEXT },
    { "ArchiveEvents", CONF_BOOL },
    { "ArchiveJobEnv", CONF_BOOL },
    { "ArchiveJobScript", CONF_BOOL },
    { "ArchiveJobs", CONF_BOOL },
    { "ArchiveResvs", CONF_BOOL },
    { "ArchiveScript", CONF_TEXT },
    { "ArchiveSteps", CONF_BOOL },
    { "ArchiveSuspend", CONF_BOOL },
    { "ArchiveTXN", CONF_BOOL },
    { "ArchiveUsage", CONF_BOOL },
    { "AuthAltParameters", CONF_TEXT },
    { "AuthAltTypes", CONF_PLUGIN, .flags = CONF_SOFT, .words = "jwt" },
    { "AuthInfo", CONF_TEXT },
    { "AuthType", CONF_PLUGIN, .flags = CONF_SOFT, .words = "munge slurm none jwt" },
    { "CommitDelay", CONF_U16 },
    { "CommunicationParameters", CONF_TEXT },
    { "DbdAddr", CONF_TEXT },
    { "DbdBackupHost", CONF_TEXT },
    { "DbdHost", CONF_TEXT },
    { "DbdPort", CONF_PORT },
    { "DebugFlags", CONF_SET_OF, .words = DEBUG_WORDS },
    { "DebugLevel", CONF_LEVEL },
    { "DebugLevelSyslog", CONF_LEVEL },
    { "DefaultQOS", CONF_TEXT },
    { "DisableArchiveCommands", CONF_BOOL },
    { "DisableCoordDBD", CONF_BOOL },
    { "DisableRollups", CONF_BOOL },
    { "HashPlugin", CONF_PLUGIN, .flags = CONF_SOFT, .words = "k12 sha3" },
    { "JobPurge", CONF_U32, .flags = CONF_GONE, .note = "write PurgeJobAfter" },
    { "LogFile", CONF_TEXT },
    { "LogTimeFormat", CONF_SET_OF, .flags = CONF_SOFT, .words = LOG_WORDS },
    { "MaxPurgeLimit", CONF_U32 },
    { "MaxQueryTimeRange", CONF_SPAN },
    { "MessageTimeout", CONF_U16 },
    { "Parameters", CONF_TEXT },
    { "PidFile", CONF_TEXT },
    { "PluginDir", CONF_TEXT },
    { "PreserveCaseResource", CONF_BOOL },
    { "PreserveCaseUser", CONF_BOOL },
    { "PrivateData", CONF_SET_OF, .flags = CONF_SOFT, .words = PRIVATE_WORDS },
    { "PurgeEventAfter", CONF_AGE },
    { "PurgeEventMonths", CONF_U32, .flags = CONF_GONE, .note = "write PurgeEventAfter" },
    { "PurgeJobAfter", CONF_AGE },
    { "PurgeJobEnvAfter", CONF_AGE },
    { "PurgeJobMonths", CONF_U32, .flags = CONF_GONE, .note = "write PurgeJobAfter" },
    { "PurgeJobScriptAfter", CONF_AGE },
    { "PurgeResvAfter", CONF_AGE },
    { "PurgeStepAfter", CONF_AGE },
    { "PurgeStepMonths", CONF_U32, .flags = CONF_GONE, .note = "write PurgeStepAfter" },
    { "PurgeSuspendAfter", CONF_AGE },
    { "PurgeSuspendMonths", CONF_U32, .flags = CONF_GONE, .note = "write PurgeSuspendAfter" },
    { "PurgeTXNAfter", CONF_AGE },
    { "PurgeTXNMonths", CONF_U32, .flags = CONF_GONE, .note = "write PurgeTXNAfter" },
    { "PurgeUsageAfter", CONF_AGE },
    { "PurgeUsageMonths", CONF_U32, .flags = CONF_GONE, .note = "write PurgeUsageAfter" },
    { "SlurmUser", CONF_TEXT },
    { "StepPurge", CONF_U32, .flags = CONF_GONE, .note = "write PurgeStepAfter" },
    { "StorageBackupHost", CONF_TEXT },
    { "StorageHost", CONF_TEXT },
    { "StorageLoc", CONF_TEXT },
    { "StorageParameters", CONF_TEXT },
    { "StoragePass", CONF_TEXT },
    { "StoragePassScript", CONF_TEXT },
    { "StoragePort", CONF_PORT },
    { "StorageType", CONF_PLUGIN, .flags = CONF_SOFT, .words = "mysql" },
    { "StorageUser", CONF_TEXT },
    { "TCPTimeout", CONF_U16 },
    { "TLSParameters", CONF_TEXT },
    { "TLSType", CONF_PLUGIN, .flags = CONF_SOFT, .words = "none s2n" },
    { "TrackSlurmctldDown", CONF_BOOL },
    { "TrackWCKey", CONF_BOOL },
    { 0 },
};

static const struct conf_key cgroup_keys[] = {
    { "AllowedDevicesFile", CONF_TEXT, .flags = CONF_GONE, .note = "remove it" },
    { "AllowedRAMSpace", CONF_TEXT },
    { "AllowedSwapSpace", CONF_TEXT },
    { "CgroupAutomount", CONF_BOOL, .flags = CONF_GONE, .note = "remove it" },
    { "CgroupJobIdPaths", CONF_BOOL },
    { "CgroupMountpoint", CONF_TEXT },
    { "CgroupPlugin", CONF_ONE_OF, .words = "autodetect cgroup/v1 cgroup/v2 disabled" },
    { "CgroupSlice", CONF_TEXT },
    { "ConstrainCores", CONF_BOOL },
    { "ConstrainDevices", CONF_BOOL },
    { "ConstrainRAMSpace", CONF_BOOL },
    { "ConstrainSwapSpace", CONF_BOOL },
    { "EnableControllers", CONF_BOOL },
    { "EnableExtraControllers", CONF_TEXT },
    { "IgnoreSystemd", CONF_BOOL },
    { "IgnoreSystemdOnFailure", CONF_BOOL },
    { "MaxRAMPercent", CONF_TEXT },
    { "MaxSwapPercent", CONF_TEXT },
    { "MemorySwappiness", CONF_U64 },
    { "MinRAMSpace", CONF_U64 },
    { "SignalChildrenProcesses", CONF_BOOL },
    { "SystemdTimeout", CONF_U64 },
    { 0 },
};

static const struct conf_key gres_options[] = {
    { "AutoDetect", CONF_ONE_OF, .words = "full nrt nvidia nvml off oneapi rsmi" },
    { "Count", CONF_TEXT },
    { "CPUs", CONF_TEXT },
    { "Cores", CONF_TEXT },
    { "File", CONF_TEXT },
    { "Files", CONF_TEXT },
    { "Flags", CONF_TEXT },
    { "Link", CONF_TEXT },
    { "Links", CONF_TEXT },
    { "MultipleFiles", CONF_TEXT },
    { "Name", CONF_TEXT },
    { "Type", CONF_TEXT },
    { 0 },
};

static const struct conf_key gres_keys[] = {
    { "AutoDetect", CONF_ONE_OF, .words = "full nrt nvidia nvml off oneapi rsmi" },
    { "Name", CONF_TEXT, .flags = CONF_MANY, .options = gres_options },
    { "NodeName", CONF_HOSTS, .flags = CONF_MANY, .options = gres_options },
    { 0 },
};

static const struct conf_key switch_options[] = {
    { "LinkSpeed", CONF_U32 },
    { "Nodes", CONF_HOSTS },
    { "Switches", CONF_HOSTS },
    { 0 },
};

static const struct conf_key nodes_option[] = { { "Nodes", CONF_HOSTS }, { 0 } };

static const struct conf_key topology_keys[] = {
    { "BlockName", CONF_TEXT, .flags = CONF_MANY, .options = nodes_option },
    { "BlockSizes", CONF_TEXT },
    { "RingName", CONF_TEXT, .flags = CONF_MANY, .options = nodes_option },
    { "SwitchName", CONF_HOSTS, .flags = CONF_MANY, .options = switch_options },
    { 0 },
};

static const struct conf_key container_options[] = {
    { "AutoBasePath", CONF_BOOL },
    { "BasePath", CONF_TEXT },
    { "CloneNSEpilog", CONF_TEXT },
    { "CloneNSEpilog_Wait", CONF_U32 },
    { "CloneNSScript", CONF_TEXT },
    { "CloneNSScript_Wait", CONF_U32 },
    { "Dirs", CONF_TEXT },
    { "EntireStepInNS", CONF_BOOL },
    { "InitScript", CONF_TEXT },
    { "Shared", CONF_BOOL },
    { 0 },
};

static const struct conf_key container_keys[] = {
    { "AutoBasePath", CONF_BOOL },
    { "BasePath", CONF_TEXT, .flags = CONF_MANY, .options = container_options },
    { "CloneNSEpilog", CONF_TEXT },
    { "CloneNSEpilog_Wait", CONF_U32 },
    { "CloneNSScript", CONF_TEXT },
    { "CloneNSScript_Wait", CONF_U32 },
    { "Dirs", CONF_TEXT },
    { "EntireStepInNS", CONF_BOOL },
    { "NodeName", CONF_HOSTS, .flags = CONF_MANY, .options = container_options },
    { "Shared", CONF_BOOL },
    { 0 },
};

static const struct conf_key helper_options[] = {
    { "Feature", CONF_TEXT },
    { "Helper", CONF_TEXT },
    { "Flags", CONF_TEXT },
    { 0 },
};

static const struct conf_key helper_keys[] = {
    { "AllowUserBoot", CONF_TEXT },
    { "BootTime", CONF_U32 },
    { "ExecTime", CONF_U32 },
    { "Feature", CONF_TEXT, .flags = CONF_MANY, .options = helper_options },
    { "MutuallyExclusive", CONF_TEXT, .flags = CONF_MANY },
    { "NodeName", CONF_HOSTS, .flags = CONF_MANY, .options = helper_options },
    { 0 },
};

static const struct conf_key oci_keys[] = {
    { "ContainerPath", CONF_TEXT },
    { "CreateEnvFile", CONF_TEXT },
    { "DebugFlags", CONF_SET_OF, .words = DEBUG_WORDS },
    { "DisableCleanup", CONF_BOOL },
    { "DisableHooks", CONF_TEXT },
    { "EnvExclude", CONF_TEXT },
    { "FileDebug", CONF_LEVEL },
    { "IgnoreFileConfigJson", CONF_BOOL },
    { "MountSpoolDir", CONF_TEXT },
    { "RunTimeCreate", CONF_TEXT },
    { "RunTimeDelete", CONF_TEXT },
    { "RunTimeEnvExclude", CONF_TEXT },
    { "RunTimeKill", CONF_TEXT },
    { "RunTimeQuery", CONF_TEXT },
    { "RunTimeRun", CONF_TEXT },
    { "RunTimeStart", CONF_TEXT },
    { "SrunArgs", CONF_TEXT, .flags = CONF_MANY },
    { "SrunPath", CONF_TEXT },
    { "StdIODebug", CONF_LEVEL },
    { "SyslogDebug", CONF_LEVEL },
    { 0 },
};

static const struct conf_key mpi_keys[] = {
    { "PMIxCliTmpDirBase", CONF_TEXT },
    { "PMIxCollFence", CONF_ONE_OF, .words = "mixed ring tree" },
    { "PMIxDebug", CONF_U32 },
    { "PMIxDirectConn", CONF_BOOL },
    { "PMIxDirectConnEarly", CONF_BOOL },
    { "PMIxDirectConnUCX", CONF_BOOL },
    { "PMIxDirectSameArch", CONF_BOOL },
    { "PMIxEnv", CONF_TEXT },
    { "PMIxFenceBarrier", CONF_BOOL },
    { "PMIxNetDevicesUCX", CONF_TEXT },
    { "PMIxShareServerTopology", CONF_BOOL },
    { "PMIxTimeout", CONF_U32 },
    { "PMIxTlsUCX", CONF_TEXT },
    { 0 },
};

static const struct conf_key gather_keys[] = {
    { "EnergyIPMICalcAdjustment", CONF_BOOL },
    { "EnergyIPMIFrequency", CONF_U32 },
    { "EnergyIPMIPassword", CONF_TEXT },
    { "EnergyIPMIPowerSensors", CONF_TEXT },
    { "EnergyIPMITimeout", CONF_U32 },
    { "EnergyIPMIUsername", CONF_TEXT },
    { "InfinibandOFEDPort", CONF_U32 },
    { "ProfileHDF5Default", CONF_TEXT },
    { "ProfileHDF5Dir", CONF_TEXT },
    { "ProfileInfluxDBDatabase", CONF_TEXT },
    { "ProfileInfluxDBDefault", CONF_TEXT },
    { "ProfileInfluxDBExtraTags", CONF_TEXT },
    { "ProfileInfluxDBFlags", CONF_TEXT },
    { "ProfileInfluxDBFrequency", CONF_U32 },
    { "ProfileInfluxDBHost", CONF_TEXT },
    { "ProfileInfluxDBPass", CONF_TEXT },
    { "ProfileInfluxDBRTPolicy", CONF_TEXT },
    { "ProfileInfluxDBTimeout", CONF_U32 },
    { "ProfileInfluxDBUser", CONF_TEXT },
    { "SysfsInterfaces", CONF_TEXT },
    { 0 },
};

static const struct conf_key burst_keys[] = {
    { "AllowUsers", CONF_TEXT },   { "CreateBuffer", CONF_TEXT },   { "DefaultPool", CONF_TEXT },
    { "DenyUsers", CONF_TEXT },    { "DestroyBuffer", CONF_TEXT },  { "Directive", CONF_TEXT },
    { "Flags", CONF_TEXT },        { "GetSysState", CONF_TEXT },    { "GetSysStatus", CONF_TEXT },
    { "Granularity", CONF_TEXT },  { "OtherTimeout", CONF_U32 },    { "PollInterval", CONF_U32 },
    { "Pools", CONF_TEXT },        { "StageInTimeout", CONF_U32 },  { "StageOutTimeout", CONF_U32 },
    { "StartStageIn", CONF_TEXT }, { "StartStageOut", CONF_TEXT },  { "StopStageIn", CONF_TEXT },
    { "StopStageOut", CONF_TEXT }, { "ValidateTimeout", CONF_U32 }, { 0 },
};

static const struct conf_kind kinds[] = {
    { "slurm.conf", conf_keys_slurm, "ClusterName SlurmctldHost" },
    { "slurmdbd.conf", conf_keys_dbd, "StorageType" },
    { "cgroup.conf", cgroup_keys, NULL },
    { "gres.conf", gres_keys, NULL },
    { "topology.conf", topology_keys, NULL },
    { "job_container.conf", container_keys, NULL },
    { "helpers.conf", helper_keys, NULL },
    { "oci.conf", oci_keys, NULL },
    { "mpi.conf", mpi_keys, NULL },
    { "acct_gather.conf", gather_keys, NULL },
    { "burst_buffer.conf", burst_keys, NULL },
    /* parts of slurm.conf that it includes: what it requires may stand elsewhere */
    { "slurm_base.conf", conf_keys_slurm, NULL },
    { "slurm_rest.conf", conf_keys_slurm, NULL },
    { "slurm_k8s_extra.conf", conf_keys_slurm, NULL },
    { 0 },
};

const struct conf_kind *conf_kinds(void)
{
    return kinds;
}

/* The name with what the golden files and backups put around it: "x.slurm.conf", "slurm.conf.bak".
 */
const struct conf_kind *conf_kind_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (const struct conf_kind *kind = kinds; kind->file; kind++) {
        const char *at = strstr(name, kind->file);
        char after = at ? at[strlen(kind->file)] : 'x';

        if (at && (at == name || at[-1] == '.' || at[-1] == '-') && (!after || after == '.'))
            return kind;
    }
    return NULL;
}

const struct conf_key *conf_key_find(const struct conf_key *keys, const char *name)
{
    for (const struct conf_key *key = keys; key && key->name; key++)
        if (strcasecmp(key->name, name) == 0)
            return key;
    return NULL;
}

enum { NEAR_MAX = 64 };

/* Levenshtein's distance without regard to case; names longer than NEAR_MAX are far from all. */
static unsigned distance(const char *a, const char *b)
{
    size_t a_len = strlen(a), b_len = strlen(b);
    unsigned row[NEAR_MAX + 1];

    if (a_len > NEAR_MAX || b_len > NEAR_MAX)
        return NEAR_MAX;
    for (size_t j = 0; j <= b_len; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= a_len; i++) {
        unsigned corner = row[0];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            unsigned up = row[j];
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            unsigned best = corner + !same;

            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            row[j] = up + 1 < best ? up + 1 : best;
            corner = up;
        }
    }
    return row[b_len];
}

const struct conf_key *conf_key_near(const struct conf_key *keys, const char *name)
{
    unsigned best = (unsigned)strlen(name) / 4 + 1;
    const struct conf_key *near = NULL;

    for (const struct conf_key *key = keys; key && key->name; key++) {
        unsigned far = distance(key->name, name);

        if (far <= best && (!near || far < best)) {
            best = far;
            near = key;
        }
    }
    return near;
}
