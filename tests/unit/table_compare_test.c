/* table_compare_test.c - comparing, hashing and packing, on the kinds that need it most. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "k8s/controllerrevision.h"
#include "k8s/deployment.h"
#include "k8s/pod.h"
#include "k8s/pod_spec.h"
#include "k8s/service.h"
#include "kinds.h"
#include "support/test.h"
#include "json/intern.h"

static const char pod_text[] =
    "{\"metadata\":{\"name\":\"w-%d\",\"namespace\":\"hpc\",\"uid\":\"5a3f0e5c-6d0e-4b0b-9d1a-%"
    "012d\","
    "\"resourceVersion\":\"12345%02d\",\"generation\":1,"
    "\"creationTimestamp\":\"2026-01-02T03:04:05Z\","
    "\"labels\":{\"app.kubernetes.io/name\":\"slurmd\",\"app.kubernetes.io/instance\":\"w\"},"
    "\"annotations\":{\"example.com/note\":\"number %d\"},"
    "\"ownerReferences\":[{\"apiVersion\":\"slinky.slurm.net/v1beta1\",\"kind\":\"NodeSet\","
    "\"name\":\"w\",\"uid\":\"u\",\"controller\":true}],\"managedFields\":[{\"manager\":\"x\"}]},"
    "\"spec\":{\"nodeName\":\"n1\",\"containers\":[{\"name\":\"slurmd\"}],\"volumes\":["
    "{\"name\":\"v\",\"persistentVolumeClaim\":{\"claimName\":\"c\"}},{\"name\":\"e\"}]},"
    "\"status\":{\"phase\":\"Running\",\"podIP\":\"10.0.0.%d\",\"conditions\":["
    "{\"type\":\"Ready\",\"status\":\"True\",\"lastTransitionTime\":\"2026-01-02T03:04:06Z\"},"
    "{\"type\":\"PodScheduled\",\"status\":\"True\"}],\"containerStatuses\":["
    "{\"name\":\"slurmd\",\"ready\":true,\"restartCount\":0}]}}";

static struct k8s_pod *read_pod(struct arena *a, int i)
{
    struct k8s_pod *pod = arena_make(a, struct k8s_pod);
    const char *text = fmt(a, pod_text, i, i, i, i, i);
    struct error err = { 0 };

    CHECK_OK(table_read(a, &k8s_pod_type, text, strlen(text), pod, &err), err);
    return pod;
}

static void *read_as(struct arena *a, const struct type *type, const char *text)
{
    void *object = arena_alloc(a, type->size);
    struct error err = { 0 };

    CHECK_OK(table_read(a, type, text, strlen(text), object, &err), err);
    return object;
}

TEST(a_packed_object_says_the_same)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_pod *pod = read_pod(a, 7);
    struct k8s_pod *packed = table_pack(&k8s_pod_type, pod, 16);
    const char *text = json_text(a, table_json(a, &k8s_pod_type, pod));

    CHECK(table_equal(&k8s_pod_type, pod, packed));
    CHECK_INT(table_hash(&k8s_pod_type, pod), (int64_t)table_hash(&k8s_pod_type, packed));
    arena_reset(a); /* the packed one lives on its own */
    CHECK_STR(packed->spec.volumes.v[0].persistent_volume_claim->claim_name, "c");
    CHECK(!((char *)packed)[-16] && !((char *)packed)[-1]);
    text = json_text(a, table_json(a, &k8s_pod_type, packed));
    CHECK(str_starts(text, "{\"metadata\":{\"name\":\"w-7\",\"namespace\":\"hpc\""));
    table_pack_free(&k8s_pod_type, packed, 16);
}

TEST(packed_objects_share_what_they_have_in_common)
{
    enum { N = 4 }; /* texts are shared from the second on, lists of them from the third */
    scoped(arena) struct arena *a = arena_new();
    struct intern_stats before = intern_stats();
    struct k8s_pod *pods[N];
    const struct k8s_pod *x, *y;

    for (int i = 0; i < N; i++)
        pods[i] = table_pack(&k8s_pod_type, read_pod(a, i), 0);
    x = pods[N - 2];
    y = pods[N - 1];
    CHECK(x->meta.labels.v == y->meta.labels.v);
    CHECK(x->status.conditions.v == y->status.conditions.v);
    CHECK(x->meta.annotations.v[0].key == y->meta.annotations.v[0].key);
    CHECK(!str_eq(x->meta.annotations.v[0].value, y->meta.annotations.v[0].value));
    CHECK(!table_equal(&k8s_pod_type, x, y));
    for (int i = 0; i < N; i++) {
        CHECK_STR(pairs_get(pods[i]->meta.labels, "app.kubernetes.io/name"), "slurmd");
        table_pack_free(&k8s_pod_type, pods[i], 0);
    }
    CHECK(intern_stats().values == before.values);
}

