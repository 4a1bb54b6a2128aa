"""Ours on the cluster that the peer left, full of pods: nothing restarts, nothing is written in vain."""
import contextlib
import json

import compare
import fakes
import pytest
import world as worlds
import yaml
from support.cluster import MERGE, until

WORKLOADS = ("StatefulSet", "Deployment")
WRITES = ("create", "update", "patch", "delete", "deletecollection")


def given_cases():
    """All cases but those whose fields mean nothing to the peer: there ours has work to do."""
    given = worlds.cases(worlds.HERE / "cases")
    del given["newer"]
    return given


def worker_names(world):
    for pod in world.everything(["Pod"]):
        owners = pod["metadata"].get("ownerReferences", [])
        if any(owner["kind"] == "NodeSet" for owner in owners):
            yield pod["metadata"]["namespace"], pod["spec"].get("hostname") or pod["metadata"]["name"]


@pytest.fixture
def crowd(world):
    """Kubelets and Slurm for all pods of the world."""
    kubelets, slurm = fakes.Kubelets(world.bed), fakes.Slurm()
    kubelets.start()
    try:
        yield slurm
    finally:
        kubelets.stop()
        slurm.stop()


def live(world, kinds=worlds.MADE + worlds.CUSTOM):
    """{uid: object}"""
    return {one["metadata"]["uid"]: one for one in world.everything(kinds)}


def all_ready(world):
    def lacking():
        waiting = [pod["metadata"]["name"] for pod in world.everything(["Pod"])
                   if pod.get("status", {}).get("phase") != "Running"]
        return f"not running: {waiting[:5]}" if waiting else None

    until("pods to run", lacking, 30)


@contextlib.contextmanager
def running(operator):
    operator.start()
    try:
        yield
        operator.stop()
    finally:
        operator.kill()


def writes_of(world, since):
    """[(verb, resource, namespace/name)] that windlass asked for, oldest first, after a line."""
    with open(world.bed.audit_log) as log:
        lines = log.readlines()
    found = []
    for line in lines[since:]:
        event = json.loads(line)
        if event["verb"] in WRITES and event.get("userAgent", "").startswith("windlass"):
            ref = event["objectRef"]
            sub = f"/{ref['subresource']}" if "subresource" in ref else ""
            found.append((event["verb"], ref["resource"] + sub,
                          f"{ref.get('namespace')}/{ref.get('name', '')}"))
    return found, len(lines)


def changes(before, after):
    """What became of every object, in words."""
    for uid in before.keys() | after.keys():
        one, other = before.get(uid), after.get(uid)
        what = f"{(one or other)['kind']} {(one or other)['metadata'].get('namespace')}/" \
               f"{(one or other)['metadata']['name']}"
        if one is None or other is None:
            yield f"{what}: {'made' if one is None else 'gone'}"
            continue
        for path, x, y in compare.differences(one, other):
            if not path.startswith(("metadata.managedFields", "metadata.resourceVersion")):
                yield f"{what}: {path}: {json.dumps(x)} -> {json.dumps(y)}"


def check_nothing_restarts(before, after):
    for uid, one in before.items():
        name = f"{one['kind']} {one['metadata']['namespace']}/{one['metadata']['name']}"
        if one["kind"] == "Pod":
            assert uid in after, f"{name} was deleted"
            assert "deletionTimestamp" not in after[uid]["metadata"], f"{name} is being deleted"
        if one["kind"] in WORKLOADS:
            then, now = one["spec"]["template"], after[uid]["spec"]["template"]
            assert then == now, f"{name}: {list(compare.differences(then, now))}"
    pods = {u for u, one in after.items() if one["kind"] == "Pod"}
    assert pods <= before.keys(), "pods were made"


