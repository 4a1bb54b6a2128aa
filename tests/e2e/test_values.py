"""Values as users of slurm-operator have them install here, and the operator takes what they emit.

No image can be pulled on a bed, so nothing starts: what counts is that the API server, the webhook and
the operator have nothing against the resources.
"""
import json

import pytest
import yaml

from cluster import wait_for

SET = {"replicas": 2, "slurmd": {"image": {"repository": "ghcr.io/slinkyproject/slurmd",
                                           "tag": "26.05-ubuntu26.04"}}}
ALL = {"all": {"enabled": True}}
TOLERATIONS = [{"key": "slinky.slurm.net/slurm", "operator": "Exists", "effect": "NoExecute"}]
CASES = {
    "first": {"nodesets": {"slinky": {}}, "partitions": ALL},
    "conf": {"clusterName": "c1", "partitions": ALL, "controller": {
        "persistence": {"enabled": False}, "extraConfMap": {
            "MinJobAge": 2, "SchedulerParameters": ["batch_sched_delay=1", "defer"]}},
        "nodesets": {"slinky": {**SET, "extraConfMap": {"Features": ["a", "b"], "Weight": 10}}}},
    "accounting": {"nodesets": {"slinky": SET}, "partitions": ALL, "accounting": {
        "enabled": True, "storageConfig": {"host": "mariadb", "port": 3306},
        "extraConfMap": {"DebugLevel": "debug", "CommitDelay": 1}}},
    "login": {"nodesets": {"slinky": {**SET, "ssh": {"enabled": True}}}, "loginsets": {"slinky": {
        "enabled": True, "rootSshAuthorizedKeys": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOM example",
        "extraSshdConfig": "LoginGraceTime 600\n", "login": {"env": [
            {"name": "SACKD_OPTIONS", "value": "-v"}]}, "service": {"spec": {"type": "NodePort"}}}}},
    "metrics": {"nodesets": {"slinky": SET}, "controller": {"metrics": {
        "enabled": True, "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}}}},
    "gpu": {"controller": {"extraConfMap": {"GresTypes": "gpu"}},
            "configFiles": {"gres.conf": "AutoDetect=nvidia\n"}, "nodesets": {"gpu-1": {
                **SET, "slurmd": {"resources": {"limits": {"nvidia.com/gpu": 8}}},
                "extraConfMap": {"Gres": ["gpu:8"]}}}},
    "pyxis": {"configFiles": {"plugstack.conf": "include /usr/share/pyxis/*\n"},
              "nodesets": {"slinky": {"slurmd": {"image": {
                  "repository": "ghcr.io/slinkyproject/slurmd-pyxis"}}}},
              "loginsets": {"slinky": {"login": {"securityContext": {"privileged": True}}}}},
    "apart": {"controller": {"podSpec": {"tolerations": TOLERATIONS}},
              "restapi": {"podSpec": {"tolerations": TOLERATIONS}},
              "nodesets": {"slinky": {"podSpec": {"tolerations": TOLERATIONS, "affinity": {
                  "podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{
                      "topologyKey": "kubernetes.io/hostname", "labelSelector": {
                          "matchLabels": {"app.kubernetes.io/name": "slurmctld"}}}]}}}}}},
    "scripts": {"prologScripts": {"00-empty.sh": "#!/usr/bin/env bash\nexit 0\n"},
                "epilogScripts": {"00-empty.sh": "#!/usr/bin/env bash\nexit 0\n"},
                "nodesets": {"slinky": {**SET, "updateStrategy": {
                    "type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1}}}}},
}
KINDS = "controllers,restapis,nodesets,loginsets,accountings"


@pytest.fixture
def kubectl(operator, bed, helm, request, tmp_path):
    """In a namespace where the values of the case are installed, and which goes with it."""
    case = request.node.callspec.params["case"]
    space = f"values-{case}"
    path = tmp_path / "values.yaml"
    path.write_text(yaml.safe_dump(CASES[case]))
    helm("upgrade", "--install", "slurm", "charts/slurm", "--namespace", space, "--create-namespace",
         "--values", str(path))
    yield lambda *words: bed.kubectl("-n", space, *words)
    helm("uninstall", "slurm", "--namespace", space)
    bed.kubectl("delete", "namespace", space, "--wait=false")


@pytest.mark.parametrize("case", CASES)
def test_values_install_and_are_taken(kubectl, case):
    def untold():
        items = json.loads(kubectl("get", KINDS, "-o", "json"))["items"]
        assert {item["kind"] for item in items} >= {"Controller", "RestApi", "NodeSet"}
        return [f"{item['kind']}/{item['metadata']['name']}" for item in items
                if item.get("status", {}).get("observedGeneration") != item["metadata"]["generation"]]

    wait_for("every resource to be judged", lambda: not untold(), 30)
    names = set(kubectl("get", "nodesets", "-o", "name").split())
    assert names == {f"nodeset.slinky.slurm.net/slurm-worker-{key}" for key in CASES[case]["nodesets"]}
