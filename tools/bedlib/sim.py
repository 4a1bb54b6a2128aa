"""Simulated nodes and their pods by kwok: thousands of them, with nothing behind."""
import concurrent.futures

from . import build, control
from .common import say, wait_for

CAPACITY = {"cpu": "32", "memory": "256Gi", "pods": "250"}
ANNOTATION = "kwok.x-k8s.io/node"
BATCH = 8  # requests in flight while nodes are made


def node(index, taint):
    name = f"sim-{index}"
    taints = [{"key": ANNOTATION, "value": "fake", "effect": "NoSchedule"}] if taint else []
    return {
        "apiVersion": "v1", "kind": "Node",
        "metadata": {"name": name, "annotations": {ANNOTATION: "fake"},
                     "labels": {"type": "kwok", "kubernetes.io/hostname": name,
                                "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}},
        "spec": {"taints": taints},
        "status": {"capacity": CAPACITY, "allocatable": CAPACITY},
    }


def ready_count(api):
    nodes = api.get("/api/v1/nodes?labelSelector=type%3Dkwok") or {"items": []}
    return sum(any(c["type"] == "Ready" and c["status"] == "True"
                   for c in n.get("status", {}).get("conditions", [])) for n in nodes["items"])


def simulate(place, count, taint=False):
    """Makes sim-0 to sim-(count-1) and waits until all are Ready."""
    build.build(["kwok"])
    control.start(place, "kwok")
    api, kwok = control.admin_api(place), place.process("kwok")
    with concurrent.futures.ThreadPoolExecutor(BATCH) as pool:
        list(pool.map(lambda i: api.create("/api/v1/nodes", node(i, taint)), range(count)))

    def check():
        kwok.must_live()
        return ready_count(api) >= count

    wait_for(f"{count} simulated nodes to be Ready", check, 60 + count // 10, kwok.log, every=0.3)
    say(f"{count} simulated nodes are Ready")
