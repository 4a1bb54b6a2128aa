"""What an operator finds around it, in a process of its own: kubelets, and a slurmrestd.

A pod is bound to a Node of its own and is Ready at once; a worker has registered in Slurm before, as slurmd does
before its probe passes. A pod that is deleted takes its Slurm node down, as its stop hook does, and goes. No job
runs; a hundred wait. The other side of the pipe asks for figures.
"""
import collections
import http.client
import multiprocessing
import queue
import threading
import time

from support.cluster import Cluster
from support.paper_slurm import Names, Server
from support.watching import follow

NAMESPACE = "bench"
HANDS = 6  # threads that play kubelet
STOPPED = "slurm-operator: Pod is terminating"
STRATEGIC = "application/strategic-merge-patch+json"
WAITING_JOBS = 100


class Calls:
    """What slurmrestd was asked, and how much it answered."""

    def __init__(self):
        self.lock, self.count, self.bytes = threading.Lock(), collections.Counter(), 0

    def note(self, method, path, status, size):
        words = path.partition("?")[0].strip("/").split("/")[2:]
        label = f"{method} {words[0] if words else ''}{'/NAME' if len(words) > 1 else ''}"
        with self.lock:
            self.count[label + (" unchanged" if status == 304 else "")] += 1
            self.bytes += size

    def take(self):
        """The figures since the last time."""
        with self.lock:
            told = {"slurm": dict(self.count), "slurm_calls": self.count.total(), "slurm_bytes": self.bytes}
            self.count, self.bytes = collections.Counter(), 0
        return told


def is_worker(pod):
    return pod["metadata"].get("labels", {}).get("app.kubernetes.io/name") == "slurmd"


