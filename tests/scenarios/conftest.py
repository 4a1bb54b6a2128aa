"""One bed for all scenarios, one operator for each suite."""
import os
import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path[:0] = [str(TESTS), str(ROOT / "tools")]

from bedlib import Bed  # noqa: E402
from support import scenario as scenarios  # noqa: E402
from support.runner import Session  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--scenario", action="append", default=[], metavar="PATH",
                     help="only these files or directories")
    parser.addoption("--every-fault", action="store_true",
                     help="every call meets every fault, not two of them")
    parser.addoption("--bed", default=os.environ.get("SCENARIO_BED"), metavar="NAME",
                     help="a bed that is up and stays up, instead of one of our own")
    parser.addoption("--build", default=os.environ.get("BUILD", "build-asan"), metavar="DIR",
                     help="where the programs are")


def chosen(config):
    named = [pathlib.Path(word).resolve() for word in config.getoption("--scenario")]
    for path in scenarios.find(TESTS / "scenarios"):
        if not named or any(path == name or name in path.parents for name in named):
            yield path


def pytest_generate_tests(metafunc):
    if "scenario_path" not in metafunc.fixturenames:
        return
    top = TESTS / "scenarios"
    cases = [(scenarios.suite_of(path, top), path) for path in chosen(metafunc.config)]
    cases.sort()
    metafunc.parametrize("suite_path, scenario_path", cases,
                         ids=[str(path.relative_to(top))[:-5] for _, path in cases])


def pytest_collection_modifyitems(items):
    if os.geteuid() != 0:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="a bed needs root: use sudo"))


@pytest.fixture(scope="session")
def bed(request):
    name = request.config.getoption("--bed")
    bed = Bed(name or f"scenarios-{os.getpid()}")
    try:
        bed.up()
        yield bed
    finally:
        if not name:
            bed.down()


class Sessions:
    """One suite's operator at a time: cases come sorted by suite."""

    def __init__(self, bed, build, make_directory):
        self.bed, self.build, self.make_directory = bed, build, make_directory
        self.path = self.running = None

    def of(self, path):
        if path != self.path:
            self.stop()
            suite = scenarios.Suite(path, ROOT)
            self.running = Session(self.bed, suite, str(self.make_directory(suite.name)), self.build)
            self.path = path
        return self.running

    def stop(self):
        running, self.running, self.path = self.running, None, None
        if running:
            running.stop()


@pytest.fixture(scope="session")
def sessions(bed, request, tmp_path_factory):
    every = Sessions(bed, ROOT / request.config.getoption("--build"), tmp_path_factory.mktemp)
    try:
        yield every
    finally:
        every.stop()


@pytest.fixture
def session(sessions, suite_path):
    return sessions.of(suite_path)
