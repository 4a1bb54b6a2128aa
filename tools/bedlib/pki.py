"""Certificates and kubeconfigs of a bed: one authority, P-256 keys, one openssl call for each."""
import base64
import concurrent.futures
import json
import os

from .common import run, write

DAYS = "3650"
KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"]


class Pki:
    def __init__(self, directory):
        self.dir = directory
        os.makedirs(directory, mode=0o700, exist_ok=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def authority(self):
        """The certificate authority, and the key that signs service account tokens."""
        if os.path.exists(self.path("ca.crt")):
            return
        run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-out", self.path("sa.key"))
        run("openssl", "pkey", "-in", self.path("sa.key"), "-pubout", "-out", self.path("sa.pub"))
        run("openssl", "req", "-x509", *KEY, "-keyout", self.path("ca.key"), "-subj",
            "/CN=windlass-bed", "-days", DAYS, "-out", self.path("ca.crt.part"),
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        os.replace(self.path("ca.crt.part"), self.path("ca.crt"))

    def certificate(self, name, subject, names=""):
        """NAME.crt and NAME.key, for servers (`names`: subjectAltName) and clients alike."""
        target = self.path(name + ".crt")
        if os.path.exists(target):
            return
        extra = ["-addext", f"subjectAltName={names}"] if names else []
        run("openssl", "req", "-x509", *KEY, "-CA", self.path("ca.crt"), "-CAkey",
            self.path("ca.key"), "-keyout", self.path(name + ".key"), "-subj", subject, "-days",
            DAYS, "-out", target + ".part", "-addext", "basicConstraints=critical,CA:FALSE",
            "-addext", "keyUsage=critical,digitalSignature",
            "-addext", "extendedKeyUsage=clientAuth,serverAuth", *extra)
        os.replace(target + ".part", target)

    def certificates(self, wanted):
        """Several at once: tuples of certificate()'s arguments."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda arguments: self.certificate(*arguments), wanted))

    def kubeconfig(self, path, user, server):
        """A kubeconfig with everything inline; JSON is YAML."""
        def inline(name):
            with open(self.path(name), "rb") as data:
                return base64.b64encode(data.read()).decode()

        write(path, json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "bed",
            "clusters": [{"name": "bed", "cluster": {
                "server": server, "certificate-authority-data": inline("ca.crt")}}],
            "users": [{"name": user, "user": {
                "client-certificate-data": inline(user + ".crt"),
                "client-key-data": inline(user + ".key")}}],
            "contexts": [{"name": "bed", "context": {"cluster": "bed", "user": user}}],
        }, indent=1) + "\n", mode=0o600)
