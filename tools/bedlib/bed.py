"""A bed as tests use it: `bed = Bed("t1"); bed.up(); ...; bed.down()`.

Every method that changes the bed holds its lock, may be repeated, and raises Fail with what went
wrong. down() needs nothing but the state directory and the slot, whatever was killed before.
"""
import os
import shutil
import signal
import subprocess

from . import build, control, image, net, node, sim, slurm
from .common import Fail, run, say
from .place import Place


class Bed:
    def __init__(self, name=None):
        self.place = Place(name)

    # ---- facts

    @property
    def name(self):
        return self.place.name

    @property
    def dir(self):
        return self.place.dir

    @property
    def kubeconfig(self):
        return control.kubeconfig(self.place)

    @property
    def second_kubeconfig(self):
        """The same cluster by way of the second API server."""
        return control.kubeconfig(self.place, "admin-second")

    @property
    def audit_log(self):
        """JSON lines, one per answered request."""
        return self.place.path("log", "audit.log")

    @property
    def machine_ip(self):
        """Where pods and the API server reach programs that run on this machine."""
        return self.place.machine_ip

    def log(self, component):
        return self.place.process(component).log

    def env(self):
        """What a shell or a test needs to use the bed."""
        place = self.place
        two = control.options(place).get("second_apiserver")
        return {
            **({"BED_SECOND_KUBECONFIG": self.second_kubeconfig} if two else {}),
            "KUBECONFIG": self.kubeconfig,
            "PATH": f"{build.bin_dir()}:{os.environ.get('PATH', '')}",
            "WINDLASS_BED": self.name,
            "BED_DIR": self.dir,
            "BED_NETNS": place.netns,
            "BED_SERVER": f"https://{place.control_ip}:6443",
            "BED_ETCD": control.etcd_url(place),
            "BED_AUDIT_LOG": self.audit_log,
            "BED_MACHINE_IP": place.machine_ip,
            "BED_CA": control.pki_of(place).path("ca.crt"),
            "BED_CA_KEY": control.pki_of(place).path("ca.key"),
        }

    def api(self):
        """A small client with all rights; see api.py."""
        return control.admin_api(self.place)

    # ---- the control plane

    def up(self, second_apiserver=False, feature_gates=(), apiserver_args=(),
           controller_manager_args=(), scheduler_args=()):
        """The control plane, ready for pods to be created. Options count until down()."""
        build.build()
        wanted = {"second_apiserver": second_apiserver, "feature_gates": list(feature_gates),
                  "apiserver_args": list(apiserver_args), "scheduler_args": list(scheduler_args),
                  "controller_manager_args": list(controller_manager_args)}
        with self.place.lock():
            self.place.claim_slot()
            self.keep_options(wanted)
            control.up(self.place)
        return self

    def keep_options(self, wanted):
        if not self.place.process("etcd").pid():
            control.save_options(self.place, wanted)
        elif any(wanted.values()) and wanted != control.options(self.place):
            raise Fail(f"bed '{self.name}' is up with other options: run tools/bed --name "
                       f"{self.name} down first")

    def require_up(self):
        if self.place.find_slot() is None or not self.place.process("apiserver").pid():
            raise Fail(f"bed '{self.name}' is not up: run tools/bed --name {self.name} up")

    def stop(self, component, grace=None):
        """Ends one component: apiserver, etcd, ... or kubelet/0. API servers are killed at once."""
        with self.place.lock():
            name, slash, index = self.component(component)
            if slash:
                node.stop(self.place, name, index, 10.0 if grace is None else grace)
            else:
                control.stop(self.place, name, grace)

    def start(self, component, wait=True):
        """Starts a component again as it was; API servers are waited for."""
        with self.place.lock():
            name, slash, index = self.component(component)
            if slash:
                return node.start(self.place, name, index)
            control.start(self.place, name)
            if wait and name == "apiserver":
                control.wait_ready(self.place, name)
            if wait and name == "apiserver-second":
                control.wait_ready(self.place, name, control.second_ip(self.place))

    def component(self, text):
        name, slash, index = text.partition("/")
        known = node.DAEMONS if slash else control.COMPONENTS
        if name not in known or (slash and not index.isdigit()):
            names = [*control.COMPONENTS, *(f"{d}/I" for d in node.DAEMONS)]
            raise Fail(f"no component '{text}'; there are {', '.join(names)}")
        return name, slash, int(index or 0)

    # ---- nodes and images

    def node(self, index=0):
        """A real node nI. With node 0 come cluster DNS and ClusterIPs on the machine."""
        self.require_up()
        with self.place.lock():
            node.join(self.place, index)

    def rmnode(self, index):
        """Cuts the node's power. Its Node object and its disk stay; node() boots it again."""
        with self.place.lock():
            node.power_off(self.place, index)

    def sim(self, count, taint=False):
        self.require_up()
        with self.place.lock():
            sim.simulate(self.place, count, taint)

    def image(self, name, source, config=None):
        """An image from a root file system (directory or tar) or from an image archive."""
        self.require_up()
        with self.place.lock():
            image.add(self.place, name, source, config)

    # ---- using it

    def kubectl(self, *args, data=None, timeout=60, check=True):
        """Runs kubectl and returns what it prints."""
        return run(build.program("kubectl"), "--kubeconfig", self.kubeconfig, *args, data=data,
                   timeout=timeout, check=check)

    def inside(self, *argv):
        """The command line that runs a program beside the control plane, with cluster DNS."""
        bind = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
        return ["nsenter", f"--net=/run/netns/{self.place.netns}", "--", "unshare", "--mount",
                "--propagation", "private", "sh", "-c", bind, self.place.path("resolv.conf"),
                *(str(a) for a in argv)]

    def call_inside(self, *argv):
        return subprocess.call(self.inside(*argv))

    def processes(self):
        """(name, pid, MiB) of every daemon; pid and memory are None for one that has died."""
        return [(p.name, p.pid(), p.memory()) for p in self.place.processes()]

    # ---- the end

    def down(self):
        """Takes away everything the bed made, from the state directory and the slot alone."""
        place = self.place
        if place.find_slot() is None and not os.path.exists(place.dir):
            return
        with place.lock():
            if place.find_slot() is not None:
                self.end_all()
            place.free_slot()
            shutil.rmtree(place.dir)
        say(f"bed '{self.name}' is gone")

    def end_all(self):
        place = self.place
        slurm.SlurmBed(self.name).end_all()
        for index in node.left_over(place):
            node.power_off(place, index)
        for process in place.processes():
            process.stop(signal.SIGKILL)
        net.netns_del(place.netns)
        net.link_del(place.link)
