/* build_workers_test.c - workers: their node record, their identity, their revisions. */
#include <string.h>

#include "base/scope.h"
#include "base/str.h"
#include "build/workers.h"
#include "slinky/front.h"
#include "slinky/names.h"
#include "support/front_world.h"
#include "support/test.h"
#include "json/yaml.h"

/* ------------------------------------------------------------------ --conf */

static const char *conf(struct arena *a, const char *nodeset, const char *extra)
{
    struct model_workers m = { .nodeset = nodeset, .extra_conf = extra };

    return workers_conf(a, &m);
}

TEST(the_node_record_has_features_and_the_users_items)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(conf(a, "gpu", NULL), "'Features=gpu'");
    CHECK_STR(conf(a, "gpu", "Weight=10 feature=a"), "'Features=a,gpu Weight=10'");
    CHECK_STR(conf(a, "gpu", "Topology=switch-topo:s1"), "'Features=gpu Topology=switch-topo:s1'");
    CHECK_STR(conf(a, "gpu", "Features=z,a"), "'Features=a,gpu,z'");
    CHECK_STR(conf(a, "gpu", "Weight10 Feature=a"), "'Features=gpu'");
}

TEST(a_key_without_a_value_is_left_out)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(conf(a, "gpu", "Topology= Weight=1 Gres="), "'Features=gpu Weight=1'");
}

TEST(quotes_in_a_value_do_not_end_the_argument)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(conf(a, "gpu", "Comment=it's"), "'Comment=it'\\''s Features=gpu'");
}

TEST(gpus_are_counted_where_the_cluster_counts_them)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers m = { .nodeset = "gpu",
                               .slurmd = parsed(a, "resources: {limits: "
                                                   "{nvidia.com/gpu: 4}}") };

    CHECK_STR(workers_conf(a, &m), "'Features=gpu'");
    m.cluster.gpus = true;
    CHECK_STR(workers_conf(a, &m), "'Features=gpu Gres=gpu:4'");
    m.extra_conf = "Gres=gpu:h200:4";
    CHECK_STR(workers_conf(a, &m), "'Features=gpu Gres=gpu:h200:4'");
    m.extra_conf = "nonsense";
    CHECK_STR(workers_conf(a, &m), "'Features=gpu Gres=gpu:4'");
}

/* ------------------------------------------------------------------ revisions */

/* Hashes that slurm-operator 1.3 computed for these NodeSets. */
TEST(a_revision_has_the_hash_that_the_other_operator_gave_it)
{
    static const struct {
        const char *spec, *hash;
    } cases[] = {
        { "slurmd: {image: 'example/slurmd:26.05'}\nlogfile: {image: 'example/alpine:1'}",
          "649b5f54dc" },
        { "slurmd: {image: 'example/slurmd:26.05', securityContext: {privileged: false}}\n"
          "logfile: {image: 'example/alpine:1'}\n"
          "template: {spec: {hostNetwork: true, dnsPolicy: ClusterFirstWithHostNet}}",
          "78496fcf56" },
        { "slurmd: {image: 'example/slurmd:26.05'}\nlogfile: {image: 'example/alpine:1'}\n"
          "template: {spec: {nodeSelector: {pool: daemon}}}",
          "6f4bd57bf4" },
        { "slurmd:\n  image: example/slurmd:26.05\n"
          "  resources: {limits: {cpu: '8', memory: 32Gi, nvidia.com/gpu: '4'}, "
          "requests: {cpu: '4'}}\n"
          "  volumeMounts: [{name: data, mountPath: /data}]\n"
          "logfile: {image: 'example/alpine:1'}\n"
          "ssh: {enabled: true, extraSshdConfig: UsePAM yes, "
          "sssdConfRef: {name: slurm-keys, key: sssd.conf}}\n"
          "template:\n  metadata: {labels: {tier: gpu}, annotations: {checksum: abc}}\n"
          "  spec: {hostname: gpu-, nodeSelector: {pool: gpu}, tolerations: [{key: nvidia.com/gpu, "
          "operator: Exists, effect: NoSchedule}], priorityClassName: system-node-critical, "
          "terminationGracePeriodSeconds: 120}\n"
          "extraConf: Weight=10 Gres=gpu:h200:4\nordinalPadding: 3\noversubscribeNode: true\n"
          "replicas: 7\nminReadySeconds: 5",
          "6f47fd4664" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        scoped(arena) struct arena *a = arena_new();
        struct model_workers m = workers_of(a, cases[i].spec);

        CHECK_STR(workers_revision_hash(a, &m, 0), cases[i].hash);
        CHECK_STR(workers_revision(a, &m, 1, 0)->meta.name, fmt(a, "set-%s", cases[i].hash));
    }
}

TEST(a_collision_gives_another_hash)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers m = workers_of(a, "slurmd: {image: i}");

    CHECK(!str_eq(workers_revision_hash(a, &m, 0), workers_revision_hash(a, &m, 1)));
}

