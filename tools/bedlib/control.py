"""The control plane: etcd, one or two API servers, controller manager, scheduler, provisioner, DNS.

Each component is one function from a bed to its command line; the table at the end is what `start`
and `stop` know. Options given to `up` are kept in the state directory, so that a component comes
back as it was.
"""
import json
import os
import signal
import sys
import threading

from . import net
from .api import Api
from .build import bin_dir, program, version
from .common import read, say, wait_for, write
from .pki import Pki

TOOL = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bed")
DNS_PORTS = [{"name": "dns", "port": 53, "protocol": "UDP"},
             {"name": "dns-tcp", "port": 53, "protocol": "TCP"}]
# The stage before the answer says nothing more than the one after it.
AUDIT_POLICY = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy",
                "omitStages": ["RequestReceived"], "rules": [{"level": "Metadata"}]}
PROVISIONER = "windlass.test/directory"
STORAGE_CLASS = {
    "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
    "metadata": {"name": "standard", "annotations": {
        "storageclass.kubernetes.io/is-default-class": "true"}},
    "provisioner": PROVISIONER, "volumeBindingMode": "Immediate",
}


# ---- options of `up`, for as long as the bed lives

def save_options(place, chosen):
    write(place.path("options.json"), json.dumps(chosen))


def options(place):
    return json.loads(read(place.path("options.json"), "{}"))


def pki_of(place):
    return Pki(place.path("pki"))


def second_ip(place):
    return place.address(0, 3)


def kubeconfig(place, user="admin"):
    return place.path(user + ".kubeconfig")


def admin_api(place):
    return Api(place.control_ip, pki_of(place))


def etcd_url(place):
    return f"http://{place.control_ip}:2379"


# ---- command lines

def etcd(place):
    peer = "http://127.0.0.1:2380"
    return [program("etcd"), "--name=bed", f"--data-dir={place.path('etcd')}",
            f"--listen-client-urls={etcd_url(place)}",
            f"--advertise-client-urls={etcd_url(place)}",
            f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=bed={peer}", "--unsafe-no-fsync", "--log-level=warn",
            "--heartbeat-interval=20", "--election-timeout=200"]  # alone, it elects itself sooner


def apiserver(place, address=None):
    pki, address = pki_of(place), address or place.control_ip
    name = "audit" if address == place.control_ip else "audit-second"
    chosen = options(place)
    gates = [f"--feature-gates={g}" for g in chosen.get("feature_gates") or []]
    return [program("kube-apiserver"), f"--etcd-servers={etcd_url(place)}",
            f"--bind-address={address}", f"--advertise-address={address}", "--secure-port=6443",
            f"--service-cluster-ip-range={place.services}", "--allow-privileged",
            "--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
            # Webhooks named by Service are dialled at their endpoint: no kube-proxy needed.
            "--enable-aggregator-routing",
            f"--tls-cert-file={pki.path('apiserver.crt')}",
            f"--tls-private-key-file={pki.path('apiserver.key')}",
            f"--client-ca-file={pki.path('ca.crt')}",
            "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
            f"--service-account-key-file={pki.path('sa.pub')}",
            f"--service-account-signing-key-file={pki.path('sa.key')}",
            "--kubelet-preferred-address-types=InternalIP",
            f"--kubelet-certificate-authority={pki.path('ca.crt')}",
            f"--kubelet-client-certificate={pki.path('kubelet-client.crt')}",
            f"--kubelet-client-key={pki.path('kubelet-client.key')}",
            f"--requestheader-client-ca-file={pki.path('ca.crt')}",
            "--requestheader-allowed-names=front-proxy",
            "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            f"--proxy-client-cert-file={pki.path('front-proxy.crt')}",
            f"--proxy-client-key-file={pki.path('front-proxy.key')}",
            f"--audit-policy-file={place.path('audit-policy.json')}",
            f"--audit-log-path={place.path('log', name + '.log')}", "--audit-log-maxsize=4096",
            *gates, *(chosen.get("apiserver_args") or [])]


def apiserver_second(place):
    return apiserver(place, second_ip(place))


def own_access(place, user):
    """What lets a component call the API server and be asked for its metrics by certificate."""
    return [f"--kubeconfig={kubeconfig(place, user)}", "--authentication-skip-lookup",
            f"--client-ca-file={pki_of(place).path('ca.crt')}", "--bind-address=127.0.0.1",
            "--leader-elect=false"]


def controller_manager(place):
    pki = pki_of(place)
    return [program("kube-controller-manager"), *own_access(place, "controller-manager"),
            "--use-service-account-credentials", f"--root-ca-file={pki.path('ca.crt')}",
            f"--service-account-private-key-file={pki.path('sa.key')}",
            f"--cluster-signing-cert-file={pki.path('ca.crt')}",
            f"--cluster-signing-key-file={pki.path('ca.key')}",
            # Its default of 20 calls a second would decide how fast every test runs.
            "--kube-api-qps=500", "--kube-api-burst=1000",
            *(options(place).get("controller_manager_args") or [])]


def scheduler(place):
    return [program("kube-scheduler"), *own_access(place, "scheduler"), "--kube-api-qps=500",
            "--kube-api-burst=1000", *(options(place).get("scheduler_args") or [])]


def provisioner(place):
    return [sys.executable, TOOL, "--name", place.name, "provisioner"]


def coredns(place):
    write(place.path("Corefile"), f"""\
.:53 {{
    bind {place.control_ip}
    errors
    cache 5
    kubernetes cluster.local in-addr.arpa {{
        kubeconfig {kubeconfig(place)} bed
        pods insecure
        ttl 5
    }}
}}
""")
    return [program("coredns"), "-conf", place.path("Corefile")]


