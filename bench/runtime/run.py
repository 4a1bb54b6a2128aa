#!/usr/bin/env python3
"""What the controller runtime costs on a real API server: see README.md. Needs root, for a bed."""
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

import yaml  # noqa: E402
from bedlib import Bed  # noqa: E402
from support.cluster import Cluster, until  # noqa: E402
from support.faultproxy import FaultProxy  # noqa: E402
from support.operator_process import Operator  # noqa: E402

BUILD = ROOT / os.environ.get("BUILD", "build-bench")
PODS = int(os.environ.get("PODS", "10000"))
KINDS = ["--kubeconfig", "$KUBECONFIG", "--health-addr", "$HEALTH", "--metrics-addr", "$METRICS"]
ROWS = []


def row(what, figure, target=""):
    ROWS.append((what, figure, target))
    print(f"{what:62} {figure:>28}   {target}", flush=True)


# ---- what the kernel says

def status(pid, name):
    """A line of /proc/PID/status in KiB."""
    with open(f"/proc/{pid}/status") as text:
        return next(int(line.split()[1]) for line in text if line.startswith(name + ":"))


def rollup(pid, name):
    with open(f"/proc/{pid}/smaps_rollup") as text:
        return next(int(line.split()[1]) for line in text if line.startswith(name + ":"))


