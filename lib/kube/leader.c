/* leader.c - a thread that takes, renews and releases a Lease. */
#include "kube/leader.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/str.h"
#include "k8s/lease.h"
#include "kube/client.h"

#define LEASE_TIME (15 * USEC_SEC)
#define RENEW_DEADLINE (10 * USEC_SEC)
#define RETRY_EVERY (2 * USEC_SEC)
#define CALL_TIME (5 * USEC_SEC)

struct leader {
    struct client *client;
    struct leader_options options;
    struct arena *arena; /* of the options */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stopping;            /* under lock */
    bool abandoned;           /* under lock: not to be released */
    _Atomic usec valid_until; /* on the clock that never stops; 0: not the leader */
    bool leading;             /* the thread's own, as all below */
    char *version;            /* of our own lease as we wrote it last, NULL when unsure */
    usec acquired;            /* what else stands in it */
    int64_t transitions;
    char *seen_version;       /* of somebody else's lease, and when we first saw it */
    usec seen_at;
    struct metric *is_leader;
};

static struct metric_family leader_family = {
    .name = "leader_election_master_status", .help = "1 while this process leads.",
    .type = METRIC_GAUGE, .labels = { "name" },
};

static usec boot_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_BOOTTIME, &now);
    return (usec)now.tv_sec * USEC_SEC + now.tv_nsec / 1000;
}

bool leader_may_write(void *arg)
{
    struct leader *leader = arg;

    return boot_clock() < atomic_load(&leader->valid_until);
}

/* ------------------------------------------------------------------ the lease */

static int get_lease(struct leader *leader, struct arena *a, const struct k8s_lease **ret,
                     struct error *err)
{
    struct call call = { .verb = VERB_GET, .kind = &k8s_lease_kind,
                         .namespace = leader->options.namespace, .name = leader->options.name,
                         .deadline = clock_now() + CALL_TIME };
    struct outcome outcome;
    int rc = client_call(leader->client, a, &call, &outcome, err);

    *ret = rc == 0 ? outcome.object : NULL;
    return rc == -ENOENT ? 0 : rc;
}

static struct k8s_lease lease_of(struct leader *leader, const struct k8s_lease *old)
{
    bool ours = old && str_eq(old->spec.holder_identity, leader->options.identity);
    usec now = clock_wall();

    return (struct k8s_lease){
        .meta = { .name = leader->options.name,
                  .namespace = leader->options.namespace,
                  .resource_version = old ? old->meta.resource_version : NULL },
        .spec = { .holder_identity = leader->options.identity,
                  .lease_duration_seconds = SOME(LEASE_TIME / USEC_SEC),
                  .acquire_time = ours ? old->spec.acquire_time : now,
                  .renew_time = now,
                  .lease_transitions = SOME(old ? int_or(old->spec.lease_transitions, 0) + !ours
                                                : 0) },
    };
}

static void remember(struct leader *leader, const struct k8s_lease *written)
{
    free(leader->version);
    leader->version = written && written->meta.resource_version
        ? must_str(written->meta.resource_version) : NULL;
    leader->acquired = written ? written->spec.acquire_time : 0;
    leader->transitions = written ? int_or(written->spec.lease_transitions, 0) : 0;
}

/* Writes the lease as ours; -ESTALE or -EEXIST when somebody was faster. */
static int write_lease(struct leader *leader, struct arena *a, const struct k8s_lease *old,
                       struct error *err)
{
    struct k8s_lease lease = lease_of(leader, old);
    struct call call = { .verb = old ? VERB_UPDATE : VERB_CREATE, .kind = &k8s_lease_kind,
                         .object = &lease, .deadline = clock_now() + CALL_TIME };
    usec sent = boot_clock();
    struct outcome outcome;
    int rc = client_call(leader->client, a, &call, &outcome, err);
    const struct k8s_lease *written = rc == 0 ? outcome.object : NULL;

    remember(leader, written);
    if (rc == 0)
        atomic_store(&leader->valid_until, sent + RENEW_DEADLINE);
    return rc;
}

/* Somebody else's lease is over when it did not change for its whole duration on our own clock; the
 * times written in it are another machine's. */
static bool is_over(struct leader *leader, const struct k8s_lease *lease)
{
    usec lasts = int_or(lease->spec.lease_duration_seconds, LEASE_TIME / USEC_SEC) * USEC_SEC;

    if (str_empty(lease->spec.holder_identity))
        return true; /* released */
    if (!str_eq(leader->seen_version, lease->meta.resource_version)) {
        free(leader->seen_version);
        leader->seen_version = must_str(lease->meta.resource_version);
        leader->seen_at = boot_clock();
        return false;
    }
    return boot_clock() - leader->seen_at > lasts;
}

/* Renews what we wrote last without asking first; anyone else's write in between is a conflict. */
static int renew(struct leader *leader, struct arena *a, struct error *err)
{
    struct k8s_lease last = {
        .meta = { .resource_version = arena_str(a, leader->version) },
        .spec = { .holder_identity = leader->options.identity, .acquire_time = leader->acquired,
                  .lease_transitions = SOME(leader->transitions) },
    };

    return write_lease(leader, a, &last, err);
}

