/* review_test.c - admission and conversion reviews, as requests over a socket and as texts. */
#include "webhook/review.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "net/loop.h"
#include "slinky/admission.h"
#include "slinky/convert.h"
#include "slinky/nodeset.h"
#include "support/raw.h"
#include "support/test.h"
#include "webhook/conversion.h"

static struct error err;

#define REVIEW(version, operation, rest)                                                           \
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/" version "\",\"request\":{"  \
    "\"uid\":\"u-1\",\"operation\":\"" operation "\",\"namespace\":\"hpc\",\"name\":\"w\"," rest   \
    "}}"
#define NODESET(spec)                                                                              \
    "{\"apiVersion\":\"slinky.slurm.net/v1beta1\",\"kind\":\"NodeSet\",\"metadata\":{"             \
    "\"name\":\"w\",\"namespace\":\"hpc\"},\"spec\":" spec "}"
#define GOOD NODESET("{\"controllerRef\":{\"name\":\"slurm\"},\"replicas\":1}")

/* ------------------------------------------------------------------ reading */

static int read_review(struct arena *a, const char *text, struct review *ret)
{
    struct review_shape shape;

    review_shape_init(&shape, &slinky_nodeset_type);
    return review_read(a, &shape, text, strlen(text), ret, &err);
}

TEST(a_review_is_read_with_its_objects)
{
    scoped(arena) struct arena *a = arena_new();
    const struct slinky_nodeset *set;
    struct review review;

    CHECK_OK(read_review(a,
                         REVIEW("v1beta1", "UPDATE",
                                "\"object\":" GOOD ",\"oldObject\":" GOOD ",\"dryRun\":true"),
                         &review),
             err);
    CHECK_STR(review.api_version, "admission.k8s.io/v1beta1");
    CHECK_STR(review.uid, "u-1");
    CHECK_STR(review.operation, "UPDATE");
    CHECK(review.dry_run);
    set = review.object;
    CHECK_INT(set->spec.replicas.value, 1);
    CHECK(review.old_object && !review.bad_object && !review.bad_old_object);
}

TEST(an_object_that_does_not_fit_keeps_its_metadata)
{
    scoped(arena) struct arena *a = arena_new();
    const struct k8s_meta *meta;
    struct review review;

    CHECK_OK(read_review(a, REVIEW("v1", "CREATE", "\"object\":" NODESET("{\"replicas\":\"x\"}")),
                         &review),
             err);
    CHECK_STR(review.bad_object, "spec.replicas: want an integer, got \"x\"");
    meta = review.object;
    CHECK_STR(meta->name, "w");
}

TEST(a_stored_object_that_does_not_fit_leaves_the_new_one_whole)
{
    scoped(arena) struct arena *a = arena_new();
    struct review review;
    const struct slinky_nodeset *set;

    CHECK_OK(read_review(a,
                         REVIEW("v1", "UPDATE", "\"object\":" GOOD ",\"oldObject\":" NODESET("[]")),
                         &review),
             err);
    CHECK(review.bad_old_object && !review.bad_object);
    set = review.object;
    CHECK_STR(set->spec.controller_ref.name, "slurm");
}

TEST(what_is_no_review_is_refused)
{
    static const char *const texts[] = {
        "",
        "{",
        "null",
        "[]",
        "{}",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v2\",\"request\":{\"uid\":"
        "\"u\"}}",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{}}",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":"
        "1}}",
        "{\"kind\":\"AdmissionReview\",\"kind\":\"AdmissionReview\",\"apiVersion\":"
        "\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\"}}",
    };
    scoped(arena) struct arena *a = arena_new();
    struct review review;

    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (read_review(a, texts[i], &review) != -EBADMSG)
            test_fail(__FILE__, __LINE__, "%s", texts[i]);
}

