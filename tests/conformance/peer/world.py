"""A bed for two operators in turn: the cases, one manager at a time, and what it made."""
import copy
import pathlib
import re
import time

import yaml
from support.cluster import Cluster, until
from support.operator_process import Operator

import compare

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OUR_CRDS = ROOT / "charts/slurm-operator-crds/crds"
CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
GROUP = "slinky.slurm.net"
CUSTOM = ("Controller", "Accounting", "RestApi", "NodeSet", "LoginSet", "Token")
MADE = ("ConfigMap", "Secret", "Service", "StatefulSet", "Deployment", "Pod", "ControllerRevision",
        "PodDisruptionBudget", "PersistentVolumeClaim", "ServiceMonitor")
BY_OTHERS = ("ReplicaSet", "StatefulSet")  # owners whose pods kube-controller-manager makes
STABLE = 5.0  # seconds without a change that mean: nothing more to come
CONTAINERS = {"Controller": ("slurmctld", "reconfigure", "logfile"), "Accounting": ("slurmdbd",),
              "RestApi": ("slurmrestd",), "NodeSet": ("slurmd", "logfile"),
              "LoginSet": ("login", "initconf"), "Token": ()}
MONITORS = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "servicemonitors.monitoring.coreos.com", "annotations": {
        "api-approved.kubernetes.io": "unapproved, for tests"}},
    "spec": {"group": "monitoring.coreos.com", "scope": "Namespaced", "names": {
        "kind": "ServiceMonitor", "plural": "servicemonitors", "singular": "servicemonitor",
        "listKind": "ServiceMonitorList"}, "versions": [{
            "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}}


# ---- cases

def with_namespaces(value, namespace):
    """References as releases up to 1.1 want them, which look nowhere without a namespace."""
    if isinstance(value, list):
        return [with_namespaces(item, namespace) for item in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, item in value.items():
        if key in ("controllerRef", "accountingRef"):
            item = {"namespace": namespace, **item}
        elif re.fullmatch(r"(configFile|\w+Script)Refs", key):
            item = [{"namespace": namespace, **one} for one in item]
        else:
            item = with_namespaces(item, namespace)
        found[key] = item
    return found


def with_images(one):
    """Images as the chart fills them in, where a case does not care."""
    for part in CONTAINERS.get(one["kind"], ()) if "spec" in one else ():
        one["spec"].setdefault(part, {}).setdefault("image", f"registry.example.org/{part}:25.11")
    return one


def cases(directory):
    """{namespace: [object]}: every file is a namespace; all of them have what common.yaml has."""
    common = list(yaml.safe_load_all((directory / "common.yaml").read_text()))
    found = {}
    for path in sorted(directory.glob("*.yaml")):
        if path.stem != "common":
            own = [with_images(with_namespaces(one, path.stem))
                   for one in yaml.safe_load_all(path.read_text())]
            found[path.stem] = copy.deepcopy(common) + own
    return found


def chosen_ports(value):
    """Every nodePort that a case asks for."""
    if isinstance(value, dict):
        mine = {value["nodePort"]} if "nodePort" in value else set()
        return mine.union(*map(chosen_ports, value.values()))
    return set().union(*map(chosen_ports, value)) if isinstance(value, list) else set()


def children(given, but=()):
    """(kind, namespace, name) of what every resource must become at least."""
    for namespace, objects in given.items():
        if namespace in but:
            continue
        for one in objects:
            name, spec = one["metadata"]["name"], one.get("spec", {})
            if one["kind"] in ("Controller", "Accounting") and not spec.get("external"):
                yield "StatefulSet", namespace, f"{name}-{one['kind'].lower()}"
            elif one["kind"] == "RestApi":
                yield "Deployment", namespace, f"{name}-restapi"
            elif one["kind"] == "LoginSet":
                yield "Deployment", namespace, name
            elif one["kind"] == "NodeSet" and "ordinalPadding" not in spec:
                yield from (("Pod", namespace, f"{name}-{at}") for at in range(spec["replicas"]))


# ---- the cluster

class World:
    def __init__(self, bed, directory):
        self.bed, self.directory = bed, directory
        self.cluster = Cluster.of(bed)
        self.replace_crd(MONITORS)

    def replace_crd(self, crd):
        """Puts a CRD in the place of another of that name, whoever wrote it."""
        path = f"{CRD}/{crd['metadata']['name']}"
        status, old = self.cluster.request("GET", path)
        if status == 404:
            self.cluster.must("POST", CRD, crd)
        else:
            crd["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"]
            self.cluster.must("PUT", path, crd)

    def install(self, directory):
        """The CRDs of a directory, served and settled."""
        crds = [yaml.safe_load(path.read_text()) for path in sorted(directory.glob("*.yaml"))]
        for crd in crds:
            self.replace_crd(crd)

        def missing():
            self.cluster.discover()
            lacking = [kind for kind in (*CUSTOM, "ServiceMonitor") if not self.is_served(kind)]
            return f"not served: {lacking}" if lacking else None

        time.sleep(2)  # the server reads a replaced schema a moment after it took it
        until("the CRDs", missing, 30)

    def is_served(self, kind):
        """Lists it: a kind that is known may have no storage yet."""
        home = next(iter(self.cluster.kinds.get(kind, [])), None)
        return home and self.cluster.request("GET", f"{home[1]}/{home[2]}")[0] == 200

    def create(self, given):
        for namespace, objects in given.items():
            self.cluster.namespace(namespace)
            for one in objects:
                self.cluster.must("POST", self.cluster.path(one, namespace, name=False), one)

    def wipe(self, given):
        """Deletes the namespaces with all that is in them."""
        for namespace in given:
            self.cluster.must("DELETE", f"/api/v1/namespaces/{namespace}")

        def left():
            names = [item["metadata"]["name"] for item in self.namespaces()]
            still = [name for name in given if name in names]
            return f"still there: {still}" if still else None

        until("the namespaces", left, 60)

    def namespaces(self):
        return self.cluster.must("GET", "/api/v1/namespaces")["items"]

    def everything(self, kinds=MADE + CUSTOM):
        """Every object of these kinds, of all namespaces."""
        for kind in kinds:
            home = next(h for h in self.cluster.kinds[kind] if h[0] in (
                "", "apps", "policy", "monitoring.coreos.com", GROUP))
            version = home[1].removeprefix("/apis/").removeprefix("/api/")
            for item in self.cluster.must("GET", f"{home[1]}/{home[2]}")["items"]:
                yield {"apiVersion": version, "kind": kind, **item}

    def await_children(self, given, but, seconds):
        """Waits for the main object of every resource."""
        wanted = set(children(given, but))

        def lacking():
            there = {(one["kind"], one["metadata"]["namespace"], one["metadata"]["name"])
                     for one in self.everything(["StatefulSet", "Deployment", "Pod"])}
            return f"not made: {sorted(wanted - there)}" if wanted - there else None

        until("the operator's objects", lacking, seconds, 0.25)

    def settled(self, given, seconds, but=()):
        """Waits until all is there, but for some namespaces, and nothing changed for a while."""
        self.await_children(given, but, seconds)
        last, since = None, time.monotonic()
        end = since + seconds
        while time.monotonic() - since < STABLE:
            now = {one["metadata"]["uid"]: one["metadata"]["resourceVersion"]
                   for one in self.everything()}
            if now != last:
                last, since = now, time.monotonic()
            assert time.monotonic() < end, f"still changing after {seconds} s"
            time.sleep(0.5)

    def made(self, given):
        """{(kind, namespace/name): object} of all that the operator made or wrote."""
        known = {(one["kind"], namespace, one["metadata"]["name"])
                 for namespace, objects in given.items() for one in objects
                 if one["kind"] not in CUSTOM}
        ports = chosen_ports(list(given.values()))
        found = {}
        for one in self.everything():
            meta = one["metadata"]
            where = (one["kind"], meta.get("namespace"), meta["name"])
            if where[1] not in given or where in known or is_by_others(one):
                continue
            if one["kind"] in CUSTOM:
                one = {key: one[key] for key in ("apiVersion", "kind", "metadata", "status")
                       if key in one}
            one = compare.settle(one, ports)
            found[one["kind"], f"{where[1]}/{name_of(one)}"] = one
        return found


def is_by_others(one):
    owners = {owner["kind"] for owner in one["metadata"].get("ownerReferences", [])}
    if one["kind"] == "ConfigMap" and one["metadata"]["name"] == "kube-root-ca.crt":
        return True
    if one["kind"] == "PersistentVolumeClaim":
        return one["metadata"]["name"].startswith("statesave-")
    return bool(owners.intersection(BY_OTHERS)) or (
        one["kind"] == "ControllerRevision" and "NodeSet" not in owners)


def name_of(one):
    """A revision is named by a hash of what it holds; its NodeSet and number say which it is."""
    meta = one["metadata"]
    if one["kind"] != "ControllerRevision":
        return meta["name"]
    return f"{meta['ownerReferences'][0]['name']}@{one['revision']}"


# ---- operators

def manager_of_peer(peer, kubeconfig, log, prefix=()):
    argv = [str(peer.program), "--kubeconfig", "$KUBECONFIG", "--health-addr", "$HEALTH",
            "--metrics-addr", "$METRICS"]
    return Operator(argv, kubeconfig, log, {"KUBECONFIG": kubeconfig}, prefix)


def manager_of_ours(program, kubeconfig, log, prefix=()):
    argv = [str(program), "manager", "--kubeconfig", "$KUBECONFIG", "--health-addr", "$HEALTH",
            "--metrics-addr", "$METRICS", "--loginset-workers", "4"]
    return Operator(argv, kubeconfig, log, prefix=prefix)
