"""What we write PyYAML reads as the same value, and what PyYAML writes we read as the same.

usage: yaml_pyyaml_test.py YAML_TOOL
"""
import json
import random
import re
import subprocess
import sys

import yaml

WORDS = [
    "", "a", "yes", "No", "null", "~", "1", "0644", "1e3", "1.5", "-1", ".5", "5.", "0x1f", "0b1",
    "1_0", ".inf", "2024-01-02", "2024-01-02T00:00:00Z", "12:30:45", "10.0.0.1", "4Gi", "500m",
    "a: b", "a #b", "- a", " a", "a ", "x\ny\n", "x\n y", "\n", "\n\nx", "t\n\n\n", "t\n  \n",
    "a\r\nb", "\ta", "<<", "=", "{a", "[a", "|", ">", "? ", "'", '"q"', "%a", "@a", "`a", "&a",
    "---", "...",
    "*a", "!a", "#a", "a:", "\u00e9", "\U0001f6a2", "\x7f", "\ufeffx", "foo bar " * 30, "k" * 1500,
]
LETTERS = "ab01 :#-\n\t'\"\\{}[],&*!|>%@`?=~.eEx_\u00e9\r/+"
# a number by YAML 1.2 and to Kubernetes, but in part (1e3, without a point) a string to PyYAML
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# PyYAML and libyaml fold these two differently, so only our own output holds them
SEPARATORS = ["\x85x", "a\u2028b"]


def text(rng, words):
    if rng.random() < 0.6:
        return rng.choice(words)
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(0, 12)))


def agreed(v):
    """The value, with strings marked that PyYAML writes unquoted and YAML 1.2 takes for numbers."""
    if isinstance(v, list):
        return [agreed(item) for item in v]
    if isinstance(v, dict):
        return {agreed(key): agreed(item) for key, item in v.items()}
    disputed = isinstance(v, str) and NUMBER.fullmatch(v) and isinstance(yaml.safe_load(v), str)
    return "not " + v if disputed else v


def value(rng, words, depth=0):
    kind = rng.randint(0, 7 if depth < 4 else 5)
    if kind == 0:
        return rng.randint(-1000, 1000)
    if kind == 1:
        return rng.choice([None, True, False])
    if kind == 2:
        return rng.choice([0.5, 1e300, -2.25, 1e-7, 3.0])
    if kind < 6:
        return text(rng, words)
    if kind == 6:
        return [value(rng, words, depth + 1) for _ in range(rng.randint(0, 4))]
    return {text(rng, words): value(rng, words, depth + 1) for _ in range(rng.randint(0, 4))}


def run(tool, verb, data):
    done = subprocess.run([tool, verb], input=data.encode(), capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{verb}: {done.stderr.decode()}")
    return done.stdout.decode()


def compare(what, wanted, got):
    if len(wanted) != len(got):
        sys.exit(f"{what}: {len(got)} documents, not {len(wanted)}")
    for want, have in zip(wanted, got):
        # repr, since Python takes 1, 1.0 and True for equal
        if repr(want) != repr(have):
            sys.exit(f"{what}: {have!r}, not {want!r}")
    print(f"{what}: {len(got)} documents")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    ours = [value(rng, WORDS + SEPARATORS) for _ in range(1500)]
    written = run(sys.argv[1], "write", json.dumps(ours))
    compare("PyYAML reads ours", ours, list(yaml.safe_load_all(written)))
    theirs = [agreed(value(rng, WORDS)) for _ in range(1500)]
    for flow in (True, False, None):
        dumped = yaml.safe_dump_all(theirs, default_flow_style=flow, explicit_start=True,
                                    allow_unicode=True, sort_keys=False)
        compare(f"we read PyYAML's (flow {flow})", theirs,
                json.loads(run(sys.argv[1], "read", dumped)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
