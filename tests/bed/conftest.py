"""Beds for the tests of the bed itself: each run has names of its own, and takes them away."""
import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from bedlib import Bed, build  # noqa: E402


def pytest_collection_modifyitems(items):
    if os.geteuid() != 0:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="a bed needs root: use sudo"))


def bed_named(word):
    return Bed(f"test-{os.getpid()}-{word}")


@pytest.fixture(scope="session")
def first():
    """A control plane with two API servers and one real node."""
    bed = bed_named("first")
    try:
        bed.up(second_apiserver=True)
        bed.node(0)
        yield bed
    finally:
        bed.down()


@pytest.fixture(scope="session")
def second():
    """A control plane beside the first, without streaming lists."""
    bed = bed_named("second")
    try:
        bed.up(feature_gates=["WatchList=false"])
        yield bed
    finally:
        bed.down()


@pytest.fixture
def fresh():
    """A bed of which nothing exists yet."""
    bed = bed_named("fresh")
    build.build()
    try:
        yield bed
    finally:
        bed.down()


@pytest.fixture(scope="session")
def tool():
    return str(ROOT / "tools/bed")
