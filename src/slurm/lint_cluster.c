/* lint_cluster.c - what the lines of a file say together. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "base/scope.h"
#include "base/str.h"
#include "slurm/hostlist.h"
#include "slurm/lint_values.h"
#include "slurm/tres.h"

enum { NODES_LOOKED_AT = 1 << 17 }; /* beyond that many, names are not compared one by one */

struct cluster {
    struct arena *arena;
    struct conf_doc *doc;
    bool whole;
    struct map nodes; /* name -> entry */
    struct map sets;
    struct map partitions;
};

static bool is_default(const char *name)
{
    return strcasecmp(name, "DEFAULT") == 0;
}

static bool key_is(const struct conf_entry *entry, const char *key)
{
    return strcasecmp(entry->pairs[0].key, key) == 0;
}

static void say(struct cluster *c, const struct conf_entry *entry, enum conf_level level,
                const char *text)
{
    conf_add_problem(c->arena, c->doc, level, entry->file, entry->line, "%s", text);
}

static void put_once(struct cluster *c, struct map *map, const struct conf_entry *entry,
                     const char *what, const char *name)
{
    const struct conf_entry *before = map_put(map, name, (void *)(uintptr_t)entry);

    if (before && before != entry)
        say(c, entry, CONF_ERROR,
            fmt(c->arena, "%s %s is there already, in %s line %u", what, name, before->file,
                before->line));
}

static void collect_nodes(struct cluster *c, const struct conf_entry *entry)
{
    struct strs names;

    if (is_default(entry->pairs[0].value) ||
        hostlist_expand(c->arena, entry->pairs[0].value, NODES_LOOKED_AT, &names, NULL) < 0)
        return;
    for (size_t i = 0; i < names.n; i++)
        put_once(c, &c->nodes, entry, "node", names.v[i]);
}

static void collect(struct cluster *c)
{
    for (size_t i = 0; i < c->doc->count; i++) {
        const struct conf_entry *entry = &c->doc->entries[i];
        const char *name = entry->pairs[0].value;

        if (key_is(entry, "NodeName"))
            collect_nodes(c, entry);
        else if (key_is(entry, "NodeSet"))
            map_put(&c->sets, name, (void *)(uintptr_t)entry); /* several lines add up */
        else if (key_is(entry, "PartitionName") && !is_default(name))
            put_once(c, &c->partitions, entry, "partition", name);
    }
}

/* Names in Nodes= that nobody defines: slurmctld dies of them. Nodes that register themselves are
 * in no file and get into a partition by a node set. */
static void check_partition_nodes(struct cluster *c, const struct conf_entry *entry)
{
    const char *nodes = conf_option(entry, "Nodes");
    struct strs names;

    if (!nodes || hostlist_expand(c->arena, nodes, NODES_LOOKED_AT, &names, NULL) < 0)
        return;
    for (size_t i = 0; i < names.n; i++) {
        if (strcasecmp(names.v[i], "ALL") == 0 || map_has(&c->nodes, names.v[i]) ||
            map_has(&c->sets, names.v[i]))
            continue;
        say(c, entry, CONF_ERROR,
            fmt(c->arena, "partition %s: there is no node or node set '%s'", entry->pairs[0].value,
                names.v[i]));
        return; /* one is enough */
    }
}

static void check_partitions(struct cluster *c)
{
    const struct conf_entry *first = NULL;

    for (size_t i = 0; i < c->doc->count; i++) {
        const struct conf_entry *entry = &c->doc->entries[i];
        const char *yes = conf_option(entry, "Default");

        if (!key_is(entry, "PartitionName"))
            continue;
        if (c->whole)
            check_partition_nodes(c, entry);
        if (!yes || strcasecmp(yes, "YES") != 0)
            continue;
        if (first)
            say(c, entry, CONF_WARNING,
                fmt(c->arena, "partition %s is the default too, after %s line %u",
                    entry->pairs[0].value, first->file, first->line));
        first = entry;
    }
}

/* Whether the comma-separated list has the word. */
static bool list_has(const char *list, const char *word)
{
    size_t len = strlen(word);

    while (list && *list) {
        size_t item = strcspn(list, ",");

        if (item == len && strncasecmp(list, word, len) == 0)
            return true;
        list += item + (list[item] == ',');
    }
    return false;
}

static void check_gres(struct cluster *c, const struct conf_entry *entry)
{
    const char *text = conf_option(entry, "Gres"), *types = conf_get(c->doc, "GresTypes");
    struct error err = { 0 };
    struct gres_list list;

    if (gres_parse(c->arena, text, &list, &err) < 0) {
        say(c, entry, CONF_ERROR, fmt(c->arena, "Gres: %s", error_text(&err)));
        return;
    }
    for (size_t i = 0; i < list.n; i++)
        if (!list_has(types, list.v[i].name))
            say(c, entry, CONF_WARNING,
                fmt(c->arena, "Gres=%s: GresTypes does not have %s", text, list.v[i].name));
}

