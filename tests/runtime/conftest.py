"""Beds, identities and operators for the tests of the runtime: the sample operator on a real API server."""
import itertools
import json
import os
import pathlib
import subprocess
import sys

import pytest
import yaml

TESTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path[:0] = [str(TESTS), str(ROOT / "tools")]

from bedlib import Bed  # noqa: E402
from support.cluster import Cluster, until  # noqa: E402
from support.faultproxy import FaultProxy  # noqa: E402
from support.operator_process import Operator  # noqa: E402

NUMBERS = itertools.count(1)
BUILD = ROOT / os.environ.get("BUILD", "build-asan")
SAMPLE = [str(BUILD / "tests/sample/sample"), "--kubeconfig", "$KUBECONFIG", "--health-addr", "$HEALTH",
          "--metrics-addr", "$METRICS", "--log-level", "debug"]


def pytest_collection_modifyitems(items):
    if os.geteuid() != 0:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="a bed needs root: use sudo"))


def brought_up(word, **options):
    """A bed of this run, or one that is up already: RUNTIME_BED=NAME keeps NAME and NAME-paged."""
    kept = os.environ.get("RUNTIME_BED")
    bed = Bed(f"{kept}{word}" if kept else f"runtime-{os.getpid()}{word}")
    try:
        bed.up(**options)
        with open(ROOT / "tests/sample/crd.yaml") as text:
            Cluster.of(bed).apply(yaml.safe_load(text), None)
        yield bed
    finally:
        if not kept:
            bed.down()


@pytest.fixture(scope="session")
def bed():
    """Two API servers on one etcd, so that things can happen while one of them is down."""
    yield from brought_up("", second_apiserver=True)


@pytest.fixture(scope="session")
def paged_bed():
    """A server as it was before streaming lists."""
    yield from brought_up("-paged", feature_gates=["WatchList=false"])


@pytest.fixture(scope="session")
def cluster(bed):
    found = Cluster.of(bed)
    until("the CRD", lambda: found.discover() or (None if "Greeting" in found.kinds else "no"))
    return found


@pytest.fixture
def namespace(cluster, request):
    """A fresh one; taken away in the background, which also tries the finalizers."""
    name = f"r{os.getpid()}-{next(NUMBERS)}-" + request.node.name.replace("_", "-").lower()[:40].rstrip("-[].")
    cluster.namespace(name)
    yield name
    for greeting in cluster.list({"kind": "Greeting"}, name):
        cluster.patch({"kind": "Greeting", "metadata": {
            "name": greeting["metadata"]["name"], "finalizers": None}}, name)
    cluster.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture
def proxy(bed, tmp_path):
    started = FaultProxy(bed, str(tmp_path))
    yield started
    started.stop()


@pytest.fixture
def start(bed, tmp_path):
    """start(*options, kubeconfig=...): a sample operator that is ended with the test."""
    running = []

    def begin(*options, kubeconfig=None, env=None, ready=20.0, prefix=()):
        log = str(tmp_path / f"operator-{len(running)}.log")
        operator = Operator([*SAMPLE, *options], str(kubeconfig or bed.kubeconfig), log, env, prefix)
        running.append(operator)
        operator.start(ready)
        return operator

    yield begin
    for operator in running:
        if operator.child:
            operator.stop()
        operator.check()


# ---- what the tests say

class Greetings:
    """Greetings in a namespace, and what became of them."""

    def __init__(self, cluster, namespace):
        self.cluster, self.namespace = cluster, namespace

    def say(self, name, **spec):
        return self.cluster.apply({"kind": "Greeting", "metadata": {"name": name},
                                   "spec": {"text": "hello", **spec}}, self.namespace)

    def copy(self, name):
        return self.cluster.get({"kind": "ConfigMap", "metadata": {"name": name}}, self.namespace)

    def heard(self, name, seconds=15.0, **data):
        """Waits until the copy is there and says this."""
        def lacking():
            found = self.copy(name)
            if found is None:
                return f"no ConfigMap {name}"
            said = {key: found.get("data", {}).get(key) for key in data}
            return None if said == data else f"{name} says {said}"

        until(f"ConfigMap {name}", lacking, seconds)


@pytest.fixture
def greetings(cluster, namespace):
    return Greetings(cluster, namespace)


class Account:
    """A service account, with all rights unless said otherwise, its token in a file, and a kubeconfig that uses it."""

    def __init__(self, bed, cluster, directory, name, role):
        self.cluster, self.name, self.directory = cluster, name, directory
        self.username = f"system:serviceaccount:default:{name}"
        cluster.apply({"kind": "ServiceAccount", "metadata": {"name": name}}, "default")
        if role:
            self.may(role)
        self.token_file = directory / f"{name}.token"
        self.kubeconfig = directory / f"{name}.yaml"
        self.kubeconfig.write_text(json.dumps({
            "current-context": "c", "contexts": [{"name": "c", "context": {
                "cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {
                "server": f"https://{bed.place.control_ip}:6443",
                "certificate-authority": f"{bed.dir}/pki/ca.crt"}}],
            "users": [{"name": "u", "user": {"tokenFile": self.token_file.name}}]}))
        self.use_new_token("first")

    def may(self, role):
        """Binds a cluster role to it."""
        self.cluster.apply({"kind": "ClusterRoleBinding",
                            "metadata": {"name": f"runtime-{self.name}-{role}"},
                            "roleRef": {"apiGroup": "rbac.authorization.k8s.io",
                                        "kind": "ClusterRole", "name": role},
                            "subjects": [{"kind": "ServiceAccount", "name": self.name,
                                          "namespace": "default"}]}, None)

    def use_new_token(self, secret):
        """A token that lives as long as the Secret it is bound to; the file is replaced whole."""
        secret = f"{self.name}-{secret}"
        self.cluster.apply({"kind": "Secret", "metadata": {"name": secret}}, "default")
        bound = self.cluster.get({"kind": "Secret", "metadata": {"name": secret}}, "default")
        answer = self.cluster.must(
            "POST", f"/api/v1/namespaces/default/serviceaccounts/{self.name}/token",
            {"spec": {"boundObjectRef": {"apiVersion": "v1", "kind": "Secret", "name": secret,
                                         "uid": bound["metadata"]["uid"]}}})
        part = self.token_file.with_suffix(".part")
        part.write_text(answer["status"]["token"])
        part.replace(self.token_file)

    def revoke(self, secret):
        self.cluster.delete({"kind": "Secret", "metadata": {"name": f"{self.name}-{secret}"}}, "default")


@pytest.fixture
def account(bed, cluster, tmp_path):
    return lambda name, role="cluster-admin": Account(bed, cluster, tmp_path,
                                                         f"{name}-{os.getpid()}", role)


def audit(bed, username, after=0.0):
    """What a user did, from the audit log: (time, verb, resource, object, code)."""
    from datetime import datetime
    with open(bed.audit_log) as log:
        for line in log:
            event = json.loads(line)
            if event["user"].get("username") != username:
                continue
            at = datetime.fromisoformat(event["requestReceivedTimestamp"]).timestamp()
            about = event.get("objectRef", {})
            if at > after:
                yield (at, event["verb"], about.get("resource"), about.get("name"),
                       event.get("responseStatus", {}).get("code"))


def in_bed(bed, *argv, check=True):
    """Runs a command in the network namespace of the control plane."""
    return subprocess.run(["nsenter", f"--net=/run/netns/{bed.place.netns}", "--", *argv], check=check,
                          capture_output=True, text=True, timeout=20)
