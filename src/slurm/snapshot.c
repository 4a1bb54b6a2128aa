/* snapshot.c - views of a snapshot, and waiting for one that is fresh enough. */
#include "slurm/snapshot.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#include "slurm/refresh.h"

#define REFRESH_DEFAULT (30 * USEC_SEC)
#define STALE_DEFAULT (120 * USEC_SEC) /* or a few refreshes, whichever is longer */

struct slurm_view {
    atomic_uint refs;
    usec stale;
    struct {
        struct pack *pack;
        usec as_of;
        usec floor; /* older than this it does not answer */
    } parts[PARTS];
};

static int index_of(enum slurm_part part)
{
    return part == SLURM_JOBS;
}

struct part *snapshot_part(struct snapshot *s, enum slurm_part part)
{
    return &s->parts[index_of(part)];
}

struct snapshot *snapshot_new(struct slurm *slurm, usec refresh, usec stale)
{
    struct snapshot *s = must_alloc(sizeof *s);
    pthread_condattr_t attributes;

    s->slurm = slurm;
    s->refresh = refresh ?: REFRESH_DEFAULT;
    s->stale = stale ?: (s->refresh * 4 > STALE_DEFAULT ? s->refresh * 4 : STALE_DEFAULT);
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&s->refreshed, &attributes);
    pthread_condattr_destroy(&attributes);
    for (int i = 0; i < PARTS; i++)
        s->parts[i] = (struct part) { .part = i ? SLURM_JOBS : SLURM_NODES, .snapshot = s };
    return s;
}

static void close_on_loop(void *userdata)
{
    struct snapshot *s = userdata;

    s->closing = true;
    for (int i = 0; i < PARTS; i++)
        if (s->parts[i].timer)
            timer_free(take(s->parts[i].timer));
}

void snapshot_close(struct snapshot *s)
{
    if (s)
        loop_call(s->slurm->loop, close_on_loop, s);
}

void snapshot_free(struct snapshot *s)
{
    if (!s)
        return;
    for (int i = 0; i < PARTS; i++)
        pack_unref(s->parts[i].pack);
    for (struct subscriber *next; s->subscribers; s->subscribers = next) {
        next = s->subscribers->next;
        free(s->subscribers);
    }
    pthread_cond_destroy(&s->refreshed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void look_on_loop(void *userdata)
{
    struct slurm *slurm = userdata;

    snapshot_look(slurm->snapshot);
    slurm_unref(slurm);
}

void snapshot_kick(struct snapshot *s)
{
    loop_post(s->slurm->loop, look_on_loop, slurm_ref(s->slurm));
}

void slurm_keep(struct slurm *slurm, unsigned parts)
{
    struct snapshot *s = slurm->snapshot;
    bool news = false;

    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < PARTS; i++)
        if ((parts & s->parts[i].part) && !s->parts[i].kept)
            news = s->parts[i].kept = true;
    pthread_mutex_unlock(&s->lock);
    if (news)
        snapshot_kick(s);
}

bool slurm_keeps(struct slurm *slurm, enum slurm_part part)
{
    scoped_lock(&slurm->snapshot->lock);

    return snapshot_part(slurm->snapshot, part)->kept;
}

void slurm_wrote(struct slurm *slurm, unsigned parts)
{
    struct snapshot *s = slurm->snapshot;
    bool kept = false;

    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < PARTS; i++) {
        if (!(parts & s->parts[i].part))
            continue;
        s->parts[i].written = clock_now();
        kept |= s->parts[i].kept;
    }
    pthread_mutex_unlock(&s->lock);
    if (kept)
        snapshot_kick(s);
}

/* Under lock. */
static struct slurm_view *view_of(struct snapshot *s, unsigned parts, usec floor)
{
    struct slurm_view *view = must_alloc(sizeof *view);

    atomic_init(&view->refs, 1);
    view->stale = s->stale;
    for (int i = 0; i < PARTS; i++) {
        view->parts[i].pack = pack_ref(s->parts[i].pack);
        view->parts[i].as_of = s->parts[i].as_of;
        view->parts[i].floor = parts & s->parts[i].part ? floor : 0;
    }
    return view;
}

struct slurm_view *slurm_view(struct slurm *slurm)
{
    scoped_lock(&slurm->snapshot->lock);

    return view_of(slurm->snapshot, 0, 0);
}

/* Whether every part asked for is fresh enough, or will not be: a refresh that began late enough to
 * bring it failed. Under lock. */
