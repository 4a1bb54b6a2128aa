/* node_change.c - changes many nodes in few calls, and finds out which of them could not be. */
#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "net/url.h"
#include "slurm/call.h"
#include "slurm/hostlist.h"
#include "slurm/node_api.h"
#include "slurm/snapshot.h"
#include "json/json.h"

enum { HALVINGS_MAX = 64 }; /* calls that looking for nodes that went away may cost */

enum { NO_SUCH_NODE = 2018, BAD_STATE = 2028, BAD_TRANSITION = 2180 };

static void set_text(struct arena *a, struct json *body, const char *name, const char *text)
{
    if (text)
        json_set_str(a, body, name, text);
}

/* "a,b" as a list; Slurm joins it again, and takes an empty list for "as it is". */
static void set_words(struct arena *a, struct json *body, const char *name, const char *text)
{
    struct json *array;

    if (!text)
        return;
    array = json_array(a);
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, ",");

        if (len)
            json_add(a, array, json_str(a, arena_strn(a, at, len)));
        at += len + (at[len] == ',');
    }
    if (!json_count(array))
        json_add(a, array, json_str(a, ""));
    json_set(a, body, name, array);
}

static const char *body_of(struct arena *a, const char *hosts, const struct slurm_node_change *c)
{
    struct json *body = json_object(a);
    struct json *names = json_array(a);

    if (hosts) {
        json_add(a, names, json_str(a, hosts));
        json_set(a, body, "name", names);
    }
    set_words(a, body, "state", c->state);
    set_text(a, body, "reason", c->reason);
    set_text(a, body, "comment", c->comment);
    set_text(a, body, "extra", c->extra);
    set_words(a, body, "features", c->features);
    set_words(a, body, "features_act", c->active_features);
    set_text(a, body, "gres", c->gres);
    set_text(a, body, "topology_str", c->topology);
    return json_text(a, body);
}

static int since(const struct slurm_node_change *change)
{
    return change->topology ? 43 : 0;
}

enum answer slurm_node_change(struct slurm *slurm, struct slurm_call *call, const char *name,
                              const struct slurm_node_change *change)
{
    struct question q = { .name = "node_change",
                          .method = "POST",
                          .changes = true,
                          .path = fmt(call->arena, "/node/%s", url_escape(call->arena, name)),
                          .body = body_of(call->arena, NULL, change),
                          .since = since(change) };
    struct reply reply;
    enum answer answer = slurm_ask(slurm, call, &q, &reply);

    slurm_wrote(slurm, SLURM_NODES);
    return answer;
}

/* One change of many nodes while it is being made. */
struct changing {
    struct slurm *slurm;
    struct slurm_call *call;
    const struct slurm_node_change *change;
    struct slurm_outcome *out;
    struct slurm_fault why; /* of the last that was refused or is unknown */
    int halvings;
};

static void add(struct strs *list, struct strs names)
{
    if (names.n)
        memcpy(list->v + list->n, names.v, names.n * sizeof *names.v);
    list->n += names.n;
}

static enum answer send(struct changing *c, struct strs names)
{
    struct arena *a = c->call->arena;
    const char *hosts = hostlist_of_set(a, names);
    struct question q = { .name = "nodes_change",
                          .method = "POST",
                          .path = "/nodes/",
                          .path_41 = fmt(a, "/node/%s", url_escape(a, hosts)),
                          .body = body_of(a, hosts, c->change),
                          .changes = true,
                          .since = since(c->change) };
    struct reply reply;

    return slurm_ask(c->slurm, c->call, &q, &reply);
}

/* Whether the node is what the change of state would make of it. */
static bool is_as_asked(const char *state, const struct slurm_node *node)
{
    if (str_eq(state, "DRAIN"))
        return is_yes(node_is_drain(node->state));
    if (str_eq(state, "UNDRAIN"))
        return is_no(node_is_drain(node->state));
    if (str_eq(state, "RESUME"))
        return is_no(node_is_drain(node->state)) && is_no(node_is_down(node->state));
    return str_eq(state, "DOWN") && node->state.base == NODE_DOWN;
}

/* Slurm goes through the list, changes the nodes whose state allows it, and then says that some did
 * not. Which ones, only a look at them tells. */
static void look_who_refused(struct changing *c, struct strs names)
{
    struct slurm_fault refused = c->call->fault;
    struct slurm_nodes found = { 0 };
    struct strs missing = { 0 };
    struct map have = { 0 };

    if (slurm_nodes_get(c->slurm, c->call, hostlist_of_set(c->call->arena, names), &found,
                        &missing) == ANSWER_UNKNOWN) {
        c->why = c->call->fault;
        add(&c->out->unknown, names);
        return;
    }
    c->why = refused;
    for_each (node, found)
        map_put(&have, node->name, node);
    for_each (name, names) {
        const struct slurm_node *node = map_get(&have, *name);
        struct strs one = { name, 1 };

        add(!node                                 ? &c->out->missing
            : is_as_asked(c->change->state, node) ? &c->out->done
                                                  : &c->out->refused,
            one);
    }
    map_done(&have, NULL);
}

