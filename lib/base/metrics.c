/* metrics.c - the registry and its text form. */
#include "base/metrics.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct metric {
    struct metric *next;
    const struct metric_family *family;
    char *values[METRIC_LABELS_MAX];
    _Atomic uint64_t bits; /* a double: the value, or the histogram's sum */
    _Atomic uint64_t counts[]; /* histograms: one for each bucket and +Inf */
};

struct collector {
    struct collector *next;
    void (*collect)(void *);
    void *userdata;
};

const double metric_latency_buckets[] = { 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2,  0.25, 0.3,
                                          0.35,  0.4,  0.45,  0.5,  0.6, 0.7,  0.8,  0.9,  1,
                                          1.25,  1.5,  1.75,  2,    2.5, 3,    3.5,  4,    4.5,
                                          5,     6,    7,     8,    9,   10,   15,   20,   25,
                                          30,    40,   60,    0 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct metric_family *families; /* under lock, and so is every list of series */
static struct collector *collectors;   /* under lock */

static size_t bucket_count(const struct metric_family *family)
{
    size_t n = 0;

    if (family->type != METRIC_HISTOGRAM)
        return 0;
    while (family->buckets[n])
        n++;
    return n;
}

static bool same_values(const struct metric *m, const char *const *values)
{
    for (int i = 0; i < METRIC_LABELS_MAX && m->family->labels[i]; i++)
        if (!str_eq(m->values[i], values[i] ?: ""))
            return false;
    return true;
}

static struct metric **slot_of(struct metric_family *family, const char *const *values)
{
    struct metric **slot = &family->series;

    while (*slot && !same_values(*slot, values))
        slot = &(*slot)->next;
    return slot;
}

static struct metric *metric_new(const struct metric_family *family, const char *const *values)
{
    size_t counts = family->type == METRIC_HISTOGRAM ? bucket_count(family) + 1 : 0;
    struct metric *m = must_alloc(sizeof *m + counts * sizeof m->counts[0]);

    m->family = family;
    for (int i = 0; i < METRIC_LABELS_MAX && family->labels[i]; i++)
        m->values[i] = must_str(values[i] ?: "");
    return m;
}

static void register_family(struct metric_family *family)
{
    struct metric_family **slot = &families;

    if (family->registered)
        return;
    while (*slot && strcmp((*slot)->name, family->name) < 0)
        slot = &(*slot)->next;
    family->next = *slot;
    family->registered = true;
    *slot = family;
}

struct metric *metric_find(struct metric_family *family, const char *const *values)
{
    scoped_lock(&lock);
    struct metric **slot;

    register_family(family);
    slot = slot_of(family, values);
    if (!*slot)
        *slot = metric_new(family, values);
    return *slot;
}

static void metric_free(struct metric *m)
{
    for (int i = 0; i < METRIC_LABELS_MAX; i++)
        free(m->values[i]);
    free(m);
}

void metric_drop(struct metric_family *family, const char *const *values)
{
    scoped_lock(&lock);
    struct metric **slot = slot_of(family, values);
    struct metric *m = *slot;

    if (!m)
        return;
    *slot = m->next;
    metric_free(m);
}

static double load_bits(const struct metric *m)
{
    uint64_t bits = atomic_load_explicit(&m->bits, memory_order_relaxed);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void metric_add(struct metric *m, double by)
{
    uint64_t old = atomic_load_explicit(&m->bits, memory_order_relaxed);
    double value;

    do
        memcpy(&value, &old, sizeof value);
    while (!atomic_compare_exchange_weak(&m->bits, &old, to_bits(value + by)));
}

void metric_set(struct metric *m, double to)
{
    atomic_store(&m->bits, to_bits(to));
}

void metric_observe(struct metric *m, double value)
{
    size_t i = 0;

    while (m->family->buckets[i] && value > m->family->buckets[i])
        i++;
    atomic_fetch_add(&m->counts[i], 1);
    metric_add(m, value);
}

double metric_value(const struct metric *m)
{
    uint64_t total = 0;

    if (m->family->type != METRIC_HISTOGRAM)
        return load_bits(m);
    for (size_t i = 0; i <= bucket_count(m->family); i++)
        total += atomic_load(&m->counts[i]);
    return (double)total;
}

void metric_collect(void (*collect)(void *), void *userdata)
{
    scoped_lock(&lock);
    struct collector *c = must_alloc(sizeof *c);

    *c = (struct collector){ .next = collectors, .collect = collect, .userdata = userdata };
    collectors = c;
}

static void write_number(struct buf *out, double value)
{
    if (isinf(value))
        buf_str(out, value > 0 ? "+Inf" : "-Inf");
    else if (value == floor(value) && fabs(value) < 1e15)
        buf_fmt(out, "%lld", (long long)value);
    else
        buf_fmt(out, "%.12g", value);
}

static void write_label(struct buf *out, const char *name, const char *value, bool *first)
{
    buf_fmt(out, "%s%s=\"", *first ? "{" : ",", name);
    *first = false;
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            buf_char(out, '\\');
        if (*value == '\n')
            buf_str(out, "\\n");
        else
            buf_char(out, *value);
    }
    buf_char(out, '"');
}

static void write_sample(struct buf *out, const struct metric *m, const char *suffix,
                         const char *bound, double value)
{
    bool first = true;

    buf_fmt(out, "%s%s", m->family->name, suffix);
    for (int i = 0; i < METRIC_LABELS_MAX && m->family->labels[i]; i++)
        write_label(out, m->family->labels[i], m->values[i], &first);
    if (bound)
        write_label(out, "le", bound, &first);
    buf_str(out, first ? " " : "} ");
    write_number(out, value);
    buf_char(out, '\n');
}

static void write_histogram(struct buf *out, const struct metric *m)
{
    uint64_t total = 0;
    size_t n = bucket_count(m->family);

    for (size_t i = 0; i <= n; i++) {
        scoped(buf) struct buf bound = { 0 };

        total += atomic_load(&m->counts[i]);
        write_number(&bound, i < n ? m->family->buckets[i] : INFINITY);
        write_sample(out, m, "_bucket", bound.bytes, (double)total);
    }
    write_sample(out, m, "_sum", NULL, load_bits(m));
    write_sample(out, m, "_count", NULL, (double)total);
}

static void write_family(struct buf *out, const struct metric_family *family)
{
    static const char *const types[] = { "counter", "gauge", "histogram" };

    buf_fmt(out, "# HELP %s %s\n# TYPE %s %s\n", family->name, family->help, family->name,
            types[family->type]);
    for (const struct metric *m = family->series; m; m = m->next) {
        if (family->type == METRIC_HISTOGRAM)
            write_histogram(out, m);
        else
            write_sample(out, m, "", NULL, load_bits(m));
    }
}

void metrics_write(struct buf *out)
{
    struct collector *c;

    pthread_mutex_lock(&lock);
    c = collectors;
    pthread_mutex_unlock(&lock);
    for (; c; c = c->next) /* collectors are only ever added in front */
        c->collect(c->userdata);

    scoped_lock(&lock);
    for (const struct metric_family *family = families; family; family = family->next)
        write_family(out, family);
}
