"""Every rule of the webhook by itself: the CRDs here have no CEL rules. That these refuse the same
with the webhook down is what tests/conformance/schema proves, by the same cases."""
import copy
import json
import os

import pytest
import yaml
from conftest import TESTS, create, update

RULES = yaml.safe_load((TESTS / "conformance" / "schema" / "refused.yaml").read_text())
GOOD = {kind: table["good"] for kind, table in RULES.items()}


def cases(which):
    return [pytest.param(kind, case, id=f"{kind}: {case['name']}")
            for kind, table in RULES.items() for case in table.get(which, [])]


def spec_of(kind, changes):
    spec = copy.deepcopy(GOOD[kind]) | copy.deepcopy(changes or {})
    return {k: v for k, v in spec.items() if v is not None or k == "volumeClaimTemplates"}


def try_case(cluster, kind, case):
    if "was" not in case:
        return create(cluster, kind, spec_of(kind, case["spec"]), dry_run=True)
    status, old = create(cluster, kind, spec_of(kind, case["was"]))
    assert status == 201, old
    return update(cluster, old | {"spec": spec_of(kind, case["spec"])})


@pytest.mark.parametrize("kind, case", cases("cases"))
def test_bad_objects_are_refused(cluster, webhook, kind, case):
    status, answer = try_case(cluster, kind, case)
    # 403: the webhook; 422: the schema, which has patterns and bounds but no rules here
    assert status in (403, 422), answer
    if status == 403:
        assert "denied the request" in answer["message"]
        assert case["at"] in answer["message"]


@pytest.mark.parametrize("kind, case", cases("fine"))
def test_what_looks_odd_but_is_fine_is_let_in(cluster, webhook, kind, case):
    status, answer = try_case(cluster, kind, case)
    assert status in (200, 201), answer


def config_map(cluster, name, *files):
    path = "/api/v1/namespaces/default/configmaps"
    status, answer = cluster.request("POST", path, {"metadata": {"name": name},
                                                    "data": dict.fromkeys(files, "x")})
    assert status in (201, 409), answer


def controller(**more):
    return GOOD["Controller"] | more


def test_config_files_must_exist_and_not_be_ours(cluster, webhook):
    late = f"late-{os.getpid()}"
    spec = controller(configFileRefs=[{"name": late}])
    status, answer = create(cluster, "Controller", spec)
    assert status == 403 and "there is no such ConfigMap" in answer["message"], answer
    config_map(cluster, late, "gres.conf")
    status, answer = create(cluster, "Controller", spec)  # at once: nothing here is stale
    assert status == 201, answer
    config_map(cluster, "reserved", "slurm.conf")
    status, answer = create(cluster, "Controller", controller(configFileRefs=[{"name": "reserved"}]))
    assert status == 403 and "slurm.conf" in answer["message"], answer


def test_a_shared_state_needs_a_claim_that_can_be_shared(cluster, webhook):
    claims = "/api/v1/namespaces/default/persistentvolumeclaims"
    for name, mode in (("once", "ReadWriteOnce"), ("many", "ReadWriteMany")):
        cluster.request("POST", claims, {
            "metadata": {"name": name}, "spec": {"accessModes": [mode], "resources": {
                "requests": {"storage": "1Mi"}}}})
    status, answer = create(cluster, "Controller", controller(
        ha={"enabled": True}, persistence={"enabled": True, "existingClaim": "once"}))
    assert status == 403 and "ReadWriteMany" in answer["message"], answer
    status, answer = create(cluster, "Controller", controller(
        ha={"enabled": True}, persistence={"enabled": True, "existingClaim": "many"}))
    assert status == 201, answer


def test_warnings_reach_whoever_asked(bed, cluster, webhook):
    config_map(cluster, "odd", "mine.conf")
    thing = {"apiVersion": "slinky.slurm.net/v1beta1", "kind": "Controller",
             "metadata": {"name": "warned"}, "spec": controller(configFileRefs=[{"name": "odd"}])}
    link = cluster.connection(20)
    link.request("POST", "/apis/slinky.slurm.net/v1beta1/namespaces/default/controllers?dryRun=All",
                 json.dumps(thing), {"Content-Type": "application/json"})
    answer = link.getresponse()
    answer.read()
    assert answer.status == 201
    assert "Slurm does not read a file of this name" in answer.getheader("Warning")


def test_finalizers_can_always_be_removed(cluster, webhook):
    status, thing = create(cluster, "NodeSet", GOOD["NodeSet"])
    assert status == 201, thing
    thing["metadata"]["finalizers"] = ["example.com/hold"]
    status, thing = update(cluster, thing)
    assert status == 200, thing
    path = (f"/apis/slinky.slurm.net/v1beta1/namespaces/default/nodesets/"
            f"{thing['metadata']['name']}")
    cluster.must("DELETE", path)
    thing = cluster.must("GET", path)
    thing["metadata"]["finalizers"] = []
    assert update(cluster, thing)[0] == 200
    assert cluster.request("GET", path)[0] == 404


def test_the_webhook_is_ready_at_once_and_counts(webhook):
    assert webhook.took < 15
    assert webhook.metric("controller_runtime_webhook_requests_total", code="200") > 0