static void change_some(struct changing *c, struct strs names);

/* A node went away after we looked: halving finds it. */
static void change_halves(struct changing *c, struct strs names)
{
    struct strs first = { names.v, names.n / 2 };
    struct strs second = { names.v + first.n, names.n - first.n };

    change_some(c, first);
    change_some(c, second);
}

static bool is_about_states(int number)
{
    return number == BAD_STATE || number == BAD_TRANSITION;
}

static void settle(struct changing *c, struct strs names, enum answer answer)
{
    int number = c->call->fault.number;

    if (answer == ANSWER_YES) {
        add(&c->out->done, names);
    } else if (answer == ANSWER_NO && is_about_states(number) && names.n > 1) {
        look_who_refused(c, names);
    } else {
        c->why = c->call->fault;
        add(answer == ANSWER_UNKNOWN                 ? &c->out->unknown
            : number == NO_SUCH_NODE && names.n == 1 ? &c->out->missing
                                                     : &c->out->refused,
            names);
    }
}

static void change_some(struct changing *c, struct strs names)
{
    enum answer answer;

    if (!names.n)
        return;
    answer = send(c, names);
    if (answer == ANSWER_NO && names.n > 1 && c->call->fault.number == NO_SUCH_NODE &&
        c->halvings++ < HALVINGS_MAX)
        change_halves(c, names);
    else
        settle(c, names, answer);
}

/* Splits names into those that Slurm has and those that it has not, by one look at its nodes: at
 * the snapshot, brought up to date, where one is kept. */
static enum answer sort_out(struct changing *c, struct strs names, struct strs *ret_there)
{
    usec now = clock_now();
    scoped(slurm_view) struct slurm_view *view = NULL;
    struct slurm_nodes found;
    struct map have = { 0 };
    struct strs there = { .v = arena_make_n(c->call->arena, const char *, names.n) };
    struct slurm_node node;
    size_t count;

    if (slurm_keeps(c->slurm, SLURM_NODES))
        view = slurm_view_since(c->slurm, c->call, SLURM_NODES, now);
    if (!view || !is_yes(slurm_view_nodes(view, &count))) {
        slurm_view_unref(take(view));
        if (slurm_nodes(c->slurm, c->call, &found) != ANSWER_YES)
            return ANSWER_UNKNOWN;
        for_each (one, found)
            map_put(&have, one->name, one);
    }
    for_each (name, names) {
        bool is_there = view ? is_yes(slurm_view_node(view, *name, &node)) : map_has(&have, *name);
        struct strs one = { name, 1 };

        add(is_there ? &there : &c->out->missing, one);
    }
    map_done(&have, NULL);
    *ret_there = there;
    return ANSWER_YES;
}

static void change_all(struct changing *c, struct strs names)
{
    enum answer answer = send(c, names);
    struct slurm_fault missing = c->call->fault;
    struct strs there;

    if (answer != ANSWER_NO || missing.number != NO_SUCH_NODE || names.n == 1) {
        settle(c, names, answer);
        return;
    }
    c->why = missing;
    if (sort_out(c, names, &there) == ANSWER_YES)
        change_some(c, there);
    else
        add(&c->out->refused, names); /* Slurm said that it changed none of them */
}

static struct strs room(struct arena *a, size_t n)
{
    return (struct strs) { .v = arena_make_n(a, const char *, n) };
}

enum answer slurm_nodes_change(struct slurm *slurm, struct slurm_call *call, const char *hosts,
                               const struct slurm_node_change *change, struct slurm_outcome *ret)
{
    struct arena *a = call->arena;
    struct changing c = { .slurm = slurm, .call = call, .change = change };
    struct slurm_outcome out;
    struct error err = { 0 };
    struct strs names;

    c.out = ret ?: &out;
    *c.out = (struct slurm_outcome) { 0 };
    call->fault = (struct slurm_fault) { 0 };
    if (hostlist_expand(a, hosts, 0, &names, &err) < 0 ||
        hostlist_expand(a, hostlist_of_set(a, names), 0, &names, &err) < 0)
        return slurm_say(call, ANSWER_NO, err.code, "slurm %s: %s", slurm->cluster, err.text);
    if (!names.n)
        return ANSWER_YES;
    *c.out = (struct slurm_outcome) { room(a, names.n), room(a, names.n), room(a, names.n),
                                      room(a, names.n) };
    change_all(&c, names);
    slurm_wrote(slurm, SLURM_NODES);
    call->fault = c.out->done.n == names.n ? (struct slurm_fault) { 0 } : c.why;
    if (c.out->unknown.n)
        return ANSWER_UNKNOWN;
    return answer_of(c.out->done.n == names.n);
}
