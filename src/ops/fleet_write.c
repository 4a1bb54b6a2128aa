/* fleet_write.c - the fleet as tables for people and as JSON for programs. */
#include <string.h>

#include "base/str.h"
#include "ops/columns.h"
#include "ops/fleet.h"

enum { NODES_AT_A_GLANCE = 32 };

/* ------------------------------------------------------------------ text */

static const char *number(struct arena *a, size_t n)
{
    return fmt(a, "%zu", n);
}

/* "controller, restapi (not ready)": what stands beside the workers. */
static const char *parts_text(struct arena *a, const struct cluster_view *cluster)
{
    const char *text = "";

    for_each (part, cluster->parts) {
        bool fine = str_eq(part->health.state, "ready");

        text = fmt(a, "%s%s%s%s%s%s", text, *text ? ", " : "", part->kind, fine ? "" : " (",
                   fine ? "" : part->health.state, fine ? "" : ")");
    }
    return text;
}

static void write_clusters(struct arena *a, const struct fleet *fleet, struct buf *out)
{
    static const char *const titles[] = { "CLUSTER", "STATE", "NODES",   "BUSY",  "IDLE",
                                          "DRAIN",   "DOWN",  "UNKNOWN", "PARTS", NULL };
    struct columns table = columns_new(a, titles);

    for_each (c, fleet->clusters)
        COLUMNS_ADD(&table, fmt(a, "%s/%s", c->namespace, c->name), c->health.state,
                    number(a, c->count.nodes), number(a, c->count.busy), number(a, c->count.idle),
                    number(a, c->count.drain), number(a, c->count.down),
                    number(a, c->count.unknown), parts_text(a, c));
    columns_write(&table, out);
}

static void write_sets(struct arena *a, const struct fleet *fleet, struct buf *out)
{
    static const char *const titles[] = { "NODESET", "CLUSTER", "READY",   "BUSY",    "IDLE",
                                          "DRAIN",   "DOWN",    "UNKNOWN", "MESSAGE", NULL };
    struct columns table = columns_new(a, titles);

    for_each (cluster, fleet->clusters)
        for_each (s, cluster->sets)
            COLUMNS_ADD(&table, fmt(a, "%s/%s", s->namespace, s->name), s->cluster,
                        fmt(a, "%lld/%lld", (long long)s->ready, (long long)s->desired),
                        number(a, s->count.busy), number(a, s->count.idle),
                        number(a, s->count.drain), number(a, s->count.down),
                        number(a, s->count.unknown), s->health.message);
    if (table.n > table.width) {
        buf_char(out, '\n');
        columns_write(&table, out);
    }
}

static bool in_trouble(const struct worker_view *w)
{
    return w->busy == UNSET || w->drain == YES || w->down == YES || w->silent;
}

static void write_nodes(struct arena *a, const struct fleet *fleet, bool all, struct buf *out)
{
    static const char *const titles[] = { "NODE", "NODESET", "STATE", "POD", "ON", "REASON", NULL };
    struct columns table = columns_new(a, titles);
    size_t left = 0;

    for_each (cluster, fleet->clusters)
        for_each (set, cluster->sets)
            for_each (w, set->workers)
                if (all || in_trouble(w))
                    COLUMNS_ADD(&table, w->name, set->name, w->state, w->pod->meta.name,
                                w->pod->spec.node_name, w->reason);
                else
                    left++;
    if (table.n > table.width) {
        buf_char(out, '\n');
        columns_write(&table, out);
    }
    if (left)
        buf_fmt(out, "\n%zu nodes that are well are not listed; --nodes lists them\n", left);
}

static const char *job_name(struct arena *a, const struct slurm_job *job)
{
    if (job->array_id && job->array_task != JOB_NO_TASK)
        return fmt(a, "%u_%u", job->array_id, job->array_task);
    return fmt(a, "%u", job->id);
}

static void write_jobs(struct arena *a, const struct fleet *fleet, struct buf *out)
{
    static const char *const titles[] = { "JOB",   "CLUSTER", "NAME", "USER", "PARTITION",
                                          "STATE", "NODES",   "ON",   NULL };
    struct columns table = columns_new(a, titles);

    for_each (c, fleet->clusters)
        for_each (job, c->jobs)
            COLUMNS_ADD(&table, job_name(a, job), fmt(a, "%s/%s", c->namespace, c->name), job->name,
                        job->user, job->partition, job_state_text(a, job->state),
                        number(a, job->node_count),
                        str_empty(job->nodes) ? fmt(a, "(%s)", job->state_reason) : job->nodes);
    if (table.n > table.width) {
        buf_char(out, '\n');
        columns_write(&table, out);
    }
    for_each (c, fleet->clusters)
        if (c->jobs_asked && (c->jobs_problem || !c->jobs.n))
            buf_fmt(out, "\n%s/%s: %s%s\n", c->namespace, c->name,
                    c->jobs_problem ? "its jobs are not known: " : "no jobs",
                    c->jobs_problem ?: "");
}

static void write_messages(const struct fleet *fleet, struct buf *out)
{
    for_each (cluster, fleet->clusters)
        for_each (part, cluster->parts)
            if (part->health.message)
                buf_fmt(out, "\n%s %s/%s is %s: %s\n", part->kind, cluster->namespace, part->name,
                        part->health.state, part->health.message);
}

