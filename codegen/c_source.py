"""Sources: the tables, the descriptors and the copying functions."""
from c_header import NOTICE, keeper, ordered
from c_text import WIDTH, call
from names import quoted

RULES = {"minimum": "min", "maximum": "max", "minItems": "min_items", "maxItems": "max_items",
         "minLength": "min_length", "maxLength": "max_length"}


def rule(row):
    """The rule of a row as a compound literal; "" when there is none."""
    parts = []
    if "enum" in row.rules:
        choices = ", ".join(quoted(choice) for choice in row.rules["enum"])
        parts.append(f".one_of = ONE_OF({choices})")
    if "pattern" in row.rules:
        parts.append(f".pattern = {quoted(row.rules['pattern'])}")
    parts += [f".{member} = SOME({row.rules[key]})" for key, member in RULES.items()
              if key in row.rules]
    return f".rule = RULE({', '.join(parts)})" if parts else ""


def arguments(made, row):
    """What FIELD() is given for a row."""
    out = [made.c_name, row.member, row.kind, quoted(row.name)]
    if row.flags:
        out.append(".flags = " + " | ".join(row.flags))
    if row.of:
        out.append(f".of = &{row.of.c_name}_type")
    if row.list_key:
        out.append(f".list_key = {quoted(row.list_key)}")
    if rule(row):
        out.append(rule(row))
    if row.default is not None:
        out.append(f".default_text = {quoted(row.default)}")
    if row.doc:
        out.append(f".doc = {quoted(row.doc)}")
    return out


def table(made):
    """The rows of a type, and the type."""
    lines = [f"static const struct field {made.c_name}_fields[] = {{"]
    for row in made.fields:
        lines += call("FIELD", arguments(made, row), ",")
    type_head = f"const struct type {made.c_name}_type ="
    type_tail = f"TYPE({made.c_name}, {made.c_name}_fields);"
    lines += ["    { 0 },", "};"]
    if len(type_head) + 1 + len(type_tail) <= WIDTH:
        return lines + [f"{type_head} {type_tail}", ""]
    return lines + [type_head] + call("TYPE", [made.c_name, f"{made.c_name}_fields"], ";") + [""]


def descriptor(kind):
    """The struct kind of a kind."""
    rows = [row.name for row in kind.type.fields]
    lines = [f"const struct kind {kind.c_name}_kind = {{", f"    .group = {quoted(kind.group)},",
             f"    .version = {quoted(kind.version)},", f"    .kind = {quoted(kind.name)},",
             f"    .plural = {quoted(kind.plural)},"]
    for member in ("namespaced", "has_status", "has_scale"):
        if getattr(kind, member):
            lines.append(f"    .{member} = true,")
    lines.append(f"    .type = &{kind.type.c_name}_type,")
    if "status" in rows:
        lines.append(f"    .status = &{kind.type.c_name}_fields[{rows.index('status')}],")
    return lines + ["};", ""]


def keep(made):
    """The function that copies into an arena."""
    return keeper(made) + ["{", f"    return table_copy(a, &{made.c_name}_type, from);", "}", ""]


def source(home, purpose, types, kinds):
    """The whole .c file."""
    lines = [f"/* {home.name}.c - {purpose}", " *", f" * {NOTICE}", " */", f'#include "{home}.h"',
             ""]
    for made in ordered(types):
        lines += table(made)
    for kind in kinds:
        lines += descriptor(kind)
    for made in ordered(types):
        if made.named or any(kind.type is made for kind in kinds):
            lines += keep(made)
    return "\n".join(lines).rstrip() + "\n"
