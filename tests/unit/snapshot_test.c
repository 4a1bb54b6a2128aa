/* snapshot_test.c - views, their age, conditional refreshes, and who is told what. */
#include "slurm/snapshot.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/str.h"
#include "slurm/pack.h"
#include "slurm/pool.h"
#include "support/bench.h"

#define NODES "/slurm/v0.0.45/nodes/"
#define JOBS "/slurm/v0.0.45/jobs/"
#define NODE(name, state, more) "{\"name\":\"" name "\",\"state\":[\"" state "\"]" more "}"
#define HEAD(time)                                                                                 \
    ",\"last_update\":{\"set\":true,\"infinite\":false,\"number\":" time "},\"errors\":[]}"

static void set(struct bench *b, const char *path, int status, const char *body)
{
    stub_set(b->stub, "GET", path, &(struct stub_answer) { .status = status, .body = body });
}

static struct slurm_view *fresh(struct bench *b, unsigned parts)
{
    b->call.deadline = clock_now() + 5 * USEC_SEC;
    return slurm_view_since(b->slurm, &b->call, parts, clock_now());
}

TEST(a_view_that_was_never_loaded_answers_unknown)
{
    BENCH b = bench_of(NULL);
    scoped(slurm_view) struct slurm_view *view = slurm_view(b.slurm);
    struct slurm_node node;
    struct slurm_job job;
    size_t count;

    CHECK_INT(slurm_view_node(view, "worker-0", &node), ANSWER_UNKNOWN);
    CHECK_INT(slurm_view_job(view, 1, &job), ANSWER_UNKNOWN);
    CHECK_INT(slurm_view_nodes(view, &count), ANSWER_UNKNOWN);
    CHECK(slurm_view_age(view, SLURM_NODES) == USEC_NEVER);
    CHECK_INT(stub_count(b.stub, NULL, NULL), 0); /* nothing is kept that nobody asked for */
}

TEST(a_view_holds_what_slurm_said)
{
    BENCH b = bench_of(NULL);
    struct slurm_node node;
    struct slurm_job job;
    size_t count;

    stub_replay(b.stub, "v0.0.45", "nodes-two");
    stub_replay(b.stub, "v0.0.45", "jobs-running");
    scoped(slurm_view) struct slurm_view *view = fresh(&b, SLURM_NODES | SLURM_JOBS);
    CHECK_INT(slurm_view_nodes(view, &count), ANSWER_YES);
    CHECK_INT(count, 2);
    CHECK_INT(slurm_view_node(view, "worker-1", &node), ANSWER_YES);
    CHECK_STR(node.name, "worker-1");
    CHECK_STR(node.features, "worker");
    CHECK(node.memory > 0 && node.state.known);
    CHECK_INT(slurm_view_node(view, "worker-2", &node), ANSWER_NO);
    CHECK_INT(slurm_view_jobs(view, &count), ANSWER_YES);
    slurm_view_job_at(view, 0, &job);
    CHECK(job.id > 0 && is_yes(job_is_running(job.state)));
    CHECK_INT(slurm_view_job(view, job.id, &job), ANSWER_YES);
    CHECK_INT(slurm_view_job(view, 4000000000u, &job), ANSWER_NO);
    CHECK(slurm_view_age(view, SLURM_NODES) < 5 * USEC_SEC);
}

TEST(an_unchanged_list_keeps_what_is_known_and_makes_it_young)
{
    BENCH b = bench_of(NULL);
    scoped(free) char *last = NULL;
    struct slurm_node node;
    struct slurm_job job;

    set(&b, NODES, 200, "{\"nodes\":[" NODE("a", "IDLE", "") "]" HEAD("1000"));
    set(&b, JOBS, 200, "{\"jobs\":[{\"job_id\":7,\"job_state\":[\"RUNNING\"]}]" HEAD("1000"));
    slurm_view_unref(fresh(&b, SLURM_NODES | SLURM_JOBS));
    set(&b, NODES, 304, NULL);
    stub_replay(b.stub, "v0.0.45", "jobs-unchanged");
    scoped(slurm_view) struct slurm_view *view = fresh(&b, SLURM_NODES | SLURM_JOBS);
    CHECK_INT(b.call.fault.code, 0);
    CHECK_INT(slurm_view_node(view, "a", &node), ANSWER_YES);
    CHECK_INT(slurm_view_job(view, 7, &job), ANSWER_YES);
    last = stub_last(b.stub);
    CHECK(strstr(last, "update_time=1000"));
}

