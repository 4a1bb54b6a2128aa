/* slurm_faults_test.c - three answers, never two: what the client makes of refusals and failures.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/metrics.h"
#include "base/str.h"
#include "slurm/job_api.h"
#include "slurm/node_api.h"
#include "slurm/reservation_api.h"
#include "slurm/slurmdb_api.h"
#include "support/bench.h"

#define NODES "/slurm/v0.0.45/nodes/"
#define NODE "/slurm/v0.0.45/node/worker-0"

/* The questions: name is the last part of the path of the recording, mostly what is asked after. */
static enum answer ask_nodes(struct slurm *s, struct slurm_call *call, const char *name)
{
    struct slurm_nodes nodes;

    (void)name;
    return slurm_nodes(s, call, &nodes);
}

static enum answer ask_jobs(struct slurm *s, struct slurm_call *call, const char *name)
{
    struct slurm_jobs jobs;

    (void)name;
    return slurm_jobs(s, call, NULL, &jobs);
}

static uint32_t number(const char *name)
{
    return (uint32_t)strtoul(name, NULL, 10);
}

static enum answer ask_job(struct slurm *s, struct slurm_call *call, const char *name)
{
    struct slurm_job job;

    return slurm_job_get(s, call, number(name), &job);
}

static enum answer change(struct slurm *s, struct slurm_call *call, const char *name)
{
    struct slurm_node_change drain = { .state = "DRAIN", .reason = "test" };

    return slurm_node_change(s, call, name, &drain);
}

static enum answer cancel(struct slurm *s, struct slurm_call *call, const char *name)
{
    return slurm_job_cancel(s, call, number(name));
}

static enum answer hold(struct slurm *s, struct slurm_call *call, const char *name)
{
    return slurm_job_hold(s, call, number(name), true);
}

static enum answer submit(struct slurm *s, struct slurm_call *call, const char *name)
{
    struct slurm_job_spec spec = { .script = "#!/bin/sh\ntrue\n" };
    uint32_t id;

    (void)name;
    return slurm_job_submit(s, call, &spec, &id);
}

static enum answer ask_reservation(struct slurm *s, struct slurm_call *call, const char *name)
{
    struct slurm_reservation reservation;

    return slurm_reservation_get(s, call, name, &reservation);
}

static enum answer ping(struct slurm *s, struct slurm_call *call, const char *name)
{
    (void)name;
    return slurm_ping(s, call);
}

static enum answer db_ping(struct slurm *s, struct slurm_call *call, const char *name)
{
    (void)name;
    return slurmdb_ping(s, call);
}

static enum answer reconfigure(struct slurm *s, struct slurm_call *call, const char *name)
{
    (void)name;
    return slurm_reconfigure(s, call);
}

static enum answer ask_accounts(struct slurm *s, struct slurm_call *call, const char *name)
{
    struct slurmdb_accounts accounts;

    (void)name;
    return slurmdb_accounts(s, call, &accounts);
}

