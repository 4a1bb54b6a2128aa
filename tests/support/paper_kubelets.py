"""Kubelets of paper: workers are placed on the Nodes of their namespace, register with its Slurm and become ready.

A scenario steers Slurm by a ConfigMap `slurm-script`: a key is a node of Slurm (or a job, or `slurmctld`), its value
what happens to it, once for every value:

    gpu-0: ALLOCATED                   a state, as scontrol would set it; words behind it are the reason
    gpu-0: gone                        Slurm forgets the node
    job: gpu-[0-1] 60                  a job runs there for 60 minutes
    slurmctld: away                    nobody answers any more; `back` ends it
    gpu-1: never                       its slurmd does not come up
    reserved: gpu-0                    the node is inside the only reservation there is
    gpu-0: comment TEXT                somebody writes a comment; a node that is not there comes up

and reads what Slurm says of its nodes in the ConfigMaps `slurm-nodes` (state and reason; `slurmctld: away` while it
is), `slurm-traits` (topology and features) and `slurm-comments`.
"""
import functools
import http.client
import queue
import threading
import time
import traceback

from support.watching import follow

NODES = 3
STOPPED = "slurm-operator: Pod is terminating"
WATCHED = {"pod": "/api/v1/pods?labelSelector=app.kubernetes.io/name%3Dslurmd",
           "script": "/api/v1/configmaps?labelSelector=paper%3Dscript"}


