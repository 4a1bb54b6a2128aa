"""A pod of a Slurm bed: a daemon with an address, a host name and a file system of its own."""
import json
import os
import shutil
import signal
import sys

from . import cgroup, net, slurm_cgroup, slurm_rest
from .common import Fail, Process, end, is_alive, read, run, wait_for, write
from .slurm_conf import USERS

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OWN_DIRS = ("/run/slurm", "/run/slurmctld", "/run/slurmdbd", "/var/spool/slurmd")
SURROUNDINGS = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Pod:
    """Built from names alone, so that a pod of an earlier run can be taken away."""

    def __init__(self, bed, name, role=None):
        self.bed, self.name, self.role = bed, name, role
        self.dir = os.path.join(bed.dir, "pods", name)
        self.process = Process(bed.dir, name)
        self.netns = f"{bed.netns}-{name}"
        self.cgroup = f"{bed.cgroup}-{name}"
        self.identity_file = os.path.join(self.dir, "identity")

    @property
    def address(self):
        return self.bed.address(self.role.host)

    # ---- start

    def start(self):
        """Starts it unless it runs; wait_ready() says when it is of use."""
        if self.process.pid():
            return
        for part in ("upper", "work", "root"):
            shutil.rmtree(os.path.join(self.dir, part), ignore_errors=True)
            os.makedirs(os.path.join(self.dir, part))
        write(self.identity_file, "")
        self.connect()
        spec = os.path.join(self.dir, "spec.json")
        write(spec, json.dumps(self.spec(), indent=1))
        self.process.start(sys.executable, "-m", "bedlib.slurm_container", spec,
                           netns=self.netns, env={"PYTHONPATH": TOOLS})

    def connect(self):
        net.netns_add(self.netns)
        net.veth_add(f"p{self.role.host}", "eth0", netns=self.bed.netns, peer_netns=self.netns,
                     bridge=self.bed.BRIDGE, peer_address=f"{self.address}/24")
        net.route("default", self.bed.address(1), netns=self.netns)

    def spec(self):
        role, bed = self.role, self.bed
        volumes = [(bed.hosts_file, "/etc/hosts"),
                   (bed.files.give(self.name, role.files, role.uid), role.etc)]
        if role.data:
            volumes.append((self.data_dir(), role.data))
        return {
            "name": self.name, "identity": self.identity_file,
            "root": os.path.join(self.dir, "root"), "upper": os.path.join(self.dir, "upper"),
            "work": os.path.join(self.dir, "work"), "lower": bed.layers(),
            "volumes": volumes, "own_dirs": OWN_DIRS, "gpus": role.gpus,
            "uid": role.uid, "command": role.command, "env": role.env,
            "cgroup_procs": self.make_cgroup() if role.cgroups else [],
            "cgroup_hierarchies": slurm_cgroup.hierarchies() if role.cgroups else [],
        }

    def make_cgroup(self):
        """Returns the files that a process must write its pid to."""
        cgroup.make(self.cgroup)
        return cgroup.procs_files(self.cgroup)

    def data_dir(self):
        path = os.path.join(self.bed.dir, "data", self.name)
        os.makedirs(path, exist_ok=True)
        os.chown(path, self.role.uid, self.role.uid)
        return path

    def wait_ready(self, timeout=30):
        wait_for(f"{self.name} to become ready", self.is_ready, timeout, self.process.log)

    def is_ready(self):
        self.process.must_live()
        role = self.role
        if not self.init():
            return False
        if role.appears:
            return os.path.exists(f"/proc/{self.init()[0]}/root{role.appears}")
        if role.probe:
            return slurm_rest.status_of(self.netns, self.address, role.port, role.probe) == 204
        return slurm_rest.is_open(self.netns, self.address, role.port)

    # ---- what runs in it

    def init(self):
        """(pid, start time) of its pid 1 as the machine counts, or None."""
        words = (read(self.identity_file) or "").split()
        known = (int(words[0]), int(words[1])) if len(words) == 2 else None
        return known if known and is_alive(*known) else None

    def daemon_pids(self):
        """Every process of the pod but its supervisor, as the machine counts."""
        ours = {self.process.pid(), (self.init() or (None,))[0]}
        return [pid for pid in net.netns_pids(self.netns) if pid not in ours]

    def signal(self, number):
        """Sends a signal to the daemon and all it has started."""
        if not self.init():
            raise Fail(f"pod {self.name} does not run: tools/bed slurm restart {self.name}")
        for pid in self.daemon_pids():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def command(self, argv, user="root"):
        """The command line that runs `argv` in the pod."""
        known = self.init()
        if not known:
            raise Fail(f"pod {self.name} does not run: tools/bed slurm restart {self.name}")
        uid = USERS.get(user)
        if uid is None:
            raise Fail(f"no user '{user}' in the pods: there are {', '.join(USERS)}")
        home = f"/home/{user}" if uid >= 1000 and user != "nobody" else "/root"
        return ["nsenter", "-t", str(known[0]), "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w",
                "--", "env", "-i", SURROUNDINGS, f"HOME={home}", f"USER={user}",
                "setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups",
                "--", *map(str, argv)]

    def ex(self, argv, user, timeout, check):
        """Runs a command to its end; `timeout` ends it inside the pod, where its children are."""
        limited = ["timeout", "-k", "2", str(timeout), *argv]
        return run(*self.command(limited, user), timeout=timeout + 5, check=check)

    # ---- end

    def stop(self, grace=10.0):
        """Ends it the polite way; address and data stay."""
        self.process.stop(signal.SIGTERM, grace)
        self.clear()

    def kill(self):
        """Ends it as a crash would: the daemon gets no chance to say goodbye."""
        self.process.stop(signal.SIGKILL)
        self.clear()

    def clear(self):
        """After the end of pid 1 the kernel ends the rest; waits for that."""
        known = self.init()
        if known:
            end(*known, signal.SIGKILL)
        net.netns_clear(self.netns)
        cgroup.remove(self.cgroup)

    def remove(self, grace=0.0):
        self.stop(grace) if grace else self.kill()
        net.netns_del(self.netns)
        shutil.rmtree(self.dir, ignore_errors=True)
