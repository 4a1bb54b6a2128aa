"""A real Slurm cluster, and the Slurm client as a program that talks to it."""
import glob
import json
import os
import pathlib
import select
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from bedlib.slurm import SlurmBed  # noqa: E402


def pytest_collection_modifyitems(items):
    if os.geteuid() != 0:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="a bed makes namespaces: needs root"))


def find_driver():
    """The driver of the build directory that was built last."""
    named = os.environ.get("WINDLASS_SLURM_DRIVER")
    built = [named] if named else glob.glob(str(ROOT / "build*/tests/slurm/slurm_driver"))
    if not built:
        pytest.exit("no slurm_driver in any build*/tests/slurm: build it first, with `make`", 2)
    return max(built, key=os.path.getmtime)


class Driver:
    """One process of the driver; `ask("node", "worker-0")` is one call of the client."""

    def __init__(self, bed, token=None, user="slurm", url=None, **options):
        source = token if token else ["key", bed.jwt_key, user]
        self.process = subprocess.Popen(
            ["nsenter", f"--net={bed.netns_path}", find_driver(), url or bed.url, *source,
             *(f"{name}={value}" for name, value in options.items())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *words):
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()

    def receive(self, timeout=60):
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            raise TimeoutError("the driver does not answer")
        return json.loads(self.process.stdout.readline())

    def ask(self, *words, timeout=60):
        self.send(*words)
        return self.receive(timeout)

    def node(self, name):
        reply = self.ask("node", name)
        assert reply["answer"] == "yes", reply
        return reply["node"]

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=60) == 0, "the driver ended badly, see its stderr"


@pytest.fixture(scope="module")
def bed():
    bed = SlurmBed(f"slurm-{os.getpid()}")
    try:
        bed.up(nodes=2)
        yield bed
    finally:
        bed.down()


@pytest.fixture
def start(bed):
    """Starts drivers that end with the test."""
    drivers = []

    def start_one(**options):
        drivers.append(Driver(bed, **options))
        return drivers[-1]

    yield start_one
    for driver in drivers:
        driver.close()


@pytest.fixture
def slurm(start):
    return start()


@pytest.fixture
def until():
    """Waits, within bounds, until a question about the cluster is answered as hoped."""

    def wait(what, question, timeout=30):
        end = time.monotonic() + timeout
        while not (last := question()):
            assert time.monotonic() < end, f"{what}: not within {timeout} s"
            time.sleep(0.2)
        return last

    return wait
