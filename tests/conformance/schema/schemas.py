#!/usr/bin/env python3
"""Compares our CRDs with those of the Go operator, whose modules are fetched when this runs.

Prints every difference that docs/compatibility.md does not give a reason for, and every reason
there that no difference needs any more. Exit status 0 means that there is neither.
"""

import fnmatch
import json
import subprocess
import sys
import tempfile

import crds
import yaml

MODULE = "github.com/SlinkyProject/slurm-operator"
# The newest release of each API version that the module registry has.
PEERS = {"v1beta1": "v1.1.0", "v1alpha1": "v0.4.1"}
DOC = crds.ROOT / "docs" / "compatibility.md"
# The rows between these two lines of the page are data for this script.
BEGIN, END = "<!-- schema differences -->", "<!-- end of schema differences -->"


def peer_crds(release):
    """{kind: CRD} of one release, from the module registry or the module cache."""
    with tempfile.TemporaryDirectory() as nowhere:
        done = subprocess.run(["go", "mod", "download", "-json", f"{MODULE}@{release}"],
                              cwd=nowhere, capture_output=True, text=True, timeout=300)
    module = json.loads(done.stdout or "{}")
    if "Dir" not in module:
        raise LookupError(f"{MODULE}@{release}: {module.get('Error') or done.stderr.strip()}")
    base = crds.Path(module["Dir"]) / "config" / "crd" / "bases"
    found = [yaml.safe_load(path.read_text()) for path in sorted(base.glob("*.yaml"))]
    return {crd["spec"]["names"]["singular"]: crd for crd in found}


def without_descriptions(columns):
    return [{k: v for k, v in column.items() if k != "description"} for column in columns]


def facts_of(crd, version):
    """{(path, attribute): value}: all of a CRD that a user could notice, descriptions aside."""
    facts = {("names", k): v for k, v in crd["spec"]["names"].items()}
    facts["names", "scope"] = crd["spec"]["scope"]
    found = crds.version(crd, version)
    for key in ("served", "storage", "deprecated", "subresources"):
        facts["version", key] = found.get(key)
    for column in without_descriptions(found.get("additionalPrinterColumns", [])):
        facts[f"column {column['name']}", "column"] = column
    for path, schema in crds.nodes(found["schema"]["openAPIV3Schema"]):
        facts[path, "field"] = "there"
        for key, value in schema.items():
            if key not in ("description", "properties", "items", "additionalProperties"):
                facts[path, key] = sorted(value) if key == "required" else value
    return facts


def differences(ours, theirs):
    """(path, attribute, ours, theirs) where they differ; a field only one side has counts once."""
    for path, key in sorted(ours.keys() | theirs.keys()):
        one_sided = ((path, "field") in ours) != ((path, "field") in theirs)
        mine, other = ours.get((path, key)), theirs.get((path, key))
        if mine != other and (key == "field" or not one_sided):
            yield path, key, mine, other


def reasons():
    """The rows of the page: (version, kind, path, attribute), each may hold wildcards."""
    text = DOC.read_text().partition(BEGIN)[2].partition(END)[0]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return [tuple(cell.strip().strip("`") for cell in row[:4]) for row in rows]


def explains(row, difference):
    return all(fnmatch.fnmatchcase(value, pattern.replace("[]", "[[][]]"))
               for pattern, value in zip(row, difference))


def compare():
    """(what no row explains, rows that explain nothing)"""
    rows, used, unexplained = reasons(), set(), []
    for version, release in PEERS.items():
        theirs = peer_crds(release)
        for kind, crd in (crds.emitted() or crds.described()).items():
            for path, key, mine, other in differences(facts_of(crd, version),
                                                      facts_of(theirs[kind], version)):
                matching = [row for row in rows if explains(row, (version, kind, path, key))]
                used.update(matching)
                if not matching:
                    unexplained.append(f"{version} {kind} {path} {key}: "
                                       f"ours {mine!r}, theirs {other!r}")
    return unexplained, [row for row in rows if row not in used]


def main():
    try:
        unexplained, stale = compare()
    except LookupError as problem:
        print(f"schemas: {problem}", file=sys.stderr)
        return 2
    for line in unexplained:
        print(f"without a reason in {DOC.name}: {line}")
    for row in stale:
        print(f"no longer a difference, remove from {DOC.name}: {' '.join(row)}")
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    sys.exit(main())
