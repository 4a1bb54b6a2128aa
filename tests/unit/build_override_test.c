/* build_override_test.c - what users change, and that nothing else does. */
#include <string.h>

#include "base/scope.h"
#include "build/override.h"
#include "support/test.h"
#include "json/yaml.h"

static const struct json *value(struct arena *a, const char *yaml)
{
    struct json *documents = NULL;
    struct error err = { 0 };

    CHECK_OK(yaml_parse(a, yaml, strlen(yaml), &documents, &err), err);
    return json_item(documents, 0);
}

static void check_merge(const struct json *(*function)(struct arena *a, const struct json *ours,
                                                       const struct json *user),
                        const char *ours, const char *user, const char *want)
{
    scoped(arena) struct arena *a = arena_new();
    const struct json *have = function(a, value(a, ours), value(a, user));

    if (!json_equal(have, value(a, want)))
        test_fail(__FILE__, __LINE__, "%s with %s is %s, not %s", ours, user, json_text(a, have),
                  want);
}

TEST(nothing_said_changes_nothing)
{
    check_merge(override_container, "{name: a, image: b}", "{}", "{name: a, image: b}");
    check_merge(override_container, "{name: a, image: b}",
                "{image: '', resources: {}, env: [], command: null, securityContext: {x: {}}}",
                "{name: a, image: b}");
    check_merge(override_pod_spec, "{hostname: a}", "{hostname: '', tolerations: []}",
                "{hostname: a}");
}

TEST(false_and_zero_say_something)
{
    check_merge(override_container, "{securityContext: {privileged: true, runAsUser: 401}}",
                "{securityContext: {privileged: false, runAsUser: 0}}",
                "{securityContext: {privileged: false, runAsUser: 0}}");
    check_merge(override_pod_spec, "{enableServiceLinks: true, terminationGracePeriodSeconds: 30}",
                "{enableServiceLinks: false, terminationGracePeriodSeconds: 0}",
                "{enableServiceLinks: false, terminationGracePeriodSeconds: 0}");
}

TEST(args_are_added)
{
    check_merge(override_container, "{args: [-a]}", "{args: [-b]}", "{args: [-a, -b]}");
    check_merge(override_container, "{name: x}", "{args: [-b]}", "{name: x, args: [-b]}");
    check_merge(override_container, "{command: [a, b]}", "{command: [c]}", "{command: [c]}");
}

TEST(a_probe_whose_times_change_keeps_its_handler)
{
    check_merge(override_container,
                "{livenessProbe: {httpGet: {path: /livez, port: p}, failureThreshold: 6}}",
                "{livenessProbe: {periodSeconds: 30}}",
                "{livenessProbe: {httpGet: {path: /livez, port: p}, failureThreshold: 6, "
                "periodSeconds: 30}}");
}

TEST(a_handler_of_the_same_type_is_merged_and_another_replaces_it)
{
    check_merge(override_container, "{readinessProbe: {httpGet: {path: /a, port: p}}}",
                "{readinessProbe: {httpGet: {path: /b}}}",
                "{readinessProbe: {httpGet: {path: /b, port: p}}}");
    check_merge(override_container, "{readinessProbe: {httpGet: {path: /a, port: p}}}",
                "{readinessProbe: {tcpSocket: {port: 1}}}",
                "{readinessProbe: {tcpSocket: {port: 1}}}");
    check_merge(override_container, "{lifecycle: {preStop: {exec: {command: [a]}}}}",
                "{lifecycle: {preStop: {sleep: {seconds: 1}}}}",
                "{lifecycle: {preStop: {sleep: {seconds: 1}}}}");
}

TEST(a_variable_has_one_source)
{
    check_merge(override_container, "{env: [{name: A, valueFrom: {fieldRef: {fieldPath: x}}}]}",
                "{env: [{name: A, value: b}]}", "{env: [{name: A, value: b}]}");
    check_merge(override_container, "{env: [{name: A, value: a}, {name: B, value: b}]}",
                "{env: [{name: C, value: c}]}",
                "{env: [{name: C, value: c}, {name: A, value: a}, {name: B, value: b}]}");
}

TEST(a_mount_is_replaced_whole)
{
    check_merge(override_container,
                "{volumeMounts: [{name: v, mountPath: /a, subPath: f, readOnly: true}]}",
                "{volumeMounts: [{name: w, mountPath: /a}]}",
                "{volumeMounts: [{name: w, mountPath: /a}]}");
}

TEST(a_volume_has_one_source)
{
    check_merge(override_pod_spec, "{volumes: [{name: a, emptyDir: {medium: Memory}}]}",
                "{volumes: [{name: a, hostPath: {path: /x}}]}",
                "{volumes: [{name: a, hostPath: {path: /x}}]}");
    check_merge(override_pod_spec, "{volumes: [{name: a, emptyDir: {medium: Memory}}]}",
                "{volumes: [{name: b, emptyDir: {}}]}",
                "{volumes: [{name: b, emptyDir: {}}, {name: a, emptyDir: {medium: Memory}}]}");
}

TEST(a_container_of_the_same_name_is_merged_and_others_come_after)
{
    check_merge(override_pod_spec, "{containers: [{name: a, args: [x]}]}",
                "{containers: [{name: b}, {name: a, args: [y], image: i}]}",
                "{containers: [{name: a, args: [x, y], image: i}, {name: b}]}");
    check_merge(override_pod_spec, "{initContainers: [{name: a}]}", "{initContainers: [{name: b}]}",
                "{initContainers: [{name: a}, {name: b}]}");
}

TEST(tolerations_and_search_domains_are_added)
{
    check_merge(override_pod_spec, "{tolerations: [{key: a}]}", "{tolerations: [{key: b}]}",
                "{tolerations: [{key: b}, {key: a}]}");
    check_merge(override_pod_spec, "{tolerations: [{key: a}]}", "{tolerations: [{key: a}]}",
                "{tolerations: [{key: a}]}");
    check_merge(override_pod_spec, "{dnsConfig: {searches: [a]}}",
                "{dnsConfig: {searches: [b], nameservers: [c]}}",
                "{dnsConfig: {searches: [b, a], nameservers: [c]}}");
}

TEST(ports_merge_by_number)
{
    check_merge(
        override_container, "{ports: [{name: a, containerPort: 1, protocol: TCP}]}",
        "{ports: [{name: b, containerPort: 2}]}",
        "{ports: [{name: b, containerPort: 2}, {name: a, containerPort: 1, protocol: TCP}]}");
}

TEST(fields_we_do_not_know_survive)
{
    check_merge(override_pod_spec, "{hostname: a}", "{futureField: {deep: [1]}}",
                "{hostname: a, futureField: {deep: [1]}}");
}
