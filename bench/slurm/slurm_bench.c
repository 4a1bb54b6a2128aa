/* slurm_bench.c - how fast and how small the Slurm client reads: see README.md.
 *
 *     slurm_bench decode nodes|jobs FILE    a list from a file, as the snapshot reads it
 *     slurm_bench client URL                through a server: first load, refreshes, a drain
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/metrics.h"
#include "base/str.h"
#include "net/loop.h"
#include "slurm/pack.h"
#include "slurm/record.h"
#include "slurm/snapshot.h"
#include "json/list.h"

enum { PIECE = 16384, WINDOWS = 20 };

static double cpu_seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A line of /proc/self/status, in KiB. */
static long status_kib(const char *name)
{
    scoped(file) FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long value = 0;

    while (file && fgets(line, sizeof line, file))
        if (str_starts(line, name))
            value = strtol(line + strlen(name) + 1, NULL, 10);
    return value;
}

static void forget_peak(void)
{
    scoped(file) FILE *file = fopen("/proc/self/clear_refs", "w");

    if (file)
        fputs("5", file);
}

struct taking {
    enum slurm_part part;
    struct arena *scratch;
    struct pack *pack;
};

static int take_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct taking *t = userdata;
    struct slurm_node node;
    struct slurm_job job;
    int rc;

    if (t->part == SLURM_NODES)
        rc = node_decode(t->scratch, item, len, &node, err) ?: pack_add_node(t->pack, &node, err);
    else
        rc = job_decode(t->scratch, item, len, &job, err) ?: pack_add_job(t->pack, &job, err);
    arena_reset(t->scratch);
    return rc;
}

/* Reads the file in pieces of a socket's size; the reading itself is not on the clock. */
static struct pack *read_list(enum slurm_part part, const char *path, size_t expect,
                              double *seconds, size_t *bytes)
{
    scoped(arena) struct arena *scratch = arena_new();
    struct taking t = { .part = part, .scratch = scratch, .pack = pack_new(part, expect) };
    struct list_options options = { .array = part == SLURM_NODES ? "nodes" : "jobs",
                                    .item_limit = 4 << 20,
                                    .around_limit = 1 << 20,
                                    .on_item = take_item,
                                    .userdata = &t };
    scoped(list_cutter) struct list_cutter *cutter = list_cutter_new(&options);
    scoped(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct error err = { 0 };
    static char piece[PIECE];
    const char *around;
    ssize_t n;
    size_t len;

    while ((n = read(fd, piece, sizeof piece)) > 0) {
        double began = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);

        if (list_cutter_feed(cutter, piece, (size_t)n, &err) < 0)
            break;
        *seconds += cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - began;
        *bytes += (size_t)n;
    }
    if (err.code || list_cutter_end(cutter, &around, &len, &err) < 0 ||
        pack_finish(t.pack, &err) < 0) {
        fprintf(stderr, "slurm_bench: %s: %s\n", path, error_text(&err));
        exit(1);
    }
    return t.pack;
}

static void ignore(void *userdata, const struct slurm_change *change)
{
    (void)userdata, (void)change;
}

/* Twice, as a refresh does: the old list stays until the new one is whole. */
static int decode(enum slurm_part part, const char *path)
{
    long before = status_kib("VmRSS:");
    scoped(pack) struct pack *first = NULL;
    scoped(pack) struct pack *second = NULL;
    double seconds = 0, best;
    double began;
    size_t bytes = 0;
    long first_peak;

    forget_peak();
    first = read_list(part, path, 0, &seconds, &bytes);
    first_peak = status_kib("VmHWM:") - before;
    best = seconds;
    seconds = 0;
    bytes = 0;
    second = read_list(part, path, pack_count(first), &seconds, &bytes);
    best = seconds < best ? seconds : best;
    began = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    pack_diff(part, first, second, ignore, NULL);
    printf("{\"records\":%zu,\"bytes\":%zu,\"mb_per_s\":%.1f,\"kept_per_record\":%.1f,"
           "\"kept_kib\":%zu,\"beyond_first_kib\":%ld,\"beyond_refresh_kib\":%ld,"
           "\"diff_ms\":%.2f}\n",
           pack_count(first), bytes, (double)bytes / 1e6 / best,
           (double)pack_bytes(first) / (double)pack_count(first), pack_bytes(first) / 1024,
           first_peak - (long)(pack_bytes(first) / 1024),
           status_kib("VmHWM:") - before - (long)(pack_bytes(second) / 1024),
           (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - began) * 1e3);
    return 0;
}

/* The sum of all series of a metric. */
static double sum_of(const char *metric_name)
{
    scoped(buf) struct buf out = { 0 };
    double sum = 0;

    metrics_write(&out);
    for (const char *at = buf_text(&out); (at = strstr(at, metric_name)); at++)
        if (at[strlen(metric_name)] == '{')
            sum += strtod(strchr(at, '}') + 1, NULL);
    return sum;
}

static double received(void)
{
    return sum_of("windlass_slurm_received_bytes_total");
}

static double calls(void)
{
    return sum_of("windlass_slurm_calls_total");
}

