"""Real nodes: pods run, keep volumes, reach the machine and survive a power cut."""
import json
import os
import socket
import subprocess

import pytest

from bedlib import Fail, image
from bedlib.common import wait_for

HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope="session")
def hello(first, tmp_path_factory):
    """An image that holds one static program."""
    root = tmp_path_factory.mktemp("hello")
    subprocess.run(["gcc", "-static", "-Os", f"{HERE}/hello.c", "-o", root / "hello"], check=True)
    first.image("localhost/hello:1", str(root), {"Entrypoint": ["/hello"]})
    return root


def pod(name, args=(), **spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"restartPolicy": "Never", "terminationGracePeriodSeconds": 0, "containers": [
                {"name": "main", "image": "localhost/hello:1", "args": list(args), **spec}]}}


def run_pod(bed, wanted):
    name = wanted["metadata"]["name"]
    bed.api().create("/api/v1/namespaces/default/pods", wanted)

    def ended():
        seen = bed.api().get(f"/api/v1/namespaces/default/pods/{name}")
        return seen["status"]["phase"] in ("Succeeded", "Failed") and seen["status"]["phase"]

    assert wait_for(f"pod {name} to end", ended, 30, bed.log("kubelet-n0")) == "Succeeded"
    return bed.kubectl("logs", name)


def test_a_pod_says_hello(first, hello):
    assert run_pod(first, pod("greeter")) == "hello from a pod\n"


def test_a_pod_reaches_a_program_on_the_machine(first, hello):
    with socket.create_server((first.machine_ip, 0)) as server:
        server.settimeout(30)
        port = server.getsockname()[1]
        run_pod(first, pod("caller", [first.machine_ip, str(port)]))
        peer, address = server.accept()
        with peer:
            assert peer.recv(16) == b"hello"
    assert address[0].startswith(first.place.address(32).rpartition(".")[0])


def test_an_image_archive_is_taken_under_another_name(first, hello):
    archive = image.archive_path(first.place, "localhost/hello:1")
    first.image("hello-again:2", archive)
    wanted = pod("again", image="hello-again:2")
    assert run_pod(first, wanted) == "hello from a pod\n"


def test_a_claim_gets_a_directory_that_goes_with_it(first):
    claims = "/api/v1/namespaces/default/persistentvolumeclaims"
    first.api().create(claims, {
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}})
    name = wait_for("a volume", lambda: first.api().get(f"{claims}/data")["spec"].get("volumeName"),
                    10, first.log("provisioner"))
    directory = first.place.path("pv", name)
    assert os.path.isdir(directory)
    wait_for("the claim to be bound",
             lambda: first.api().get(f"{claims}/data")["status"]["phase"] == "Bound", 10)
    first.api().request("DELETE", f"{claims}/data")
    wait_for("the directory to go", lambda: not os.path.exists(directory), 20,
             first.log("provisioner"))


def test_a_node_returns_after_a_power_cut(first, hello):
    first.rmnode(0)
    assert first.api().get("/api/v1/nodes/n0"), "the Node object stays"
    first.node(0)
    assert run_pod(first, pod("after-the-cut")) == "hello from a pod\n"


def test_a_node_that_is_up_is_not_joined_twice(first):
    with pytest.raises(Fail, match="node n0 is up already"):
        first.node(0)


@pytest.mark.parametrize("given, full", [
    ("web", "docker.io/library/web:latest"),
    ("web:1", "docker.io/library/web:1"),
    ("me/web:1", "docker.io/me/web:1"),
    ("localhost/web", "localhost/web:latest"),
    ("reg.example:5000/a/web:2", "reg.example:5000/a/web:2"),
    ("a.example/web@sha256:00", "a.example/web@sha256:00"),
])
def test_image_names_mean_what_they_mean_in_a_pod(given, full):
    assert image.full_name(given) == full


def test_the_node_reports_itself(first):
    nodes = json.loads(first.kubectl("get", "nodes", "-o", "json"))["items"]
    assert nodes[0]["metadata"]["name"] == "n0"
    assert nodes[0]["status"]["nodeInfo"]["kubeletVersion"] == \
        first.api().get("/version")["gitVersion"]
