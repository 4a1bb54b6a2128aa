/* reservation_api.c - reservations. */
#include "slurm/reservation_api.h"

#include <errno.h>

#include "base/str.h"
#include "net/url.h"
#include "slurm/call.h"
#include "slurm/lists.h"
#include "json/json.h"

struct wire_reservation {
    struct slurm_reservation reservation;
    struct maybe_int node_count, core_count;
    struct wire_number start, end;
};
static const struct field wire_reservation_fields[] = {
    FIELD(wire_reservation, reservation.accounts, STR, "accounts"),
    FIELD(wire_reservation, core_count, INT, "core_count"),
    FIELD(wire_reservation, end, OBJECT, "end_time", .of = &wire_number_type),
    FIELD(wire_reservation, reservation.features, STR, "features"),
    FIELD(wire_reservation, reservation.flags, STRS, "flags"),
    FIELD(wire_reservation, reservation.licenses, STR, "licenses"),
    FIELD(wire_reservation, reservation.name, STR, "name"),
    FIELD(wire_reservation, node_count, INT, "node_count"),
    FIELD(wire_reservation, reservation.nodes, STR, "node_list"),
    FIELD(wire_reservation, reservation.partition, STR, "partition"),
    FIELD(wire_reservation, start, OBJECT, "start_time", .of = &wire_number_type),
    FIELD(wire_reservation, reservation.tres, STR, "tres"),
    FIELD(wire_reservation, reservation.users, STR, "users"),
    { 0 },
};
static const struct type wire_reservation_type = TYPE(wire_reservation, wire_reservation_fields);

static int read_reservation(void *userdata, struct arena *scratch, struct arena *keep,
                            const char *item, size_t len, void *record, struct error *err)
{
    struct wire_reservation wire = { 0 };
    struct slurm_reservation *r = &wire.reservation;
    int rc = table_read(keep, &wire_reservation_type, item, len, &wire, err);

    (void)userdata, (void)scratch;
    if (rc < 0)
        return rc;
    if (str_empty(r->name))
        return fail(err, -EBADMSG, "a reservation without a name");
    r->nodes = r->nodes ?: "";
    r->partition = r->partition ?: "";
    r->users = r->users ?: "";
    r->accounts = r->accounts ?: "";
    r->features = r->features ?: "";
    r->licenses = r->licenses ?: "";
    r->tres = r->tres ?: "";
    r->node_count = int_or(wire.node_count, 0);
    r->core_count = int_or(wire.core_count, 0);
    r->start = wire_int(&wire.start, 0, 0) * USEC_SEC;
    r->end = wire_int(&wire.end, 0, 0) * USEC_SEC;
    *(struct slurm_reservation *)record = *r;
    return 0;
}

static enum answer list(struct slurm *slurm, struct slurm_call *call, const struct question *q,
                        struct slurm_reservations *ret)
{
    struct slurm_list list;
    enum answer answer = slurm_ask_list(slurm, call, q, sizeof(struct slurm_reservation),
                                        read_reservation, NULL, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurm_reservations) { list.v, list.n };
    return answer;
}

enum answer slurm_reservations(struct slurm *slurm, struct slurm_call *call,
                               struct slurm_reservations *ret)
{
    struct question q = { .name = "reservations",
                          .path = "/reservations/",
                          .array = "reservations" };

    return list(slurm, call, &q, ret);
}

enum answer slurm_reservation_get(struct slurm *slurm, struct slurm_call *call, const char *name,
                                  struct slurm_reservation *ret)
{
    struct question q = { .name = "reservation",
                          .array = "reservations",
                          .zero_is_no = true,
                          .path =
                              fmt(call->arena, "/reservation/%s", url_escape(call->arena, name)) };
    struct slurm_reservations found;
    enum answer answer = list(slurm, call, &q, &found);

    /* Slurm has no number of its own for this: where there are others it calls the question
     * invalid, where there are none it reports an error numbered 0. */
    if (answer == ANSWER_NO && call->fault.number == 9000)
        call->fault.code = -ENOENT;
    if (answer != ANSWER_YES)
        return answer;
    for_each (r, found) {
        if (!str_eq(r->name, name))
            continue;
        *ret = *r;
        return ANSWER_YES;
    }
    return slurm_say(call, ANSWER_NO, -ENOENT, "slurm %s: no reservation %s", slurm->cluster, name);
}

static struct json *number(struct arena *a, int64_t value)
{
    struct json *n = json_object(a);

    json_set(a, n, "set", json_bool(a, true));
    json_set(a, n, "infinite", json_bool(a, false));
    json_set(a, n, "number", json_int(a, value));
    return n;
}

static void set_words(struct arena *a, struct json *body, const char *name, struct strs words)
{
    struct json *array = json_array(a);

    if (!words.n)
        return;
    for_each (word, words)
        json_add(a, array, json_str(a, *word));
    json_set(a, body, name, array);
}

static void set_text(struct arena *a, struct json *body, const char *name, const char *text)
{
    if (text)
        json_set_str(a, body, name, text);
}

static const char *body_of(struct arena *a, const struct slurm_reservation_spec *spec)
{
    struct json *body = json_object(a);
    struct strs nodes = STRS(spec->nodes);

    json_set_str(a, body, "name", spec->name);
    if (spec->nodes)
        set_words(a, body, "node_list", nodes);
    set_text(a, body, "partition", spec->partition);
    set_text(a, body, "comment", spec->comment);
    set_text(a, body, "features", spec->features);
    set_words(a, body, "users", spec->users);
    set_words(a, body, "accounts", spec->accounts);
    set_words(a, body, "flags", spec->flags);
    if (spec->node_count)
        json_set(a, body, "node_count", number(a, spec->node_count));
    if (spec->start)
        json_set(a, body, "start_time", number(a, spec->start / USEC_SEC));
    if (spec->duration)
        json_set(a, body, "duration",
                 number(a, (spec->duration + 60 * USEC_SEC - 1) / (60 * USEC_SEC)));
    return json_text(a, body);
}

enum answer slurm_reservation_put(struct slurm *slurm, struct slurm_call *call,
                                  const struct slurm_reservation_spec *spec)
{
    struct question q = { .name = "reservation_put",
                          .method = "POST",
                          .path = "/reservation",
                          .body = body_of(call->arena, spec),
                          .changes = true,
                          .since = 43 };
    struct reply reply;

    return slurm_ask(slurm, call, &q, &reply);
}

enum answer slurm_reservation_delete(struct slurm *slurm, struct slurm_call *call, const char *name)
{
    struct question q = {
        .name = "reservation_delete",
        .method = "DELETE",
        .path = fmt(call->arena, "/reservation/%s", url_escape(call->arena, name)),
        .changes = true,
        .since = 42,
    };
    struct reply reply;
    enum answer answer = slurm_ask(slurm, call, &q, &reply);

    return answer == ANSWER_NO && call->fault.code == -ENOENT ? ANSWER_YES : answer;
}