TEST(an_empty_queue_is_not_an_unchanged_one)
{
    BENCH b = bench_of(NULL);
    struct slurm_job job;

    set(&b, JOBS, 200, "{\"jobs\":[{\"job_id\":7,\"job_state\":[\"RUNNING\"]}]" HEAD("1000"));
    slurm_view_unref(fresh(&b, SLURM_JOBS));
    stub_replay(b.stub, "v0.0.45", "jobs-empty");
    scoped(slurm_view) struct slurm_view *view = fresh(&b, SLURM_JOBS);
    CHECK_INT(slurm_view_job(view, 7, &job), ANSWER_NO);
}

TEST(a_server_that_cannot_do_conditional_lists_is_asked_for_whole_ones)
{
    BENCH b = bench_of(NULL);
    scoped(free) char *last = NULL;
    struct slurm_node node;

    set(&b, NODES, 200, "{\"nodes\":[" NODE("a", "IDLE", "") "]" HEAD("1000"));
    set(&b, NODES "?update_time=1000", 500,
        "{\"errors\":[{\"error_number\":-1,\"description\":\"Unable to query partitions\"}]}");
    slurm_view_unref(fresh(&b, SLURM_NODES));
    for (int i = 0; i < 2; i++) {
        scoped(slurm_view) struct slurm_view *view = fresh(&b, SLURM_NODES);

        CHECK_INT(slurm_view_node(view, "a", &node), ANSWER_YES);
    }
    CHECK_INT(stub_count(b.stub, "GET", NODES), 4); /* one of them in vain */
    last = stub_last(b.stub);
    CHECK(!strstr(last, "update_time"));
}

TEST(a_failed_refresh_is_told_and_the_old_view_still_answers_until_it_is_stale)
{
    BENCH b = bench_of(&(struct slurm_options) { .stale = 700 * USEC_MSEC });
    struct slurm_node node;

    stub_replay(b.stub, "v0.0.45", "nodes-two");
    slurm_view_unref(fresh(&b, SLURM_NODES));
    stub_replay(b.stub, "v0.0.45", "nodes-slurmctld-down");
    scoped(slurm_view) struct slurm_view *late = fresh(&b, SLURM_NODES);
    CHECK_INT(b.call.fault.code, -EHOSTDOWN);
    CHECK_INT(slurm_view_node(late, "worker-0", &node), ANSWER_UNKNOWN); /* not as fresh as asked */
    scoped(slurm_view) struct slurm_view *old = slurm_view(b.slurm);
    CHECK_INT(slurm_view_node(old, "worker-0", &node), ANSWER_YES);
    usleep(800000);
    CHECK_INT(slurm_view_node(old, "worker-0", &node), ANSWER_UNKNOWN);
}

TEST(a_list_cut_in_the_middle_changes_nothing)
{
    BENCH b = bench_of(NULL);
    struct slurm_node node;

    set(&b, NODES, 200,
        "{\"nodes\":[" NODE("a", "IDLE", "") "," NODE("b", "IDLE", "") "]" HEAD("1"));
    slurm_view_unref(fresh(&b, SLURM_NODES));
    stub_set(b.stub, "GET", NODES,
             &(struct stub_answer) { .body = "{\"nodes\":[" NODE("a", "DOWN", "") ",{\"name\":\"b",
                                     .body_len = 45,
                                     .cut = 40 });
    slurm_view_unref(fresh(&b, SLURM_NODES));
    CHECK(b.call.fault.code != 0);
    scoped(slurm_view) struct slurm_view *view = slurm_view(b.slurm);
    CHECK_INT(slurm_view_node(view, "a", &node), ANSWER_YES);
    CHECK(is_yes(node_is_idle(node.state)));
    CHECK_INT(slurm_view_node(view, "b", &node), ANSWER_YES);
}