/* Each recording of a refusal or a failure, and what it must end as. */
static const struct {
    const char *recording;
    enum answer (*ask)(struct slurm *s, struct slurm_call *call, const char *name);
    enum answer answer;
    int code, number;
    int first, last; /* versions of the data API; 0: all that were recorded */
} cases[] = {
    { "nodes-slurmctld-down", ask_nodes, ANSWER_UNKNOWN, -EHOSTDOWN, 1800 },
    { "jobs-slurmctld-down", ask_jobs, ANSWER_UNKNOWN, -EHOSTDOWN, 1800 },
    { "node-update-slurmctld-down", change, ANSWER_UNKNOWN, -EHOSTDOWN, 1800 },
    { "ping-slurmctld-down", ping, ANSWER_NO, -EHOSTDOWN, 0 },
    { "ping-token-forged", ping, ANSWER_NO, -EHOSTDOWN, 0 },
    { "nodes-token-expired", ask_nodes, ANSWER_UNKNOWN, -EACCES, 1007 },
    { "nodes-token-forged", ask_nodes, ANSWER_UNKNOWN, -EACCES, 1007 },
    { "nodes-token-none", ask_nodes, ANSWER_UNKNOWN, -EACCES, 0 },
    { "nodes-token-stranger", ask_nodes, ANSWER_YES, 0, 0 },
    { "nodes-none", ask_nodes, ANSWER_YES, 0, 0 },
    { "job-missing", ask_job, ANSWER_NO, -ENOENT, 2017 },
    { "node-update-drain-busy", change, ANSWER_YES, 0, 0 },
    { "node-update-missing", change, ANSWER_NO, -ENOENT, 2018 },
    { "node-update-resume-not-down", change, ANSWER_NO, -EINVAL, 2180, .first = 42 },
    { "node-update-resume-not-down", change, ANSWER_NO, -EINVAL, 2028, .last = 41 },
    { "node-update-bad-state", change, ANSWER_NO, -EINVAL, 9207 },
    { "node-update-ordinary-user", change, ANSWER_NO, -EACCES, 2010 },
    { "node-delete-busy", slurm_node_delete, ANSWER_NO, -EBUSY, 2016 },
    { "node-delete", slurm_node_delete, ANSWER_YES, 0, 0 },
    { "node-delete-missing", slurm_node_delete, ANSWER_YES, -ENOENT, 2018 },
    { "job-cancel", cancel, ANSWER_YES, 0, 0 },
    { "job-cancel-again", cancel, ANSWER_NO, -EALREADY, 2021, .first = 42 },
    { "job-cancel-again", cancel, ANSWER_YES, 0, 0, .last = 41 },
    { "job-cancel-missing", cancel, ANSWER_NO, -ENOENT, 2017, .first = 42 },
    { "job-cancel-missing", cancel, ANSWER_YES, 0, 0, .last = 41 },
    { "job-update-missing", hold, ANSWER_NO, -ENOENT, 2017 },
    { "job-submit", submit, ANSWER_YES, 0, 0 },
    { "job-submit-refused", submit, ANSWER_NO, -EINVAL, 2000 },
    { "reservation-missing", ask_reservation, ANSWER_NO, -ENOENT, 9000 },
    { "reservation-delete-missing", slurm_reservation_delete, ANSWER_YES, -ENOENT, 2053,
      .first = 42 },
    { "ping", slurm_reservation_delete, ANSWER_NO, -EOPNOTSUPP, 0, .last = 41 },
    { "reconfigure", reconfigure, ANSWER_YES, 0, 0, .first = 42 },
    { "reconfigure", reconfigure, ANSWER_UNKNOWN, -EHOSTDOWN, 5004,
      .last = 41 }, /* it takes long */
    { "reconfigure-broken", reconfigure, ANSWER_NO, -EINVAL, -1 },
    { "slurmdb-ping-slurmdbd-down", db_ping, ANSWER_UNKNOWN, -EHOSTDOWN, 7000, .first = 42 },
    { "slurmdb-diag", db_ping, ANSWER_YES, 0, 0, .last = 41 },
    { "slurmdb-accounts-slurmdbd-down", ask_accounts, ANSWER_UNKNOWN, -EHOSTDOWN, 7000 },
};

static void check_case(size_t i, int version)
{
    BENCH b = bench_of(NULL);
    char *directory = fmt(b.call.arena, "v0.0.%d", version);
    enum answer answer;
    const char *name;

    b.call.deadline = clock_now() + 800 * USEC_MSEC;
    stub_replay(b.stub, directory, "ping");
    name = stub_replay(b.stub, directory, cases[i].recording);
    answer = cases[i].ask(b.slurm, &b.call, name);
    if (answer != cases[i].answer || b.call.fault.code != cases[i].code ||
        b.call.fault.number != cases[i].number)
        test_fail(__FILE__, __LINE__, "%s %s: %s, code %d, number %d: %s", directory,
                  cases[i].recording, answer_text(answer), b.call.fault.code, b.call.fault.number,
                  b.call.fault.text);
    CHECK((b.call.fault.code != 0) == (b.call.fault.text[0] != '\0'));
}

TEST(every_recorded_refusal_and_failure_ends_as_the_right_one_of_three_answers)
{
    for (int version = 41; version <= 45; version++)
        for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
            if (version >= cases[i].first && version <= (cases[i].last ?: 45))
                check_case(i, version);
}

static void set(struct bench *b, const char *method, const char *path, int status, const char *body)
{
    stub_set(b->stub, method, path, &(struct stub_answer) { .status = status, .body = body });
}

