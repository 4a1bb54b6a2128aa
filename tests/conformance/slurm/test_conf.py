"""slurm.conf: lint refuses what Slurm refuses, and takes what Slurm takes."""

import json
import os
import random
import re

import scontrol

HERE = os.path.dirname(__file__)
TABLE = os.path.join(HERE, "../../../src/slurm/conf_keys_slurm.c")
ASK = scontrol.shell("export SLURM_CONF=/mnt/$FILE; scontrol show hostnames ok")

GOOD = {"TEXT": None, "U16": "5", "U32": "5", "U64": "5", "BOOL": "yes", "SPAN": "1-0",
        "SECONDS": "5", "LEVEL": "debug3", "PORT": "6000", "PORTS": "6000-6001", "HOSTS": "n[1-2]",
        "CONTROLLER": "a(b)"}
BAD = {"U16": "70000", "U32": "4294967296", "U64": "5G", "BOOL": "maybe", "SPAN": "soon",
       "LEVEL": "loud"}
# Keys whose every value needs something that is not there: a user, a directory, other keys.
NEEDS_MORE = {"PreemptMode", "PreemptType", "PluginDir", "CredType", "TLSType", "AuthType", "HashPlugin",
              "SlurmctldHost", "PlugStackConfig", "NodeName", "PowerAction"}


def rows():
    """(table, key, type, flags and words) of the tables in C."""
    table = None
    text = open(TABLE, encoding="utf-8").read()
    for match in re.finditer(r"struct conf_key (\w+)\[\]|\{ \"(\w+)\", CONF_(\w+)([^}]*)\}", text):
        if match.group(1):
            table = match.group(1)
        else:
            yield table, match.group(2), match.group(3), match.group(4)


def words_of(rest):
    """The first word of a closed set."""
    found = re.search(r'\.words = "([^"]*)"', rest)
    return found.group(1).split()[0] if found else None


def line_of(table, key, value):
    """A line with this key: alone, or as an option."""
    starts = {"conf_keys_slurm": "", "node_options": "NodeName=n1 ", "partition_options":
              "PartitionName=p ", "nodeset_options": "NodeSet=s ", "down_options": "DownNodes=n1 ",
              "power_options": "PowerAction=a Location=slurmd "}
    if table == "power_options" and key == "Location":
        return f"PowerAction=a Location={value}"
    return f"{starts[table]}{key}={value}"


def lint(windlass, tmp_path, text):
    """The errors that lint finds in a file of these lines."""
    path = tmp_path / "ours-slurm.conf"
    path.write_text(scontrol.HEAD + text + "\n", encoding="utf-8")
    done = windlass("slurm", "lint", "-o", "json", str(path))
    return [p["message"] for p in json.loads(done.stdout) if p["level"] == "error"]


def verdicts(tree, directory, lines):
    """{line: (taken by Slurm, what it said)}"""
    directory.mkdir()
    files = {f"c{i:04d}": scontrol.HEAD + line + "\n" for i, line in enumerate(lines)}
    answers = scontrol.ask_each(tree, directory, files, ASK)
    return {line: (answers[f"c{i:04d}"][0] == 0, answers[f"c{i:04d}"][1])
            for i, line in enumerate(lines)}


def test_slurm_knows_every_key_of_the_table(tree, windlass, tmp_path):
    """Each key with a value that fits: Slurm takes it, and so does lint."""
    lines = {}
    for table, key, kind, rest in rows():
        if key in NEEDS_MORE or "CONF_GONE" in rest:
            continue
        value = words_of(rest) or GOOD.get(kind) or "x"
        if kind in ("SET_OF", "ONE_OF", "PLUGIN") and not words_of(rest):
            continue
        lines[line_of(table, key, value)] = key
    unknown = []
    for line, (_, said) in verdicts(tree, tmp_path / "ask", lines).items():
        if "unrecognized key" in said or "Parse error" in said:
            unknown.append(f"{line}: {said}")
    assert not unknown
    assert len(lines) > 250


def test_slurm_refuses_the_values_that_lint_refuses(tree, windlass, tmp_path):
    """Each key of a checked type with a value that does not fit."""
    lines = []
    for table, key, kind, rest in rows():
        if kind in BAD and "CONF_GONE" not in rest and "CONF_SOFT" not in rest:
            lines.append(line_of(table, key, BAD[kind]))
    for line, (taken, said) in verdicts(tree, tmp_path / "ask", lines).items():
        assert not taken, f"Slurm takes {line}: {said}"
        assert lint(windlass, tmp_path, line), line


PIECES = ["MaxJobCount", "KillWait", "TrackWCKey", "NodeName", "PartitionName", "CPUs", "State", "Nodes",
          "=", "=", "=", "= ", " =", "5", "5", "yes", "n1", "UP", '"5"', '"', "\\", "\\\n", "\n", "\n",
          " ", " ", " #x", "#", "\\#", "\t", "65536", "-1", "x", "'5'", "\r\n", "Nonsense"]


def test_random_text_draws_the_same_verdict(tree, windlass, tmp_path):
    """The grammar: lines glued together out of pieces that are almost right."""
    rng = random.Random(os.environ.get("SEED", "conf"))
    lines = []
    for _ in range(400):
        start = rng.choice(["MaxJobCount=5", "NodeName=n1 CPUs=2", "KillWait=", "TrackWCKey=yes", ""])
        lines.append(start + "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 6))))
    for line, (taken, said) in verdicts(tree, tmp_path / "ask", lines).items():
        ours = lint(windlass, tmp_path, line)
        # what we refuse beyond Slurm: unknown states of nodes, the same name twice, an empty number
        ours = [m for m in ours if not re.match(
            r"State=|(node|partition) \S+ is there already|\w+=: want a whole number", m)]
        assert taken == (not ours), f"{line!r}: Slurm says {said!r}, we say {ours}"
