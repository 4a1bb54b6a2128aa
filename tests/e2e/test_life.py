"""A cluster of another kind, in a namespace of its own, from install to uninstall.

Its worker pretends two GPUs, has limits and a place in a topology. The tests stand in the order of
its life.
"""
import pytest

from cluster import Cluster, wait_for

GRES = "AutoDetect=off\nName=gpu File=/dev/null\nName=gpu File=/dev/zero\n"
TOPOLOGY = """
- topology: racks
  cluster_default: true
  tree:
    switches:
      - switch: spine
        children: rack[0-1]
      - switch: rack0
      - switch: rack1
"""
MEMORY = 600  # MiB


def values():
    return {
        "configFiles": {"gres.conf": GRES, "topology.yaml": TOPOLOGY},
        "controller": {"inplaceReconfigure": True, "extraConfMap": {"GresTypes": "gpu"}},
        "nodesets": {"w": {
            "extraConfMap": {"Gres": "gpu:2"},
            "slurmd": {"resources": {"limits": {"cpu": 1, "memory": f"{MEMORY}Mi"}}}}},
    }


@pytest.fixture(scope="module")
def second(operator, bed, helm, cluster, tmp_path_factory):
    helm("upgrade", "slurm-operator", "charts/slurm-operator", "--namespace", "slinky",
         "--reuse-values", "--set", "webhook.podsBinding=true")
    for index, node in enumerate(bed.kubectl("get", "nodes", "-o", "name").split()):
        bed.kubectl("annotate", "--overwrite", node,
                    f"topology.slinky.slurm.net/spec=racks:rack{index}")
    second = Cluster(bed, helm, "second", cluster.prefix, cluster.version,
                     tmp_path_factory.mktemp("second"))
    second.install(workers=1, more=values())
    yield second
    for node in bed.kubectl("get", "nodes", "-o", "name").split():
        bed.kubectl("annotate", node, "topology.slinky.slurm.net/spec-")


def test_two_clusters_do_not_see_each_other(cluster, second):
    number = second.submit("hostname")
    second.wait_job(number)
    assert set(second.nodes()) == {"w-0"}
    assert cluster.controller("scontrol", "ping").count("UP") == 1


def test_a_job_gets_a_gpu_and_no_more_than_there_are(second):
    text = second.controller("srun", "--gres=gpu:1", "env")
    assert "SLURM_JOB_GPUS=" in text or "SLURM_STEP_GPUS=" in text, text
    both = second.busy("--gres=gpu:2", "--mem=16")
    third = second.submit("hostname", "--gres=gpu:1", "--mem=16")
    assert second.job(third) == "PENDING"
    second.finish(both)
    second.wait_job(third)


def test_limits_of_the_pod_are_what_slurm_hands_out(second):
    assert second.node("w-0", "CPUEfctv") == "1"
    real, spare = int(second.node("w-0", "RealMemory")), int(second.node("w-0", "MemSpecLimit"))
    assert real - spare == MEMORY
    assert second.controller("srun", "--immediate=5", f"--mem={MEMORY}", "hostname").split() == ["w-0"]
    assert second.controller("srun", "--immediate=5", f"--mem={MEMORY + 1}", "hostname",
                             check=False) == ""


def test_the_node_says_where_it_is(second):
    rack = second.get("node", second.pods()["slurm-worker-w-0"]["spec"]["nodeName"])[
        "metadata"]["annotations"]["topology.slinky.slurm.net/spec"]
    wait_for("the place in the topology", lambda: second.node("w-0", "Topology") == rack)


def test_the_sidecar_reconfigures_too(second):
    before = second.uid("slurm-controller-0")
    second.upgrade({"controller": {"extraConfMap": {"MaxArraySize": 778}}})
    wait_for("slurmctld to have it", lambda: second.setting("MaxArraySize") == "778", 90)
    wait_for("the sidecar to tell", lambda: "slurmctld has the new configuration" in second.kubectl(
        "logs", "slurm-controller-0", "-c", "reconfigure"), 60)
    assert second.uid("slurm-controller-0") == before


def test_jobs_outlive_upgrades_of_the_operator_and_of_the_cluster(second, helm, bed):
    number = second.busy()
    before = second.uid("slurm-worker-w-0")
    helm("upgrade", "slurm-operator", "charts/slurm-operator", "--namespace", "slinky",
         "--reuse-values", "--set", "operator.logLevel=debug")
    second.upgrade({"nodesets": {"w": {"metadata": {"annotations": {"example.com/release": "2"}}}}})
    bed.kubectl("-n", "slinky", "rollout", "status", "deployment/slurm-operator", "--timeout=60s",
                timeout=70)
    wait_for("the worker to drain", lambda: second.nodes()["w-0"] == "draining")
    assert second.uid("slurm-worker-w-0") == before
    second.finish(number)
    wait_for("the worker of the new release", lambda: second.pods().get("slurm-worker-w-0", {
        "metadata": {"uid": before}})["metadata"]["uid"] != before, 60)


def test_a_stopped_worker_says_so_to_slurm(second):
    """The hook before the end of its container: drained, then down, with our reason."""
    second.kubectl("delete", "pod", "slurm-worker-w-0", "--wait=false")
    wait_for("the reason", lambda: "Pod is terminating" in (second.reason("w-0") or ""), 60, 0.1)


def test_uninstall_leaves_nothing(second, bed, helm, cluster):
    helm("uninstall", "slurm", "--namespace", "second", "--wait")
    kinds = "statefulsets,deployments,pods,services,configmaps,secrets,poddisruptionbudgets"

    def left():
        names = second.kubectl("get", kinds, "-o", "name").split()
        return [name for name in names if name != "configmap/kube-root-ca.crt"]

    wait_for("nothing to be left", lambda: not left(), 120)
    bed.kubectl("delete", "namespace", "second", "--wait=false")
    assert cluster.controller("scontrol", "ping").count("UP") == 1
