"""What a bed has left on the machine, by everything that carries its slot or its directory."""
import glob
import os
import subprocess


def ip(*words):
    return subprocess.run(["ip", "-o", *words], capture_output=True, text=True, check=True).stdout


def netns_of(pid):
    try:
        return os.stat(f"/proc/{pid}/ns/net").st_ino
    except OSError:
        return None


def processes(directory, netns_inodes):
    """Processes that name the bed's directory or are in one of its network namespaces."""
    for path in glob.glob("/proc/[0-9]*"):
        pid = int(path[6:])
        try:
            with open(f"{path}/cmdline", "rb") as line:
                words = line.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words and (directory in words or netns_of(pid) in netns_inodes):
            yield f"process {pid}: {words[:80]}"


class Traces:
    """Remembers how a bed is called while it is up, so that it can look for it afterwards."""

    def __init__(self, bed):
        place = bed.place
        self.dir, self.name, self.slot = place.dir, place.netns, place.slot
        self.net = place.address(0).rpartition(".0.")[0] + "."
        self.inodes = {os.stat(path).st_ino for path in self.namespaces()}

    def namespaces(self):
        own = f"/run/netns/{self.name}"
        return glob.glob(own) + glob.glob(own + "-*")

    def left(self):
        with open("/proc/self/mountinfo") as mounts:
            mounted = [line.strip() for line in mounts if self.dir in line]
        words = f" {self.name}:", f" {self.name}@"
        links = [line for line in ip("link").splitlines() if any(w in line for w in words)]
        routes = [line for line in ip("route").splitlines() if line.startswith(self.net)]
        cgroups = glob.glob(f"/sys/fs/cgroup/*/{self.name}-*") + \
            glob.glob(f"/sys/fs/cgroup/{self.name}-*")
        files = [path for path in (self.dir, f"/run/windlass/bed/{self.slot}")
                 if os.path.lexists(path) and self.is_ours(path)]
        return (self.namespaces() + mounted + links + routes + cgroups + files
                + list(processes(self.dir, self.inodes)))

    def is_ours(self, path):
        return not os.path.islink(path) or os.readlink(path) == self.dir
