"""A few calls to the bed's API server; kubectl is too slow to poll with."""
import contextlib
import http.client
import json
import ssl

from .common import Fail


class Api:
    """Not for several threads at once: each makes its own."""

    def __init__(self, host, pki, user="admin"):
        self.host = host
        self.tls = ssl.create_default_context(cafile=pki.path("ca.crt"))
        self.tls.load_cert_chain(pki.path(user + ".crt"), pki.path(user + ".key"))

    def connect(self, timeout):
        return http.client.HTTPSConnection(self.host, 6443, timeout=timeout, context=self.tls)

    def request(self, method, path, body=None, kind="application/json", timeout=10):
        """(status, document or text); the connection's own failures are OSError."""
        link = self.connect(timeout)
        with contextlib.closing(link):
            headers = {"Content-Type": kind} if body is not None else {}
            link.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = link.getresponse()
            text = answer.read().decode()
        is_json = "json" in (answer.getheader("Content-Type") or "")
        return answer.status, json.loads(text) if is_json else text

    def get(self, path):
        """The document, or None when there is none or no server yet."""
        try:
            status, answer = self.request("GET", path)
        except (OSError, http.client.HTTPException):
            return None
        return answer if status == 200 else None

    def apply(self, path, body):
        """Server-side apply; `path` names the object."""
        status, answer = self.request("PATCH", path + "?fieldManager=bed&force=true", body,
                                      "application/apply-patch+yaml")
        if status not in (200, 201):
            raise Fail(f"apply {path}: {status}: {message_of(answer)}")

    def create(self, path, body):
        """Creates an object; one that is there already is left as it is."""
        status, answer = self.request("POST", path, body)
        if status not in (200, 201, 202, 409):
            raise Fail(f"create at {path}: {status}: {message_of(answer)}")

    def watch(self, path, timeout, more=""):
        """Events, first of what exists already, until the server or the timeout ends it."""
        with contextlib.closing(self.connect(timeout)) as link:
            link.request("GET", path + "?watch=1" + more)
            for line in link.getresponse():
                yield json.loads(line)


def message_of(answer):
    return answer.get("message", answer) if isinstance(answer, dict) else answer
