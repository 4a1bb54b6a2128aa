"""Conformance with the Go operator: its manager and ours are given the same resources."""
import glob
import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools"), str(HERE)]

import build_peer  # noqa: E402
from bedlib import Bed  # noqa: E402
from world import World  # noqa: E402


@pytest.fixture(scope="session")
def peer():
    if os.geteuid() != 0:
        pytest.skip("a bed needs root")
    try:
        return build_peer.build()
    except build_peer.CannotBuild as why:
        pytest.skip(f"without the peer: {why}")


@pytest.fixture(scope="session")
def windlass():
    """The program, of $BUILD or of whichever build was made last."""
    named = os.environ.get("BUILD", "build*")
    found = sorted(glob.glob(str(ROOT / named / "cmd/windlass")), key=os.path.getmtime)
    if not found:
        pytest.skip("windlass is not built: run make first")
    return found[-1]


@pytest.fixture
def world(peer, tmp_path):
    """A fresh cluster for each test, without nodes."""
    bed = Bed(f"peer-{os.getpid()}")
    try:
        yield World(bed.up(), tmp_path)
    finally:
        bed.down()
