/* commands_node.c - nodes. */
#include <string.h>

#include "base/str.h"
#include "driver.h"
#include "slurm/reason.h"

struct json *node_json(struct driver *d, const struct slurm_node *node)
{
    struct json *o = json_object(d->arena);

    set_str(d, o, "name", node->name);
    set_str(d, o, "state", node_state_text(d->arena, node->state));
    set_str(d, o, "reason", node->reason);
    set_str(d, o, "reason_user", node->reason_user);
    set_str(d, o, "comment", node->comment);
    set_str(d, o, "features", node->features);
    set_str(d, o, "active_features", node->active_features);
    set_str(d, o, "partitions", node->partitions);
    set_str(d, o, "gres", node->gres);
    set_str(d, o, "tres", node->tres);
    set_str(d, o, "topology", node->topology);
    set_str(d, o, "address", node->address);
    set_str(d, o, "version", node->version);
    set_str(d, o, "busy", answer_text(node_is_busy(node->state)));
    set_str(d, o, "drained", answer_text(node_is_drained(node->state)));
    set_str(d, o, "idle", answer_text(node_is_idle(node->state)));
    set_int(d, o, "cpus", node->cpus);
    set_int(d, o, "used_cpus", node->used_cpus);
    set_int(d, o, "memory", (int64_t)node->memory);
    set_int(d, o, "reason_time", node->reason_time / USEC_SEC);
    return o;
}

static struct json *nodes_json(struct driver *d, struct slurm_nodes nodes)
{
    struct json *list = json_array(d->arena);

    for_each (node, nodes)
        json_add(d->arena, list, node_json(d, node));
    return list;
}

static struct json *run_nodes(struct driver *d, int n, char **words)
{
    struct slurm_nodes nodes = { 0 };
    struct strs missing = { 0 };
    enum answer answer = n > 0 ? slurm_nodes_get(d->slurm, &d->call, words[0], &nodes, &missing)
                               : slurm_nodes(d->slurm, &d->call, &nodes);
    struct json *reply = yes_no(d, &d->call, answer);

    json_set(d->arena, reply, "nodes", nodes_json(d, nodes));
    json_set(d->arena, reply, "missing", names_of(d, missing));
    return reply;
}

static struct json *run_node(struct driver *d, int n, char **words)
{
    struct slurm_node node;
    enum answer answer = slurm_node_get(d->slurm, &d->call, words[0], &node);
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n;
    if (is_yes(answer))
        json_set(d->arena, reply, "node", node_json(d, &node));
    return reply;
}

static void set_change(struct slurm_node_change *change, const char *word)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {
        { "state=", offsetof(struct slurm_node_change, state) },
        { "reason=", offsetof(struct slurm_node_change, reason) },
        { "comment=", offsetof(struct slurm_node_change, comment) },
        { "extra=", offsetof(struct slurm_node_change, extra) },
        { "features=", offsetof(struct slurm_node_change, features) },
        { "active_features=", offsetof(struct slurm_node_change, active_features) },
        { "gres=", offsetof(struct slurm_node_change, gres) },
        { "topology=", offsetof(struct slurm_node_change, topology) },
    };

    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (str_starts(word, fields[i].name))
            *(const char **)((char *)change + fields[i].offset) = strchr(word, '=') + 1;
}

static struct json *run_change(struct driver *d, int n, char **words)
{
    struct slurm_node_change change = { 0 };
    struct slurm_outcome out = { 0 };
    enum answer answer;
    struct json *reply;

    for (int i = 1; i < n; i++)
        set_change(&change, words[i]);
    answer = slurm_nodes_change(d->slurm, &d->call, words[0], &change, &out);
    reply = yes_no(d, &d->call, answer);
    json_set(d->arena, reply, "done", names_of(d, out.done));
    json_set(d->arena, reply, "missing", names_of(d, out.missing));
    json_set(d->arena, reply, "refused", names_of(d, out.refused));
    json_set(d->arena, reply, "unknown", names_of(d, out.unknown));
    return reply;
}

static struct json *run_change_one(struct driver *d, int n, char **words)
{
    struct slurm_node_change change = { 0 };

    for (int i = 1; i < n; i++)
        set_change(&change, words[i]);
    return yes_no(d, &d->call, slurm_node_change(d->slurm, &d->call, words[0], &change));
}

static struct json *run_node_create(struct driver *d, int n, char **words)
{
    (void)n;
    return yes_no(d, &d->call, slurm_node_create(d->slurm, &d->call, words[0]));
}

static struct json *run_node_delete(struct driver *d, int n, char **words)
{
    (void)n;
    return yes_no(d, &d->call, slurm_node_delete(d->slurm, &d->call, words[0]));
}

/* Drains or undrains as the program would: by what Slurm says, and never over somebody else's. */
static struct json *plan(struct driver *d, const char *name, const char *text, bool drain)
{
    struct slurm_node node;
    enum answer answer = slurm_node_get(d->slurm, &d->call, name, &node);
    struct slurm_node_change change = { .state = drain ? "DRAIN" : "UNDRAIN" };
    struct json *reply;
    struct drain_plan p;

    if (!is_yes(answer))
        return yes_no(d, &d->call, answer);
    p = drain ? reason_plan_drain(d->arena, DRAIN_BY_WINDLASS, node.state, node.reason, text, false)
              : reason_plan_undrain(d->arena, DRAIN_BY_WINDLASS, node.state, node.reason, text);
    change.reason = p.reason;
    if (p.call)
        answer = slurm_node_change(d->slurm, &d->call, name, &change);
    reply = yes_no(d, &d->call, answer);
    set_int(d, reply, "called", p.call);
    return reply;
}

static struct json *run_drain(struct driver *d, int n, char **words)
{
    (void)n;
    return plan(d, words[0], words[1], true);
}

static struct json *run_undrain(struct driver *d, int n, char **words)
{
    (void)n;
    return plan(d, words[0], NULL, false);
}

const struct command node_commands[] = {
    { "nodes", 0, run_nodes },
    { "node", 1, run_node },
    { "change", 2, run_change },
    { "change_one", 2, run_change_one },
    { "drain", 2, run_drain },
    { "undrain", 1, run_undrain },
    { "node_create", 1, run_node_create },
    { "node_delete", 1, run_node_delete },
    { 0 },
};
