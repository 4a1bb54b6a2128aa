"""install, uninstall, check: into a real cluster and out of it again."""
import json

import pytest
import yaml

from conftest import PREFIX

OPERATOR = "/apis/apps/v1/namespaces/slinky/deployments/slurm-operator"


def writes(bed, start):
    """Requests that changed something, from the audit log after that many bytes."""
    with open(bed.audit_log) as log:
        log.seek(start)
        events = [json.loads(line) for line in log if line.endswith("\n")]
    return [(event["verb"], event.get("objectRef", {}).get("resource")) for event in events
            if event["userAgent"].startswith("windlass") and event["verb"] not in ("get", "list", "watch")
            and event["user"]["username"] == "admin"]


def end_of(bed):
    with open(bed.audit_log) as log:
        return log.seek(0, 2)


@pytest.fixture
def present(windlass):
    """Installed, whatever the test before left; next to nothing when it is."""
    return windlass("install")


def test_dry_run_prints_the_manifests_without_a_cluster(windlass):
    answer = windlass("install", "--dry-run", "-o", "yaml", "-n", "elsewhere", "--image", "x:1",
                      KUBECONFIG="/nonexistent")
    objects = list(yaml.safe_load_all(answer.out))
    assert {o["metadata"].get("namespace", "elsewhere") for o in objects} == {"elsewhere"}
    assert all(c["image"] == "x:1" for o in objects if o["kind"] == "Deployment"
               for c in o["spec"]["template"]["spec"]["containers"])
    assert json.loads(windlass("install", "--dry-run", "-o", "json").out)["kind"] == "List"


def test_check_before_and_install(windlass, bed):
    before = windlass("check", "-o", "json").json()
    verdicts = {f["what"]: f["verdict"] for f in before["findings"]}
    assert before["fit"] and verdicts["operator"] == verdicts["nodes"] == verdicts["dns"] == "ok"
    assert all(f.get("todo") for f in before["findings"] if f["verdict"] != "ok"), before
    assert "would be created" in windlass("install", "--dry-run").out
    assert "operator and webhook are up" in windlass("install").out
    after = windlass("check", "-o", "json").json()
    assert {f["what"]: f["text"] for f in after["findings"]}["webhook"] == "answers"


def test_the_second_run_writes_nothing(windlass, bed, present):
    start = end_of(bed)
    answer = windlass("install", "-o", "json").json()
    assert {o["result"] for o in answer["objects"]} == {"unchanged"} and answer["ready"]
    assert writes(bed, start) == []


def test_a_change_by_hand_is_put_right(windlass, bed, present):
    bed.kubectl("-n", "slinky", "scale", "deployment/slurm-operator", "--replicas=0")
    start = end_of(bed)
    lines = windlass("install").out.splitlines()
    assert writes(bed, start) == [("patch", "deployments")]
    assert "deployment/slurm-operator changed" in lines
    assert "service/slurm-operator unchanged" in lines


def test_what_does_not_come_up_is_told_with_its_reason(windlass):
    answer = windlass("install", "--image", f"{PREFIX}/none:1", "--timeout", "4s", code=1)
    assert "deployment/slurm-operator" in answer.err and "none:1" in answer.err, answer
    windlass("install")


def test_what_helm_installed_is_left_to_helm(windlass, bed, present):
    bed.kubectl("-n", "slinky", "annotate", "service/slurm-operator", "meta.helm.sh/release-name=mine")
    for verb in ("install", "uninstall"):
        answer = windlass(verb, code=1)
        assert "helm release 'mine'" in answer.err and "--force" in answer.err
    bed.kubectl("-n", "slinky", "annotate", "service/slurm-operator", "meta.helm.sh/release-name-")


