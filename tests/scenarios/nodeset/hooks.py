"""The world around NodeSets: a Slurm cluster and kubelets of paper, found by the names the operator knows."""
import base64
import os

from support.paper_kubelets import Kubelets, nodes_of
from support.paper_slurm import FAULTS, Names, Server


def start(session, names=True):
    """names: a name server too, which takes root."""
    number = os.getpid()
    session.address = address = f"127.{64 + number % 64}.{number // 64 % 256}.{1 + number // 16384 % 254}"
    resolv_conf = f"{session.directory}/resolv.conf"
    with open(resolv_conf, "w") as out:
        out.write(f"nameserver {address}\n")
    session.env["NAMES"] = resolv_conf
    session.names, session.slurms = Names(address) if names else None, Server(address)
    session.kubelets = Kubelets(session.cluster, session.slurms)
    session.made = []


def secret(**data):
    return {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "slurm-keys"},
            "data": {key: base64.b64encode(text.encode()).decode() for key, text in data.items()}}


def namespace(session, name):
    session.cluster.apply(secret(**{"slurm.key": "s" * 64, "jwt.key": "j" * 64}), name)
    for node in nodes_of(name):
        session.cluster.apply(node, None)
        session.made.append(node)
    key = {"name": "slurm-keys"}
    session.cluster.apply({"kind": "Controller", "metadata": {"name": "slurm"}, "spec": {
        "slurmctld": {"image": "a"}, "logfile": {"image": "b"},
        "slurmKeyRef": {**key, "key": "slurm.key"}, "jwtKeyRef": {**key, "key": "jwt.key"}}},
        name, session.suite.groups)
    session.cluster.apply({"kind": "RestApi", "metadata": {"name": "slurm"}, "spec": {
        "controllerRef": {"name": "slurm"}, "slurmrestd": {"image": "a"}}}, name, session.suite.groups)


def calls(session, name):
    return session.slurms.asked[name]


def arm(session, name, k):
    session.slurms.arm(name, k, FAULTS[k % len(FAULTS)])
    return FAULTS[k % len(FAULTS)]


def stop(session):
    session.kubelets.stop()
    session.slurms.stop()
    if session.names:
        session.names.stop()
    for node in session.made:
        session.cluster.delete(node, None)
