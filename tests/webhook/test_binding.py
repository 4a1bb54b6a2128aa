"""Topology comes onto a worker as it is bound; nobody's scheduling waits for us."""
import pytest
from conftest import HOME, HOOK_PATH, NAME, entries, forget_certificates, is_asked

from support.cluster import until

TOPOLOGY = "topology.slinky.slurm.net/spec"
PODS = "/api/v1/namespaces/default/pods"


@pytest.fixture(scope="module")
def binding(cluster, replicas):
    """A node with a topology, one without, and the webhook on every pod that is bound."""
    replicas.stop_all()
    forget_certificates(cluster)
    entries(cluster)
    for name, annotations in (("racked", {TOPOLOGY: "tree:sw1"}), ("plain", {})):
        cluster.request("POST", "/api/v1/nodes", {"metadata": {"name": name,
                                                               "annotations": annotations}})
    cluster.request("DELETE", f"{HOOK_PATH}/mutatingwebhookconfigurations/{NAME}")
    cluster.must("POST", f"{HOOK_PATH}/mutatingwebhookconfigurations", {
        "metadata": {"name": NAME}, "webhooks": [{
            "name": "podsbinding-v1.kb.io", "sideEffects": "NoneOnDryRun", "failurePolicy": "Ignore",
            "admissionReviewVersions": ["v1"], "timeoutSeconds": 5,
            "clientConfig": {"service": {"name": NAME, "namespace": HOME, "port": 443,
                                         "path": "/mutate--v1-binding"}},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"],
                       "resources": ["pods/binding"]}]}]})
    replica = replicas.start()
    is_asked(cluster)
    until("the bundle is there too", lambda: None if "caBundle" in cluster.must(
        "GET", f"{HOOK_PATH}/mutatingwebhookconfigurations/{NAME}")["webhooks"][0]["clientConfig"]
        else "not yet")
    yield replica
    cluster.request("DELETE", f"{HOOK_PATH}/mutatingwebhookconfigurations/{NAME}")
    replicas.stop_all()


def pod(cluster, name, labels):
    cluster.request("DELETE", f"{PODS}/{name}", {"gracePeriodSeconds": 0})
    cluster.must("POST", PODS, {
        "metadata": {"name": name, "labels": labels},
        "spec": {"schedulerName": "nobody", "containers": [{"name": "c", "image": "x"}]}})


def bind(cluster, name, node, how=""):
    return cluster.request("POST", f"{PODS}/{name}/binding{how}", {
        "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name, "namespace": "default"},
        "target": {"kind": "Node", "name": node}})


def topology(cluster, name):
    return cluster.must("GET", f"{PODS}/{name}")["metadata"].get("annotations", {}).get(TOPOLOGY)


@pytest.fixture(scope="module", autouse=True)
def account(cluster):
    cluster.request("POST", "/api/v1/namespaces/default/serviceaccounts",
                    {"metadata": {"name": "default"}})


WORKER = {"app.kubernetes.io/name": "slurmd"}


def test_a_worker_gets_the_topology_of_its_node(cluster, binding):
    for name, node, want in (("w-a", "racked", "tree:sw1"), ("w-b", "plain", ""),
                             ("w-c", "racked", "tree:sw1")):
        pod(cluster, name, WORKER)
        status, answer = bind(cluster, name, node)
        assert status == 201, answer
        assert topology(cluster, name) == want


def test_others_are_left_alone(cluster, binding):
    pod(cluster, "other", {"app": "x"})
    assert bind(cluster, "other", "racked")[0] == 201
    assert topology(cluster, "other") is None


def test_a_dry_run_changes_nothing(cluster, binding):
    pod(cluster, "dry", WORKER)
    assert bind(cluster, "dry", "racked", "?dryRun=All")[0] == 201
    assert topology(cluster, "dry") is None


def test_a_binding_to_an_unknown_node_is_not_our_business(cluster, binding):
    pod(cluster, "lost", WORKER)
    assert bind(cluster, "lost", "nowhere")[0] == 201


def test_without_the_webhook_pods_are_bound_all_the_same(cluster, replicas, binding):
    replicas.stop_all()
    pod(cluster, "alone", WORKER)
    assert bind(cluster, "alone", "racked")[0] == 201
    assert topology(cluster, "alone") is None
