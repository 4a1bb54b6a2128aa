/* nodeconf.c - the node record of a slurmd that registers itself. */
#include "slurm/nodeconf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

struct item {
    const char *key;
    struct buf values; /* commas between */
};

struct items {
    struct item *v;
    size_t n;
};

static const char blanks[] = " \t\r\n\v\f";

bool nodeconf_is_valid(const char *extra)
{
    for (const char *at = extra; at && *at;) {
        size_t len;

        at += strspn(at, blanks);
        len = strcspn(at, blanks);
        if (len > 0 && (!memchr(at, '=', len) || *at == '='))
            return false;
        at += len;
    }
    return true;
}

/* "RealMemory" -> "Realmemory": the spelling of the reference; Slurm reads any. */
static const char *key_of(struct arena *a, const char *text, size_t len)
{
    char *key = arena_strn(a, text, len);

    for (char *c = key; *c; c++)
        *c = (char)(c == key ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
    return str_eq(key, "Feature") ? "Features" : key;
}

static struct item *item_of(struct items *items, const char *key)
{
    for (size_t i = 0; i < items->n; i++)
        if (str_eq(items->v[i].key, key))
            return &items->v[i];
    items->v[items->n].key = key;
    return &items->v[items->n++];
}

static void add_value(struct item *item, const char *value, size_t len)
{
    if (item->values.len > 0)
        buf_char(&item->values, ',');
    buf_add(&item->values, value, len);
}

/* Room for every item of the text and two of ours. */
static struct items items_of(struct arena *a, const char *extra)
{
    struct items items = { .v = arena_make_n(a, struct item, 3 + strlen(extra) / 2) };

    while (nodeconf_is_valid(extra) && *extra) {
        size_t len, key;

        extra += strspn(extra, blanks);
        len = strcspn(extra, blanks);
        key = strcspn(extra, "=");
        if (len > 0)
            add_value(item_of(&items, key_of(a, extra, key)), extra + key + 1, len - key - 1);
        extra += len;
    }
    return items;
}

static void items_done(struct items *items)
{
    for (size_t i = 0; i < items->n; i++)
        buf_done(&items->v[i].values);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_feature(struct strs *features, const char *feature)
{
    if (*feature && !strs_has(*features, feature))
        features->v[features->n++] = feature;
}

struct strs nodeconf_features(struct arena *a, const char *nodeset, const char *extra)
{
    struct items items = items_of(a, extra ?: "");
    const char *named = buf_text(&item_of(&items, "Features")->values);
    struct strs features = { .v = arena_make_n(a, const char *, 2 + strlen(named)) };

    add_feature(&features, nodeset);
    while (*named) {
        size_t len = strcspn(named, ",");

        add_feature(&features, arena_strn(a, named, len));
        named += len + (named[len] == ',');
    }
    items_done(&items);
    qsort(features.v, features.n, sizeof *features.v, by_text);
    return features;
}

static char *joined(struct arena *a, struct strs list, const char *between)
{
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < list.n; i++)
        buf_fmt(&out, "%s%s", i ? between : "", list.v[i]);
    return arena_str(a, buf_text(&out));
}

char *nodeconf_text(struct arena *a, const char *nodeset, const char *extra, const char *topology)
{
    struct items items = items_of(a, extra ?: "");
    struct strs words;

    buf_clear(&item_of(&items, "Features")->values);
    buf_str(&item_of(&items, "Features")->values,
            joined(a, nodeconf_features(a, nodeset, extra), ","));
    if (topology && item_of(&items, "Topology")->values.len == 0)
        buf_str(&item_of(&items, "Topology")->values, topology);
    words = (struct strs) { .v = arena_make_n(a, const char *, items.n), .n = items.n };
    for (size_t i = 0; i < items.n; i++)
        words.v[i] = fmt(a, "%s=%s", items.v[i].key, buf_text(&items.v[i].values));
    items_done(&items);
    qsort(words.v, words.n, sizeof *words.v, by_text);
    return joined(a, words, " ");
}