TEST(what_one_object_says_alone_stays_with_it)
{
    struct intern_stats before = intern_stats();
    struct pair labels[] = { { "only", "here" }, { "and", "nowhere else" } };
    struct k8s_pod pod = { .meta = { .name = "p", .labels = LIST(labels) } };
    struct k8s_pod *packed = table_pack(&k8s_pod_type, &pod, 0);

    CHECK(intern_stats().values == before.values);
    CHECK_STR(pairs_get(packed->meta.labels, "only"), "here");
    CHECK_STR(packed->meta.labels.v[0].key, "and");
    table_pack_free(&k8s_pod_type, packed, 0);
}

TEST(ten_thousand_pods_take_less_than_five_hundred_bytes_each)
{
    enum { N = 10000 };
    scoped(arena) struct arena *a = arena_new();
    static void *packed[N];
    struct intern_stats before = intern_stats();
    size_t bytes = 0;

    for (int i = 0; i < N; i++) {
        arena_reset(a);
        packed[i] = table_pack(&k8s_pod_type, read_pod(a, i), 0);
        bytes += table_pack_size(packed[i], 0);
    }
    bytes += intern_stats().bytes - before.bytes;
    CHECK(bytes / N < 500);
    for (int i = 0; i < N; i++)
        table_pack_free(&k8s_pod_type, packed[i], 0);
    CHECK(intern_stats().values == before.values);
}

static void *pack_and_free(void *problems)
{
    scoped(arena) struct arena *a = arena_new();

    for (int i = 0; i < 500; i++) {
        struct k8s_pod *pod = arena_make(a, struct k8s_pod);
        const char *text = fmt(a, pod_text, i % 7, i % 7, i % 7, i % 7, i % 7);
        void *packed;

        if (table_read(a, &k8s_pod_type, text, strlen(text), pod, NULL) < 0)
            return problems;
        packed = table_pack(&k8s_pod_type, pod, 0);
        if (!table_equal(&k8s_pod_type, pod, packed))
            return problems;
        table_pack_free(&k8s_pod_type, packed, 0);
        arena_reset(a);
    }
    return NULL;
}

TEST(threads_may_pack_and_free_at_once)
{
    struct intern_stats before = intern_stats();
    pthread_t threads[4];
    void *problem;
    int problems = 0;

    for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
        CHECK(pthread_create(&threads[i], NULL, pack_and_free, &problems) == 0);
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
        pthread_join(threads[i], &problem);
        problems += problem != NULL;
    }
    CHECK_INT(problems, 0);
    CHECK(intern_stats().values == before.values);
}

TEST(raw_json_is_packed_with_its_object)
{
    static const char text[] =
        "{\"metadata\":{\"name\":\"r\"},\"data\":{\"a\":[1,2.50,\"x\\u0000y\",null,{}],"
        "\"b\":true,\"c\":[]},\"revision\":3}";
    scoped(arena) struct arena *a = arena_new();
    struct k8s_controllerrevision *packed =
        table_pack(&k8s_controllerrevision_type, read_as(a, &k8s_controllerrevision_type, text), 0);

    arena_reset(a);
    CHECK_STR(json_text(a, table_json(a, &k8s_controllerrevision_type, packed)), text);
    table_pack_free(&k8s_controllerrevision_type, packed, 0);
}

TEST(equality_looks_at_every_field)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_pod *x = read_pod(a, 1);
    struct k8s_pod *y = table_copy(a, &k8s_pod_type, x);

    CHECK(table_equal(&k8s_pod_type, x, y));
    y->status.conditions.v[1].status = "False";
    CHECK(!table_equal(&k8s_pod_type, x, y));
    y = table_copy(a, &k8s_pod_type, x);
    y->meta.finalizers = (struct strs)STRS("f");
    CHECK(!table_equal(&k8s_pod_type, x, y));
    y->meta.finalizers = (struct strs) { .v = y->meta.finalizers.v };
    CHECK(!table_equal(&k8s_pod_type, x, y)); /* [] is not absent */
}

static const char *difference(struct arena *a, const struct type *type, const char *have,
                              const char *want)
{
    const char *path = "?";

    if (table_covers(a, type, read_as(a, type, have), read_as(a, type, want), &path))
        return NULL;
    return path;
}

