"""Connections, credentials and trust: what breaks between us and the server, and how soon it is mended."""
import os
import re
import subprocess
import time

from conftest import in_bed
from support.cluster import until
from support.faultproxy import FaultProxy

LABEL = "sample.windlass.dev/greeting"


def test_a_token_is_replaced_and_the_old_one_revoked(greetings, account, start):
    who = account("rotating")
    operator = start(kubeconfig=who.kubeconfig)
    greetings.say("a")
    greetings.heard("a-0", text="hello")
    who.use_new_token("second")
    who.revoke("first")
    time.sleep(12)  # the server itself remembers a good token for ten seconds
    greetings.say("b")
    greetings.heard("b-0", text="hello")
    greetings.say("a", text="again")
    greetings.heard("a-0", text="again")
    assert operator.is_ready()


def test_a_token_that_comes_after_the_old_one_went_is_picked_up(greetings, account, start):
    who = account("late")
    start(kubeconfig=who.kubeconfig)
    who.revoke("first")
    time.sleep(11)
    greetings.say("a")
    time.sleep(1)
    assert greetings.copy("a-0") is None, "a revoked token still works"
    who.use_new_token("second")
    greetings.heard("a-0", seconds=30, text="hello")


def test_a_new_authority_is_trusted_once_the_bundle_names_it(bed, greetings, start, tmp_path):
    def through(name, listen):
        directory = tmp_path / name
        directory.mkdir()
        return FaultProxy(bed, str(directory), listen=listen)

    first = through("first", "127.0.0.1:0")
    bundle = tmp_path / "ca.crt"
    bundle.write_bytes(first.authority())
    kubeconfig = tmp_path / "kubeconfig"
    kubeconfig.write_text(f"""
current-context: c
contexts: [{{name: c, context: {{cluster: c}}}}]
clusters: [{{name: c, cluster: {{server: "{first.server}", certificate-authority: ca.crt}}}}]
""")
    start(kubeconfig=kubeconfig)
    greetings.say("a")
    greetings.heard("a-0", text="hello")
    first.stop()
    second = through("second", first.server.removeprefix("https://"))
    try:
        greetings.say("b")
        time.sleep(2)
        assert greetings.copy("b-0") is None, "a server was trusted that nobody vouched for"
        part = tmp_path / "ca.part"
        part.write_bytes(first.authority() + second.authority())
        part.replace(bundle)
        greetings.heard("b-0", seconds=20, text="hello")
    finally:
        second.stop()


def local_port(pid, server):
    """Of the process's connection to the server."""
    told = subprocess.run(["ss", "-Htnp", "dst", server], capture_output=True, text=True, check=True)
    for line in told.stdout.splitlines():
        if f"pid={pid}," in line:
            return re.search(r":(\d+)\s+\S+:6443", line).group(1)
    raise AssertionError(f"{pid} has no connection to {server}: {told.stdout}")


def test_a_connection_that_died_silently_is_replaced_within_30_seconds(bed, greetings, start):
    operator = start()
    greetings.say("a")
    greetings.heard("a-0", text="hello")
    port = local_port(operator.pid, bed.place.control_ip)
    rules = [["INPUT", "-p", "tcp", "--sport", port, "-j", "DROP"],
             ["OUTPUT", "-p", "tcp", "--dport", port, "-j", "DROP"]]
    for rule in rules:
        in_bed(bed, "iptables", "-w", "-I", *rule)
    try:
        began = time.monotonic()
        greetings.say("b")
        greetings.heard("b-0", seconds=30, text="hello")
        print(f"noticed after {time.monotonic() - began:.1f} s")
        assert local_port(operator.pid, bed.place.control_ip) != port
    finally:
        for rule in rules:
            in_bed(bed, "iptables", "-w", "-D", *rule)


