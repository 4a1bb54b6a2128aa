#!/usr/bin/env python3
"""Records what a real slurmrestd answers, for unit tests to replay: run it as root, no arguments.

    tests/support/record_slurmrest.py [--name BED] [VERSION...]

Each API version gets a fresh bed with two workers, so that every recording tells the same story
from the same beginning. An exchange becomes tests/unit/data/slurmrest/VERSION/NAME.json with
`request` (`token` says whose, never the token), `status`, `headers` and `reply` (an object, or text
where the server sent none). See the README.md beside them for what is replaced in replies.
"""
import argparse
import base64
import json
import os
import re
import sys
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

from bedlib import rootfs  # noqa: E402
from bedlib.common import say, wait_for, write  # noqa: E402
from bedlib.slurm import SlurmBed  # noqa: E402

DATA = os.path.join(ROOT, "tests", "unit", "data", "slurmrest")
OLDER = {"v0.0.41": "trixie"}  # no longer served by the newest Slurm, and a suite that has it
WORKERS = ["worker-0", "worker-1"]
SLEEP = {"script": "#!/bin/sh\nsleep 600\n",
         "job": {"name": "sleeper", "partition": "all", "account": "physics", "tasks": 1,
                 "licenses": "matlab:1", "environment": ["PATH=/usr/bin:/bin"],
                 "current_working_directory": "/tmp"}}


