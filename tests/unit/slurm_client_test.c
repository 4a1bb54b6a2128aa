/* slurm_client_test.c - the client against recorded answers of a real slurmrestd, and against
 * worse. */
#include "slurm/client.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "slurm/job_api.h"
#include "slurm/node_api.h"
#include "slurm/reply.h"
#include "slurm/reservation_api.h"
#include "slurm/slurmdb_api.h"
#include "support/bench.h"

static const char *versions[] = { "v0.0.41", "v0.0.42", "v0.0.43", "v0.0.44", "v0.0.45" };
#define FOR_EACH_VERSION(v, first)                                                                 \
    for (const char **v = &versions[(first) - 41]; v < versions + ARRAY_SIZE(versions); v++)

TEST(client_speaks_the_newest_version_that_the_server_has)
{
    FOR_EACH_VERSION(v, 41)
    {
        BENCH b = bench_of(NULL);
        int version;

        stub_replay(b.stub, *v, "ping");
        CHECK_INT(slurm_version(b.slurm, &b.call, &version), ANSWER_YES);
        CHECK_INT(version, atoi(*v + 5));
        CHECK_INT(slurm_ping(b.slurm, &b.call), ANSWER_YES);
        CHECK_INT(stub_count(b.stub, NULL, NULL), 45 - version + 2); /* found once */
    }
}

TEST(client_speaks_no_newer_version_than_it_may)
{
    BENCH b = bench_of(&(struct slurm_options) { .newest_api = 44 });
    struct slurm_options wrong = {
        .cluster = "x", .url = "http://x", .token.text = "t", .newest_api = 46
    };
    struct error err = { 0 };
    struct slurm *none;
    int version;

    stub_replay(b.stub, "v0.0.45", "ping");
    stub_replay(b.stub, "v0.0.43", "ping");
    CHECK_INT(slurm_version(b.slurm, &b.call, &version), ANSWER_YES);
    CHECK_INT(version, 43);
    CHECK_INT(slurm_new(b.loop, &wrong, &none, &err), -EINVAL);
}

TEST(client_finds_another_version_after_an_upgrade)
{
    BENCH b = bench_of(NULL);
    struct slurm_nodes nodes;
    int version;

    stub_replay(b.stub, "v0.0.42", "nodes-two");
    CHECK_INT(slurm_nodes(b.slurm, &b.call, &nodes), ANSWER_YES);
    stub_remove(b.stub, "GET", "/slurm/v0.0.42/nodes/");
    stub_replay(b.stub, "v0.0.44", "nodes-one");
    CHECK_INT(slurm_nodes(b.slurm, &b.call, &nodes), ANSWER_YES);
    CHECK_INT(nodes.n, 1);
    CHECK_INT(slurm_version(b.slurm, &b.call, &version), ANSWER_YES);
    CHECK_INT(version, 44);
}

TEST(client_says_what_is_wrong_when_no_version_is_known)
{
    BENCH b = bench_of(NULL);
    struct slurm_nodes nodes;

    CHECK_INT(slurm_nodes(b.slurm, &b.call, &nodes), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -EOPNOTSUPP);
    CHECK_INT(stub_count(b.stub, NULL, NULL), 5);
}

TEST(nodes_are_decoded_in_every_version)
{
    FOR_EACH_VERSION(v, 41)
    {
        BENCH b = bench_of(NULL);
        struct slurm_nodes nodes = { 0 };
        struct slurm_node node = { 0 };
        const char *name;

        stub_replay(b.stub, *v, "nodes-two");
        stub_replay(b.stub, *v, "node-missing");
        name = stub_replay(b.stub, *v, "node-one");
        CHECK_INT(slurm_nodes(b.slurm, &b.call, &nodes), ANSWER_YES);
        CHECK_INT(nodes.n, 2);
        CHECK(str_starts(nodes.v[0].name, "worker-") && strcmp(nodes.v[0].name, nodes.v[1].name));
        CHECK_STR(nodes.v[1].hostname, nodes.v[1].name);
        CHECK(str_starts(nodes.v[0].address, "10.0.64."));
        CHECK(nodes.v[0].state.known && nodes.v[0].cpus > 0 && nodes.v[0].memory > 0);
        CHECK(str_starts(nodes.v[0].tres, "cpu=") && nodes.v[0].booted > 0);
        CHECK_STR(nodes.v[0].features, "worker");
        CHECK_INT(slurm_node_get(b.slurm, &b.call, name, &node), ANSWER_YES);
        CHECK_STR(node.name, name);
        CHECK_INT(slurm_node_get(b.slurm, &b.call, "nosuch", &node), ANSWER_NO);
        CHECK_INT(b.call.fault.code, -ENOENT);
    }
}

