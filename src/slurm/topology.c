/* topology.c - topology.conf and topology.yaml out of what is known of each node. */
#include "slurm/topology.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "slurm/hostlist.h"

enum { DIGITS_MAX = 18 }; /* a longer number at a name's end does not fit where Slurm keeps it */

/* A switch or a block: what hangs below it. */
struct group {
    const char *name;
    const char *fabric;
    struct strs nodes, groups;
    struct group *parent;
};

struct groups {
    struct arena *arena;
    struct map by_name;
    struct group **v;
    size_t n;
};

static void groups_done(struct groups *groups)
{
    map_done(&groups->by_name, NULL);
}

static const char *safe_name(struct arena *a, const char *name)
{
    size_t len = strlen(name), digits = 0;

    while (digits < len && isdigit((unsigned char)name[len - 1 - digits]))
        digits++;
    return digits > DIGITS_MAX ? fmt(a, "%s_", name) : name;
}

static void append(struct arena *a, struct strs *list, const char *text)
{
    if ((list->n & (list->n - 1)) == 0) { /* full at powers of two */
        const char **room = arena_make_n(a, const char *, list->n ? 2 * list->n : 1);

        if (list->n > 0)
            memcpy(room, list->v, list->n * sizeof *room);
        list->v = room;
    }
    list->v[list->n++] = text;
}

static struct group *group_of(struct groups *groups, const char *name, const char *fabric)
{
    const char *safe = safe_name(groups->arena, name);
    struct group *group = map_get(&groups->by_name, safe);

    if (group)
        return group;
    group = arena_make(groups->arena, struct group);
    group->name = safe;
    group->fabric = fabric;
    map_put(&groups->by_name, safe, group);
    return group;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct group *const *)a)->name, (*(struct group *const *)b)->name);
}

/* Fills v with all groups, sorted by name. */
static void sort_groups(struct groups *groups)
{
    const char *key;
    void *value;

    groups->v = arena_make_n(groups->arena, struct group *, groups->by_name.count + 1);
    groups->n = 0;
    for (size_t at = 0; map_next(&groups->by_name, &at, &key, &value);)
        groups->v[groups->n++] = value;
    qsort(groups->v, groups->n, sizeof *groups->v, by_name);
}

static const char *fabric_of(const struct topology_node *node)
{
    return str_empty(node->fabric) ? TOPOLOGY_ROOT : node->fabric;
}

static const char *unknown_of(struct arena *a, const char *fabric)
{
    return str_eq(fabric, TOPOLOGY_ROOT) ? "unknown" : fmt(a, "%s.unknown", fabric);
}

/* The first switch said to be above another stays it; a circle is not closed. */
static void link_groups(struct groups *groups, struct group *parent, struct group *child)
{
    for (const struct group *above = parent; above; above = above->parent)
        if (above == child)
            return;
    if (child->parent)
        return;
    child->parent = parent;
    append(groups->arena, &parent->groups, child->name);
}

static void add_to_tree(struct groups *groups, const struct topology_node *node)
{
    const char *fabric = fabric_of(node);
    struct group *below;

    if (node->switches.n == 0) {
        below = group_of(groups, unknown_of(groups->arena, fabric), fabric);
        append(groups->arena, &below->nodes, node->name);
        return;
    }
    below = group_of(groups, node->switches.v[0], fabric);
    append(groups->arena, &below->nodes, node->name);
    for (size_t i = 1; i < node->switches.n; i++) {
        struct group *above = group_of(groups, node->switches.v[i], fabric);

        link_groups(groups, above, below);
        below = above;
    }
}

/* A switch has switches below it or nodes, never both: its own nodes move to a leaf of their own.
 */
static void split_mixed(struct groups *groups)
{
    for (size_t i = 0; i < groups->n; i++) {
        struct group *group = groups->v[i], *leaf;

        if (group->nodes.n == 0 || group->groups.n == 0)
            continue;
        leaf = group_of(groups, fmt(groups->arena, "%s.nodes", group->name), group->fabric);
        leaf->nodes = group->nodes;
        group->nodes = (struct strs) { 0 };
        link_groups(groups, group, leaf);
    }
}

/* Whatever has nothing above it hangs under its fabric. */
static void add_roots(struct groups *groups)
{
    for (size_t i = 0; i < groups->n; i++) {
        struct group *group = groups->v[i];

        if (!group->parent && !str_eq(group->name, group->fabric))
            link_groups(groups, group_of(groups, group->fabric, group->fabric), group);
    }
}

