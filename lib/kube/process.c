/* process.c - what the kernel knows about this process, as every Prometheus client tells it. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/metrics.h"
#include "kube/runtime.h"

enum { STAT_MAX = 4096, START_FIELD = 20 }; /* proc(5): starttime, counted from after the name */

static struct metric_family cpu_family = {
    .name = "process_cpu_seconds_total", .help = "Processor time spent, user and system.",
};
static struct metric_family resident_family = {
    .name = "process_resident_memory_bytes", .help = "Resident memory.", .type = METRIC_GAUGE,
};
static struct metric_family virtual_family = {
    .name = "process_virtual_memory_bytes", .help = "Virtual memory.", .type = METRIC_GAUGE,
};
static struct metric_family open_family = {
    .name = "process_open_fds", .help = "Open file descriptors.", .type = METRIC_GAUGE,
};
static struct metric_family most_family = {
    .name = "process_max_fds", .help = "File descriptors there may be.", .type = METRIC_GAUGE,
};
static struct metric_family start_family = {
    .name = "process_start_time_seconds", .help = "When the process began, since 1970.",
    .type = METRIC_GAUGE,
};

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void measure_memory(void)
{
    scoped(free) char *text = NULL;
    unsigned long total;
    unsigned long resident;
    double page = (double)sysconf(_SC_PAGESIZE);

    if (file_read("/proc/self/statm", STAT_MAX, &text, NULL, NULL) < 0 ||
        sscanf(text, "%lu %lu", &total, &resident) != 2)
        return;
    metric_set(metric(&virtual_family), (double)total * page);
    metric_set(metric(&resident_family), (double)resident * page);
}

static void measure_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    struct rlimit limit;
    double open = 0;

    if (!dir)
        return;
    while (readdir(dir))
        open++;
    closedir(dir);
    metric_set(metric(&open_family), open - 3); /* ".", ".." and the directory itself */
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        metric_set(metric(&most_family), (double)limit.rlim_cur);
}

/* The kernel counts from its boot, in ticks. */
static double age(void)
{
    scoped(free) char *text = NULL;
    const char *at;
    double up;
    double started;

    if (file_read("/proc/self/stat", STAT_MAX, &text, NULL, NULL) < 0 || !(at = strrchr(text, ')')))
        return 0;
    for (int field = 0; field < START_FIELD && at; field++)
        at = strchr(at + 1, ' ');
    if (!at || sscanf(at, "%lf", &started) != 1)
        return 0;
    free(take(text));
    if (file_read("/proc/uptime", STAT_MAX, &text, NULL, NULL) < 0 || sscanf(text, "%lf", &up) != 1)
        return 0;
    return up - started / (double)sysconf(_SC_CLK_TCK);
}

void process_measure(void *arg)
{
    struct metric *cpu = metric(&cpu_family);
    struct rusage usage;

    (void)arg;
    getrusage(RUSAGE_SELF, &usage);
    metric_set(cpu, seconds(usage.ru_utime) + seconds(usage.ru_stime));
    metric_set(metric(&start_family), (double)clock_wall() / 1e6 - age());
    measure_memory();
    measure_descriptors();
}