static struct slurm_node node_in(const char *version, const char *recording, struct bench *b)
{
    const char *name = stub_replay(b->stub, version, recording);
    struct slurm_node node = { 0 };

    CHECK_INT(slurm_node_get(b->slurm, &b->call, name, &node), ANSWER_YES);
    return node;
}

TEST(nodes_tell_their_state)
{
    FOR_EACH_VERSION(v, 41)
    {
        BENCH b = bench_of(NULL);

        CHECK(is_yes(node_is_drained(node_in(*v, "node-drained", &b).state)));
        CHECK(is_yes(node_is_draining(node_in(*v, "node-draining", &b).state)));
        CHECK(is_no(node_is_drained(node_in(*v, "node-draining", &b).state)));
        CHECK(is_yes(node_is_down(node_in(*v, "node-down", &b).state)));
        CHECK(is_yes(node_is_gone(node_in(*v, "node-not-responding", &b).state)));
        CHECK(*node_in(*v, "node-drained", &b).reason != '\0');
        CHECK(node_in(*v, "node-drained", &b).reason_time > 0);
    }
}

TEST(the_cluster_is_decoded_in_every_version)
{
    FOR_EACH_VERSION(v, 41)
    {
        BENCH b = bench_of(NULL);
        struct slurm_diag diag = { 0 };
        struct slurm_partitions partitions = { 0 };
        struct slurm_licenses licenses = { 0 };
        struct slurm_shares shares = { 0 };
        struct slurm_reservations reservations = { 0 };

        stub_replay(b.stub, *v, "diag");
        stub_replay(b.stub, *v, "partitions");
        stub_replay(b.stub, *v, "licenses");
        stub_replay(b.stub, *v, "shares");
        stub_replay(b.stub, *v, "reservations");
        CHECK_INT(slurm_diag(b.slurm, &b.call, &diag), ANSWER_YES);
        CHECK(diag.server_threads > 0 && diag.by_type_count > 0);
        CHECK(diag.by_user_count > 0 && *diag.by_user[0].name);
        CHECK_INT(slurm_partitions(b.slurm, &b.call, &partitions), ANSWER_YES);
        CHECK(partitions.n == 2 && *partitions.v[0].name && *partitions.v[0].nodes);
        CHECK_STR(partitions.v[0].state, "UP");
        CHECK_INT(partitions.v[0].max_minutes, -1);
        CHECK_INT(slurm_licenses(b.slurm, &b.call, &licenses), ANSWER_YES);
        CHECK(licenses.n == 1 && licenses.v[0].total > 0);
        CHECK_INT(slurm_shares(b.slurm, &b.call, &shares), ANSWER_YES);
        CHECK(shares.n > 0 && *shares.v[0].name);
        CHECK_INT(slurm_reservations(b.slurm, &b.call, &reservations), ANSWER_YES);
        CHECK_INT(reservations.n, 0);
    }
}

TEST(numbers_beyond_bounds_are_mended)
{
    char text[] = "{\"a\":Infinity,\"b\":-Infinity,\"c\":NaN,\"d\":\"NaN \\\" Infinity\",\"e\":1}";
    struct slurm_shares shares;
    BENCH b = bench_of(NULL);

    reply_mend(text);
    CHECK_STR(text,
              "{\"a\":null    ,\"b\":null     ,\"c\":0  ,\"d\":\"NaN \\\" Infinity\",\"e\":1}");
    stub_set(
        b.stub, "GET", "/slurm/v0.0.45/shares",
        &(struct stub_answer) { .body = "{\"shares\":{\"shares\":[{\"name\":\"root\",\"fairshare\":"
                                        "{\"factor\":0.5,\"level\":Infinity}}]},\"errors\":[]}" });
    CHECK_INT(slurm_shares(b.slurm, &b.call, &shares), ANSWER_YES);
    CHECK(shares.v[0].factor == 0.5);
}

