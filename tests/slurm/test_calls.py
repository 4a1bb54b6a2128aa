"""Every call of the client, on a real cluster."""
import time

import pytest


@pytest.fixture
def job(bed, slurm, until):
    """Submits a job and cancels it at the end."""
    ids = []

    def submit(script="sleep 300", nodes="", wait="RUNNING"):
        reply = slurm.ask("submit", script, nodes)
        assert reply["answer"] == "yes", reply
        ids.append(str(reply["id"]))
        until(wait, lambda: wait in slurm.ask("job", ids[-1])["job"]["state"])
        return ids[-1]

    yield submit
    for one in ids:
        slurm.ask("cancel", one)
    until("an empty queue", lambda: "running" not in str(slurm.ask("jobs")).lower()
          and "COMPLETING" not in str(slurm.ask("jobs")))


def test_the_newest_version_is_found(bed, slurm):
    assert slurm.ask("version")["version"] == int(bed.api_versions()[-1][len("v0.0."):])


def test_the_cluster_answers(slurm):
    assert slurm.ask("ping") == {"answer": "yes"}
    diag = slurm.ask("diag")
    assert diag["answer"] == "yes" and diag["threads"] > 0 and diag["types"] > 0
    partitions = slurm.ask("partitions")["partitions"]
    assert {"name": "all", "nodes": "worker-[0-1]", "state": "UP", "node_count": 2,
            "max_minutes": -1} in partitions
    assert slurm.ask("licenses")["answer"] == "yes"
    assert "root" in slurm.ask("shares")["users"]


def test_nodes_all_one_and_some(slurm):
    nodes = slurm.ask("nodes")
    assert nodes["answer"] == "yes"
    assert sorted(node["name"] for node in nodes["nodes"]) == ["worker-0", "worker-1"]
    node = slurm.node("worker-0")
    assert node["cpus"] > 0 and node["memory"] > 0 and "worker" in node["features"]
    missing = slurm.ask("node", "worker-9")
    assert (missing["answer"], missing["errno"]) == ("no", "ENOENT")
    some = slurm.ask("nodes", "worker-[1-3]")
    assert some["answer"] == "no" and some["missing"] == ["worker-2", "worker-3"]
    assert [node["name"] for node in some["nodes"]] == ["worker-1"]


def test_fields_of_a_node_are_changed(slurm):
    assert slurm.ask("change", "worker-0", "comment=a \"quoted\" text", "extra=x",
                     "features=worker,k8s/a", "active_features=worker,k8s/a",
                     "topology=default:x")["answer"] == "yes"
    node = slurm.node("worker-0")
    assert node["comment"] == 'a "quoted" text' and node["active_features"] == "worker,k8s/a"
    assert node["topology"] == "default:x"
    assert slurm.ask("change", "worker-0", "comment=", "features=", "active_features=",
                     "topology=")["answer"] == "yes"
    node = slurm.node("worker-0")
    assert (node["comment"], node["features"], node["topology"]) == ("", "", "")
    assert slurm.ask("change", "worker-0", "features=worker",
                     "active_features=worker")["answer"] == "yes"


def test_many_nodes_are_changed_in_one_call(slurm):
    reply = slurm.ask("change", "worker-[0-1]", "comment=both")
    assert reply["answer"] == "yes" and reply["done"] == ["worker-0", "worker-1"]
    reply = slurm.ask("change", "worker-[0-4]", "comment=some")
    assert reply["answer"] == "no" and reply["number"] == 2018
    assert reply["done"] == ["worker-0", "worker-1"]
    assert reply["missing"] == ["worker-2", "worker-3", "worker-4"]
    assert slurm.node("worker-1")["comment"] == "some"


def test_a_state_that_fits_only_some_nodes(slurm, until):
    assert slurm.ask("change", "worker-0", "state=DRAIN", "reason=windlass: x")["answer"] == "yes"
    # Slurm resumes worker-0 and refuses worker-1, which was never down: both are as asked
    reply = slurm.ask("change", "worker-[0-1]", "state=RESUME")
    assert reply["answer"] == "yes" and reply["done"] == ["worker-0", "worker-1"], reply
    reply = slurm.ask("change_one", "worker-1", "state=RESUME")
    assert (reply["answer"], reply["number"]) == ("no", 2180)
    reply = slurm.ask("change", "worker-[0-1]", "state=SLEEPY")
    assert (reply["answer"], reply["number"]) == ("no", 9207)
    assert reply["refused"] == ["worker-0", "worker-1"]
    until("idle", lambda: slurm.node("worker-0")["idle"] == "yes")


def test_a_drained_node_is_undrained_by_who_drained_it_and_nobody_else(bed, slurm, until):
    assert slurm.ask("drain", "worker-0", "for a test")["called"] == 1
    node = slurm.node("worker-0")
    assert node["drained"] == "yes" and node["reason"] == "windlass: for a test"
    assert slurm.ask("drain", "worker-0", "for a test")["called"] == 0
    assert slurm.ask("undrain", "worker-0")["called"] == 1
    assert slurm.node("worker-0")["drained"] == "no"

    bed.ex("slurmctld", "scontrol", "update", "nodename=worker-0", "state=drain",
           "reason=broken fan")
    assert slurm.ask("undrain", "worker-0")["called"] == 0
    node = slurm.node("worker-0")
    assert node["drained"] == "yes" and node["reason"] == "broken fan"
    bed.ex("slurmctld", "scontrol", "update", "nodename=worker-0", "state=resume")
    until("idle", lambda: slurm.node("worker-0")["idle"] == "yes")


