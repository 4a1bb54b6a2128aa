"""Real nodes: containerd, kubelet and kube-proxy in namespaces of their own, so that pods run.

Node 0 shares the control plane's network namespace, so ClusterIPs work there and from the machine.
A node is one pid 1 (nodeinit.sh); killing it kills the node as a power cut would.
"""
import json
import os
import re
import resource
import shlex
import signal
import subprocess

from . import build, cgroup, control, image, net
from .common import Fail, born, end, read, run, say, wait_for, write

INIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nodeinit.sh")
DAEMONS = ("containerd", "kubelet", "kube-proxy")
CNI_DIRS = ("/usr/lib/cni", "/opt/cni/bin")
MAX_NODES = 32


def name_of(index):
    return f"n{index}"


def cgroup_of(place, index):
    return f"{place.netns}-n{index}"


def directory(place, index):
    return place.path("nodes", name_of(index))


def indexes(place):
    """Nodes that have been made, running or not."""
    try:
        return sorted(int(n[1:]) for n in os.listdir(place.path("nodes")))
    except FileNotFoundError:
        return []


# ---- inside a node

def init_pid(place, index):
    """The node's pid 1 as the machine sees it, or None."""
    holder = place.process(name_of(index)).pid()
    children = read(f"/proc/{holder}/task/{holder}/children") if holder else None
    return int(children.split()[0]) if children and children.split() else None


def enter(place, index, argv):
    """The command line that runs `argv` inside the node, in its cgroup too."""
    pid = init_pid(place, index)
    if pid is None:
        raise Fail(f"node {name_of(index)} is not up: run tools/bed node {index}")
    files = cgroup.procs_files(cgroup_of(place, index), "system")
    move = "; ".join(f"echo $$ > {shlex.quote(f)}" for f in files)
    inner = ["nsenter", f"--target={pid}", "--mount", "--uts", "--ipc", "--net", "--pid",
             "--cgroup", "--", *(str(a) for a in argv)]
    return ["sh", "-ec", f"{move}; exec {shlex.join(inner)}"]


def run_in(place, index, *argv, timeout=60, check=True):
    return run(*enter(place, index, argv), timeout=timeout, check=check)


def start(place, daemon, index):
    process = place.process(f"{daemon}-{name_of(index)}")
    if not process.pid():
        process.start(*enter(place, index, COMMANDS[daemon](place, index)), child=True)


def stop(place, daemon, index, grace=10.0):
    process = place.process(f"{daemon}-{name_of(index)}")
    process.stop(signal.SIGTERM if grace else signal.SIGKILL, grace)


# ---- configuration

def containerd(place, index):
    path = os.path.join(directory(place, index), "containerd.toml")
    write(path, """\
version = 2
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
    "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs"]
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "%s"
  # Without CAP_SYS_RESOURCE, as in containers, no pod would start otherwise.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "%s"
    conf_dir = "%s"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
""" % (image.PAUSE, cni_bin_dir(), os.path.join(directory(place, index), "cni")))
    return ["containerd", "--config", path]


def cni_bin_dir():
    for path in CNI_DIRS:
        if os.path.exists(os.path.join(path, "bridge")):
            return path
    raise Fail(f"no CNI plugins in {' or '.join(CNI_DIRS)}: run tools/setup bed")


def write_cni(place, index):
    where = os.path.join(directory(place, index), "cni")
    os.makedirs(where, exist_ok=True)
    ipam = {"type": "host-local", "ranges": [[{"subnet": place.node_pods(index)}]],
            "routes": [{"dst": "0.0.0.0/0"}]}
    write(os.path.join(where, "10-bed.conflist"), json.dumps({
        "cniVersion": "1.0.0", "name": "bed", "plugins": [
            {"type": "bridge", "bridge": "cni0", "isGateway": True, "hairpinMode": True,
             "ipam": ipam},
            {"type": "portmap", "capabilities": {"portMappings": True}}]}))


def kubelet(place, index):
    name, pki = name_of(index), control.pki_of(place)
    path = os.path.join(directory(place, index), "kubelet.json")
    write(path, json.dumps({
        "apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
        "failCgroupV1": False, "cgroupDriver": "cgroupfs", "protectKernelDefaults": True,
        "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
        "clusterDNS": [place.dns_ip], "clusterDomain": "cluster.local", "resolvConf": "",
        "tlsCertFile": pki.path(name + ".crt"), "tlsPrivateKeyFile": pki.path(name + ".key"),
        "authentication": {"anonymous": {"enabled": False}, "webhook": {"enabled": True},
                           "x509": {"clientCAFile": pki.path("ca.crt")}},
        "authorization": {"mode": "Webhook"},
        "volumePluginDir": "/var/lib/kubelet/volumeplugins", "maxPods": 250, "oomScoreAdj": 0,
        "maxOpenFiles": resource.getrlimit(resource.RLIMIT_NOFILE)[1],
        "imageGCHighThresholdPercent": 100,  # nothing can be pulled again
        "evictionHard": {"memory.available": "100Mi", "nodefs.available": "1%",
                         "nodefs.inodesFree": "1%", "imagefs.available": "1%"},
        "syncFrequency": "5s",               # a changed ConfigMap shows in its volumes this soon
    }, indent=1))
    return [build.program("kubelet"), f"--config={path}", f"--hostname-override={name}",
            f"--kubeconfig={control.kubeconfig(place, name)}",
            f"--node-ip={place.node_ip(index)}"]


