"""Whoever calls, with whatever: the right status, others served, memory bounded. No cluster needed."""
import contextlib
import http.client
import json
import pathlib
import re
import socket
import ssl
import subprocess
import time

import pytest
from conftest import until

from support.operator_process import Operator, free_port

PATH = "/validate-slinky-slurm-net-v1beta1-nodeset"
NOWHERE = {"apiVersion": "v1", "kind": "Config", "current-context": "c",
           "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
           "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
           "users": [{"name": "u", "user": {"token": "x"}}]}
GOOD = json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
    "uid": "u", "operation": "CREATE", "object": {
        "metadata": {"name": "w", "namespace": "x"}, "spec": {"controllerRef": {"name": "s"}}}}})


def make_pair(directory):
    """A new certificate for 127.0.0.1; both files appear at once, as those of a Secret do."""
    for name in ("tls.key", "tls.crt"):
        (directory / f".{name}").unlink(missing_ok=True)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj", "/CN=hook",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", directory / ".tls.key",
                    "-out", directory / ".tls.crt"], check=True, capture_output=True)
    for name in ("tls.key", "tls.crt"):
        (directory / f".{name}").rename(directory / name)


class Served(Operator):
    """Our webhook with a directory of certificates and no API server."""

    def __init__(self, program, directory):
        self.directory, self.port = directory, free_port()
        config = directory / "kubeconfig"
        config.write_text(json.dumps(NOWHERE))
        make_pair(directory)
        super().__init__([program, "webhook", "--kubeconfig", "$KUBECONFIG", "--health-addr",
                          "$HEALTH", "--cert-dir", str(directory), "--server-addr",
                          f"127.0.0.1:{self.port}", "--shutdown-delay", "0s"], str(config),
                         directory / "log")

    def trust(self):
        return ssl.create_default_context(cafile=self.directory / "tls.crt")

    def dial(self):
        return self.trust().wrap_socket(socket.create_connection(("127.0.0.1", self.port), 10),
                                        server_hostname="127.0.0.1")

    def post(self, body, kind="application/json"):
        link = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.trust(), timeout=10)
        with contextlib.closing(link):
            link.request("POST", PATH, body, {"Content-Type": kind})
            answer = link.getresponse()
            return answer.status, answer.read()

    def is_fine(self):
        began = time.monotonic()
        status, answer = self.post(GOOD)
        assert status == 200 and json.loads(answer)["response"]["allowed"] is True
        return time.monotonic() - began

    def rss(self):
        text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


@pytest.fixture(scope="module")
def served(program, tmp_path_factory):
    served = Served(program, tmp_path_factory.mktemp("served"))
    served.start()
    yield served
    served.stop()


@pytest.mark.parametrize("body, status", [
    (GOOD[:-20], 400), ("[" * 100000, 400), (GOOD.replace('"uid"', '"uid": "v", "uid"'), 400),
    ("\0" * 100, 400), ("null", 400), (b"\xff\xfe{}", 400),
    (GOOD.replace('"x"', '"\\ud800"'), 400), (" " * (6 * 1024 * 1024 + 1), 413)])
def test_what_is_no_review_is_told_so(served, body, status):
    assert served.post(body)[0] == status
    served.is_fine()


def test_a_large_review_is_judged(served):
    large = json.loads(GOOD)
    large["request"]["object"]["metadata"]["annotations"] = {"a": "x" * 5_000_000}
    assert served.post(json.dumps(large))[0] == 200


def test_another_content_type_is_refused(served):
    assert served.post(GOOD, "text/plain")[0] == 415


def test_more_idle_connections_than_it_will_hold(served):
    served.is_fine()
    before = served.rss()
    with contextlib.ExitStack() as stack:
        for _ in range(1100):
            stack.enter_context(contextlib.closing(
                socket.create_connection(("127.0.0.1", served.port), 10)))
        assert served.is_fine() < 5
    assert served.rss() - before < 32


def test_those_who_send_slowly_hold_up_nobody(served):
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(served.dial()) for _ in range(50)]
        for link in slow:
            link.sendall(f"POST {PATH} HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n"
                         "Content-Type: application/json\r\n\r\n{".encode())
        for _ in range(5):
            assert served.is_fine() < 2
            for link in slow:
                link.send(b" ")


def test_renegotiation_is_refused(served):
    client = subprocess.Popen(["openssl", "s_client", "-tls1_2", "-connect",
                               f"127.0.0.1:{served.port}"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        client.stdin.write(b"R\n")
        client.stdin.flush()
        _, said = client.communicate(timeout=20) if client.wait(20) else (b"", b"")
    finally:
        client.kill()
        client.wait(5)
    assert b"no renegotiation" in said
    served.is_fine()


def test_a_new_certificate_is_taken_up_and_open_connections_stay(served):
    def serial():
        with served.dial() as link:
            return link.getpeercert()["serialNumber"]

    first, old_trust = serial(), served.trust()
    link = http.client.HTTPSConnection("127.0.0.1", served.port, context=old_trust, timeout=10)
    with contextlib.closing(link):
        link.request("POST", PATH, GOOD, {"Content-Type": "application/json"})
        assert link.getresponse().read()
        make_pair(served.directory)

        def taken_up():
            try:
                return None if serial() != first else "the old one"
            except ssl.SSLError as no:
                return str(no)
        until("the new certificate is served", taken_up, 20)
        link.request("POST", PATH, GOOD, {"Content-Type": "application/json"})
        assert link.getresponse().status == 200
