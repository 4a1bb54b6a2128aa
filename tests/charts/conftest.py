"""helm, and the charts as it renders them."""
import os
import pathlib
import subprocess
import sys

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from bedlib import build  # noqa: E402


class Helm:
    def __init__(self, program):
        self.program = program

    def run(self, *args):
        return subprocess.run([self.program, *[str(arg) for arg in args]], capture_output=True,
                              text=True, timeout=60, check=False)

    def render(self, chart, *args, values=None, release="slurm", namespace="slurm"):
        """The objects of a chart by (kind, name)."""
        return index_of(self.text(chart, *args, values=values, release=release,
                                  namespace=namespace))

    def text(self, chart, *args, values=None, release="slurm", namespace="slurm"):
        done = self.template(chart, *args, values=values, release=release, namespace=namespace)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def template(self, chart, *args, values=None, release="slurm", namespace="slurm"):
        chart = chart if os.path.isabs(str(chart)) else ROOT / "charts" / chart
        given = ["--values", "-"] if values is not None else []
        return subprocess.run([self.program, "template", release, str(chart), "--namespace",
                               namespace, *given, *args], capture_output=True, text=True,
                              timeout=60, check=False,
                              input=None if values is None else yaml.safe_dump(values))


def index_of(text):
    objects = {}
    for item in yaml.safe_load_all(text):
        if item:
            key = (item["kind"], item["metadata"]["name"])
            assert key not in objects, f"{key} is rendered twice"
            objects[key] = item
    return objects


@pytest.fixture(scope="session")
def helm():
    build.build(["helm"])
    return Helm(build.program("helm"))
