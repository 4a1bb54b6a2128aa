"""Finds the program under test and the rootfs with the real Slurm."""

import glob
import os
import subprocess

import pytest
import scontrol

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))


@pytest.fixture(scope="session")
def windlass():
    """Runs the program: windlass("slurm", "lint", path) -> CompletedProcess."""
    found = [os.environ.get("WINDLASS", "")] + glob.glob(os.path.join(ROOT, "build*/cmd/windlass"))
    program = next((path for path in found if path and os.access(path, os.X_OK)), None)
    if not program:
        pytest.skip("windlass is not built: run make first")

    def run(*args):
        return subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=60, check=False)

    return run


@pytest.fixture(scope="session")
def tree():
    """The Slurm rootfs, for which the tests must be root."""
    found = scontrol.find_tree()
    if not found:
        pytest.skip("no Slurm rootfs: run tools/bed slurm up once")
    if scontrol.version_of(found) < (26, 5):
        pytest.skip("the tables are those of Slurm 26.05, the rootfs is older")
    if os.geteuid() != 0:
        pytest.skip("chroot into the Slurm rootfs needs root")
    return found