static bool is_settled(struct snapshot *s, unsigned parts, usec moment, struct slurm_fault *fault)
{
    bool settled = true;

    for (struct part *part = s->parts; part < s->parts + PARTS; part++) {
        if (!(parts & part->part) || (part->pack && part->as_of >= moment))
            continue;
        if (part->failed < moment) {
            settled = false;
            continue;
        }
        *fault = part->fault;
        return true;
    }
    return settled;
}

static void want(struct snapshot *s, unsigned parts, usec moment)
{
    pthread_mutex_lock(&s->lock);
    for (struct part *part = s->parts; part < s->parts + PARTS; part++)
        if ((parts & part->part) && part->wanted < moment)
            part->wanted = moment;
    pthread_mutex_unlock(&s->lock);
    slurm_keep(s->slurm, parts);
    snapshot_kick(s);
}

struct slurm_view *slurm_view_since(struct slurm *slurm, struct slurm_call *call, unsigned parts,
                                    usec moment)
{
    struct snapshot *s = slurm->snapshot;
    usec deadline = call->deadline ?: clock_now() + slurm->timeout;
    struct timespec until = { .tv_sec = deadline / USEC_SEC,
                              .tv_nsec = deadline % USEC_SEC * 1000 };

    assert(!loop_on_thread(slurm->loop));
    call->fault = (struct slurm_fault) { 0 };
    if (moment > clock_now())
        moment = clock_now();
    want(s, parts, moment);

    scoped_lock(&s->lock);
    while (!is_settled(s, parts, moment, &call->fault))
        if (pthread_cond_timedwait(&s->refreshed, &s->lock, &until) == ETIMEDOUT &&
            !is_settled(s, parts, moment, &call->fault)) {
            slurm_say(call, ANSWER_UNKNOWN, -ETIMEDOUT,
                      "slurm %s: no refresh of its snapshot within the deadline", slurm->cluster);
            break;
        }
    return view_of(s, parts, moment);
}

struct slurm_view *slurm_view_ref(struct slurm_view *view)
{
    atomic_fetch_add(&view->refs, 1);
    return view;
}

void slurm_view_unref(struct slurm_view *view)
{
    if (!view || atomic_fetch_sub(&view->refs, 1) != 1)
        return;
    for (int i = 0; i < PARTS; i++)
        pack_unref(view->parts[i].pack);
    free(view);
}

usec slurm_view_age(const struct slurm_view *view, enum slurm_part part)
{
    int i = index_of(part);

    return view->parts[i].pack ? clock_now() - view->parts[i].as_of : USEC_NEVER;
}

/* The pack, if it may answer now. */
static const struct pack *known(const struct slurm_view *view, enum slurm_part part)
{
    int i = index_of(part);
    bool good = view->parts[i].pack && view->parts[i].as_of >= view->parts[i].floor &&
                slurm_view_age(view, part) <= view->stale;

    return good ? view->parts[i].pack : NULL;
}

enum answer slurm_view_node(const struct slurm_view *view, const char *name, struct slurm_node *ret)
{
    const struct pack *pack = known(view, SLURM_NODES);
    size_t i;

    if (!pack)
        return ANSWER_UNKNOWN;
    if (!pack_find_node(pack, name, &i))
        return ANSWER_NO;
    pack_node(pack, i, ret);
    return ANSWER_YES;
}

enum answer slurm_view_job(const struct slurm_view *view, uint32_t id, struct slurm_job *ret)
{
    const struct pack *pack = known(view, SLURM_JOBS);
    size_t i;

    if (!pack)
        return ANSWER_UNKNOWN;
    if (!pack_find_job(pack, id, &i))
        return ANSWER_NO;
    pack_job(pack, i, ret);
    return ANSWER_YES;
}

static enum answer count(const struct slurm_view *view, enum slurm_part part, size_t *ret)
{
    const struct pack *pack = known(view, part);

    if (!pack)
        return ANSWER_UNKNOWN;
    *ret = pack_count(pack);
    return ANSWER_YES;
}

enum answer slurm_view_nodes(const struct slurm_view *view, size_t *ret_count)
{
    return count(view, SLURM_NODES, ret_count);
}

enum answer slurm_view_jobs(const struct slurm_view *view, size_t *ret_count)
{
    return count(view, SLURM_JOBS, ret_count);
}

void slurm_view_node_at(const struct slurm_view *view, size_t i, struct slurm_node *ret)
{
    pack_node(view->parts[index_of(SLURM_NODES)].pack, i, ret);
}

void slurm_view_job_at(const struct slurm_view *view, size_t i, struct slurm_job *ret)
{
    pack_job(view->parts[index_of(SLURM_JOBS)].pack, i, ret);
}
