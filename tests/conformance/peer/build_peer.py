"""Builds the manager of slurm-operator from the Go module registry, once per user, into a cache.

A module of our own that requires nothing but the operator is what Go builds it through: its go.mod
cannot be built by `go install PACKAGE@VERSION`. Nothing of it is kept in this repository.
"""
import fcntl
import os
import pathlib
import subprocess

from bedlib.build import go_environment, go_program
from bedlib.common import Fail
from bedlib.place import cache_home

MODULE = "github.com/SlinkyProject/slurm-operator"
VERSION = "v1.0.1"
GO_MOD = f"module peer\n\ngo 1.25.0\n\nrequire {MODULE} {VERSION}\n"
BUILD_SECONDS = 1800


class CannotBuild(Exception):
    """There is no peer on this machine; says why."""


class Peer:
    """A built manager: .program, and .crds, the directory of its CRDs."""

    def __init__(self, directory, crds):
        self.program = directory / "manager"
        self.crds = crds


def run_go(go, *argv, cwd, seconds):
    env = {**go_environment(), "GOFLAGS": "-trimpath -buildvcs=false -mod=mod"}
    try:
        done = subprocess.run(["nice", "-n", "10", go, *argv], cwd=cwd, env=env, text=True,
                              capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise CannotBuild(f"go {argv[0]} took more than {seconds} s") from None
    if done.returncode:
        raise CannotBuild(f"go {argv[0]} of {MODULE} {VERSION}: {done.stderr.strip()[-400:]}")
    return done.stdout.strip()


def build():
    """The peer, or CannotBuild."""
    directory = pathlib.Path(cache_home(), "peer", VERSION)
    directory.mkdir(parents=True, exist_ok=True)
    try:
        go = go_program()
    except Fail as no:
        raise CannotBuild(str(no)) from None
    with open(directory / ".lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # who comes second finds it done
        if not (directory / "go.mod").exists():
            (directory / "go.mod").write_text(GO_MOD)
        if not (directory / "manager").exists():
            part = f"manager.part.{os.getpid()}"
            run_go(go, "build", "-ldflags", "-s -w", "-o", part, f"{MODULE}/cmd/manager",
                   cwd=directory, seconds=BUILD_SECONDS)
            os.replace(directory / part, directory / "manager")
        where = run_go(go, "list", "-m", "-f", "{{.Dir}}", MODULE, cwd=directory, seconds=120)
    return Peer(directory, pathlib.Path(where, "config/crd/bases"))