def test_a_node_under_a_job_is_draining_until_the_job_ends(slurm, job, until):
    job_id = job(nodes="worker-0")
    assert slurm.node("worker-0")["busy"] == "yes"
    assert slurm.ask("drain", "worker-0", "busy")["answer"] == "yes"
    node = slurm.node("worker-0")
    assert (node["busy"], node["drained"]) == ("yes", "no") and "DRAIN" in node["state"]
    refused = slurm.ask("node_delete", "worker-0")
    assert (refused["answer"], refused["errno"], refused["number"]) == ("no", "EBUSY", 2016)
    assert slurm.ask("cancel", job_id)["answer"] == "yes"
    until("drained", lambda: slurm.node("worker-0")["drained"] == "yes")
    assert slurm.ask("undrain", "worker-0")["answer"] == "yes"
    until("idle", lambda: slurm.node("worker-0")["idle"] == "yes")


def test_jobs_by_node_user_and_state(bed, slurm, job):
    job_id = int(job(nodes="worker-1"))
    assert [one["id"] for one in slurm.ask("jobs", "node=worker-1")["jobs"]] == [job_id]
    assert slurm.ask("jobs", "node=worker-0")["jobs"] == []
    assert job_id in [one["id"] for one in slurm.ask("jobs", "user=slurm", "state=RUNNING")["jobs"]]
    assert slurm.ask("jobs", "user=nobody") == {"answer": "yes", "jobs": []}
    one = slurm.ask("job", str(job_id))["job"]
    assert one["nodes"] == "worker-1" and one["started"] > 0 and one["minutes"] == 5
    assert slurm.ask("job", "99999")["errno"] == "ENOENT"


def test_a_job_is_held_released_requeued_and_cancelled(slurm, job, until):
    job_id = job(nodes="worker-0")
    assert slurm.ask("requeue", job_id, "hold")["answer"] == "yes"
    until("held", lambda: slurm.ask("job", job_id)["job"]["state_reason"].startswith("JobHeld"),
          timeout=60)
    assert slurm.ask("release", job_id)["answer"] == "yes"
    until("released",
          lambda: not slurm.ask("job", job_id)["job"]["state_reason"].startswith("JobHeld"))
    assert slurm.ask("hold", job_id)["answer"] == "yes"
    assert slurm.ask("cancel", job_id)["answer"] == "yes"
    until("cancelled", lambda: "CANCELLED" in slurm.ask("job", job_id)["job"]["state"])
    again = slurm.ask("cancel", job_id)
    assert (again["answer"], again["errno"]) == ("no", "EALREADY")
    assert slurm.ask("cancel", "99999")["errno"] == "ENOENT"
    assert slurm.ask("requeue", "99999")["errno"] == "ENOENT"


def test_a_reservation_is_made_changed_and_deleted(slurm):
    assert slurm.ask("reservation", "plan")["answer"] == "no"
    assert slurm.ask("reserve", "plan", "worker-0", "3600", "1h")["answer"] == "yes"
    made = slurm.ask("reservation", "plan")["reservation"]
    assert made["nodes"] == "worker-0" and "MAINT" in made["flags"]
    assert made["end"] - made["start"] == 3600 and made["start"] > time.time() + 3000
    assert slurm.ask("reserve", "plan", "worker-[0-1]", "", "2h")["answer"] == "yes"
    changed = slurm.ask("reservation", "plan")["reservation"]
    assert changed["nodes"] == "worker-[0-1]" and changed["end"] - changed["start"] == 7200
    assert [r["name"] for r in slurm.ask("reservations")["reservations"]] == ["plan"]
    assert slurm.ask("reserve", "other", "worker-9", "3600", "1h")["answer"] == "no"
    assert slurm.ask("unreserve", "plan") == {"answer": "yes"}
    assert slurm.ask("unreserve", "plan")["errno"] == "ENOENT"
    assert slurm.ask("reservations")["reservations"] == []


def test_a_node_is_created_and_deleted(slurm):
    line = "NodeName=cloud-0 CPUs=2 State=CLOUD Features=cloud"
    assert slurm.ask("node_create", line)["answer"] == "yes"
    assert "CLOUD" in slurm.node("cloud-0")["state"]
    again = slurm.ask("node_create", line)
    assert again["answer"] == "no", again
    assert slurm.ask("node_delete", "cloud-0") == {"answer": "yes"}
    assert slurm.ask("node_delete", "cloud-0")["errno"] == "ENOENT"


def test_a_deleted_node_registers_again(bed, slurm, until):
    assert slurm.ask("node_delete", "worker-1")["answer"] == "yes"
    assert slurm.ask("node", "worker-1")["answer"] == "no"
    bed.restart("worker-1")
    until("worker-1", lambda: slurm.ask("node", "worker-1")["answer"] == "yes")
    until("idle", lambda: slurm.node("worker-1")["idle"] == "yes")


def test_accounting_answers(slurm, job, until):
    assert slurm.ask("db_ping") == {"answer": "yes"}
    lists = slurm.ask("db_lists")
    assert lists["answer"] == "yes" and lists["qos"] == "normal" and lists["associations"] > 0
    job_id = job("true", wait="COMPLETED")
    until("accounted", lambda: slurm.ask("db_job", job_id)["answer"] == "yes")
    one = slurm.ask("db_job", job_id)["jobs"][-1]
    assert one["name"] == "driver" and one["tres"].startswith("cpu=")
    until("ended", lambda: slurm.ask("db_job", job_id)["jobs"][-1]["ended"] > 0)
    history = slurm.ask("db_jobs", "slurm")
    assert int(job_id) in [one["id"] for one in history["jobs"]]
    assert slurm.ask("db_job", "99999")["errno"] == "ENOENT"
