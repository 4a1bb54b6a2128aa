"""Where a bed lives: its name, slot, directory, addresses and daemons.

Each bed holds a slot, a number registered for the whole machine. Names of namespaces, links and
cgroups carry the slot and each bed has one /16, so beds never meet. All that `down` needs is here.
"""
import contextlib
import fcntl
import glob
import os
import pwd
import re
import shutil

from . import net
from .common import Fail, Process, processes

SLOTS = "/run/windlass/bed"  # one symlink per slot to the directory of the bed that holds it
SLOT_COUNT = 64
FIRST_NET = 100              # slot S has 10.(100+S).0.0/16


def home():
    """The home of the person at the keyboard, also under sudo: binaries are built once per user."""
    user = os.environ.get("SUDO_USER") if os.geteuid() == 0 else None
    return pwd.getpwnam(user).pw_dir if user else os.path.expanduser("~")


def state_home():
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(home(), ".local/state")
    return os.environ.get("WINDLASS_BED_DIR") or os.path.join(base, "windlass/bed")


def cache_home():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home(), ".cache")
    return os.path.join(base, "windlass")


def is_same_file(opened, path):
    try:
        return os.path.samestat(os.fstat(opened.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def slot_is_held(number):
    """A slot without directory and namespaces belongs to nobody any more, and is given up."""
    link = f"{SLOTS}/{number}"
    if os.path.exists(link) or glob.glob(f"/run/netns/wb{number}") or \
            glob.glob(f"/run/netns/wb{number}-*"):
        return True
    if os.path.lexists(link):
        os.unlink(link)
    return False


class Place:
    def __init__(self, name=None):
        self.name = name or os.environ.get("WINDLASS_BED") or "default"
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", self.name):
            raise Fail(f"bed name '{self.name}': use up to 40 lower-case letters, digits and '-'")
        self.dir = os.path.join(os.path.abspath(state_home()), self.name)
        self._slot = None

    # ---- files and daemons

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def process(self, name):
        return Process(self.dir, name)

    def processes(self):
        return processes(self.dir)

    @contextlib.contextmanager
    def lock(self):
        """One verb at a time changes a bed; the kernel frees the lock when its holder dies."""
        while True:
            os.makedirs(self.dir, exist_ok=True)
            with open(self.path("lock"), "w") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                if is_same_file(held, self.path("lock")):  # else the bed went down meanwhile
                    yield
                    return

    # ---- the slot

    @property
    def slot(self):
        if self._slot is None:
            self._slot = self.find_slot()
        if self._slot is None:
            raise Fail(f"bed '{self.name}' is not up: run tools/bed up")
        return self._slot

    @staticmethod
    def all():
        """(name, slot, directory) of every bed of the machine."""
        found = []
        for number in range(SLOT_COUNT):
            try:
                directory = os.readlink(f"{SLOTS}/{number}")
            except OSError:
                continue
            found.append((os.path.basename(directory), number, directory))
        return found

    def find_slot(self):
        """The slot this bed holds, or None."""
        for _, number, directory in self.all():
            if directory == self.dir:
                return number
        return None

    def wipe(self):
        """Forgets what a bed left before the machine was restarted: its addresses are void."""
        for entry in os.scandir(self.dir):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            elif entry.name != "lock":
                os.unlink(entry.path)

    def claim_slot(self):
        """Takes the lowest slot that nobody holds and whose network the machine does not use.

        For one who holds the bed's lock.
        """
        if os.geteuid() != 0:
            raise Fail("a bed makes network namespaces, which needs root: use sudo")
        os.makedirs(SLOTS, exist_ok=True)
        with open(f"{SLOTS}/lock", "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self._slot = self.find_slot()
            if self._slot is None:
                self._slot = self.first_free_slot()
                self.wipe()
                os.symlink(self.dir, f"{SLOTS}/{self._slot}")
        return self._slot

    def first_free_slot(self):
        for number in range(SLOT_COUNT):
            if slot_is_held(number):
                continue
            if net.prefix_is_free(f"10.{FIRST_NET + number}.0.0/16"):
                return number
        raise Fail(f"no slot is free, see {SLOTS}: end beds with tools/bed --name NAME down")

    def free_slot(self):
        number = self.find_slot()
        if number is not None:
            os.unlink(f"{SLOTS}/{number}")
        self._slot = None

    # ---- names and addresses, all made from the slot

    @property
    def netns(self):
        """The control plane's network namespace; node 0 is in it too."""
        return f"wb{self.slot}"

    @property
    def link(self):
        """The machine's interface on the node network."""
        return f"wb{self.slot}"

    def address(self, third, fourth=0):
        return f"10.{FIRST_NET + self.slot}.{third}.{fourth}"

    @property
    def machine_ip(self):
        return self.address(0, 1)

    @property
    def control_ip(self):
        return self.address(0, 2)

    @property
    def services(self):
        """ClusterIPs: x.x.16.0 to x.x.31.255."""
        return self.address(16) + "/20"

    @property
    def dns_ip(self):
        return self.address(16, 10)

    @property
    def pods(self):
        """Pods of real nodes: x.x.32.0 to x.x.63.255, one /24 per node."""
        return self.address(32) + "/19"

    @property
    def slurm_net(self):
        """The network of `bed slurm`, which is a world of its own: x.x.64.0/24."""
        return self.address(64) + "/24"

    @property
    def sim_pods(self):
        """Pods of simulated nodes, which nothing can reach: x.x.128.0 and up."""
        return self.address(128) + "/17"

    def node_pods(self, index):
        return self.address(32 + index) + "/24"

    def node_ip(self, index):
        return self.control_ip if index == 0 else self.address(0, 10 + index)

    def node_netns(self, index):
        return self.netns if index == 0 else f"{self.netns}-n{index}"