def wakeups(pid):
    """Voluntary context switches of all threads: each is a thread that had gone to sleep."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as text:
            total += next(int(line.split()[1]) for line in text
                          if line.startswith("voluntary_ctxt"))
    return total


def cpu(pid):
    with open(f"/proc/{pid}/stat") as text:
        fields = text.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ---- parts

class Bench:
    def __init__(self, bed, directory):
        self.bed, self.directory = bed, directory
        self.cluster = Cluster.of(bed)
        self.logs = 0

    def operator(self, *argv, kubeconfig=None):
        self.logs += 1
        return Operator([*argv, *KINDS], kubeconfig or self.bed.kubeconfig,
                        f"{self.directory}/{self.logs}.log")

    def manager(self, **options):
        return self.operator(str(BUILD / "cmd/windlass"), "manager", **options)

    def pods(self, **options):
        return self.operator(str(BUILD / "bench/runtime/pods"), **options)


def size():
    whole = BUILD / "cmd/windlass"
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["strip", "-o", out.name, whole], check=True)
        row("stripped binary", f"{os.path.getsize(out.name) / 1e6:.2f} MB", "<= 1.5 MB")


def idle_memory(bench):
    operator = bench.manager()
    operator.start()
    time.sleep(3)
    rss, pss = status(operator.pid, "VmRSS"), rollup(operator.pid, "Pss")
    row("windlass manager, idle and synced, empty cluster: RSS / PSS",
        f"{rss / 1024:.1f} / {pss / 1024:.1f} MiB", "<= 16 / 9 MiB")
    operator.stop()


def idle_minute(bench, proxy, seconds):
    operator = bench.manager(kubeconfig=proxy.kubeconfig)
    operator.argv.append("--leader-elect")
    operator.argv += ["--leader-elect-namespace", "default"]
    operator.start()
    time.sleep(5)
    calls, woken, spent = len(proxy.calls()), wakeups(operator.pid), cpu(operator.pid)
    time.sleep(seconds)
    new = proxy.calls()[calls:]
    others = [c for c in new if "/leases/" not in c["path"]]
    row(f"idle for {seconds} s: lease renewals / other calls / other writes",
        f"{len(new) - len(others)} / {len(others)} / {sum(c['write'] for c in others)}",
        "any / 0 / 0")
    for call in others:
        print("   ", call["method"], call["path"])
    row("idle: wake-ups a second, all threads", f"{(wakeups(operator.pid) - woken) / seconds:.1f}",
        "<= 20")
    row("idle: processor time", f"{(cpu(operator.pid) - spent) / seconds * 1000:.2f} ms a second")
    operator.stop()


def start_time(bench, what, target, runs=9):
    times = []
    for _ in range(runs):
        operator = bench.manager() if what == "empty" else bench.pods()
        times.append(operator.start())
        operator.stop()
    row(f"process start -> ready, {what}: best / median of {runs}",
        f"{min(times) * 1000:.0f} / {statistics.median(times) * 1000:.0f} ms", target)
    return min(times), statistics.median(times)


def curl_times(bench, runs=9):
    """The same bytes by curl: the list as a stream, ended at the bookmark that ends it."""
    pki = bench.bed.dir + "/pki"
    url = (f"https://{bench.bed.place.control_ip}:6443/api/v1/pods?watch=true&sendInitialEvents=true"
           "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=60")
    times, size = [], 0
    for _ in range(runs):
        began = time.monotonic()
        with subprocess.Popen(["curl", "-sN", "--http2", "--cacert", f"{pki}/ca.crt", "--cert",
                               f"{pki}/admin.crt", "--key", f"{pki}/admin.key", url],
                              stdout=subprocess.PIPE) as child:
            size, last = 0, b""
            while b"initial-events-end" not in last:
                piece = os.read(child.stdout.fileno(), 1 << 20)
                size, last = size + len(piece), (last + piece)[-4096:]
            times.append(time.monotonic() - began)
            child.kill()
    row(f"curl, the same list ({size / 1e6:.1f} MB): best / median of {runs}",
        f"{min(times) * 1000:.0f} / {statistics.median(times) * 1000:.0f} ms")
    return min(times), statistics.median(times)


def pod_of(i):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": f"worker-{i}", "labels": {
                "app.kubernetes.io/name": "slurmd", "app.kubernetes.io/instance": "hpc",
                "slinky.slurm.net/pod-index": str(i)},
                "annotations": {"kubectl.kubernetes.io/default-container": "slurmd"}},
            "spec": {"nodeName": f"sim-{i % 20}", "hostname": f"worker-{i}", "containers": [
                {"name": "slurmd", "image": "localhost/slurmd:1", "env": [
                    {"name": "POD_INDEX", "value": str(i)}],
                 "ports": [{"name": "slurmd", "containerPort": 6818}],
                 "resources": {"limits": {"cpu": "1", "memory": "1Gi"}}},
                {"name": "logfile", "image": "localhost/log:1"}]}}


def make_pods(bench, count):
    """Pods on simulated nodes, with the status that these report."""
    bench.bed.sim(20)
    bench.cluster.namespace("bench")

    def make(i):
        code, answer = bench.cluster.request("POST", "/api/v1/namespaces/bench/pods", pod_of(i))
        assert code in (201, 409), answer

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(make, range(count)))

    def pending():
        left = bench.cluster.must("GET", "/api/v1/pods?limit=1&fieldSelector=status.phase!=Running")
        return None if not left["items"] else left["metadata"].get("remainingItemCount", 1)

    until("all pods to run", pending, 600, every=1)


def pod_memory(bench, idle):
    operator = bench.pods()
    operator.start()
    time.sleep(3)
    rss, peak = status(operator.pid, "VmRSS"), status(operator.pid, "VmHWM")
    count = int(operator.metric("windlass_cache_objects", kind="Pod"))
    packed = operator.metric("windlass_cache_bytes", kind="Pod")
    row(f"{count} pods cached: RSS over idle, per pod", f"{(rss - idle) * 1024 / count:.0f} B",
        "<= 600 B")
    row("of that, in the packed objects", f"{packed / count:.0f} B")
    row("peak during the initial list over the final figure", f"{(peak - rss) / 1024:.1f} MiB",
        "<= 8 MiB")
    operator.stop()


def reaction(bench, proxy, rounds=300):
    """From the piece of a watch that tells of a change to the apply it causes, at the proxy."""
    with open(ROOT / "tests/sample/crd.yaml") as text:
        bench.cluster.apply(yaml.safe_load(text), None)
    time.sleep(2)
    bench.cluster.discover()
    operator = bench.operator(str(BUILD / "tests/sample/sample"), kubeconfig=proxy.kubeconfig)
    operator.start()
    greeting = {"kind": "Greeting", "metadata": {"name": "g"}, "spec": {"text": "-"}}
    bench.cluster.apply(greeting, "default")
    time.sleep(1)
    proxy.order("pieces")
    for i in range(rounds):
        bench.cluster.patch({**greeting, "spec": {"text": f"number {i}"}}, "default")
        time.sleep(0.02)
    time.sleep(0.5)
    pieces = [p["at"] for p in json.loads(proxy.order("pieces")) if "/greetings?" in p["path"]]
    applies = [c["at"] for c in proxy.calls("/configmaps/g-0")
               if c["method"] == "PATCH" and c["at"] > pieces[0]]
    took = sorted(1000 * (at - max(p for p in pieces if p <= at)) for at in applies)
    row(f"reaction, change told -> apply received, {len(took)} times: p50 / p99",
        f"{took[len(took) // 2]:.2f} / {took[int(len(took) * 0.99)]:.2f} ms", "<= 1 / 5 ms")
    operator.stop()


def main():
    kept = os.environ.get("BENCH_BED")
    bed = Bed(kept or f"bench-{os.getpid()}")
    subprocess.run(["ninja", "-C", BUILD, "bench/runtime/pods", "tests/sample/sample"], check=True,
                   stdout=subprocess.DEVNULL)
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    try:
        bed.up()
        with tempfile.TemporaryDirectory() as directory:
            bench, proxy = Bench(bed, directory), FaultProxy(bed, directory)
            try:
                run(bench, proxy)
            finally:
                proxy.stop()
    finally:
        if not kept:
            bed.down()
    print("\n| what | measured | target |\n| --- | ---: | ---: |")
    for line in ROWS:
        print("| " + " | ".join(line) + " |")


def install_kinds(bench):
    """What the manager watches."""
    for file in sorted(ROOT.glob("charts/slurm-operator-crds/crds/*.yaml")):
        with open(file) as text:
            bench.cluster.apply(yaml.safe_load(text), None)
    time.sleep(2)


def run(bench, proxy):
    size()
    install_kinds(bench)
    idle_memory(bench)
    start_time(bench, "empty", "<= 60 ms")
    idle_minute(bench, proxy, int(os.environ.get("IDLE", "60")))
    reaction(bench, proxy)
    operator = bench.pods()
    operator.start()
    time.sleep(2)
    idle = status(operator.pid, "VmRSS")
    row("cache of pods, none there: RSS", f"{idle / 1024:.1f} MiB")
    operator.stop()
    make_pods(bench, PODS)
    pod_memory(bench, idle)
    ours, curls = start_time(bench, f"{PODS} pods", "<= 1.5 x curl"), curl_times(bench)
    row("start with pods against curl: best / median",
        f"{ours[0] / curls[0]:.2f} / {ours[1] / curls[1]:.2f} x", "<= 1.5 x")


if __name__ == "__main__":
    main()