TEST(what_does_not_change_pods_does_not_change_the_hash)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers one = workers_of(a, "slurmd: {image: i}");
    struct model_workers other = workers_of(
        a, "slurmd: {image: i, env: [], command: null, tty: false}\nlogfile: {}\nreplicas: 9\n"
           "pinToNode: true\npartition: {enabled: true}\nssh: {enabled: false}");

    CHECK_STR(workers_revision_hash(a, &other, 0), workers_revision_hash(a, &one, 0));
}

TEST(a_stored_revision_is_compared_by_what_it_says)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers m =
        workers_of(a, "slurmd: {image: i, securityContext: {privileged: false}}");
    struct k8s_controllerrevision stored = {
        .data = parsed(a, "spec: {oversubscribeNode: false, slurmd: {securityContext: {privileged: "
                          "false}, image: i, $patch: replace, env: []}, "
                          "template: {spec: {}, $patch: replace}, ordinalPadding: 0}"),
    };

    CHECK(workers_revision_same(a, &m, &stored));
    /* as a release stored it that did not know these fields yet */
    stored.data = parsed(a, "spec: {slurmd: {securityContext: {privileged: false}, image: i, "
                            "$patch: replace}, template: {$patch: replace}}");
    CHECK(workers_revision_same(a, &m, &stored));
    m = workers_of(a,
                   "slurmd: {image: i, securityContext: {privileged: false}}\nordinalPadding: 3");
    CHECK(!workers_revision_same(a, &m, &stored));
    m = workers_of(a, "slurmd: {image: i}");
    CHECK(!workers_revision_same(a, &m, &stored));
    stored.data = NULL;
    CHECK(!workers_revision_same(a, &m, &stored));
}

/* ------------------------------------------------------------------ pods */

static const char *at(struct arena *a, const struct json *v, const char *path)
{
    const struct json *found = json_at(v, path);

    return found ? found->type == JSON_STR ? found->str.text : json_text(a, found) : NULL;
}

static const struct json *pod_spec(struct arena *a, const struct model_workers *m,
                                   const struct worker *worker)
{
    return worker_pod(a, m, workers_pod_spec(a, m), worker)->spec;
}

TEST(limits_of_the_container_come_before_those_of_the_pod)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker first = { .hash = "x" };
    struct model_workers m =
        workers_of(a, "slurmd: {resources: {limits: {cpu: 1500m}}}\n"
                      "template: {spec: {resources: {limits: {cpu: 8, memory: 1Gi}}}}");
    const struct json *env = json_at(pod_spec(a, &m, &first), "containers.0.env");

    CHECK_STR(at(a, env, "2.name"), "POD_CPUS");
    CHECK_STR(at(a, env, "2.value"), "2");
    CHECK_STR(at(a, env, "3.value"), "1024");
}

TEST(a_pinned_worker_may_run_on_its_node_only)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker pinned = { .hash = "x", .node = "n1" };
    struct model_workers m = workers_of(
        a, "template: {spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuring"
           "Execution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}, "
           "preferredDuringSchedulingIgnoredDuringExecution: []}}}}");
    const struct json *spec = pod_spec(a, &m, &pinned);

    CHECK_STR(at(a, spec, "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"),
              "{\"nodeSelectorTerms\":[{\"matchFields\":[{\"key\":\"metadata.name\","
              "\"operator\":\"In\",\"values\":[\"n1\"]}]}]}");
    CHECK_STR(at(a, spec,
                 "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                 ".0.topologyKey"),
              "kubernetes.io/hostname");
}

