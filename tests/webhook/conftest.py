"""A real API server that asks our webhook: as a Service with the certificates that it makes itself."""
import itertools
import json
import os
import pathlib
import sys
import time

import pytest
import yaml

TESTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path[:0] = [str(TESTS), str(ROOT / "tools")]

from bedlib import Bed  # noqa: E402
from support.cluster import MERGE, Cluster, until  # noqa: E402
from support.operator_process import Operator, free_port  # noqa: E402

HOME = "windlass-system"
NAME = "slurm-operator-webhook"
GROUP = "/apis/slinky.slurm.net"
PLURALS = ("accountings", "controllers", "loginsets", "nodesets", "restapis", "tokens")
CRDS = ROOT / "charts" / "slurm-operator-crds" / "crds"
CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
HOOK_PATH = "/apis/admissionregistration.k8s.io/v1"
# What `windlass webhook --self-managed-certs` needs, and nothing else.
RULES = [
    {"apiGroups": [""], "resources": ["configmaps", "persistentvolumeclaims"], "verbs": ["get"]},
    {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "watch"]},
    {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch", "patch"]},
    {"apiGroups": ["admissionregistration.k8s.io"], "resourceNames": [NAME],
     "resources": ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"],
     "verbs": ["get", "list", "watch", "patch"]},
    {"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"],
     "resourceNames": [f"{plural}.slinky.slurm.net" for plural in PLURALS],
     "verbs": ["get", "list", "watch", "patch"]},
    {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create"]},
    {"apiGroups": [""], "resources": ["secrets"], "resourceNames": [f"{NAME}-certs"],
     "verbs": ["get", "list", "watch", "update"]},
]


def pytest_addoption(parser):
    parser.addoption("--bed", default=os.environ.get("WEBHOOK_BED"), metavar="NAME",
                     help="a bed that is up and stays up, instead of one of our own")
    parser.addoption("--program", default=os.environ.get("WINDLASS"), metavar="FILE",
                     help="the program under test")
    parser.addoption("--soak", default=60, type=int, metavar="SECONDS",
                     help="how long certificates are renewed under load")


def pytest_collection_modifyitems(items):
    if os.geteuid() != 0:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="a bed needs root: use sudo"))


@pytest.fixture(scope="session")
def bed(request):
    name = request.config.getoption("--bed")
    bed = Bed(name or f"webhook-{os.getpid()}")
    try:
        bed.up()
        yield bed
    finally:
        if not name:
            bed.down()


@pytest.fixture(scope="session")
def cluster(bed):
    cluster = Cluster.of(bed)
    cluster.namespace(HOME)
    return cluster


