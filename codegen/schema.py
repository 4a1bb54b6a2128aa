"""Reads api/: resolves references and turns schemas into the model.

A file is a CustomResourceDefinition, or a set of named schemas under `types:`. Beyond what Kubernetes
knows, schemas may say the following; none of it reaches a CRD.

  in a file
    x-windlass-external: true    a kind that is not ours: no CRD and no page for it
    x-windlass-emit: true        types: structs for all of them, used by a kind or not
    x-windlass-c-name: pvc       the kind in C, instead of its singular: k8s_pvc
  in a schema
    x-windlass-ref: types.yaml#Name   the schema of that name; what stands beside it wins
    x-windlass-type: f.yaml#Name      in C it is that type; the schema stays its own
    x-windlass-c-name: taint          the struct, instead of its path: k8s_taint
    x-windlass-c-member: ...          the member, instead of the field's name in snake case
    x-windlass-raw: true              any JSON; so are objects without properties
    x-windlass-shared: true | keys    interned when cached: all of it, or the keys of a map
    x-windlass-sensitive: true        never shown
    x-windlass-micro: true            a date-time with microseconds
"""
import json
from pathlib import Path

import yaml

import names
import pattern
from model import Field, Kind, Type

PREFIXES = {"upstream": "k8s"}  # a directory of api/ names its group in C; this one is renamed
EMBEDDED = ("metadata", "spec", "status")
META = "../upstream/meta.yaml#Meta"
ROWS_MAX = 255  # table_read() counts rows in a byte


class BadSchema(Exception):
    """Something in api/ that cannot become a table; says where."""


def first_sentence(text):
    """What a doc line shows of a description."""
    text = " ".join((text or "").split())
    end = text.find(". ")
    return text if end < 0 else text[:end + 1]


