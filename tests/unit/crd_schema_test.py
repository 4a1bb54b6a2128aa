"""What must hold of the CRDs in api/slinky, whoever edits them: the contract of names, defaults and
rules that users and other programs rely on."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance" / "schema"))
import crds  # noqa: E402

CRDS = crds.described()
KINDS = sorted(CRDS)

NAMES = {
    "accounting": ("Accounting", ["slurmdbd"]),
    "controller": ("Controller", ["slurmctld"]),
    "loginset": ("LoginSet", ["loginsets", "lss", "sackd"]),
    "nodeset": ("NodeSet", ["nodesets", "nss", "slurmd"]),
    "restapi": ("RestApi", ["slurmrestd"]),
    "token": ("Token", ["tokens", "jwt"]),
}
# What stores anything: a field that leaves this list is pruned from users' objects.
OPEN = {
    "accounting": {"slurmdbd", "template.spec", "service.spec"},
    "controller": {"slurmctld", "reconfigure", "logfile", "template.spec", "service.spec"},
    "loginset": {"login", "initconf", "template.spec", "service.spec"},
    "nodeset": {"slurmd", "logfile", "template.spec", "volumeClaimTemplates[]"},
    "restapi": {"slurmrestd", "template.spec", "service.spec"},
    "token": set(),
}
DEFAULTS = {
    "accounting": {"external": False, "storageConfig.port": 3306,
                   "storageConfig.database": "slurm_acct_db"},
    "controller": {"external": False, "ha.enabled": False, "ha.backups": 1,
                   "persistence.enabled": True,
                   "metrics.enabled": False, "metrics.serviceMonitor.enabled": False},
    "loginset": {"replicas": 1},
    "nodeset": {"replicas": 1, "scalingMode": "StatefulSet", "ssh.enabled": False,
                "partition.enabled": False, "updateStrategy.type": "RollingUpdate",
                "updateStrategy.rollingUpdate.maxUnavailable": "25%",
                "updateStrategy.scheduledUpdate.duration": "30m", "revisionHistoryLimit": 0,
                "persistentVolumeClaimRetentionPolicy.whenDeleted": "Retain",
                "persistentVolumeClaimRetentionPolicy.whenScaled": "Retain", "ordinalPadding": 0,
                "pinToNode": False, "workloadDisruptionProtection": True,
                "pruneSlurmNodeRecords": "Never", "oversubscribeNode": False},
    "restapi": {"replicas": 1},
    "token": {"refresh": True},
}
COLUMNS = {
    "accounting": ["AGE"],
    "controller": ["AGE"],
    "loginset": ["REPLICAS", "AGE"],
    "nodeset": ["DESIRED", "REPLICAS", "UPDATED", "READY", "IDLE", "ALLOCATED", "DOWN", "DRAIN",
                "AGE"],
    "restapi": ["AGE"],
    "token": ["USER", "IAT", "AGE"],
}
TYPELESS = {"x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string"}
PYTHON_TYPES = {"string": str, "boolean": bool, "integer": int, "object": dict, "array": list}


def schema_of(kind, version="v1beta1"):
    return crds.version(CRDS[kind], version)["schema"]["openAPIV3Schema"]


def every_node():
    for kind in KINDS:
        for version in ("v1beta1", "v1alpha1"):
            for path, node in crds.nodes(schema_of(kind, version)):
                yield f"{kind} {version} {path}", node


def spec_values(kind, attribute):
    found = crds.nodes(schema_of(kind)["properties"]["spec"])
    return {path.lstrip("."): node[attribute] for path, node in found if attribute in node}


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_those_clients_use(kind):
    spec = CRDS[kind]["spec"]
    wanted, short = NAMES[kind]
    assert spec["names"] == {"kind": wanted, "listKind": wanted + "List", "plural": kind + "s",
                             "singular": kind, "shortNames": short}
    assert CRDS[kind]["metadata"]["name"] == f"{kind}s.slinky.slurm.net"
    assert (spec["group"], spec["scope"]) == ("slinky.slurm.net", "Namespaced")


@pytest.mark.parametrize("kind", KINDS)
def test_v1beta1_is_served_and_stored_alone(kind):
    states = {v["name"]: (v["served"], v["storage"]) for v in CRDS[kind]["spec"]["versions"]}
    assert states == {"v1beta1": (True, True), "v1alpha1": (False, False)}
    assert "conversion" not in CRDS[kind]["spec"]


@pytest.mark.parametrize("kind", KINDS)
def test_subresources(kind):
    wanted = {"status": {}}
    if kind in ("nodeset", "loginset"):
        wanted["scale"] = {"specReplicasPath": ".spec.replicas",
                           "statusReplicasPath": ".status.replicas",
                           "labelSelectorPath": ".status.selector"}
    assert all(v["subresources"] == wanted for v in CRDS[kind]["spec"]["versions"])


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_old_come_first(kind):
    columns = crds.version(CRDS[kind], "v1beta1")["additionalPrinterColumns"]
    assert [c["name"] for c in columns][: len(COLUMNS[kind])] == COLUMNS[kind]
    paths = {path for path, _ in crds.nodes(schema_of(kind))} | {".metadata.creationTimestamp"}
    assert all(re.sub(r"\[\?.*?\]", "[]", c["jsonPath"]) in paths for c in columns)


@pytest.mark.parametrize("kind", KINDS)
def test_open_fields_stay_open(kind):
    assert set(spec_values(kind, "x-kubernetes-preserve-unknown-fields")) == OPEN[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_defaults(kind):
    found = spec_values(kind, "default")
    of_names = {k: v for k, v in found.items() if re.search(r"Refs?(\[\])?\.name$", k)}
    assert {k: v for k, v in found.items() if k not in of_names} == DEFAULTS[kind]
    assert set(of_names.values()) <= {""}


def test_every_node_is_structural():
    for where, node in every_node():
        assert node.keys() & TYPELESS or node.get("type") in PYTHON_TYPES, where
        assert not (node.keys() & {"$ref", "oneOf", "allOf", "not"}), where
        assert node.keys().isdisjoint(k for k in node if k.startswith(crds.OURS)), where
        assert set(node.get("required", [])) <= set(node.get("properties", {})), where
        if node.get("type") == "array":
            assert "items" in node, where


def test_defaults_are_valid_values():
    for where, node in every_node():
        if "default" not in node or node.get("x-kubernetes-int-or-string"):
            continue
        assert type(node["default"]) is PYTHON_TYPES[node["type"]], where
        assert node["default"] in node.get("enum", [node["default"]]), where
        assert node["default"] >= node.get("minimum", node["default"]), where


def test_patterns_compile():
    for where, node in every_node():
        if "pattern" in node:
            assert re.compile(node["pattern"]), where


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_says_what_it_is(kind):
    for path, node in crds.nodes(schema_of(kind)):
        if path == ".metadata" or path.endswith(("{}", "[]")):
            continue
        text = node.get("description", "")
        assert text.endswith(".") and len(text) <= 100, f"{path}: {text!r}"


def field_at(node, path):
    for name in path.strip(".").split("."):
        node = node["properties"][name]
    return node


def test_rules_name_the_field_and_the_way_out():
    rules = [(where, node, rule) for where, node in every_node()
             for rule in node.get("x-kubernetes-validations", [])]
    assert len(rules) > 50
    for where, node, rule in rules:
        assert len(rule["message"]) > 15 and "\n" not in rule["message"], where
        assert re.search(r"; |\buse\b|\bgive\b", rule["message"]), f"{where}: {rule['message']}"
        if "fieldPath" in rule:
            assert field_at(node, rule["fieldPath"]), where


def test_generated_crds_say_the_same():
    emitted = crds.emitted()
    if not emitted:
        pytest.skip("the generator has not written any CRD yet")
    assert sorted(emitted) == KINDS
    for kind in KINDS:
        assert emitted[kind]["spec"] == CRDS[kind]["spec"], kind
