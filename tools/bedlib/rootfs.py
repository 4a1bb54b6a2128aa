"""The root filesystem that every Slurm pod of a bed runs on: Debian's newest Slurm, built once.

`ensure()` returns a Rootfs: a directory tree (used read-only, below an overlay), the same tree as
a zstd tarball (the base of container images), an empty database and the Slurm version found.
It lives in the user's cache, in a directory named after the suite and a digest of the recipe below,
so a changed recipe builds anew and never disturbs a bed that still runs on the old tree.

A build that is interrupted leaves only its downloaded packages behind, which the next one reuses;
the finished directory appears by one rename.
"""
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass

from .common import Fail, last_lines, read, run, say, write
from .place import cache_home

SUITE = os.environ.get("WINDLASS_ROOTFS_SUITE", "forky")
OLDEST_SLURM = (24, 5)  # the first to serve v0.0.41

SLURM_PACKAGES = (
    "slurmctld", "slurmd", "slurmdbd", "slurmrestd", "sackd", "slurm-client",
    "slurm-wlm-jwt-plugin", "slurm-wlm-mysql-plugin", "libpam-slurm-adopt",
)
OTHER_PACKAGES = (
    "mariadb-server-core", "mariadb-client-core", "openssh-server",
    "passwd", "mount", "iproute2", "procps", "curl",
)
EXCLUDED = ("doc", "man", "info", "locale", "lintian", "bash-completion")

# The user must exist before Slurm's packages come: they keep an existing one, and clusters in
# Kubernetes run as 401. Hooks run on this machine with the new tree as $1.
SLURM_USER_HOOK = (
    'groupadd --root "$1" --gid 401 slurm && '
    'useradd --root "$1" --uid 401 --gid 401 --no-create-home --home-dir /nonexistent'
    ' --shell /usr/sbin/nologin slurm 2>/dev/null'
)
# mariadb-server would make this user, but drags in 150 MB; and Debian's plugstack.conf includes a
# glob, which makes every Slurm command print a warning.
FINISH_HOOK = (
    'chroot "$1" useradd --system --uid 995 --user-group --no-create-home'
    ' --home-dir /nonexistent --shell /usr/sbin/nologin mysql && '
    'rm -rf "$1"/etc/slurm/plugstack.conf* "$1"/usr/lib/*/gconv'
)

# Making an empty database takes MariaDB seconds; beds copy this one, beside the tree, instead.
DATABASE_OPTIONS = ("--innodb-log-file-size=8M", "--innodb-buffer-pool-size=64M")
DATABASE_HOOK = (
    'chroot "$1" mariadb-install-db --no-defaults --force --user=mysql --datadir=/tmp/database'
    f' --skip-test-db --auth-root-authentication-method=normal {" ".join(DATABASE_OPTIONS)} && '
    'mv "$1/tmp/database" "$1/../database"'
)


@dataclass(frozen=True)
class Rootfs:
    """A finished root filesystem."""

    tree: str
    tarball: str
    database: str       # data directory of a MariaDB that has no tables of ours yet
    slurm_version: str  # for example "26.05.5"


