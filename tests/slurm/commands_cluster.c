/* commands_cluster.c - the cluster itself, its reservations, its accounting. */
#include <string.h>

#include "base/metrics.h"
#include "base/str.h"
#include "driver.h"

static struct json *run_version(struct driver *d, int n, char **words)
{
    int version = 0;
    enum answer answer = slurm_version(d->slurm, &d->call, &version);
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n, (void)words;
    set_int(d, reply, "version", version);
    return reply;
}

static struct json *run_ping(struct driver *d, int n, char **words)
{
    (void)n, (void)words;
    return yes_no(d, &d->call, slurm_ping(d->slurm, &d->call));
}

static struct json *run_db_ping(struct driver *d, int n, char **words)
{
    (void)n, (void)words;
    return yes_no(d, &d->call, slurmdb_ping(d->slurm, &d->call));
}

static struct json *run_reconfigure(struct driver *d, int n, char **words)
{
    (void)n, (void)words;
    return yes_no(d, &d->call, slurm_reconfigure(d->slurm, &d->call));
}

static struct json *run_diag(struct driver *d, int n, char **words)
{
    struct slurm_diag diag = { 0 };
    enum answer answer = slurm_diag(d->slurm, &d->call, &diag);
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n, (void)words;
    set_int(d, reply, "threads", diag.server_threads);
    set_int(d, reply, "submitted", diag.jobs_submitted);
    set_int(d, reply, "types", (int64_t)diag.by_type_count);
    set_int(d, reply, "users", (int64_t)diag.by_user_count);
    set_int(d, reply, "since", diag.since / USEC_SEC);
    return reply;
}

static struct json *run_partitions(struct driver *d, int n, char **words)
{
    struct slurm_partitions list = { 0 };
    enum answer answer = slurm_partitions(d->slurm, &d->call, &list);
    struct json *reply = yes_no(d, &d->call, answer);
    struct json *out = json_array(d->arena);

    (void)n, (void)words;
    for_each (p, list) {
        struct json *o = json_object(d->arena);

        set_str(d, o, "name", p->name);
        set_str(d, o, "nodes", p->nodes);
        set_str(d, o, "state", p->state);
        set_int(d, o, "node_count", p->node_count);
        set_int(d, o, "max_minutes", p->max_minutes);
        json_add(d->arena, out, o);
    }
    json_set(d->arena, reply, "partitions", out);
    return reply;
}

static struct json *run_licenses(struct driver *d, int n, char **words)
{
    struct slurm_licenses list = { 0 };
    enum answer answer = slurm_licenses(d->slurm, &d->call, &list);
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n, (void)words;
    for_each (l, list)
        set_int(d, reply, l->name, l->total);
    return reply;
}

static struct json *run_shares(struct driver *d, int n, char **words)
{
    struct slurm_shares list = { 0 };
    enum answer answer = slurm_shares(d->slurm, &d->call, &list);
    struct json *reply = yes_no(d, &d->call, answer);
    struct json *users = json_array(d->arena);

    (void)n, (void)words;
    for_each (share, list)
        if (share->is_user)
            json_add(d->arena, users, json_str(d->arena, share->name));
    json_set(d->arena, reply, "users", users);
    return reply;
}

static struct json *reservation_json(struct driver *d, const struct slurm_reservation *r)
{
    struct json *o = json_object(d->arena);

    set_str(d, o, "name", r->name);
    set_str(d, o, "nodes", r->nodes);
    set_str(d, o, "users", r->users);
    json_set(d->arena, o, "flags", names_of(d, r->flags));
    set_int(d, o, "start", r->start / USEC_SEC);
    set_int(d, o, "end", r->end / USEC_SEC);
    return o;
}

static struct json *run_reservations(struct driver *d, int n, char **words)
{
    struct slurm_reservations list = { 0 };
    enum answer answer = slurm_reservations(d->slurm, &d->call, &list);
    struct json *reply = yes_no(d, &d->call, answer);
    struct json *out = json_array(d->arena);

