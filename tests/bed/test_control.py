"""The control plane: beds side by side, restarts, two API servers, audit, options, DNS."""
import json
import subprocess
import time

import pytest

from bedlib import Fail
from bedlib.common import wait_for

MAPS = "/api/v1/namespaces/default/configmaps"
STREAM = ("&sendInitialEvents=true&allowWatchBookmarks=true&timeoutSeconds=1"
          "&resourceVersionMatch=NotOlderThan")


def config_map(name):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}


def test_two_beds_share_nothing(first, second):
    first.api().create(MAPS, config_map("only-here"))
    assert first.api().get(f"{MAPS}/only-here")
    assert second.api().get(f"{MAPS}/only-here") is None
    assert second.api().get(f"{MAPS}/kube-root-ca.crt"), "the second bed answers at all"
    assert first.place.netns != second.place.netns


def test_up_again_changes_nothing(second):
    before = {name: pid for name, pid, _ in second.processes()}
    second.up()
    assert {name: pid for name, pid, _ in second.processes()} == before
    assert all(before.values())


def test_an_apiserver_comes_back_with_its_objects(second):
    second.api().create(MAPS, config_map("kept"))
    second.stop("apiserver")
    assert second.api().get("/readyz") is None
    second.start("apiserver")
    assert second.api().get(f"{MAPS}/kept")["metadata"]["name"] == "kept"


def test_the_second_apiserver_serves_while_the_first_is_down(first):
    first.api().create(MAPS, config_map("shared"))
    first.stop("apiserver")
    try:
        told = first.kubectl("--kubeconfig", first.second_kubeconfig, "get", "configmap", "shared",
                             "-o", "name")
        assert told.strip() == "configmap/shared"
    finally:
        first.start("apiserver")


def test_the_audit_log_names_every_write(first):
    first.api().create(MAPS, config_map("audited"))

    def entry():
        with open(first.audit_log) as log:
            for line in log:
                event = json.loads(line)
                about = event.get("objectRef", {})
                if (event["verb"] == "create" and event["user"]["username"] == "admin"
                        and about.get("resource") == "configmaps"):
                    return event

    assert wait_for("the audit entry", entry, 5)["responseStatus"]["code"] == 201


def test_rbac_refuses_who_has_no_role(first):
    told = first.kubectl("auth", "can-i", "create", "pods", "--as=nobody", check=False)
    assert told.strip() == "no"


def test_feature_gates_reach_the_apiserver(first, second):
    assert "BOOKMARK" in [event["type"] for event in first.api().watch(MAPS, 10, STREAM)]
    assert second.api().request("GET", f"{MAPS}?watch=1{STREAM}")[0] == 422


def test_cluster_names_resolve_beside_the_control_plane(first):
    command = first.inside("getent", "hosts", "kubernetes.default.svc")

    def resolved():
        return subprocess.run(command, capture_output=True, text=True).stdout

    assert wait_for("cluster DNS", resolved, 10).split()[0] == first.place.address(16, 1)


def test_ten_simulated_nodes_become_ready(second):
    second.sim(10)
    nodes = second.api().get("/api/v1/nodes")["items"]
    assert {n["metadata"]["name"] for n in nodes} == {f"sim-{i}" for i in range(10)}


def test_an_event_history_can_be_compacted_away(second):
    """What tests of expired watches do: etcd is within reach of the machine."""
    old = second.api().get(MAPS)["metadata"]["resourceVersion"]
    second.api().create(MAPS, config_map(f"later-{time.time_ns()}"))
    revision = int(second.api().get(MAPS)["metadata"]["resourceVersion"])
    subprocess.run(["curl", "-sf", second.env()["BED_ETCD"] + "/v3/kv/compaction", "-d",
                    json.dumps({"revision": revision, "physical": True})], check=True,
                   capture_output=True, timeout=10)
    second.stop("apiserver")
    second.start("apiserver")
    events = list(second.api().watch(MAPS, 5, f"&resourceVersion={old}&timeoutSeconds=2"))
    assert events[0]["type"] == "ERROR" and events[0]["object"]["code"] == 410


@pytest.mark.parametrize("component", ["apiservr", "kubelet", "kubelet/x", "etcd/0"])
def test_an_unknown_component_is_refused_with_the_known_ones(first, component):
    with pytest.raises(Fail, match="there are etcd, apiserver"):
        first.stop(component)
