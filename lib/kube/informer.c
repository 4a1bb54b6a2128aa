/* informer.c - one cache for each kind that any controller's table names. */
#include <string.h>

#include "base/metrics.h"
#include "base/str.h"
#include "kube/runtime.h"

static struct metric_family objects_family = {
    .name = "windlass_cache_objects", .help = "Objects in the cache.", .type = METRIC_GAUGE,
    .labels = { "kind" },
};
static struct metric_family bytes_family = {
    .name = "windlass_cache_bytes", .help = "Bytes of the cached objects.", .type = METRIC_GAUGE,
    .labels = { "kind" },
};
static struct metric_family age_family = {
    .name = "windlass_cache_age_seconds", .help = "Since the server was last heard of the kind.",
    .type = METRIC_GAUGE, .labels = { "kind" },
};

static const struct cache_rule *rule_of(const struct manager *m, const struct kind *kind)
{
    const struct cache_rule *rule = m->options.cache_rules;

    while (rule && rule->kind && rule->kind != kind)
        rule++;
    return rule && rule->kind ? rule : NULL;
}

struct informer *informer_of(struct manager *m, const struct kind *kind)
{
    struct informer *informer = m->informers;

    while (informer && informer->kind != kind)
        informer = informer->next;
    return informer;
}

static struct informer *informer_need(struct manager *m, const struct kind *kind)
{
    struct informer *informer = informer_of(m, kind);

    if (informer)
        return informer;
    informer = must_alloc(sizeof *informer);
    *informer = (struct informer){ .next = m->informers, .kind = kind, .rule = rule_of(m, kind) };
    m->informers = informer;
    return informer;
}

static void need_index(struct informer *informer, const char *path)
{
    for (size_t i = 0; i < informer->index_count; i++)
        if (!strcmp(informer->indexes[i], path))
            return;
    if (informer->index_count == ARRAY_SIZE(informer->indexes) - 1)
        abort(); /* a wiring mistake, found by the first start */
    informer->indexes[informer->index_count++] = path;
}

static void plan_controller(struct manager *m, const struct controller *c)
{
    struct informer *primary = informer_need(m, c->reconciles);

    for (const struct kind *const *kind = c->owns; kind && *kind; kind++)
        need_index(informer_need(m, *kind), "@owner");
    for (const struct kind *const *kind = c->reads; kind && *kind; kind++)
        informer_need(m, *kind);
    for (const struct watch_row *row = c->watches; row && row->kind; row++) {
        informer_need(m, row->kind);
        if (row->by)
            need_index(primary, row->by);
    }
    for (const struct index_row *row = c->indexes; row && row->kind; row++)
        need_index(informer_need(m, row->kind), row->path);
}

static void make_cache(struct manager *m, struct informer *informer)
{
    const struct cache_rule *rule = informer->rule;

    informer->all = cache_new(&(struct cache_options){
        .kind = informer->kind,
        .namespaces = informer->kind->namespaced ? m->options.namespaces : (struct strs){ 0 },
        .label_selector = rule ? rule->label_selector : NULL,
        .metadata_only = rule && rule->metadata_only,
        .optional = rule && rule->optional,
        .indexes = informer->indexes,
    });
}

void informers_plan(struct manager *m)
{
    for (const struct controller *const *c = m->options.controllers; *c; c++)
        plan_controller(m, *c);
    for (struct informer *informer = m->informers; informer; informer = informer->next)
        make_cache(m, informer);
    for (const struct controller *const *c = m->options.controllers; *c; c++)
        for (const struct kind *const *kind = (*c)->follows; kind && *kind; kind++) {
            struct informer *informer = informer_need(m, *kind);

            if (!informer->named)
                informer->named = cache_new(&(struct cache_options){ .kind = *kind,
                                                                     .by_name = true });
        }
}

static void measure(void *arg)
{
    struct manager *m = arg;

    for (struct informer *i = m->informers; i; i = i->next) {
        const char *kind = i->kind->kind;

        if (!i->all)
            continue;
        metric_set(metric(&objects_family, kind), (double)cache_count(i->all));
        metric_set(metric(&bytes_family, kind), (double)cache_bytes(i->all));
        metric_set(metric(&age_family, kind), (double)cache_age(i->all) / 1e6);
    }
}

void informers_start(struct manager *m)
{
    for (struct informer *informer = m->informers; informer; informer = informer->next) {
        if (informer->all)
            cache_start(informer->all, m->client);
        if (informer->named)
            cache_start(informer->named, m->client);
    }
    metric_collect(measure, m);
}

bool informers_synced(struct manager *m)
{
    for (struct informer *informer = m->informers; informer; informer = informer->next)
        if (informer->all && !cache_synced(informer->all))
            return false;
    return true;
}

void informers_stop(struct manager *m)
{
    for (struct informer *informer = m->informers; informer; informer = informer->next) {
        if (informer->all)
            cache_stop(informer->all);
        if (informer->named)
            cache_stop(informer->named);
    }
}

void informers_free(struct manager *m)
{
    while (m->informers) {
        struct informer *informer = m->informers;

        m->informers = informer->next;
        cache_free(informer->all);
        cache_free(informer->named);
        free(informer);
    }
}
