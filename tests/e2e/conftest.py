"""A real node, the operator as a pod on it, and Slurm clusters by its charts."""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("WINDLASS_BUILD", "build")
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests" / "e2e")]

from bedlib import Bed, build, rootfs  # noqa: E402
from bedlib import node as nodes  # noqa: E402
from cluster import Cluster, wait_for  # noqa: E402

NODES = 2
PREFIX = "localhost/windlass"


def run(*command, timeout=600):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True,
                          timeout=timeout, check=False)
    assert done.returncode == 0, f"{command}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def windlass():
    """The program as it is released."""
    program = BUILD / "cmd" / "windlass"
    if not program.exists():
        run("make", f"BUILD={BUILD}", timeout=1200)
    return program


@pytest.fixture(scope="session")
def archives(windlass):
    """Names of our images, and the archive that each is in."""
    lines = run(ROOT / "images/build", "--build", BUILD).splitlines()
    return {name: pathlib.Path(path) for name, path in (line.split() for line in lines)}


@pytest.fixture(scope="session")
def bed(archives):
    """Two nodes with our images. WINDLASS_E2E_BED names another bed than that of `make test`, and
    WINDLASS_E2E_KEEP=1 leaves it up for a look."""
    bed = Bed(os.environ.get("WINDLASS_E2E_BED", "e2e"))
    bed.up()
    try:
        for index in range(NODES):
            if not nodes.init_pid(bed.place, index):
                bed.node(index)
        loaded = set()
        for name, archive in archives.items():
            if archive not in loaded:
                bed.image(name, str(archive))
                loaded.add(archive)
        yield bed
    finally:
        if not os.environ.get("WINDLASS_E2E_KEEP"):
            bed.down()


@pytest.fixture(scope="session")
def helm(bed):
    build.build(["helm"])

    def call(*args, check=True):
        done = subprocess.run([build.program("helm"), *args], capture_output=True, text=True,
                              timeout=180, cwd=ROOT, check=False,
                              env={**os.environ, "KUBECONFIG": bed.kubeconfig})
        assert not check or done.returncode == 0, done.stderr
        return done.stdout
    return call


@pytest.fixture(scope="session")
def operator(bed, helm):
    """Installed by helm, as users do, webhook and its own certificates included."""
    helm("upgrade", "--install", "slurm-operator", "charts/slurm-operator", "--namespace", "slinky",
         "--create-namespace", "--set", "crds.enabled=true", "--set", "certManager.enabled=false")
    bed.kubectl("-n", "slinky", "rollout", "restart", "deployment/slurm-operator",
                "deployment/slurm-operator-webhook")
    for name in ("slurm-operator", "slurm-operator-webhook"):
        bed.kubectl("-n", "slinky", "rollout", "status", f"deployment/{name}", "--timeout=120s",
                    timeout=130)
    wait_for("the webhook's authority to be known", lambda: bed.kubectl(
        "get", "validatingwebhookconfiguration", "slurm-operator-webhook", "-o",
        "jsonpath={.webhooks[0].clientConfig.caBundle}"), 60)
    return "slurm-operator"


@pytest.fixture(scope="session")
def cluster(bed, operator, helm, tmp_path_factory):
    """The cluster that most tests share: accounting, a login pod, two workers."""
    cluster = Cluster(bed, helm, "jobs", PREFIX, rootfs.ensure().slurm_version,
                      tmp_path_factory.mktemp("keys"))
    cluster.install(workers=2, accounting=True, login=True)
    return cluster


@pytest.fixture
def workers(cluster):
    """Two idle workers, whatever the test before left."""
    cluster.scale(2)
    cluster.wait_idle(2)
    return cluster
