"""Jobs run, are accounted for, and survive what happens around them."""
import json
import subprocess
import urllib.request

from cluster import wait_for


def test_a_job_runs_on_two_workers_and_is_accounted_for(workers):
    number = workers.submit("srun hostname", "--nodes=2")
    workers.wait_job(number)
    wait_for("sacct to tell of the job", lambda: "COMPLETED" in workers.controller(
        "sacct", "--allocations", "--noheader", "--jobs", number, "--format=State"))


def test_a_user_logs_in_by_ssh_and_runs_a_job(workers):
    wait_for("the login pod", lambda: workers.get("deployment", "slurm-login-l")["status"].get(
        "readyReplicas"), 90)
    address = workers.get("service", "slurm-login-l")["spec"]["clusterIP"]
    done = subprocess.run(
        ["ssh", "-i", str(workers.keys / "id"), "-o", "StrictHostKeyChecking=no", "-o",
         "UserKnownHostsFile=/dev/null", "-o", "BatchMode=yes", f"root@{address}",
         "timeout 30 srun --nodes=2 hostname"], capture_output=True, text=True, timeout=60,
        check=False)
    assert sorted(done.stdout.split()) == ["w-0", "w-1"], done.stderr


def test_a_user_who_is_not_root_submits_a_job_and_reads_its_output(workers):
    """slurmctld and workers take the user's ids from the credential, and need no account."""
    pod = next(iter(workers.pods("login")))
    script = ("id alice > /dev/null 2>&1 || useradd --uid 1001 --create-home alice; "
              "cd /home/alice; runuser -u alice -- timeout 30 srun --chdir=/tmp id --user")
    text = workers.kubectl("exec", pod, "-c", "login", "--", "sh", "-c", script)
    assert text.split() == ["1001"], text


def test_a_job_is_submitted_by_rest_with_a_token(workers):
    workers.kubectl("apply", "-f", "-", data=json.dumps({
        "apiVersion": "slinky.slurm.net/v1beta1", "kind": "Token", "metadata": {"name": "t"},
        "spec": {"username": "slurm", "jwtKeyRef": {"name": "slurm-auth-jwt", "key": "jwt.key"},
                 "secretRef": {"name": "t", "key": "jwt"}}}))
    wait_for("the token", lambda: workers.kubectl("get", "secret", "t", check=False))
    jwt = workers.kubectl("get", "secret", "t", "-o", "go-template={{ .data.jwt | base64decode }}")
    address = workers.get("service", "slurm-restapi")["spec"]["clusterIP"]
    body = {"job": {"name": "rest", "script": "#!/bin/sh\nhostname\n", "partition": "all",
                    "current_working_directory": "/tmp", "environment": ["PATH=/usr/bin:/bin"]}}
    request = urllib.request.Request(
        f"http://{address}:6820/slurm/v0.0.44/job/submit", json.dumps(body).encode(),
        {"X-SLURM-USER-TOKEN": jwt, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        number = json.load(answer)["job_id"]
    workers.wait_job(str(number))


def test_a_job_outlives_slurmd(workers):
    number = workers.busy("--nodelist=w-0")
    pod = "slurm-worker-w-0"
    before = workers.kubectl("exec", pod, "-c", "slurmd", "--", "pidof", "slurmd")
    restarts = workers.get("pod", pod)["status"]["containerStatuses"][0]["restartCount"]
    workers.kubectl("exec", pod, "-c", "slurmd", "--", "sh", "-c", "kill -9 $(pidof slurmd)")
    wait_for("another slurmd", lambda: workers.kubectl(
        "exec", pod, "-c", "slurmd", "--", "pidof", "slurmd", check=False) not in ("", before))
    workers.finish(number)
    assert workers.get("pod", pod)["status"]["containerStatuses"][0]["restartCount"] == restarts


def test_a_job_outlives_its_controller(workers):
    number = workers.busy()
    before = workers.uid("slurm-controller-0")
    workers.kubectl("delete", "pod", "slurm-controller-0", "--force", "--grace-period=0")
    wait_for("another controller", lambda: (workers.pods("slurmctld").get(
        "slurm-controller-0") or {"metadata": {"uid": before}})["metadata"]["uid"] != before)
    wait_for("slurmctld to answer", lambda: workers.job(number))
    workers.finish(number)


def test_a_job_outlives_the_operator_and_slurmrestd(workers):
    number = workers.busy("--nodes=2")
    pods = {name: item["metadata"]["uid"] for name, item in workers.pods().items()}
    workers.bed.kubectl("-n", "slinky", "delete", "pod", "-l",
                        "app.kubernetes.io/name=slurm-operator", "--force", "--grace-period=0")
    workers.kubectl("delete", "pod", "-l", "app.kubernetes.io/name=slurmrestd", "--force",
                    "--grace-period=0")
    workers.bed.kubectl("-n", "slinky", "rollout", "status", "deployment/slurm-operator",
                        "--timeout=60s", timeout=70)
    workers.finish(number)
    assert {name: item["metadata"]["uid"] for name, item in workers.pods().items()} == pods
