"""The process itself: frozen, asked to end, under another clock, one of two, watched by Prometheus."""
import signal
import subprocess
import threading
import time
from datetime import datetime

import pytest

from conftest import audit
from support.cluster import until


def lease(cluster):
    return cluster.get({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                        "metadata": {"name": "sample"}}, "default")


def await_holder(cluster, operator, seconds=30):
    """Until that operator says it leads; the identity it leads by."""
    until("leadership", lambda: None if " leading " in operator.text() else "not yet", seconds)
    return lease(cluster)["spec"]["holderIdentity"]


class Talk(threading.Thread):
    """Somebody who changes Greetings all the time."""

    def __init__(self, greetings):
        super().__init__(daemon=True)
        self.greetings, self.over, self.number = greetings, threading.Event(), 0

    def run(self):
        while not self.over.wait(0.01):
            self.number += 1
            self.greetings.say(f"g{self.number % 20}", text=f"word {self.number}", copies=3)

    def stop(self):
        self.over.set()
        self.join()


def test_a_frozen_leader_writes_nothing_after_another_took_over(bed, cluster, greetings, account,
                                                               start):
    first, second = account("frozen"), account("heir")
    one = start("--leader-elect", kubeconfig=first.kubeconfig)
    await_holder(cluster, one)
    two = start("--leader-elect", kubeconfig=second.kubeconfig)
    talk = Talk(greetings)
    talk.start()
    time.sleep(1)
    one.signal(signal.SIGSTOP)
    began = time.monotonic()
    await_holder(cluster, two)
    taken = time.time()
    print(f"taken over after {time.monotonic() - began:.1f} s")
    time.sleep(1)
    one.signal(signal.SIGCONT)
    assert one.wait(20) == 1
    time.sleep(1)
    talk.stop()
    one.check()
    late = [entry for entry in audit(bed, first.username, after=taken)
            if entry[1] not in ("get", "list", "watch") and entry[2] != "leases"]
    assert not late, f"written by the one that had lost the lease: {late}"
    by_heir = [entry for entry in audit(bed, second.username, after=taken) if entry[1] == "patch"]
    assert by_heir, "the new leader did nothing"


def test_the_lease_is_released_at_the_end_and_taken_at_once(cluster, greetings, start):
    one = start("--leader-elect")
    await_holder(cluster, one)
    two = start("--leader-elect")
    one.stop()
    assert not lease(cluster)["spec"]["holderIdentity"]
    await_holder(cluster, two, seconds=5)
    greetings.say("a")
    greetings.heard("a-0", text="hello")


def test_sigterm_lets_the_pass_under_way_finish(cluster, greetings, proxy, start):
    operator = start("--leader-elect", kubeconfig=proxy.kubeconfig)
    await_holder(cluster, operator)
    proxy.arm("delay", path="/configmaps/a-0", method="PATCH", wait=1500)
    greetings.say("a", copies=2)
    until("the slow call", lambda: None if any(c["fault"] for c in proxy.calls()) else "not made")
    operator.stop()
    greetings.heard("a-1", seconds=0.5, text="hello")
    status = cluster.get({"kind": "Greeting", "metadata": {"name": "a"}}, greetings.namespace)["status"]
    assert status["copies"] == 2
    assert not lease(cluster)["spec"]["holderIdentity"]


def test_sigterm_does_not_wait_for_repetitions(greetings, proxy, start):
    operator = start(kubeconfig=proxy.kubeconfig)
    proxy.arm("429", path="/configmaps/a-0", times=-1, wait=20)
    greetings.say("a")
    until("a refusal", lambda: None if any(c["fault"] for c in proxy.calls()) else "none yet")
    began = time.monotonic()
    operator.stop()
    assert time.monotonic() - began < 5


@pytest.fixture
def faketime():
    """What makes the wall clock of a process jump, and only that."""
    told = subprocess.run(["sh", "-c", "ls /usr/lib/*/faketime/libfaketime.so.1"], capture_output=True,
                          text=True).stdout.split()
    if not told:
        pytest.skip("libfaketime is not installed: run tools/setup test")
    return told[0]


@pytest.mark.parametrize("jump", ["+3600", "-3600", "+864000"])
def test_a_jump_of_the_clock_disturbs_nothing(cluster, greetings, start, faketime, tmp_path, jump):
    clock = tmp_path / "clock"
    clock.write_text("+0\n")
    sanitizer = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True,
                               text=True).stdout.strip()
    operator = start("--leader-elect", env={
        "LD_PRELOAD": f"{sanitizer} {faketime}", "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"})
    await_holder(cluster, operator)
    greetings.say("a")
    greetings.heard("a-0", text="hello")
    clock.write_text(jump + "\n")
    time.sleep(5)
    greetings.say("b")
    greetings.heard("b-0", text="hello")
    assert operator.child.poll() is None and "the lease is lost" not in operator.text()
    renewed = datetime.fromisoformat(lease(cluster)["spec"]["renewTime"]).timestamp()
    assert abs(renewed - time.time() - int(jump)) < 30, "the clock did not jump at all"


def test_metrics_can_be_kept_to_those_who_may(bed, cluster, account, start, tmp_path):
    operator = start("--metrics-secure", kubeconfig=account("server").kubeconfig)
    who = account("scraper", role=None)
    cluster.apply({"kind": "ClusterRole", "metadata": {"name": "runtime-metrics"},
                   "rules": [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]}, None)

    def scrape(*headers):
        told = subprocess.run(["curl", "-sk", "-o", str(tmp_path / "out"), "-w", "%{http_code}", *headers,
                               f"https://{operator.metrics}/metrics"], capture_output=True, text=True,
                              timeout=10)
        return told.stdout

    token = ["-H", f"Authorization: Bearer {who.token_file.read_text()}"]
    assert scrape() == "401"
    assert scrape("-H", "Authorization: Bearer nonsense") == "401"
    assert scrape(*token) == "403"
    who.may("runtime-metrics")
    until("the role", lambda: None if scrape(*token) == "200" else scrape(*token))
    assert "workqueue_depth" in (tmp_path / "out").read_text()


def test_dashboards_find_the_names_they_know(greetings, start):
    operator = start("--leader-elect")
    greetings.say("a")
    greetings.heard("a-0", text="hello")
    for name in ["controller_runtime_reconcile_total", "controller_runtime_reconcile_errors_total",
                 "controller_runtime_reconcile_time_seconds_bucket",
                 "controller_runtime_active_workers", "controller_runtime_max_concurrent_reconciles",
                 "workqueue_depth", "workqueue_adds_total", "workqueue_retries_total",
                 "workqueue_queue_duration_seconds_bucket", "workqueue_work_duration_seconds_bucket",
                 "workqueue_unfinished_work_seconds", "workqueue_longest_running_processor_seconds",
                 "rest_client_requests_total", "rest_client_request_duration_seconds_bucket",
                 "leader_election_master_status", "process_resident_memory_bytes",
                 "process_cpu_seconds_total", "process_open_fds", "process_start_time_seconds"]:
        assert f"\n{name}" in operator.ask(operator.metrics, "/metrics")[1], name
