"""Headers: the structs and what stands for them."""
from c_text import WIDTH, call, comment

SCALARS = {
    "STR": "const char *", "QUANTITY": "const char *", "INT": "struct maybe_int ",
    "REAL": "struct maybe_real ", "BOOL": "enum flag ", "TIME": "usec ", "MICROTIME": "usec ",
    "INT_STR": "struct int_or_str ", "STRS": "struct strs ", "MAP": "struct pairs ",
    "RAW": "const struct json *",
}
NOTICE = "Generated from api/ by `make generate`; changes go there."


def declaration(row):
    """The member as C writes it."""
    if row.kind in SCALARS:
        return f"{SCALARS[row.kind]}{row.member};"
    if row.kind == "OBJECT":
        return f"struct {row.of.c_name} {row.member};"
    if row.kind == "POINTER":
        return f"struct {row.of.c_name} *{row.member};"
    return f"struct {row.of.c_name}_list {row.member};"


def member_lines(row):
    """The member with its doc line, beside it where there is room."""
    text = "    " + declaration(row)
    doc = " ".join(row.doc.split())
    if doc and len(text) + len(doc) + 7 <= WIDTH:
        return [f"{text} /* {doc} */"]
    if len(text) > WIDTH:
        head, _, tail = text.rpartition(" ")
        return comment(doc, "    ") + [head, "        " + tail]
    return comment(doc, "    ") + [text]


def struct(made):
    """The struct, and the list of it where something holds one."""
    lines = comment(made.doc) + [f"struct {made.c_name} {{"]
    if made.keyed:
        lines.append("    const char *key;")
    for row in made.fields:
        lines += member_lines(row)
    lines += ["};", ""]
    if made.listed:
        lines += [f"struct {made.c_name}_list {{", f"    struct {made.c_name} *v;", "    size_t n;",
                  "};", ""]
    return lines


def ordered(types):
    """Types after those they embed, each list before its user."""
    done, out = set(), []

    def visit(made):
        if made.c_name in done:
            return
        done.add(made.c_name)
        for row in made.fields:
            if row.of and row.of in types and row.kind != "POINTER":
                visit(row.of)
        out.append(made)

    for made in types:
        visit(made)
    return out


def keeper(made):
    """The declaration of the function that copies into an arena."""
    lines = call(f"struct {made.c_name} *{made.c_name}_keep",
                 ["struct arena *a", f"const struct {made.c_name} *from"], "", "")
    if max(map(len, lines)) < WIDTH:
        return lines
    return [f"struct {made.c_name} *", *call(f"{made.c_name}_keep", [
        "struct arena *a", f"const struct {made.c_name} *from"], "", "")]


def includes(types, home):
    """Headers of other files' types that these embed, hold or point at."""
    homes = {row.of.home for made in types for row in made.fields if row.of}
    return [f'#include "{other}.h"' for other in sorted(homes - {home})]


def header(home, purpose, types, kinds):
    """The whole .h file."""
    others = includes(types, home)
    lines = [f"/* {home.name}.h - {purpose}", " *", f" * {NOTICE}", " */", "#pragma once",
             '#include "json/kind.h"'] + others + [""]
    pointed = [row.of for made in types for row in made.fields
               if row.kind == "POINTER" and row.of in types]
    lines += [f"struct {name};" for name in sorted({made.c_name for made in pointed})]
    lines += [""] if pointed else []
    for made in ordered(types):
        lines += struct(made)
    lines += [f"extern const struct type {made.c_name}_type;" for made in ordered(types)]
    lines += [f"extern const struct kind {kind.c_name}_kind;" for kind in kinds]
    kept = [made for made in ordered(types)
            if made.named or any(kind.type is made for kind in kinds)]
    if kept:
        lines += ["", "/* Deep copies that live as long as the arena. */"]
    for made in kept:
        declared = keeper(made)
        lines += declared[:-1] + [declared[-1] + ";"]
    return "\n".join(lines) + "\n"
