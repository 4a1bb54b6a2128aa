"""Which cgroups (version 1) of this machine a worker's slurmd can use from inside its pod."""
from .common import read

WANTED = {"cpu", "cpuacct", "cpuset", "memory", "devices", "freezer", "pids"}


def hierarchies():
    """Sets of controllers as this machine has them mounted, such as "cpu,cpuacct"."""
    found = []
    for line in read("/proc/self/mountinfo").splitlines():
        kind, _, options = line.partition(" - ")[2].split()[:3]
        controllers = [word for word in options.split(",") if word in WANTED]
        if kind == "cgroup" and controllers:
            found.append(",".join(controllers))
    return found


def is_usable():
    """Whether this machine has every controller that Slurm's cgroup/v1 plugin wants."""
    return WANTED <= {name for names in hierarchies() for name in names.split(",")}