def ensure(suite=SUITE):
    """Returns the root filesystem of a Debian suite, building it first when the cache has none."""
    home = cached_at(suite)
    if not is_complete(home):
        os.makedirs(os.path.dirname(home), exist_ok=True)
        with open(beside(home, "lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not is_complete(home):
                build(home, suite)
    version = read(os.path.join(home, "slurm-version")).strip()
    return Rootfs(os.path.join(home, "tree"), os.path.join(home, "rootfs.tar.zst"),
                  os.path.join(home, "database"), version)


def cached_at(suite):
    recipe = repr((SLURM_PACKAGES, OTHER_PACKAGES, EXCLUDED, SLURM_USER_HOOK, FINISH_HOOK,
                   DATABASE_HOOK))
    digest = hashlib.sha256(recipe.encode()).hexdigest()[:10]
    return os.path.join(cache_home(), "rootfs", f"{suite}-{digest}")


def is_complete(home):
    return os.path.exists(os.path.join(home, "slurm-version"))


def beside(home, what):
    """A hidden neighbour of the finished directory, in the same file system."""
    return os.path.join(os.path.dirname(home), f".{os.path.basename(home)}.{what}")


def build(home, suite):
    began = time.monotonic()
    debs, partial = beside(home, "debs"), beside(home, "partial")
    shutil.rmtree(partial, ignore_errors=True)
    os.makedirs(partial)
    os.makedirs(debs, exist_ok=True)

    tree = os.path.join(partial, "tree")
    bootstrap(suite, tree, debs, beside(home, "log"))
    version = slurm_version(tree)
    say(f"rootfs: packing Slurm {version}")
    run("tar", "--numeric-owner", "--xattrs", "--sort=name", "-I", "zstd -3 -T0 -q",
        "-cf", os.path.join(partial, "rootfs.tar.zst"), "-C", tree, ".", timeout=300)
    write(os.path.join(partial, "slurm-version"), version + "\n")

    shutil.rmtree(home, ignore_errors=True)
    os.rename(partial, home)
    shutil.rmtree(debs)
    say(f"rootfs: Slurm {version} ready after {time.monotonic() - began:.0f} s")


def bootstrap(suite, tree, debs, log):
    """Runs mmdebstrap, showing its steps; its mounts live in a namespace that dies with it."""
    if not shutil.which("mmdebstrap"):
        raise Fail("no program mmdebstrap: run tools/setup bed")
    say(f"rootfs: building {suite}, about a minute, once")
    run_showing_steps([
        "unshare", "--mount", "--propagation", "private",
        "mmdebstrap", "--mode=root", "--variant=apt", "--skip=essential/unlink",
        f"--include={','.join(SLURM_PACKAGES + OTHER_PACKAGES)}",
        *(f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in EXCLUDED),
        '--aptopt=APT::Install-Recommends "false"',
        *(f'--aptopt={option} "{value}"' for option, value in apt_options()),
        '--setup-hook=mkdir -p "$1/var/cache/apt/archives"',
        f'--setup-hook=mount --bind "{debs}" "$1/var/cache/apt/archives"',
        f"--essential-hook={SLURM_USER_HOOK}",
        f"--customize-hook={FINISH_HOOK}",
        f"--customize-hook={DATABASE_HOOK}",
        '--customize-hook=umount "$1/var/cache/apt/archives"',
        suite, tree, f"deb {mirror()} {suite} main",
    ], log)


def run_showing_steps(argv, log):
    with open(log, "w") as out, subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace") as builder:
        for line in builder.stdout:
            out.write(line)
            if line.startswith("I: ") and line.endswith("...\n"):
                say(f"rootfs: {line[3:].rstrip('.' + chr(10))}")
    if builder.returncode != 0:
        raise Fail(f"mmdebstrap failed; the end of {log}:\n{last_lines(log, 10)}")


def mirror():
    """The Debian mirror that this machine's apt uses."""
    if os.environ.get("WINDLASS_DEBIAN_MIRROR"):
        return os.environ["WINDLASS_DEBIAN_MIRROR"]
    listing = run("apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)",
                  "Created-By: Packages")
    for line in listing.splitlines():
        label, _, uri = line.partition(" ")
        if label == "Debian":
            return uri
    raise Fail("apt knows no Debian mirror: set WINDLASS_DEBIAN_MIRROR to the address of one")


def apt_options():
    """The settings of this machine's apt that decide whether a download works at all."""
    wanted = ("Acquire::Check-Valid-Until", "Acquire::http::Proxy", "Acquire::https::Proxy")
    for line in run("apt-config", "dump").splitlines():
        match = re.fullmatch(r'(\S+) "(.+)";', line)
        if match and match[1] in wanted:
            yield match[1], match[2]


def slurm_version(tree):
    said = run("chroot", tree, "slurmd", "-V").strip()
    match = re.search(r"(\d+)\.(\d+)\S*", said)
    if not match:
        raise Fail(f"slurmd -V says '{said}', which holds no version")
    if (int(match[1]), int(match[2])) < OLDEST_SLURM:
        oldest = "%d.%02d" % OLDEST_SLURM
        raise Fail(f"this suite has Slurm {match[0]}, the bed needs {oldest}: choose a newer one")
    return match[0]
