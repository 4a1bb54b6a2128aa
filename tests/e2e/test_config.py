"""Configuration is taken over by the slurmctld that runs, or kept back with the reason."""
import json

import pytest

from cluster import wait_for


def set_conf(cluster, text):
    cluster.kubectl("patch", "controller", "slurm", "--type=merge", "-p",
                    json.dumps({"spec": {"extraConf": text}}))


@pytest.fixture
def conf(workers):
    """slurm.conf as the chart wrote it, and again after the test."""
    text = workers.get("controller", "slurm")["spec"]["extraConf"]
    yield text
    set_conf(workers, text)
    wait_for("the old configuration", lambda: workers.condition(
        "controller", "slurm", "ConfigApplied")[1] == "Applied", 90)


def test_changed_configuration_is_read_in_place(workers, conf):
    before, number = workers.uid("slurm-controller-0"), workers.busy()
    set_conf(workers, conf + "\nMaxArraySize=777\n")
    wait_for("slurmctld to have it", lambda: workers.setting("MaxArraySize") == "777", 90)
    wait_for("the Controller to say so", lambda: workers.condition(
        "controller", "slurm", "ConfigApplied")[:2] == ("True", "Applied"))
    assert workers.uid("slurm-controller-0") == before
    workers.finish(number)


def test_configuration_that_slurm_would_refuse_is_kept_back(workers, conf):
    before = workers.get("configmap", "slurm-config")["data"]
    set_conf(workers, conf + "\nSchedulerTyp=sched/backfill\n")
    told = wait_for("the refusal", lambda: [c for c in [workers.condition(
        "controller", "slurm", "ConfigApplied")] if c[1] == "Refused"])[0]
    assert told[0] == "False" and "SchedulerTyp is not a key" in told[2], told
    assert workers.get("configmap", "slurm-config")["data"] == before
    assert workers.controller("scontrol", "ping").count("UP") == 1
