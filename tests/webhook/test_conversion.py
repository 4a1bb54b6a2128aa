"""Objects of one version read in the other, by a real API server, whichever of them is stored."""
import copy

import pytest
from conftest import CRD_PATH, GROUP, create, crds, install, update

from support.cluster import until

ALPHA = {
    "Controller": {"slurmKeyRef": {"name": "k", "key": "k"},
                   "jwtHs256KeyRef": {"name": "j", "key": "k"},
                   "accountingRef": {"namespace": "elsewhere", "name": "db"},
                   "logfile": {"image": "x"}},
    "Accounting": {"slurmKeyRef": {"name": "k", "key": "k"},
                   "jwtHs256KeyRef": {"name": "j", "key": "k"},
                   "storageConfig": {"host": "h", "passwordKeyRef": {"name": "p", "key": "k"}},
                   "initconf": {"image": "x"}},
    "RestApi": {"controllerRef": {"namespace": "default", "name": "s"}},
    "NodeSet": {"controllerRef": {"namespace": "default", "name": "s"},
                "partition": {"enabled": True, "config": "State=UP\nMaxTime=1\n"}},
    "LoginSet": {"controllerRef": {"namespace": "default", "name": "s"},
                 "sssdConfRef": {"name": "s", "key": "k"},
                 "service": {"type": "NodePort", "port": 22}},
    "Token": {"jwtHs256KeyRef": {"name": "j", "key": "k", "namespace": "default"},
              "username": "alice"},
}


def read(cluster, thing, version):
    meta = thing["metadata"]
    return cluster.must("GET", f"{GROUP}/{version}/namespaces/default/{thing['kind'].lower()}s/"
                               f"{meta['name']}")


def covers(have, want, path=""):
    """Paths of want that have does not say."""
    if isinstance(want, dict) and isinstance(have, dict):
        for key, value in want.items():
            yield from covers(have.get(key), value, f"{path}.{key}")
    elif have != want:
        yield f"{path}: {have!r}, not {want!r}"


@pytest.fixture(scope="module")
def converted(cluster, webhook):
    """All six CRDs are converted by us: the webhook saw to that itself."""
    def check():
        for crd in crds():
            found = cluster.must("GET", f"{CRD_PATH}/{crd['metadata']['name']}")
            how = found["spec"]["conversion"]
            if how["strategy"] != "Webhook" or "caBundle" not in how["webhook"]["clientConfig"]:
                return found["metadata"]["name"]
    until("CRDs are converted by us", check, 20)


@pytest.mark.parametrize("kind", ALPHA)
def test_an_older_object_is_read_in_both_versions(cluster, converted, kind):
    status, made = create(cluster, kind, ALPHA[kind], version="v1alpha1")
    assert status == 201, made
    old, new = read(cluster, made, "v1alpha1"), read(cluster, made, "v1beta1")
    assert list(covers(old["spec"], ALPHA[kind])) == []
    assert new["apiVersion"] == "slinky.slurm.net/v1beta1"
    for name in ("controllerRef", "accountingRef", "jwtHs256KeyRef"):
        assert "namespace" not in new["spec"].get(name, {})
    assert list(covers(read(cluster, made, "v1alpha1"), old)) == []


def test_what_only_the_newer_version_says_survives_an_edit_in_the_older(cluster, converted):
    status, made = create(cluster, "NodeSet", {
        "controllerRef": {"name": "s"}, "scalingMode": "DaemonSet", "replicas": 1,
        "updateStrategy": {"type": "ScheduledUpdate", "scheduledUpdate": {
            "startTime": "2031-01-31T22:00:00Z", "duration": "2h"}}})
    assert status == 201, made
    old = read(cluster, made, "v1alpha1")
    assert old["spec"]["updateStrategy"]["type"] == "OnDelete"
    assert "scalingMode" not in old["spec"]
    old["spec"]["replicas"] = 3
    status, answer = update(cluster, old)
    assert status == 200, answer
    new = read(cluster, made, "v1beta1")
    assert new["spec"]["replicas"] == 3
    assert new["spec"]["scalingMode"] == "DaemonSet"
    assert new["spec"]["updateStrategy"] == made["spec"]["updateStrategy"]


def test_objects_stored_in_the_older_version_become_readable(cluster, converted):
    """As after an upgrade: v1alpha1 was the storage version when the object was written."""
    crd = next(c for c in crds() if c["spec"]["names"]["kind"] == "RestApi")
    older = copy.deepcopy(crd)
    for version in older["spec"]["versions"]:
        version["storage"] = version["name"] == "v1alpha1"
    install(cluster, older)
    try:
        def stored():
            status, made = create(cluster, "RestApi", ALPHA["RestApi"], version="v1alpha1")
            stored.made = made
            return None if status == 201 else made
        until("it is stored", stored)
    finally:
        install(cluster, crd)
    until("it is read", lambda: None if "namespace" not in
          read(cluster, stored.made, "v1beta1")["spec"]["controllerRef"] else "not converted")
