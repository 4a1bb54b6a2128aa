/* build_controller_test.c - slurmctld's objects, and templates that another operator made. */
#include "base/scope.h"
#include "base/str.h"
#include "build/adopt.h"
#include "build/controller.h"
#include "build/hash.h"
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

/* What the other operator would have made: another script, no hash of ours. */
static struct k8s_statefulset *of_another(struct arena *a, const struct k8s_statefulset *ours,
                                          const char *drop)
{
    struct k8s_statefulset *other = k8s_statefulset_keep(a, ours);
    struct json *spec = json_copy(a, ours->spec.template.spec);
    struct json *command = (struct json *)json_at(spec, "initContainers.0.command");
    struct pairs kept = { 0 };

    command->array.items[2] = json_str(a, "while :; do cat $SOCKET; done");
    other->spec.template.spec = spec;
    for_each (pair, ours->spec.template.meta.annotations)
        if (!str_eq(pair->key, drop))
            kept = pairs_with(a, kept, pair->key, pair->value);
    other->spec.template.meta.annotations = kept;
    return other;
}

static const char *script_of(const struct k8s_statefulset *set)
{
    return json_str_or(json_at(set->spec.template.spec, "initContainers.0.command.2"), "");
}

TEST(a_template_that_says_the_same_is_left_alone)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "inplaceReconfigure: false");
    struct k8s_statefulset *want = controller_statefulset(a, &m);
    struct k8s_statefulset *live = of_another(a, want, slinky_profile.jwt_key_hash);
    struct k8s_statefulset *kept = adopt_statefulset(a, live, want, m.pods.hashes);

    CHECK(kept != want);
    CHECK_STR(script_of(kept), script_of(live));
    CHECK(
        table_covers(a, &k8s_pod_template_type, &live->spec.template, &kept->spec.template, NULL));
    CHECK(pairs_get(kept->meta.annotations, ADOPTED));
}

TEST(a_real_change_brings_everything_up_to_date)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "slurmctld: {image: one}");
    struct k8s_statefulset *live =
        of_another(a, controller_statefulset(a, &m), slinky_profile.jwt_key_hash);
    struct model_controller changed = controller_of(a, "slurmctld: {image: two}");
    struct k8s_statefulset *want = controller_statefulset(a, &changed);

    CHECK(adopt_statefulset(a, live, want, changed.pods.hashes) == want);
}

TEST(a_content_that_changed_since_the_takeover_restarts_the_pods)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "inplaceReconfigure: false");
    struct k8s_statefulset *want = controller_statefulset(a, &m);
    struct k8s_statefulset *live = of_another(a, want, slinky_profile.jwt_key_hash);

    live->meta.annotations = adopt_statefulset(a, live, want, m.pods.hashes)->meta.annotations;
    CHECK(adopt_statefulset(a, live, want, m.pods.hashes) != want);
    m.pods.hashes = pairs_with(a, m.pods.hashes, slinky_profile.jwt_key_hash, "another");
    want = controller_statefulset(a, &m);
    CHECK(adopt_statefulset(a, live, want, m.pods.hashes) == want);
}

TEST(there_is_nothing_to_adopt_where_nothing_is)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_controller m = controller_of(a, "external: false");
    struct k8s_statefulset *want = controller_statefulset(a, &m);

    CHECK(adopt_statefulset(a, NULL, want, m.pods.hashes) == want);
    CHECK(adopt_statefulset(a, want, want, m.pods.hashes) == want);
}