def judge(writes):
    table = yaml.safe_load(compare.DIFFERENCES.read_text())["takeover"]
    used, unexplained = set(), []
    for verb, resource, name in writes:
        row = next((at for at, row in enumerate(table) if compare.fits(verb, row["verb"])
                    and compare.fits(resource, row["resource"])
                    and compare.fits(name, row.get("object", "*"))), None)
        if row is None:
            unexplained.append(f"{verb} {resource} {name}")
        else:
            used.add(row)
    idle = [f"nothing needs the row {row}" for at, row in enumerate(table) if at not in used]
    assert not unexplained and not idle, "\n".join(["writes without a reason:", *unexplained, *idle])


def spoil_token(world):
    """The peer made the signing key the owner of every token, which is no reason not to renew one."""
    path = "/api/v1/namespaces/tokens/secrets/for-root"
    secret = world.cluster.must("GET", path)
    assert [one["kind"] for one in secret["metadata"]["ownerReferences"]] == ["Secret"]
    world.cluster.must("PATCH", path, {"data": {"SLURM_JWT": "c3BvaWx0"}}, MERGE)

    def is_renewed():
        secret = world.cluster.must("GET", path)
        owners = [one["kind"] for one in secret["metadata"].get("ownerReferences", [])]
        good = owners == ["Token"] and secret["data"]["SLURM_JWT"].startswith("ZXlK")
        return None if good else f"owners {owners}, {secret['data']}"

    return is_renewed


def ask_for_more(world):
    """A change that somebody asks for makes set and configuration ours; workers stay all the same."""
    where, image = "/namespaces/minimal", "registry.example.org/slurmctld:newer"
    workers = {pod["metadata"]["uid"] for pod in world.everything(["Pod"])
               if pod["metadata"]["name"].startswith("worker-")}
    world.cluster.must("PATCH", f"/apis/slinky.slurm.net/v1beta1{where}/controllers/slurm",
                       {"spec": {"slurmctld": {"image": image}}}, MERGE)

    def is_ours():
        _, found = world.cluster.request("GET", f"/apis/apps/v1{where}/statefulsets/slurm-controller")
        spec = found.get("spec", {})
        conf = world.cluster.must("GET", f"/api/v1{where}/configmaps/slurm-config")["data"]["slurm.conf"]
        ours = (spec.get("serviceName") == "slurm-controller-internal"
                and spec["template"]["spec"]["containers"][0]["image"] == image
                and "jwt_key=/etc/slurm/jwt.key" in conf
                and "(slurm-controller-0.slurm-controller-internal.minimal)" in conf)
        left = {pod["metadata"]["uid"] for pod in world.everything(["Pod"])}
        assert workers <= left, "a worker went"
        return None if ours else f"{spec.get('serviceName')}\n{conf}"

    return is_ours


def test_takeover(world, peer, windlass, crowd):
    given, bed = given_cases(), world.bed
    names = [f"{one['metadata']['name']}-restapi.{namespace}{tail}"
             for namespace, objects in given.items() for one in objects if one["kind"] == "RestApi"
             for tail in ("", ".svc.cluster.local")]
    prefix = fakes.called_by_name(world.directory, crowd.address, names)
    world.install(peer.crds)
    world.create(given)
    with running(worlds.manager_of_peer(peer, bed.kubeconfig, f"{world.directory}/peer.log", prefix)):
        world.settled(given, 90)
        for namespace, name in worker_names(world):
            crowd.register(namespace, name)
        all_ready(world)
        world.settled(given, 60)
    world.install(worlds.OUR_CRDS)
    before, (_, line) = live(world), writes_of(world, 0)
    ours = worlds.manager_of_ours(windlass, bed.kubeconfig, f"{world.directory}/ours.log", prefix)
    with running(ours):
        world.settled(given, 60)
    after = live(world)
    (world.directory / "changes.txt").write_text("\n".join(sorted(changes(before, after))))
    check_nothing_restarts(before, after)
    writes, line = writes_of(world, line)
    (world.directory / "writes.txt").write_text("\n".join(map(str, writes)))
    with running(ours):
        world.settled(given, 60)
        assert writes_of(world, line)[0] == [], "a second start writes again"
        until("the token is renewed", spoil_token(world), 20)
        until("slurmctld is ours", ask_for_more(world), 60, every=0.5)
    judge(writes)