TEST(what_the_server_added_does_not_count)
{
    scoped(arena) struct arena *a = arena_new();
    const struct type *type = &k8s_service_type;
    static const char have[] =
        "{\"metadata\":{\"name\":\"s\",\"uid\":\"u\",\"labels\":{\"a\":\"1\",\"b\":\"2\"},"
        "\"finalizers\":[\"x\",\"y\"]},\"spec\":{\"clusterIP\":\"10.0.0.1\",\"type\":\"ClusterIP\","
        "\"ports\":[{\"port\":1,\"protocol\":\"TCP\",\"targetPort\":1},"
        "{\"port\":2,\"protocol\":\"UDP\",\"targetPort\":\"two\"}]}}";

    CHECK(!difference(a, type, have, "{}"));
    CHECK(!difference(a, type, have,
                      "{\"metadata\":{\"labels\":{\"b\":\"2\"}},\"spec\":{\"ports\":["
                      "{\"port\":2},{\"port\":1,\"targetPort\":1}]}}"));
    CHECK(!difference(a, type, have, "{\"metadata\":{\"finalizers\":[\"y\"]}}"));
    CHECK_STR(difference(a, type, have, "{\"metadata\":{\"labels\":{\"b\":\"3\"}}}"),
              "metadata.labels.b");
    CHECK_STR(difference(a, type, have, "{\"metadata\":{\"finalizers\":[\"z\"]}}"),
              "metadata.finalizers");
    CHECK_STR(difference(a, type, have, "{\"spec\":{\"ports\":[{\"port\":2,\"targetPort\":3}]}}"),
              "spec.ports.0.targetPort");
    CHECK_STR(difference(a, type, have, "{\"spec\":{\"ports\":[{\"port\":3}]}}"), "spec.ports.0");
    CHECK_STR(difference(a, type, have, "{\"spec\":{\"ports\":[]}}"), "spec.ports");
    CHECK_STR(difference(a, type, have, "{\"metadata\":{\"labels\":{}}}"), "metadata.labels");
    CHECK_STR(difference(a, type, have, "{\"spec\":{\"type\":\"NodePort\"}}"), "spec.type");
}

TEST(quantities_and_raw_parts_are_covered_by_value)
{
    scoped(arena) struct arena *a = arena_new();
    static const char have[] = "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\","
                               "\"image\":\"i\",\"resources\":{\"limits\":{\"cpu\":\"1\"}}}]}}}}";

    CHECK(!difference(a, &k8s_deployment_type, have,
                      "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\","
                      "\"resources\":{\"limits\":{\"cpu\":\"1000m\"}}}]}}}}"));
    CHECK(
        str_starts(difference(a, &k8s_deployment_type, have,
                              "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\","
                              "\"image\":\"j\"}]}}}}"),
                   "spec.template.spec.containers"));
    CHECK(!difference(a, &k8s_pod_spec_type,
                      "{\"overhead\":{\"cpu\":\"0.5\"},\"tolerations\":[{\"key\":\"k\"}]}",
                      "{\"overhead\":{\"cpu\":\"500m\"},\"tolerations\":[{\"key\":\"k\"}]}"));
    CHECK_STR(difference(a, &k8s_pod_spec_type, "{\"tolerations\":[{\"key\":\"k\"},{}]}",
                         "{\"tolerations\":[{\"key\":\"k\"}]}"),
              "tolerations");
}

TEST(builders_read_like_the_yaml_they_make)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_container_port ports[] = { { .name = "rest", .container_port = SOME(6820) } };
    struct k8s_container containers[] = {
        { .name = "slurmrestd", .args = STRS("0.0.0.0:6820"), .ports = LIST(ports) },
    };
    struct k8s_pod_spec pod = { .containers = LIST(containers), .host_network = NO };
    struct k8s_deployment deployment = {
        .meta = { .name = "a" },
        .spec = {
            .replicas = SOME(0),
            .template = { .spec = table_json(a, &k8s_pod_spec_type, &pod) },
        },
    };
    scoped(buf) struct buf out = { 0 };

    kind_write(&k8s_deployment_kind, k8s_deployment_keep(a, &deployment), &out);
    CHECK_STR(buf_text(&out),
              "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"a\"},"
              "\"spec\":{\"replicas\":0,\"template\":{\"spec\":{\"containers\":[{\"name\":"
              "\"slurmrestd\",\"args\":[\"0.0.0.0:6820\"],\"ports\":[{\"name\":\"rest\","
              "\"containerPort\":6820}]}],\"hostNetwork\":false}}}}");
}
