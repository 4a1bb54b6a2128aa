"""Every object of the golden files is one that a real API server takes, without a warning."""
import json
import sys

import crds
import pytest
import yaml

sys.path.insert(0, str(crds.ROOT / "tests"))
from support.cluster import Cluster  # noqa: E402

GOLDEN = crds.ROOT / "tests/golden/build"
NAMESPACE = "hpc"


def objects(case):
    """Without owners, which have no uid in a file; ServiceMonitors are of a kind that the bed lacks."""
    for thing in yaml.safe_load_all((GOLDEN / case / "expected.yaml").read_text()):
        if thing["kind"] != "ServiceMonitor":
            thing["metadata"].pop("ownerReferences", None)
            yield thing


@pytest.fixture(scope="module")
def cluster(server):
    cluster = Cluster.of(server.bed)
    cluster.namespace(NAMESPACE)
    return cluster


def complaint(cluster, thing):
    """What the server says against making it, which it does not do; None for nothing."""
    path = cluster.path(thing, NAMESPACE, name=False) + "?dryRun=All&fieldValidation=Strict"
    link = cluster.connection(20)
    link.request("POST", path, json.dumps(thing), {"Content-Type": "application/json"})
    answer = link.getresponse()
    text = answer.read().decode()
    said = answer.getheader("Warning") or (text if answer.status != 201 else None)
    return said and f"{thing['kind']} {thing['metadata'].get('name')}: {answer.status}: {said}"


@pytest.mark.parametrize("case", sorted(path.parent.name for path in GOLDEN.glob("*/expected.yaml")))
def test_the_server_takes_what_is_rendered(cluster, case):
    things = list(objects(case))
    assert things
    assert [said for thing in things if (said := complaint(cluster, thing))] == []