TEST(an_answer_that_is_not_slurms_is_unknown)
{
    static const struct {
        int status;
        const char *body;
        int code;
    } bad[] = {
        { 200, "", -EBADMSG },
        { 200, "<html>hello</html>", -EBADMSG },
        { 200, "{\"errors\":[]}", -EBADMSG }, /* no list in it */
        { 200, "{\"nodes\":[{\"name\":\"a\"},{}],\"errors\":[]}",
          -EBADMSG }, /* a node without a name */
        { 200, "{\"nodes\":[{\"name\":7}],\"errors\":[]}", -EBADMSG },
        { 200, "{\"nodes\":[{\"name\":\"a\"}],\"errors\":[]", -EBADMSG }, /* not closed */
        { 200, "{\"nodes\":[],\"errors\":[{\"error_number\":1800}]}", -EHOSTDOWN },
        { 200, "{\"nodes\":[],\"errors\":[{\"error_number\":0,\"error\":\"?\"}]}", -EBADMSG },
        { 200, "{\"nodes\":[],\"errors\":7}", -EBADMSG },
        { 500, "oops", -EHOSTDOWN },
        { 503, "{}", -EHOSTDOWN },
        { 302, "", -EBADMSG },
        { 403, "no", -EACCES },
    };

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        BENCH b = bench_of(NULL);

        b.call.deadline = clock_now() + 600 * USEC_MSEC;
        set(&b, "GET", NODES, bad[i].status, bad[i].body);
        if (ask_nodes(b.slurm, &b.call, NULL) != ANSWER_UNKNOWN || b.call.fault.code != bad[i].code)
            test_fail(__FILE__, __LINE__, "case %zu: code %d: %s", i, b.call.fault.code,
                      b.call.fault.text);
    }
}

TEST(nobody_there_is_unknown)
{
    BENCH b = bench_of(NULL);

    stub_free(take(b.stub));
    b.call.deadline = clock_now() + 600 * USEC_MSEC;
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -ECONNREFUSED);
    CHECK_INT(b.call.fault.status, 0);
}

TEST(a_list_that_breaks_off_is_asked_for_again)
{
    BENCH b = bench_of(NULL);
    struct slurm_nodes nodes = { 0 };

    stub_replay(b.stub, "v0.0.45", "nodes-two");
    stub_once(b.stub, "GET", NODES,
              &(struct stub_answer) { .body = "{\"nodes\":[{\"name\":\"ghost\"},{\"name\":\"x\"}]}",
                                      .cut = 28 });
    CHECK_INT(slurm_nodes(b.slurm, &b.call, &nodes), ANSWER_YES);
    CHECK_INT(nodes.n, 2);
    CHECK_STR(nodes.v[0].name, "worker-0"); /* and no ghost */
    CHECK_INT(stub_count(b.stub, "GET", NODES), 2);
}

TEST(a_list_that_always_breaks_off_is_unknown)
{
    BENCH b = bench_of(NULL);

    b.call.deadline = clock_now() + 900 * USEC_MSEC;
    stub_set(b.stub, "GET", NODES,
             &(struct stub_answer) { .body = "{\"nodes\":[{\"name\":\"ghost\"},{\"name\":\"x\"}]}",
                                     .cut = 28 });
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -ECONNRESET);
}

TEST(a_change_that_may_have_arrived_is_not_sent_again)
{
    BENCH b = bench_of(NULL);

    stub_set(b.stub, "POST", NODE, &(struct stub_answer) { .body = "{\"errors\":[]}", .cut = 4 });
    CHECK_INT(change(b.slurm, &b.call, "worker-0"), ANSWER_UNKNOWN);
    CHECK_INT(stub_count(b.stub, "POST", NODE), 1);
}

TEST(the_deadline_ends_a_call)
{
    BENCH b = bench_of(NULL);
    usec began = clock_now();

    stub_set(b.stub, "GET", NODES, &(struct stub_answer) { .body = "{}", .delay = 2 * USEC_SEC });
    b.call.deadline = began + 200 * USEC_MSEC;
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -ETIMEDOUT);
    CHECK(clock_now() - began < USEC_SEC);
}

TEST(after_failures_in_a_row_nobody_is_asked_for_a_while)
{
    BENCH b = bench_of(NULL);
    usec began;
    int asked;

    stub_replay(b.stub, "v0.0.45", "nodes-slurmctld-down");
    for (int i = 0; i < 3; i++) {
        b.call.deadline = clock_now() + 100 * USEC_MSEC;
        CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
        CHECK_INT(b.call.fault.code, -EHOSTDOWN);
    }
    asked = stub_count(b.stub, NULL, NULL);
    began = clock_now();
    b.call.deadline = 0;
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -EAGAIN);
    CHECK(strstr(b.call.fault.text, "Unable to contact slurm controller"));
    CHECK(clock_now() - began < USEC_SEC);
    CHECK_INT(stub_count(b.stub, NULL, NULL), asked);

    stub_replay(b.stub, "v0.0.45", "nodes-two");
    for (int i = 0; i < 40 && ask_nodes(b.slurm, &b.call, NULL) != ANSWER_YES; i++)
        usleep(50000);
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_YES);
}

