/* list_bench.c - how fast a list of pods is read, and how much memory that takes.
 *
 *     list_bench cut|decode|value ITEMS POD.json
 *
 * The list is made of one pod with a different number in each copy, fed in pieces as they come out
 * of TLS. cut only finds the items, decode reads each into the struct that is cached, value makes
 * a JSON value of each. One line of JSON says what it took.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/str.h"
#include "k8s/pod.h"
#include "json/json.h"
#include "json/list.h"

enum { PIECE = 16 * 1024, COPIES = 64, POD_MAX = 1 << 20 };

struct bench {
    struct arena *arena;
    const char *mode;
    int64_t items;
};

static int on_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct bench *b = userdata;
    struct k8s_pod pod = { 0 };
    struct json *value;

    b->items++;
    if (str_eq(b->mode, "cut"))
        return 0;
    arena_reset(b->arena);
    if (str_eq(b->mode, "value"))
        return json_parse(b->arena, item, len, &value, err);
    if (table_read(b->arena, k8s_pod_kind.type, item, len, &pod, err) < 0)
        return err->code;
    return pod.meta.name ? 0 : fail(err, -EBADMSG, "a pod without a name"); /* it was really read */
}

/* Some pods, each with its own number in place of @@@@@@, each with a comma behind it. */
static void make_pods(const char *pod, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = out->len;
        char number[8];

        snprintf(number, sizeof number, "%06zu", i % 1000000);
        buf_add(out, pod, strcspn(pod, "\n"));
        buf_char(out, ',');
        for (char *hole; (hole = strstr(out->bytes + at, "@@@@@@"));)
            memcpy(hole, number, 6);
    }
}

static int feed(struct list_cutter *cutter, const char *text, size_t len, struct error *err)
{
    int rc = 0;

    for (size_t at = 0; at < len && rc == 0; at += PIECE)
        rc = list_cutter_feed(cutter, text + at, len - at < PIECE ? len - at : PIECE, err);
    return rc;
}

static int feed_list(struct list_cutter *cutter, const struct buf *pods, int64_t items,
                     int64_t *ret_bytes, struct error *err)
{
    static const char head[] = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":"
                               "{\"resourceVersion\":\"1\"},\"items\":[";
    const char *around;
    size_t len;
    int rc = feed(cutter, head, strlen(head), err);

    for (int64_t left = items / COPIES; left > 0 && rc == 0; left--) {
        size_t n = left > 1 ? pods->len : pods->len - 1; /* no comma behind the last */

        rc = feed(cutter, pods->bytes, n, err);
        *ret_bytes += (int64_t)n;
    }
    return rc ?: feed(cutter, "]}", 2, err) ?: list_cutter_end(cutter, &around, &len, err);
}

/* Time on a core, which other processes on the machine do not stretch as they do the time of day.
 */
static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The peak of this program alone: ru_maxrss would begin with that of whoever started us. */
static long peak_kib(void)
{
    scoped(file) FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    long kib = -1;

    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld kB", &kib) == 1)
            break;
    return kib;
}

static int run(struct bench *b, const char *pod, int64_t items, struct error *err)
{
    struct list_options options = { .array = "items",
                                    .item_limit = POD_MAX,
                                    .around_limit = 4096,
                                    .on_item = on_item,
                                    .userdata = b };
    scoped(list_cutter) struct list_cutter *cutter = list_cutter_new(&options);
    scoped(buf) struct buf pods = { 0 };
    int64_t bytes = 0;
    double began, seconds;

    make_pods(pod, COPIES, &pods);
    began = cpu_seconds();
    if (feed_list(cutter, &pods, items, &bytes, err) < 0)
        return wrap(err, "item %lld", (long long)b->items);
    seconds = cpu_seconds() - began;
    printf("{\"mode\":\"%s\",\"items\":%lld,\"bytes\":%lld,\"cpu_seconds\":%.4f,\"mb_per_s\":%.0f,"
           "\"peak_kib\":%ld}\n",
           b->mode, (long long)b->items, (long long)bytes, seconds, (double)bytes / 1e6 / seconds,
           peak_kib());
    return 0;
}

int main(int argc, char **argv)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(free) char *pod = NULL;
    struct error err = { 0 };
    struct bench b = { .arena = a };
    int64_t items;

    if (argc != 4 || !str_int(argv[2], &items) || items < COPIES) {
        fprintf(stderr, "usage: %s cut|decode|value ITEMS POD.json (at least %d items)\n", argv[0],
                COPIES);
        return 2;
    }
    b.mode = argv[1];
    if (file_read(argv[3], POD_MAX, &pod, NULL, &err) < 0 || run(&b, pod, items, &err) < 0) {
        fprintf(stderr, "%s\n", error_text(&err));
        return 1;
    }
    return 0;
}
