/* rbac.c - the permissions that controllers need, read off their tables. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "kube/manager.h"

enum { RULES_MAX = 64 };

enum needs { READ = 1, WRITE = 2, STATUS = 4, FINALIZERS = 8 };

struct rules {
    struct {
        const struct kind *kind;
        unsigned needs;
    } v[RULES_MAX];
    size_t n;
};

static void need(struct rules *rules, const struct kind *kind, unsigned needs)
{
    for (size_t i = 0; i < rules->n; i++)
        if (rules->v[i].kind == kind) {
            rules->v[i].needs |= needs;
            return;
        }
    if (rules->n == RULES_MAX)
        abort(); /* a wiring mistake */
    rules->v[rules->n].kind = kind;
    rules->v[rules->n++].needs = needs;
}

static void add_controller(struct rules *rules, const struct controller *c)
{
    need(rules, c->reconciles, READ | STATUS | FINALIZERS | (c->finalizer ? WRITE : 0));
    for (const struct kind *const *kind = c->owns; kind && *kind; kind++)
        need(rules, *kind, READ | WRITE);
    for (const struct kind *const *kind = c->reads; kind && *kind; kind++)
        need(rules, *kind, READ);
    for (const struct kind *const *kind = c->follows; kind && *kind; kind++)
        need(rules, *kind, READ);
    for (const struct kind *const *kind = c->writes; kind && *kind; kind++)
        need(rules, *kind, READ | WRITE);
    for (const struct kind *const *kind = c->tells; kind && *kind; kind++)
        need(rules, *kind, READ | STATUS);
    for (const struct watch_row *row = c->watches; row && row->kind; row++)
        need(rules, row->kind, READ);
}

static int by_group(const void *x, const void *y)
{
    const struct kind *const *a = x;
    const struct kind *const *b = y;

    return strcmp((*a)->group, (*b)->group) ?: strcmp((*a)->plural, (*b)->plural);
}

static void write_rule(struct buf *out, const struct kind *kind, const char *suffix,
                       const char *verbs)
{
    buf_fmt(out, "- apiGroups: [\"%s\"]\n  resources: [\"%s%s\"]\n  verbs: [%s]\n", kind->group,
            kind->plural, suffix, verbs);
}

static void write_rules(struct buf *out, const struct kind *kind, unsigned needs)
{
    write_rule(out, kind, "", needs & WRITE ? "get, list, watch, create, patch, delete"
                                            : "get, list, watch");
    if (needs & STATUS && kind->has_status)
        write_rule(out, kind, "/status", "patch");
    if (needs & FINALIZERS)
        write_rule(out, kind, "/finalizers", "update");
}

void manager_rbac(const struct controller *const *controllers, struct buf *out)
{
    struct rules rules = { .n = 0 };

    for (; *controllers; controllers++)
        add_controller(&rules, *controllers);
    qsort(rules.v, rules.n, sizeof rules.v[0], by_group);
    for (size_t i = 0; i < rules.n; i++)
        write_rules(out, rules.v[i].kind, rules.v[i].needs);
    buf_str(out, "- apiGroups: [\"events.k8s.io\"]\n  resources: [\"events\"]\n"
                 "  verbs: [create, patch]\n");
}
