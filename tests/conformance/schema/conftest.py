"""A real API server with our CRDs in it, and small words to talk to it."""

import itertools
import os
import sys
import time

import crds
import pytest

sys.path.insert(0, str(crds.ROOT / "tools"))
from bedlib import Bed  # noqa: E402

GROUP = "/apis/slinky.slurm.net"
CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ready_within = 20.0


class Server:
    """The API server as one user sees it; every object has a name of its own."""

    def __init__(self, bed):
        self.bed, self.api = bed, bed.api()
        self.numbers = itertools.count(1)

    def path(self, kind, name="", version="v1beta1"):
        where = f"{GROUP}/{version}/namespaces/default/{kind.lower()}s"
        return f"{where}/{name}" if name else where

    def object(self, kind, spec, version="v1beta1", **metadata):
        metadata.setdefault("name", f"t{next(self.numbers)}")
        return {"apiVersion": f"slinky.slurm.net/{version}", "kind": kind, "metadata": metadata,
                "spec": spec}

    def create(self, thing, strict=True):
        version = thing["apiVersion"].split("/")[1]
        how = "?fieldValidation=Strict" if strict else ""
        return self.api.request("POST", self.path(thing["kind"], version=version) + how, thing)

    def get(self, kind, name, version="v1beta1"):
        return self.api.request("GET", self.path(kind, name, version))

    def update(self, thing):
        return self.api.request("PUT", self.path(thing["kind"], thing["metadata"]["name"]), thing)

    def install(self, crd):
        """Applies a CRD and waits until its kind is served as it says."""
        name = crd["metadata"]["name"]
        self.api.apply(f"{CRD_PATH}/{name}", crd)
        served = next(v["name"] for v in crd["spec"]["versions"] if v["storage"])
        wanted = self.path(crd["spec"]["names"]["kind"], version=served)
        deadline = time.monotonic() + ready_within
        while self.api.request("GET", wanted)[0] != 200:
            assert time.monotonic() < deadline, f"{name} is not served within {ready_within} s"
            time.sleep(0.1)


@pytest.fixture(scope="session")
def server():
    if os.geteuid() != 0:
        pytest.skip("a bed needs root")
    bed = Bed(f"schema-{os.getpid()}")
    try:
        found = Server(bed.up())
        for crd in (crds.emitted() or crds.described()).values():
            found.install(crd)
        yield found
    finally:
        bed.down()