TEST(jobs_are_decoded_in_every_version)
{
    FOR_EACH_VERSION(v, 41)
    {
        BENCH b = bench_of(NULL);
        struct slurm_job_filter nobody = { .user = "nobody" };
        struct slurm_jobs jobs = { 0 };

        stub_replay(b.stub, *v, "jobs-running");
        CHECK_INT(slurm_jobs(b.slurm, &b.call, NULL, &jobs), ANSWER_YES);
        CHECK(jobs.n > 0 && jobs.v[0].id > 0 && jobs.v[0].submitted > 0);
        CHECK(is_yes(job_is_running(jobs.v[0].state)));
        CHECK(str_starts(jobs.v[0].nodes, "worker-") && *jobs.v[0].user && *jobs.v[0].tres);
        CHECK_INT(slurm_jobs(b.slurm, &b.call, &nobody, &jobs), ANSWER_YES);
        CHECK_INT(jobs.n, 0);
        stub_replay(b.stub, *v, "jobs-empty");
        CHECK_INT(slurm_jobs(b.slurm, &b.call, NULL, &jobs), ANSWER_YES);
        CHECK_INT(jobs.n, 0);
    }
}

TEST(jobs_can_be_asked_for_by_node_user_and_state)
{
    BENCH b = bench_of(NULL);
    struct slurm_jobs all = { 0 }, some = { 0 };
    struct slurm_job_filter filter;

    stub_replay(b.stub, "v0.0.45", "jobs-running");
    CHECK_INT(slurm_jobs(b.slurm, &b.call, NULL, &all), ANSWER_YES);
    filter =
        (struct slurm_job_filter) { .node = "worker-0", .user = all.v[0].user, .state = "RUNNING" };
    CHECK_INT(slurm_jobs(b.slurm, &b.call, &filter, &some), ANSWER_YES);
    CHECK(some.n > 0);
    filter = (struct slurm_job_filter) { .node = "worker-7" };
    CHECK_INT(slurm_jobs(b.slurm, &b.call, &filter, &some), ANSWER_YES);
    CHECK_INT(some.n, 0);
    filter = (struct slurm_job_filter) { .state = "PENDING" };
    CHECK_INT(slurm_jobs(b.slurm, &b.call, &filter, &some), ANSWER_YES);
    for_each (job, some)
        CHECK(is_yes(job_is_pending(job->state)));
}

TEST(accounting_is_decoded_in_every_version)
{
    FOR_EACH_VERSION(v, 41)
    {
        BENCH b = bench_of(NULL);
        struct slurmdb_accounts accounts;
        struct slurmdb_users users;
        struct slurmdb_associations associations;
        struct slurmdb_qos_list qos;
        struct slurmdb_clusters clusters;

        stub_replay(b.stub, *v, "ping");
        stub_replay(b.stub, *v, "slurmdb-ping");
        stub_replay(b.stub, *v, "slurmdb-diag");
        stub_replay(b.stub, *v, "slurmdb-accounts");
        stub_replay(b.stub, *v, "slurmdb-users");
        stub_replay(b.stub, *v, "slurmdb-associations");
        stub_replay(b.stub, *v, "slurmdb-qos");
        stub_replay(b.stub, *v, "slurmdb-clusters");
        CHECK_INT(slurmdb_ping(b.slurm, &b.call), ANSWER_YES);
        CHECK_INT(slurmdb_accounts(b.slurm, &b.call, &accounts), ANSWER_YES);
        CHECK(accounts.n > 0 && *accounts.v[0].name && *accounts.v[0].description);
        CHECK_INT(slurmdb_users(b.slurm, &b.call, &users), ANSWER_YES);
        CHECK(users.n > 0 && *users.v[0].name && users.v[0].admin_level.n == 1);
        CHECK_INT(slurmdb_associations(b.slurm, &b.call, &associations), ANSWER_YES);
        CHECK(associations.n > 1 && *associations.v[0].account && associations.v[0].shares > 0);
        CHECK_INT(slurmdb_qos(b.slurm, &b.call, &qos), ANSWER_YES);
        CHECK_STR(qos.v[0].name, "normal");
        CHECK_INT(slurmdb_clusters(b.slurm, &b.call, &clusters), ANSWER_YES);
        CHECK(clusters.n == 1 && clusters.v[0].controller_port > 0);
    }
}

static int count_job(void *userdata, const struct slurm_job *job)
{
    struct slurm_job *last = userdata;

    last->id = job->id;
    last->cpus++;
    return 0;
}