class Reader:
    """All of api/, with every type made once."""

    def __init__(self, root):
        self.root = root
        self.files = {}
        self.types = {}
        self.origins = {}  # by C name, the properties it was made from
        self.kinds = []

    def load(self, path):
        path = path.resolve()
        if path not in self.files:
            try:
                self.files[path] = yaml.safe_load(path.read_text(encoding="utf-8"))
            except (OSError, yaml.YAMLError) as problem:
                raise BadSchema(" ".join(str(problem).split())) from problem
        return self.files[path]

    def read(self):
        for path in sorted(self.root.rglob("*.yaml")):
            document = self.load(path)
            if "types" not in document:
                self.kinds.append(self.kind_of(path, document))
            elif document.get("x-windlass-emit"):
                for name in document["types"]:
                    self.named_type(path, name)
        return self

    # References

    def target(self, path, reference):
        """The file and the name that `<file>#<name>` means in the file at path."""
        file, _, name = reference.partition("#")
        where = (path.parent / file).resolve()
        if name not in self.load(where).get("types", {}):
            raise BadSchema(f"{path}: {reference}: there is no such type")
        return where, name

    def resolved(self, path, schema):
        """The schema with its reference followed; what stands beside the reference wins."""
        name = None
        while "x-windlass-ref" in schema:
            path, name = self.target(path, schema["x-windlass-ref"])
            beside = {k: v for k, v in schema.items() if k != "x-windlass-ref"}
            schema = {**self.load(path)["types"][name], **beside}
        return path, name, schema

    def expanded(self, path, schema):
        """The schema with all references replaced and our own extensions left out, for a CRD."""
        path, _, schema = self.resolved(path, schema)
        out = {}
        for key, value in schema.items():
            if key.startswith("x-windlass-"):
                continue
            if key == "properties":
                value = {k: self.expanded(path, v) for k, v in value.items()}
            elif key in ("items", "additionalProperties") and isinstance(value, dict):
                value = self.expanded(path, value)
            out[key] = value
        return out

    # Types

    def prefix(self, path):
        directory = path.parent.name
        return PREFIXES.get(directory, directory)

    def home(self, path):
        return Path(self.prefix(path)) / path.stem.replace("-", "_")

    def named_type(self, path, name):
        schema = self.load(path)["types"][name]
        c_name = schema.get("x-windlass-c-name", names.snake(name))
        made = self.make_type(path, f"{self.prefix(path)}_{c_name}", schema)
        made.named = True
        return made

    def make_type(self, path, c_name, schema, root=False):
        origin = schema.get("properties")
        if c_name in self.types:
            if self.origins[c_name] is not origin:
                raise BadSchema(f"{path}: two types would be struct {c_name}; "
                                "give one an x-windlass-c-name")
            return self.types[c_name]
        made = Type(c_name, self.home(path), schema.get("description", ""))
        self.types[c_name], self.origins[c_name] = made, origin
        required = schema.get("required", [])
        for name, below in schema.get("properties", {}).items():
            if root and name in ("apiVersion", "kind"):
                continue
            made.fields.append(self.make_field(path, made, name, below, name in required, root))
        if len(made.fields) > ROWS_MAX:
            raise BadSchema(f"{path}: {c_name} has more than {ROWS_MAX} fields")
        return made

    def make_field(self, path, owner, name, schema, required, root):
        if root and name == "metadata":
            schema = {"x-windlass-ref": META, **schema}
        where, type_name, full = self.resolved(path, schema)
        row = Field(name, full.get("x-windlass-c-member", names.member(name)), "", "", full)
        row.doc = first_sentence(full.get("description"))
        embedded = required or name in EMBEDDED
        self.set_kind(row, where, type_name, full, owner, embedded)
        self.set_rules(row, path, full, required and not (root and name == "metadata"))
        return row

    def set_kind(self, row, path, type_name, schema, owner, embedded):
        """Which field_type, and of what."""
        kind = schema.get("type")
        if schema.get("x-windlass-raw") or schema.get("x-kubernetes-preserve-unknown-fields"):
            row.kind = "RAW"
        elif schema.get("x-kubernetes-int-or-string"):
            row.kind = "QUANTITY" if is_quantity(schema) else "INT_STR"
        elif kind == "string":
            row.kind = string_kind(schema)
        elif kind in ("integer", "number", "boolean"):
            row.kind = {"integer": "INT", "number": "REAL", "boolean": "BOOL"}[kind]
        elif kind == "array":
            self.set_list(row, path, schema, owner)
        elif schema.get("properties"):
            row.kind = "OBJECT" if embedded else "POINTER"
            row.of = self.type_below(path, type_name, schema, owner, row)
        elif isinstance(schema.get("additionalProperties"), dict):
            self.set_map(row, path, schema, owner)
        else:
            row.kind = "RAW"

    def type_below(self, path, type_name, schema, owner, row):
        """The type of an object: one shared with another schema, a named one, or its own."""
        if "x-windlass-type" in schema:
            return self.named_type(*self.target(path, schema["x-windlass-type"]))
        if type_name:
            return self.named_type(path, type_name)
        above = owner.c_name.removesuffix("_spec")
        below = schema.get("x-windlass-c-name")
        c_name = f"{self.prefix(path)}_{below}" if below else f"{above}_{row.member}"
        return self.make_type(path, c_name, schema)

    def set_list(self, row, path, schema, owner):
        path, type_name, items = self.resolved(path, schema.get("items", {}))
        listing = schema.get("x-kubernetes-list-type")
        opaque = items.get("x-windlass-raw") or items.get("x-kubernetes-preserve-unknown-fields")
        if items.get("type") == "string":
            row.kind = "STRS"
            row.rules = {k: v for k, v in items.items() if k in ("enum", "pattern", "minLength",
                                                                 "maxLength")}
        elif items.get("properties") and not opaque:
            row.kind = "LIST"
            row.of = self.type_below(path, type_name, items, owner, row)
            row.of.listed = True
            row.list_key = ",".join(schema.get("x-kubernetes-list-map-keys", []))
        else:
            row.kind = "RAW"
        if listing == "set" and row.kind == "STRS":
            row.flags.append("SET_LIST")
        if listing == "atomic" and row.kind == "LIST":
            row.flags.append("ATOMIC")

    def set_map(self, row, path, schema, owner):
        path, type_name, below = self.resolved(path, schema["additionalProperties"])
        if below.get("properties"):
            if type_name:
                raise BadSchema(f"{path}: {row.name}: an object of objects needs a type of its own")
            row.kind = "OBJECTS"
            row.of = self.type_below(path, None, below, owner, row)
            row.of.keyed = row.of.listed = True
        elif below.get("x-kubernetes-int-or-string") and is_quantity(below):
            row.kind = "MAP"
            row.flags.append("QUANTITIES")
        elif below.get("type") == "string":
            row.kind = "MAP"
        else:
            row.kind = "RAW"
        if schema.get("x-kubernetes-map-type") == "atomic" and row.kind == "MAP":
            row.flags.append("ATOMIC")

    def set_rules(self, row, path, schema, required):
        shared = schema.get("x-windlass-shared")
        for flag, wanted in (("REQUIRED", required), ("SHARED", shared is True),
                             ("SHARED_KEYS", shared == "keys"),
                             ("SENSITIVE", schema.get("x-windlass-sensitive")),
                             ("NULLABLE", schema.get("nullable"))):
            if wanted:
                row.flags.append(flag)
        if shared and row.of and holds_raw(row.of):
            raise BadSchema(f"{path}: {row.name}: what is shared cannot hold raw JSON")
        for key in ("enum", "pattern", "minimum", "maximum", "minItems", "maxItems", "minLength",
                    "maxLength"):
            if key in schema and row.kind not in ("RAW", "QUANTITY"):
                row.rules[key] = schema[key]
        if "pattern" in row.rules:
            try:
                row.rules["pattern"] = pattern.to_posix(row.rules["pattern"])
            except pattern.Untranslatable as problem:
                raise BadSchema(f"{path}: {row.name}: {problem}") from problem
        if "default" in schema:
            row.default = json.dumps(schema["default"], separators=(",", ":"), ensure_ascii=False)

    # Kinds

    def kind_of(self, path, document):
        spec = document["spec"]
        version = next(v for v in spec["versions"] if v["storage"])
        _, _, schema = self.resolved(path, version["schema"]["openAPIV3Schema"])
        c_name = document.get("x-windlass-c-name", spec["names"]["singular"])
        c_name = f"{self.prefix(path)}_{c_name}"
        made = self.make_type(path, c_name, schema, root=True)
        if made.fields[0].name != "metadata":
            raise BadSchema(f"{path}: metadata must be the first property after kind")
        subresources = version.get("subresources", {})
        return Kind(c_name, self.home(path), spec["group"], version["name"], spec["names"]["kind"],
                    spec["names"]["plural"], spec["scope"] == "Namespaced",
                    "status" in subresources, "scale" in subresources,
                    bool(document.get("x-windlass-external")), made, document, path)


def holds_raw(made):
    """Whether there is raw JSON in a type or in anything it holds."""
    return any(row.kind == "RAW" or (row.of and holds_raw(row.of)) for row in made.fields)


def is_quantity(schema):
    """Quantities are int-or-string with the pattern that only they have."""
    return schema.get("pattern", "").startswith("^(\\+|-)?(([0-9]+")


def string_kind(schema):
    if schema.get("format") == "date-time":
        return "MICROTIME" if schema.get("x-windlass-micro") else "TIME"
    return "STR"