/* Keys that need another one. */
static void check_pairs_of_keys(struct cluster *c)
{
    const struct conf_entry none = { .file = c->doc->count ? c->doc->entries[0].file : "",
                                     .line = 1 };
    const char *mode = conf_get(c->doc, "PreemptMode"), *type = conf_get(c->doc, "PreemptType");
    bool preempts = type && !str_ends(type, "none");

    if (list_has(mode, "SUSPEND") && !list_has(mode, "GANG"))
        say(c, &none, CONF_ERROR, "PreemptMode=SUSPEND needs GANG too: write SUSPEND,GANG");
    if (mode && !preempts && strcasecmp(mode, "OFF") != 0 && strcasecmp(mode, "GANG") != 0)
        say(c, &none, CONF_ERROR,
            "PreemptMode needs a PreemptType: preempt/partition_prio or preempt/qos");
    if (preempts && (!mode || strcasecmp(mode, "OFF") == 0))
        say(c, &none, CONF_ERROR, "PreemptType needs a PreemptMode other than OFF");
    if (conf_get(c->doc, "AuthAltTypes") && !conf_get(c->doc, "AuthAltParameters"))
        say(c, &none, CONF_WARNING,
            "AuthAltTypes without AuthAltParameters: slurmctld finds no JWT key");
}

/* Slurm keeps counts of GPUs only with a database behind it. */
static void check_tracked(struct cluster *c)
{
    const char *type = conf_get(c->doc, "AccountingStorageType");

    for (size_t i = 0; c->whole && i < c->doc->count; i++) {
        const struct conf_entry *entry = &c->doc->entries[i];

        if (key_is(entry, "AccountingStorageTRES") && strcasestr(entry->pairs[0].value, "gres/") &&
            !str_ends(type, "slurmdbd"))
            say(c, entry, CONF_ERROR,
                "AccountingStorageTRES: gres/ needs "
                "AccountingStorageType=accounting_storage/slurmdbd");
    }
}

static void check_lines(struct cluster *c)
{
    for (size_t i = 0; i < c->doc->count; i++) {
        const struct conf_entry *entry = &c->doc->entries[i];

        if (key_is(entry, "NodeName"))
            check_gres(c, entry);
        if (key_is(entry, "PowerAction") && !conf_option(entry, "Location"))
            say(c, entry, CONF_ERROR, "PowerAction needs Location=slurmctld or Location=slurmd");
    }
}

void lint_cluster(struct arena *a, struct conf_doc *doc, bool whole)
{
    struct cluster c = { .arena = a, .doc = doc, .whole = whole };

    collect(&c);
    check_partitions(&c);
    check_lines(&c);
    check_tracked(&c);
    check_pairs_of_keys(&c);
    map_done(&c.nodes, NULL);
    map_done(&c.sets, NULL);
    map_done(&c.partitions, NULL);
}

static bool is_topology_type(const char *name)
{
    static const char *const types[] = { "block", "flat", "ring", "torus3d", "tree", NULL };

    return str_in(name, types);
}

static void lint_one_topology(struct arena *a, struct conf_doc *doc, const char *name,
                              const struct json *topology)
{
    unsigned types = 0;

    if (!topology || topology->type != JSON_OBJECT) {
        conf_add_problem(a, doc, CONF_ERROR, name, 1, "want a list of topologies");
        return;
    }
    if (!json_str_or(json_get(topology, "topology"), NULL))
        conf_add_problem(a, doc, CONF_ERROR, name, 1,
                         "a topology has no name: write topology: NAME first");
    for_each_member (member, topology) {
        if (is_topology_type(member->name))
            types++;
        else if (!str_eq(member->name, "topology") && !str_eq(member->name, "cluster_default"))
            conf_add_problem(a, doc, CONF_ERROR, name, 1, "'%s' is not a key of a topology",
                             member->name);
    }
    if (types != 1)
        conf_add_problem(a, doc, CONF_ERROR, name, 1,
                         "a topology is exactly one of block, flat, ring, torus3d and tree");
}

void lint_topology(struct arena *a, struct conf_doc *doc, const char *name,
                   const struct json *value)
{
    const struct json *list = json_item(value, 0); /* the first document */

    if (json_count(list) == 0 || list->type != JSON_ARRAY) {
        conf_add_problem(a, doc, CONF_ERROR, name, 1, "want a list of topologies");
        return;
    }
    for (size_t i = 0; i < json_count(list); i++)
        lint_one_topology(a, doc, name, json_item(list, i));
}