static void refresh(struct slurm *slurm, unsigned parts)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurm_call call = { .arena = a, .deadline = clock_now() + 120 * USEC_SEC };

    slurm_view_unref(slurm_view_since(slurm, &call, parts, clock_now()));
    if (call.fault.code) {
        fprintf(stderr, "slurm_bench: %s\n", call.fault.text);
        exit(1);
    }
}

static void load(struct slurm *slurm, enum slurm_part part, const char *name)
{
    long before = status_kib("VmRSS:");
    double cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), bytes = received();
    usec wall = clock_now();

    forget_peak();
    refresh(slurm, part);
    cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    bytes = received() - bytes;
    printf("\"%s\":{\"mb\":%.1f,\"cpu_s\":%.3f,\"mb_per_cpu_s\":%.1f,\"wall_s\":%.3f,"
           "\"rss_before_kib\":%ld,\"rss_after_kib\":%ld,\"peak_kib\":%ld},",
           name, bytes / 1e6, cpu, bytes / 1e6 / cpu, (double)(clock_now() - wall) / USEC_SEC,
           before, status_kib("VmRSS:"), status_kib("VmHWM:"));
}

static void nap(usec time)
{
    struct timespec t = { .tv_sec = time / USEC_SEC, .tv_nsec = time % USEC_SEC * 1000 };

    nanosleep(&t, NULL);
}

/* A client of its own that does nothing but refresh, as one does whose cluster is idle. The best of
 * several windows, because others use this machine too. */
static void unchanged(struct loop *loop, const char *url, enum slurm_part part, const char *name)
{
    scoped(slurm) struct slurm *slurm = NULL;
    struct slurm_options options = {
        .cluster = name, .url = url, .token.text = "t", .keep = part, .refresh = 2 * USEC_MSEC
    };
    double best = 1, bytes, count, first;

    if (slurm_new(loop, &options, &slurm, NULL) < 0)
        exit(1);
    refresh(slurm, part);
    bytes = received();
    first = calls();
    for (int i = 0; i < WINDOWS; i++) {
        double cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), before = calls();

        nap(200 * USEC_MSEC);
        cpu = (cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / (calls() - before);
        best = cpu < best ? cpu : best;
    }
    count = calls() - first;
    printf("\"%s_unchanged\":{\"cpu_us\":%.1f,\"bytes\":%.0f,\"count\":%.0f},", name, best * 1e6,
           (received() - bytes) / count, count);
}

static void drain(struct slurm *slurm, const char *hosts, const char *name)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurm_call call = { .arena = a };
    struct slurm_node_change change = { .state = "DRAIN", .reason = "windlass: bench" };
    struct slurm_outcome out;
    double before = calls();
    usec wall = clock_now();
    enum answer answer = slurm_nodes_change(slurm, &call, hosts, &change, &out);

    printf(
        "\"%s\":{\"answer\":\"%s\",\"done\":%zu,\"missing\":%zu,\"calls\":%.0f,\"wall_ms\":%.1f}",
        name, answer_text(answer), out.done.n, out.missing.n, calls() - before,
        (double)(clock_now() - wall) / USEC_MSEC);
}

static int client(const char *url)
{
    scoped(loop) struct loop *loop = loop_new();
    scoped(slurm) struct slurm *slurm = NULL;
    struct slurm_options options = {
        .cluster = "bench", .url = url, .token.text = "t", .refresh = 3600 * USEC_SEC
    };
    struct error err = { 0 };

    if (loop_start(loop, &err) < 0 || slurm_new(loop, &options, &slurm, &err) < 0) {
        fprintf(stderr, "slurm_bench: %s\n", error_text(&err));
        return 1;
    }
    printf("{");
    load(slurm, SLURM_NODES, "nodes");
    load(slurm, SLURM_JOBS, "jobs");
    unchanged(loop, url, SLURM_NODES, "nodes");
    unchanged(loop, url, SLURM_JOBS, "jobs");
    drain(slurm, "node-[00000-00999]", "drain");
    printf(",");
    drain(slurm, "node-[00000-00998],nosuch", "drain_with_a_missing_one");
    printf("}\n");
    return 0;
}

/* Nothing but refreshes of one part, for counting instructions. */
static int idle(enum slurm_part part, const char *url)
{
    scoped(loop) struct loop *loop = loop_new();

    if (loop_start(loop, NULL) < 0)
        return 1;
    printf("{");
    unchanged(loop, url, part, part == SLURM_NODES ? "nodes" : "jobs");
    printf("\"end\":0}\n");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && str_eq(argv[1], "decode"))
        return decode(str_eq(argv[2], "nodes") ? SLURM_NODES : SLURM_JOBS, argv[3]);
    if (argc == 3 && str_eq(argv[1], "client"))
        return client(argv[2]);
    if (argc == 4 && str_eq(argv[1], "idle"))
        return idle(str_eq(argv[2], "nodes") ? SLURM_NODES : SLURM_JOBS, argv[3]);
    fprintf(stderr, "usage: slurm_bench decode nodes|jobs FILE | client URL\n");
    return 2;
}
