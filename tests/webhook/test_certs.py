"""Certificates from nothing, shared by replicas, renewed under load; restarts that nobody notices."""
import base64
import threading
import time

from conftest import (CRD_PATH, HOME, HOOK_PATH, NAME, create, entries, forget_certificates,
                      is_asked)

from support.cluster import Cluster, until

SECRET = f"/api/v1/namespaces/{HOME}/secrets/{NAME}-certs"


def data(cluster):
    found = cluster.must("GET", SECRET)["data"]
    return {key: base64.b64decode(value).decode() for key, value in found.items()}


class Load:
    """Creates NodeSets, dry, as fast as a few threads can, and remembers what failed."""

    def __init__(self, bed, threads=3):
        self.stopping, self.done, self.failures = threading.Event(), 0, []
        self.threads = [threading.Thread(target=self.run, args=(Cluster.of(bed),))
                        for _ in range(threads)]

    def run(self, cluster):
        spec = {"controllerRef": {"name": "s"}, "replicas": 1}
        while not self.stopping.is_set():
            status, answer = create(cluster, "NodeSet", spec, dry_run=True)
            self.done += 1
            if status != 201:
                self.failures.append((time.monotonic(), status, answer))

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join(30)


def bundles(cluster):
    hooks = cluster.must("GET", f"{HOOK_PATH}/validatingwebhookconfigurations/{NAME}")["webhooks"]
    crd = cluster.must("GET", f"{CRD_PATH}/nodesets.slinky.slurm.net")
    return {hook["clientConfig"].get("caBundle") for hook in hooks} | {
        crd["spec"]["conversion"]["webhook"]["clientConfig"].get("caBundle")}


def test_two_replicas_that_start_together_agree(bed, cluster, replicas):
    replicas.stop_all()
    forget_certificates(cluster)
    entries(cluster)
    starts = [threading.Thread(target=replicas.start) for _ in range(2)]
    for thread in starts:
        thread.start()
    for thread in starts:
        thread.join(30)
    assert len(replicas.running) == 2
    is_asked(cluster)
    kept = data(cluster)
    until("one bundle everywhere", lambda: None if bundles(cluster) == {
        base64.b64encode(kept["ca.crt"].encode()).decode()} else "not yet")
    with Load(bed) as load:
        time.sleep(2)
    assert load.done > 20 and load.failures == []
    assert data(cluster) == kept


def test_a_bundle_that_someone_removes_comes_back(cluster, replicas):
    path = f"{HOOK_PATH}/validatingwebhookconfigurations/{NAME}"
    cluster.must("PATCH", path, [{"op": "remove", "path": "/webhooks/0/clientConfig/caBundle"}],
                 "application/json-patch+json")
    until("it is back", lambda: None if len(bundles(cluster)) == 1 else "gone")


def test_nothing_is_written_when_nothing_changes(cluster, replicas):
    path = f"{HOOK_PATH}/validatingwebhookconfigurations/{NAME}"
    before = [cluster.must("GET", p)["metadata"]["resourceVersion"] for p in (path, SECRET)]
    time.sleep(3)
    after = [cluster.must("GET", p)["metadata"]["resourceVersion"] for p in (path, SECRET)]
    assert before == after


def test_a_rolling_restart_fails_no_admission(bed, cluster, replicas):
    with Load(bed) as load:
        replicas.roll()
        time.sleep(1)
    assert load.done > 50 and load.failures == []


def test_certificates_and_their_ca_are_renewed_under_load(bed, cluster, replicas, soak):
    """A CA of one minute and certificates of fifteen seconds, so that every kind of renewal is met,
    and a rolling restart each minute. --soak 600 is what bench/webhook tells of."""
    replicas.stop_all()
    forget_certificates(cluster)
    short = ("--ca-validity", "60s", "--cert-validity", "15s")
    seen_certs, seen_cas = set(), set()
    for _ in range(2):
        replicas.start(*short)
    is_asked(cluster)
    with Load(bed, threads=2) as load:
        begin = time.monotonic()
        end, roll_at, rolls = begin + soak, begin + 30, 0
        while time.monotonic() < end:
            kept = data(cluster)
            seen_certs.add(kept["tls.crt"])
            seen_cas.add(kept["ca.crt"].split("-----END")[0])
            if time.monotonic() >= roll_at:
                replicas.roll(*short)
                roll_at, rolls = roll_at + 60, rolls + 1
            time.sleep(0.5)
    print(f"{load.done} admissions, {len(load.failures)} failures, {len(seen_certs)} certificates, "
          f"{len(seen_cas)} CAs, {rolls} rolling restarts, {soak} s")
    assert load.failures == []
    assert len(seen_certs) >= soak // 15 and len(seen_cas) >= soak // 60 + 1
    replicas.stop_all()


def test_a_certificate_that_has_expired_is_no_obstacle(cluster, replicas):
    """All replicas were away until nothing was valid any more."""
    replicas.stop_all()
    forget_certificates(cluster)
    replicas.start("--ca-validity", "10s", "--cert-validity", "10s")
    is_asked(cluster)
    replicas.stop_all()
    time.sleep(11)
    replicas.start()
    is_asked(cluster)
    replicas.stop_all()
