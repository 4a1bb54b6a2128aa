"""Images for nodes that can pull nothing: root file systems become OCI archives to import.

Archives stay in the state directory, so that a node which joins later has the same images.
"""
import glob
import hashlib
import json
import os
import platform
import shutil
import subprocess
import tarfile
import tempfile

from . import build, node
from .common import Fail, read, run, say, write

PAUSE = "localhost/pause:1"
MEDIA = "application/vnd.oci.image."
PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ARCHES = {"x86_64": "amd64", "aarch64": "arm64"}
EMPTY = ("proc", "sys", "dev", "run", "tmp")  # directories of which only the directory is taken


def full_name(name):
    """The name that containerd looks for when a pod says `name`."""
    first, slash, _ = name.partition("/")
    if not slash:
        name = f"docker.io/library/{name}"
    elif not ("." in first or ":" in first or first == "localhost"):
        name = f"docker.io/{name}"
    return name if ":" in name.rpartition("/")[2] or "@" in name else name + ":latest"


def archive_path(place, name):
    return place.path("images", full_name(name).replace("/", "_").replace(":", "_") + ".tar")


# ---- archives

def is_image_archive(path):
    """Whether a tar holds an image (OCI layout or docker save) and not a file system."""
    if path.endswith(".zst"):
        return False  # Python cannot look inside, and layouts are not compressed as a whole
    with tarfile.open(path) as tar:
        for count, member in enumerate(tar):
            if member.name.lstrip("./") in ("oci-layout", "index.json", "manifest.json"):
                return True
            if count > 200:  # layouts are small, file systems are not
                break
    return False


def layer_of(source, path):
    """Writes the layer: the file system as an uncompressed tar."""
    if os.path.isdir(source):
        skip = [f"--exclude=./{name}/*" for name in EMPTY]
        run("tar", "--numeric-owner", "--xattrs", "--xattrs-include=*", *skip, "-C", source, "-cf",
            path, ".", timeout=600)
        return
    tool = {".zst": "zstd", ".gz": "gzip", ".tgz": "gzip", ".xz": "xz"}.get(
        os.path.splitext(source)[1])
    if tool is None:
        shutil.copyfile(source, path)
        return
    with open(path, "wb") as out:
        if subprocess.call([tool, "-dc", source], stdout=out, timeout=600) != 0:
            raise Fail(f"{tool} cannot unpack {source}")


class Layout:
    """An OCI image layout in a directory: blobs named by their digest."""

    def __init__(self, directory):
        self.dir = directory
        os.makedirs(os.path.join(directory, "blobs/sha256"))

    def adopt(self, path, kind):
        """Moves a file in and returns its descriptor."""
        with open(path, "rb") as data:
            digest = hashlib.file_digest(data, "sha256").hexdigest()
        size = os.path.getsize(path)
        os.replace(path, os.path.join(self.dir, "blobs/sha256", digest))
        return {"mediaType": MEDIA + kind, "digest": "sha256:" + digest, "size": size}

    def document(self, body, kind):
        path = os.path.join(self.dir, "document")
        with open(path, "w") as out:
            json.dump(body, out)
        return self.adopt(path, kind)

    def finish(self, name, manifest):
        manifest["annotations"] = {"io.containerd.image.name": name}
        for path, body in (("oci-layout", {"imageLayoutVersion": "1.0.0"}),
                           ("index.json", {"schemaVersion": 2, "manifests": [manifest]})):
            with open(os.path.join(self.dir, path), "w") as out:
                json.dump(body, out)


def pack(name, source, config, target):
    """One root file system, one layer, one archive."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(target)) as scratch:
        layout = Layout(os.path.join(scratch, "layout"))
        path = os.path.join(scratch, "layer")
        layer_of(source, path)
        layer = layout.adopt(path, "layer.v1.tar")
        about = layout.document({
            "architecture": ARCHES.get(platform.machine(), platform.machine()), "os": "linux",
            "config": {"Env": [PATH], **config},
            "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]}}, "config.v1+json")
        layout.finish(name, layout.document({
            "schemaVersion": 2, "mediaType": MEDIA + "manifest.v1+json", "config": about,
            "layers": [layer]}, "manifest.v1+json"))
        run("tar", "-C", layout.dir, "-cf", target + ".part", "oci-layout", "index.json", "blobs",
            timeout=600)
    os.replace(target + ".part", target)


# ---- into nodes

def names_in(path):
    """The names that an OCI archive gives its images itself."""
    with tarfile.open(path) as tar:
        try:
            index = json.load(tar.extractfile("index.json"))
        except KeyError:
            return []
    return [m.get("annotations", {}).get("io.containerd.image.name") for m in index["manifests"]]


def load(place, index, name, path):
    """Imports an archive under the name it was asked for, on top of names of its own."""
    # Given the same name twice, containerd may collect what the first one still needs.
    naming = [] if full_name(name) in names_in(path) else ["--index-name", full_name(name)]
    node.run_in(place, index, "ctr", "-n", "k8s.io", "images", "import", *naming,
                "--snapshotter", "overlayfs", path, timeout=600)


def add(place, name, source, config=None):
    """Makes or takes over an archive and imports it into every node that is up."""
    if not os.path.exists(source):
        raise Fail(f"no directory or archive {source}")
    target = archive_path(place, name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isfile(source) and is_image_archive(source):
        shutil.copyfile(source, target)
    else:
        pack(full_name(name), source, config or {}, target)
    write(target + ".name", name)
    nodes = [i for i in node.indexes(place) if node.init_pid(place, i)]
    for index in nodes:
        load(place, index, name, target)
    say(f"image {full_name(name)} is on {len(nodes)} node(s) and on those that join later")


def load_all(place, index):
    """All images of the bed, and the one that holds pods, for a node that joins."""
    add_pause(place)
    for path in sorted(glob.glob(place.path("images", "*.tar"))):
        load(place, index, read(path + ".name"), path)


def add_pause(place):
    target = archive_path(place, PAUSE)
    if os.path.exists(target):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(build.program("pause"), os.path.join(scratch, "pause"))
        pack(PAUSE, scratch, {"Entrypoint": ["/pause"]}, target)
    write(target + ".name", PAUSE)