def kwok(place):
    return [program("kwok"), f"--kubeconfig={kubeconfig(place)}", "--manage-all-nodes=false",
            "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
            "--node-lease-duration-seconds=40", f"--cidr={place.sim_pods}",
            f"--node-ip={place.control_ip}", f"--config={bin_dir()}/kwok-stages.yaml"]


COMPONENTS = {
    "etcd": etcd,
    "apiserver": apiserver,
    "apiserver-second": apiserver_second,
    "controller-manager": controller_manager,
    "scheduler": scheduler,
    "provisioner": provisioner,
    "coredns": coredns,
    "kwok": kwok,
}
# With watches open an API server takes its time to end, and etcd has all that needs saving.
AT_ONCE = {"apiserver", "apiserver-second"}


def start(place, name):
    # Less collecting while it starts: half a second of processor time for 100 MiB.
    place.process(name).start(*COMPONENTS[name](place), netns=place.netns, env={"GOGC": "300"})


def stop(place, name, grace=None):
    """TERM, then KILL after `grace` seconds (None: what suits the component)."""
    if grace is None:
        grace = 0 if name in AT_ONCE else 10.0
    place.process(name).stop(signal.SIGTERM if grace else signal.SIGKILL, grace)


# ---- bringing it up: what need not wait for something else runs beside it

def make_network(place):
    """Bridge br0 in the bed's namespace is the node network; the machine has one leg in it."""
    net.netns_add(place.netns)
    net.bridge_add("br0", place.control_ip + "/24", netns=place.netns)
    net.veth_add(place.link, "machine", peer_netns=place.netns, peer_bridge="br0",
                 address=place.machine_ip + "/24")
    net.ip("addr", "replace", second_ip(place) + "/24", "dev", "br0", netns=place.netns)
    net.route(place.services, place.control_ip)
    net.route("default", place.machine_ip, netns=place.netns)


def apiserver_names(place):
    dns = ["kubernetes", "kubernetes.default", "kubernetes.default.svc",
           "kubernetes.default.svc.cluster.local", "localhost"]
    ips = ["127.0.0.1", place.control_ip, second_ip(place), place.address(16, 1)]
    return ",".join([f"DNS:{name}" for name in dns] + [f"IP:{ip}" for ip in ips])


def make_certificates(place):
    pki = pki_of(place)
    pki.authority()
    pki.certificates([
        ("apiserver", "/CN=kube-apiserver", apiserver_names(place)),
        ("admin", "/O=system:masters/CN=admin"),
        ("kubelet-client", "/O=system:masters/CN=apiserver-kubelet-client"),
        ("front-proxy", "/CN=front-proxy"),
        ("controller-manager", "/CN=system:kube-controller-manager"),
        ("scheduler", "/CN=system:kube-scheduler"),
        ("kube-proxy", "/CN=system:kube-proxy"),
    ])


def write_files(place):
    pki, server = pki_of(place), f"https://{place.control_ip}:6443"
    for user in ("admin", "controller-manager", "scheduler", "kube-proxy"):
        pki.kubeconfig(kubeconfig(place, user), user, server)
    pki.kubeconfig(place.path("admin-second.kubeconfig"), "admin",
                   f"https://{second_ip(place)}:6443")
    if os.environ.get("SUDO_UID"):  # kubectl is then used without sudo
        os.chown(kubeconfig(place), int(os.environ["SUDO_UID"]), -1)
    write(place.path("audit-policy.json"), json.dumps(AUDIT_POLICY))
    write(place.path("resolv.conf"), f"nameserver {place.control_ip}\n"
          "search default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n")


def ready(place, address=None):
    return Api(address or place.control_ip, pki_of(place)).get("/readyz") == "ok"


def wait_ready(place, name, address=None, timeout=60):
    process = place.process(name)

    def check():
        process.must_live()
        return ready(place, address)

    wait_for(f"{name} to be ready", check, timeout, process.log)


def etcd_is_healthy(place):
    place.process("etcd").must_live()
    return net.tcp_answers(place.control_ip, 2379)


def up(place):
    """Everything of the control plane, to the point where pods can be created."""
    making = threading.Thread(target=make_certificates, args=(place,))
    making.start()
    make_network(place)
    start(place, "etcd")
    making.join()
    write_files(place)
    wait_for("etcd to answer", lambda: etcd_is_healthy(place), 30, place.process("etcd").log)
    start(place, "apiserver")
    start(place, "controller-manager")
    start(place, "scheduler")
    wait_ready(place, "apiserver")
    if options(place).get("second_apiserver"):
        start(place, "apiserver-second")
    api = admin_api(place)
    api.apply("/apis/storage.k8s.io/v1/storageclasses/standard", STORAGE_CLASS)
    start(place, "provisioner")
    for path in ("serviceaccounts/default", "configmaps/kube-root-ca.crt"):  # pods need both
        wait_for(path, lambda: api.get(f"/api/v1/namespaces/default/{path}"), 60,
                 place.process("controller-manager").log)
    if options(place).get("second_apiserver"):
        wait_ready(place, "apiserver-second", second_ip(place))
    say(f"control plane is up: https://{place.control_ip}:6443, Kubernetes {version()}")


def serve_dns(place):
    """CoreDNS, and the Service by which pods find it."""
    start(place, "coredns")
    api, name = admin_api(place), "kube-dns"
    api.apply(f"/api/v1/namespaces/kube-system/services/{name}", {
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
        "spec": {"clusterIP": place.dns_ip, "ports": DNS_PORTS}})
    api.apply(f"/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices/{name}-bed", {
        "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
        "metadata": {"name": f"{name}-bed", "labels": {"kubernetes.io/service-name": name}},
        "endpoints": [{"addresses": [place.control_ip]}], "ports": DNS_PORTS})
