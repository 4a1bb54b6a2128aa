"""The golden files, each started with: slurmctld and slurmdbd take them.

What this rootfs lacks is replaced, and only that: munge, PMIx, a database, and the one node option
that only Soperator's Slurm knows.
"""

import os
import re

import pytest
import scontrol

GOLDEN = os.path.join(os.path.dirname(__file__), "../../golden/slurm")

LACKING = [
    (r"auth/munge", "auth/slurm"),
    (r"cred/munge", "cred/slurm"),
    (r" AutoResume=Off", ""),
    (r"(?m)^PluginDir=.*\n", ""),
    (r"(?m)^MpiDefault=.*", "MpiDefault=none"),
    (r"/var/spool/slurm(ctld|dbd)/jwt_hs256.key", "/etc/slurm/jwt.key"),
    (r"accounting_storage/slurmdbd", "accounting_storage/none"),
    (r"(?m)^StorageHost=.*", "StorageHost=127.0.0.1"),
    (r"(?m)^AccountingStorage(TRES|Host|Port)=.*\n", ""),
]

# Addresses, keys and directories as a pod would have them; then the daemon until it is up.
START = r"""
ip link set lo up
ip link add net0 type veth peer name net1
ip addr add 10.9.9.1/24 dev net0
ip link set net0 up; ip link set net1 up
mkdir -p /etc/slurm /run/slurmctld /run/slurmdbd /var/log/slurm "/var/spool/slurmctld/$CLUSTER"
cp /mnt/* /etc/slurm/
echo "127.0.0.1 localhost" > /etc/hosts
echo "10.9.9.1 $NAMES" >> /etc/hosts
set -- $NAMES; hostname "$1"
head -c 1024 /dev/urandom > /etc/slurm/slurm.key
head -c 768 /dev/urandom | base64 -w0 > /etc/slurm/jwt.key
chmod 755 /etc/slurm/*.sh 2>/dev/null
chmod 600 /etc/slurm/*.key /etc/slurm/slurmdbd.conf 2>/dev/null
chown -R "$AS:$AS" /etc/slurm /run /var/log /var/spool
setpriv --reuid "$AS" --regid "$AS" --clear-groups timeout -k 5 25 $DAEMON -D -vv > /log 2>&1 &
for i in $(seq 100); do
    grep -q -E "$UP|fatal" /log && break
    kill -0 $! 2>/dev/null || break
    sleep 0.2
done
kill $! 2>/dev/null; wait
cat /log /var/log/slurm/* 2>/dev/null
"""


def golden(name):
    """A golden file with what is lacking here replaced."""
    with open(os.path.join(GOLDEN, name), encoding="utf-8") as file:
        text = file.read()
    for pattern, instead in LACKING:
        text = re.sub(pattern, instead, text)
    return text


def start(tree, work, files, env):
    """Starts a daemon with these files in /etc/slurm; returns its log."""
    for name, text in files.items():
        (work / name).write_text(text, encoding="utf-8")
    lines = "".join(f"{key}='{value}'\n" for key, value in env.items())
    return scontrol.run(tree, work, lines + START, timeout=60, namespaces="-m -n -u -p -f")


def slurmctld(tree, work, files):
    """Starts slurmctld; returns its log."""
    text = files["slurm.conf"]
    hosts = " ".join(re.findall(r"(?m)^SlurmctldHost=([^(\n]+)\(?([^)\n]*)", text)[0])
    cluster = re.search(r"(?m)^ClusterName=(.*)$", text).group(1)
    root = "SlurmUser=root" in text
    return start(tree, work, files, {
        "NAMES": hosts + " " + " ".join(re.findall(r"(?m)^SlurmctldAddr=(.*)$", text)),
        "CLUSTER": "" if root else cluster, "AS": "0" if root else "401",
        "DAEMON": "/usr/sbin/slurmctld", "UP": "Running as primary controller"})


