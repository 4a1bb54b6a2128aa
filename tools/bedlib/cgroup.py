"""The cgroup of a node: one directory per v1 hierarchy, or one in the unified tree."""
import glob
import os
import time

from .common import Fail, read

ROOT = "/sys/fs/cgroup"


def is_unified():
    return os.path.exists(f"{ROOT}/cgroup.controllers")


def directories(name):
    if is_unified():
        return [f"{ROOT}/{name}"]
    found = sorted({os.path.realpath(d) for d in glob.glob(f"{ROOT}/*") if os.path.isdir(d)})
    return [f"{d}/{name}" for d in found if os.path.exists(f"{d}/cgroup.procs")]


def make(name):
    for directory in directories(name):
        os.makedirs(directory, exist_ok=True)
        for part in ("cpuset.cpus", "cpuset.mems"):  # v1: empty in a new cgroup, nothing may enter
            path = f"{directory}/{part}"
            if not is_unified() and os.path.exists(path):
                with open(path, "w") as out:
                    out.write(read(f"{os.path.dirname(directory)}/{part}").strip())
    if is_unified():
        hand_down(ROOT)


def hand_down(directory):
    """Lets the cgroups below use every controller this one has."""
    for controller in read(f"{directory}/cgroup.controllers").split():
        try:
            with open(f"{directory}/cgroup.subtree_control", "w") as out:
                out.write(f"+{controller}")
        except OSError:
            pass  # rt threads keep cpu at the root; kubelet says what it misses


def procs_files(name, leaf=""):
    """Where a process writes its pid to enter; `leaf` lies below, on unified trees only."""
    tail = f"/{leaf}" if leaf and is_unified() else ""
    return [f"{d}{tail}/cgroup.procs" for d in directories(name)]


def remove(name):
    """Takes the tree away, leaves first; dying processes may hold it for a moment."""
    for top in directories(name):
        for attempt in range(100):
            for directory, _, _ in os.walk(top, topdown=False):
                try:
                    os.rmdir(directory)
                except OSError:
                    pass
            if not os.path.exists(top):
                break
            time.sleep(0.05)
        else:
            raise Fail(f"cgroup {top} is still in use by {read(top + '/cgroup.procs')!r}")


def named(prefix):
    """Names of cgroups that begin with a prefix, for cleaning up after a crash."""
    pattern = f"{ROOT}/{prefix}*" if is_unified() else f"{ROOT}/*/{prefix}*"
    return sorted({os.path.basename(d) for d in glob.glob(pattern) if os.path.isdir(d)})
