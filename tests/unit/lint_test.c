/* lint_test.c - what lint says about files that Slurm would refuse, ignore or take. */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "slurm/lint.h"
#include "support/test.h"

#define HEAD "ClusterName=x\nSlurmctldHost=h\n"

/* All problems, one per line: "3 error: text". */
static char *said(struct arena *a, const char *name, const char *text)
{
    struct conf_doc *doc = lint_text(a, name, text, strlen(text), NULL);
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < doc->problem_count; i++)
        buf_fmt(&out, "%s%u %s: %s", i ? "\n" : "", doc->problems[i].line,
                doc->problems[i].level == CONF_ERROR ? "error" : "warning", doc->problems[i].text);
    return arena_str(a, buf_text(&out));
}

static void slurm_says(const char *line, const char *want)
{
    scoped(arena) struct arena *a = arena_new();
    char *have = said(a, "slurm.conf", fmt(a, HEAD "%s\n", line));

    if (*want ? strncmp(have, want, strlen(want)) != 0 : *have != '\0')
        test_fail(__FILE__, __LINE__, "'%s' draws '%s', want '%s'", line, have, want);
}

TEST(lint_knows_every_key_of_its_files)
{
    for (const struct conf_kind *kind = conf_kinds(); kind->file; kind++) {
        size_t count = 0;

        for (const struct conf_key *key = kind->keys; key->name; key++, count++) {
            CHECK(conf_key_find(kind->keys, key->name) == key); /* none twice */
            if (key->type == CONF_ONE_OF || key->type == CONF_SET_OF || key->type == CONF_PLUGIN)
                CHECK(key->words != NULL);
            if (key->flags & CONF_GONE)
                CHECK(key->note != NULL);
        }
        CHECK(count > 2);
    }
}

TEST(lint_suggests_the_key_that_was_meant)
{
    slurm_says("SchedulerTyp=sched/backfill",
               "3 error: SchedulerTyp is not a key of slurm.conf; did you mean SchedulerType?");
    slurm_says("MaxJobCuont=5",
               "3 error: MaxJobCuont is not a key of slurm.conf; did you mean MaxJobCount?");
    slurm_says("Zzzzzzzzzz=5", "3 error: Zzzzzzzzzz is not a key of slurm.conf");
    slurm_says("NodeName=n1 RealMemry=5",
               "3 error: RealMemry is not a key of a NodeName line; did you mean RealMemory?");
    slurm_says("maxjobcount=5", "");
}

TEST(lint_checks_numbers_as_slurm_does)
{
    slurm_says("MaxJobCount=abc", "3 error: MaxJobCount=abc: want a whole number");
    slurm_says("MaxJobCount=-1", "3 error:");
    slurm_says("MaxJobCount=5.5", "3 error:");
    slurm_says("MaxJobCount=4294967296", "3 error:");
    slurm_says("MaxJobCount=5;", "3 error:");
    slurm_says("MaxJobCount=10K", "");
    slurm_says("MaxJobCount=1M", "3 error:");
    slurm_says("MaxJobCount=0x10", "");
    slurm_says("MaxJobCount=UNLIMITED", "");
    slurm_says("KillWait=65535", "");
    slurm_says("KillWait=65536", "3 error:");
    slurm_says("KillWait=1k", "3 error:");
    slurm_says("KillWait=+5", "");
    slurm_says("KillWait=08", "3 error:");
    slurm_says("DefMemPerCPU=5G", "3 error: DefMemPerCPU=5G: want a whole number without a unit");
    slurm_says("DefMemPerCPU=18446744073709551615", "");
    slurm_says("JobRequeue=yes", "3 error:");
}

TEST(lint_checks_words_times_and_ports)
{
    slurm_says("TrackWCKey=maybe", "3 error: TrackWCKey=maybe: want yes or no");
    slurm_says("TrackWCKey=up", "");
    slurm_says("SlurmctldDebug=loud", "3 error:");
    slurm_says("SlurmctldDebug=debug5", "");
    slurm_says("DebugFlags=Power,Nonsense", "3 error: DebugFlags=Power,Nonsense: want some of:");
    slurm_says("DebugFlags=power,GRES", "");
    slurm_says("PrivateData=job,jobs", "3 warning:");
    slurm_says("SchedulerType=sched/backfil",
               "3 warning: SchedulerType=sched/backfil: want a plugin");
    slurm_says("TaskPlugin=task/affinity,task/cgroup", "");
    slurm_says("PriorityMaxAge=7-0", "");
    slurm_says("PriorityMaxAge=week", "3 error: PriorityMaxAge=week: want a time such as");
    slurm_says("PartitionName=p Nodes=n1",
               "3 error: partition p: there is no node or node set 'n1'");
    slurm_says("PartitionName=p Nodes=ALL", "");
    slurm_says("PartitionName=p MaxTime=5:00 OverSubscribe=FORCE:2 State=UP", "");
    slurm_says("PartitionName=p OverSubscribe=MAYBE", "3 error:");
    slurm_says("PartitionName=p OverSubscribe=YES:x", "3 error:");
    slurm_says("SlurmctldPort=6817-6818", "");
    slurm_says("SlurmctldPort=6818-6817", "3 error:");
    slurm_says("SlurmctldPort=0", "3 error:");
    slurm_says("SlurmctldPort=99999", "3 error: SlurmctldPort=99999: want a port");
    slurm_says("SlurmctldHost=a(b", "3 error:");
    slurm_says("SuspendTime=INFINITE", "");
    slurm_says("NodeName=n[1-2 CPUs=1", "3 error: NodeName=n[1-2: want a list of hosts");
}

