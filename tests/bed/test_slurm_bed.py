"""The Slurm half of the bed does what its page says, on a real cluster."""
import os
import subprocess
import sys

import pytest

TOOLS = os.path.join(os.path.dirname(__file__), "..", "..", "tools")
sys.path.insert(0, os.path.abspath(TOOLS))

from bedlib.common import Fail, wait_for  # noqa: E402
from bedlib.slurm import SlurmBed  # noqa: E402

API = "/slurm/v0.0.44"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="a bed makes namespaces: needs root")


def traces(bed_dir, netns, cgroup):
    """What a bed could leave behind on the machine."""
    namespaces = os.listdir("/run/netns") if os.path.isdir("/run/netns") else []
    cgroups = subprocess.run(["find", "/sys/fs/cgroup", "-name", cgroup], capture_output=True,
                             text=True, check=False).stdout.split()
    commands = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True,
                              check=True).stdout.splitlines()
    with open("/proc/self/mountinfo") as mounts:
        mounted = [line for line in mounts if bed_dir in line]
    return ([name for name in namespaces if name.startswith(netns)] + cgroups + mounted
            + [line for line in commands if bed_dir in line]
            + [bed_dir for _ in (1,) if os.path.exists(bed_dir)])


@pytest.fixture(scope="module")
def bed():
    bed = SlurmBed(f"test-{os.getpid()}")
    try:
        bed.up(nodes=2)
        yield bed
    finally:
        bed.down()


def node(bed, name):
    nodes = bed.rest("GET", f"{API}/node/{name}").json["nodes"]
    return nodes[0] if nodes else None


def pinged(bed):
    return bed.rest("GET", f"{API}/ping").json["pings"][0]["pinged"]


def test_a_job_runs_on_both_workers(bed):
    said = bed.ex("login", "srun", "-I10", "-D", "/tmp", "-N2", "hostname", user="alice")
    assert sorted(said.split()) == ["worker-0", "worker-1"]


def test_a_batch_job_is_accounted(bed):
    job = bed.ex("login", "sbatch", "--parsable", "--wait", "-D", "/tmp", "--wrap", "true",
                 user="alice").strip()

    def state():
        return bed.ex("login", "sacct", "-a", "-X", "-n", "-P", "-j", job, "-o", "user,state")

    wait_for("sacct to show the job", lambda: state().strip() == "alice|COMPLETED", 10)


def test_a_node_drains_and_undrains_over_rest(bed):
    path = f"{API}/node/worker-1"
    answer = bed.rest("POST", path, {"state": ["DRAIN"], "reason": "a test"})
    assert (answer.status, answer.json["errors"]) == (200, [])
    assert "DRAIN" in node(bed, "worker-1")["state"]
    assert node(bed, "worker-1")["reason"] == "a test"

    assert bed.rest("POST", path, {"state": ["UNDRAIN"]}).status == 200
    assert "DRAIN" not in node(bed, "worker-1")["state"]


def test_tokens_are_told_apart(bed):
    path = f"{API}/nodes"
    assert bed.rest("GET", path, token=bed.token("alice")).status == 200
    assert bed.rest("GET", path, token=bed.token(ttl=-60)).status == 511
    assert bed.rest("GET", path, token="").status == 401


def test_slurmctld_killed_is_down_not_idle_and_comes_back(bed):
    bed.save_state()
    bed.kill("slurmctld")
    assert pinged(bed) == "DOWN"
    answer = bed.rest("GET", f"{API}/nodes")
    assert answer.status == 502
    assert answer.json["errors"][0]["error_number"] == 1800

    bed.start("slurmctld")
    assert pinged(bed) == "UP"
    bed.wait_idle(["worker-0", "worker-1"])


def test_a_frozen_daemon_goes_on_after_thaw(bed):
    bed.freeze("slurmrestd")
    with pytest.raises(TimeoutError):
        bed.rest("GET", f"{API}/ping", timeout=1.0)
    bed.thaw("slurmrestd")
    assert pinged(bed) == "UP"


def test_a_broken_slurm_conf_is_refused_at_reconfigure(bed):
    before = bed.conf("Nonsense=1\n")
    assert bed.rest("GET", f"{API}/reconfigure").status == 500
    bed.conf(before)
    assert bed.rest("GET", f"{API}/reconfigure").status == 200
    bed.wait_idle(["worker-0", "worker-1"])


def test_a_worker_joins(bed):
    assert bed.add_worker() == "worker-2"
    assert node(bed, "worker-2")["hostname"] == "worker-2"
    assert "IDLE" in node(bed, "worker-2")["state"]


def test_a_second_bed_runs_beside_it_and_down_after_kills_leaves_nothing(bed):
    other = SlurmBed(f"test-{os.getpid()}-b")
    try:
        other.up(nodes=1, gpus=2, cgroup="none", accounting=False)
        said = other.ex("login", "srun", "-I10", "-D", "/tmp", "--gres=gpu:1", "sh", "-c",
                        "echo $CUDA_VISIBLE_DEVICES; hostname")
        assert said.split() == ["0", "worker-0"]
        assert other.url != bed.url and pinged(bed) == "UP"
        where = (other.place.dir, other.netns, other.cgroup)
        assert traces(*where)
        for pod in ("slurmctld", "worker-0"):
            os.kill(other.pod(pod).process.pid(), 9)
    finally:
        other.down()
    assert traces(*where) == []
    assert node(bed, "worker-0") is not None


def test_down_twice_is_no_error_and_what_is_not_up_says_so():
    bed = SlurmBed(f"test-{os.getpid()}-none")
    bed.down()
    with pytest.raises(Fail, match="tools/bed slurm up"):
        bed.rest("GET", f"{API}/ping")
