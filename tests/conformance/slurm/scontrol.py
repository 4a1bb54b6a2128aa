"""The real Slurm as an oracle: commands in its rootfs, under an overlay that is thrown away."""

import glob
import os
import shlex
import subprocess

CACHE = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
HEAD = "ClusterName=x\nSlurmctldHost=h\nAuthType=auth/none\n"
# The rootfs stays as it is: what is written goes to a tmpfs of this mount namespace.
ENTER = """
set -e
mount --make-rprivate /
top=$(mktemp -d)
mount -t tmpfs tmpfs $top
trap 'umount -l $top; rmdir $top' EXIT
mkdir $top/upper $top/work $top/root
mount -t overlay overlay -o lowerdir=$TREE,upperdir=$top/upper,workdir=$top/work $top/root
mount -t proc proc $top/root/proc
mount --bind /dev $top/root/dev
mount --bind $WORK $top/root/mnt
chroot $top/root /bin/sh -c "$SCRIPT"
"""


def version_of(tree):
    """The release beside an unpacked rootfs: (26, 5, 5)."""
    try:
        with open(os.path.join(tree, "../slurm-version"), encoding="utf-8") as text:
            return tuple(int(part) for part in text.read().strip().split("."))
    except (OSError, ValueError):
        return (0,)


def find_tree():
    """The unpacked rootfs with the newest Slurm, or None."""
    trees = [tree for tree in glob.glob(os.path.join(CACHE, "windlass/rootfs/*/tree"))
             if os.path.exists(os.path.join(tree, "usr/bin/scontrol"))]
    return max(trees, key=version_of, default=None)


def run(tree, work, script, timeout=300, namespaces="-m"):
    """Runs a shell script in the rootfs, with the directory `work` at /mnt; returns what it says."""
    env = dict(os.environ, TREE=tree, WORK=str(work), SCRIPT=script)
    done = subprocess.run(["unshare", *namespaces.split(), "sh", "-c", ENTER], env=env, check=False,
                          timeout=timeout, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def ask_each(tree, work, files, command, timeout=300):
    """Runs the command once per file, with $FILE its name; returns {name: (exit code, output)}."""
    for name, text in files.items():
        with open(os.path.join(work, name), "w", encoding="utf-8", newline="") as out:
            out.write(text)
    script = ("cd /mnt && for FILE in *; do export FILE; timeout 10 " + command +
              " > $FILE.out 2>&1; echo $? > $FILE.rc; done")
    run(tree, work, script, timeout)
    answers = {}
    for name in files:
        with open(os.path.join(work, name + ".out"), encoding="utf-8", errors="replace") as out:
            text = out.read()
        with open(os.path.join(work, name + ".rc"), encoding="utf-8") as code:
            answers[name] = (int(code.read()), text)
    return answers


def shell(command):
    """A command line for ask_each that runs under a shell of its own."""
    return "sh -c " + shlex.quote(command)
