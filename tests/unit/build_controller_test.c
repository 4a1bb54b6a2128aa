/* build_controller_test.c - slurmctld's objects, and templates that another operator made. */
#include "base/scope.h"
#include "base/str.h"
#include "build/adopt.h"
#include "build/controller.h"
#include "build/hash.h"
#include "kube/controller.h"
#include "slinky/names.h"
#include "support/front_world.h"
#include "support/test.h"

/* ------------------------------------------------------------------ hashes */

TEST(hashes_are_those_of_the_other_operator)
{
    scoped(arena) struct arena *a = arena_new();
    struct pair texts[] = { { "b", "2" }, { "a", "1" } };
    struct pair encoded[] = { { "b", "Mg==" }, { "a", "MQ==" } };
    struct pairs data = LIST(texts), secret = LIST(encoded), none = { 0 };

    CHECK_STR(hash_of_text(a, NULL),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_STR(hash_of_texts(a, none), "");
    CHECK_STR(hash_of_texts(a, data), hash_of_text(a, "12"));
    CHECK_STR(hash_of_secret(a, secret), hash_of_text(a, "12"));
}

/* ------------------------------------------------------------------ Services */

TEST(with_one_replica_clients_reach_it_without_a_label)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "external: false");

    CHECK(!pairs_get(controller_service(a, &m)->spec.selector, SLINKY_ACTIVE));
    m.replicas = 2;
    CHECK_STR(pairs_get(controller_service(a, &m)->spec.selector, SLINKY_ACTIVE), "true");
    CHECK(!pairs_get(controller_internal_service(a, &m)->spec.selector, SLINKY_ACTIVE));
}

TEST(the_usual_port_is_served_beside_another)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "service: {port: 7000}");
    struct k8s_service_port_list ports = controller_service(a, &m)->spec.ports;

    CHECK_INT(ports.n, 2);
    CHECK_INT(int_or(ports.v[0].port, 0), 7000);
    CHECK_INT(int_or(ports.v[1].port, 0), 6817);
    m = controller_of(a, "service: {port: 6817}");
    CHECK_INT(controller_service(a, &m)->spec.ports.n, 1);
    m = controller_of(a, "service: {port: 7000, spec: {ports: [{name: x, port: 6817}]}}");
    CHECK_INT(controller_service(a, &m)->spec.ports.n, 2);
}

TEST(external_addresses_are_never_passed_on)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "service: {spec: {externalIPs: [192.0.2.1]}}");

    CHECK_INT(controller_service(a, &m)->spec.external_ips.n, 0);
}

/* ------------------------------------------------------------------ state and pods */

static const char *state_source(struct arena *a, const char *spec)
{
    struct model_controller m = controller_of(a, spec);
    struct k8s_statefulset *set = controller_statefulset(a, &m);
    const struct json *volumes = json_get(set->spec.template.spec, "volumes");

    for (size_t i = 0; i < json_count(volumes); i++)
        if (str_eq(json_str_or(json_get(json_item(volumes, i), "name"), NULL), "statesave"))
            return json_text(a, json_item(volumes, i));
    return set->spec.volume_claim_templates.n ? "template" : "none";
}

TEST(state_is_kept_in_a_claim_unless_told_otherwise)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(state_source(a, "external: false"), "template");
    CHECK_STR(state_source(a, "persistence: {enabled: true}"), "template");
    CHECK_STR(state_source(a, "persistence: {enabled: false}"),
              "{\"name\":\"statesave\",\"emptyDir\":{}}");
    CHECK_STR(state_source(a, "persistence: {existingClaim: c}"),
              "{\"name\":\"statesave\",\"persistentVolumeClaim\":{\"claimName\":\"c\"}}");
}

TEST(backups_are_counted_and_never_asked_whether_they_are_ready)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m =
        controller_of(a, "{ha: {enabled: true}, persistence: {existingClaim: c}}");
    struct k8s_statefulset *set = controller_statefulset(a, &m);
    const char *path = "containers.0.readinessProbe.httpGet.path";

    CHECK_INT(int_or(set->spec.replicas, 0), 2);
    CHECK_STR(json_str_or(json_at(set->spec.template.spec, path), NULL), "/livez");
    m = controller_of(a, "{ha: {enabled: false, backups: 3}}");
    set = controller_statefulset(a, &m);
    CHECK_INT(int_or(set->spec.replicas, 0), 1);
    CHECK_STR(json_str_or(json_at(set->spec.template.spec, path), NULL), "/readyz");
}

TEST(an_outside_controller_has_nothing_but_its_configuration)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m =
        controller_of(a, "{external: true, externalConfig: {host: h, port: 1}, "
                         "metrics: {enabled: true, serviceMonitor: {enabled: true}}}");

    CHECK(!controller_service(a, &m));
    CHECK(!controller_internal_service(a, &m));
    CHECK(!controller_statefulset(a, &m));
    CHECK(!controller_monitor(a, &m));
    CHECK_INT(controller_config(a, &m)->data.n, 1);
}

