"""Builds programs of slurm-operator from the Go module registry, once per user, into a cache.

A module of our own that requires nothing but the operator is what Go builds them through: its go.mod
cannot be built by `go install PACKAGE@VERSION`. Nothing of it is kept in this repository. By itself
(`build_peer.py webhook`) it prints the path of the program.
"""
import collections
import fcntl
import os
import pathlib
import subprocess
import sys

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

from bedlib.build import go_environment, go_program
from bedlib.common import Fail
from bedlib.place import cache_home

MODULE = "github.com/SlinkyProject/slurm-operator"
CLIENT = "github.com/SlinkyProject/slurm-client"
BUILD_SECONDS = 1800

# 1.1.0 asks for a version of slurm-client that the registry does not have. Its webhook does not use
# it, so any will do; its manager does, so that is of the last release that can be built.
Program = collections.namedtuple("Program", "version more")
PROGRAMS = {"manager": Program("v1.0.1", ""),
            "webhook": Program("v1.1.0", f"\nreplace {CLIENT} => {CLIENT} v1.0.1\n")}


class CannotBuild(Exception):
    """There is no peer on this machine; says why."""


class Peer:
    """A built program: .program, and .crds, the directory of its CRDs."""

    def __init__(self, program, crds):
        self.program = program
        self.crds = crds


def run_go(go, *argv, cwd, seconds):
    env = {**go_environment(), "GOFLAGS": "-trimpath -buildvcs=false -mod=mod"}
    try:
        done = subprocess.run(["nice", "-n", "10", go, *argv], cwd=cwd, env=env, text=True,
                              capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise CannotBuild(f"go {argv[0]} took more than {seconds} s") from None
    if done.returncode:
        raise CannotBuild(f"go {argv[0]} of {MODULE}: {done.stderr.strip()[-400:]}")
    return done.stdout.strip()


def build(name="manager"):
    """A program of the peer, or CannotBuild."""
    version, more = PROGRAMS[name]
    directory = pathlib.Path(cache_home(), "peer", version)
    directory.mkdir(parents=True, exist_ok=True)
    try:
        go = go_program()
    except Fail as no:
        raise CannotBuild(str(no)) from None
    with open(directory / ".lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # who comes second finds it done
        if not (directory / "go.mod").exists():
            (directory / "go.mod").write_text(
                f"module peer\n\ngo 1.25.0\n\nrequire {MODULE} {version}\n{more}")
        if not (directory / name).exists():
            part = f"{name}.part.{os.getpid()}"
            run_go(go, "build", "-ldflags", "-s -w", "-o", part, f"{MODULE}/cmd/{name}",
                   cwd=directory, seconds=BUILD_SECONDS)
            os.replace(directory / part, directory / name)
        where = run_go(go, "list", "-m", "-f", "{{.Dir}}", MODULE, cwd=directory, seconds=120)
    return Peer(directory / name, pathlib.Path(where, "config/crd/bases"))


if __name__ == "__main__":
    print(build(sys.argv[1]).program)