TEST(a_node_that_stands_there_twice_makes_the_list_worthless)
{
    BENCH b = bench_of(NULL);

    set(&b, NODES, 200,
        "{\"nodes\":[" NODE("a", "IDLE", "") "," NODE("a", "DOWN", "") "]" HEAD("1"));
    slurm_view_unref(fresh(&b, SLURM_NODES));
    CHECK_INT(b.call.fault.code, -EBADMSG);
    CHECK(strstr(b.call.fault.text, "node a"));
}

struct wish {
    struct slurm *slurm;
    usec since;
};

static void *look(void *userdata)
{
    struct wish *wish = userdata;
    scoped(arena) struct arena *a = arena_new();
    struct slurm_call call = { .arena = a };
    struct slurm_node node;
    scoped(slurm_view) struct slurm_view *view =
        slurm_view_since(wish->slurm, &call, SLURM_NODES, wish->since);

    return (void *)(uintptr_t)(slurm_view_node(view, "worker-0", &node) == ANSWER_YES);
}

TEST(many_who_want_a_refresh_at_once_share_one)
{
    BENCH b = bench_of(NULL);
    pthread_t threads[16];
    struct wish wish;
    int asked;

    stub_replay(b.stub, "v0.0.45", "nodes-two");
    slurm_view_unref(fresh(&b, SLURM_NODES));
    asked = stub_count(b.stub, "GET", NODES);
    wish = (struct wish) { b.slurm, clock_now() };
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
        CHECK(!pthread_create(&threads[i], NULL, look, &wish));
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
        void *good;

        pthread_join(threads[i], &good);
        CHECK(good);
    }
    CHECK(stub_count(b.stub, "GET", NODES) - asked <= 2); /* one more may have been due */
}

TEST(a_change_of_ours_is_followed_by_a_refresh)
{
    BENCH b = bench_of(&(struct slurm_options) { .keep = SLURM_NODES });
    struct slurm_node_change drain = { .state = "DRAIN", .reason = "x" };
    struct slurm_node node;

    set(&b, NODES, 200, "{\"nodes\":[" NODE("a", "IDLE", "") "]" HEAD("1000"));
    set(&b, "/slurm/v0.0.45/node/a", 200, "{\"errors\":[]}");
    stub_set(b.stub, "POST", "/slurm/v0.0.45/node/a",
             &(struct stub_answer) { .body = "{\"errors\":[],\"warnings\":[]}" });
    slurm_view_unref(fresh(&b, SLURM_NODES));
    set(&b, NODES, 200, "{\"nodes\":[" NODE("a", "DRAIN", ",\"reason\":\"x\"") "]" HEAD("1001"));
    CHECK_INT(slurm_node_change(b.slurm, &b.call, "a", &drain), ANSWER_YES);
    for (int i = 0; i < 100; i++) {
        scoped(slurm_view) struct slurm_view *view = slurm_view(b.slurm);

        if (slurm_view_node(view, "a", &node) == ANSWER_YES && str_eq(node.reason, "x"))
            return;
        usleep(20000);
    }
    CHECK(!"the snapshot never heard of it");
}

TEST(missing_names_cost_two_more_calls)
{
    BENCH b = bench_of(NULL);
    struct slurm_node_change drain = { .state = "DRAIN", .reason = "x" };
    struct slurm_outcome out;

    stub_replay(b.stub, "v0.0.45", "nodes-two");
    stub_replay(b.stub, "v0.0.45", "nodes-update-many");
    stub_once(b.stub, "POST", NODES,
              &(struct stub_answer) { .status = 422,
                                      .body = "{\"errors\":[{\"error_number\":2018,"
                                              "\"error\":\"Invalid node name\"}]}" });
    CHECK_INT(slurm_nodes_change(b.slurm, &b.call, "worker-[0-999]", &drain, &out), ANSWER_NO);
    CHECK_INT(stub_count(b.stub, NULL, NULL), 3);
    CHECK_INT(out.done.n, 2);
    CHECK_INT(out.missing.n, 998);
    CHECK_INT(out.refused.n + out.unknown.n, 0);
    CHECK_INT(b.call.fault.number, 2018);
    CHECK_INT(slurm_nodes_change(b.slurm, &b.call, "worker-[0-1]", &drain, NULL), ANSWER_YES);
    CHECK_INT(stub_count(b.stub, NULL, NULL), 4);
}

