"""The operator's chart, and what is rendered from the charts into the repository."""
import os
import pathlib
import subprocess

import pytest
import yaml

from conftest import ROOT

WINDLASS = pathlib.Path(os.environ.get("WINDLASS") or ROOT / "build" / "cmd" / "windlass")


def render(helm, **values):
    return helm.render("slurm-operator", values=values, release="slurm-operator",
                       namespace="slinky")


def container(objects, name):
    return objects["Deployment", name]["spec"]["template"]["spec"]["containers"][0]


@pytest.mark.parametrize("chart", ["slurm", "slurm-operator", "slurm-operator-crds"])
def test_charts_are_clean(helm, chart):
    done = helm.run("lint", "--strict", ROOT / "charts" / chart)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pods_are_restricted(helm):
    objects = render(helm)
    for name in ("slurm-operator", "slurm-operator-webhook"):
        pod = objects["Deployment", name]["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["containers"][0]["securityContext"] == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]}}


def test_workers_and_namespaces_become_arguments(helm):
    args = container(render(helm, operator={"nodesetWorkers": 9, "namespaces": "a,b"},
                            propagatedNodeConditions=["Hot", "Cold"]), "slurm-operator")["args"]
    assert args[0] == "manager"
    for arg in ("--nodeset-workers=9", "--namespaces=a,b", "--propagated-node-conditions=Hot,Cold"):
        assert arg in args


def test_the_program_takes_every_argument_that_the_chart_gives(helm):
    """`windlass VERB --help` lists them; one that it does not know would end the pod."""
    if not WINDLASS.exists():
        pytest.skip("no build/cmd/windlass: run make")
    objects = render(helm, certManager={"enabled": False},
                     operator={"metricsSecure": True, "namespaces": "a"},
                     webhook={"namespaces": "a"}, propagatedNodeConditions=["Hot"])
    for name in ("slurm-operator", "slurm-operator-webhook"):
        verb, *args = container(objects, name)["args"]
        text = subprocess.run([WINDLASS, "help", verb], capture_output=True, text=True, timeout=10,
                              check=True).stdout
        for arg in args:
            assert arg.split("=")[0] + " " in text.replace(",", " ").replace("=", " "), arg


@pytest.mark.parametrize("port", [70000, "http", -1])
def test_a_port_that_is_none_is_refused(helm, port):
    done = helm.template("slurm-operator", values={"operator": {"metricsPort": port}})
    assert done.returncode != 0 and "etricsPort" in done.stderr


def test_two_releases_name_their_own_account(helm):
    objects = helm.render("slurm-operator", values={"webhook": {"serviceAccount": {"name": "w"}}})
    binding = objects["ClusterRoleBinding", "w"]
    assert binding["roleRef"]["name"] == "w" and ("ClusterRole", "w") in objects


def test_the_webhook_answers_for_every_kind(helm):
    hooks = render(helm)["ValidatingWebhookConfiguration", "slurm-operator-webhook"]["webhooks"]
    assert [hook["rules"][0]["resources"][0] for hook in hooks] == [
        "accountings", "controllers", "loginsets", "nodesets", "restapis", "tokens"]
    for hook in hooks:
        kind = hook["rules"][0]["resources"][0][:-1]
        assert hook["clientConfig"]["service"]["path"] == f"/validate-slinky-slurm-net-v1beta1-{kind}"


def test_custom_resources_are_rendered_as_templates(helm):
    objects = helm.render("slurm-operator-crds", release="crds")
    assert len(objects) == 6
    kept = helm.render("slurm-operator-crds", values={"keep": True}, release="crds")
    assert all(crd["metadata"]["annotations"] == {"helm.sh/resource-policy": "keep"}
               for crd in kept.values())
    both = helm.render("slurm-operator", values={"crds": {"enabled": True}})
    assert set(objects) <= set(both)


def test_permissions_are_what_the_controllers_need(helm):
    if not WINDLASS.exists():
        pytest.skip("no build/cmd/windlass: run make")
    said = subprocess.run([WINDLASS, "rbac"], capture_output=True, text=True, timeout=10,
                          check=True).stdout
    assert (ROOT / "charts/slurm-operator/files/operator-rules.yaml").read_text() == said
    rules = render(helm)["ClusterRole", "slurm-operator"]["rules"]
    assert rules == yaml.safe_load(said)


@pytest.mark.parametrize("tool", ["render", "schema"])
def test_what_is_rendered_is_what_is_committed(helm, tool):
    done = subprocess.run([ROOT / "charts" / tool, "--check"], capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
