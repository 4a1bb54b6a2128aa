"""The same values give the same custom resources as the chart that users come from.

Its chart is in its Go module, fetched at test time; nothing of it is kept here.
"""
import json
import os
import shutil
import subprocess

import pytest
import yaml

from conftest import index_of

MODULE = "github.com/SlinkyProject/slurm-operator@v1.1.0"
# Module archives leave directories called vendor out, so a part of the chart is missing; without
# its values it does nothing.
MISSING = "".join("{{- define \"vendor.dcgm.%s\" }}{{ end }}" % name for name in (
    "enabled", "epilogName", "jobMappingDir", "nodesetHasGPU", "prologName"))
IMAGE = {"repository": "a/b", "tag": "c"}
SET = {"enabled": True, "replicas": 2, "scalingMode": "StatefulSet", "slurmd": {"image": IMAGE},
       "logfile": {"image": IMAGE}, "partition": {"enabled": False},
       "updateStrategy": {"type": "OnDelete", "rollingUpdate": {"maxUnavailable": 1}},
       "ordinalPadding": 0, "workloadDisruptionProtection": True}
IMAGES = {"controller": {"slurmctld": {"image": IMAGE}, "reconfigure": {"image": IMAGE}},
          "restapi": {"slurmrestd": {"image": IMAGE}}, "accounting": {"slurmdbd": {"image": IMAGE}}}
CASES = {
    "plain": {"nodesets": {"slinky": SET}},
    "accounting": {"nodesets": {"slinky": SET}, "accounting": {
        "enabled": True, "extraConfMap": {"DebugLevel": "debug"}}},
    "conf": {"clusterName": "c1", "nodesets": {"slinky": {**SET, "extraConfMap": {
        "Weight": 10, "Features": ["a", "b"]}}}, "controller": {
            "extraConfMap": {"MinJobAge": 2, "SchedulerParameters": ["a", "b"]}},
        "configFiles": {"cgroup.conf": "CgroupPlugin=cgroup/v1\n"},
        "prologScripts": {"10-x.sh": "#!/bin/sh\n"}},
    "pods": {"imagePullSecrets": [{"name": "pull"}], "priorityClass": {"enabled": True},
             "nodesets": {"slinky": SET, "gpu": {
                 **SET, "scalingMode": "DaemonSet", "ssh": {"enabled": True},
                 "podSpec": {"nodeSelector": {"kubernetes.io/os": "linux"},
                             "tolerations": [{"key": "x"}]}}}},
    "services": {"nodesets": {"slinky": SET}, "jwksKeys": {"enabled": True},
                 "restapi": {"replicas": 2},
                 "controller": {"metadata": {"labels": {"team": "hpc"}}, "service": {
                     "spec": {"type": "NodePort"}, "port": 7000, "nodePort": 30817}}},
    "login": {"nodesets": {"slinky": SET}, "loginsets": {"slinky": {
        "enabled": True, "login": {"image": IMAGE}, "rootSshAuthorizedKeys": "ssh-ed25519 AAA x"}}},
    "partitions": {"nodesets": {"slinky": SET, "b": {**SET, "podSpec": {
        "nodeSelector": {"kubernetes.io/os": "linux"}}}}, "partitions": {
            "all": {"enabled": True, "configMap": {"State": "UP"}},
            "p": {"enabled": True, "nodesets": ["slinky", "b"], "config": "State=UP"}}},
}


@pytest.fixture(scope="module")
def peer(tmp_path_factory):
    go = shutil.which("go")
    if not go:
        pytest.skip("no go in $PATH to fetch the other chart with")
    done = subprocess.run([go, "mod", "download", "-json", MODULE], capture_output=True, text=True,
                          timeout=300, check=False, cwd=tmp_path_factory.mktemp("go"),
                          env={**os.environ, "GOFLAGS": "-mod=mod"})
    if done.returncode:
        pytest.skip(f"{MODULE} cannot be fetched: {done.stdout[-200:]} {done.stderr[-200:]}")
    chart = tmp_path_factory.mktemp("peer") / "slurm"
    shutil.copytree(json.loads(done.stdout)["Dir"] + "/helm/slurm", chart,
                    copy_function=shutil.copyfile)
    for path in [chart, *chart.rglob("*")]:
        path.chmod(0o755)
    (chart / "templates" / "_missing.tpl").write_text(MISSING)
    return chart


def pruned(value):
    """Without what means nothing: null, and empty maps, lists and texts."""
    if isinstance(value, dict):
        kept = {key: pruned(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [], "")}
    if isinstance(value, list):
        return [pruned(item) for item in value]
    return value


def meaning(item):
    """The spec, less what tells the charts apart: versions, and references to one's own namespace."""
    spec = pruned(item["spec"])
    labels = spec.get("template", {}).get("metadata", {}).get("labels", {})
    for label in ("helm.sh/chart", "app.kubernetes.io/version"):
        labels.pop(label, None)
    for ref in ("controllerRef", "accountingRef"):
        spec.get(ref, {}).pop("namespace", None)
    spec.pop("taintKubeNodes", None)
    if "extraConf" in spec:
        spec["extraConf"] = sorted(tuple(sorted(line.split())) for line in
                                   spec["extraConf"].splitlines())
    return spec


def merged(one, two):
    out = dict(one)
    for key, value in two.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = merged(out[key], value) if both else value
    return out


@pytest.mark.parametrize("case", CASES)
def test_the_same_values_mean_the_same(helm, peer, case):
    values = merged(IMAGES, CASES[case])
    values.setdefault("partitions", {"all": {"enabled": False}})
    ours = helm.render("slurm", values=values)
    theirs = index_of(helm.text(str(peer), values=values))
    kinds = ("Controller", "RestApi", "Accounting", "NodeSet", "LoginSet")
    assert {key for key in theirs if key[0] in kinds} == {key for key in ours if key[0] in kinds}
    for key in theirs:
        if key[0] in kinds:
            assert meaning(ours[key]) == meaning(theirs[key]), key
        elif key[0] == "ConfigMap":
            assert {name: text.strip() for name, text in ours[key]["data"].items()} == \
                {name: text.strip() for name, text in theirs[key]["data"].items()}


def test_their_own_values_install_here(helm, peer):
    objects = helm.render("slurm", values=yaml.safe_load((peer / "values.yaml").read_text()))
    assert ("NodeSet", "slurm-worker-slinky") in objects