TEST(workers_that_share_a_node_do_not_shun_each_other)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker first = { .hash = "x" };
    struct model_workers m = workers_of(a, "oversubscribeNode: true");

    CHECK(!json_get(pod_spec(a, &m, &first), "affinity"));
}

TEST(a_claim_takes_the_place_of_a_volume_of_its_name)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker first = { .hash = "x" };
    struct model_workers m =
        workers_of(a, "volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]\n"
                      "template: {spec: {volumes: [{name: data, emptyDir: {}}]}}");
    const struct json *volumes = json_get(pod_spec(a, &m, &first), "volumes");

    CHECK_INT(json_count(volumes), 3);
    CHECK_STR(at(a, volumes, "0.persistentVolumeClaim.claimName"), "data-set-0");
    CHECK_INT(worker_claims(a, &m, &first).n, 1);
    CHECK_STR(worker_claims(a, &m, &first).v[0].meta.name, "data-set-0");
}

TEST(the_scheduler_chooses_the_node_and_the_prefix_is_no_hostname)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker first = { .hash = "x", .ordinal = 4 };
    struct model_workers m = workers_of(a, "template: {spec: {nodeName: n1, hostname: gpu-}}");
    const struct json *spec = pod_spec(a, &m, &first);

    CHECK(!json_get(spec, "nodeName"));
    CHECK_STR(at(a, spec, "hostname"), "gpu-4");
    CHECK_STR(m.nodeset, "gpu");
}

TEST(a_worker_of_a_node_tolerates_what_daemons_do)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers numbered = workers_of(a, "replicas: 1");
    struct model_workers daemon = workers_of(a, "scalingMode: DaemonSet");
    struct model_workers host =
        workers_of(a, "scalingMode: DaemonSet\ntemplate: {spec: {hostNetwork: true}}");

    CHECK_INT(json_count(json_get(workers_pod_spec(a, &numbered), "tolerations")), 1);
    CHECK_INT(json_count(json_get(workers_pod_spec(a, &daemon), "tolerations")), 7);
    CHECK_INT(json_count(json_get(workers_pod_spec(a, &host), "tolerations")), 8);
}

TEST(the_stop_hook_leaves_time_for_slurmd)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker first = { .hash = "x" };
    struct model_workers m = workers_of(a, "template: {spec: {terminationGracePeriodSeconds: 5}}");
    const char *script =
        at(a, pod_spec(a, &m, &first), "containers.0.lifecycle.preStop.exec.command.2");

    CHECK(strstr(script, "+ 0))"));
    m = workers_of(a, "replicas: 1");
    script = at(a, pod_spec(a, &m, &first), "containers.0.lifecycle.preStop.exec.command.2");
    CHECK(strstr(script, "+ 20))"));
}

TEST(shared_objects_have_owners_that_do_not_control_them)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers m = workers_of(a, "replicas: 1");
    struct k8s_owner_reference owner = workers_owner(&m);
    struct k8s_owner_reference_list owners = { &owner, 1 };

    CHECK_INT(owner.controller, UNSET);
    CHECK_INT(owner.block_owner_deletion, YES);
    CHECK_STR(workers_service(a, &m.home, &m.cluster, owners)->meta.name, "slurm-workers-ctl");
    CHECK_STR(pairs_get(workers_pdb(a, &m.home, &m.cluster, owners)->spec.selector->match_labels,
                        SLINKY_POD_PROTECT),
              "true");
}

TEST(workers_share_what_they_have_in_common)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers m = workers_of(a, "replicas: 1000");
    const struct json *base = workers_pod_spec(a, &m);
    size_t before = arena_used(a);

    for (int64_t i = 0; i < m.replicas; i++)
        worker_pod(a, &m, base, &(struct worker) { .ordinal = i, .hash = "x" });
    CHECK((arena_used(a) - before) / (size_t)m.replicas < 4000);
}
