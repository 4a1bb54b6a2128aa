#!/usr/bin/env python3
"""Reads the same list of pods with windlass' list cutter and with Python's json, and says how fast."""
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / os.environ.get("BUILD", "build-bench")
POD = HERE / "pod.json"
ROUNDS = 3


def bench(program, mode, items):
    """The best of a few rounds, each in a process of its own so that its peak memory is its own."""
    rounds = []
    for _ in range(ROUNDS):
        out = subprocess.run([program, mode, str(items), POD], check=True, capture_output=True)
        rounds.append(json.loads(out.stdout))
    return max(rounds, key=lambda r: r["mb_per_s"])


def best_rate(read, size):
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        read()
        best = min(best, time.process_time() - began)
    return size / 1e6 / best


def python_json(items):
    """Item by item is the work that value does. The whole list at once is how a list is usually
    read; much of its time is the garbage collector walking all that is alive, so it is no measure
    of the parser. CPU time, as for the others."""
    pod = POD.read_text().strip()
    pods = [pod.replace("@@@@@@", f"{i % 64:06d}") for i in range(items)]
    text = '{"items":[' + ",".join(pods) + "]}"

    def each():
        for one in pods:
            json.loads(one)

    rows = []
    for mode, read in (("python, by item", each), ("python, whole", lambda: json.loads(text))):
        rate = best_rate(read, len(text))
        rows.append({"mode": mode, "items": items, "mb_per_s": rate})
    return rows


def main():
    subprocess.run(["ninja", "-C", BUILD, "bench/list/list_bench"], check=True,
                   stdout=subprocess.DEVNULL)
    rows = [bench(BUILD / "bench/list/list_bench", mode, items)
            for mode in ("cut", "decode", "value") for items in (9984, 99968)]
    rows += python_json(9984)
    base = next(row["mb_per_s"] for row in rows if row["mode"] == "python, by item")
    print("| what | items | MB per CPU second | against Python by item | peak KiB |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for row in rows:
        print(f"| {row['mode']} | {row['items']} | {row['mb_per_s']:.0f} "
              f"| {row['mb_per_s'] / base:.1f} | {row.get('peak_kib', '')} |")
    slow = [row for row in rows if row["mode"] == "decode" and row["mb_per_s"] < 300]
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
