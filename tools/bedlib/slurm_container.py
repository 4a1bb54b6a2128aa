"""Runs one program the way a container runtime would: `python3 -m bedlib.slurm_container SPEC`.

SPEC is a JSON file written by slurm_pod.py. The caller has chosen the network namespace; this
program joins the cgroups, makes mount, UTS, IPC, PID and cgroup namespaces, puts an overlay of the
root filesystem in place and supervises the program as pid 1. It also plays systemd's part of
Type=notify: Slurm's daemons, told to reconfigure, start a successor, announce it with MAINPID= and
end; whoever is announced last is the program.

It forwards TERM, INT, HUP and USR2 to the program and ends with the program's exit status. When it
is killed outright the kernel kills the whole PID namespace, and the mounts go with it.
"""
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x00020000, 0x02000000, 0x04000000
CLONE_NEWIPC, CLONE_NEWPID = 0x08000000, 0x20000000
MS_BIND, MS_REC, MS_SLAVE, MNT_DETACH = 4096, 16384, 1 << 19, 2
PR_SET_PDEATHSIG = 1
FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR2)
DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9),
           "tty": (5, 0)}
NVIDIA_MAJOR = 195
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
               "HOME": "/root", "LANG": "C.UTF-8"}


def main():
    with open(sys.argv[1]) as text:
        spec = json.load(text)
    for path in spec["cgroup_procs"]:
        with open(path, "w") as procs:
            procs.write(str(os.getpid()))
    check("unshare", LIBC.unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID
                                  | CLONE_NEWCGROUP))
    pid = os.fork()
    if pid == 0:
        init(spec)
    forward_signals(lambda: pid)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xff)


def init(spec):
    """The life of pid 1; never returns."""
    status = 1
    try:
        check("prctl", LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
        identity = own_identity()
        with open(spec["identity"], "w") as ready:
            build_root(spec)
            ready.write(identity)
        status = Supervisor(spec).run()
    except Exception as problem:  # the log is all that anybody will see of it
        print(f"{spec['name']}: {type(problem).__name__}: {problem}", file=sys.stderr, flush=True)
    os._exit(status)


def own_identity():
    """Pid and start time as the machine sees them: /proc is still the machine's."""
    with open("/proc/self/stat") as stat:
        line = stat.read()
    return f"{line.split()[0]} {line.rpartition(')')[2].split()[19]}\n"


# ---- the file system

def check(what, result):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source, target, kind=None, flags=0, data=None):
    os.makedirs(target, exist_ok=True)
    words = [word.encode() if word else None for word in (source, target, kind)]
    check(f"mount {source} on {target}", LIBC.mount(*words, ctypes.c_ulong(flags),
                                                     data.encode() if data else None))


def build_root(spec):
    root = spec["root"]
    socket.sethostname(spec["name"])
    mount("none", "/", flags=MS_REC | MS_SLAVE)
    mount("overlay", root, "overlay",
          data=f"lowerdir={':'.join(spec['lower'])},upperdir={spec['upper']},"
               f"workdir={spec['work']}")
    mount("proc", root + "/proc", "proc")
    mount("sysfs", root + "/sys", "sysfs")
    for path, mode in (("/dev", "755"), ("/dev/shm", "1777"), ("/run", "755"), ("/tmp", "1777")):
        mount("tmpfs", root + path, "tmpfs", data=f"mode={mode}")
    fill_dev(root + "/dev", spec["gpus"])
    mount_cgroups(root + "/sys/fs/cgroup", spec["cgroup_hierarchies"])
    for source, target in spec["volumes"]:
        bind(source, root + target)
    for path in spec["own_dirs"]:
        os.makedirs(root + path, exist_ok=True)
        os.chown(root + path, spec["uid"], spec["uid"])
    enter_root(root)


def fill_dev(dev, gpus):
    nodes = {**DEVICES, **{f"nvidia{i}": (NVIDIA_MAJOR, i) for i in range(gpus)}}
    for name, number in nodes.items():
        os.mknod(f"{dev}/{name}", 0o020666, os.makedev(*number))
        os.chmod(f"{dev}/{name}", 0o666)
    mount("devpts", f"{dev}/pts", "devpts", data="newinstance,ptmxmode=0666,mode=620")
    for link, target in (("ptmx", "pts/ptmx"), ("fd", "/proc/self/fd"), ("stdin", "fd/0"),
                         ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(target, f"{dev}/{link}")


def mount_cgroups(where, hierarchies):
    """Fresh mounts of version 1 hierarchies; in our cgroup namespace their root is our cgroup."""
    if hierarchies:
        mount("tmpfs", where, "tmpfs", data="mode=755")
    for controllers in hierarchies:
        mount("cgroup", f"{where}/{controllers}", "cgroup", data=controllers)
        for one in controllers.split(","):
            if one != controllers:
                os.symlink(controllers, f"{where}/{one}")


def bind(source, target):
    if not os.path.isdir(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        open(target, "a").close()
        check(f"bind {source}", LIBC.mount(source.encode(), target.encode(), None,
                                           ctypes.c_ulong(MS_BIND), None))
    else:
        mount(source, target, flags=MS_BIND)


def enter_root(root):
    os.chdir(root)
    os.makedirs(".old", exist_ok=True)
    subprocess.run(["pivot_root", ".", ".old"], check=True)
    os.chdir("/")
    check("umount /.old", LIBC.umount2(b"/.old", MNT_DETACH))
    os.rmdir("/.old")


# ---- the program

def forward_signals(target):
    def forward(number, _frame):
        try:
            os.kill(target(), number)
        except ProcessLookupError:
            pass

    for number in FORWARDED:
        signal.signal(number, forward)


class Supervisor:
    """Starts the program, follows MAINPID=, reaps everything, ends when the program has ended."""

    def __init__(self, spec):
        self.spec = spec
        self.main, self.status = None, None
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self.notices.setblocking(False)
        self.notices.bind("/run/notify")
        os.chmod("/run/notify", 0o666)
        self.wake_out, wake_in = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        forward_signals(lambda: self.main)

    def run(self):
        uid = self.spec["uid"]
        program = subprocess.Popen(
            self.spec["command"], user=uid, group=uid, extra_groups=[], cwd="/",
            stdin=subprocess.DEVNULL,
            env={**ENVIRONMENT, "NOTIFY_SOCKET": "/run/notify", **self.spec["env"]})
        self.main = program.pid
        while self.status is None:
            select.select([self.notices, self.wake_out], [], [])
            self.drain_wakeups()
            self.follow_successor()
            self.reap()
        return self.status

    def drain_wakeups(self):
        try:
            os.read(self.wake_out, 4096)
        except BlockingIOError:
            pass

    def follow_successor(self):
        """Reads what was announced; true when the program is now another, living process."""
        before = self.main
        while True:
            try:
                text = self.notices.recv(4096).decode(errors="replace")
            except BlockingIOError:
                return self.main != before and os.path.exists(f"/proc/{self.main}")
            for line in text.splitlines():
                if line.startswith("MAINPID=") and line[8:].isdigit():
                    self.main = int(line[8:])

    def reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            # The announcement was sent before this end, so it has arrived by now.
            if pid == self.main and not self.follow_successor():
                self.status = os.waitstatus_to_exitcode(status) & 0xff


if __name__ == "__main__":
    main()
