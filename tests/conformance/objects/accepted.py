#!/usr/bin/env python3
"""Every object of the golden files is one that a real API server takes, without a warning.

    accepted.py [NAME]

Brings up a bed of its own, asks for each object to be made without making it, and takes the bed down.
Owners are left out: they have no uid in a file. ServiceMonitors are of a kind that the bed lacks.
"""
import pathlib
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from bedlib import Bed  # noqa: E402


def objects():
    for expected in sorted((ROOT / "tests/golden/build").glob("*/expected.yaml")):
        for thing in yaml.safe_load_all(expected.read_text()):
            if thing["kind"] != "ServiceMonitor":
                thing["metadata"].pop("ownerReferences", None)
                yield expected.parent.name, thing


def complaint(bed, thing):
    """What the server says against it, or None."""
    try:
        answer = bed.kubectl("create", "--dry-run=server", "--warnings-as-errors", "-o", "name",
                             "-f", "-", data=yaml.safe_dump(thing))
    except Exception as error:  # pylint: disable=broad-except
        return str(error)
    return None if answer else "no answer"


def main():
    bed = Bed(sys.argv[1] if len(sys.argv) > 1 else "accepted")
    bed.up()
    try:
        bed.kubectl("create", "namespace", "hpc")
        count = bad = 0
        for case, thing in objects():
            count += 1
            problem = complaint(bed, thing)
            if problem:
                bad += 1
                print(f"{case}: {thing['kind']} {thing['metadata'].get('name')}: {problem}")
        print(f"{count} objects, {bad} of them refused")
        return 1 if bad or not count else 0
    finally:
        bed.down()


if __name__ == "__main__":
    sys.exit(main())
