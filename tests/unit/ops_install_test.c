/* ops_install_test.c - what is installed, and whether it has come up. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "ops/manifest.h"
#include "ops/ready.h"
#include "support/test.h"
#include "json/yaml.h"

static struct resources manifests(struct arena *a, const char *namespace, const char *image)
{
    struct manifest_options options = { .namespace = namespace, .image = image };
    struct resources all = { 0 };
    struct error err = { 0 };

    CHECK_OK(manifest_read(a, &options, &all, &err), err);
    return all;
}

static const struct resource *find(struct resources all, const char *kind, const char *name)
{
    for_each (r, all)
        if (str_eq(r->kind.kind, kind) && str_eq(r->name, name))
            return r;
    return NULL;
}

static struct json *object(struct arena *a, const char *text)
{
    struct json *documents = NULL;
    struct error err = { 0 };

    CHECK_OK(yaml_parse(a, text, strlen(text), &documents, &err), err);
    return (struct json *)json_item(documents, 0);
}

/* ------------------------------------------------------------------ manifests */

TEST(the_embedded_manifests_hold_everything_that_runs)
{
    scoped(arena) struct arena *a = arena_new();
    struct resources all = manifests(a, "slinky", NULL);

    CHECK_STR(all.v[0].kind.kind, "Namespace");
    CHECK(find(all, "Deployment", MANIFEST_OPERATOR));
    CHECK(find(all, "Deployment", MANIFEST_WEBHOOK));
    CHECK(find(all, "CustomResourceDefinition", "nodesets.slinky.slurm.net"));
    CHECK(find(all, "ValidatingWebhookConfiguration", MANIFEST_WEBHOOK));
}

TEST(manifests_move_to_another_namespace_and_leave_nothing_behind)
{
    scoped(arena) struct arena *a = arena_new();
    struct resources all = manifests(a, "hpc", NULL);

    CHECK_STR(all.v[0].name, "hpc");
    for_each (r, all) {
        const char *text = json_text(a, r->json);

        CHECK(!r->namespace || str_eq(r->namespace, "hpc"));
        CHECK(!strstr(text, "\"namespace\":\"slinky\""));
        CHECK(!strstr(text, "=slinky\""));
        CHECK(!strstr(text, "\"slinky\""));
    }
    CHECK(strstr(json_text(a, find(all, "Deployment", MANIFEST_OPERATOR)->json),
                 "--leader-elect-namespace=hpc"));
    CHECK(strstr(json_text(a, find(all, "Deployment", MANIFEST_WEBHOOK)->json), "--namespace=hpc"));
}

TEST(manifests_take_an_image_and_are_signed_as_ours)
{
    scoped(arena) struct arena *a = arena_new();
    struct resources all = manifests(a, "slinky", "registry.example/w:2");

    for_each (r, all)
        CHECK(!strstr(json_text(a, r->json), "Helm"));
    CHECK_STR(json_str_or(json_at(find(all, "Deployment", MANIFEST_WEBHOOK)->json,
                                  "spec.template.spec.containers.0.image"),
                          NULL),
              "registry.example/w:2");
}

TEST(an_object_knows_where_it_lives)
{
    scoped(arena) struct arena *a = arena_new();
    struct resource r;
    struct error err = { 0 };

    CHECK_OK(resource_of(a,
                         object(a, "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, "
                                   "metadata: {name: x, namespace: y}}"),
                         &r, &err),
             err);
    CHECK_STR(client_path(a, &r.kind, r.namespace, r.name, NULL),
              "/apis/networking.k8s.io/v1/namespaces/y/networkpolicies/x");
    CHECK_STR(resource_title(a, &r), "networkpolicy/x");
    CHECK_INT(resource_of(a, object(a, "{kind: Pod, apiVersion: v1}"), &r, &err), -EINVAL);
}

TEST(what_stands_as_applied_is_not_written_again)
{
    scoped(arena) struct arena *a = arena_new();
    struct resource r;

    CHECK_INT(resource_of(a,
                          object(a, "{apiVersion: v1, kind: Service, metadata: {name: x, "
                                    "namespace: y}, spec: {clusterIP: None}}"),
                          &r, NULL),
              0);
    CHECK(resource_compare(a, &r) == RESOURCE_CREATED);
    r.live =
        object(a, "{metadata: {name: x, namespace: y}, spec: {clusterIP: None, type: ClusterIP}}");
    CHECK(resource_compare(a, &r) == RESOURCE_CHANGED); /* not yet signed by us */
    CHECK(!resource_is_ours(&r));
}

TEST(a_namespace_that_was_there_is_kept_as_it_is)
{
    scoped(arena) struct arena *a = arena_new();
    struct resources all = manifests(a, "slinky", NULL);

    all.v[0].live = object(a, "{kind: Namespace, metadata: {name: slinky}}");
    CHECK(resource_compare(a, &all.v[0]) == RESOURCE_KEPT);
}

/* ------------------------------------------------------------------ coming up */

TEST(a_crd_is_ready_when_established)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(ready_lacks(a, NULL), "is not there");
    CHECK_STR(ready_lacks(a, object(a, "kind: CustomResourceDefinition")),
              "is not established yet");
    CHECK_STR(
        ready_lacks(a, object(a, "{kind: CustomResourceDefinition, status: {conditions: "
                                 "[{type: NamesAccepted, status: 'False', message: taken}]}}")),
        "its names are not accepted: taken");
    CHECK(!ready_lacks(a, object(a, "{kind: CustomResourceDefinition, status: {conditions: "
                                    "[{type: Established, status: 'True'}]}}")));
}

TEST(a_deployment_is_ready_when_its_newest_pods_are_available)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(ready_lacks(a, object(a, "{kind: Deployment, metadata: {generation: 2}, status: "
                                       "{observedGeneration: 1, availableReplicas: 1, "
                                       "updatedReplicas: 1, replicas: 1}}")),
              "has not been looked at yet");
    CHECK_STR(ready_lacks(a, object(a, "{kind: Deployment, spec: {replicas: 2}, status: "
                                       "{availableReplicas: 2, updatedReplicas: 1, replicas: 3}}")),
              "1 of 2 pods available");
    CHECK_STR(ready_lacks(a, object(a, "{kind: Deployment, spec: {replicas: 1}, status: "
                                       "{availableReplicas: 2, updatedReplicas: 1, replicas: 2}}")),
              "old pods are still leaving");
    CHECK(!ready_lacks(a, object(a, "{kind: Deployment, spec: {replicas: 0}}")));
}

TEST(a_webhook_is_ready_when_its_authority_is_known)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(ready_lacks(a, object(a, "{kind: ValidatingWebhookConfiguration, webhooks: "
                                       "[{name: a, clientConfig: {caBundle: x}}, {name: b}]}")),
              "b has no caBundle yet");
    CHECK(!ready_lacks(a, object(a, "kind: ServiceAccount")));
}

TEST(a_pod_says_what_keeps_it)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(ready_pod_trouble(a, object(a, "{status: {containerStatuses: [{name: c, state: "
                                             "{waiting: {reason: ErrImagePull, message: no}}}]}}")),
              "c: ErrImagePull: no");
    CHECK_STR(ready_pod_trouble(a, object(a, "{status: {conditions: [{type: PodScheduled, status: "
                                             "'False', message: full}]}}")),
              "waits for a node: full");
    CHECK(!ready_pod_trouble(a, object(a, "{status: {containerStatuses: [{name: c, state: "
                                          "{waiting: {reason: ContainerCreating}}}]}}")));
}
