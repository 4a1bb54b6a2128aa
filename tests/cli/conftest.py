"""One bed with a real node, our images, and a small Slurm cluster: what the verbs of the program are tried on."""
import json
import os
import pathlib
import subprocess
import sys
import time

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("WINDLASS_BUILD", "build")
sys.path[:0] = [str(ROOT / "tools")]

from bedlib import Bed, rootfs  # noqa: E402
from bedlib import node as nodes  # noqa: E402

PREFIX = "localhost/windlass"
NAMESPACE = "hpc"
SET = "cpu"
KEY = "of a bed, and no secret ".ljust(1024, "7")  # the same for a bed that stays up
SECOND = {"periodSeconds": 1, "failureThreshold": 120}


def wait_for(what, question, seconds=60, every=0.3):
    """The first answer that is true."""
    end = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < end, f"waited {seconds} s for {what}; last answer: {answer!r}"
        time.sleep(every)
    return answer


def run(*command, timeout=600):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True,
                          timeout=timeout, check=False)
    assert done.returncode == 0, f"{command}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def pytest_collection_modifyitems(items):
    if os.geteuid() != 0:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="a bed needs root: use sudo"))


@pytest.fixture(scope="session")
def program():
    """The one under the sanitizers where there is one; what runs in pods is the one that users get."""
    checked = ROOT / os.environ.get("BUILD", "build-asan") / "cmd" / "windlass"
    return os.environ.get("WINDLASS") or str(checked if checked.exists() else BUILD / "cmd" / "windlass")


@pytest.fixture(scope="session")
def bed():
    """CLI_BED=NAME uses a bed that stays up."""
    kept = os.environ.get("CLI_BED")
    if not (BUILD / "cmd" / "windlass").exists():
        run("make", f"BUILD={BUILD}", timeout=1200)
    archives = dict(line.split() for line in
                    run(ROOT / "images/build", "--build", BUILD).splitlines())
    bed = Bed(kept or f"cli-{os.getpid()}")
    try:
        bed.up()
        if not nodes.init_pid(bed.place, 0):
            bed.node(0)
        loaded = set()
        for name, archive in archives.items():
            if archive not in loaded:
                bed.image(name, archive)
                loaded.add(archive)
        yield bed
    finally:
        if not kept:
            bed.down()


class Answer:
    """What a run of the program said."""

    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"exit status {self.code}\n{self.out[-3000:]}\n{self.err[-3000:]}"


@pytest.fixture(scope="session")
def windlass(bed, program):
    def call(*words, code=0, timeout=150, **env):
        answer = Answer(subprocess.run(
            [program, *map(str, words)], capture_output=True, text=True, timeout=timeout,
            check=False, env={**os.environ, "KUBECONFIG": bed.kubeconfig, **env}))
        assert code is None or answer.code == code, answer
        return answer
    return call


@pytest.fixture(scope="session")
def installed(windlass):
    return windlass("install")


def manifests():
    version = rootfs.ensure().slurm_version

    def image(role, **more):
        return {"image": f"{PREFIX}/{role}:{version}", **more}

    def thing(kind, name, spec):
        return {"apiVersion": "slinky.slurm.net/v1beta1", "kind": kind,
                "metadata": {"name": name, "namespace": NAMESPACE}, "spec": spec}

    with open("/proc/mounts") as mounts:
        v2 = any(line.split()[1:3] == ["/sys/fs/cgroup", "cgroup2"] for line in mounts)
    keys = {"slurmKeyRef": {"name": "keys", "key": "slurm.key"},
            "jwtKeyRef": {"name": "keys", "key": "jwt.key"}}
    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    yield {"apiVersion": "v1", "kind": "Secret",
           "metadata": {"name": "keys", "namespace": NAMESPACE},
           "stringData": {"slurm.key": KEY, "jwt.key": KEY}}
    yield {"apiVersion": "v1", "kind": "ConfigMap",
           "metadata": {"name": "extra", "namespace": NAMESPACE},
           "data": {"cgroup.conf": f"CgroupPlugin=cgroup/v{2 if v2 else 1}\nIgnoreSystemd=yes\n"}}
    yield thing("Controller", "slurm", {
        **keys, "slurmctld": image("slurmctld", startupProbe=SECOND),
        "reconfigure": image("slurmctld"), "logfile": image("slurmctld"),
        "configFileRefs": [{"name": "extra"}],
        "extraConf": "PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED\n"})
    yield thing("RestApi", "slurm", {"controllerRef": {"name": "slurm"},
                                     "slurmrestd": image("slurmrestd", startupProbe=SECOND)})
    yield thing("NodeSet", SET, {
        "controllerRef": {"name": "slurm"}, "replicas": 2, "oversubscribeNode": True,
        "slurmd": image("slurmd", startupProbe={**SECOND, "failureThreshold": 30}), "logfile": image("slurmd"),
        "template": {"spec": {"hostname": "node-"}}})


class Cluster:
    """A controller, a REST API and two workers on one node."""

    def __init__(self, bed, windlass):
        self.bed, self.windlass = bed, windlass

    def nodes(self):
        """Every node by its name in Slurm, as `windlass status` tells."""
        found = self.windlass("status", "-n", NAMESPACE, "-o", "json").json()["clusters"]
        return {node["name"]: node for cluster in found for nodes in cluster["nodeSets"]
                for node in nodes["nodes"]}

    def wait_idle(self, count, seconds=180):
        return wait_for(f"{count} idle nodes", lambda: [
            (node["busy"], node["drain"], node["down"]) for node in self.nodes().values()] ==
            [(False, False, False)] * count, seconds)

    def inside(self, *command, timeout=60):
        return self.bed.kubectl("-n", NAMESPACE, "exec", "slurm-controller-0", "-c", "slurmctld",
                                "--", *command, timeout=timeout)

    def reason(self, node):
        told = self.inside("scontrol", "show", "node", node)
        return next((line.strip() for line in told.splitlines() if "Reason=" in line), "")


@pytest.fixture(scope="session")
def cluster(bed, windlass, installed):
    cluster = Cluster(bed, windlass)
    bed.kubectl("apply", "--server-side", "-f", "-", data=yaml.safe_dump_all(manifests()))
    windlass("undrain", "node-0", "node-1", "-n", NAMESPACE, code=None)
    cluster.wait_idle(2)
    return cluster