TEST(job_history_is_decoded_in_every_version)
{
    FOR_EACH_VERSION(v, 41)
    {
        BENCH b = bench_of(NULL);
        struct slurmdb_job_filter filter = { .users = "alice", .from = 5 * USEC_SEC };
        struct slurm_job seen = { 0 };
        struct slurm_jobs jobs = { 0 };
        scoped(free) char *last = NULL;

        stub_replay(b.stub, *v, "ping");
        stub_replay(b.stub, *v, "slurmdb-jobs");
        stub_replay(b.stub, *v, "slurmdb-job-missing");
        CHECK_INT(slurmdb_jobs(b.slurm, &b.call, &filter, count_job, &seen), ANSWER_YES);
        CHECK(seen.cpus > 0 && seen.id > 0);
        last = stub_last(b.stub);
        CHECK(strstr(last, "users=alice") && strstr(last, "start_time=uts5"));
        CHECK(strstr(last, "skip_steps=true"));
        CHECK_INT(slurmdb_job_get(b.slurm, &b.call, 99999, &jobs), ANSWER_NO);
        CHECK_INT(b.call.fault.code, -ENOENT);
    }
}

static void check_body(struct bench *b, const char *body)
{
    scoped(free) char *last = stub_last(b->stub);
    const char *end = strstr(last, "\r\n\r\n");

    CHECK_STR(end ? end + 4 : last, body);
}

static void answer_all(struct bench *b, const char *method, const char *path)
{
    stub_set(b->stub, method, path,
             &(struct stub_answer) { .body = "{\"errors\":[],\"job_id\":9}" });
}

TEST(changes_of_nodes_say_only_what_changes)
{
    BENCH b = bench_of(NULL);
    struct slurm_node_change drain = { .state = "DRAIN", .reason = "a \"b\"" };
    struct slurm_node_change empty = { .comment = "", .features = "", .active_features = "a,b" };

    answer_all(&b, "POST", "/slurm/v0.0.45/nodes/");
    answer_all(&b, "POST", "/slurm/v0.0.45/node/x%2F1");
    CHECK_INT(slurm_nodes_change(b.slurm, &b.call, "n2,n1,n3,n1,m", &drain, NULL), ANSWER_YES);
    check_body(&b, "{\"name\":[\"m,n[1-3]\"],\"state\":[\"DRAIN\"],\"reason\":\"a \\\"b\\\"\"}");
    CHECK_INT(slurm_node_change(b.slurm, &b.call, "x/1", &empty), ANSWER_YES);
    check_body(&b, "{\"comment\":\"\",\"features\":[\"\"],\"features_act\":[\"a\",\"b\"]}");
    CHECK_INT(slurm_nodes_change(b.slurm, &b.call, "n[1-", &drain, NULL), ANSWER_NO);
    CHECK_INT(b.call.fault.code, -EINVAL);
}

TEST(reservations_and_jobs_are_asked_for_in_slurms_words)
{
    BENCH b = bench_of(NULL);
    struct slurm_reservation_spec plan = { .name = "r",
                                           .nodes = "n[1-2]",
                                           .users = STRS("slurm"),
                                           .flags = STRS("MAINT"),
                                           .start = 7 * USEC_SEC,
                                           .duration = 61 * USEC_SEC };
    struct slurm_job_spec job = { .script = "#!/bin/sh\n",
                                  .nodes = "n1",
                                  .node_count = 1,
                                  .tasks = 2,
                                  .minutes = 3,
                                  .exclusive = true };
    uint32_t id = 0;

    stub_replay(b.stub, "v0.0.45", "ping");
    answer_all(&b, "POST", "/slurm/v0.0.45/reservation");
    answer_all(&b, "POST", "/slurm/v0.0.45/job/submit");
    answer_all(&b, "POST", "/slurm/v0.0.45/job/5");
    CHECK_INT(slurm_reservation_put(b.slurm, &b.call, &plan), ANSWER_YES);
    check_body(
        &b,
        "{\"name\":\"r\",\"node_list\":[\"n[1-2]\"],\"users\":[\"slurm\"],\"flags\":[\"MAINT\"],"
        "\"start_time\":{\"set\":true,\"infinite\":false,\"number\":7},"
        "\"duration\":{\"set\":true,\"infinite\":false,\"number\":2}}");
    CHECK_INT(slurm_job_submit(b.slurm, &b.call, &job, &id), ANSWER_YES);
    CHECK_INT(id, 9);
    check_body(&b, "{\"job\":{\"script\":\"#!/bin/sh\\n\",\"current_working_directory\":\"/tmp\","
                   "\"environment\":[\"PATH=/usr/local/bin:/usr/bin:/bin\"],"
                   "\"required_nodes\":[\"n1\"],\"shared\":[\"none\"],\"nodes\":\"1\",\"tasks\":2,"
                   "\"time_limit\":{\"set\":true,\"infinite\":false,\"number\":3}}}");
    CHECK_INT(slurm_job_hold(b.slurm, &b.call, 5, true), ANSWER_YES);
    check_body(&b, "{\"hold\":true}");
}
