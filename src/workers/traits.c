/* traits.c - what a Kubernetes node says about the Slurm node of its worker. */
#include "workers/traits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

static struct strs words_of(struct arena *a, const char *list)
{
    struct strs words = { 0 };
    char *copy = arena_str(a, list ?: "");
    char *rest = NULL;

    words.v = arena_make_n(a, const char *, strlen(copy) + 1);
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        size_t len;

        word += strspn(word, " \t");
        len = strlen(word);
        while (len && isspace((unsigned char)word[len - 1]))
            word[--len] = '\0';
        if (len && !strs_has(words, word))
            words.v[words.n++] = word;
    }
    return words;
}

static int compare(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static const char *join(struct arena *a, struct strs words)
{
    scoped(buf) struct buf out = { 0 };

    if (words.n)
        qsort(words.v, words.n, sizeof *words.v, compare);
    for (size_t i = 0; i < words.n; i++)
        buf_fmt(&out, "%s%s", i ? "," : "", words.v[i]);
    return arena_str(a, buf_text(&out));
}

const char *features_of(struct arena *a, const char *prefix, const char *now, const char *wanted)
{
    struct strs have = words_of(a, now), want = words_of(a, wanted);
    struct strs all = { .v = arena_make_n(a, const char *, have.n + want.n + 1) };

    for_each (word, have)
        if (!str_starts(*word, prefix))
            all.v[all.n++] = *word;
    for_each (word, want) {
        const char *signed_word = fmt(a, "%s%s", prefix, *word);

        if (!strs_has(all, signed_word))
            all.v[all.n++] = signed_word;
    }
    return join(a, all);
}

bool features_same(struct arena *a, const char *x, const char *y)
{
    return str_eq(join(a, words_of(a, x)), join(a, words_of(a, y)));
}

/* Most nodes carry no features of ours and want none. */
static bool concerns_us(const struct set_facts *set, const struct worker_facts *w)
{
    return !str_empty(w->machine->features) ||
           strstr(w->slurm.features ?: "", set->feature_prefix) ||
           strstr(w->slurm.active_features ?: "", set->feature_prefix);
}

static bool may_be_told(const struct worker_facts *w)
{
    return w->machine && !w->deleting && !w->told && is_yes(w->slurm.registered) &&
           w->slurm.state.known;
}

struct groups features_plan(struct arena *a, const struct set_facts *set)
{
    struct groups groups = { 0 };

    for (size_t i = 0; i < set->count; i++) {
        const struct worker_facts *w = &set->workers[i];
        const char *all, *active;

        if (!may_be_told(w) || !concerns_us(set, w))
            continue;
        all = features_of(a, set->feature_prefix, w->slurm.features, w->machine->features);
        active =
            features_of(a, set->feature_prefix, w->slurm.active_features, w->machine->features);
        if (!features_same(a, all, w->slurm.features) ||
            !features_same(a, active, w->slurm.active_features))
            groups_add(a, &groups, all, active, w->host, set->count);
    }
    return groups;
}

struct groups topology_plan(struct arena *a, const struct set_facts *set)
{
    struct groups groups = { 0 };

    for (size_t i = 0; i < set->count; i++) {
        const struct worker_facts *w = &set->workers[i];

        /* A node that says nothing leaves Slurm's own topology alone. */
        if (may_be_told(w) && !str_empty(w->machine->topology) &&
            !str_eq(w->machine->topology, w->slurm.topology))
            groups_add(a, &groups, w->machine->topology, NULL, w->host, set->count);
    }
    return groups;
}
