"""Workers come and go; jobs end first, and what an administrator decided stays."""
import json

from cluster import wait_for


def test_scaling_in_waits_for_the_job_on_the_victim(workers):
    workers.scale(3)
    workers.wait_idle(3)
    number = workers.busy("--nodelist=w-2")
    workers.scale(1)
    wait_for("the idle one to go", lambda: "slurm-worker-w-1" not in workers.pods())
    assert "slurm-worker-w-2" in workers.pods()
    workers.finish(number)
    wait_for("the busy one to go", lambda: set(workers.pods()) == {"slurm-worker-w-0"}, 90)
    # Slurm keeps the records of those that went (pruneSlurmNodeRecords speaks of DaemonSet mode); no job lands there
    wait_for("only w-0 to take jobs", lambda: [name for name, state in workers.nodes().items()
                                               if not state.startswith(("drained", "down"))] == ["w-0"])


def test_workers_go_to_none_and_back(workers):
    workers.scale(0)
    wait_for("no pod", lambda: not workers.pods(), 90)
    number = workers.submit("hostname")
    assert workers.job(number) == "PENDING"
    workers.scale(1)
    workers.wait_job(number)


def test_a_worker_whose_pod_was_deleted_is_back_at_work_soon(workers):
    """Its stop hook takes the Slurm node down; no refresh of everything is waited for."""
    before = workers.uid("slurm-worker-w-0")
    workers.kubectl("delete", "pod", "slurm-worker-w-0", timeout=90)

    def is_ready():
        pod = workers.pods().get("slurm-worker-w-0")
        return pod and pod["metadata"]["uid"] != before and any(
            c["type"] == "Ready" and c["status"] == "True" for c in pod["status"].get("conditions", []))

    wait_for("its successor", is_ready, 60)
    wait_for("w-0 to be idle", lambda: workers.nodes().get("w-0") == "idle", 12)


def test_a_changed_template_waits_for_running_jobs(workers):
    before = {name: item["metadata"]["uid"] for name, item in workers.pods().items()}
    number = workers.busy("--nodes=2")
    workers.kubectl("patch", "nodeset", "slurm-worker-w", "--type=merge", "-p", json.dumps(
        {"spec": {"template": {"metadata": {"annotations": {"example.com/round": number}}}}}))
    wait_for("a worker to drain", lambda: "draining" in workers.nodes().values())
    assert {name: item["metadata"]["uid"] for name, item in workers.pods().items()} == before
    workers.finish(number)

    def replaced():
        pods = workers.pods()
        return len(pods) == 2 and all(item["metadata"]["uid"] != before.get(name)
                                      for name, item in pods.items())

    wait_for("both workers to be new", replaced, 150)
    workers.wait_idle(2, 120)


def test_a_cordoned_node_drains_its_workers_and_takes_them_back(workers):
    pod = workers.pods()["slurm-worker-w-0"]
    node = pod["spec"]["nodeName"]
    try:
        workers.bed.kubectl("cordon", node)
        wait_for("w-0 to be drained", lambda: workers.nodes().get("w-0") == "drained")
        assert workers.reason("w-0").startswith("slurm-operator:")
    finally:
        workers.bed.kubectl("uncordon", node)
    wait_for("w-0 to be idle", lambda: workers.nodes().get("w-0") == "idle")


def test_a_drain_by_an_administrator_is_left_alone(workers):
    node = workers.pods()["slurm-worker-w-0"]["spec"]["nodeName"]
    workers.controller("scontrol", "update", "nodename=w-0", "state=drain", "reason=bad fan")
    try:
        workers.bed.kubectl("cordon", node)
        wait_for("the pod to say so", lambda: any(
            c["type"] == "SlurmNodeStateDrain" and c["status"] == "True" for c in
            workers.get("pod", "slurm-worker-w-0")["status"]["conditions"]))
        workers.bed.kubectl("uncordon", node)
        number = workers.submit("hostname", "--nodelist=w-1")
        workers.wait_job(number)
        assert workers.reason("w-0") == "bad fan"
        assert workers.nodes()["w-0"] == "drained"
    finally:
        workers.bed.kubectl("uncordon", node)
        workers.controller("scontrol", "update", "nodename=w-0", "state=resume")


def test_the_webhook_refuses_what_could_not_work(workers):
    answer = workers.kubectl("patch", "nodeset", "slurm-worker-w", "--type=merge", "-p",
                             '{"spec": {"extraConf": "Weight"}}', check=False)
    assert answer is None or "patched" not in answer
    assert "extraConf" not in workers.get("nodeset", "slurm-worker-w")["spec"]
