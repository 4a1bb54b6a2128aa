"""The operator is killed at random moments while jobs run and workers change: no job is lost.

WINDLASS_E2E_SEEDS says how often: "50" for seeds 0 to 49 (default), "17-17" for that one alone.
"""
import json
import os
import pathlib
import random
import sys
import time

import pytest

from cluster import wait_for

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from operator_process import Operator  # noqa: E402

WORKERS = 3
LONGEST_LIFE = 1.2  # seconds: from before its first request to well into a pass


def seeds():
    first, dash, last = os.environ.get("WINDLASS_E2E_SEEDS", "50").partition("-")
    return range(int(first), int(last) + 1) if dash else range(int(first))


@pytest.fixture
def manager(workers, windlass, tmp_path):
    """Ours, beside the control plane, where it can be killed without a kubelet's back-off. The one
    in its pod rests meanwhile."""
    bed = workers.bed
    deployment = ("-n", "slinky", "scale", "deployment/slurm-operator")
    bed.kubectl(*deployment, "--replicas=0")
    wait_for("the operator's pod to go", lambda: not bed.kubectl(
        "-n", "slinky", "get", "pods", "-l", "app.kubernetes.io/name=slurm-operator", "-o", "name"))
    ours = Operator([windlass, "manager", "--kubeconfig", bed.kubeconfig, "--health-addr", "0",
                     "--metrics-addr", "0"], bed.kubeconfig, tmp_path / "log", prefix=bed.inside())
    try:
        yield ours
    finally:
        ours.kill()
        bed.kubectl(*deployment, "--replicas=1")


def change(cluster, dice, seed):
    """Something for the operator to do."""
    what = dice.choice(["scale", "scale", "template", "cordon", "uncordon", "nothing"])
    pod = f"pod/slurm-worker-w-{dice.randrange(WORKERS)}"
    cordon = "nodeset.slinky.slurm.net/pod-cordon"
    if what == "scale":
        cluster.scale(dice.randint(1, WORKERS))
    elif what == "template":
        cluster.kubectl("patch", "nodeset", "slurm-worker-w", "--type=merge", "-p", json.dumps(
            {"spec": {"template": {"metadata": {"annotations": {"example.com/seed": str(seed)}}}}}))
    elif what == "cordon":
        cluster.kubectl("annotate", "--overwrite", pod, f"{cordon}=true", check=False)
    elif what == "uncordon":
        cluster.kubectl("annotate", pod, f"{cordon}-", check=False)
    return what


def lives(manager, seconds):
    manager.start(ready=0)
    time.sleep(seconds)
    assert manager.child.poll() is None, manager.tail()
    manager.kill()


def settled(cluster):
    """Every wanted worker is there, new, in service; no other is."""
    pods, spec = cluster.pods(), cluster.get("nodeset", "slurm-worker-w")
    want = spec["spec"]["template"]["metadata"].get("annotations", {}).get("example.com/seed")
    good = all(item["metadata"]["annotations"].get("example.com/seed") == want and
               "deletionTimestamp" not in item["metadata"] for item in pods.values())
    return good and len(pods) == spec["spec"]["replicas"]


def test_no_job_is_lost_when_the_operator_is_killed(workers, manager):
    workers.scale(WORKERS)
    manager.start(ready=0)
    workers.wait_idle(WORKERS)
    manager.kill()
    jobs, told = [], []
    for seed in seeds():
        dice = random.Random(seed)
        if seed % 5 == 0:
            jobs.append(workers.submit(f"sleep {dice.randint(2, 12)}", "--no-requeue", "--mem=16",
                                       "--ntasks=1", f"--nodes={dice.randint(1, 2)}"))
        told.append((seed, change(workers, dice, seed)))
        lives(manager, dice.uniform(0.02, LONGEST_LIFE))
    manager.start(ready=0)
    for pod in workers.pods():
        workers.kubectl("annotate", f"pod/{pod}", "nodeset.slinky.slurm.net/pod-cordon-", check=False)
    workers.scale(2)
    wait_for(f"all to be settled after {told}", lambda: settled(workers), 120)
    workers.wait_idle(2, 60)
    for number in jobs:
        workers.wait_job(number, seconds=60)
        assert workers.job(number, "Restarts") == "0", (number, told)
    manager.stop()