def comes_up(tree, work, files):
    """Starts slurmctld, which must come up."""
    log = slurmctld(tree, work, files)
    assert "Running as primary controller" in log, log[-4000:]
    assert "fatal" not in log


@pytest.mark.parametrize("name", ["minimal", "nodesets", "ha", "merged"])
def test_slurmctld_takes_the_slinky_profile(tree, tmp_path, name):
    """Dynamic nodes, configless."""
    comes_up(tree, tmp_path, {
        "slurm.conf": golden(f"slinky-{name}.slurm.conf"), "cgroup.conf": golden("slinky-cgroup.conf"),
        "prolog-0.sh": "#!/bin/sh\n"})


def test_lint_foresees_a_partition_of_nobody(tree, windlass, tmp_path):
    """The user's text in this one names a node set that the cluster does not have."""
    script = "#!/bin/sh\n"
    log = slurmctld(tree, tmp_path, {
        "slurm.conf": golden("slinky-accounting.slurm.conf"),
        "cgroup.conf": golden("slinky-cgroup.conf"), "50-c.sh": script, "00-b.sh": script})
    assert "fatal: Invalid node names in partition gpu" in log, log[-4000:]
    done = windlass("slurm", "lint", os.path.join(GOLDEN, "slinky-accounting.slurm.conf"))
    assert done.returncode == 1
    assert "partition gpu: there is no node or node set 'gpu'" in done.stdout


@pytest.mark.parametrize("name,cgroup", [("structured", "v2"), ("default", "v1")])
def test_slurmctld_takes_the_soperator_profile(tree, tmp_path, name, cgroup):
    """Known nodes, power saving, GPUs."""
    comes_up(tree, tmp_path, {
        "slurm.conf": golden(f"soperator-{name}.slurm.conf"),
        "cgroup.conf": golden(f"soperator-{cgroup}.cgroup.conf"),
        "gres.conf": golden("soperator.gres.conf"),
        "topology.conf": "SwitchName=root Nodes=worker-gpu-[0-15],burst-[0-599],login-check-0\n"
                         if name == "structured" else "SwitchName=root\n"})


@pytest.mark.parametrize("plugin,name", [("tree", "tree.topology.conf"), ("block", "block.topology.conf"),
                                         ("tree", "tree.topology.yaml"), ("block", "block.topology.yaml"),
                                         ("flat", "flat.topology.yaml")])
def test_slurmctld_takes_our_topologies(tree, tmp_path, plugin, name):
    """Trees, blocks and none, in both kinds of file."""
    nodes = "NodeName=gpu-[0-3,9],cpu-0,ib-[0-1] State=CLOUD\nPartitionName=a Nodes=ALL Default=YES\n"
    comes_up(tree, tmp_path, {
        "slurm.conf": golden("slinky-minimal.slurm.conf") + nodes + f"TopologyPlugin=topology/{plugin}\n",
        "cgroup.conf": golden("slinky-cgroup.conf"), name.split(".", 1)[1]: golden(name)})


@pytest.mark.parametrize("name", ["slinky", "soperator"])
def test_slurmdbd_takes_its_file_and_asks_the_database(tree, tmp_path, name):
    """There is no database here: trying to reach it is how far slurmdbd gets."""
    text = golden(f"{name}.slurmdbd.conf")
    host = re.search(r"(?m)^DbdHost=(.*)$", text).group(1)
    text = text.replace("auth/munge", "auth/slurm")
    log = start(tree, tmp_path, {"slurmdbd.conf": text}, {
        "NAMES": host, "CLUSTER": "", "AS": "0" if "SlurmUser=root" in text else "401",
        "DAEMON": "/usr/sbin/slurmdbd", "UP": "mysql_real_connect failed"})
    assert "mysql_real_connect failed" in log, log[-4000:]
    assert not re.search(r"Pars(e|ing) error|unrecognized|nvalid", log), log[-4000:]