/* What a subscriber heard, as text. */
struct heard {
    pthread_mutex_t lock;
    struct buf text;
};

static void hear(void *userdata, const struct slurm_news *news)
{
    struct heard *heard = userdata;
    scoped_lock(&heard->lock);

    buf_fmt(&heard->text, "[%s %s", news->cluster, answer_text(news->known));
    for (size_t i = 0; i < news->n; i++)
        buf_fmt(&heard->text, " %s%.0u:%x", news->changes[i].node ?: "job", news->changes[i].job,
                news->changes[i].differences);
    buf_str(&heard->text, "]");
}

static char *heard_so_far(struct heard *heard, struct arena *a)
{
    scoped_lock(&heard->lock);
    char *text = arena_str(a, buf_text(&heard->text));

    buf_clear(&heard->text);
    return text;
}

TEST(subscribers_are_told_exactly_what_changed)
{
    BENCH b = bench_of(NULL);
    struct heard heard = { .lock = PTHREAD_MUTEX_INITIALIZER };
    uint64_t id;

    set(&b, NODES, 200,
        "{\"nodes\":[" NODE("a", "IDLE", "") "," NODE("b", "IDLE", "") "]" HEAD("1"));
    id = slurm_subscribe(b.slurm, SLURM_NODES, SLURM_ANYTHING & ~SLURM_LOAD, hear, &heard);
    slurm_view_unref(fresh(&b, SLURM_NODES));
    CHECK_STR(heard_so_far(&heard, b.call.arena), "[test yes a:1 b:1]");
    set(&b, NODES, 200,
        "{\"nodes\":[" NODE("b", "DRAIN", ",\"reason\":\"r\"") "," NODE("c", "IDLE",
                                                                        "") "]" HEAD("2"));
    slurm_view_unref(fresh(&b, SLURM_NODES));
    CHECK_STR(heard_so_far(&heard, b.call.arena), "[test yes a:2 b:c c:1]");
    set(&b, NODES, 200,
        "{\"nodes\":[" NODE("b", "DRAIN", ",\"reason\":\"r\",\"cpu_load\":9") "," NODE(
            "c", "IDLE", ",\"cpu_load\":3") "]" HEAD("3"));
    slurm_view_unref(fresh(&b, SLURM_NODES));
    CHECK_STR(heard_so_far(&heard, b.call.arena), ""); /* only what it does not care for */
    slurm_unsubscribe(b.slurm, id);
    set(&b, NODES, 200, "{\"nodes\":[]" HEAD("4"));
    slurm_view_unref(fresh(&b, SLURM_NODES));
    CHECK_STR(heard_so_far(&heard, b.call.arena), "");
    buf_done(&heard.text);
}

TEST(subscribers_hear_when_slurm_falls_silent_and_when_it_is_back)
{
    BENCH b =
        bench_of(&(struct slurm_options) { .stale = 100 * USEC_MSEC, .refresh = 50 * USEC_MSEC });
    struct heard heard = { .lock = PTHREAD_MUTEX_INITIALIZER };
    uint64_t id;

    set(&b, NODES, 200, "{\"nodes\":[" NODE("a", "IDLE", "") "]" HEAD("1"));
    slurm_view_unref(fresh(&b, SLURM_NODES));
    id = slurm_subscribe(b.slurm, SLURM_NODES, SLURM_STATE, hear, &heard);
    CHECK_STR(heard_so_far(&heard, b.call.arena), "[test yes]"); /* being added is no state */
    stub_replay(b.stub, "v0.0.45", "nodes-slurmctld-down");
    usleep(1500000);
    CHECK_STR(heard_so_far(&heard, b.call.arena), "[test unknown]");
    set(&b, NODES, 200, "{\"nodes\":[" NODE("a", "DOWN", "") "]" HEAD("2"));
    for (int i = 0; i < 100; i++) {
        char *text = heard_so_far(&heard, b.call.arena);

        if (*text) {
            CHECK_STR(text, "[test yes a:4]");
            break;
        }
        CHECK(i < 99);
        usleep(100000);
    }
    slurm_unsubscribe(b.slurm, id);
    buf_done(&heard.text);
}