TEST(lint_says_when_lines_disagree)
{
    slurm_says("MaxJobCount=5\nMaxJobCount=6", "4 warning: MaxJobCount stands again");
    slurm_says("Prolog=a\nProlog=b", "");
    slurm_says("NodeName=n[1-3]\nNodeName=n2", "4 error: node n2 is there already");
    slurm_says("NodeName=DEFAULT CPUs=2\nNodeName=n1", "");
    slurm_says("PartitionName=a\nPartitionName=a", "4 error: partition a is there already");
    slurm_says("NodeName=n1\nPartitionName=a Nodes=n[1-2]",
               "4 error: partition a: there is no node or node set 'n2'");
    slurm_says("NodeSet=s Feature=s\nPartitionName=a Nodes=s", "");
    slurm_says("PartitionName=a Default=YES\nPartitionName=b Default=YES",
               "4 warning: partition b is");
    slurm_says("NodeName=n1 Gres=gpu:2", "3 warning: Gres=gpu:2: GresTypes does not have gpu");
    slurm_says("GresTypes=gpu\nNodeName=n1 Gres=gpu:h100:2", "");
    slurm_says("GresTypes=gpu\nNodeName=n1 Gres=gpu::2", "4 error: Gres:");
    slurm_says("PreemptMode=REQUEUE", "1 error: PreemptMode needs a PreemptType");
    slurm_says("PreemptMode=REQUEUE\nPreemptType=preempt/qos", "");
    slurm_says("PowerAction=x Program=/x", "3 error: PowerAction needs Location");
    slurm_says("MaxJobCount=5 MaxNodeCount=6", "3 error: MaxJobCount takes one value");
    slurm_says("AccountingStorageTRES=gres/gpu", "3 error: AccountingStorageTRES: gres/ needs");
    slurm_says("AccountingStorageTRES=gres/gpu\nAccountingStorageType=accounting_storage/slurmdbd",
               "");
    slurm_says("FastSchedule=1", "3 warning: FastSchedule is no more:");
}

TEST(lint_misses_what_a_file_cannot_do_without)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(said(a, "slurm.conf", "ClusterName=x\n"), "1 error: SlurmctldHost is missing");
    CHECK_STR(said(a, "slurm_k8s_extra.conf.noedit", "MaxJobCount=5\n"), "");
    CHECK_STR(said(a, "x/slurmdbd.conf", "DbdHost=a\n"), "1 error: StorageType is missing");
}

TEST(lint_never_prints_a_password)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK(strstr(said(a, "slurmdbd.conf",
                      "StorageType=accounting_storage/mysql\nStoragePass=hush\n"
                      "StoragePass=hush hush=1\n"),
                 "=hush") == NULL);
}

TEST(lint_checks_the_other_files)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(said(a, "cgroup.conf", "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n"), "");
    CHECK(str_starts(said(a, "cgroup.conf", "CgroupPlugin=cgroup/v3\n"), "1 error: CgroupPlugin="));
    CHECK_STR(
        said(a, "gres.conf", "AutoDetect=nvidia\nNodeName=n[0-1] Name=gpu File=/dev/nvidia0\n"),
        "");
    CHECK_STR(said(a, "plugstack.conf", "# x\nrequired chroot.so /mnt\n"), "");
    CHECK(str_starts(said(a, "plugstack.conf", "needed chroot.so\n"), "1 error: 'needed'"));
    CHECK(str_starts(said(a, "plugstack.conf", "required\n"), "1 error: 'required' names no file"));
    CHECK_STR(said(a, "topology.yaml", "- topology: a\n  flat: true\n"), "");
    CHECK(
        str_starts(said(a, "topology.yaml", "- topology: a\n"), "1 error: a topology is exactly"));
    CHECK(str_starts(said(a, "topology.yaml", "{"), "1 error:"));
    CHECK_STR(said(a, "prolog.sh", "#!/bin/sh\nexit 0\n"), "");
    CHECK(str_starts(said(a, "prolog.sh", "exit 0\n"), "1 error: a script begins"));
    CHECK(str_starts(said(a, "prolog.sh", "#!/bin/sh\r\n"), "1 error: the first line ends"));
    CHECK(str_starts(said(a, "notes.txt", "x"), "1 error: not the name"));
}

/* Everything that we write ourselves must pass. */
TEST(lint_has_nothing_to_say_about_our_own_files)
{
    scoped(arena) struct arena *a = arena_new();
    const char *dir = fmt(a, "%s/golden/slurm", test_dir());
    DIR *open = opendir(dir);
    int count = 0;

    CHECK(open != NULL);
    for (struct dirent *entry; (entry = readdir(open));) {
        const char *name = entry->d_name;
        struct error err = { 0 };
        struct conf_doc *doc;

        if (!conf_kind_of(name) && !str_ends(name, ".yaml") && !str_ends(name, "plugstack.conf"))
            continue;
        if (str_eq(name, "soperator-entry.slurm.conf") || str_eq(name, "soperator-rest.slurm.conf"))
            continue; /* include by absolute path */
        if (str_eq(name, "slinky-accounting.slurm.conf"))
            continue; /* its user's text names nodes that its cluster does not have */
        CHECK_OK(lint_file(a, fmt(a, "%s/%s", dir, name), &doc, &err), err);
        for (size_t i = 0; i < doc->problem_count; i++)
            if (doc->problems[i].level == CONF_ERROR &&
                !str_ends(doc->problems[i].text, "is missing"))
                test_fail(__FILE__, __LINE__, "%s:%u: %s", name, doc->problems[i].line,
                          doc->problems[i].text);
        count++;
    }
    closedir(open);
    CHECK(count >= 15);
}