class Kubelets:
    """One watch of all pods; a few hands that bind, report and remove them."""

    def __init__(self, cluster, slurm, nodes):
        self.cluster, self.slurm = cluster, slurm
        self.lock, self.todo = threading.Lock(), queue.Queue()
        self.pods, self.seen, self.placed, self.ended, self.pending = {}, {}, {}, set(), set()
        self.free = collections.deque(nodes)
        watch = (cluster, f"/api/v1/namespaces/{NAMESPACE}/pods", self.event, threading.Event())
        threading.Thread(target=follow, args=watch, daemon=True).start()
        for _ in range(HANDS):
            threading.Thread(target=self.work, daemon=True).start()

    # ---- watching

    def event(self, kind, pod):
        meta, spec, status = pod["metadata"], pod["spec"], pod.get("status", {})
        ready = any(c["type"] == "Ready" and c["status"] == "True" for c in status.get("conditions", []))
        with self.lock:
            if kind == "DELETED":
                self.pods.pop(meta["name"], None)
                self.free.extend([self.placed.pop(meta["uid"])] if meta["uid"] in self.placed else [])
                return
            if self.pods.get(meta["name"], {}).get("uid") != meta["uid"]:
                self.seen[meta["name"]] = (meta["uid"], time.time())
            self.pods[meta["name"]] = {
                "uid": meta["uid"], "ready": ready, "image": spec["containers"][0]["image"], "going":
                "deletionTimestamp" in meta, "worker": is_worker(pod)}
        if "deletionTimestamp" in meta:
            self.ask_for(self.remove, pod)
        elif "nodeName" not in spec:
            self.ask_for(self.bind, pod)
        elif not ready:  # a kubelet says it again when somebody wrote over it
            self.ask_for(self.report, pod)

    def ask_for(self, act, pod):
        """Once, however often the pod is told of until it is done."""
        with self.lock:
            wanted = (act.__name__, pod["metadata"]["uid"])
            if wanted not in self.pending:
                self.pending.add(wanted)
                self.todo.put((act, pod))

    # ---- doing

    def work(self):
        while True:
            act, pod = self.todo.get()
            path = f"/api/v1/namespaces/{NAMESPACE}/pods/{pod['metadata']['name']}"
            try:
                act(pod, path)
                with self.lock:
                    self.pending.discard((act.__name__, pod["metadata"]["uid"]))
            except (OSError, http.client.HTTPException):
                self.todo.put((act, pod))

    def bind(self, pod, path):
        uid = pod["metadata"]["uid"]
        with self.lock:  # a watch that began anew tells of it once more
            if uid not in self.placed:
                self.placed[uid] = self.free.popleft()
            node = self.placed[uid]
        self.cluster.request("POST", f"{path}/binding", {
            "apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod["metadata"]["name"]},
            "target": {"apiVersion": "v1", "kind": "Node", "name": node}})

    def report(self, pod, path):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if is_worker(pod):
            self.slurm.register(pod["spec"]["hostname"])
        self.cluster.request("PATCH", f"{path}/status", {"metadata": {"uid": pod["metadata"]["uid"]}, "status": {
            "phase": "Running", "podIP": "10.1.1.1", "podIPs": [{"ip": "10.1.1.1"}], "startTime": now,
            "conditions": [{"type": kind, "status": "True", "lastTransitionTime": now}
                           for kind in ("PodScheduled", "Initialized", "ContainersReady", "Ready")],
            "containerStatuses": [{
                "name": one["name"], "image": one["image"], "imageID": "sha256:0", "ready": True, "started": True,
                "restartCount": 0, "state": {"running": {"startedAt": now}}} for one in pod["spec"]["containers"]]}},
            STRATEGIC)

    def remove(self, pod, path):
        host = pod["spec"].get("hostname")
        with self.slurm.lock:
            node = self.slurm.nodes.get(host)
            if node and "nodeName" in pod["spec"] and pod["metadata"]["uid"] not in self.ended:
                self.ended.add(pod["metadata"]["uid"])  # a hook runs once
                self.slurm.set(host, "+".join(["DOWN", *(s for s in node["state"] if s == "DRAIN")]), STOPPED)
        self.cluster.request("DELETE", path, {"gracePeriodSeconds": 0,
                                              "preconditions": {"uid": pod["metadata"]["uid"]}})

    # ---- telling

    def figures(self, image):
        with self.lock:
            here = [pod for pod in self.pods.values() if pod["worker"] and not pod["going"]]
            return {"pods": len(here), "ready": sum(pod["ready"] for pod in here),
                    "all": sum(pod["worker"] for pod in self.pods.values()),
                    "updated": sum(pod["ready"] and pod["image"] == image for pod in here)}


def play(pipe, access, address, nodes):
    """Until the other side of the pipe goes: ("figures", image), ("calls",) or ("seen", pod)."""
    server, calls = Server(address), Calls()
    names = Names(address)
    slurm, server.on_answer = server.of(NAMESPACE), calls.note
    for _ in range(WAITING_JOBS):
        slurm.run_job("", 60)
        slurm.jobs[-1]["job_state"] = ["PENDING"]
    kubelets = Kubelets(Cluster(*access), slurm, nodes)
    answers = {"figures": kubelets.figures, "calls": calls.take, "seen": kubelets.seen.get}
    pipe.send("ready")
    while True:
        try:
            what, *more = pipe.recv()
        except EOFError:
            break
        pipe.send(answers[what](*more))
    server.stop()
    names.stop()


class World:
    """That process, from outside."""

    def __init__(self, bed, address, nodes):
        pki = bed.dir + "/pki"
        access = (bed.place.control_ip, f"{pki}/ca.crt", f"{pki}/admin.crt", f"{pki}/admin.key")
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=play, args=(other, access, address, nodes), daemon=True)
        self.process.start()
        other.close()
        assert self.pipe.poll(20) and self.pipe.recv() == "ready", "the world did not begin"

    def ask(self, *what):
        self.pipe.send(what)
        assert self.pipe.poll(60), f"the world does not answer {what}"
        return self.pipe.recv()

    def stop(self):
        self.pipe.close()
        self.process.join(5)
        self.process.kill()
