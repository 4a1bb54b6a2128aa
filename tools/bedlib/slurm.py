"""A real Slurm cluster for tests: MariaDB, slurmdbd, slurmctld, slurmrestd, a login and workers.

    from bedlib.slurm import SlurmBed
    bed = SlurmBed("t1")
    bed.up(nodes=2)
    bed.rest("GET", "/slurm/v0.0.44/nodes").json["nodes"]
    bed.ex("login", "srun", "-N2", "hostname", user="alice")
    bed.kill("slurmctld"); bed.start("slurmctld")
    bed.down()

Every daemon is a pod (slurm_pod.py) on a network of its own that leads nowhere else; what shall
reach it runs in that network's namespace, `nsenter --net=` with netns_path. Pods are called
mariadb, slurmdbd, slurmctld, slurmrestd, login, worker-0, worker-1 and so on; a worker's pod, host
and Slurm node have one name. Taking a bed away needs nothing from the run that started it.
"""
import dataclasses
import glob
import json
import os
import re
import shutil
import signal
import time

from . import cgroup, net, rootfs, slurm_cgroup, slurm_conf, slurm_rest, slurm_roles
from .common import Fail, read, run, say, wait_for, write
from .place import Place
from .slurm_pod import Pod

API_NUMBERS = range(39, 60)  # v0.0.N that a slurmrestd might serve