TEST(a_database_that_is_away_says_nothing_of_the_controller)
{
    BENCH b = bench_of(NULL);

    stub_replay(b.stub, "v0.0.45", "ping");
    stub_replay(b.stub, "v0.0.45", "nodes-two");
    stub_replay(b.stub, "v0.0.45", "slurmdb-accounts-slurmdbd-down");
    for (int i = 0; i < 5; i++) {
        b.call.deadline = clock_now() + 50 * USEC_MSEC;
        CHECK_INT(ask_accounts(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
    }
    CHECK_INT(b.call.fault.code, -EAGAIN);
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_YES);
}

TEST(a_server_without_accounting_keeps_its_version)
{
    BENCH b = bench_of(NULL);
    int version;

    stub_replay(b.stub, "v0.0.44", "ping");
    CHECK_INT(ask_accounts(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -EOPNOTSUPP);
    CHECK_INT(slurm_version(b.slurm, &b.call, &version), ANSWER_YES);
    CHECK_INT(version, 44);
}

TEST(a_call_that_the_version_lacks_is_refused_with_both_named)
{
    BENCH b = bench_of(NULL);
    struct slurm_reservation_spec spec = { .name = "r" };

    stub_replay(b.stub, "v0.0.42", "ping");
    CHECK_INT(slurm_reservation_put(b.slurm, &b.call, &spec), ANSWER_NO);
    CHECK_INT(b.call.fault.code, -EOPNOTSUPP);
    CHECK(strstr(b.call.fault.text, "v0.0.43") && strstr(b.call.fault.text, "v0.0.42"));
    CHECK_INT(slurm_job_requeue(b.slurm, &b.call, 1, false), ANSWER_NO);
    CHECK_INT(b.call.fault.code, -EOPNOTSUPP);
}

TEST(a_record_or_an_answer_that_is_too_long_is_unknown)
{
    BENCH b = bench_of(&(struct slurm_options) { .item_limit = 20, .body_limit = 64 });

    b.call.deadline = clock_now() + 600 * USEC_MSEC;
    set(&b, "GET", NODES, 200,
        "{\"nodes\":[{\"name\":\"a-name-that-is-too-long\"}],\"errors\":[]}");
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -EMSGSIZE);
    stub_replay(b.stub, "v0.0.45", "diag");
    CHECK_INT(slurm_diag(b.slurm, &b.call, &(struct slurm_diag) { 0 }), ANSWER_UNKNOWN);
    CHECK_INT(b.call.fault.code, -EMSGSIZE);
}

TEST(a_refused_token_is_renewed_and_shown_once_more)
{
    char path[] = "/tmp/slurm-token-XXXXXX";
    int fd = mkstemp(path);
    struct error err = { 0 };

    CHECK(fd >= 0 && write(fd, "old", 3) == 3);
    close(fd);
    {
        BENCH b = bench_of(&(struct slurm_options) { .token.file = path, .user_name = "root" });
        scoped(free) char *last = NULL;

        stub_replay(b.stub, "v0.0.45", "nodes-token-expired");
        CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_UNKNOWN);
        CHECK_INT(stub_count(b.stub, "GET", NODES), 1); /* the file is the same: no point */
        CHECK_OK(file_write(path, "fresh", 5, 0600, &err), err);
        stub_replay(b.stub, "v0.0.45", "nodes-two");
        CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_YES);
        last = stub_last(b.stub);
        CHECK(strcasestr(last, "x-slurm-user-token: fresh\r\n"));
        CHECK(strcasestr(last, "x-slurm-user-name: root\r\n"));
    }
    unlink(path);
}

TEST(calls_are_counted)
{
    BENCH b = bench_of(NULL);
    scoped(buf) struct buf out = { 0 };

    stub_replay(b.stub, "v0.0.45", "nodes-two");
    CHECK_INT(ask_nodes(b.slurm, &b.call, NULL), ANSWER_YES);
    metrics_write(&out);
    CHECK(strstr(out.bytes,
                 "windlass_slurm_calls_total{cluster=\"test\",call=\"nodes\",answer=\"yes\"}"));
    CHECK(strstr(out.bytes, "windlass_slurm_call_seconds_count{cluster=\"test\",call=\"nodes\"}"));
    CHECK(
        strstr(out.bytes, "windlass_slurm_received_bytes_total{cluster=\"test\",call=\"nodes\"}"));
}