static void build_tree(struct groups *groups, const struct topology_node *nodes, size_t n)
{
    for (const struct topology_node *node = nodes; node < nodes + n; node++)
        add_to_tree(groups, node);
    sort_groups(groups);
    add_roots(groups);
    sort_groups(groups);
    split_mixed(groups);
    sort_groups(groups);
}

static void build_blocks(struct groups *groups, const struct topology_node *nodes, size_t n)
{
    for (const struct topology_node *node = nodes; node < nodes + n; node++) {
        const char *fabric = fabric_of(node);
        const char *name = str_empty(node->block) ? unknown_of(groups->arena, fabric) : node->block;

        append(groups->arena, &group_of(groups, name, fabric)->nodes, node->name);
    }
    sort_groups(groups);
}

char *topology_tree_text(struct arena *a, const struct topology_node *nodes, size_t n)
{
    struct groups groups = { .arena = a };
    scoped(buf) struct buf out = { 0 };

    build_tree(&groups, nodes, n);
    for (size_t i = 0; i < groups.n; i++) {
        const struct group *group = groups.v[i];

        if (group->groups.n > 0)
            buf_fmt(&out, "SwitchName=%s Switches=%s\n", group->name,
                    hostlist_of_set(a, group->groups));
        else
            buf_fmt(&out, "SwitchName=%s Nodes=%s\n", group->name,
                    hostlist_of_set(a, group->nodes));
    }
    if (groups.n == 0)
        buf_str(&out, "SwitchName=" TOPOLOGY_ROOT "\n");
    groups_done(&groups);
    return arena_strn(a, buf_text(&out), out.len);
}

char *topology_block_text(struct arena *a, const struct topology_node *nodes, size_t n,
                          unsigned block_size)
{
    struct groups groups = { .arena = a };
    scoped(buf) struct buf out = { 0 };

    build_blocks(&groups, nodes, n);
    for (size_t i = 0; i < groups.n; i++)
        buf_fmt(&out, "BlockName=%s Nodes=%s\n", groups.v[i]->name,
                hostlist_of_set(a, groups.v[i]->nodes));
    buf_fmt(&out, "BlockSizes=%u\n", block_size);
    groups_done(&groups);
    return arena_strn(a, buf_text(&out), out.len);
}

/* A name as a YAML scalar: quoted, because "1" and "on" would be read as something else. */
static void yaml_pair(struct buf *out, const char *indent, const char *key, const char *value)
{
    buf_fmt(out, "%s%s: '", indent, key);
    for (; *value; value++)
        buf_str(out, *value == '\'' ? "''" : (const char[]) { *value, '\0' });
    buf_str(out, "'\n");
}

static void yaml_tree(struct arena *a, struct buf *out, const struct groups *groups)
{
    buf_str(out, "  tree:\n    switches:\n");
    for (size_t i = 0; i < groups->n; i++) {
        const struct group *group = groups->v[i];

        yaml_pair(out, "      - ", "switch", group->name);
        if (group->groups.n > 0)
            yaml_pair(out, "        ", "children", hostlist_of_set(a, group->groups));
        else
            yaml_pair(out, "        ", "nodes", hostlist_of_set(a, group->nodes));
    }
}

static void yaml_blocks(struct arena *a, struct buf *out, const struct groups *groups,
                        unsigned block_size)
{
    buf_fmt(out, "  block:\n    block_sizes:\n      - %u\n    blocks:\n", block_size);
    for (size_t i = 0; i < groups->n; i++) {
        yaml_pair(out, "      - ", "block", groups->v[i]->name);
        yaml_pair(out, "        ", "nodes", hostlist_of_set(a, groups->v[i]->nodes));
    }
}

char *topology_yaml_text(struct arena *a, const char *name, const struct topology_node *nodes,
                         size_t n, unsigned block_size)
{
    struct groups groups = { .arena = a };
    scoped(buf) struct buf out = { 0 };

    yaml_pair(&out, "- ", "topology", name);
    buf_str(&out, "  cluster_default: true\n");
    if (n == 0) {
        buf_str(&out, "  flat: true\n");
    } else if (block_size > 0) {
        build_blocks(&groups, nodes, n);
        yaml_blocks(a, &out, &groups, block_size);
    } else {
        build_tree(&groups, nodes, n);
        yaml_tree(a, &out, &groups);
    }
    groups_done(&groups);
    return arena_strn(a, buf_text(&out), out.len);
}