class Recorder:
    """One version's exchanges with one bed."""

    def __init__(self, bed, version):
        self.bed, self.version = bed, version
        self.number = int(version.rpartition(".")[2])
        self.tokens = {"slurm": bed.token(), "alice": bed.token("alice"), "stranger":
                       bed.token("stranger"), "expired": bed.token(ttl=-60), "none": "",
                       "forged": forged(bed.token())}

    def record(self, name, method, path, body=None, token="slurm", kind="slurm", full=None):
        """Makes one call, writes it down and returns the answer."""
        path = full or f"/{kind}/{self.version}/{path}"
        answer = self.bed.rest(method, path, body, self.tokens[token], timeout=60)
        request = {"method": method, "path": path, "token": token}
        if body is not None:
            request["body"] = body
        text = json.dumps({
            "request": request, "status": answer.status, "headers": answer.headers,
            "reply": answer.body if answer.json is None else answer.json}, indent=1)
        write(os.path.join(DATA, self.version, name + ".json"), self.scrub(text) + "\n")
        return answer

    def db(self, name, path, method="GET", body=None, token="slurm"):
        return self.record("slurmdb-" + name, method, path, body, token, kind="slurmdb")

    def scrub(self, text):
        """Replaces what depends on the machine and not on Slurm."""
        net = self.bed.place.slurm_net.rpartition(".")[0]
        text = text.replace(net + ".", "10.0.64.")
        return re.sub(r'("operating_system": ")[^"]+', r"\1Linux 6.12.0 #1 SMP PREEMPT_DYNAMIC",
                      text)

    # ---- the story, in the order it happens

    def story(self):
        self.prepare()
        self.quiet_cluster()
        self.node_updates()
        self.reservations()
        self.jobs()
        self.accounting()
        self.refusals()
        self.configuration()
        self.vanishing_nodes()
        self.broken_daemons()

    def prepare(self):
        """People and accounts; sacctmgr says on stderr what it has done."""
        for words in (("account", "physics", "description=physics", "organization=science"),
                      ("user", "alice", "account=physics"), ("user", "bob", "account=physics"),
                      ("qos", "high", "priority=100")):
            self.bed.ex("login", "sacctmgr", "-i", "-Q", "add", *words)

    def quiet_cluster(self):
        for name in ("ping", "diag", "licenses", "shares", "partitions", "reservations"):
            self.record(name, "GET", name + "/" if name != "shares" else name)
        self.record("jobs-empty", "GET", "jobs/")
        self.record("partition-one", "GET", "partition/worker")
        self.record("partition-missing", "GET", "partition/nosuch")
        self.record("nodes-two", "GET", "nodes/")
        self.record("node-one", "GET", "node/worker-0")
        self.record("node-missing", "GET", "node/nosuch")
        wait_for("nodes to be unchanged", self.nodes_unchanged, 60)
        self.record("nodes-update-time-number", "GET", f"nodes/?update_time={int(time.time())}")
        if self.number >= 45:
            self.record("conf", "GET", "conf")

    def nodes_unchanged(self):
        """slurmctld's own pings count as changes, so try again; Slurm 24.11 always fails."""
        since = self.bed.rest("GET", f"/slurm/{self.version}/nodes/").json["last_update"]["number"]
        time.sleep(1.1)
        answer = self.record("nodes-unchanged", "GET", f"nodes/?update_time=uts{since}")
        return answer.status in (304, 500)

    def node_updates(self):
        one, many = "node/worker-1", "nodes/"
        drain = {"state": ["DRAIN"], "reason": "windlass: rolling update"}
        self.record("node-update-drain", "POST", one, drain)
        self.record("node-drained", "GET", one)
        self.record("node-update-resume", "POST", one, {"state": ["RESUME"]})
        self.record("node-update-resume-not-down", "POST", one, {"state": ["RESUME"]})
        self.record("node-update-comment", "POST", one, {"comment": "rack 7"})
        self.record("node-update-features", "POST", one,
                    {"features": ["worker", "fast"], "features_act": ["worker", "fast"]})
        self.record("node-update-down", "POST", one,
                    {"state": ["DOWN"], "reason": "windlass: gone"})
        self.record("node-down", "GET", one)
        self.record("node-update-undown", "POST", one, {"state": ["RESUME"]})
        self.record("node-update-missing", "POST", "node/nosuch", drain)
        self.record("node-update-bad-state", "POST", one, {"state": ["SLEEPY"]})
        self.record("nodes-update-many", "POST", many, {"name": ["worker-[0-1]"], **drain})
        self.record("nodes-drained", "GET", many)
        self.record("nodes-update-undrain", "POST", many,
                    {"name": WORKERS, "state": ["UNDRAIN"]})
        self.record("nodes-update-partial", "POST", many, {"name": ["worker-0", "nosuch"], **drain})
        self.record("nodes-after-partial", "GET", many)
        self.bed.wait_idle(WORKERS)

    def reservations(self):
        """Before v0.0.43 they can only be read over REST."""
        wanted = {"name": "maintenance", "node_list": ["worker-1"], "users": ["root"],
                  "start_time": {"set": True, "number": int(time.time()) + 86400},
                  "duration": {"set": True, "number": 60}, "flags": ["MAINT", "IGNORE_JOBS"]}
        if self.number >= 43:
            self.record("reservation-create", "POST", "reservation", wanted)
            self.record("reservation-create-again", "POST", "reservation", wanted)
            self.record("reservations-update", "POST", "reservations/",
                        {"reservations": [{**wanted, "duration": {"set": True, "number": 90}}]})
        else:
            self.bed.ex("login", "scontrol", "create", "reservation=maintenance", "users=root",
                        "nodes=worker-1", "starttime=tomorrow", "duration=60", "flags=MAINT")
        self.record("reservations-one", "GET", "reservations/")
        self.record("reservation-one", "GET", "reservation/maintenance")
        self.record("reservation-missing", "GET", "reservation/nosuch")
        self.record("reservation-delete", "DELETE", "reservation/maintenance")
        self.record("reservation-delete-missing", "DELETE", "reservation/nosuch")

    def jobs(self):
        job = self.record("job-submit", "POST", "job/submit", SLEEP, "alice").json["job_id"]
        waiting = self.record("job-submit-held", "POST", "job/submit",
                              {**SLEEP, "job": {**SLEEP["job"], "hold": True}}, "alice")
        held = waiting.json["job_id"]
        self.record("job-submit-refused", "POST", "job/submit",
                    {**SLEEP, "job": {**SLEEP["job"], "partition": "nosuch"}}, "alice")
        wait_for(f"job {job} to run", lambda: self.job_state(job) == ["RUNNING"], 20)
        listed = self.record("jobs-running", "GET", "jobs/")
        wait_for("jobs to be unchanged", self.jobs_unchanged, 60)
        assert listed.json["jobs"], "the queue is empty"
        self.record("jobs-state", "GET", "jobs/state/")
        self.record("job-one", "GET", f"job/{job}")
        self.record("job-missing", "GET", "job/99999")
        self.record("licenses-used", "GET", "licenses/")
        self.record("nodes-allocated", "GET", "nodes/")
        self.busy_node()
        self.record("job-update-release", "POST", f"job/{held}", {"hold": False})
        self.record("job-update-hold", "POST", f"job/{held}", {"hold": True})
        self.record("job-update-missing", "POST", "job/99999", {"hold": True})
        if self.number >= 45:
            self.record("job-requeue", "GET", f"job/{job}/requeue")
        self.record("job-cancel", "DELETE", f"job/{held}")
        self.record("job-cancel-again", "DELETE", f"job/{held}")
        self.record("job-cancel-missing", "DELETE", "job/99999")
        self.record("jobs-cancel-many", "DELETE", "jobs/", {"jobs": [str(job), "99999"]})
        wait_for(f"job {job} to end", lambda: self.job_state(job) == ["CANCELLED"], 20)
        self.record("jobs-ended", "GET", "jobs/")

    def job_state(self, job):
        return self.bed.rest("GET", f"/slurm/{self.version}/job/{job}").json["jobs"][0]["job_state"]

    def jobs_unchanged(self):
        since = self.bed.rest("GET", f"/slurm/{self.version}/jobs/").json["last_update"]["number"]
        time.sleep(1.1)
        answer = self.record("jobs-unchanged", "GET", f"jobs/?update_time=uts{since}")
        return not answer.json["jobs"]

    def busy_node(self):
        states = self.bed.node_states()
        busy = next(name for name in WORKERS if states[name] != "idle")
        self.record("node-delete-busy", "DELETE", f"node/{busy}")
        self.record("node-update-drain-busy", "POST", f"node/{busy}",
                    {"state": ["DRAIN"], "reason": "windlass: rolling update"})
        self.record("node-draining", "GET", f"node/{busy}")
        self.record("node-update-undrain", "POST", f"node/{busy}", {"state": ["UNDRAIN"]})

    def accounting(self):
        for name in ("ping", "accounts", "users", "associations", "qos", "clusters", "jobs", "tres",
                     "diag", "wckeys", "instances"):
            self.db(name, name + "/")
        self.db("config", "config")
        self.db("account-one", "account/physics")
        self.db("account-missing", "account/nosuch")
        self.db("user-one", "user/alice")
        self.db("user-missing", "user/nosuch")
        self.db("qos-one", "qos/high")
        self.db("qos-missing", "qos/nosuch")
        self.db("job-one", "job/1")
        self.db("job-missing", "job/99999")
        self.db("account-create", "accounts/", "POST", {"accounts": [
            {"name": "biology", "description": "biology", "organization": "science"}]})
        self.db("account-delete", "account/biology", "DELETE")
        self.db("account-create-refused", "accounts/", "POST", {"accounts": [
            {"name": "biology", "description": "biology", "organization": "science"}]}, "alice")

    def refusals(self):
        for token in ("forged", "expired", "none", "stranger"):
            self.record(f"nodes-token-{token}", "GET", "nodes/", token=token)
        self.record("ping-token-forged", "GET", "ping/", token="forged")
        self.db("accounts-token-forged", "accounts/", token="forged")
        self.record("node-update-ordinary-user", "POST", "node/worker-1",
                    {"state": ["DRAIN"], "reason": "mine"}, "alice")
        self.record("node-update-broken-json", "POST", "node/worker-1", '{"state": [')
        self.record("unknown-path", "GET", "nosuch")
        self.record("unknown-method", "PUT", "nodes/")
        self.record("unknown-version", "GET", "", full="/slurm/v0.0.39/ping/")

    def configuration(self):
        self.record("reconfigure", "GET", "reconfigure/")
        before = self.bed.conf("Nonsense=1\n")
        self.record("reconfigure-broken", "GET", "reconfigure/")
        self.bed.conf(before)
        self.bed.rest("GET", f"/slurm/{self.version}/reconfigure/")
        self.bed.wait_idle(WORKERS)

    def vanishing_nodes(self):
        self.bed.remove_worker("worker-1")
        self.record("node-delete", "DELETE", "node/worker-1")
        self.record("node-delete-missing", "DELETE", "node/worker-1")
        self.record("nodes-one", "GET", "nodes/")
        self.bed.kill("worker-0")
        wait_for("worker-0 to be missed", lambda: self.bed.node_states()["worker-0"] == "down*", 60)
        self.record("node-not-responding", "GET", "node/worker-0")
        self.record("node-delete-down", "DELETE", "node/worker-0")
        self.record("nodes-none", "GET", "nodes/")
        if self.number >= 44:
            self.record("node-create", "POST", "new/node/", {
                "node_conf": "NodeName=cloud-[0-1] CPUs=2 State=CLOUD Features=worker"})
            self.record("nodes-created", "GET", "nodes/")

    def broken_daemons(self):
        self.bed.kill("slurmdbd")
        self.db("accounts-slurmdbd-down", "accounts/")
        self.db("ping-slurmdbd-down", "ping/")
        self.bed.kill("slurmctld")
        self.record("ping-slurmctld-down", "GET", "ping/")
        self.record("nodes-slurmctld-down", "GET", "nodes/")
        self.record("jobs-slurmctld-down", "GET", "jobs/")
        self.record("node-update-slurmctld-down", "POST", "node/worker-0", {"comment": "x"})


def forged(token):
    """The same claims, signed with a key that is not the cluster's."""
    head, claims, _ = token.split(".")
    return f"{head}.{claims}.{base64.urlsafe_b64encode(b'0' * 32).decode().rstrip('=')}"


def record_version(bed, version):
    """Every file of a version is written anew; what the story no longer tells is removed."""
    directory = os.path.join(DATA, version)
    os.makedirs(directory, exist_ok=True)
    for name in os.listdir(directory):
        os.unlink(os.path.join(directory, name))
    try:
        bed.up(nodes=2, gpus=1, suite=OLDER.get(version, rootfs.SUITE))
        Recorder(bed, version).story()
    finally:
        bed.down()
    say(f"{version}: {len(os.listdir(directory))} exchanges")


def served_versions(bed):
    try:
        bed.up(nodes=0, accounting=False)
        return bed.api_versions()
    finally:
        bed.down()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", default="record", help="name of the bed (record)")
    parser.add_argument("version", nargs="*", help="such as v0.0.44; default: all that are served")
    args = parser.parse_args()
    bed = SlurmBed(args.name)
    for version in args.version or [*OLDER, *served_versions(bed)]:
        record_version(bed, version)


if __name__ == "__main__":
    main()
