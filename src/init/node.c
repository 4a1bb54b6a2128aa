/* node.c - what a worker says about itself: the --conf of slurmd. */
#include "init/node.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/str.h"

/* Where the value of an item begins in "A=1 B=2", case aside; NULL: no such item. */
static const char *item(const char *text, const char *key)
{
    size_t len = strlen(key);

    for (const char *word = text + strspn(text, " \n"); *word;) {
        if (strncasecmp(word, key, len) == 0 && word[len] == '=')
            return word + len + 1;
        word += strcspn(word, " \n");
        word += strspn(word, " \n");
    }
    return NULL;
}

/* A number of an item; -1 when it is missing or not one. */
static int64_t number(struct arena *a, const char *text, const char *key)
{
    const char *value = item(text, key);
    int64_t n;

    return value && str_int(arena_strn(a, value, strcspn(value, " \n")), &n) ? n : -1;
}

static void add(struct buf *out, const char *conf, const char *key, const char *value)
{
    if (item(conf, key) || str_empty(value))
        return;
    if (out->len)
        buf_char(out, ' ');
    buf_fmt(out, "%s=%s", key, value);
}

/* Cores that the pod may not use; 0: it may use all, or we cannot tell. */
static int64_t spare_cores(struct arena *a, const char *hardware, int64_t cpus)
{
    int64_t boards = number(a, hardware, "Boards");
    int64_t sockets = number(a, hardware, "SocketsPerBoard");
    int64_t cores = number(a, hardware, "CoresPerSocket");
    int64_t threads = number(a, hardware, "ThreadsPerCore");
    int64_t all, used;

    if (cpus <= 0 || boards <= 0 || sockets <= 0 || cores <= 0 || threads <= 0 || boards > 4096 ||
        sockets > 4096 || cores > 4096)
        return 0;
    all = boards * sockets * cores;
    used = (cpus + threads - 1) / threads;
    return used < all ? all - used : 0;
}

static int64_t spare_memory(struct arena *a, const char *hardware, int64_t memory)
{
    int64_t all = number(a, hardware, "RealMemory");

    return memory > 0 && all > memory ? all - memory : 0;
}

const char *node_conf(struct arena *a, const char *conf, const char *hardware,
                      const struct node_limits *limits)
{
    scoped(buf) struct buf out = { 0 };
    int64_t cores = spare_cores(a, hardware, limits->cpus);
    int64_t memory = spare_memory(a, hardware, limits->memory);

    buf_str(&out, conf);
    if (!item(conf, "CpuSpecList"))
        add(&out, conf, "CoreSpecCount", cores ? fmt(a, "%" PRId64, cores) : NULL);
    add(&out, conf, "MemSpecLimit", memory ? fmt(a, "%" PRId64, memory) : NULL);
    add(&out, conf, "Topology", limits->topology);
    return arena_str(a, buf_text(&out));
}
