"""A client for tests: objects by kind, wherever their kind lives, over connections that are kept."""
import http.client
import json
import socket
import ssl
import threading
import time

DISCOVERY = "application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList"
APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"


class Refused(Exception):
    """The server said no; .status and its words."""

    def __init__(self, what, status, answer):
        words = answer.get("message", answer) if isinstance(answer, dict) else answer
        super().__init__(f"{what}: {status}: {words}")
        self.status = status


class Cluster:
    """Safe for several threads: each has a connection of its own."""

    def __init__(self, host, ca, cert, key, port=6443):
        self.host, self.port = host, port
        self.tls = ssl.create_default_context(cafile=ca)
        self.tls.load_cert_chain(cert, key)
        self.local = threading.local()
        self.kinds = {}

    @classmethod
    def of(cls, bed, user="admin", host=None):
        """The bed's API server, as one of the users that have a certificate."""
        pki = bed.dir + "/pki"
        return cls(host or bed.place.control_ip, f"{pki}/ca.crt", f"{pki}/{user}.crt",
                   f"{pki}/{user}.key")

    # ---- requests

    def open(self, timeout=None):
        """A new connection."""
        return http.client.HTTPSConnection(self.host, self.port, context=self.tls, timeout=timeout)

    def connection(self, timeout):
        link = getattr(self.local, "link", None)
        if link is None:
            link = self.open(timeout)
            link.connect()
            link.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.local.link = link
        link.sock.settimeout(timeout)
        return link

    def once(self, method, path, text, headers, timeout):
        try:
            link = self.connection(timeout)
            link.request(method, path, text, headers)
            answer = link.getresponse()
            return answer.status, answer.read().decode(), answer.getheader("Content-Type") or ""
        except (OSError, http.client.HTTPException):
            self.local.link = None
            raise

    def request(self, method, path, body=None, kind="application/json", timeout=20, accept=None):
        """(status, document); a connection that the server closed meanwhile is opened again."""
        text = json.dumps(body) if body is not None else None
        headers = {"Content-Type": kind} if body is not None else {}
        headers["Accept"] = accept or "application/json"
        try:
            status, text, kind = self.once(method, path, text, headers, timeout)
        except (OSError, http.client.HTTPException):
            status, text, kind = self.once(method, path, text, headers, timeout)
        return status, json.loads(text) if "json" in kind else text

    def must(self, method, path, body=None, kind="application/json", timeout=20):
        status, answer = self.request(method, path, body, kind, timeout)
        if status >= 300:
            raise Refused(f"{method} {path}", status, answer)
        return answer

    # ---- kinds

    def discover(self):
        """{kind: [(group, path prefix, plural, namespaced, has status)]}, preferred versions only."""
        found = {}
        for root in ("/api", "/apis"):
            groups = self.request("GET", root, accept=DISCOVERY)[1]
            for group in groups["items"]:
                name, version = group["metadata"].get("name", ""), group["versions"][0]
                prefix = f"/apis/{name}/{version['version']}" if name else "/api/v1"
                for resource in version.get("resources", []):
                    subs = [s["subresource"] for s in resource.get("subresources", [])]
                    found.setdefault(resource["responseKind"]["kind"], []).append(
                        (name, prefix, resource["resource"], resource["scope"] == "Namespaced",
                         "status" in subs))
        self.kinds = found

    def kind_of(self, obj, groups=()):
        """Where the object's kind lives: in the group it names, else in the first of `groups`."""
        kind, version = obj["kind"], obj.get("apiVersion")
        if kind not in self.kinds:
            self.discover()
        homes = self.kinds.get(kind, [])
        if version:
            group = version.rpartition("/")[0]
            homes = [home for home in homes if home[0] == group]
        order = {group: at for at, group in enumerate(groups)}
        homes = sorted(homes, key=lambda home: order.get(home[0], len(order)))
        if not homes:
            raise Refused(f"kind {kind}", 404, f"the server has no {version or ''} {kind}")
        return homes[0]

    def path(self, obj, namespace, groups=(), name=True):
        group, prefix, plural, namespaced, _ = self.kind_of(obj, groups)
        meta = obj.get("metadata", {})
        where = f"/namespaces/{meta.get('namespace', namespace)}" if namespaced else ""
        return f"{prefix}{where}/{plural}" + (f"/{meta['name']}" if name else "")

    def complete(self, obj, groups=()):
        """The object with its apiVersion, in case it only says its kind."""
        prefix = self.kind_of(obj, groups)[1]
        return {"apiVersion": prefix.removeprefix("/apis/").removeprefix("/api/"), **obj}

    # ---- objects

    def get(self, obj, namespace, groups=()):
        status, answer = self.request("GET", self.path(obj, namespace, groups))
        if status == 404:
            return None
        if status >= 300:
            raise Refused(f"get {obj['kind']}", status, answer)
        return answer

    def list(self, obj, namespace, groups=()):
        """Every object of the kind, in the namespace if it has one."""
        return self.must("GET", self.path(obj, namespace, groups, name=False))["items"]

    def apply(self, obj, namespace, groups=(), manager="scenario"):
        """Server-side apply; a status that is given is written too."""
        obj = self.complete(obj, groups)
        path = self.path(obj, namespace, groups)
        query = f"?fieldManager={manager}&force=true"
        spec = {key: value for key, value in obj.items() if key != "status"}
        has_status = self.kind_of(obj, groups)[4]
        answer = self.must("PATCH", path + query, spec if has_status else obj, APPLY)
        if "status" in obj and has_status:
            answer = self.must("PATCH", f"{path}/status{query}", obj, APPLY)
        return answer

    def patch(self, obj, namespace, groups=(), sub=""):
        """A merge patch: the object names what to patch, all the rest is the patch."""
        body = {key: value for key, value in obj.items() if key not in ("apiVersion", "kind")}
        path = self.path(obj, namespace, groups) + sub
        return self.must("PATCH", path + "?fieldManager=scenario", body, MERGE)

    def delete(self, obj, namespace, groups=(), **options):
        path = self.path(obj, namespace, groups)
        status, answer = self.request("DELETE", path, options or {"propagationPolicy": "Background"})
        if status >= 300 and status != 404:
            raise Refused(f"delete {path}", status, answer)

    def namespace(self, name):
        status, answer = self.request("POST", "/api/v1/namespaces", {
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        if status >= 300 and status != 409:
            raise Refused(f"create namespace {name}", status, answer)
        return name


def until(what, check, seconds=10.0, every=0.02):
    """Calls `check` until it answers None (done) or time is up; its last answer is the failure."""
    end = time.monotonic() + seconds
    while True:
        problem = check()
        if problem is None:
            return
        if time.monotonic() > end:
            raise AssertionError(f"{what}, after {seconds} s: {problem}")
        time.sleep(every)
        every = min(every * 1.5, 0.25)
