"""The field reference in docs/: one page per kind that is ours, one row per field."""
from c_header import NOTICE

WORDS = {"STR": "string", "QUANTITY": "quantity", "INT": "integer", "REAL": "number",
         "BOOL": "boolean", "TIME": "time", "MICROTIME": "time", "INT_STR": "integer or string",
         "STRS": "list of strings", "MAP": "map of strings", "RAW": "any", "OBJECT": "object",
         "POINTER": "object", "LIST": "list of objects", "OBJECTS": "map of objects"}
BOUNDS = {"minimum": "at least {}", "maximum": "at most {}", "minItems": "at least {} items",
          "maxItems": "at most {} items", "minLength": "at least {} characters",
          "maxLength": "at most {} characters"}


def cell(text):
    """Text that a Markdown table takes."""
    return " ".join(str(text).split()).replace("|", "\\|")


def limits(row):
    """What a value may be, in words."""
    parts = ["required"] if "REQUIRED" in row.flags else []
    if "enum" in row.rules:
        parts.append(", ".join(f"`{choice}`" for choice in row.rules["enum"]))
    parts += [words.format(row.rules[key]) for key, words in BOUNDS.items() if key in row.rules]
    if row.default is not None:
        parts.append(f"default `{row.default}`")
    return "; ".join(parts)


def rows(made, above, seen=()):
    """(path, field) of a type and of all below it."""
    for row in made.fields:
        path = f"{above}{row.name}"
        yield path, row
        if row.of and row.of.c_name != "k8s_meta" and row.of.c_name not in seen:
            path += {"LIST": "[].", "OBJECTS": ".*."}.get(row.kind, ".")
            yield from rows(row.of, path, (*seen, made.c_name))


def page(kind):
    """The page of a kind."""
    where = "in a namespace" if kind.namespaced else "cluster-wide"
    lines = [f"<!-- {NOTICE} -->", f"# {kind.name}", "",
             f"`{kind.group}/{kind.version}`, {where}.",
             "", cell(kind.type.doc), "", "| Field | Type | Limits | Meaning |",
             "| --- | --- | --- | --- |"]
    for path, row in rows(kind.type, ""):
        if row.name == "metadata" and path == "metadata":
            continue
        doc = cell(row.schema.get("description", ""))
        lines.append(f"| `{path}` | {WORDS[row.kind]} | {cell(limits(row))} | {doc} |")
    return "\n".join(lines) + "\n"


def files(reader):
    """docs/reference/<group>-<kind>.md."""
    return {f"docs/reference/{kind.c_name.replace('_', '-')}.md": page(kind)
            for kind in reader.kinds if not kind.external}
