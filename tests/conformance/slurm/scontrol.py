"""The real scontrol as an oracle: many questions answered by one process in the Slurm rootfs.

Nothing is written into the rootfs: /mnt and /tmp are covered in a private mount namespace.
"""

import glob
import os
import shlex
import subprocess

CACHE = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
HEAD = "ClusterName=x\nSlurmctldHost=h\nAuthType=auth/none\n"
MOUNT = ("mount --make-rprivate / && mount -t tmpfs tmpfs $TREE/mnt && mount -t tmpfs tmpfs $TREE/tmp"
         " && mount -t proc proc $TREE/proc && mount --bind /dev $TREE/dev"
         " && mount --bind $WORK $TREE/mnt && exec chroot $TREE /bin/sh -c \"$SCRIPT\"")


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


def run(tree, work, script, timeout=300):
    """Runs a shell script in the rootfs, with the directory `work` at /mnt."""
    env = dict(os.environ, TREE=tree, WORK=str(work), SCRIPT=script)
    done = subprocess.run(["unshare", "-m", "sh", "-c", MOUNT], env=env, timeout=timeout, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
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
