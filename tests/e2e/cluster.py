"""A Slurm cluster in a namespace, as tests handle it."""
import json
import re
import subprocess
import time

import yaml

CGROUP1 = "CgroupPlugin=cgroup/v1\nConstrainCores=yes\nConstrainRAMSpace=yes\n"
CGROUP2 = "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\nConstrainCores=yes\nConstrainRAMSpace=yes\n"
SECOND = {"periodSeconds": 1, "failureThreshold": 120}


def wait_for(what, question, seconds=60, every=0.5):
    """The first answer that is true."""
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < end, f"waited {seconds} s for {what}; last answer: {answer!r}"
        time.sleep(every)


def cgroup_conf():
    with open("/proc/mounts") as mounts:
        version2 = any(line.split()[1:3] == ["/sys/fs/cgroup", "cgroup2"] for line in mounts)
    return CGROUP2 if version2 else CGROUP1


def merged(base, more):
    """A copy of values with others over them, map by map."""
    out = dict(base)
    for key, value in more.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = merged(out[key], value) if both else value
    return out


class Cluster:
    def __init__(self, bed, helm, name, prefix, version, keys):
        self.bed, self.helm, self.name, self.keys = bed, helm, name, keys
        self.prefix, self.version, self.installed = prefix, version, {}

    # ---- install

    def image(self, role):
        return f"{self.prefix}/{role}:{self.version}"

    def values(self, workers, accounting, login):
        extra = {"ProctrackType": "proctrack/cgroup", "SlurmdTimeout": 30,
                 "TaskPlugin": ["task/affinity", "task/cgroup"]}
        values = {
            "configFiles": {"cgroup.conf": cgroup_conf()},
            "controller": {
                "slurmctld": {"image": self.image("slurmctld"), "startupProbe": SECOND},
                "reconfigure": {"image": self.image("slurmctld")},
                "logfile": {"image": self.image("slurmctld")}, "extraConfMap": extra},
            "restapi": {"slurmrestd": {"image": self.image("slurmrestd"), "startupProbe": SECOND}},
            "nodesets": {"w": {
                "replicas": workers, "oversubscribeNode": True,
                "slurmd": {"image": self.image("slurmd"), "startupProbe": SECOND},
                "logfile": {"image": self.image("slurmd")}}},
            "partitions": {"all": {"enabled": True}},
        }
        if accounting:
            values["accounting"] = {"enabled": True, "slurmdbd": {"image": self.image("slurmdbd")}}
        if login:
            values["loginsets"] = {"l": {
                "login": {"image": self.image("login")}, "initconf": {"image": self.image("login")},
                "service": {"spec": {"type": "ClusterIP"}}, "rootSshAuthorizedKeys": self.ssh_key()}}
        return values

    def ssh_key(self):
        path = self.keys / "id"
        if not path.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)],
                           check=True, timeout=30)
        return path.with_suffix(".pub").read_text().strip()

    def install(self, workers, accounting=False, login=False, more=()):
        """more: values over those of every test."""
        self.bed.kubectl("apply", "-f", "-", data=f"{{apiVersion: v1, kind: Namespace, "
                         f"metadata: {{name: {self.name}}}}}")
        if accounting:
            self.bed.kubectl("-n", self.name, "apply", "-f", "-", data=self.database())
        self.installed = merged(self.values(workers, accounting, login), dict(more))
        self.upgrade({})
        self.wait_idle(workers, 240)

    def upgrade(self, more):
        """The same release with more values over those it has."""
        self.installed = merged(self.installed, more)
        path = self.keys / f"{self.name}.yaml"
        path.write_text(yaml.safe_dump(self.installed))
        self.helm("upgrade", "--install", "slurm", "charts/slurm", "--namespace", self.name,
                  "--values", str(path))

    def database(self):
        """The same MariaDB as in the demo."""
        with open("dist/demo/values.yaml") as text:
            objects = yaml.safe_load(text)["extraObjects"]
        objects.append({"apiVersion": "v1", "kind": "Secret", "metadata": {
            "name": "mariadb-password"}, "stringData": {"password": "for-tests-only"}})
        for item in objects:
            item["metadata"].pop("namespace", None)
        text = yaml.safe_dump_all(objects)
        return text.replace("@IMAGES@", self.prefix).replace("@SLURM@", self.version)

    # ---- Kubernetes

    def kubectl(self, *args, **how):
        return self.bed.kubectl("-n", self.name, *args, **how)

    def get(self, *args):
        return json.loads(self.kubectl("get", *args, "-o", "json"))

    def pods(self, role="slurmd"):
        items = self.get("pods", "-l", f"app.kubernetes.io/name={role}")["items"]
        return {item["metadata"]["name"]: item for item in items}

    def uid(self, pod):
        return self.get("pod", pod)["metadata"]["uid"]

    def scale(self, count):
        self.kubectl("scale", "nodeset/slurm-worker-w", f"--replicas={count}")

    # ---- Slurm

    def controller(self, *command, check=True, timeout=60):
        return self.kubectl("exec", "slurm-controller-0", "-c", "slurmctld", "--", "timeout", "30",
                            *command, check=check, timeout=timeout)

    def nodes(self):
        """State of every Slurm node, as sinfo words it; none while slurmctld does not answer."""
        text = self.controller("sinfo", "--noheader", "--Node", "--format=%N %T", check=False)
        return dict(line.split() for line in text.splitlines())

    def wait_idle(self, count, seconds=120):
        """Records of workers that went stay, as drained or down: they do not count."""
        wait_for(f"{count} idle workers", lambda: list(self.nodes().values()).count(
            "idle") == count, seconds)

    def submit(self, script, *options):
        """A job in the background; its number."""
        return self.controller("sbatch", "--parsable", "--output=/tmp/out-%j", *options, "--wrap",
                               script).strip()

    def job(self, number, item="JobState"):
        """State of a job, or another item of it; None while slurmctld does not answer."""
        text = self.controller("scontrol", "show", "job", number, check=False)
        found = re.search(rf"\b{item}=(\S+)", text)
        return found[1] if found else None

    def wait_job(self, number, state="COMPLETED", seconds=90):
        wait_for(f"job {number} to be {state}", lambda: self.job(number) == state, seconds)

    def busy(self, *options):
        """A job that runs already, until finish()."""
        number = self.submit("trap 'exit 0' USR1; while :; do sleep 0.1; done", "--no-requeue",
                             *options)
        self.wait_job(number, "RUNNING")
        return number

    def finish(self, number):
        """Ends a job of busy(); it must have run all the time, and from its one and only start."""
        assert (self.job(number), self.job(number, "Restarts")) == ("RUNNING", "0")
        self.controller("scancel", "--batch", "--signal=USR1", number)
        self.wait_job(number)

    def reason(self, node):
        text = self.controller("scontrol", "show", "node", node)
        found = re.search(r"Reason=(.*?)(?: \[|$)", text, re.MULTILINE)
        return found[1] if found else None

    def node(self, name, item):
        """An item of a node's record; None when it has none."""
        found = re.search(rf"\b{item}=(\S+)", self.controller("scontrol", "show", "node", name))
        return found[1] if found else None

    def setting(self, key):
        """What slurmctld runs with, not what a file says; None while it does not answer."""
        text = self.controller("scontrol", "show", "config", check=False)
        found = re.search(rf"^{key}\s*= (.*)$", text, re.MULTILINE)
        return found[1].strip() if found else None

    def condition(self, kind, name, type_):
        """(status, reason, message) of a condition; None when the resource has none."""
        for item in self.get(kind, name).get("status", {}).get("conditions", []):
            if item["type"] == type_:
                return item["status"], item["reason"], item["message"]
        return None