TEST(a_client_can_end_while_a_refresh_is_under_way)
{
    for (int i = 0; i < 20; i++) {
        BENCH b = bench_of(&(struct slurm_options) { .keep = SLURM_NODES | SLURM_JOBS });

        stub_set(b.stub, "GET", NODES,
                 &(struct stub_answer) { .body = "{}", .delay = 20 * USEC_MSEC });
        usleep((useconds_t)(i * 1000));
    }
}

TEST(a_pool_keeps_each_piece_once)
{
    struct pool pool;
    uint32_t a, words, numbers[3] = { 1, 2, 3 };

    pool_init(&pool);
    a = pool_str(&pool, "worker");
    CHECK_INT(pool_str(&pool, ""), 0);
    CHECK_INT(pool_str(&pool, "worker"), a);
    words = pool_add(&pool, numbers, sizeof numbers);
    CHECK_INT(words % 4, 0);
    CHECK_INT(pool_add(&pool, numbers, sizeof numbers), words);
    for (int i = 0; i < 5000; i++) {
        char text[16];

        snprintf(text, sizeof text, "n%d", i);
        CHECK(pool_str(&pool, text) != UINT32_MAX);
    }
    CHECK_INT(pool_str(&pool, "worker"), a);
    pool_seal(&pool);
    CHECK_STR(pool_at(&pool, a), "worker");
    CHECK(!memcmp(pool_at(&pool, words), numbers, sizeof numbers));
    pool_done(&pool);
}

TEST(a_pack_gives_back_what_was_put_in)
{
    scoped(pack) struct pack *pack = pack_new(SLURM_NODES, 0);
    struct slurm_node in = { .state = { .flags = NODE_DRAIN | NODE_STRANGE_WORD | NODE_EXTERNAL,
                                        .base = NODE_FUTURE,
                                        .known = true },
                             .reason_time = 1700000000 * USEC_SEC,
                             .cpus = 256,
                             .load = 12345,
                             .memory = 2097152,
                             .used_memory = 7,
                             .free_memory = UINT64_MAX,
                             .weight = 3,
                             .resume_after = 5 * USEC_SEC };
    struct slurm_node out;
    struct error err = { 0 };
    size_t i;

    in.name = "z", in.hostname = "h", in.address = "addr", in.reason = "r", in.reason_user = "u";
    in.comment = "c", in.extra = "e", in.partitions = "p", in.features = "f";
    in.active_features = "af", in.gres = "g", in.gres_used = "gu", in.tres = "t";
    in.tres_used = "tu", in.reservation = "res", in.topology = "top", in.instance_id = "id";
    in.instance_type = "type", in.version = "v";
    CHECK_OK(pack_add_node(pack, &in, &err), err);
    in.name = "a";
    CHECK_OK(pack_add_node(pack, &in, &err), err);
    CHECK_OK(pack_finish(pack, &err), err);
    CHECK(pack_find_node(pack, "z", &i) && i == 1);
    pack_node(pack, 1, &out);
    CHECK_STR(out.name, "z");
    CHECK_STR(out.active_features, "af");
    CHECK_STR(out.instance_type, "type");
    CHECK_STR(out.instance_id, "id");
    CHECK_STR(out.tres_used, "tu");
    CHECK_INT(out.state.flags, NODE_DRAIN | NODE_STRANGE_WORD | NODE_EXTERNAL);
    CHECK(out.state.base == NODE_FUTURE && out.state.known);
    CHECK_INT(out.reason_time, in.reason_time);
    CHECK_INT(out.memory, 2097152);
    CHECK_INT(out.free_memory, UINT32_MAX); /* the most it can say */
    CHECK_INT(out.weight, 3);
}
