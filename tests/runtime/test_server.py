"""The server goes, comes back, forgets, or is an older one."""
import concurrent.futures
import json
import subprocess
import time

import yaml

from conftest import ROOT, Greetings
from support.cluster import Cluster, until

LABEL = "sample.windlass.dev/greeting"


def fill(cluster, namespace, count, first=0):
    """Objects that the sample caches and does not own."""
    path = f"/api/v1/namespaces/{namespace}/configmaps"

    def make(i):
        cluster.must("POST", path, {"apiVersion": "v1", "kind": "ConfigMap",
                                    "metadata": {"name": f"m{i}", "labels": {LABEL: "none"}},
                                    "data": {"i": str(i)}})

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(make, range(first, first + count)))


def cached(operator):
    return operator.metric("windlass_cache_objects", kind="ConfigMap")


def await_cached(operator, namespace_count, cluster, seconds=30):
    """Until the cache has as many as the server."""
    def differs():
        have, want = cached(operator), len(cluster.must(
            "GET", f"/api/v1/configmaps?labelSelector={LABEL}")["items"])
        return None if have == want else f"{have} cached, {want} there"

    until("the cache to agree with the server", differs, seconds, every=0.2)


def second_server(bed, cluster):
    """The same cluster through the other API server."""
    other = Cluster.of(bed, host=json.loads(open(bed.second_kubeconfig).read())["clusters"][0][
        "cluster"]["server"].removeprefix("https://").split(":")[0])
    other.kinds = cluster.kinds
    return other


def delete_some(cluster, namespace, numbers):
    for i in numbers:
        cluster.must("DELETE", f"/api/v1/namespaces/{namespace}/configmaps/m{i}")


def test_the_server_restarts_while_5000_objects_are_watched(bed, cluster, greetings, start):
    fill(cluster, greetings.namespace, 5000)
    operator = start()
    assert cached(operator) >= 5000
    bed.stop("apiserver")
    other = second_server(bed, cluster)
    delete_some(other, greetings.namespace, range(100))
    Greetings(other, greetings.namespace).say("meanwhile")
    bed.start("apiserver")
    began = time.monotonic()
    greetings.heard("meanwhile-0", seconds=30, text="hello")
    print(f"back at work {time.monotonic() - began:.1f} s after the server was ready")
    await_cached(operator, 4900, cluster)
    assert operator.is_ready()


def compact(bed, cluster):
    """Makes etcd forget every version but the present one."""
    revision = int(cluster.must("GET", "/api/v1/namespaces/default")["metadata"]["resourceVersion"])
    cluster.must("PATCH", "/api/v1/namespaces/default", {"metadata": {"annotations": {
        "touched": str(time.time_ns())}}}, "application/merge-patch+json")
    now = int(cluster.must("GET", "/api/v1/configmaps?limit=1")["metadata"]["resourceVersion"])
    assert now > revision
    subprocess.run(["curl", "-sf", bed.env()["BED_ETCD"] + "/v3/kv/compaction", "-d", json.dumps(
        {"revision": now, "physical": True})], check=True, capture_output=True, timeout=20)


def test_what_went_while_the_history_was_compacted_is_noticed(bed, cluster, greetings, start):
    fill(cluster, greetings.namespace, 200)
    operator = start()
    lists = operator.metric("windlass_watch_lists_total", kind="ConfigMap")
    bed.stop("apiserver")
    other = second_server(bed, cluster)
    delete_some(other, greetings.namespace, range(50))
    fill(other, greetings.namespace, 10, first=1000)
    Greetings(other, greetings.namespace).say("meanwhile")
    compact(bed, other)
    bed.start("apiserver")
    greetings.heard("meanwhile-0", seconds=30, text="hello")
    await_cached(operator, 160, cluster)
    assert operator.metric("windlass_watch_lists_total", kind="ConfigMap") > lists, \
        "the watch went on where it should have been told 410"


def test_a_server_without_streaming_lists_is_listed_in_pages(paged_bed, start, tmp_path):
    cluster = Cluster.of(paged_bed)
    with open(ROOT / "tests/sample/crd.yaml") as text:
        cluster.apply(yaml.safe_load(text), None)
    until("the CRD", lambda: cluster.discover() or (None if "Greeting" in cluster.kinds else "no"))
    namespace = cluster.namespace(f"paged-{time.time_ns()}")
    fill(cluster, namespace, 1234)  # three pages
    operator = start(kubeconfig=paged_bed.kubeconfig)
    assert cached(operator) >= 1234
    greetings = Greetings(cluster, namespace)
    greetings.say("a", copies=2)
    greetings.heard("a-1", text="hello")
    delete_some(cluster, namespace, range(5))
    await_cached(operator, 1231, cluster)
    paged_bed.stop("apiserver")
    paged_bed.start("apiserver")
    greetings.say("b")
    greetings.heard("b-0", seconds=30, text="hello")


def test_a_page_that_fails_is_asked_for_again(paged_bed, start, tmp_path):
    from support.faultproxy import FaultProxy
    cluster = Cluster.of(paged_bed)
    cluster.discover()
    namespace = cluster.namespace(f"pages-{time.time_ns()}")
    fill(cluster, namespace, 1100)
    proxy = FaultProxy(paged_bed, str(tmp_path))
    try:
        proxy.arm("cut", path="/configmaps.*limit=", nth=2)
        proxy.arm("410", path="/configmaps.*continue=", nth=3)
        operator = start("--call-timeout", "5s", kubeconfig=proxy.kubeconfig)
        await_cached(operator, 1100, cluster)
        assert proxy.disarm() == 2
    finally:
        operator.stop()
        proxy.stop()
