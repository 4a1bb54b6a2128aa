"""The end: nothing stays behind, whatever happened before."""
import contextlib
import os
import signal
import subprocess
import time

import pytest

from bedlib import Bed, Fail
from bedlib.place import slot_is_held
from traces import Traces


def test_down_leaves_nothing(fresh):
    fresh.up()
    fresh.node(0)
    fresh.node(1)
    traces = Traces(fresh)
    seen = " ".join(traces.left())
    for part in ("/run/netns/", "process ", "/sys/fs/cgroup/", fresh.dir):
        assert part in seen, f"the test would not notice a forgotten {part}"
    fresh.down()
    assert traces.left() == []


def test_down_after_everything_was_killed(fresh):
    fresh.up()
    fresh.node(0)
    traces = Traces(fresh)
    for _, pid, _ in fresh.processes():
        with contextlib.suppress(ProcessLookupError):  # the end of one may be the end of another
            os.kill(pid, signal.SIGKILL)
    Bed(fresh.name).down()
    assert traces.left() == []


def test_down_without_the_state_directory(fresh):
    """Only the slot tells then which names were in use."""
    fresh.up()
    traces = Traces(fresh)
    os.rename(fresh.dir, fresh.dir + ".away")
    try:
        Bed(fresh.name).down()
        assert traces.left() == []
    finally:
        subprocess.run(["rm", "-rf", fresh.dir + ".away"], check=True)


@pytest.mark.parametrize("seconds", [0.3, 1.2])
def test_down_after_up_was_killed_half_way(fresh, tool, seconds):
    with subprocess.Popen([tool, "--name", fresh.name, "up"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as up:
        time.sleep(seconds)
        up.kill()
    held = fresh.place.find_slot() is not None
    traces = Traces(fresh) if held else None
    fresh.down()
    assert not os.path.exists(fresh.dir)
    assert traces is None or traces.left() == []


def test_down_of_nothing_is_no_error(fresh):
    fresh.down()
    fresh.down()


def test_a_bed_that_is_not_up_says_so(fresh):
    with pytest.raises(Fail, match="is not up: run tools/bed"):
        fresh.node(0)


@pytest.mark.parametrize("name", ["", "..", "a/b", "Upper", "x" * 41])
def test_a_name_that_could_leave_the_state_directory_is_refused(name, monkeypatch):
    monkeypatch.delenv("WINDLASS_BED", raising=False)
    if name:
        with pytest.raises(Fail, match="bed name"):
            Bed(name)
    else:
        assert Bed(name).name == "default"


def test_a_slot_without_a_bed_is_given_up(fresh):
    with fresh.place.lock():
        slot = fresh.place.claim_slot()
    assert slot_is_held(slot)
    os.unlink(fresh.place.path("lock"))
    os.rmdir(fresh.dir)
    assert not slot_is_held(slot)
    assert fresh.place.find_slot() is None