class SlurmBed:
    BRIDGE = "br0"

    def __init__(self, name=None):
        self.place = Place(name)
        self.dir = self.place.path("slurm")
        self.files = slurm_conf.Files(os.path.join(self.dir, "etc"))
        self.hosts_file = os.path.join(self.dir, "hosts")

    # ---- names and addresses

    @property
    def netns(self):
        """The name of the network namespace from which every pod can be reached."""
        return f"{self.place.netns}-slurm"

    @property
    def netns_path(self):
        return f"/run/netns/{self.netns}"

    @property
    def cgroup(self):
        return f"windlass-{self.place.netns}-slurm"

    def address(self, host):
        return self.place.slurm_net.rpartition(".")[0] + f".{host}"

    @property
    def url(self):
        """Of slurmrestd, for programs inside the bed's network namespace."""
        role = slurm_roles.DAEMONS["slurmrestd"]
        return f"http://{self.address(role.host)}:{role.port}"

    @property
    def jwt_key(self):
        """Path of the key that signs tokens."""
        return self.files.jwt_key

    def log(self, pod):
        return self.pod(pod).process.log

    def env(self):
        """What a program under test must know, by name."""
        options = self.options()
        return {
            "WINDLASS_SLURM_URL": self.url,
            "WINDLASS_SLURM_JWT_KEY": self.jwt_key,
            "WINDLASS_SLURM_NETNS": self.netns_path,
            "WINDLASS_SLURM_CLUSTER": slurm_conf.CLUSTER,
            "WINDLASS_SLURM_VERSION": options["version"],
        }

    # ---- up and down

    def up(self, nodes=2, gpus=0, cgroup="auto", accounting=True, suite=rootfs.SUITE):
        """Starts the cluster, or what is missing of it, and waits until every worker is idle."""
        if nodes > slurm_roles.MAX_WORKERS:
            raise Fail(f"--nodes {nodes}: the bed's network has room for {slurm_roles.MAX_WORKERS}")
        began = time.monotonic()
        tree = rootfs.ensure(suite)
        with self.place.lock():
            self.place.claim_slot()
            os.makedirs(self.dir, exist_ok=True)
            self.settle({"nodes": nodes, "gpus": gpus, "cgroup": pick_cgroup(cgroup),
                         "accounting": accounting, "version": tree.slurm_version})
            self.prepare(tree)
            self.start_daemons()
            self.start_workers(self.options()["nodes"])
        say(f"slurm: {tree.slurm_version}, {nodes} workers, {time.monotonic() - began:.1f} s")

    def settle(self, wanted):
        """Records the options; of a bed that is up, only the number of workers can change."""
        present = read(os.path.join(self.dir, "options.json"))
        if present and {**json.loads(present), "nodes": wanted["nodes"]} != wanted:
            raise Fail(f"bed '{self.place.name}' is up with {present.strip()}: "
                       "tools/bed slurm down, then up")
        self.save(wanted)

    def save(self, options):
        write(os.path.join(self.dir, "options.json"), json.dumps(options) + "\n")

    def options(self):
        text = read(os.path.join(self.dir, "options.json"))
        if text is None:
            raise Fail(f"bed '{self.place.name}' has no Slurm: tools/bed slurm up")
        return json.loads(text)

    def prepare(self, made):
        if not os.path.exists(os.path.join(self.dir, "tree")):
            slurm_conf.user_layer(os.path.join(self.dir, "layer"), made.tree)
            self.files.make(self.options())
            os.makedirs(os.path.join(self.dir, "data"), exist_ok=True)
            run("cp", "-a", "--reflink=auto", "-T", made.database,
                os.path.join(self.dir, "data", "mariadb"))
            os.symlink(made.tree, os.path.join(self.dir, "tree"))
        self.write_hosts()
        net.netns_add(self.netns)
        net.bridge_add(self.BRIDGE, f"{self.address(1)}/24", netns=self.netns)

    def layers(self):
        """Of every pod's file system, uppermost first."""
        return [os.path.join(self.dir, "layer"), os.readlink(os.path.join(self.dir, "tree"))]

    def start_daemons(self):
        """In the order of who needs whom; slurmrestd and login need the same."""
        names = list(slurm_roles.DAEMONS)
        if not self.options()["accounting"]:
            names = [name for name in names if name not in slurm_roles.ACCOUNTING]
        for name in names:
            self.pod(name).start()
            if name not in ("slurmrestd", "login"):
                self.pod(name).wait_ready()

    def start_workers(self, count):
        workers = [self.pod(f"{slurm_roles.WORKER}{i}") for i in range(count)]
        for pod in workers:
            pod.start()
        for pod in (self.pod("slurmrestd"), self.pod("login"), *workers):
            pod.wait_ready()
        self.wait_idle([pod.name for pod in workers])
        if not os.path.exists(os.path.join(self.dir, "data", "slurmctld", "assoc_usage")):
            self.save_state()
            self.wait_idle([pod.name for pod in workers])

    def save_state(self):
        """Makes slurmctld write its state, which it surely does at an orderly end.

        What it has not written is lost in a kill(): the last seconds of jobs and nodes, so that an
        ended job runs for ever and a node that has just registered is unknown; and before the
        first write of all it refuses to start again (no assoc_usage).
        """
        self.restart("slurmctld")

    def node_states(self):
        """{node: state} as sinfo says; empty when slurmctld does not answer."""
        listing = self.ex("slurmctld", "sinfo", "-N", "-h", "-o", "%N %T", check=False)
        return dict(line.split() for line in listing.splitlines())

    def wait_idle(self, names, timeout=30):
        """Waits until slurmctld calls these nodes idle."""
        try:
            wait_for("idle nodes", lambda: self.are_idle(names), timeout)
        except Fail:
            raise Fail(f"nodes {' '.join(names)} are not all idle after {timeout} s, sinfo says "
                       f"{self.node_states()}; see {self.log('slurmctld')}") from None

    def are_idle(self, names):
        states = self.node_states()
        return all(states.get(name) == "idle" for name in names)

    def down(self):
        """Takes everything away; works after any crash, and when there is nothing."""
        with self.place.lock():
            self.end_all()
            # The slot stays when the bed's Kubernetes half uses it.
            if not (self.place.find_slot() is not None and net.netns_exists(self.place.netns)):
                shutil.rmtree(self.place.dir)
                self.place.free_slot()

    def end_all(self):
        """For one who holds the bed's lock."""
        if self.place.find_slot() is not None:
            for name in self.known_pods():
                Pod(self, name).kill()
            for path in glob.glob(f"{self.netns_path}*"):
                net.netns_del(os.path.basename(path))
            for name in cgroup.named(self.cgroup):
                cgroup.remove(name)
        shutil.rmtree(self.dir, ignore_errors=True)

    # ---- pods

    def known_pods(self):
        pods = os.path.join(self.dir, "pods")
        return sorted(os.listdir(pods)) if os.path.isdir(pods) else []

    def worker_numbers(self):
        found = (re.fullmatch(slurm_roles.WORKER + r"(\d+)", name) for name in self.known_pods())
        return sorted(int(match[1]) for match in found if match)

    def pod(self, name):
        options = self.options()
        match = re.fullmatch(slurm_roles.WORKER + r"(\d+)", name)
        if match and int(match[1]) < slurm_roles.MAX_WORKERS:
            role = slurm_roles.worker(int(match[1]), options["gpus"], options["cgroup"] == "v1")
        elif name in slurm_roles.DAEMONS:
            role = slurm_roles.DAEMONS[name]
        else:
            raise Fail(f"no pod '{name}': there are {', '.join(self.known_pods())}")
        if not slurm_conf.speaks_http(options["version"]):
            role = dataclasses.replace(role, probe=None)
        return Pod(self, name, role)

    def ex(self, pod, *argv, user="root", timeout=30, check=True):
        """Runs a command in a pod and returns its stdout; with `check`, fails when it fails."""
        return self.pod(pod).ex(argv, user, timeout, check)

    def start(self, pod):
        self.pod(pod).start()
        self.pod(pod).wait_ready()

    def stop(self, pod):
        self.pod(pod).stop()

    def kill(self, pod):
        """Ends a pod as a crash would (KILL); its address and data stay."""
        self.pod(pod).kill()

    def restart(self, pod):
        """Stops a pod, if it runs, and starts it with the state it had."""
        self.stop(pod)
        self.start(pod)

    def freeze(self, pod):
        """Stops the clock of a daemon: it stays connected and answers nobody."""
        self.pod(pod).signal(signal.SIGSTOP)

    def thaw(self, pod):
        self.pod(pod).signal(signal.SIGCONT)

    def add_worker(self):
        """Starts one more worker, waits until it is idle and returns its name."""
        with self.place.lock():
            number = max(self.worker_numbers(), default=-1) + 1
            pod = self.pod(f"{slurm_roles.WORKER}{number}")
            os.makedirs(pod.dir, exist_ok=True)
            self.write_hosts()
            pod.start()
            pod.wait_ready()
        self.wait_idle([pod.name])
        return pod.name

    def remove_worker(self, name):
        """Takes a worker's pod away for good; slurmctld is not told."""
        self.pod(name).remove()
        self.write_hosts()

    def write_hosts(self):
        """In place, since pods have this very file mounted."""
        numbers = {*self.worker_numbers(), *range(self.options()["nodes"])}
        names = {name: role.host for name, role in slurm_roles.DAEMONS.items()}
        names |= {f"{slurm_roles.WORKER}{i}": slurm_roles.FIRST_WORKER_HOST + i
                  for i in sorted(numbers)}
        with open(self.hosts_file, "w") as hosts:
            hosts.write("127.0.0.1 localhost\n")
            hosts.writelines(f"{self.address(host)} {name}\n" for name, host in names.items())

    # ---- configuration and REST

    def conf(self, text=None):
        """Replaces slurm.conf (a broken one too) and leaves it for the next reconfigure or start.

        Returns the text that was there; without an argument it changes nothing.
        """
        before = read(os.path.join(self.files.path("slurmctld"), "slurm.conf"))
        if text is not None:
            write(self.files.path("all", "slurm.conf"), text)
            for name in ("slurmctld", "slurmrestd"):
                path = os.path.join(self.files.path(name), "slurm.conf")
                slurm_conf.put(path, text, slurm_roles.DAEMONS[name].uid)
        return before

    def token(self, user="slurm", ttl=3600):
        self.options()
        return slurm_conf.token(self.jwt_key, user, ttl)

    def rest(self, method, path, body=None, token=None, headers=None, timeout=30.0):
        """One call to slurmrestd. `body` is JSON text or an object; `token` "" sends none."""
        token = self.token() if token is None else token
        sent = {"X-SLURM-USER-TOKEN": token} if token else {}
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, str) else json.dumps(body)
        role = slurm_roles.DAEMONS["slurmrestd"]
        return slurm_rest.call(self.netns, self.address(role.host), role.port, method, path,
                               {**sent, **(headers or {})}, body, timeout)

    def api_versions(self):
        """The data API versions that slurmrestd serves, such as v0.0.44, oldest first."""
        versions = [f"v0.0.{number}" for number in API_NUMBERS]
        return [v for v in versions if self.rest("GET", f"/slurm/{v}/ping").status == 200]


def pick_cgroup(wanted):
    """`auto` limits jobs by cgroups where this machine has those that slurmd can use in a pod."""
    if wanted == "v1" and not slurm_cgroup.is_usable():
        raise Fail("--cgroup v1: this machine has no cgroup version 1 controllers; use none")
    if wanted == "auto":
        return "v1" if slurm_cgroup.is_usable() else "none"
    return wanted