static int try_to_lead(struct leader *leader, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    const struct k8s_lease *lease;
    int rc;

    if (leader->leading && leader->version && renew(leader, a, err) == 0)
        return 0;
    rc = get_lease(leader, a, &lease, err);
    if (rc < 0)
        return rc;
    if (lease && !str_eq(lease->spec.holder_identity, leader->options.identity) &&
        !is_over(leader, lease))
        return fail(err, -EBUSY, "held by %s", lease->spec.holder_identity);
    return write_lease(leader, a, lease, err);
}

static void release(struct leader *leader)
{
    scoped(arena) struct arena *a = arena_new();
    const struct k8s_lease *lease;
    struct k8s_lease empty;
    struct call call = { .verb = VERB_UPDATE, .kind = &k8s_lease_kind, .object = &empty,
                         .deadline = clock_now() + CALL_TIME };

    atomic_store(&leader->valid_until, 0);
    if (get_lease(leader, a, &lease, NULL) < 0 || !lease ||
        !str_eq(lease->spec.holder_identity, leader->options.identity))
        return;
    empty = *lease;
    empty.spec.holder_identity = "";
    empty.spec.lease_duration_seconds = (struct maybe_int)SOME(1);
    empty.spec.renew_time = clock_wall();
    client_call(leader->client, a, &call, NULL, NULL);
}

/* ------------------------------------------------------------------ the thread */

/* False when we are to stop. */
static bool sleep_until_retry(struct leader *leader)
{
    usec until = clock_now() + RETRY_EVERY;
    struct timespec deadline = { .tv_sec = until / USEC_SEC, .tv_nsec = until % USEC_SEC * 1000 };
    scoped_lock(&leader->lock);

    while (!leader->stopping && clock_now() < until)
        pthread_cond_timedwait(&leader->wake, &leader->lock, &deadline);
    return !leader->stopping;
}

static void began_to_lead(struct leader *leader)
{
    leader->leading = true;
    metric_set(leader->is_leader, 1);
    log_info(NULL, "leading", KV("lease", leader->options.name),
             KV("identity", leader->options.identity));
    leader->options.on_lead(leader->options.userdata);
}

static void lost(struct leader *leader, const struct error *err)
{
    leader->leading = false;
    atomic_store(&leader->valid_until, 0);
    metric_set(leader->is_leader, 0);
    log_error(NULL, "the lease is lost", KV("lease", leader->options.name),
              KV("error", error_text(err)));
    leader->options.on_lost(leader->options.userdata);
}

/* One round; false when it was ours and is lost: the process is to end, not to try again. */
static bool go_round(struct leader *leader)
{
    bool had = leader->leading;
    struct error err = { 0 };
    int rc = try_to_lead(leader, &err);

    if (rc < 0 && had && (rc == -EBUSY || !leader_may_write(leader))) {
        lost(leader, &err);
        return false;
    }
    if (rc == 0 && !had)
        began_to_lead(leader);
    else if (rc < 0 && rc != -EBUSY)
        log_info(NULL, "the lease could not be had", KV("error", error_text(&err)));
    return true;
}

static void *lead(void *arg)
{
    struct leader *leader = arg;

    while (go_round(leader) && sleep_until_retry(leader))
        ;
    if (leader->leading && !leader->abandoned)
        release(leader);
    return NULL;
}

struct leader *leader_start(struct client *client, const struct leader_options *options,
                            struct error *err)
{
    struct leader *leader = must_alloc(sizeof *leader);
    pthread_condattr_t attr;
    int rc;

    leader->client = client;
    leader->arena = arena_new();
    leader->options = *options;
    leader->options.namespace = arena_str(leader->arena, options->namespace);
    leader->options.name = arena_str(leader->arena, options->name);
    leader->options.identity = arena_str(leader->arena, options->identity);
    leader->is_leader = metric(&leader_family, options->name);
    pthread_mutex_init(&leader->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&leader->wake, &attr);
    pthread_condattr_destroy(&attr);
    client_set_fence(client, leader_may_write, leader);
    rc = pthread_create(&leader->thread, NULL, lead, leader);
    if (rc) {
        fail(err, -rc, "start a thread: %s", strerror(rc));
        arena_free(leader->arena);
        free(leader);
        return NULL;
    }
    return leader;
}

static bool never(void *userdata)
{
    (void)userdata;
    return false;
}

void leader_stop(struct leader *leader, bool release)
{
    if (!leader)
        return;
    pthread_mutex_lock(&leader->lock);
    leader->stopping = true;
    leader->abandoned = !release;
    pthread_cond_signal(&leader->wake);
    pthread_mutex_unlock(&leader->lock);
    pthread_join(leader->thread, NULL);
    client_set_fence(leader->client, never, NULL);
    pthread_cond_destroy(&leader->wake);
    pthread_mutex_destroy(&leader->lock);
    free(leader->seen_version);
    free(leader->version);
    arena_free(leader->arena);
    free(leader);
}
