"""The slurmrestd of paper answers as the recorded one did: the same members, words and refusals."""
import pathlib
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.paper_slurm import Slurm, expand, recorded  # noqa: E402

PATH = "/slurm/v0.0.44"


@pytest.fixture
def slurm():
    one = Slurm()
    for name in ("w-0", "w-1", "w-2"):
        one.register(name)
    return one


def state(slurm, name):
    return slurm.nodes[name]["state"]


def change(slurm, names, **body):
    return slurm.answer("POST", f"{PATH}/nodes/", {"name": [names], **body})


@pytest.mark.parametrize("hosts, names", [
    ("w-0", ["w-0"]), ("w-[0-2,5],x", ["w-0", "w-1", "w-2", "w-5", "x"]), ("w-[08-10]", ["w-08", "w-09", "w-10"])])
def test_a_host_list_names_its_hosts(hosts, names):
    assert list(expand(hosts)) == names


@pytest.mark.parametrize("path, name, key", [("nodes", "nodes-one", "nodes"), ("jobs", "jobs-running", "jobs")])
def test_a_list_has_the_members_of_the_recording(slurm, path, name, key):
    slurm.run_job("w-0", 60)
    status, reply = slurm.answer("GET", f"{PATH}/{path}/", None)
    real = recorded(name)
    assert status == real["status"]
    assert set(reply) <= set(real["reply"])
    assert set(reply[key][0]) == set(real["reply"][key][0])


def test_a_list_that_has_not_changed_says_so_as_recorded(slurm):
    later = int(time.time()) + 60
    for path, name in (("nodes", "nodes-unchanged"), ("jobs", "jobs-unchanged")):
        status, reply = slurm.answer("GET", f"{PATH}/{path}/?update_time={later}", None)
        assert (status, reply or "") == (recorded(name)["status"], recorded(name)["reply"])


def test_a_change_of_many_nodes_is_done_to_all_or_to_none(slurm):
    assert change(slurm, "w-[0-3]", state=["DRAIN"], reason="x")[0] == recorded("node-update-missing")["status"]
    assert "DRAIN" not in state(slurm, "w-0")
    assert change(slurm, "w-[0-2]", state=["DRAIN"], reason="x")[0] == recorded("nodes-update-many")["status"]
    assert all("DRAIN" in state(slurm, f"w-{i}") for i in range(3))


def test_a_node_that_is_down_stays_so_until_it_is_resumed(slurm):
    slurm.set("w-0", "DOWN+DRAIN", "bad fan")
    slurm.register("w-0")
    assert state(slurm, "w-0")[:2] == ["DOWN", "DRAIN"]
    change(slurm, "w-0", state=["RESUME"])
    assert state(slurm, "w-0")[0] == "IDLE" and "DRAIN" not in state(slurm, "w-0")
    assert slurm.nodes["w-0"]["reason"] == ""


def test_whoever_asks_while_slurmctld_is_away_is_told_as_recorded(slurm):
    slurm.away = True
    assert slurm.answer("GET", f"{PATH}/nodes/", None) == (502, recorded("nodes-slurmctld-down")["reply"])


def test_one_node_is_answered_alone_and_a_missing_one_as_recorded(slurm):
    assert [node["name"] for node in slurm.answer("GET", f"{PATH}/node/w-1", None)[1]["nodes"]] == ["w-1"]
    missing = recorded("node-missing")
    assert slurm.answer("GET", f"{PATH}/node/nosuch", None) == (missing["status"], missing["reply"])