def test_a_watch_that_is_cut_in_the_middle_of_an_object_goes_on(proxy, cluster, greetings, start):
    for i in range(40):
        cluster.apply({"kind": "ConfigMap", "metadata": {"name": f"m{i}", "labels": {LABEL: "none"}},
                       "data": {"filling": "x" * 2000}}, greetings.namespace)
    proxy.arm("cut", path="/configmaps.*sendInitialEvents", after=30_000, times=2)
    operator = start("--call-timeout", "5s", kubeconfig=proxy.kubeconfig)
    until("all objects", lambda: None if operator.metric("windlass_cache_objects", kind="ConfigMap")
          >= 40 else "fewer")
    assert proxy.disarm() == 2
    proxy.arm("cut", path="/greetings.*watch=true", after=100, times=3)
    proxy.arm("cut", path="/configmaps.*watch=true", after=100, times=3)
    for i in range(5):
        greetings.say(f"g{i}")
    for i in range(5):
        greetings.heard(f"g{i}-0", text="hello")


def test_objects_of_one_and_a_half_megabytes_pass(cluster, greetings, start):
    operator = start()
    cluster.apply({"kind": "ConfigMap", "metadata": {"name": "huge", "labels": {LABEL: "none"}},
                   "data": {"x": "y" * 1_040_000}}, greetings.namespace)  # as large as they may be
    cluster.must("POST", f"/apis/sample.windlass.dev/v1/namespaces/{greetings.namespace}/greetings",
                 {"apiVersion": "sample.windlass.dev/v1", "kind": "Greeting",
                  "metadata": {"name": "long"}, "spec": {"text": "short", "filling": "z" * 1_468_000}})
    greetings.heard("long-0", text="short")
    until("the huge one", lambda: None if operator.metric(
        "windlass_cache_objects", kind="ConfigMap") >= 2 else "not cached")


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_without_file_descriptors_it_waits_and_goes_on_when_there_are_some(bed, greetings, start):
    operator = start()
    greetings.say("a")
    greetings.heard("a-0", text="hello")
    used = len(os.listdir(f"/proc/{operator.pid}/fd"))
    before = subprocess.run(["prlimit", "--pid", str(operator.pid), "--nofile", "--noheadings",
                             "--output", "SOFT"], capture_output=True, text=True).stdout.strip()
    port = local_port(operator.pid, bed.place.control_ip)
    subprocess.run(["prlimit", "--pid", str(operator.pid), f"--nofile={used - 1}:"], check=True)
    in_bed(bed, "ss", "-K", "dst", bed.machine_ip, "dport", "=", port)  # resets it
    spent = cpu_seconds(operator.pid)
    probes = [operator.ask(operator.health, "/healthz")[0] for _ in range(2)]
    time.sleep(3)
    assert cpu_seconds(operator.pid) - spent < 1.5, "it spins while it has no descriptors"
    subprocess.run(["prlimit", "--pid", str(operator.pid), f"--nofile={before}:"], check=True)
    greetings.say("b")
    greetings.heard("b-0", seconds=20, text="hello")
    until("probes answered", lambda: None if operator.is_ready() else f"not ready, was {probes}")


def test_many_objects_can_be_followed_by_name(cluster, greetings, start):
    operator = start("--workers", "8")
    count = 300  # more than one connection takes streams for
    for i in range(count):
        cluster.apply({"kind": "Secret", "metadata": {"name": f"s{i}"}, "data": {"signature": "bWU="}},
                      greetings.namespace)
        greetings.say(f"g{i}", secret=f"s{i}")
    for i in range(count):
        greetings.heard(f"g{i}-0", seconds=60, signature="me")
    for i in range(0, count, 10):
        cluster.patch({"kind": "Secret", "metadata": {"name": f"s{i}"}, "data": {"signature": "eW91"}},
                      greetings.namespace)
    for i in range(0, count, 10):
        greetings.heard(f"g{i}-0", seconds=30, signature="you")
    assert operator.is_ready()
