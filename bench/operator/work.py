"""The work that every operator is given: what each piece of it took, as a dictionary of figures."""
import base64
import random
import statistics
import time

from stage import Meter
from world import NAMESPACE

GROUP = ["slinky.slurm.net"]
OLD, NEW = "slurmd:1", "slurmd:2"
REACTIONS = 20
LAST_LOOK = 35  # seconds until Slurm has been asked once more after the last change


def resource(kind, name, spec):
    return {"kind": kind, "metadata": {"name": name}, "spec": spec}


def key(name):
    return {"name": "keys", "key": name}


def secret():
    texts = {"slurm.key": "k" * 1024, "jwt.key": "j" * 1024, "password": "p", "sssd.conf": "[sssd]\n"}
    return {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "keys"}, "data": {
        name: base64.b64encode(text.encode()).decode() for name, text in texts.items()}}


def cluster_of_slurm():
    ref = {"name": "slurm", "namespace": NAMESPACE}
    keys = {"slurmKeyRef": key("slurm.key"), "jwtHs256KeyRef": key("jwt.key")}
    return [
        secret(),
        resource("Accounting", "slurm", {**keys, "slurmdbd": {"image": "slurmdbd:1"}, "storageConfig": {
            "host": "db", "database": "slurm", "username": "slurm", "passwordKeyRef": key("password")}}),
        resource("Controller", "slurm", {
            **keys, "accountingRef": ref, "slurmctld": {"image": "slurmctld:1"}, "reconfigure": {"image": "slurmctld:1"},
            "logfile": {"image": "logfile:1"}, "persistence": {"enabled": False}}),
        resource("RestApi", "slurm", {"controllerRef": ref, "slurmrestd": {"image": "slurmrestd:1"}}),
        resource("LoginSet", "slurm", {
            "controllerRef": ref, "replicas": 1, "login": {"image": "login:1"}, "initconf": {"image": "login:1"},
            "sssdConfRef": key("sssd.conf")}),
    ]


def nodeset(name, replicas):
    return resource("NodeSet", name, {
        "controllerRef": {"name": "slurm", "namespace": NAMESPACE}, "replicas": replicas, "partition": {"enabled": True},
        "logfile": {"image": "logfile:1"},
        "slurmd": {"image": OLD, "resources": {"limits": {"cpu": "8", "memory": "32Gi"}}},
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%"}}})


class Work:
    def __init__(self, stage, sets, each, limit):
        self.stage, self.each, self.limit = stage, each, limit
        self.cluster, self.ask = stage.cluster, stage.world.ask
        self.names = [f"w{i:02}" for i in range(sets)]
        self.workers = sets * each

    # ---- helpers

    def create_one(self, thing):
        """Fields that the kinds of one operator lack are dropped by the server, so that both get the same."""
        self.cluster.must("POST", self.cluster.path(thing, NAMESPACE, GROUP, name=False),
                          self.cluster.complete(thing, GROUP))

    def patch_all(self, spec):
        for name in self.names:
            self.cluster.patch(resource("NodeSet", name, spec), NAMESPACE, GROUP)

    def status(self, field):
        sets = self.cluster.list(resource("NodeSet", "", {}), NAMESPACE, GROUP)
        return sum(one.get("status", {}).get(field, 0) for one in sets)

    def until(self, **goals):
        """Seconds after which each goal, a question about the world's figures, first held; None: not in time."""
        began, at = time.monotonic(), dict.fromkeys(goals)
        while None in at.values() and time.monotonic() - began < self.limit:
            figures = self.ask("figures", NEW)
            for name, goal in goals.items():
                if at[name] is None and goal(figures):
                    at[name] = time.monotonic() - began
            time.sleep(0.1)
        return {f"{name}_s": seconds for name, seconds in at.items()}

    # ---- the pieces

    def idle(self):
        self.stage.settle()
        return {"rss_mib": self.stage.memory()[0]}

    def base(self):
        for thing in cluster_of_slurm():
            self.create_one(thing)
        self.stage.settle()
        return {"rss_mib": self.stage.memory()[0]}

    def create(self):
        meter, n = Meter(self.stage), self.workers
        for name in self.names:
            self.create_one(nodeset(name, self.each))
        took = self.until(created=lambda f: f["pods"] >= n, ready=lambda f: f["ready"] >= n,
                          status=lambda f: f["ready"] >= n and self.status("readyReplicas") >= n,
                          slurm_status=lambda f: f["ready"] >= n and self.status("slurmIdle") >= n)
        self.stage.settle(self.limit / 4)
        return {**meter.done(), **took, "rss_mib": self.stage.memory()[0]}

    def steady(self, seconds=120):
        time.sleep(LAST_LOOK)
        meter = Meter(self.stage)
        time.sleep(seconds)
        return meter.done()

    def replace_one(self):
        """Seconds from the deletion of a pod, any, until its replacement is seen; None: not in time."""
        name = f"{random.choice(self.names)}-{random.randrange(self.each)}"
        before, asked = self.ask("seen", name), time.time()
        self.cluster.delete({"kind": "Pod", "metadata": {"name": name}}, NAMESPACE)
        while self.ask("seen", name) == before:
            if time.time() - asked > self.limit / 4:
                return None
            time.sleep(0.005)
        took = self.ask("seen", name)[1] - asked
        while self.ask("figures", NEW)["ready"] < self.workers and time.time() - asked < self.limit / 4:
            time.sleep(0.05)
        time.sleep(random.uniform(0.5, 2))
        return took

    def reaction(self):
        meter, began, times = Meter(self.stage), time.monotonic(), []
        while len(times) < REACTIONS and time.monotonic() - began < self.limit / 2:
            times.append(self.replace_one())
        self.stage.settle()
        good = [one for one in times if one is not None]
        return {**meter.done(), "samples": len(times), "median_s": statistics.median(good) if good else None}

    def rolling(self):
        meter, n = Meter(self.stage), self.workers
        self.patch_all({"slurmd": {"image": NEW}})
        took = self.until(updated=lambda f: f["updated"] >= n, status=lambda f: f["updated"] >= n and self.status(
            "updatedReplicas") >= n and self.status("readyReplicas") >= n)
        self.stage.settle()
        return {**meter.done(), **took}

    def scale_in(self):
        meter, want = Meter(self.stage), len(self.names) * (self.each // 2)
        self.patch_all({"replicas": self.each // 2})
        took = self.until(gone=lambda f: f["all"] <= want,
                          status=lambda f: f["all"] <= want and self.status("replicas") == want)
        self.stage.settle()
        return {**meter.done(), **took}

    def restart(self, argv):
        self.stage.stop()
        self.stage.audit()
        self.stage.world.ask("calls")
        took = self.stage.start(argv)
        meter = Meter(self.stage)
        meter.cpu = 0
        self.stage.settle()
        return {**meter.done(), "ready_s": took}