class Kubelets:
    """One thread does what two watches and the changes of Slurm ask for."""

    def __init__(self, cluster, slurms):
        self.cluster, self.slurms = cluster, slurms
        self.pods, self.told, self.later, self.never, self.ended = {}, {}, {}, {}, set()
        self.todo, self.stopping = queue.Queue(), threading.Event()
        slurms.on_change = lambda namespace: self.todo.put(("slurm", None, namespace))
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        for what, path in WATCHED.items():
            tell = functools.partial(lambda what, kind, thing: self.todo.put((what, kind, thing)), what)
            threading.Thread(target=follow, args=(cluster, path, tell, self.stopping), daemon=True).start()

    def stop(self):
        self.stopping.set()
        self.todo.put((None, None, None))
        self.thread.join(10)

    def run(self):
        dirty = set()
        while not self.stopping.is_set():
            what, kind, thing = self.todo.get()
            try:
                if what == "slurm":
                    dirty.add(thing)
                    self.catch_up(thing)
                elif what:
                    dirty.add(thing["metadata"]["namespace"])
                    getattr(self, what)(kind, thing)
                while dirty and self.todo.empty():
                    self.tell(dirty.pop())
            except (OSError, http.client.HTTPException) as why:  # the API server of a test comes and goes
                print("kubelets:", why)
                self.todo.put((what, kind, thing))
                time.sleep(0.2)
            except Exception:  # the test that depends on it fails, and shows this
                traceback.print_exc()

    # ---- the script

    def script(self, kind, thing):
        namespace = thing["metadata"]["namespace"]
        for key, value in (thing.get("data") or {}).items():
            if kind != "DELETED" and self.told.get((namespace, key)) != value:
                self.told[namespace, key] = self.later[namespace, key] = value
        self.catch_up(namespace)

    def catch_up(self, namespace):
        """Does what the script asks for and could not be done before."""
        for where, value in [item for item in self.later.items() if item[0][0] == namespace]:
            if self.do(self.slurms.of(namespace), *where, value):
                self.later.pop(where)

    def do(self, slurm, namespace, key, value):
        """False: not yet, the node or the reservation is not there."""
        word, _, rest = value.partition(" ")
        if key == "slurmctld":
            slurm.away = word == "away"
        elif key.startswith("job"):
            slurm.run_job(word, int(rest))
        elif key == "reserved" and not slurm.reservations:
            return False
        elif key == "reserved":
            slurm.nodes[word]["reservation"] = next(iter(slurm.reservations))
            slurm.changed = time.time()
        elif word == "never":
            self.never[namespace, key] = True
        elif word == "comment":
            slurm.register(key)
            slurm.comment(key, rest)
        elif key not in slurm.nodes:
            return False
        elif word == "gone":
            slurm.forget(key)
        else:
            slurm.set(key, word, rest or None)
        return True

    def tell(self, namespace):
        slurm = self.slurms.of(namespace)
        with slurm.lock:
            traits = {name: f"{node['topology']} {','.join(node['features'])}" for name, node in slurm.nodes.items()}
            comments = {name: node["comment"] for name, node in slurm.nodes.items()}
        states = {**slurm.text(), **({"slurmctld": "away"} if slurm.away else {})}
        for name, data in (("slurm-nodes", states), ("slurm-traits", traits), ("slurm-comments", comments)):
            if self.told.get((namespace, name, "written")) != data:
                self.write(namespace, name, data)
                self.told[namespace, name, "written"] = data

    def write(self, namespace, name, data):
        self.cluster.request("PATCH", f"/api/v1/namespaces/{namespace}/configmaps/{name}?fieldManager=paper&force=true",
                             {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data},
                             "application/apply-patch+yaml")

    # ---- pods

    def pod(self, kind, pod):
        meta, spec, status = pod["metadata"], pod["spec"], pod.get("status", {})
        namespace, path = meta["namespace"], f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        here = self.pods.setdefault(namespace, {})
        if kind == "DELETED":
            here.pop(meta["name"], None)
            return self.place_all(namespace)
        here[meta["name"]] = pod
        if "deletionTimestamp" in meta:
            return self.end(namespace, path, spec, meta["uid"])
        if not spec.get("nodeName"):
            return self.place_all(namespace)
        if status.get("phase") == "Pending" and not self.never.get((namespace, spec["hostname"])):
            self.slurms.of(namespace).register(spec["hostname"])
            self.catch_up(namespace)
            self.cluster.request("PATCH", f"{path}/status", {"status": {"phase": "Running", "conditions": [
                {"type": "Ready", "status": "True", "lastTransitionTime":
                 time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}]}}, "application/strategic-merge-patch+json")
        return None

    def place_all(self, namespace):
        """Those that have no node yet, as far as there are any."""
        for name, pod in self.pods[namespace].items():
            node = None if pod["spec"].get("nodeName") else self.place(pod, self.pods[namespace].values())
            if node:
                pod["spec"]["nodeName"] = node
                self.cluster.request("POST", f"/api/v1/namespaces/{namespace}/pods/{name}/binding", {
                    "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name},
                    "target": {"apiVersion": "v1", "kind": "Node", "name": node}})

    def end(self, namespace, path, spec, uid):
        """The stop hook of the worker, then its end."""
        slurm = self.slurms.of(namespace)
        if spec.get("nodeName") and spec["hostname"] in slurm.nodes and uid not in self.ended:
            self.ended.add(uid)  # a hook runs once, however often its pod is told of
            flags = [s for s in slurm.nodes[spec["hostname"]]["state"] if s == "DRAIN"]
            slurm.set(spec["hostname"], "+".join(["DOWN", *flags]), STOPPED)
        self.cluster.request("DELETE", path, {"gracePeriodSeconds": 0, "preconditions": {"uid": uid}})

    @staticmethod
    def place(pod, pods):
        """The node its affinity names, else the first of its namespace that has no worker."""
        affinity = pod["spec"].get("affinity", {}).get("nodeAffinity", {})
        for term in affinity.get("requiredDuringSchedulingIgnoredDuringExecution", {}).get("nodeSelectorTerms", []):
            for field in term.get("matchFields", []):
                return field["values"][0]
        taken = {other["spec"].get("nodeName") for other in pods}
        free = [f"{pod['metadata']['namespace']}-{i}" for i in range(NODES)]
        return next((node for node in free if node not in taken), None)


def nodes_of(namespace):
    """The Nodes on which a namespace's workers run."""
    return [{"apiVersion": "v1", "kind": "Node", "metadata": {
        "name": f"{namespace}-{i}", "labels": {"paper": namespace}}} for i in range(NODES)]
