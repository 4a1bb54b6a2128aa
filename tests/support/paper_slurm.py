"""A slurmrestd of paper: one Slurm cluster for each namespace, told apart by the name it is called by.

It answers in the shape that a real one was recorded in (tests/unit/data/slurmrest): a record of a node and of a job
from there with names and states changed, and its very words for what it refuses. It changes many nodes in one call
or none of them, knows update_time, refuses topologies that lead nowhere, and keeps a DOWN node down when it registers again. paper_slurm_test.py holds it
to the recordings.
"""
import collections
import copy
import functools
import http.server
import json
import pathlib
import re
import socket
import struct
import threading
import time

DATA = pathlib.Path(__file__).resolve().parents[1] / "unit/data/slurmrest"
VERSION = "v0.0.44"
# What may happen to a call: an error, no answer, an answer that is lost or broken off after the thing was done.
FAULTS = ["500", "refuse", "lost", "cut"]
BASES = ("IDLE", "DOWN", "ALLOCATED", "MIXED", "UNKNOWN")
RANGE = re.compile(r"([^,\[]+)(?:\[([^\]]+)\])?")


@functools.cache
def recorded(name):
    """What a real slurmrestd answered; shared, so not to be changed."""
    return json.loads((DATA / VERSION / f"{name}.json").read_text())


def expand(hosts):
    """'w-[0-2,5],x' names w-0, w-1, w-2, w-5 and x."""
    for prefix, ranges in RANGE.findall(hosts):
        for part in ranges.split(",") if ranges else [""]:
            low, _, high = part.partition("-")
            for i in range(int(low), int(high or low) + 1) if part else [""]:
                yield prefix + (str(i).zfill(len(low)) if part else "")


class Slurm:
    """One cluster. Safe for several threads."""

    def __init__(self):
        self.lock = threading.RLock()
        self.nodes, self.jobs, self.reservations = {}, [], {}
        self.away = False
        self.changed = self.jobs_changed = time.time()

    # ---- what happens in it

    def register(self, name):
        """A slurmd comes up. Slurm keeps what it knew; a node that is DOWN stays so."""
        with self.lock:
            if name not in self.nodes:
                node = copy.deepcopy(recorded("nodes-one")["reply"]["nodes"][0])
                node.update(name=name, hostname=name, address=name, comment="", reason="", features=[],
                            active_features=[], state=["IDLE", "DYNAMIC_NORM"], topology="", reservation="")
                self.nodes[name] = node
                self.changed = time.time()

    def set(self, name, state, reason=None):
        """As scontrol would: a whole new state, and a reason if one is given."""
        with self.lock:
            node = self.nodes[name]
            node["state"] = state.split("+") + ["DYNAMIC_NORM"]
            if reason is not None:
                node["reason"] = reason
                node["reason_changed_at"] = {"set": True, "infinite": False, "number": int(time.time())}
            self.changed = time.time()

    def comment(self, name, text):
        with self.lock:
            self.nodes[name]["comment"] = text
            self.changed = time.time()

    def forget(self, name):
        with self.lock:
            self.nodes.pop(name, None)
            self.changed = time.time()

    def run_job(self, nodes, minutes):
        with self.lock:
            job = copy.deepcopy(recorded("jobs-running")["reply"]["jobs"][0])
            number = lambda value: {"set": True, "infinite": False, "number": value}
            job.update(job_id=len(self.jobs) + 1, nodes=nodes, job_state=["RUNNING"],
                       start_time=number(1800000000), time_limit=number(minutes))
            self.jobs.append(job)
            self.jobs_changed = time.time()

    def text(self):
        """{node: 'STATE reason'}, for people and scenarios."""
        with self.lock:
            return {name: " ".join(["+".join(s for s in node["state"] if s != "DYNAMIC_NORM"), node["reason"]]).strip()
                    for name, node in self.nodes.items()}

    # ---- what it is asked

    def change(self, names, body):
        if not all(name in self.nodes for name in names):
            return 422, recorded("node-update-missing")["reply"]
        if "nowhere" in body.get("topology_str", ""):
            return recorded("node-update-bad-state")["status"], recorded("node-update-bad-state")["reply"]
        for name in names:
            self.change_one(self.nodes[name], body)
        self.changed = time.time()
        return 200, recorded("nodes-update-many")["reply"]

    @staticmethod
    def change_one(node, body):
        state = list(node["state"])
        for word in body.get("state") or []:
            if word == "DRAIN":
                state += [] if "DRAIN" in state else ["DRAIN"]
            elif word == "UNDRAIN":
                state = [s for s in state if s != "DRAIN"]
            elif word in ("RESUME", "IDLE"):
                state = ["IDLE" if s == "DOWN" else s for s in state if s != "DRAIN"]
            elif word == "DOWN":
                state = ["DOWN"] + [s for s in state if s not in BASES]
        node["state"] = state
        if "RESUME" in (body.get("state") or []) and "reason" not in body:
            node["reason"] = ""
        for key, to in (("reason", "reason"), ("comment", "comment"), ("features", "features"),
                        ("features_act", "active_features"), ("topology_str", "topology")):
            if key in body:
                node[to] = body[key]

    def reserve(self, body):
        name = body["name"]
        record = self.reservations.get(name) or {"name": name, "flags": [], "users": "slurm", "node_list": ""}
        record["flags"] = body.get("flags") or record["flags"]
        record["node_list"] = ",".join(body.get("node_list") or [record["node_list"]])
        if "start_time" in body:
            record["start_time"] = body["start_time"]
        if "duration" in body:
            end = record["start_time"]["number"] + 60 * body["duration"]["number"]
            record["end_time"] = {"set": True, "infinite": False, "number": end}
        self.reservations[name] = record

    def answer(self, method, path, body):
        with self.lock:
            if self.away:
                return 502, recorded("nodes-slurmctld-down")["reply"]
            return self.answer_here(method, path, body)

    def answer_here(self, method, path, body):
        path, _, query = path.partition("?")
        words = [word for word in path.split("/") if word]
        if len(words) < 3 or words[1] != VERSION:
            return 404, {}
        kind, name = (words[2:] + [""])[:2]
        tail = {"errors": [], "warnings": [], "last_update": {"set": True, "infinite": False,
                                                             "number": int(time.time())}}
        since = int((re.search(r"update_time=(?:uts)?(\d+)", query) or "00")[1])
        if (method, kind) == ("GET", "nodes"):
            return (304, None) if since > self.changed else (200, {"nodes": list(self.nodes.values()), **tail})
        if (method, kind) == ("GET", "jobs"):
            return 200, recorded("jobs-unchanged")["reply"] if since > self.jobs_changed else {"jobs": self.jobs, **tail}
        if (method, kind) == ("GET", "node"):
            found = {"nodes": [self.nodes[name]], **tail} if name in self.nodes else None
            return (200, found) if found else (recorded("node-missing")["status"], recorded("node-missing")["reply"])
        if method == "POST" and kind in ("node", "nodes"):
            hosts = [name] if name else [host for part in body["name"] for host in expand(part)]
            return self.change(hosts, body)
        if (method, kind) == ("DELETE", "node"):
            self.forget(name)
            return 200, recorded("node-delete")["reply"]
        if method == "GET" and kind in ("ping", "reconfigure"):
            return 200, recorded(kind)["reply"]
        if method == "GET" and kind in ("reservation", "reservations"):
            found = [r for r in self.reservations.values() if not name or r["name"] == name]
            return 200, {"reservations": found, **tail}
        if method == "POST" and kind == "reservation":
            self.reserve(body)
            self.changed = time.time()
            return 200, recorded("nodes-update-many")["reply"]
        if (method, kind) == ("DELETE", "reservation"):
            self.reservations.pop(name, None)
            return 200, recorded("nodes-update-many")["reply"]
        return 404, {}