def test_check_finds_another_operator(windlass, bed):
    bed.kubectl("create", "deployment", "other", "--image=x:1", "--replicas=1")
    bed.kubectl("label", "deployment", "other", "app.kubernetes.io/name=slurm-operator")
    answer = windlass("check", code=1)
    refused = windlass("install", code=1)
    bed.kubectl("delete", "deployment", "other")
    assert "default/other" in refused.err and "--force" in refused.err
    assert "default/other" in answer.out and "--replicas=0" in answer.out


def findings_as(windlass, bed, tmp_path, *rules):
    """What check finds as an account that may do this and nothing else."""
    name = f"someone-{len(rules)}"
    bed.kubectl("apply", "-f", "-", data=yaml.safe_dump_all([
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": "default"}},
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name},
         "rules": list(rules)},
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
         "metadata": {"name": name}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io",
                                                 "kind": "ClusterRole", "name": name},
         "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": "default"}]}]))
    config = yaml.safe_load(open(bed.kubeconfig))
    config["users"][0]["user"] = {"token": bed.kubectl("create", "token", name).strip()}
    path = tmp_path / name
    path.write_text(json.dumps(config))
    answer = windlass("check", "-o", "json", "--kubeconfig", path, code=1).json()
    return {finding["what"]: finding for finding in answer["findings"]}


def test_check_says_what_one_may_not_do_and_never_takes_that_for_fine(windlass, bed, tmp_path):
    nothing = findings_as(windlass, bed, tmp_path)
    assert nothing["permissions"]["verdict"] == "fail"
    assert nothing["permissions"]["text"] == "you may not patch namespaces"
    assert {nothing[what]["verdict"] for what in ("nodes", "cgroups", "gpus", "dns", "storage")} == {"unknown"}
    granting = findings_as(windlass, bed, tmp_path, {"apiGroups": ["*"], "resources": ["*"],
                                                     "verbs": ["get", "list", "patch"]})
    assert granting["permissions"]["text"] == "you may not watch configmaps"
    assert granting["nodes"]["verdict"] == "ok"


def test_uninstall_refuses_while_there_are_clusters(windlass, bed, present):
    bed.kubectl("apply", "-f", "-", data=yaml.safe_dump({
        "apiVersion": "slinky.slurm.net/v1beta1", "kind": "NodeSet",
        "metadata": {"name": "lonely", "namespace": "default"},
        "spec": {"controllerRef": {"name": "nobody"}, "replicas": 0}}))
    answer = windlass("uninstall", code=1)
    assert "NodeSet default/lonely" in answer.err and "--with-clusters" in answer.err
    assert windlass("uninstall", "--with-crds", "--keep-clusters", code=1)
    assert bed.api().get(OPERATOR)["status"]["availableReplicas"] == 1


def test_uninstall_takes_everything_that_install_made(windlass, bed, present):
    windlass("uninstall", "--with-clusters", "--with-crds")
    left = bed.kubectl("get", "crd,clusterrole,clusterrolebinding,validatingwebhookconfiguration,ns",
                       "-o", "name")
    assert "slurm" not in left and "slinky" not in left, left
    assert windlass("uninstall").out == ""


def test_a_namespace_of_others_stays(windlass, bed):
    bed.kubectl("delete", "namespace", "theirs", "--ignore-not-found")
    bed.kubectl("create", "namespace", "theirs")
    windlass("install", "-n", "theirs")
    assert "-n theirs" in windlass("install", code=1).err
    assert "namespace/theirs kept" in windlass("uninstall", "-n", "theirs").out
    assert bed.kubectl("-n", "theirs", "get", "deployments,secrets", "-o", "name").split() == []
    assert "nodesets.slinky" in bed.kubectl("get", "crd", "-o", "name")


def test_mistakes_are_told_with_what_to_do(windlass, tmp_path):
    assert "$KUBECONFIG" in windlass("check", "--kubeconfig", tmp_path / "none", code=1).err
    assert "--help" in windlass("install", "--colour", code=2).err
    assert windlass("uninstall", "--with-clusters", "--keep-clusters", code=2)
