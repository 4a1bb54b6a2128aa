"""Network namespaces, bridges and veth pairs by ip(8), made so that each call may be repeated."""
import os
import signal
import socket

from .common import Fail, born, end, run, wait_for


def ip(*words, netns=None, check=True):
    return run("ip", *(("-n", netns) if netns else ()), *words, check=check)


def netns_exists(name):
    return os.path.exists(f"/run/netns/{name}")


def netns_add(name):
    """A network namespace with lo up that forwards IPv4."""
    if netns_exists(name):
        return
    ip("netns", "add", name)
    ip("link", "set", "lo", "up", netns=name)
    run("sysctl", "-qw", "net.ipv4.ip_forward=1", netns=name)


def netns_pids(name):
    """Every process in the namespace, whoever started it."""
    if not netns_exists(name):
        return []
    return [int(pid) for pid in ip("netns", "pids", name, check=False).split()]


def netns_clear(name):
    """Kills what is left in a namespace, again and again while new ones are forked."""
    for _ in range(50):
        pids = [(pid, born(pid)) for pid in netns_pids(name) if pid != os.getpid()]
        pids = [(pid, since) for pid, since in pids if since is not None]
        if not pids:
            return
        for pid, since in pids:
            end(pid, since, signal.SIGKILL)
    raise Fail(f"processes keep appearing in network namespace {name}: ip netns pids {name}")


def netns_del(name):
    """The namespace, what runs in it and the interfaces in it; nothing there is no error."""
    netns_clear(name)
    if netns_exists(name):
        ip("netns", "del", name)


def link_exists(name, netns=None):
    return ip("-o", "link", "show", "dev", name, netns=netns, check=False) != ""


def link_del(name, netns=None):
    """Takes a link away; the kernel may be doing so already, after its namespace has gone."""
    if link_exists(name, netns):
        ip("link", "del", name, netns=netns, check=False)
        wait_for(f"link {name} to go", lambda: not link_exists(name, netns), 10)


def bridge_add(name, address=None, netns=None):
    """A bridge that is up, with an address such as 10.1.0.2/24 on it when given."""
    if link_exists(name, netns):
        return
    ip("link", "add", name, "type", "bridge", netns=netns)
    if address:
        ip("addr", "add", address, "dev", name, netns=netns)
    ip("link", "set", name, "up", netns=netns)


def veth_add(name, peer, netns=None, peer_netns=None, address=None, peer_address=None,
             bridge=None, peer_bridge=None):
    """A veth pair, both ends up: `name` in `netns` (None: the machine), `peer` in `peer_netns`.

    Each end gets an address, or becomes a port of a bridge of its namespace.
    """
    if link_exists(name, netns):
        return
    target = ("netns", peer_netns) if peer_netns else ()
    ip("link", "add", name, "type", "veth", "peer", "name", peer, *target, netns=netns)
    for link, where, addr, port in ((name, netns, address, bridge),
                                    (peer, peer_netns, peer_address, peer_bridge)):
        if port:
            ip("link", "set", link, "master", port, netns=where)
        if addr:
            ip("addr", "add", addr, "dev", link, netns=where)
        ip("link", "set", link, "up", netns=where)


def route(prefix, via, netns=None):
    """Sends a prefix by way of a gateway, whatever was there before."""
    ip("route", "replace", prefix, "via", via, netns=netns)


def route_del(prefix, netns=None):
    ip("route", "del", prefix, netns=netns, check=False)


def prefix_is_free(prefix):
    """Whether the machine has no route (the default aside) that shares addresses with a prefix."""
    inner = ip("-4", "route", "show", "root", prefix, check=False)
    outer = ip("-4", "route", "show", "match", prefix, check=False)
    return not any(line.split()[0] != "default" for line in (inner + outer).splitlines() if line)


def tcp_answers(address, port):
    """Whether something listens there; for addresses that this machine itself can reach."""
    try:
        with socket.create_connection((address, port), timeout=1):
            return True
    except OSError:
        return False