def kube_proxy(place, index):
    return [build.program("kube-proxy"), f"--kubeconfig={control.kubeconfig(place, 'kube-proxy')}",
            f"--hostname-override={name_of(index)}", "--proxy-mode=iptables",
            f"--cluster-cidr={place.pods}", "--oom-score-adj=0", "--conntrack-max-per-core=0",
            "--conntrack-tcp-timeout-established=0", "--conntrack-tcp-timeout-close-wait=0"]


COMMANDS = {"containerd": containerd, "kubelet": kubelet, "kube-proxy": kube_proxy}


# ---- joining and leaving

def connect(place, index):
    """The node's leg on the node network, and routes between its pods and everyone else."""
    netns, address = place.node_netns(index), place.node_ip(index)
    if index > 0:
        net.netns_add(netns)
        net.veth_add(name_of(index), "eth0", netns=place.netns, bridge="br0", peer_netns=netns,
                     peer_address=address + "/24")
        net.route("default", place.machine_ip, netns=netns)
        net.route(place.node_pods(index), address, netns=place.netns)
    net.route(place.node_pods(index), address)
    for other in indexes(place):
        if other != index and net.netns_exists(place.node_netns(other)):
            net.route(place.node_pods(index), address, netns=place.node_netns(other))
            net.route(place.node_pods(other), place.node_ip(other), netns=netns)


def boot(place, index):
    """Starts the node's pid 1 and waits until the inside is made."""
    name, where = name_of(index), directory(place, index)
    mark = os.path.join(where, "ready")
    if os.path.exists(mark):
        os.unlink(mark)
    cgroup.make(cgroup_of(place, index))
    enter_cgroup = "; ".join(f"echo $$ > {shlex.quote(f)}"
                             for f in cgroup.procs_files(cgroup_of(place, index)))
    command = ["unshare", "--mount", "--uts", "--ipc", "--pid", "--cgroup", "--fork",
               "--kill-child=KILL", "sh", INIT, name, where, mark, build.program("pause"),
               place.dir, build.bin_dir()]
    holder = place.process(name)
    holder.start("sh", "-ec", f"{enter_cgroup}; exec {shlex.join(command)}",
                 netns=place.node_netns(index))
    wait_for(f"the inside of node {name}", lambda: holder.must_live() or os.path.exists(mark), 20,
             holder.log)
    if cgroup.is_unified():  # the holder too must leave, or no controller can be handed down
        for path in cgroup.procs_files(cgroup_of(place, index), "system"):
            write_pid(path, holder.pid())
        cgroup.hand_down(cgroup.directories(cgroup_of(place, index))[0])


def write_pid(path, pid):
    with open(path, "w") as out:
        out.write(str(pid))


def node_is_ready(place, index):
    place.process(f"kubelet-{name_of(index)}").must_live()
    node = control.admin_api(place).get(f"/api/v1/nodes/{name_of(index)}") or {}
    conditions = node.get("status", {}).get("conditions", [])
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def join(place, index):
    name = name_of(index)
    if not 0 <= index < MAX_NODES:
        raise Fail(f"node {index}: choose 0 to {MAX_NODES - 1}")
    if place.process(name).pid():
        raise Fail(f"node {name} is up already")
    os.makedirs(directory(place, index), exist_ok=True)
    connect(place, index)
    pki = control.pki_of(place)
    pki.certificate(name, f"/O=system:nodes/CN=system:node:{name}",
                    f"DNS:{name},IP:{place.node_ip(index)}")
    pki.kubeconfig(control.kubeconfig(place, name), name, f"https://{place.control_ip}:6443")
    write_cni(place, index)
    boot(place, index)
    start(place, "containerd", index)
    start(place, "kube-proxy", index)
    wait_containerd(place, index)
    image.load_all(place, index)
    start(place, "kubelet", index)
    if index == 0:
        control.serve_dns(place)
    wait_for(f"node {name} to be Ready", lambda: node_is_ready(place, index), 90,
             place.process(f"kubelet-{name}").log)
    say(f"node {name} is Ready")


def wait_containerd(place, index):
    daemon = place.process(f"containerd-{name_of(index)}")

    def check():
        daemon.must_live()
        return run_in(place, index, "ctr", "version", check=False).count("Version:") > 1

    wait_for("containerd to answer", check, 30, daemon.log)


def power_off(place, index):
    """Kills everything in the node at once; its disk stays for the next join()."""
    name = name_of(index)
    pid = init_pid(place, index)
    if pid:
        end(pid, born(pid), signal.SIGKILL)
    place.process(name).stop(signal.SIGKILL)
    for daemon in DAEMONS:
        place.process(f"{daemon}-{name}").stop(signal.SIGKILL)
    if index == 0:
        net.link_del("cni0", netns=place.netns) if net.netns_exists(place.netns) else None
    else:
        net.netns_del(place.node_netns(index))
    net.route_del(place.node_pods(index))
    cgroup.remove(cgroup_of(place, index))


def left_over(place):
    """Indexes of all nodes that something is left of: directories, cgroups, namespaces."""
    names = cgroup.named(f"{place.netns}-n") + os.listdir("/run/netns")
    found = (re.fullmatch(rf"{place.netns}-n(\d+)", name) for name in names)
    return sorted({int(f.group(1)) for f in found if f} | set(indexes(place)))


def exec_in(place, index, argv):
    """Runs a program inside the node in the foreground; its exit status."""
    return subprocess.call(enter(place, index, argv))
