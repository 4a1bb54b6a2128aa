"""status, drain, undrain, scale, restart, logs: on a Slurm cluster that works."""
import contextlib
import json
import os
import subprocess
import threading

import pytest
import yaml

from conftest import NAMESPACE, SET, wait_for

N = ("-n", NAMESPACE)


@pytest.fixture
def workers(cluster, windlass):
    """Two idle workers, whatever the test before left."""
    windlass("scale", SET, "2", *N)
    windlass("undrain", "node-0", "node-1", *N, code=None)
    cluster.wait_idle(2)
    return cluster


@contextlib.contextmanager
def running(program, bed, *words):
    """What the program prints while it runs; it is ended after a while, whatever happens."""
    child = subprocess.Popen([program, *words], stdout=subprocess.PIPE, text=True,
                             env={**os.environ, "KUBECONFIG": bed.kubeconfig})
    bound = threading.Timer(60, child.kill)
    bound.start()
    try:
        yield child.stdout
    finally:
        bound.cancel()
        child.terminate()
        child.communicate(timeout=10)


def state(cluster, node, **wanted):
    """Waits until a node is as wanted, as `windlass status` tells."""
    return wait_for(f"{node} {wanted}", lambda: all(
        cluster.nodes().get(node, {}).get(key) == value for key, value in wanted.items()), 60)


def hear_of(cluster, node, **wanted):
    """The same, for what happens in Slurm by itself: the operator asks every half a minute, and after
    whatever it tells Slurm; so it is given something to tell about the other node."""
    other = "node-1" if node == "node-0" else "node-0"
    cluster.windlass("drain", other, *N)
    state(cluster, other, drain=True)
    cluster.windlass("undrain", other, *N)
    state(cluster, node, **wanted)
    state(cluster, other, drain=False)


def submit(cluster, node):
    """A job that runs until it is cancelled."""
    job = cluster.inside("sbatch", "--parsable", "-w", node, "-D", "/tmp", "-o", "/dev/null",
                         "--wrap", "sleep 600").strip()
    wait_for("the job to run", lambda: "JobState=RUNNING" in
             cluster.inside("scontrol", "show", "job", job))
    hear_of(cluster, node, busy=True)
    return job


def cancel(cluster, job):
    cluster.inside("scancel", "--full", "--signal=KILL", job)
    wait_for("the end of the job", lambda: "JobState=CANCELLED" in
             cluster.inside("scontrol", "show", "job", job))


# ---- seeing

def test_status_shows_clusters_sets_and_nodes(workers, windlass):
    table = windlass("status", *N).out
    cluster, nodeset, first, second = (next(
        line for line in table.splitlines() if line.startswith(word))
        for word in ("hpc/slurm", "hpc/cpu", "node-0", "node-1"))
    assert cluster.split()[1:3] == ["ready", "2"] and "controller, restapi" in cluster
    assert nodeset.split()[2] == "2/2"
    assert first.split()[1] == "cpu" and first.split()[3] == "cpu-0"
    assert all(line.split()[2].startswith("idle") for line in (first, second))
    assert "no clusters" in windlass("status", "-n", "default").out
    assert "hpc/slurm" in windlass("status", "-A").out
    assert "hpc/slurm: no jobs" in windlass("status", "-A", "--jobs").out


def test_jobs_that_one_may_not_ask_for_are_not_known(workers, windlass, bed, tmp_path):
    bed.kubectl("apply", "-f", "-", data=yaml.safe_dump({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
        "metadata": {"name": "onlooker"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "onlooker"},
        "subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": "default"}]}))
    bed.kubectl("apply", "-f", "-", data=yaml.safe_dump({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
        "metadata": {"name": "onlooker"}, "rules": [
            {"apiGroups": ["", "slinky.slurm.net"], "verbs": ["list"], "resources": [
                "pods", "controllers", "accountings", "restapis", "loginsets", "nodesets"]}]}))
    config = yaml.safe_load(open(bed.kubeconfig))
    config["users"][0]["user"] = {"token": bed.kubectl("create", "token", "default").strip()}
    (tmp_path / "config").write_text(json.dumps(config))
    told = windlass("status", *N, "--jobs", "-o", "json", "--kubeconfig", tmp_path / "config").json()
    assert told["clusters"][0]["count"]["nodes"] == 2
    assert told["clusters"][0]["jobs"] is None
    assert "secrets" in told["clusters"][0]["jobsProblem"]


def test_status_watches_and_says_only_what_is_new(workers, windlass, program, bed):
    with running(program, bed, "status", *N, "-w", "-o", "json", "--interval", "300ms") as lines:
        first = json.loads(lines.readline())
        assert first["clusters"][0]["count"]["drain"] == 0
        windlass("drain", "node-0", *N)
        assert json.loads(lines.readline()) != first


def test_logs_of_daemons_workers_and_the_operator(workers, windlass):
    assert "leading" in windlass("logs", "operator").out
    assert "slurmctld" in windlass("logs", "controller/slurm", *N).out
    assert len(windlass("logs", "controller", *N, "--tail", "2").out.splitlines()) == 2
    assert windlass("logs", "cpu-0", *N).out == windlass("logs", "node-0", *N).out != ""
    both = windlass("logs", "worker", *N)
    assert "cpu-0" in both.err and "cpu-1" in both.err
    assert "name it" in windlass("logs", "worker", "-f", *N, code=1).err
    assert "cpu-0, cpu-1" in windlass("logs", "cpu-9", *N, code=1).err


