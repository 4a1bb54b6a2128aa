"""OCI image archives, written without a container engine and the same every time.

A Tree is a layer described file by file; layer_of_directory() makes one of a root file system. An
Archive collects layers and images that share them, and becomes a tar with an OCI layout in it.
"""
import hashlib
import io
import json
import os
import pathlib
import platform
import subprocess
import tarfile
from dataclasses import dataclass

MEDIA = "application/vnd.oci.image."
ARCHES = {"x86_64": "amd64", "aarch64": "arm64"}
ONLY_DIRECTORIES = ("proc", "sys", "dev", "run", "tmp")
CHUNK = 1 << 20


def digest_of(*texts):
    return hashlib.sha256("\0".join(str(text) for text in texts).encode()).hexdigest()


def file_digest(path):
    with open(path, "rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def layer_of_directory(tree, target, left_out, below=""):
    """Packs a root file system: owners by number, capabilities kept, no times.

    below: where in the image the tree is put, instead of at its root.
    """
    move = [f"--transform=s,^\\.,./{below},"] if below else []
    skip = [f"--exclude=./{name}/*" for name in ONLY_DIRECTORIES]
    skip += [f"--exclude=./{pattern}" for pattern in left_out]
    part = f"{target}.part"
    subprocess.run(["tar", "--create", f"--file={part}", f"--directory={tree}", "--sort=name",
                    "--mtime=@0", "--numeric-owner", "--format=posix",
                    "--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime",
                    "--xattrs", "--xattrs-include=security.capability", "--anchored", *skip, *move,
                    "."],
                   check=True, timeout=600)
    os.replace(part, target)


class Tree:
    """A layer described file by file; everything in it belongs to root."""

    def __init__(self):
        self.entries = {}  # path -> (type, mode, source path, bytes or link target)

    def directory(self, path, mode=0o755):
        self._parents(path)
        self.entries[path] = (tarfile.DIRTYPE, mode, None)

    def file(self, path, source, mode=0o644):
        self._parents(path)
        self.entries[path] = (tarfile.REGTYPE, mode, pathlib.Path(source).read_bytes())

    def text(self, path, text, mode=0o644):
        self._parents(path)
        self.entries[path] = (tarfile.REGTYPE, mode, text.encode())

    def link(self, path, target):
        self._parents(path)
        self.entries[path] = (tarfile.SYMTYPE, 0o777, target)

    def _parents(self, path):
        parent = os.path.dirname(path)
        if parent and parent not in self.entries:
            self.directory(parent)

    def digest(self):
        total = hashlib.sha256()
        for path, (kind, mode, body) in sorted(self.entries.items()):
            total.update(repr((path, kind, mode, body)).encode())
        return total.hexdigest()

    def write(self, target):
        with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
            for path, (kind, mode, body) in sorted(self.entries.items()):
                member = tarfile.TarInfo(path)
                member.type, member.mode = kind, mode
                if kind == tarfile.SYMTYPE:
                    member.linkname = body
                content = body if kind == tarfile.REGTYPE else b""
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        return target


@dataclass(frozen=True)
class Image:
    name: str
    layers: list  # descriptors, lowest first
    config: dict


class Archive:
    """One tar, several images; a blob that two of them use is in it once."""

    def __init__(self, target):
        self.target = target
        self.blobs = {}      # digest -> path or bytes
        self.temporary = []
        self.manifests = []

    def layer(self, path, keep=False):
        """Takes a layer over; its file goes away at the end unless it is kept."""
        digest = file_digest(path)
        self.blobs[digest] = pathlib.Path(path)
        if not keep:
            self.temporary.append(path)
        return {"mediaType": MEDIA + "layer.v1.tar", "digest": f"sha256:{digest}",
                "size": os.path.getsize(path)}

    def document(self, body, kind):
        data = json.dumps(body, sort_keys=True).encode()
        digest = hashlib.sha256(data).hexdigest()
        self.blobs[digest] = data
        return {"mediaType": MEDIA + kind, "digest": f"sha256:{digest}", "size": len(data)}

    def image(self, image):
        config = self.document({
            "architecture": ARCHES.get(platform.machine(), platform.machine()), "os": "linux",
            "created": "1970-01-01T00:00:00Z", "config": image.config,
            "rootfs": {"type": "layers", "diff_ids": [layer["digest"] for layer in image.layers]},
        }, "config.v1+json")
        manifest = self.document({
            "schemaVersion": 2, "mediaType": MEDIA + "manifest.v1+json", "config": config,
            "layers": image.layers}, "manifest.v1+json")
        self.manifests.append({**manifest, "annotations": {
            "io.containerd.image.name": image.name,
            "org.opencontainers.image.ref.name": image.name}})

    def finish(self):
        part = f"{self.target}.part"
        with tarfile.open(part, "w", format=tarfile.PAX_FORMAT) as tar:
            self._add(tar, "oci-layout", json.dumps({"imageLayoutVersion": "1.0.0"}).encode())
            index = {"schemaVersion": 2, "mediaType": MEDIA + "index.v1+json",
                     "manifests": self.manifests}
            self._add(tar, "index.json", json.dumps(index, sort_keys=True).encode())
            for digest, content in sorted(self.blobs.items()):
                self._add(tar, f"blobs/sha256/{digest}", content)
        os.replace(part, self.target)
        for path in self.temporary:
            os.unlink(path)

    @staticmethod
    def _add(tar, name, content):
        member = tarfile.TarInfo(name)
        member.mode = 0o644
        if isinstance(content, bytes):
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
            return
        member.size = os.path.getsize(content)
        with open(content, "rb") as data:
            tar.addfile(member, data)
