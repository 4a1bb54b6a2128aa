"""The same client with an older Slurm, and with the oldest data API that it speaks."""
import os

import pytest
from conftest import Driver

from bedlib.slurm import SlurmBed

SUITE = "trixie"  # Slurm 24.11, the last in Debian that serves v0.0.41


@pytest.fixture(scope="module")
def old_bed():
    bed = SlurmBed(f"slurm-old-{os.getpid()}")
    try:
        bed.up(nodes=2, suite=SUITE)
        yield bed
    finally:
        bed.down()


@pytest.fixture(scope="module", params=[41, 42])
def version(request):
    return request.param


@pytest.fixture
def old(old_bed, version):
    driver = Driver(old_bed, newest=version, keep=3, refresh="1s")
    yield driver
    driver.close()


def test_the_version_is_found(old, version):
    assert old.ask("version")["version"] == version
    assert old.ask("ping")["answer"] == "yes"
    assert old.ask("db_ping")["answer"] == "yes"


def test_the_cluster_and_its_accounting_answer(old):
    assert old.ask("diag")["answer"] == "yes"
    assert {"all"} <= {one["name"] for one in old.ask("partitions")["partitions"]}
    assert old.ask("licenses")["answer"] == "yes"
    assert "root" in old.ask("shares")["users"]
    assert old.ask("db_lists")["answer"] == "yes"


def test_nodes_are_read_and_changed(old, until):
    assert len(old.ask("nodes")["nodes"]) == 2
    assert old.ask("node", "worker-9")["answer"] == "no"
    reply = old.ask("change", "worker-[0-3]", "state=DRAIN", "reason=windlass: old")
    assert (reply["done"], reply["missing"]) == (["worker-0", "worker-1"], ["worker-2", "worker-3"])
    assert all(node["drained"] == "yes" for node in old.ask("fresh", "1")["nodes"])
    assert old.ask("change", "worker-[0-1]", "state=UNDRAIN")["answer"] == "yes"
    until("idle", lambda: {node["idle"] for node in old.ask("fresh", "1")["nodes"]} == {"yes"})
    assert old.ask("change", "worker-9", "comment=x")["missing"] == ["worker-9"]


def test_the_snapshot_stays_fresh_without_conditional_lists(old, until):
    until("a snapshot", lambda: old.ask("view")["answer"] == "yes")
    for _ in range(3):
        view = old.ask("fresh")
        assert view["answer"] == "yes" and len(view["nodes"]) == 2, view


def test_a_job_runs_and_is_cancelled(old, until):
    job = str(old.ask("submit", "sleep 100", "worker-0")["id"])
    until("running", lambda: old.ask("job", job)["job"]["state"] == "RUNNING")
    assert old.ask("jobs", "node=worker-0")["jobs"][0]["id"] == int(job)
    assert old.ask("node_delete", "worker-0")["errno"] == "EBUSY"
    assert old.ask("requeue", job)["errno"] == "EOPNOTSUPP"
    assert old.ask("cancel", job)["answer"] == "yes"
    until("cancelled", lambda: "CANCELLED" in old.ask("job", job)["job"]["state"])
    until("idle", lambda: {node["idle"] for node in old.ask("fresh", "1")["nodes"]} == {"yes"})
    until("accounted", lambda: old.ask("db_job", job)["answer"] == "yes")


def test_reservations_can_be_read_but_not_made(old):
    assert old.ask("reservations") == {"answer": "yes", "reservations": []}
    assert old.ask("reservation", "none")["answer"] == "no"
    assert old.ask("reserve", "plan", "worker-0", "3600", "1h")["errno"] == "EOPNOTSUPP"
