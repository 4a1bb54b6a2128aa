#!/usr/bin/env python3
"""Asks the webhook as an API server does, over TLS with kept connections, and says what it costs.

usage: bench/webhook/run.py [--no-peer] [--seconds N]

Needs root and wrk. A bed gives both programs a real API server. The webhook of slurm-operator is
built from the Go module registry the first time, and measured in the same run.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests"), str(ROOT / "tests/conformance/peer")]

import build_peer  # noqa: E402
from bedlib import Bed  # noqa: E402
from support.cluster import Cluster, until  # noqa: E402

PORT, HEALTH = 29443, 29081
CONNECTIONS = (1, 8, 64)
STARTS = 7
TICK = os.sysconf("SC_CLK_TCK")
TOPOLOGY = {"topology.slinky.slurm.net/spec": "tree:sw1"}
SCRIPT = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local file = io.open("%s"); wrk.body = file:read("*a"); file:close()
function done(summary, latency)
  io.write(string.format("\\nresult %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
"""


def review(operation, thing, **more):
    kind = thing["kind"]
    return json.dumps({
        "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002", "operation": operation,
            "kind": {"group": "", "version": "v1", "kind": kind}, "dryRun": False,
            "resource": {"group": "", "version": "v1", "resource": kind.lower() + "s"},
            "namespace": "default", "name": thing["metadata"]["name"], "object": thing,
            "userInfo": {"username": "admin", "groups": ["system:masters"]},
            "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"}, **more}})


def nodeset():
    return json.loads((HERE / "nodeset.json").read_text())


def hooks(pod_uid):
    old = nodeset()
    old["spec"]["replicas"] = 1
    binding = {"apiVersion": "v1", "kind": "Binding",
               "metadata": {"name": "bench-worker", "namespace": "default", "uid": pod_uid},
               "target": {"kind": "Node", "name": "bench-node"}}
    path = "/validate-slinky-slurm-net-v1beta1-nodeset"
    return {"NodeSet create": (path, review("CREATE", nodeset())),
            "NodeSet update": (path, review("UPDATE", nodeset(), oldObject=old)),
            "pod binding": ("/mutate--v1-binding", review("CREATE", binding))}


class Program:
    """One webhook as a process."""

    def __init__(self, name, argv, env):
        self.name = name
        began = time.monotonic()
        self.child = subprocess.Popen(argv, env={**os.environ, **env}, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
        self.ready = None
        while time.monotonic() - began < 30 and self.ready is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{HEALTH}/readyz", timeout=1):
                    self.ready = time.monotonic() - began
            except OSError:
                time.sleep(0.002)
        assert self.ready, f"{name} is not ready"

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def rss(self):
        text = pathlib.Path(f"/proc/{self.child.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

    def stop(self):
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait(5)


def measure(program, directory, path, body, connections, seconds):
    (directory / "body.json").write_text(body)
    (directory / "post.lua").write_text(SCRIPT % (directory / "body.json"))
    before = program.cpu()
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s",
                          directory / "post.lua", f"https://127.0.0.1:{PORT}{path}"],
                         capture_output=True, text=True, check=True, timeout=seconds + 30).stdout
    used = program.cpu() - before
    count, span, errors, p50, p99 = map(int, re.search(r"result (.*)", out)[1].split())
    return {"per_s": round(count / span * 1e6), "errors": errors, "p50_us": p50, "p99_us": p99,
            "cpu_us": round(used / count * 1e6, 1), "rss_mib": round(program.rss(), 1)}


def world(cluster):
    """A worker and a node that agree already, as after the first of two bindings; the pod's uid."""
    pods = "/api/v1/namespaces/default/pods"
    cluster.request("POST", "/api/v1/nodes", {"metadata": {"name": "bench-node",
                                                           "annotations": TOPOLOGY}})
    until("a pod is made", lambda: None if cluster.request("POST", pods, {
        "metadata": {"name": "bench-worker", "labels": {"app.kubernetes.io/name": "slurmd"},
                     "annotations": TOPOLOGY},
        "spec": {"schedulerName": "nobody", "containers": [{"name": "c", "image": "x"}]}})[0]
        in (201, 409) else "not yet", 30)
    return cluster.must("GET", f"{pods}/bench-worker")["metadata"]["uid"]


def run_one(name, argv, env, asked, directory, seconds):
    """{(hook, connections): row}, and what it takes to start, in ms."""
    starts, rows = [], {}
    for _ in range(STARTS - 1):
        program = Program(name, argv, env)
        program.stop()
        starts.append(program.ready * 1000)
    program = Program(name, argv, env)
    starts.append(program.ready * 1000)
    try:
        print(f"{name}: ready after {min(starts):.0f} to {max(starts):.0f} ms, median "
              f"{statistics.median(starts):.0f}; {program.rss():.1f} MiB")
        for hook, (path, body) in asked.items():
            measure(program, directory, path, body, 8, 1)
            for connections in CONNECTIONS:
                row = measure(program, directory, path, body, connections, seconds)
                rows[hook, connections] = row
                print(f"  {hook:15} {connections:3} connections {row['per_s']:7} /s"
                      f"  p50 {row['p50_us']:6} us  p99 {row['p99_us']:6} us"
                      f"  CPU {row['cpu_us']:6} us  {row['rss_mib']:5} MiB"
                      + (f"  {row['errors']} ERRORS" if row["errors"] else ""), flush=True)
    finally:
        program.stop()
    return rows


def print_beside(ours, theirs):
    print("\n| hook | connections | requests/s, ours / theirs | CPU us | p50 us | p99 us | p99, ratio "
          "| MiB |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for (hook, connections), one in ours.items():
        other = theirs[hook, connections]
        pairs = " | ".join(f"{one[key]:,} / {other[key]:,}" for key in (
            "per_s", "cpu_us", "p50_us", "p99_us"))
        print(f"| {hook} | {connections} | {pairs} | {other['p99_us'] / one['p99_us']:.1f} "
              f"| {one['rss_mib']} / {other['rss_mib']} |")


def peers_program():
    try:
        return build_peer.build("webhook").program
    except build_peer.CannotBuild as why:
        print(f"without the peer: {why}")
        return None


def make_certificate(directory):
    directory.mkdir(parents=True)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
                    "/CN=localhost", "-keyout", directory / "tls.key", "-out",
                    directory / "tls.crt"], check=True, capture_output=True)


def compare(bed, directory, peer, seconds):
    make_certificate(directory / "k8s-webhook-server" / "serving-certs")
    asked = hooks(world(Cluster.of(bed)))
    common = ["--kubeconfig", bed.kubeconfig, "--server-addr", f":{PORT}", "--health-addr",
              f":{HEALTH}"]
    build = ROOT / os.environ.get("BUILD", "build-bench")
    ours = [build / "cmd" / "windlass", "webhook", "--shutdown-delay", "0s", *common]
    more = {"TMPDIR": str(directory)}
    rows = run_one("windlass", ours, more, asked, directory, seconds)
    if peer:
        print_beside(rows, run_one("slurm-operator", [peer, *common], more, asked, directory,
                                   seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--seconds", type=int, default=5)
    args = parser.parse_args()
    peer = None if args.no_peer else peers_program()
    bed = Bed(f"bench-webhook-{os.getpid()}")
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as directory:
        try:
            bed.up()
            compare(bed, pathlib.Path(directory), peer, args.seconds)
        finally:
            bed.down()


if __name__ == "__main__":
    main()
