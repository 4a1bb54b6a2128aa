"""A slurmctld that no operator knows of, as on a machine outside of Kubernetes."""
import secrets

import yaml

NAMESPACE = "outside"
HOST = f"slurmctld.{NAMESPACE}.svc.cluster.local"
CONF = f"""\
ClusterName=outside
SlurmctldHost=slurmctld({HOST})
SlurmUser=slurm
AuthType=auth/slurm
CredType=cred/slurm
AuthInfo=use_client_ids
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
SlurmctldParameters=enable_configless
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
ProctrackType=proctrack/cgroup
TaskPlugin=task/affinity,task/cgroup
MaxNodeCount=16
PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED
"""


def objects(image, cgroup_conf, keys):
    meta = {"name": "slurmctld", "namespace": NAMESPACE}
    labels = {"app": "slurmctld"}
    volumes = [
        {"name": "etc", "projected": {"defaultMode": 0o600, "sources": [
            {"configMap": {"name": "slurmctld"}}, {"secret": {"name": "slurmctld"}}]}},
        {"name": "state", "emptyDir": {}}, {"name": "run", "emptyDir": {"medium": "Memory"}}]
    mounts = [{"name": "etc", "mountPath": "/etc/slurm"}, {"name": "run", "mountPath": "/run"},
              {"name": "state", "mountPath": "/var/spool/slurmctld"}]
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta,
         "data": {"slurm.conf": CONF, "cgroup.conf": cgroup_conf}},
        {"apiVersion": "v1", "kind": "Secret", "metadata": meta, "stringData": keys},
        {"apiVersion": "v1", "kind": "Service", "metadata": meta,
         "spec": {"clusterIP": "None", "selector": labels, "ports": [{"port": 6817}]}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {**meta, "labels": labels}, "spec": {
            "hostname": "slurmctld",
            "securityContext": {"runAsUser": 401, "runAsGroup": 401, "fsGroup": 401},
            "containers": [{"name": "slurmctld", "image": image, "volumeMounts": mounts,
                            "readinessProbe": {"tcpSocket": {"port": 6817}, "periodSeconds": 1}}],
            "volumes": volumes}}]


def start(desk):
    """Starts it, and leaves copies of its keys on the desk."""
    keys = {name: secrets.token_hex(64) for name in ("slurm.key", "jwt.key")}
    for name, text in keys.items():
        (desk.directory / name).write_text(text)
    cgroup_conf = desk.site()["configFiles"]["cgroup.conf"]
    desk.bed.kubectl("apply", "-f", "-", data=yaml.safe_dump_all(
        objects(desk.cluster.image("slurmctld"), cgroup_conf, keys)))
    desk.bed.kubectl("-n", NAMESPACE, "wait", "--for=condition=Ready", "pod/slurmctld",
                     "--timeout=60s", timeout=70)
