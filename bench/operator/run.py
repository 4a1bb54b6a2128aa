#!/usr/bin/env python3
"""What the operator costs with a thousand workers, beside slurm-operator: see README.md. Needs root, for a bed.

usage: bench/operator/run.py [--scenario 1000|SETSxEACH] [--peer] [--only PIECE,...] [--json FILE]
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests"), str(ROOT / "tools"), str(ROOT / "tests/conformance/peer")]

from bedlib import Bed  # noqa: E402
from stage import Stage  # noqa: E402
from work import Work  # noqa: E402

BUILD = ROOT / os.environ.get("BUILD", "build-bench")
FLAGS = ["--kubeconfig", "$KUBECONFIG", "--health-addr", "$HEALTH", "--metrics-addr", "$METRICS"]
PIECES = ["idle", "base", "create", "steady", "reaction", "restart", "rolling", "scale_in"]
# piece, figure, what it is called, what we promise for a thousand workers (None: no promise), by how much it may grow
FIGURES = [
    ("idle", "rss_mib", "resident, Nodes only, MiB", 16, "base"),
    ("create", "rss_mib", "resident with all workers, MiB", 20, "base"),
    ("create", "peak_mib", "peak, MiB", 24, "base"),
    ("create", "created_s", "0 to N: created, s", 3, "each"),
    ("create", "slurm_status_s", "... all in status, s", None, "each"),
    ("create", "api_calls", "... API requests", 2200, "each"),
    ("create", "cpu_s", "... CPU, s", 1.5, "each"),
    ("create", "slurm_calls", "... Slurm calls", 1010, "each"),
    ("create", "slurm_bytes", "... Slurm bytes", 4e6, "each"),
    ("steady", "cpu_s", "steady 120 s: CPU, s", 0.1, "each"),
    ("steady", "writes", "... API writes", 0, "none"),
    ("steady", "slurm_bytes", "... Slurm bytes", 50e3, "none"),
    ("reaction", "median_s", "one pod replaced: time to the new pod, s", 0.02, "none"),
    ("reaction", "cpu_each_s", "... CPU, s", 0.01, "each"),
    ("reaction", "api_calls_each", "... API requests", 4, "none"),
    ("reaction", "slurm_bytes_each", "... Slurm bytes", 20e3, "none"),
    ("restart", "cpu_s", "cold start: CPU, s", 0.5, "each"),
    ("restart", "writes", "... API writes", 0, "none"),
    ("restart", "peak_mib", "... peak, MiB", 28, "base"),
    ("rolling", "status_s", "rolling update, 25 %: s", 30, "each"),
    ("rolling", "api_calls", "... API requests", 5000, "each"),
    ("rolling", "slurm_calls", "... Slurm calls", 60, "none"),
    ("rolling", "cpu_s", "... CPU, s", 5, "each"),
    ("scale_in", "status_s", "scale in by half: s", 10, "each"),
    ("scale_in", "api_calls", "... API requests", 1600, "each"),
    ("scale_in", "slurm_calls", "... Slurm calls", 30, "none"),
    ("scale_in", "cpu_s", "... CPU, s", 1.5, "each"),
]


def ours():
    return [str(BUILD / "cmd/windlass"), "manager", *FLAGS], ROOT / "charts/slurm-operator-crds/crds"


def peer():
    import build_peer
    built = build_peer.build()
    return ["env", "KUBECONFIG=$KUBECONFIG", str(built.program), *FLAGS[2:], "--nodeset-workers", "4"], built.crds


def perform(argv, crds, sets, each, pieces, limit):
    """Every piece of work, one after another; {piece: figures}."""
    bed, found = Bed(f"bench-operator-{os.getpid()}"), {}
    with tempfile.TemporaryDirectory() as directory:
        stage = None
        try:
            stage = Stage(bed, sets * each, directory)
            stage.install(crds)
            stage.start(argv)
            work = Work(stage, sets, each, limit)
            for piece in pieces:
                found[piece] = work.restart(argv) if piece == "restart" else getattr(work, piece)()
                print(f"   {piece}: {json.dumps(found[piece])}", file=sys.stderr, flush=True)
            stage.stop()
        finally:
            if stage:
                stage.close()
            bed.down()
    add_shares(found.get("reaction"))
    return found


def add_shares(reaction):
    """What one replacement takes, of what all of them took."""
    if reaction and reaction["samples"]:
        for name in ("cpu_s", "api_calls", "slurm_bytes"):
            share = reaction[name] / reaction["samples"]
            reaction[name.removesuffix("_s") + "_each" + ("_s" if name.endswith("_s") else "")] = share


def promised(target, grows, workers):
    """The promise for a thousand workers, for this many."""
    if target is None or grows == "none":
        return target
    if grows == "base":  # MiB: 16 of its own, 4 for every thousand
        return target if workers <= 1000 else target + 4 * (workers - 1000) / 1000
    return target * max(workers, 1000) / 1000


def text(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def table(results, workers):
    """Prints the figures side by side; what ours misses, in words."""
    missed = []
    names = list(results)
    print(f"| {workers} workers | " + " | ".join(names) + " | promised |")
    print("| --- |" + " ---: |" * (len(names) + 1))
    for piece, figure, words, target, grows in FIGURES:
        values = [results[name].get(piece, {}).get(figure) for name in names]
        if all(value is None for value in values):
            continue
        limit = promised(target, grows, workers)
        print(f"| {words} | " + " | ".join(text(value) for value in values) + f" | {text(limit)} |")
        if limit is not None and (values[0] is None or values[0] > limit):
            missed.append(f"{words}: {text(values[0])}, promised {text(limit)}")
    return missed


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="1000", help="workers, or SETSxEACH")
    parser.add_argument("--peer", action="store_true", help="slurm-operator as well, built from its public source")
    parser.add_argument("--only", default=",".join(PIECES), help="pieces of work; what they need is not added")
    parser.add_argument("--limit", type=int, default=300, help="seconds for each piece")
    parser.add_argument("--json", help="all figures, as one document")
    return parser.parse_args()


def main():
    told = arguments()
    sets, _, each = told.scenario.rpartition("x")
    sets, each = int(sets or 1), int(each)
    operators = {"windlass": ours, **({"slurm-operator": peer} if told.peer else {})}
    results = {}
    for name, command in operators.items():
        print(f"   {name}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
        results[name] = perform(*command(), sets, each, told.only.split(","), told.limit)
    if told.json:
        pathlib.Path(told.json).write_text(json.dumps(results, indent=1) + "\n")
    missed = table(results, sets * each)
    for one in missed:
        print(f"not reached: {one}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
