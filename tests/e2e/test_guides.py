"""Every command of docs/guides runs, page by page, on one cluster; see guides.py."""
import json
import os
import pathlib
import subprocess

import pytest
import yaml

import guides
import outside
from bedlib import build
from cluster import Cluster, merged

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDES = ROOT / "docs" / "guides"
PAGE_SECONDS = 300


class Desk:
    """A directory with the charts in it, where commands of guides are typed."""

    def __init__(self, bed, cluster, windlass, directory):
        self.bed, self.cluster, self.directory = bed, cluster, directory
        tools = pathlib.Path(build.program("helm")).parent
        self.env = {**os.environ, "KUBECONFIG": bed.kubeconfig,
                    "PATH": f"{tools}:{windlass.parent}:{os.environ['PATH']}"}
        for name in ("charts", "dist", "docs"):
            (directory / name).symlink_to(ROOT / name)
        (directory / "id_ed25519.pub").write_text(cluster.ssh_key() + "\n")
        (directory / "id_ed25519").write_text((cluster.keys / "id").read_text())
        (directory / "id_ed25519").chmod(0o600)

    def run(self, where, script, seconds=PAGE_SECONDS):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.directory,
                              env=self.env, capture_output=True, text=True, timeout=seconds,
                              check=False)
        assert done.returncode == 0, (f"{where}: exit status {done.returncode} of\n{script}\n"
                                      f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def site(self):
        """site.yaml as it must be here: our images, our cgroups, several workers on a node."""
        values = self.cluster.values(0, False, False)
        worker = values.pop("nodesets")["w"]
        worker.pop("replicas")
        login = {"login": {"image": self.cluster.image("login")},
                 "initconf": {"image": self.cluster.image("login")}}
        return merged(values, {
            "nodesetDefaults": worker, "loginsetDefaults": login, "partitions": {},
            "accounting": {"slurmdbd": {"image": self.cluster.image("slurmdbd")}}})


@pytest.fixture(scope="module")
def desk(bed, operator, cluster, windlass, tmp_path_factory):
    return Desk(bed, cluster, windlass, tmp_path_factory.mktemp("desk"))


def write(desk, block):
    """Files are checked as they stand on the page; site.yaml then becomes that of the bed."""
    path = desk.directory / block.file
    path.write_text(block.text)
    documents = list(yaml.safe_load_all(block.text))
    if block.why:
        return
    if all("apiVersion" in item for item in documents):
        desk.run(block.where, f"kubectl apply --dry-run=server -n default -f {block.file}")
    else:
        chart = "slurm-operator" if block.file.startswith("operator") else "slurm"
        desk.run(block.where, f"helm template x charts/{chart} --values {block.file} > /dev/null")
    if block.file == "site.yaml":
        path.write_text(json.dumps(desk.site()))


STAGES = {  # what a page takes for granted
    "accounting.md": lambda desk: desk.bed.kubectl("-n", "slurm", "apply", "-f", "-",
                                                   data=desk.cluster.database()),
    "hybrid.md": outside.start,
}


def test_the_index_names_every_page():
    assert sorted(guides.pages(GUIDES)) == sorted(
        path.name for path in GUIDES.glob("*.md") if path.name != "README.md")


@pytest.mark.parametrize("page", guides.pages(GUIDES))
def test_what_a_guide_says_works(desk, page):
    STAGES.get(page, lambda desk: None)(desk)
    for block in guides.blocks(GUIDES / page):
        if block.kind == "yaml":
            write(desk, block)
        elif block.kind == "sh" and block.why:
            subprocess.run(["bash", "-n", "-c", block.text], check=True, timeout=10)
        elif block.kind == "sh":
            desk.run(block.where, block.text)