def without_cel(schema):
    """The schema without its CEL rules, so that only the webhook can refuse what they do."""
    if isinstance(schema, list):
        return [without_cel(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: without_cel(value) for key, value in schema.items()
            if key != "x-kubernetes-validations"}


def crds():
    """Our CRDs with both versions served and no rules of their own."""
    for path in sorted(CRDS.glob("*.yaml")):
        crd = without_cel(yaml.safe_load(path.read_text()))
        for version in crd["spec"]["versions"]:
            version["served"] = True
        yield crd


def install(cluster, crd):
    cluster.must("PATCH", f"{CRD_PATH}/{crd['metadata']['name']}?fieldManager=test&force=true", crd,
                 "application/apply-patch+yaml")


@pytest.fixture(scope="session")
def kinds(cluster):
    for crd in crds():
        install(cluster, crd)
        cluster.must("PATCH", f"{CRD_PATH}/{crd['metadata']['name']}",
                     {"spec": {"conversion": {"strategy": "None", "webhook": None}}}, MERGE)
    until("kinds are served", lambda: next(
        (p for p in PLURALS for v in ("v1alpha1", "v1beta1")
         if cluster.request("GET", f"{GROUP}/{v}/{p}")[0] != 200), None), 30)


@pytest.fixture(scope="session")
def kubeconfig(bed, cluster, tmp_path_factory):
    """Someone who may do what the webhook needs."""
    def put(path, body):
        status, answer = cluster.request("POST", path, body)
        assert status < 300 or status == 409, answer
        return answer

    rbac = "/apis/rbac.authorization.k8s.io/v1"
    put(f"/api/v1/namespaces/{HOME}/serviceaccounts", {"metadata": {"name": NAME}})
    put(f"{rbac}/clusterroles", {"metadata": {"name": NAME}, "rules": RULES})
    put(f"{rbac}/clusterrolebindings", {
        "metadata": {"name": NAME},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": NAME},
        "subjects": [{"kind": "ServiceAccount", "name": NAME, "namespace": HOME}]})
    token = put(f"/api/v1/namespaces/{HOME}/serviceaccounts/{NAME}/token",
                {"spec": {"expirationSeconds": 7200}})["status"]["token"]
    config = yaml.safe_load(pathlib.Path(bed.kubeconfig).read_text())
    config["users"][0]["user"] = {"token": token}
    path = tmp_path_factory.mktemp("kube") / "config"
    path.write_text(json.dumps(config))
    return str(path)


def entries(cluster, kinds_of=PLURALS):
    """The validating configuration as the chart makes it, without a caBundle."""
    hooks = [{"name": f"{plural[:-1]}-v1beta1.kb.io", "sideEffects": "None", "timeoutSeconds": 10,
              "admissionReviewVersions": ["v1beta1"], "failurePolicy": "Fail",
              "clientConfig": {"service": {"name": NAME, "namespace": HOME, "port": 443, "path":
                               f"/validate-slinky-slurm-net-v1beta1-{plural[:-1]}"}},
              "rules": [{"apiGroups": ["slinky.slurm.net"], "apiVersions": ["v1beta1"],
                         "operations": ["CREATE", "UPDATE"], "resources": [plural]}]}
             for plural in kinds_of]
    cluster.request("DELETE", f"{HOOK_PATH}/validatingwebhookconfigurations/{NAME}")
    cluster.must("POST", f"{HOOK_PATH}/validatingwebhookconfigurations",
                 {"apiVersion": "admissionregistration.k8s.io/v1",
                  "kind": "ValidatingWebhookConfiguration", "metadata": {"name": NAME},
                  "webhooks": hooks})


class Replicas:
    """Our webhook as a Service without a selector; each replica has an EndpointSlice of its own."""

    def __init__(self, bed, cluster, program, kubeconfig, directory):
        self.bed, self.cluster, self.program = bed, cluster, program
        self.kubeconfig, self.directory = kubeconfig, directory
        self.numbers, self.running = itertools.count(), {}
        cluster.request("POST", f"/api/v1/namespaces/{HOME}/services", {
            "metadata": {"name": NAME}, "spec": {"ports": [{"name": "https", "port": 443}]}})

    def start(self, *flags, ready=20.0):
        number = next(self.numbers)
        port = free_port()
        replica = Operator(
            [self.program, "webhook", "--kubeconfig", "$KUBECONFIG", "--health-addr", "$HEALTH",
             "--metrics-addr", "$METRICS", "--server-addr", f":{port}", "--self-managed-certs",
             "--namespace", HOME, "--cert-names", self.bed.machine_ip, "--shutdown-delay", "2s",
             *flags], self.kubeconfig, self.directory / f"replica-{number}.log")
        replica.port, replica.number = port, number
        self.running[number] = replica
        replica.took = replica.start(ready)
        self.publish(replica)
        return replica

    def slice_path(self, replica):
        where = f"/apis/discovery.k8s.io/v1/namespaces/{HOME}/endpointslices"
        return where, f"{where}/{NAME}-{os.getpid()}-{replica.number}"

    def publish(self, replica):
        where, path = self.slice_path(replica)
        self.cluster.must("POST", where, {
            "metadata": {"name": path.rsplit("/", 1)[1],
                         "labels": {"kubernetes.io/service-name": NAME}},
            "addressType": "IPv4", "ports": [{"name": "https", "port": replica.port}],
            "endpoints": [{"addresses": [self.bed.machine_ip], "conditions": {"ready": True}}]})

    def hide(self, replica):
        self.cluster.request("DELETE", self.slice_path(replica)[1])

    def stop(self, replica):
        """As a Deployment does: asked to end, and no endpoint any more a moment later."""
        del self.running[replica.number]
        replica.signal(15)
        until("it says that it is leaving", lambda: None if not replica.is_ready() else "ready", 2)
        self.hide(replica)
        assert replica.wait(20) == 0, replica.tail()
        replica.check()

    def roll(self, *flags):
        """As a Deployment does: for each replica a new one, and then without the old."""
        for old in list(self.running.values()):
            time.sleep(1)
            self.start(*flags)
            self.stop(old)

    def stop_all(self):
        for replica in list(self.running.values()):
            self.stop(replica)


def forget_certificates(cluster):
    cluster.request("DELETE", f"/api/v1/namespaces/{HOME}/secrets/{NAME}-certs")


@pytest.fixture(scope="session")
def soak(request):
    return request.config.getoption("--soak")


@pytest.fixture(scope="session")
def program(request):
    named = request.config.getoption("--program")
    return named or str(ROOT / os.environ.get("BUILD", "build-asan") / "cmd" / "windlass")


@pytest.fixture(scope="session")
def replicas(bed, cluster, kinds, program, kubeconfig, tmp_path_factory):
    """Nothing runs yet."""
    cluster.request("DELETE", f"{HOOK_PATH}/validatingwebhookconfigurations/{NAME}")
    cluster.request("DELETE", f"{HOOK_PATH}/mutatingwebhookconfigurations/{NAME}")
    replicas = Replicas(bed, cluster, program, kubeconfig, tmp_path_factory.mktemp("replicas"))
    yield replicas
    replicas.stop_all()
    cluster.request("DELETE", f"{HOOK_PATH}/validatingwebhookconfigurations/{NAME}")


def is_asked(cluster):
    """Until a bad NodeSet is refused by the webhook, which means that it is trusted and reached."""
    def check():
        status, answer = create(cluster, "NodeSet", {"controllerRef": {"name": ""}},
                                dry_run=True)
        return None if status == 403 else f"{status}: {answer}"
    until("the webhook is asked", check, 30)


@pytest.fixture(scope="session")
def webhook(cluster, replicas):
    """One replica that the API server asks."""
    forget_certificates(cluster)
    entries(cluster)
    replica = replicas.start()
    is_asked(cluster)
    yield replica
    if replica.number in replicas.running:
        replicas.stop(replica)


names = itertools.count()


def create(cluster, kind, spec, name=None, version="v1beta1", dry_run=False, namespace="default"):
    """(status, answer) of a create; objects have names of their own."""
    where = f"{GROUP}/{version}/namespaces/{namespace}/{kind.lower()}s"
    thing = {"apiVersion": f"slinky.slurm.net/{version}", "kind": kind, "spec": spec,
             "metadata": {"name": name or f"w{os.getpid()}-{next(names)}"}}
    return cluster.request("POST", where + ("?dryRun=All" if dry_run else ""), thing)


def update(cluster, thing):
    version = thing["apiVersion"].split("/")[1]
    meta = thing["metadata"]
    return cluster.request("PUT", f"{GROUP}/{version}/namespaces/{meta['namespace']}/"
                                  f"{thing['kind'].lower()}s/{meta['name']}", thing)