    (void)n, (void)words;
    for_each (r, list)
        json_add(d->arena, out, reservation_json(d, r));
    json_set(d->arena, reply, "reservations", out);
    return reply;
}

static struct json *run_reservation(struct driver *d, int n, char **words)
{
    struct slurm_reservation r;
    enum answer answer = slurm_reservation_get(d->slurm, &d->call, words[0], &r);
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n;
    if (is_yes(answer))
        json_set(d->arena, reply, "reservation", reservation_json(d, &r));
    return reply;
}

/* NAME NODES START DURATION: start in seconds from now, "" for what is not set. */
static struct json *run_reserve(struct driver *d, int n, char **words)
{
    struct slurm_reservation_spec spec = { .name = words[0], .nodes = *words[1] ? words[1] : NULL };
    bool is_new = *words[2];

    (void)n;
    duration_parse(words[3], &spec.duration);
    if (is_new) {
        spec.users = (struct strs)STRS("slurm");
        spec.flags = (struct strs)STRS("MAINT", "IGNORE_JOBS");
        spec.start = clock_wall() + atoi(words[2]) * USEC_SEC;
        return yes_no(d, &d->call, slurm_reservation_put(d->slurm, &d->call, &spec));
    }
    return yes_no(d, &d->call, slurm_reservation_put(d->slurm, &d->call, &spec));
}

static struct json *run_unreserve(struct driver *d, int n, char **words)
{
    (void)n;
    return yes_no(d, &d->call, slurm_reservation_delete(d->slurm, &d->call, words[0]));
}

static struct json *run_db_lists(struct driver *d, int n, char **words)
{
    struct slurmdb_accounts accounts = { 0 };
    struct slurmdb_users users = { 0 };
    struct slurmdb_associations associations = { 0 };
    struct slurmdb_qos_list qos = { 0 };
    struct slurmdb_clusters clusters = { 0 };
    enum answer answer =
        answer_and(answer_and(slurmdb_accounts(d->slurm, &d->call, &accounts),
                              slurmdb_users(d->slurm, &d->call, &users)),
                   answer_and(answer_and(slurmdb_associations(d->slurm, &d->call, &associations),
                                         slurmdb_qos(d->slurm, &d->call, &qos)),
                              slurmdb_clusters(d->slurm, &d->call, &clusters)));
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n, (void)words;
    for_each (account, accounts)
        set_str(d, reply, "account", account->name);
    for_each (user, users)
        set_str(d, reply, "user", user->name);
    for_each (one, qos)
        set_str(d, reply, "qos", one->name);
    for_each (cluster, clusters)
        set_str(d, reply, "cluster", cluster->name);
    set_int(d, reply, "associations", (int64_t)associations.n);
    return reply;
}

static struct json *run_set_token(struct driver *d, int n, char **words)
{
    struct slurm_token_options options = { .text = words[0] };
    struct error err = { 0 };

    (void)n;
    return json_str(d->arena, slurm_set_token(d->slurm, &options, &err) < 0 ? err.text : "set");
}

static struct json *run_metrics(struct driver *d, int n, char **words)
{
    scoped(buf) struct buf out = { 0 };
    struct json *reply = json_object(d->arena);

    (void)n, (void)words;
    metrics_write(&out);
    set_str(d, reply, "metrics", arena_str(d->arena, buf_text(&out)));
    return reply;
}

const struct command cluster_commands[] = {
    { "version", 0, run_version },
    { "ping", 0, run_ping },
    { "db_ping", 0, run_db_ping },
    { "reconfigure", 0, run_reconfigure },
    { "diag", 0, run_diag },
    { "partitions", 0, run_partitions },
    { "licenses", 0, run_licenses },
    { "shares", 0, run_shares },
    { "reservations", 0, run_reservations },
    { "reservation", 1, run_reservation },
    { "reserve", 4, run_reserve },
    { "unreserve", 1, run_unreserve },
    { "db_lists", 0, run_db_lists },
    { "set_token", 1, run_set_token },
    { "metrics", 0, run_metrics },
    { 0 },
};
