"""What is coming up: one line whenever a pod moves on, and why one does not."""
import json
import time
from dataclasses import dataclass

from bedlib import Fail

BETWEEN_LOOKS = 0.4  # seconds


@dataclass(frozen=True)
class Pod:
    """A pod in a few words."""

    name: str
    ready: bool
    state: str


def pod_of(item):
    status = item.get("status", {})
    containers = status.get("initContainerStatuses", []) + status.get("containerStatuses", [])
    ready = any(c["type"] == "Ready" and c["status"] == "True" for c in status.get("conditions", []))
    return Pod(item["metadata"]["name"], ready and "deletionTimestamp" not in item["metadata"],
               state_of(item, status, containers, ready))


def state_of(item, status, containers, ready):
    if "deletionTimestamp" in item["metadata"]:
        return "stopping"
    if ready:
        return "ready"
    for container in containers:
        waiting = container["state"].get("waiting")
        if waiting and waiting.get("reason") not in ("PodInitializing", "ContainerCreating"):
            return f"{container['name']}: {waiting['reason']}: {waiting.get('message', '')}".rstrip(": ")
        ended = container["state"].get("terminated")
        if ended and ended.get("exitCode"):
            return f"{container['name']} ended with status {ended['exitCode']}"
    unscheduled = [c.get("message") for c in status.get("conditions", [])
                   if c["type"] == "PodScheduled" and c["status"] == "False"]
    if unscheduled:
        return f"waits for a node: {unscheduled[0]}"
    started = [c["name"] for c in containers if "running" in c["state"]]
    return f"started {', '.join(started)}" if started else "on its node"


class Picture:
    """Looks at the pods of a namespace until a condition holds."""

    def __init__(self, kubectl, namespace, steps):
        self.kubectl, self.namespace, self.steps = kubectl, namespace, steps
        self.seen = {}

    def look(self):
        listing = json.loads(self.kubectl("-n", self.namespace, "get", "pods", "-o", "json"))
        pods = [pod_of(item) for item in listing["items"]]
        for pod in pods:
            if self.seen.get(pod.name) != pod.state:
                self.steps.say(f"  {pod.name:36} {pod.state}")
        self.seen = {pod.name: pod.state for pod in pods}
        return pods

    def until(self, condition, what, limit):
        end = time.monotonic() + limit
        while not condition(self.look()):
            if time.monotonic() > end:
                left = "; ".join(f"{name}: {state}" for name, state in self.seen.items()
                                 if state != "ready") or f"{len(self.seen)} pods, all ready"
                raise Fail(f"waited {limit} s for {what} in namespace {self.namespace}: {left}; see "
                           f"kubectl -n {self.namespace} describe pods")
            time.sleep(BETWEEN_LOOKS)
