"""HTTP to a pod from outside its network namespace, without starting a program."""
import ctypes
import http.client
import json
import socket
import threading
from dataclasses import dataclass

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Answer:
    """What a server said; `json` is None when the body is not JSON."""

    status: int
    headers: dict  # names in lower case
    body: str

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None


def socket_in(netns):
    """A TCP socket of a network namespace; only a thread made for it ever goes there."""
    made = []

    def enter_and_make():
        try:
            with open(f"/run/netns/{netns}", "rb") as namespace:
                if LIBC.setns(namespace.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), f"setns to network namespace {netns}")
            made.append(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        except OSError as problem:
            made.append(problem)

    thread = threading.Thread(target=enter_and_make)
    thread.start()
    thread.join()
    if isinstance(made[0], OSError):
        raise made[0]
    return made[0]


class Connection(http.client.HTTPConnection):
    def __init__(self, netns, host, port, timeout):
        super().__init__(host, port, timeout=timeout)
        self.netns = netns

    def connect(self):
        self.sock = socket_in(self.netns)
        self.sock.settimeout(self.timeout)
        self.sock.connect((self.host, self.port))


def call(netns, host, port, method, path, headers=None, body=None, timeout=30.0):
    """One request; raises OSError or http.client.HTTPException when no whole answer came."""
    connection = Connection(netns, host, port, timeout)
    try:
        data = body.encode() if isinstance(body, str) else body
        connection.request(method, path, body=data, headers=headers or {})
        reply = connection.getresponse()
        text = reply.read().decode(errors="replace")
        return Answer(reply.status, {k.lower(): v for k, v in reply.getheaders()}, text)
    finally:
        connection.close()


def status_of(netns, host, port, path):
    """The status of a GET, or None when nobody answers."""
    try:
        return call(netns, host, port, "GET", path, timeout=3.0).status
    except (OSError, http.client.HTTPException):
        return None


def is_open(netns, host, port):
    """Whether something accepts connections."""
    with socket_in(netns) as probe:
        probe.settimeout(3.0)
        return probe.connect_ex((host, port)) == 0
