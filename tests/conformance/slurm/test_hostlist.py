"""Host lists: the same answers as scontrol show hostnames and scontrol show hostlist."""

import os
import random

import scontrol

PREFIXES = ["n", "gpu-", "n1x", "", "r2-n", "a.b", "rack"]
SUFFIXES = ["", "", "", "-ib", "x", ".local"]


def random_range(rng):
    """"7", "07-12", "3-3"."""
    low = rng.randrange(120)
    width = rng.choice([0, 0, 2, 3])
    if rng.random() < 0.4:
        return f"{low:0{width}d}"
    return f"{low:0{width}d}-{low + rng.randrange(6):0{rng.choice([0, width])}d}"


def random_name(rng):
    """A name with up to three bracket groups."""
    name = rng.choice(PREFIXES)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        name += "[" + ",".join(random_range(rng) for _ in range(rng.randrange(1, 4))) + "]"
        name += rng.choice(["", "b", "-"])
    return (name or "h") + rng.choice(SUFFIXES)


def random_list(rng):
    """Several names, some of them neighbours."""
    names = [random_name(rng) for _ in range(rng.randrange(1, 5))]
    start = rng.randrange(100)
    names += [f"n{i}" for i in range(start, start + rng.randrange(4))]
    rng.shuffle(names)
    return ",".join(names)


def test_random_lists_expand_and_fold_like_scontrol(tree, windlass, tmp_path):
    """Expansion in the same order, and the folding of the plain names to the same text."""
    rng = random.Random(os.environ.get("SEED", "hostlist"))
    lists = {f"list{i:03d}": random_list(rng) for i in range(150)}
    command = scontrol.shell(
        "printf 'ClusterName=x\\nSlurmctldHost=h\\nAuthType=auth/none\\n' > /tmp/c; "
        "export SLURM_CONF=/tmp/c; scontrol show hostnames \"$(cat $FILE)\"; echo ---; "
        "scontrol show hostlist \"$(scontrol show hostnames \"$(cat $FILE)\" | tr '\\n' ,)\"")
    answers = scontrol.ask_each(tree, tmp_path, lists, command)
    for name, text in lists.items():
        code, output = answers[name]
        assert code == 0, f"{text}: {output}"
        names, folded = output.split("---\n")
        ours = windlass("slurm", "hostlist", "expand", text)
        assert ours.stdout == names, text
        ours = windlass("slurm", "hostlist", "compress", text)
        assert ours.stdout == folded, text


def test_what_scontrol_refuses_we_refuse(tree, windlass, tmp_path):
    """Malformed lists."""
    bad = ["n[1-", "n[]", "n[a-b]", "n[1,,2]", "n[5-2]", "n[1-100000]", "n[ 1-2 ]", "n[1-2-3]"]
    files = {f"bad{i}": text for i, text in enumerate(bad)}
    command = scontrol.shell(
        "printf 'ClusterName=x\\nSlurmctldHost=h\\nAuthType=auth/none\\n' > /tmp/c; "
        "export SLURM_CONF=/tmp/c; scontrol show hostnames \"$(cat $FILE)\"")
    answers = scontrol.ask_each(tree, tmp_path, files, command)
    for name, text in files.items():
        assert "Invalid hostlist" in answers[name][1], text
        assert windlass("slurm", "hostlist", "expand", text).returncode == 1, text
