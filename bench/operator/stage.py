"""A control plane, the world around it, an operator on it, and meters for what the operator spends."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import time

import yaml
from support.cluster import Cluster, until
from support.operator_process import Operator
from world import NAMESPACE, World

USER = "operator"
# Without a scheduler and without kubelets that renew their leases; the fewer others write, the better.
CONTROLLERS = ("garbage-collector-controller,statefulset-controller,deployment-controller,replicaset-controller,"
               "serviceaccount-controller,namespace-controller,root-ca-certificate-publisher-controller")
SPARE_NODES = 8
READS = ("get", "list", "watch")


def node(number):
    """A Node as large as real ones: images, conditions, a place in the topology."""
    then = "2026-01-01T00:00:00Z"
    capacity = {"cpu": "64", "memory": "512Gi", "pods": "110", "example.com/gpu": "8"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {
        "name": f"node-{number}", "labels": {"kubernetes.io/hostname": f"node-{number}", "kubernetes.io/os": "linux"},
        "annotations": {"topology.slinky.slurm.net/spec": f"switches:s{number // 16}"}}, "status": {
            "capacity": capacity, "allocatable": capacity,
            "conditions": [{"type": kind, "status": state, "reason": "Kubelet", "message": "kubelet is fine",
                            "lastHeartbeatTime": then, "lastTransitionTime": then}
                           for kind, state in (("MemoryPressure", "False"), ("DiskPressure", "False"),
                                               ("PIDPressure", "False"), ("Ready", "True"))],
            "images": [{"names": [f"example.com/image-{i}@sha256:{'0' * 64}"], "sizeBytes": 1 << 27}
                       for i in range(10)]}}


class Stage:
    def __init__(self, bed, workers, directory):
        self.bed, self.directory, self.operator = bed, directory, None
        bed.up(controller_manager_args=[f"--controllers={CONTROLLERS}"])
        bed.stop("scheduler")
        self.cluster = Cluster.of(bed)
        self.audit_at = 0
        self.let_in()
        number = os.getpid()
        self.address = f"127.{64 + number % 64}.{number // 64 % 256}.1"
        pathlib.Path(directory, "resolv.conf").write_text(f"nameserver {self.address}\n")
        nodes = [f"node-{i}" for i in range(workers + SPARE_NODES)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda i: self.cluster.must("POST", "/api/v1/nodes", node(i)), range(len(nodes))))
        self.world = World(bed, self.address, nodes)

    def let_in(self):
        """A user of its own, so that the audit log tells who asked."""
        from bedlib.control import pki_of
        pki = pki_of(self.bed.place)
        pki.certificate(USER, f"/CN={USER}")
        self.kubeconfig = f"{self.directory}/operator.kubeconfig"
        pki.kubeconfig(self.kubeconfig, USER, f"https://{self.bed.place.control_ip}:6443")
        self.cluster.must("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
            "metadata": {"name": USER}, "subjects": [{"kind": "User", "name": USER}],
            "roleRef": {"kind": "ClusterRole", "name": "cluster-admin"}})
        self.cluster.namespace(NAMESPACE)

    def install(self, crds):
        for path in sorted(pathlib.Path(crds).glob("*.yaml")):
            for document in filter(None, yaml.safe_load_all(path.read_text())):
                self.cluster.apply(document, None)
        until("the kinds to be served", lambda: self.cluster.discover() or (
            None if "NodeSet" in self.cluster.kinds else "no NodeSet yet"))

    def start(self, argv):
        """Starts the operator so that it finds the Slurm of the world by name."""
        bind = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
        self.operator = self.operator or Operator(
            ["unshare", "--mount", "sh", "-c", bind, f"{self.directory}/resolv.conf", *argv], self.kubeconfig,
            f"{self.directory}/operator.log")
        return self.operator.start()

    def stop(self):
        if self.operator:
            self.operator.stop(60)

    def close(self):
        if self.operator:
            self.operator.kill()
        self.world.stop()

    def settle(self, seconds=60):
        """Waits for five seconds in which the operator used less than 3 % of a core."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            used = self.cpu()
            time.sleep(5)
            if self.cpu() - used < 0.15:
                return

    # ---- what the kernel and the API server say

    def proc(self, file):
        return pathlib.Path(f"/proc/{self.operator.pid}/{file}").read_text()

    def cpu(self):
        fields = self.proc("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident memory now, and the most there was, in MiB."""
        found = {key: int(size) / 1024 for key, size in re.findall(r"(VmRSS|VmHWM):\s*(\d+) kB", self.proc("status"))}
        return found["VmRSS"], found["VmHWM"]

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.operator.pid}/clear_refs").write_text("5")

    def audit(self):
        """What the operator asked since the last time: {"verb resource": count}."""
        time.sleep(0.5)  # the log is written behind the answers
        with open(self.bed.audit_log, "rb") as log:
            log.seek(self.audit_at)
            text = log.read()
        text = text[:text.rfind(b"\n") + 1]
        self.audit_at += len(text)
        found = collections.Counter()
        for line in text.splitlines():
            if b'"username":"operator"' not in line:
                continue
            event = json.loads(line)
            begins = "ResponseStarted" if event["verb"] == "watch" else "ResponseComplete"
            if event["stage"] == begins:
                found[name_of(event)] += 1
        return found

    def binary_size(self, program):
        stripped = f"{self.directory}/stripped"
        subprocess.run(["strip", "-o", stripped, program], check=True)
        return os.path.getsize(stripped)


def name_of(event):
    ref = event.get("objectRef") or {}
    what = ref.get("resource", event["requestURI"].partition("?")[0])
    if "subresource" in ref:
        what += "/" + ref["subresource"]
    code = event.get("responseStatus", {}).get("code", 0)
    return f"{event['verb']} {what}" + (f" !{code}" if code >= 400 else "")


class Meter:
    """What is spent between its making and done()."""

    def __init__(self, stage):
        self.stage = stage
        stage.audit()
        stage.world.ask("calls")
        self.began, self.cpu = time.monotonic(), stage.cpu()

    def done(self):
        wall, cpu = time.monotonic() - self.began, self.stage.cpu() - self.cpu
        api = self.stage.audit()
        return {"wall_s": wall, "cpu_s": cpu, "api": dict(api.most_common()), "api_calls": api.total(),
                "writes": sum(n for name, n in api.items() if name.split()[0] not in READS),
                **self.stage.world.ask("calls"), "peak_mib": self.stage.memory()[1]}