TEST(an_answer_is_json_whatever_is_said)
{
    scoped(buf) struct buf out = { 0 };
    struct review review = { .api_version = "admission.k8s.io/v1", .uid = "u\"\x01" };
    struct verdict verdict = { .message = "a \"b\"\n", .warnings = STRS("x\\y", "\xff") };

    review_write(&out, &review, &verdict);
    CHECK_STR(buf_text(&out),
              "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":{"
              "\"uid\":\"u\\\"\\u0001\",\"allowed\":false,\"status\":{\"code\":403,"
              "\"message\":\"a \\\"b\\\"\\n\"},\"warnings\":[\"x\\\\y\",\"\xef\xbf\xbd\"]}}");
}

/* ------------------------------------------------------------------ over a socket */

static struct admission nothing_known;

struct bench {
    struct loop *loop;
    struct webhook *webhook;
};

static struct bench bench_new(void)
{
    struct bench bench = { .loop = loop_new() };

    error_clear(&err);
    CHECK_OK(loop_start(bench.loop, &err), err);
    bench.webhook = webhook_start(bench.loop,
                                  &(struct webhook_options) { .address = "127.0.0.1:0",
                                                              .hooks = slinky_hooks,
                                                              .convert = convert_object,
                                                              .context = &nothing_known },
                                  &err);
    if (!bench.webhook)
        test_fail(__FILE__, __LINE__, "%s", error_text(&err));
    return bench;
}

static void bench_done(struct bench *bench)
{
    webhook_stop(bench->webhook);
    loop_free(bench->loop);
}

static const char *post(const struct bench *bench, const char *path, const char *type,
                        const char *body)
{
    scoped(arena) struct arena *a = arena_new();
    int fd = raw_dial(webhook_port(bench->webhook));
    const char *answer;

    raw_say(fd, fmt(a,
                    "POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                    "Connection: close\r\n\r\n%s",
                    path, type, strlen(body), body));
    answer = raw_answer(fd);
    close(fd);
    return answer;
}

#define JSON "application/json"
#define NODESETS "/validate-slinky-slurm-net-v1beta1-nodeset"

TEST(each_operation_gets_its_verdict)
{
    static const struct {
        const char *review, *want;
    } cases[] = {
        { REVIEW("v1", "CREATE", "\"object\":" GOOD), "\"allowed\":true" },
        { REVIEW("v1", "CREATE", "\"object\":" NODESET("{\"replicas\":-1}")), "\"code\":403" },
        { REVIEW("v1", "CREATE", "\"object\":" NODESET("{\"replicas\":\"x\"}")), "\"code\":400" },
        { REVIEW("v1", "CREATE", "\"object\":null"), "request.object: is missing" },
        { REVIEW("v1", "UPDATE", "\"object\":" GOOD), "request.oldObject: is missing" },
        { REVIEW("v1", "UPDATE",
                 "\"oldObject\":" GOOD
                 ",\"object\":" NODESET("{\"controllerRef\":{\"name\":\"other\"}}")),
          "spec.controllerRef" },
        { REVIEW("v1", "UPDATE", "\"oldObject\":" NODESET("[]") ",\"object\":" GOOD),
          "were not compared" },
        { REVIEW("v1", "DELETE", "\"oldObject\":" GOOD), "\"allowed\":true" },
        { REVIEW("v1", "CONNECT", "\"object\":{}"), "\"allowed\":true" },
        { REVIEW("v1", "EAT", "\"object\":" GOOD), "'EAT' is not" },
        { REVIEW("v1beta1", "CREATE", "\"object\":" GOOD), "admission.k8s.io/v1beta1" },
    };
    struct bench bench = bench_new();

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const char *answer = post(&bench, NODESETS, JSON, cases[i].review);

        if (!str_starts(answer, "HTTP/1.1 200") || !strstr(answer, cases[i].want))
            test_fail(__FILE__, __LINE__, "%s\n%s", cases[i].review, answer);
    }
    bench_done(&bench);
}

TEST(an_object_that_is_going_may_lose_its_finalizers_whatever_is_in_it)
{
    struct bench bench = bench_new();
    const char *going =
        REVIEW("v1", "UPDATE",
               "\"oldObject\":" NODESET(
                   "{\"replicas\":\"x\"}") ",\"object\":{\"metadata\":{\"name\":"
                                           "\"w\",\"deletionTimestamp\":\"2026-01-02T03:04:05Z\"},"
                                           "\"spec\":{\"replicas\":\"x\"}}");
    const char *answer = post(&bench, NODESETS, JSON, going);

    CHECK(strstr(answer, "\"allowed\":true"));
    CHECK(strstr(answer, "not checked while it is being deleted"));
    bench_done(&bench);
}

