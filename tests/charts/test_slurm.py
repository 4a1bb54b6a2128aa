"""The slurm chart: what values become, and what is refused."""
import base64

import pytest


def spec(objects, kind, name="slurm"):
    return objects[kind, name]["spec"]


def test_a_node_set_takes_over_the_defaults(helm):
    objects = helm.render("slurm", values={"nodesets": {"gpu": {"replicas": 0}, "cpu": None}})
    gpu = spec(objects, "NodeSet", "slurm-worker-gpu")
    assert gpu["replicas"] == 0
    assert gpu["template"]["spec"]["hostname"] == "gpu-"
    assert gpu["updateStrategy"] == {"type": "RollingUpdate",
                                     "rollingUpdate": {"maxUnavailable": "25%"}}
    assert spec(objects, "NodeSet", "slurm-worker-cpu")["replicas"] == 1


def test_false_and_zero_override_defaults(helm):
    objects = helm.render("slurm", values={"nodesets": {"a": {
        "workloadDisruptionProtection": False, "updateStrategy": {
            "rollingUpdate": {"maxUnavailable": 0}}}}})
    a = spec(objects, "NodeSet", "slurm-worker-a")
    assert a["workloadDisruptionProtection"] is False
    assert a["updateStrategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_a_map_keeps_falsy_values_and_whole_numbers(helm):
    objects = helm.render("slurm", values={"controller": {"extraConfMap": {
        "KillWait": 0, "MaxJobCount": 10000000, "TrackWCKey": False, "GresTypes": ["gpu", "mps"],
        "PrologFlags": None, "JobCompLoc": "a;b"}}})
    lines = spec(objects, "Controller")["extraConf"].splitlines()
    assert lines == ["GresTypes=gpu,mps", "JobCompLoc=a;b", "KillWait=0", "MaxJobCount=10000000",
                     "TrackWCKey=NO"]


def test_texts_that_yaml_would_misread_arrive_whole(helm):
    objects = helm.render("slurm", values={"nodesets": {"a": {
        "extraConf": "Comment=x#y: z", "partition": {"enabled": True, "config": "Default=YES #: no"}}}})
    a = spec(objects, "NodeSet", "slurm-worker-a")
    assert a["extraConf"] == "Comment=x#y: z"
    assert a["partition"]["config"] == "Default=YES #: no"


def test_partitions_name_their_node_sets_in_order(helm):
    objects = helm.render("slurm", values={
        "nodesets": {"b": {}, "a": {}},
        "partitions": {"p": {"enabled": True, "nodesets": ["b", "a", "b"], "config": "State=UP"}}})
    assert spec(objects, "Controller")["extraConf"].splitlines() == [
        "PartitionName=p Nodes=a,b State=UP"]


@pytest.mark.parametrize("values, words", [
    ({"nodesets": {"a": {"replica": 3}}}, ["/nodesets/a", "replica"]),
    ({"controller": {"slurmtcld": {}}}, ["/controller", "slurmtcld"]),
    ({"nodesets": {"a": {"replicas": -1}}}, ["/nodesets/a/replicas"]),
    ({"nodesets": {"a": {"scalingMode": "Deployment"}}}, ["scalingMode"]),
    ({"partitions": {"p": {"enabled": True, "nodesets": ["x"]}}},
     ["partitions.p.nodesets", "'x'"]),
    ({"partitions": {"p": {"enabled": False, "nodesets": []}}}, ["partitions.p.nodesets is empty"]),
    ({"controller": {"slurmctld": {"image": {"repository": "a", "tag": None}}}},
     ["controller.slurmctld.image", "tag"]),
])
def test_a_mistake_is_refused_with_its_path(helm, values, words):
    done = helm.template("slurm", values=values)
    assert done.returncode != 0
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize("image, name", [
    ("a/b:c", "a/b:c"),
    ({"repository": "a/b", "tag": 1.5}, "a/b:1.5"),
    ({"repository": "a/b", "digest": "sha256:" + "0" * 64}, "a/b@sha256:" + "0" * 64),
])
def test_an_image_is_a_text_or_its_parts(helm, image, name):
    objects = helm.render("slurm", values={"restapi": {"slurmrestd": {"image": image}}})
    assert spec(objects, "RestApi")["slurmrestd"]["image"] == name


def test_keys_are_made_unless_there_are_some(helm):
    objects = helm.render("slurm")
    for name, key in (("slurm-auth-slurm", "slurm.key"), ("slurm-auth-jwt", "jwt.key")):
        secret = objects["Secret", name]
        assert secret["immutable"] is True
        assert len(base64.b64decode(secret["data"][key])) == 1024
    objects = helm.render("slurm", values={"slurmKey": {"create": False, "secretRef": {
        "name": "mine", "key": "k"}}, "jwtKey": {"create": False}})
    assert not [key for key in objects if key[0] == "Secret"]
    assert spec(objects, "Controller")["slurmKeyRef"] == {"name": "mine", "key": "k"}


def test_keys_are_made_for_an_outside_database_too(helm):
    objects = helm.render("slurm", values={"accounting": {"enabled": True, "external": True}})
    assert ("Secret", "slurm-auth-slurm") in objects
    assert spec(objects, "Accounting")["externalConfig"] == {"host": "slurmdbd.example.com"}


def test_an_outside_controller_needs_only_its_address(helm):
    objects = helm.render("slurm", values={"controller": {"external": True, "externalConfig": {
        "host": "head", "port": 7000}}})
    controller = spec(objects, "Controller")
    assert controller["externalConfig"] == {"host": "head", "port": 7000}
    assert "slurmctld" not in controller
    assert not [key for key in objects if key[0] == "Secret"]


def test_a_disruption_budget_says_one_thing(helm):
    objects = helm.render("slurm", values={"restapi": {"pdb": {"enabled": True,
                                                               "maxUnavailable": 0}}})
    budget = spec(objects, "PodDisruptionBudget", "slurm-restapi")
    assert budget["maxUnavailable"] == 0 and "minAvailable" not in budget


def test_storage_class_none_default_or_named(helm):
    def storage(name):
        objects = helm.render("slurm", values={"controller": {"persistence": {
            "storageClassName": name}}})
        return spec(objects, "Controller")["persistence"].get("storageClassName")

    assert (storage(None), storage("-"), storage(""), storage("fast")) == (None, "", "", "fast")


def test_gpu_workers_share_a_directory_with_the_exporter(helm):
    values = {"vendor": {"nvidia": {"dcgm": {"enabled": True}}}, "nodesets": {
        "gpu": {"slurmd": {"resources": {"limits": {"nvidia.com/gpu": 8}}}}, "cpu": {}}}
    objects = helm.render("slurm", values=values)
    gpu = spec(objects, "NodeSet", "slurm-worker-gpu")
    assert gpu["slurmd"]["volumeMounts"][0]["mountPath"] == "/var/lib/dcgm-exporter/job-mapping"
    assert gpu["template"]["spec"]["volumes"][0]["hostPath"]["type"] == "DirectoryOrCreate"
    assert not spec(objects, "NodeSet", "slurm-worker-cpu")["slurmd"]["volumeMounts"]
    assert {"name": "slurm-prolog-dcgm"} in spec(objects, "Controller")["prologScriptRefs"]
    assert "prolog-90-dcgm.sh" in objects["ConfigMap", "slurm-prolog-dcgm"]["data"]


def test_users_come_with_login_or_ssh(helm):
    assert ("Secret", "slurm-sssd-conf") not in helm.render("slurm", values={"nodesets": {"a": {}}})
    for values in ({"loginsets": {"l": {}}}, {"nodesets": {"a": {"ssh": {"enabled": True}}}}):
        objects = helm.render("slurm", values=values)
        assert "[domain/DEFAULT]" in objects["Secret", "slurm-sssd-conf"]["stringData"]["sssd.conf"]
