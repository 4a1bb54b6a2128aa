"""An API server of paper: enough of Kubernetes for unit tests of an operator, in one process, without root.

It lists, watches, creates, patches and deletes objects of any kind, knows uids, versions, generations, finalizers,
owners and the grace of pods, and has neither schemas nor controllers. What must be right about Kubernetes is tested on
the real one (docs/scenarios.md).
"""
import copy
import http.server
import json
import re
import threading
import time
import urllib.parse
import uuid

STATUS = {404: "NotFound", 409: "Conflict"}
END_OF_LIST = {"k8s.io/initial-events-end": "true"}


class No(Exception):
    def __init__(self, status, words, reason=None):
        super().__init__(words)
        self.status, self.reason = status, reason or STATUS[status]


def merge(have, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    out = dict(have) if isinstance(have, dict) else {}
    for key, value in patch.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = merge(out.get(key), value)
    return out


def merge_conditions(have, patch):
    """What a strategic merge patch does to conditions: by type."""
    out = {one["type"]: one for one in have}
    for one in patch:
        if one.get("$patch") == "delete":
            out.pop(one["type"], None)
        else:
            out[one["type"]] = merge(out.get(one["type"]), one)
    return list(out.values())


def selects(selector, labels):
    """Whether labels fit 'a=b,c in (d,e)'."""
    for part in filter(None, re.split(r",(?![^(]*\))", selector)):
        some = re.fullmatch(r"\s*(\S+) in \((.*)\)", part)
        key, values = some.groups() if some else part.replace("==", "=").split("=")
        if labels.get(key) not in [value.strip() for value in values.split(",")]:
            return False
    return True


class Place:
    """What a path means: /PREFIX[/namespaces/NAMESPACE]/PLURAL[/NAME[/SUB]]."""

    def __init__(self, path):
        words = path.strip("/").split("/")
        cut = 2 if words[0] == "api" else 3
        self.version, words = "/".join(words[1:cut]), words[cut:]
        self.namespace = None
        if words[0] == "namespaces" and len(words) > 2:
            self.namespace, words = words[1], words[2:]
        self.plural, self.name, self.sub = (words + [None, None])[:3]

    def holds(self, other):
        return (self.version, self.plural) == (other.version, other.plural) and (
            self.namespace is None or self.namespace == other.namespace)


class Kube:
    """The objects, and everything that ever happened to them."""

    def __init__(self):
        self.lock = threading.Condition(threading.RLock())
        self.objects, self.log, self.version = {}, [], 100

    @staticmethod
    def key(place):
        return place.version, place.plural, place.namespace, place.name

    def find(self, place):
        with self.lock:
            if self.key(place) not in self.objects:
                raise No(404, f'{place.plural} "{place.name}" not found')
            return self.objects[self.key(place)][1]

    def every(self, place):
        with self.lock:
            return [thing for at, thing in self.objects.values() if place.holds(at)]

    def tell(self, kind, place, thing):
        self.version += 1
        thing["metadata"]["resourceVersion"] = str(self.version)
        self.log.append((self.version, kind, place, thing))
        self.lock.notify_all()

    # ---- writing

    def create(self, place, thing):
        meta = thing.setdefault("metadata", {})
        if "name" not in meta:
            meta["name"] = meta["generateName"] + uuid.uuid4().hex[:5]
        place.name = meta["name"]
        with self.lock:
            if self.key(place) in self.objects:
                raise No(409, f'{place.plural} "{place.name}" already exists', "AlreadyExists")
            meta.update(uid=str(uuid.uuid4()), generation=1,
                        creationTimestamp=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            if place.namespace:
                meta["namespace"] = place.namespace
            thing.setdefault("apiVersion", place.version)
            if place.plural == "pods":
                thing["status"] = {"phase": "Pending"}
            self.objects[self.key(place)] = (place, thing)
            self.tell("ADDED", place, thing)
            return thing

    def replace(self, place, old, new):
        """Takes the new one in, unless it says the same; ends one that nothing holds any more."""
        if new == old:
            return old
        if new.get("spec") != old.get("spec"):
            new["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1
        meta = new["metadata"]
        if meta.get("deletionTimestamp") and not meta.get("finalizers") and not meta.get("deletionGracePeriodSeconds"):
            return self.remove(place, new)
        self.objects[self.key(place)] = (place, new)
        self.tell("MODIFIED", place, new)
        return new

    def patch(self, place, kind, patch):
        with self.lock:
            sub, place.sub = place.sub, None
            try:
                old = self.find(place)
            except No:
                if "apply" not in kind:
                    raise
                return self.create(place, merge({}, patch))
            meta = patch.get("metadata", {})
            for key, reason in (("uid", "Conflict"), ("resourceVersion", "Conflict")):
                if key in meta and meta[key] != old["metadata"][key]:
                    raise No(409, f"{key} is {old['metadata'][key]}", reason)
            drop = "spec" if sub == "status" else "status" if "status" in old else None
            wanted = {key: value for key, value in patch.items() if key != drop}
            new = merge(copy.deepcopy(old), wanted)
            if "apply" in kind and "data" in wanted:
                new["data"] = wanted["data"]  # who applies less has the rest taken away
            conditions = wanted.get("status", {}).get("conditions") if isinstance(wanted.get("status"), dict) else None
            if "strategic" in kind and conditions is not None:
                new["status"]["conditions"] = merge_conditions(old.get("status", {}).get("conditions", []), conditions)
            return self.replace(place, old, new)

    def bind(self, place, binding):
        with self.lock:
            old = self.find(place)
            return self.replace(place, old, merge(copy.deepcopy(old), {"spec": {"nodeName": binding["target"]["name"]}}))

    # ---- ending

    def delete(self, place, options):
        with self.lock:
            old = self.find(place)
            uid = (options.get("preconditions") or {}).get("uid")
            if uid and uid != old["metadata"]["uid"]:
                raise No(409, "another uid")
            runs = place.plural == "pods" and old["spec"].get("nodeName")
            grace = options.get("gracePeriodSeconds", 30) if runs else 0
            new = copy.deepcopy(old)
            new["metadata"].setdefault("deletionTimestamp", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            new["metadata"]["deletionGracePeriodSeconds"] = grace
            return self.replace(place, old, new)

    def remove(self, place, thing):
        self.objects.pop(self.key(place), None)
        self.tell("DELETED", place, thing)
        for at, other in list(self.objects.values()):
            owners = other["metadata"].get("ownerReferences", [])
            if any(owner["uid"] == thing["metadata"]["uid"] for owner in owners) and self.key(at) in self.objects:
                self.delete(at, {})
        return thing

    # ---- watching

    def news(self, place, after, seconds):
        """What happened after that version, as (version, kind, object)...; waits for it."""
        end = time.monotonic() + seconds
        with self.lock:
            while True:
                found = [(version, kind, copy.deepcopy(thing)) for version, kind, at, thing in self.log
                         if version > after and place.holds(at)]
                if found or time.monotonic() > end:
                    return found
                self.lock.wait(0.5)


class Server:
    """Serves it; .port says where."""

    def __init__(self, kube):
        self.kube, outer = kube, self
        self.stopping = False

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def say(self, status, thing):
                text = json.dumps(thing).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
                self.wfile.flush()

            def serve(self):
                text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                url = urllib.parse.urlsplit(self.path)
                query = {key: values[0] for key, values in urllib.parse.parse_qs(url.query).items()}
                place = Place(url.path)
                try:
                    if query.get("watch") in ("true", "1"):
                        return outer.watch(self, place, query)
                    status, thing = outer.answer(self.command, place, query, self.headers.get("Content-Type", ""),
                                                 json.loads(text) if text else {})
                    return self.say(status, thing)
                except No as no:
                    return self.say(no.status, {"kind": "Status", "reason": no.reason, "message": str(no),
                                                "code": no.status})

            do_GET = do_POST = do_PATCH = do_DELETE = serve

            def log_message(self, *args):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 64

            def handle_error(self, *_):
                """Whoever goes in the middle of an answer goes."""

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.port = self.http.server_port
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def answer(self, method, place, query, kind, body):
        kube = self.kube
        if method == "GET" and place.name:
            return 200, kube.find(place)
        if method == "GET":
            with kube.lock:
                return 200, {"kind": "List", "metadata": {"resourceVersion": str(kube.version)},
                             "items": [thing for thing in kube.every(place) if fits(thing, query)]}
        if method == "POST" and place.sub == "binding":
            return 201, kube.bind(place, body)
        if method == "POST":
            return 201, kube.create(place, body)
        if method == "PATCH":
            return 200, kube.patch(place, kind, body)
        return 200, kube.delete(place, body)

    def watch(self, handler, place, query):
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        after = int(query.get("resourceVersion") or 0)
        try:
            if "sendInitialEvents" in query:
                after = self.send_list(handler, place, query)
            while not self.stopping:
                for after, kind, thing in self.kube.news(place, after, 2):
                    if fits(thing, query):
                        send(handler, kind, thing)
                handler.wfile.flush()
        except OSError:
            pass
        handler.close_connection = True

    def send_list(self, handler, place, query):
        with self.kube.lock:
            every, version = copy.deepcopy(self.kube.every(place)), self.kube.version
        for thing in every:
            if fits(thing, query):
                send(handler, "ADDED", thing)
        send(handler, "BOOKMARK", {"metadata": {"resourceVersion": str(version), "annotations": END_OF_LIST}})
        handler.wfile.flush()
        return version

    def stop(self):
        self.stopping = True
        self.http.shutdown()
        self.http.server_close()


def fits(thing, query):
    meta = thing["metadata"]
    name = re.fullmatch(r"metadata.name=(.*)", query.get("fieldSelector", ""))
    return selects(query.get("labelSelector", ""), meta.get("labels") or {}) and (not name or name[1] == meta["name"])


def send(handler, kind, thing):
    text = json.dumps({"type": kind, "object": thing}).encode() + b"\n"
    handler.wfile.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")
