/* node_api.c - nodes read, created and deleted; changing them is in node_change.c. */
#include "slurm/node_api.h"

#include <errno.h>

#include "base/map.h"
#include "base/str.h"
#include "net/url.h"
#include "slurm/call.h"
#include "slurm/hostlist.h"
#include "slurm/lists.h"
#include "slurm/record.h"
#include "slurm/snapshot.h"
#include "json/json.h"

/* userdata: a map of the names wanted, or NULL for all. */
static int read_node(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                     size_t len, void *record, struct error *err)
{
    struct slurm_node *node = record;
    int rc = node_decode(scratch, item, len, node, err);

    if (rc < 0)
        return rc;
    if (userdata && !map_has(userdata, node->name))
        return 1;
    node_keep(keep, node);
    return 0;
}

static enum answer list(struct slurm *slurm, struct slurm_call *call, const struct question *q,
                        struct map *wanted, struct slurm_nodes *ret)
{
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, q, sizeof(struct slurm_node), read_node, wanted, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurm_nodes) { list.v, list.n };
    return answer;
}

enum answer slurm_nodes(struct slurm *slurm, struct slurm_call *call, struct slurm_nodes *ret)
{
    struct question q = { .name = "nodes", .path = "/nodes/", .array = "nodes" };

    return list(slurm, call, &q, NULL, ret);
}

enum answer slurm_node_get(struct slurm *slurm, struct slurm_call *call, const char *name,
                           struct slurm_node *ret)
{
    struct question q = { .name = "node",
                          .array = "nodes",
                          .zero_is_no = true,
                          .path = fmt(call->arena, "/node/%s", url_escape(call->arena, name)) };
    struct slurm_nodes found;
    enum answer answer = list(slurm, call, &q, NULL, &found);

    if (answer != ANSWER_YES)
        return answer;
    for_each (node, found) {
        if (!str_eq(node->name, name))
            continue;
        *ret = *node;
        return ANSWER_YES;
    }
    return slurm_say(call, ANSWER_NO, -ENOENT, "slurm %s: no node %s", slurm->cluster, name);
}

/* Those of the wanted names that are not among the found nodes, in the order they were asked for.
 */
static struct strs missing_of(struct arena *a, struct strs wanted, struct slurm_nodes found)
{
    struct strs missing = { .v = arena_make_n(a, const char *, wanted.n) };
    struct map have = { 0 };

    for_each (node, found)
        map_put(&have, node->name, node);
    for_each (name, wanted)
        if (!map_has(&have, *name))
            missing.v[missing.n++] = *name;
    map_done(&have, NULL);
    return missing;
}

enum answer slurm_nodes_get(struct slurm *slurm, struct slurm_call *call, const char *hosts,
                            struct slurm_nodes *ret, struct strs *ret_missing)
{
    struct question q = { .name = "nodes", .path = "/nodes/", .array = "nodes" };
    struct map wanted = { 0 };
    struct error err = { 0 };
    struct strs names;
    enum answer answer;

    call->fault = (struct slurm_fault) { 0 };
    if (hostlist_expand(call->arena, hosts, 0, &names, &err) < 0)
        return slurm_say(call, ANSWER_NO, err.code, "slurm %s: %s", slurm->cluster, err.text);
    for_each (name, names)
        map_put(&wanted, *name, &wanted);
    answer = list(slurm, call, &q, &wanted, ret);
    map_done(&wanted, NULL);
    if (answer != ANSWER_YES)
        return ANSWER_UNKNOWN;
    *ret_missing = missing_of(call->arena, names, *ret);
    if (!ret_missing->n)
        return ANSWER_YES;
    return slurm_say(call, ANSWER_NO, -ENOENT, "slurm %s: no node %s%s", slurm->cluster,
                     ret_missing->v[0], ret_missing->n > 1 ? " and others" : "");
}

enum answer slurm_node_create(struct slurm *slurm, struct slurm_call *call, const char *line)
{
    struct json *body = json_object(call->arena);
    struct question q = {
        .name = "node_create", .method = "POST", .path = "/new/node/", .changes = true, .since = 44
    };
    struct reply reply;
    enum answer answer;

    json_set_str(call->arena, body, "node_conf", line);
    q.body = json_text(call->arena, body);
    answer = slurm_ask(slurm, call, &q, &reply);
    slurm_wrote(slurm, SLURM_NODES);
    return answer;
}

enum answer slurm_node_delete(struct slurm *slurm, struct slurm_call *call, const char *name)
{
    struct question q = { .name = "node_delete",
                          .method = "DELETE",
                          .changes = true,
                          .path = fmt(call->arena, "/node/%s", url_escape(call->arena, name)) };
    struct reply reply;
    enum answer answer = slurm_ask(slurm, call, &q, &reply);

    slurm_wrote(slurm, SLURM_NODES);
    return answer == ANSWER_NO && call->fault.code == -ENOENT ? ANSWER_YES : answer;
}