void fleet_write_text(struct arena *a, const struct fleet *fleet, bool nodes, struct buf *out)
{
    size_t all = 0;

    if (!fleet->clusters.n) {
        buf_str(out, "no clusters; -A looks into all namespaces\n");
        return;
    }
    for_each (cluster, fleet->clusters)
        all += cluster->count.nodes;
    write_clusters(a, fleet, out);
    write_sets(a, fleet, out);
    write_nodes(a, fleet, nodes || all <= NODES_AT_A_GLANCE, out);
    write_jobs(a, fleet, out);
    write_messages(fleet, out);
}

/* ------------------------------------------------------------------ JSON */

static void set_flag(struct arena *a, struct json *object, const char *name, enum flag flag)
{
    json_set(a, object, name, flag == UNSET ? json_null(a) : json_bool(a, flag == YES));
}

static void set_health(struct arena *a, struct json *object, const struct health *health)
{
    json_set_str(a, object, "state", health->state);
    json_set_str(a, object, "message", health->message);
}

static struct json *count_json(struct arena *a, const struct count_view *count)
{
    struct json *object = json_object(a);

    json_set(a, object, "nodes", json_int(a, (int64_t)count->nodes));
    json_set(a, object, "busy", json_int(a, (int64_t)count->busy));
    json_set(a, object, "idle", json_int(a, (int64_t)count->idle));
    json_set(a, object, "drain", json_int(a, (int64_t)count->drain));
    json_set(a, object, "down", json_int(a, (int64_t)count->down));
    json_set(a, object, "unknown", json_int(a, (int64_t)count->unknown));
    return object;
}

static struct json *worker_json(struct arena *a, const struct worker_view *w)
{
    struct json *object = json_object(a);

    json_set_str(a, object, "name", w->name);
    json_set_str(a, object, "pod", w->pod->meta.name);
    json_set_str(a, object, "node", w->pod->spec.node_name);
    json_set_str(a, object, "state", w->state);
    json_set_str(a, object, "reason", w->reason);
    set_flag(a, object, "busy", w->busy);
    set_flag(a, object, "drain", w->drain);
    set_flag(a, object, "drained", w->drained);
    set_flag(a, object, "down", w->down);
    return object;
}

static struct json *set_json(struct arena *a, const struct set_view *set)
{
    struct json *object = json_object(a);
    struct json *nodes = json_array(a);

    json_set_str(a, object, "name", set->name);
    set_health(a, object, &set->health);
    json_set(a, object, "desired", json_int(a, set->desired));
    json_set(a, object, "ready", json_int(a, set->ready));
    json_set(a, object, "count", count_json(a, &set->count));
    json_set(a, object, "nodes", nodes);
    for_each (w, set->workers)
        json_add(a, nodes, worker_json(a, w));
    return object;
}

static struct json *part_json(struct arena *a, const struct part_view *part)
{
    struct json *object = json_object(a);

    json_set_str(a, object, "kind", part->kind);
    json_set_str(a, object, "name", part->name);
    set_health(a, object, &part->health);
    return object;
}

static struct json *job_json(struct arena *a, const struct slurm_job *job)
{
    struct json *object = json_object(a);

    json_set(a, object, "id", json_int(a, job->id));
    json_set_str(a, object, "job", job_name(a, job));
    json_set_str(a, object, "name", job->name);
    json_set_str(a, object, "user", job->user);
    json_set_str(a, object, "partition", job->partition);
    json_set_str(a, object, "state", job_state_text(a, job->state));
    json_set_str(a, object, "reason", job->state_reason);
    json_set_str(a, object, "nodes", job->nodes);
    json_set(a, object, "nodeCount", json_int(a, job->node_count));
    return object;
}

/* null while they are not known, which is not the same as none. */
static void set_jobs(struct arena *a, struct json *object, const struct cluster_view *c)
{
    struct json *jobs = c->jobs_problem ? json_null(a) : json_array(a);

    if (!c->jobs_asked)
        return;
    json_set(a, object, "jobs", jobs);
    json_set_str(a, object, "jobsProblem", c->jobs_problem);
    for_each (job, c->jobs)
        json_add(a, jobs, job_json(a, job));
}

struct json *fleet_json(struct arena *a, const struct fleet *fleet)
{
    struct json *answer = json_object(a), *clusters = json_array(a);

    json_set(a, answer, "clusters", clusters);
    for_each (c, fleet->clusters) {
        struct json *object = json_object(a), *parts = json_array(a), *sets = json_array(a);

        json_set_str(a, object, "namespace", c->namespace);
        json_set_str(a, object, "name", c->name);
        set_health(a, object, &c->health);
        json_set(a, object, "count", count_json(a, &c->count));
        json_set(a, object, "parts", parts);
        json_set(a, object, "nodeSets", sets);
        set_jobs(a, object, c);
        for_each (part, c->parts)
            json_add(a, parts, part_json(a, part));
        for_each (set, c->sets)
            json_add(a, sets, set_json(a, set));
        json_add(a, clusters, object);
    }
    return answer;
}