class Server:
    """All clusters behind one address; `Host: NAME.NAMESPACE:6820` says which."""

    def __init__(self, address, port=6820):
        self.clusters, self.lock = {}, threading.Lock()
        self.asked, self.armed = collections.Counter(), {}
        self.on_change = lambda namespace: None
        self.on_answer = lambda method, path, status, size: None
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                namespace = self.headers["Host"].split(":")[0].split(".")[1]
                slurm, fault = outer.of(namespace), outer.next_fault(namespace)
                before = slurm.changed
                status, reply = (500, {}) if fault == "500" else (0, None) if fault == "refuse" else slurm.answer(
                    self.command, self.path, json.loads(body) if body else None)
                if slurm.changed != before:
                    outer.on_change(namespace)
                text = b"" if reply is None else json.dumps(reply).encode()
                self.close_connection = fault in ("refuse", "lost", "cut")
                if fault in ("refuse", "lost"):
                    return
                self.send_response(status)
                if status != 304:
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text[:len(text) // 2] if fault == "cut" else text)
                outer.on_answer(self.command, self.path, status, len(text))

            do_GET = do_POST = do_DELETE = serve

            def log_message(self, *args):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """Whoever goes in the middle of an answer goes."""

        self.http = Quiet((address, port), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def of(self, namespace):
        with self.lock:
            return self.clusters.setdefault(namespace, Slurm())

    def arm(self, namespace, nth, fault):
        """The nth call to the cluster of that namespace, counted from its first, meets a fault."""
        self.armed[namespace] = (nth, fault)

    def next_fault(self, namespace):
        with self.lock:
            self.asked[namespace] += 1
            nth, fault = self.armed.get(namespace, (0, None))
            return fault if self.asked[namespace] == nth else None

    def stop(self):
        self.http.shutdown()
        self.http.server_close()


class Names:
    """A name server that answers every name with one address."""

    def __init__(self, address):
        self.address = address
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                query, peer = self.socket.recvfrom(4096)
            except OSError:
                return
            end = query.index(b"\0", 12) + 5
            kind, = struct.unpack("!H", query[end - 4:end - 2])
            found = kind == 1  # A; there are no others
            answer = query[:2] + b"\x85\x80" + struct.pack("!4H", 1, found, 0, 0) + query[12:end]
            if found:
                answer += b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 5, 4) + socket.inet_aton(self.address)
            self.socket.sendto(answer, peer)

    def stop(self):
        self.socket.close()
