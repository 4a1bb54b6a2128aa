"""What stands in for the machines of a cluster: kubelets that find every pod ready, and slurmrestds.

The answers of slurmrestd are those recorded from a real one, with the names of our workers in them.
"""
import contextlib
import copy
import http.server
import json
import os
import pathlib
import threading
import time

from support.cluster import MERGE, Cluster, Refused

ROOT = pathlib.Path(__file__).resolve().parents[3]
ANSWERS = ROOT / "tests/unit/data/slurmrest"
PORT = 6820
EVERY = 0.5


class Kubelets(threading.Thread):
    """Marks every pod as running and ready, once."""

    def __init__(self, bed):
        super().__init__(daemon=True)
        self.cluster, self.ended = Cluster.of(bed), threading.Event()
        self.done, self.failure = set(), None

    def run(self):
        while not self.ended.wait(EVERY):
            try:
                self.round()
            except (OSError, Refused) as no:
                self.failure = no

    def round(self):
        for pod in self.cluster.must("GET", "/api/v1/pods")["items"]:
            meta = pod["metadata"]
            if meta["uid"] not in self.done:
                path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}/status"
                self.cluster.must("PATCH", path, ready_status(pod), MERGE)
                self.done.add(meta["uid"])

    def stop(self):
        self.ended.set()
        self.join(10)


def ready_status(pod):
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    kinds = ("PodScheduled", "Initialized", "ContainersReady", "Ready")
    return {"status": {
        "phase": "Running", "startTime": now, "podIP": "10.9.8.7", "podIPs": [{"ip": "10.9.8.7"}],
        "conditions": [{"type": kind, "status": "True", "lastTransitionTime": now}
                       for kind in kinds],
        "containerStatuses": [
            {"name": one["name"], "image": one["image"], "imageID": "", "ready": True,
             "restartCount": 0, "started": True, "state": {"running": {"startedAt": now}}}
            for one in pod["spec"]["containers"]]}}


class Slurm:
    """The slurmrestds of all namespaces, told apart by the host name they are called by."""

    def __init__(self):
        self.address = f"127.{os.getpid() >> 8 & 255}.{os.getpid() & 255}.66"
        self.nodes, self.writes, self.lock = {}, [], threading.Lock()
        self.server = http.server.ThreadingHTTPServer((self.address, PORT), self.handler())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def register(self, namespace, name):
        """A slurmd that came up, as a node that has nothing to do."""
        with self.lock:
            record = copy.deepcopy(answer("v0.0.44", "nodes-one")["nodes"][0])
            record.update(name=name, hostname=name, address=name, state=["IDLE", "DYNAMIC_NORM"],
                          reason="", comment="")
            self.nodes.setdefault(namespace, {}).setdefault(name, record)

    def reply(self, method, namespace, version, what, name, body):
        nodes = self.nodes.get(namespace, {})
        if method == "GET" and what in ("nodes", "node"):
            chosen = [n for n in nodes.values() if not name or n["name"] == name]
            return {**answer(version, "nodes-one"), "nodes": chosen,
                    "last_update": {"set": True, "infinite": False, "number": 1794740616}}
        if method == "GET" and what in ("jobs", "ping", "reconfigure"):
            return answer(version, {"jobs": "jobs-empty"}.get(what, what))
        if method == "POST" and what == "node" and name in nodes:
            self.writes.append((namespace, name, body))
            nodes[name].update({key: body[key] for key in ("comment", "reason") if key in body})
            return answer(version, "node-update-comment")
        return None

    def handler(slurm):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                size = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(size)) if size else None
                namespace = self.headers["Host"].partition(":")[0].partition(".")[2].split(".")[0]
                parts = [*self.path.partition("?")[0].strip("/").split("/"), "", "", ""]
                with slurm.lock:
                    found = slurm.reply(self.command, namespace, *parts[1:4], body)
                self.send(200 if found else 404, found or {"errors": [{"error": "no such path"}]})

            def send(self, status, document):
                text = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(text)

            def log_message(self, *_):
                pass

            do_GET = do_POST = do_DELETE = answer

        return Handler


def answer(version, name):
    """A recorded reply."""
    return json.loads((ANSWERS / version / f"{name}.json").read_text())["reply"]


def called_by_name(directory, address, names):
    """The beginning of a command line that finds these hosts at that address."""
    hosts = directory / "hosts"
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name in names))
    bind = 'mount --bind "$0" /etc/hosts && exec "$@"'
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", bind, str(hosts)]
