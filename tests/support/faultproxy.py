"""The fault proxy as tests use it: built once, started beside a bed, told what to break."""
import base64
import hashlib
import json
import os
import pathlib
import subprocess
import urllib.request

import yaml

from bedlib.build import go_program
from bedlib.common import Fail, wait_for
from bedlib.place import cache_home

SOURCE = pathlib.Path(__file__).resolve().parent / "faultproxy"
# What may happen to a call: see faults.go. Those that a run of every k goes through:
FAULTS = ["refuse", "500", "409", "429", "timeout", "lost", "cut"]


def program():
    """The path of the compiled proxy; compiled when its sources changed."""
    digest = hashlib.sha256()
    for path in sorted(SOURCE.iterdir()):
        digest.update(path.read_bytes())
    target = pathlib.Path(cache_home()) / "bin" / f"faultproxy-{digest.hexdigest()[:16]}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        part = f"{target}.part.{os.getpid()}"
        built = subprocess.run([go_program(), "build", "-trimpath", "-o", part, "."], cwd=SOURCE,
                               env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off",
                                    "GOFLAGS": "-buildvcs=false"},
                               capture_output=True, text=True, timeout=600)
        if built.returncode:
            raise Fail(f"go build in {SOURCE}: {built.stderr}")
        os.replace(part, target)
    return str(target)


class FaultProxy:
    """Leads to the bed's API server as one of its users; .kubeconfig leads through it."""

    def __init__(self, bed, directory, user="admin", listen="127.0.0.1:0"):
        pki = bed.dir + "/pki"
        self.kubeconfig = f"{directory}/through-proxy.yaml"
        admin = f"{directory}/proxy.address"
        self.child = subprocess.Popen(
            [program(), "-upstream", f"https://{bed.place.control_ip}:6443", "-ca", f"{pki}/ca.crt",
             "-cert", f"{pki}/{user}.crt", "-key", f"{pki}/{user}.key", "-kubeconfig",
             self.kubeconfig, "-listen", listen, "-admin", admin], stdin=subprocess.PIPE)
        wait_for("the fault proxy", lambda: os.path.exists(admin), 10)
        with open(admin) as text:
            self.admin = "http://" + text.read()
        with open(self.kubeconfig) as text:
            self.cluster = yaml.safe_load(text)["clusters"][0]["cluster"]

    @property
    def server(self):
        return self.cluster["server"]

    def authority(self):
        """The certificate that vouches for it, PEM."""
        return base64.b64decode(self.cluster["certificate-authority-data"])

    def stop(self):
        self.child.stdin.close()
        self.child.wait(10)

    def order(self, verb, body=None, **query):
        words = "&".join(f"{k}={urllib.request.quote(v)}" for k, v in query.items())
        request = urllib.request.Request(f"{self.admin}/{verb}?{words}", method="POST",
                                         data=json.dumps(body).encode() if body else b"")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()

    def arm(self, fault, nth=1, **match):
        """The nth call that matches (path: regular expression; method, writes, calls) fails."""
        self.order("arm", {"fault": fault, "nth": nth, **match})

    def disarm(self, name=""):
        """Takes arms away (all, or those of that id); how many calls they made fail."""
        return int(self.order("disarm", id=name))

    def calls(self, path=""):
        """Those made so far whose path matches, in order."""
        return json.loads(self.order("calls", path=path))

    def forget(self):
        self.order("forget")