def test_logs_follow_as_they_are_printed(workers, windlass, program, bed):
    with running(program, bed, "logs", "operator", "-f", "--tail", "1") as lines:
        before = json.loads(lines.readline())
        windlass("drain", "node-1", *N)
        assert json.loads(lines.readline()) != before


# ---- doing

def test_drain_and_undrain(workers, windlass):
    assert "none runs there" in windlass("drain", "cpu-0", *N, "-m", "new memory").out
    state(workers, "node-0", drained=True)
    assert "new memory" in workers.reason("node-0")
    assert "drained already" in windlass("drain", "node-0", *N, "-m", "new memory").out
    assert "back to work" in windlass("undrain", "node-0", *N).out
    state(workers, "node-0", drain=False)
    assert "not drained by us" in windlass("undrain", "node-0", *N).out


def test_drain_waits_for_jobs_and_leaves_them_alone(workers, windlass):
    job = submit(workers, "node-0")
    told = windlass("status", *N, "--jobs", "-o", "json").json()["clusters"][0]["jobs"]
    assert [(j["job"], j["state"], j["nodes"]) for j in told] == [(job, "RUNNING", "node-0")]
    assert f"\n{job} " in windlass("status", *N, "-j").out
    late = windlass("drain", "node-0", *N, "--wait", "--timeout", "1s", code=1)
    assert "may finish" in late.out or "end by" in late.out
    assert "goes on by itself" in late.err
    state(workers, "node-0", drain=True, drained=False, busy=True)
    assert "JobState=RUNNING" in workers.inside("scontrol", "show", "job", job)
    cancel(workers, job)
    hear_of(workers, "node-0", drained=True)
    assert "no job runs there" in windlass("drain", "node-0", *N, "--wait").out


def test_the_drain_of_somebody_else_is_not_lifted(workers, windlass, bed):
    workers.inside("scontrol", "update", "nodename=node-0", "state=drain", "reason=bad_fan")
    hear_of(workers, "node-0", drained=True)
    answer = windlass("undrain", "node-0", *N, code=1)
    assert "bad_fan" in answer.err and "scontrol" in answer.err
    workers.inside("scontrol", "update", "nodename=node-0", "state=resume")
    hear_of(workers, "node-0", drain=False)
    bed.kubectl("cordon", "n0")
    try:
        state(workers, "node-1", drained=True)
        assert "kubectl uncordon n0" in windlass("undrain", "node-1", *N, code=1).err
    finally:
        bed.kubectl("uncordon", "n0")


def test_scale_says_what_delays_it_and_waits(workers, windlass):
    job = submit(workers, "node-1")
    answer = windlass("scale", SET, "0", *N)
    assert "node-1 runs jobs" in answer.out and "when their jobs end" in answer.out
    wait_for("the idle one to go", lambda: list(workers.nodes()) == ["node-1"])
    assert "1 pods" in windlass("scale", SET, "0", *N, "--wait", "--timeout", "1s", code=1).err
    assert "JobState=RUNNING" in workers.inside("scontrol", "show", "job", job)
    cancel(workers, job)
    assert "set to 0 already" in windlass("scale", f"nodeset/{SET}", "0", *N).out
    assert "2 workers, all ready" in windlass("scale", SET, "2", *N, "--wait").out
    assert "no NodeSet 'x'" in windlass("scale", "x", "1", *N, code=1).err
    for words in (("scale", SET), ("scale", SET, "-1"), ("scale", SET, "many")):
        assert windlass(*words, code=2)


def test_restart_makes_pods_anew(workers, windlass, bed):
    def uids(selector):
        return set(bed.kubectl(*N, "get", "pods", "-l", selector, "-o",
                               "jsonpath={.items[*].metadata.uid}").split())

    pods = {"app.kubernetes.io/name=slurmd": "nodeset/cpu",
            "app.kubernetes.io/name=slurmrestd": "restapi/slurm"}
    before = {selector: uids(selector) for selector in pods}
    for target in pods.values():
        assert "made anew" in windlass("restart", target, *N).out
    for selector, old in before.items():
        wait_for(f"new pods of {selector}", lambda: uids(selector) and not uids(selector) & old, 90)
    workers.wait_idle(2)
    assert "no NodeSet 'x'" in windlass("restart", "nodeset/x", *N, code=1).err
    assert "controller" in windlass("restart", "pod/x", *N, code=2).err


def test_every_verb_has_help_and_is_in_the_manual(windlass):
    manual = windlass("man").out
    for verb in ("install", "uninstall", "check", "status", "logs", "drain", "undrain", "scale", "restart"):
        told = windlass(verb, "--help").out
        assert told.startswith(f"Usage: windlass {verb}") and "--kubeconfig" in told
        assert f".SS {verb}" in manual
        assert verb in windlass("completion", "bash").out