TEST(configuration_restarts_pods_only_where_it_is_told_to)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "inplaceReconfigure: false");
    const char *key = slinky_profile.config_hash;

    CHECK(pairs_get(controller_statefulset(a, &m)->spec.template.meta.annotations, key));
    m = controller_of(a, "inplaceReconfigure: true");
    CHECK(!pairs_get(controller_statefulset(a, &m)->spec.template.meta.annotations, key));
    CHECK_STR(json_str_or(json_at(controller_statefulset(a, &m)->spec.template.spec,
                                  "initContainers.0.name"),
                          NULL),
              "reconfigure");
}

/* ------------------------------------------------------------------ taking over */

static struct k8s_statefulset *wanted(struct arena *a, const char *spec)
{
    struct model_controller m = controller_of(a, spec);

    m.home.owner.kind = "Controller";
    m.home.owner.name = "slurm";
    m.home.owner.uid = "u";
    m.home.owner.controller = YES;
    return controller_statefulset(a, &m);
}

/* What the other operator would have made: another Service, another script, another file. */
static struct k8s_statefulset *of_another(struct arena *a)
{
    struct k8s_statefulset *other = wanted(a, "external: false");
    struct json *spec = json_copy(a, other->spec.template.spec);
    struct json *command = (struct json *)json_at(spec, "initContainers.0.command");

    command->array.items[2] = json_str(a, "while :; do cat $SOCKET; done");
    other->spec.template.spec = spec;
    other->spec.service_name = "slurm-controller";
    return other;
}

TEST(what_another_operator_made_stays_while_nobody_asks_for_more)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_statefulset *live = of_another(a);
    struct k8s_statefulset *want = wanted(a, "external: false");
    const char *note = adopt_statefulset(a, live, want);

    CHECK(note);
    live->meta.annotations = pairs_with(a, live->meta.annotations, ADOPTED, note);
    CHECK_STR(adopt_statefulset(a, live, want), note);
    want->spec.replicas = (struct maybe_int)SOME(5);
    CHECK_STR(adopt_statefulset(a, live, want), note);
}

TEST(a_change_that_somebody_asks_for_makes_it_ours)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_statefulset *live = of_another(a);
    const char *note = adopt_statefulset(a, live, wanted(a, "external: false"));

    live->meta.annotations = pairs_with(a, live->meta.annotations, ADOPTED, note);
    CHECK(!adopt_statefulset(a, live, wanted(a, "slurmctld: {image: two}")));
    /* and then it stays ours, even if they think better of it */
    live->meta.annotations = pairs_with(a, live->meta.annotations, APPLIED_HASH, "1");
    CHECK(!adopt_statefulset(a, live, wanted(a, "external: false")));
}

TEST(there_is_nothing_to_leave_alone_where_nothing_is)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_statefulset *want = wanted(a, "external: false");
    struct k8s_statefulset *live = of_another(a);

    CHECK(!adopt_statefulset(a, NULL, want));
    CHECK(!adopt_statefulset(a, want, want)); /* it says what we want */
    live->meta.owner_references.n = 0;
    CHECK(!adopt_statefulset(a, live, want)); /* for the apply to judge */
}

TEST(files_that_another_operator_wrote_stay_while_ours_would_not_change)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_owner_reference owner = { .uid = "u", .controller = YES };
    struct k8s_configmap live = { .meta.owner_references = { .v = &owner, .n = 1 } };
    struct k8s_configmap want = live;

    want.data = pairs_with(a, want.data, "slurm.conf", "# ours");
    CHECK_STR(adopt_configmap(a, &live, &want, "h1"), "h1");
    live.meta.annotations = pairs_with(a, live.meta.annotations, ADOPTED, "h1");
    CHECK_STR(adopt_configmap(a, &live, &want, "h1"), "h1");
    CHECK(!adopt_configmap(a, &live, &want, "h2"));
    CHECK(!adopt_configmap(a, NULL, &want, "h1"));
}

TEST(a_key_is_found_under_the_name_that_it_is_mounted_by)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_key key = { .name = "keys", .key = "jwt.key" };
    struct model_key other = { .name = "keys", .key = "none" };
    struct k8s_pod_template template = {
        .spec = parsed(
            a, "volumes: [{name: x, emptyDir: {}}, {name: etc, projected: {sources: [{configMap: "
               "{name: keys}}, {secret: {name: keys, items: [{key: slurm.key, path: "
               "slurm.key}]}}, {secret: {name: keys, items: [{key: jwt.key, path: "
               "jwt_hs256.key}]}}]}}]"),
    };

    CHECK_STR(adopt_file_of(&template, &key), "jwt_hs256.key");
    CHECK(!adopt_file_of(&template, &other));
    template.spec = NULL;
    CHECK(!adopt_file_of(&template, &key));
}