TEST(requests_that_are_no_reviews_get_a_status)
{
    struct bench bench = bench_new();

    CHECK(str_starts(post(&bench, NODESETS, "text/plain", "{}"), "HTTP/1.1 415"));
    CHECK(str_starts(post(&bench, NODESETS, "application/jsonx", "{}"), "HTTP/1.1 415"));
    CHECK(str_starts(post(&bench, NODESETS, JSON, ""), "HTTP/1.1 400"));
    CHECK(str_starts(post(&bench, NODESETS, JSON, "{\"a\":"), "HTTP/1.1 400"));
    CHECK(str_starts(post(&bench, "/elsewhere", JSON, "{}"), "HTTP/1.1 404"));
    CHECK(str_starts(post(&bench, "/convert", JSON, "{}"), "HTTP/1.1 400"));
    CHECK(str_starts(
        post(&bench, NODESETS, JSON "; charset=utf-8", REVIEW("v1", "CREATE", "\"object\":" GOOD)),
        "HTTP/1.1 200"));
    bench_done(&bench);
}

TEST(every_kind_has_its_path_and_a_binding_is_always_allowed)
{
    static const char *const kinds[] = { "accounting", "controller", "loginset",
                                         "nodeset",    "restapi",    "token" };
    struct bench bench = bench_new();
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        CHECK(strstr(post(&bench, fmt(a, "/validate-slinky-slurm-net-v1beta1-%s", kinds[i]), JSON,
                          REVIEW("v1", "CREATE", "\"object\":{\"spec\":{}}")),
                     "\"response\":"));
    CHECK(strstr(post(&bench, "/mutate--v1-binding", JSON,
                      REVIEW("v1", "CREATE",
                             "\"object\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"x\"},"
                             "\"target\":{\"kind\":\"Node\",\"name\":\"n0\"}}")),
                 "\"allowed\":true"));
    bench_done(&bench);
}

TEST(what_could_not_be_looked_at_is_warned_of_and_not_held_against_anyone)
{
    struct bench bench = bench_new();
    const char *answer =
        post(&bench, "/validate-slinky-slurm-net-v1beta1-controller", JSON,
             REVIEW("v1", "CREATE",
                    "\"object\":{\"metadata\":{\"name\":\"s\",\"namespace\":\"hpc\"},\"spec\":{"
                    "\"slurmKeyRef\":{\"name\":\"a\",\"key\":\"b\"},\"jwtKeyRef\":{\"name\":\"a\","
                    "\"key\":\"b\"},\"configFileRefs\":[{\"name\":\"files\"}]}}"));

    CHECK(strstr(answer, "\"allowed\":true"));
    CHECK(strstr(answer, "could not be looked at"));
    bench_done(&bench);
}

/* ------------------------------------------------------------------ conversion */

#define CONVERT(to, objects)                                                                       \
    "{\"kind\":\"ConversionReview\",\"apiVersion\":\"apiextensions.k8s.io/v1\",\"request\":{"      \
    "\"uid\":\"c-1\",\"desiredAPIVersion\":\"" to "\",\"objects\":[" objects "]}}"

TEST(objects_come_back_in_the_wanted_version_and_in_order)
{
    struct bench bench = bench_new();
    const char *answer =
        post(&bench, "/convert", JSON, CONVERT("slinky.slurm.net/v1alpha1", GOOD "," GOOD));

    CHECK(strstr(answer, "\"uid\":\"c-1\""));
    CHECK(strstr(answer, "\"status\":\"Success\""));
    CHECK(strstr(answer, "\"controllerRef\":{\"name\":\"slurm\",\"namespace\":\"hpc\"}"));
    bench_done(&bench);
}

TEST(one_object_that_is_none_of_ours_fails_the_conversion_by_name)
{
    struct bench bench = bench_new();
    const char *answer = post(&bench, "/convert", JSON,
                              CONVERT("slinky.slurm.net/v1alpha1",
                                      GOOD ",{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
                                           "\"namespace\":\"x\",\"name\":\"p\"}}"));

    CHECK(strstr(answer, "\"convertedObjects\":[]"));
    CHECK(strstr(answer, "\"status\":\"Failure\""));
    CHECK(strstr(answer, "Pod x/p"));
    bench_done(&bench);
}
