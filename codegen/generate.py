#!/usr/bin/env python3
"""Writes gen/, the CRDs of the charts and docs/reference/ from api/.

Run it as `make generate`. The output is committed; with --check nothing is written and the exit
status says whether anything would change.
"""
import argparse
import sys
from pathlib import Path

import c_header
import c_source
import crd
import reference
from schema import BadSchema, Reader

ROOT = Path(__file__).resolve().parent.parent
# Where our files are; one that says it is ours and was not written this time is removed.
PLACES = ("gen/*/*.[ch]", "charts/*/crds/*.yaml", "docs/reference/*.md")


def purpose_of(kinds, types):
    """One sentence for the top of a file."""
    if kinds:
        return "; ".join(f"{kind.name} of {kind.group or 'the core group'}/{kind.version}"
                         for kind in kinds) + "."
    return "types that several kinds share." if len(types) > 1 else types[0].doc


def c_files(reader):
    """gen/<group>/<file>.{h,c} for every file of api/ that defines something we use."""
    homes = {}
    for made in reader.types.values():
        homes.setdefault(made.home, []).append(made)
    out = {}
    for home, types in homes.items():
        kinds = [kind for kind in reader.kinds if kind.home == home]
        purpose = purpose_of(kinds, types)
        out[f"gen/{home}.h"] = c_header.header(home, purpose, types, kinds)
        out[f"gen/{home}.c"] = c_source.source(home, purpose, types, kinds)
    return out


def kind_list(reader):
    """gen/kinds.{h,c}: every kind, for those who look one up by name."""
    # of several views of one kind, such as the pod that is watched and the one that is built, the
    # one with the plain name comes first
    kinds = sorted(reader.kinds, key=lambda kind: (kind.group, kind.name, len(kind.c_name)))
    notice = f" *\n * {c_header.NOTICE}\n */"
    choices = ", \\\n".join(
        f"    struct {kind.c_name} *: &{kind.c_name}_kind, \\\n"
        f"    const struct {kind.c_name} *: &{kind.c_name}_kind" for kind in kinds)
    header = ("/* kinds.h - every kind we know.\n" + notice + "\n#pragma once\n"
              '#include "json/kind.h"\n\n/* Ended by NULL. */\n'
              "extern const struct kind *const all_kinds[];\n\n"
              + "".join(f"extern const struct kind {kind.c_name}_kind;\n" for kind in kinds)
              + "\n/* The kind of the object that a pointer of its type points at. */\n"
              "#define KIND_OF(object) _Generic((object), \\\n" + choices + ")\n")
    homes = sorted({str(kind.home) for kind in kinds})
    source = ("/* kinds.c - every kind we know.\n" + notice + '\n#include "kinds.h"\n\n'
              + "".join(f'#include "{home}.h"\n' for home in homes)
              + "\nconst struct kind *const all_kinds[] = {\n"
              + "".join(f"    &{kind.c_name}_kind,\n" for kind in kinds) + "    NULL,\n};\n")
    return {"gen/kinds.h": header, "gen/kinds.c": source}


def build_list(files):
    """gen/meson.build."""
    sources = sorted(name.removeprefix("gen/") for name in files if name.endswith(".c"))
    return ("# Generated from api/ by `make generate`; changes go there.\n"
            "gen = static_library('gen',\n" + "".join(f"  '{name}',\n" for name in sources)
            + "  include_directories: [lib_inc, gen_inc], dependencies: json_dep)\n"
            "gen_dep = declare_dependency(link_with: gen, include_directories: gen_inc,\n"
            "  dependencies: json_dep)\n")


def everything(root):
    """All output, as a map from path to text."""
    reader = Reader(root / "api").read()
    files = c_files(reader)
    files.update(kind_list(reader))
    files["gen/meson.build"] = build_list(files)
    files.update(crd.files(reader))
    files.update(reference.files(reader))
    return files


def changes(root, files):
    """Paths that differ from what is there: (to write, to remove)."""
    write = [name for name, text in files.items()
             if not (root / name).exists() or (root / name).read_text(encoding="utf-8") != text]
    ours = {str(path.relative_to(root)) for place in PLACES for path in root.glob(place)
            if c_header.NOTICE in path.read_text(encoding="utf-8")}
    return sorted(write), sorted(ours - files.keys())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say whether anything changes")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        files = everything(options.root)
    except BadSchema as problem:
        sys.exit(f"generate: {problem}")
    write, remove = changes(options.root, files)
    for name in write + remove:
        print(("remove " if name in remove else "write ") + name, file=sys.stderr)
    if options.check:
        return 1 if write or remove else 0
    for name in write:
        path = options.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[name], encoding="utf-8")
    for name in remove:
        (options.root / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
