"""The generator on small schemas, and on the real ones: what it wrote is what is committed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "codegen"))
import c_text  # noqa: E402
import generate  # noqa: E402
import names  # noqa: E402
import pattern  # noqa: E402
from schema import BadSchema, Reader  # noqa: E402

META = {"types": {"Meta": {"type": "object", "properties": {"name": {"type": "string"}}}}}


def crd(spec, **more):
    properties = {"metadata": {"type": "object"}, "spec": {"type": "object", **spec}}
    return {"spec": {
        "group": "example.com", "scope": "Namespaced",
        "names": {"kind": "Thing", "plural": "things", "singular": "thing"},
        "versions": [{"name": "v1", "storage": True,
                      "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}}}],
    }, **more}


@pytest.fixture
def api(tmp_path):
    """Writes api/ files and reads them."""
    def read(files):
        for name, document in {"upstream/meta.yaml": META, **files}.items():
            path = tmp_path / "api" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(yaml.safe_dump(document, sort_keys=False))
        return Reader(tmp_path / "api").read()
    return read


def fields(reader, type_name="slinky_thing_spec"):
    return {row.name: row for row in reader.types[type_name].fields}


@pytest.mark.parametrize("name, member", [
    ("nodeName", "node_name"), ("podIP", "pod_ip"), ("clusterIPs", "cluster_ips"),
    ("hostIPC", "host_ipc"), ("setHostnameAsFQDN", "set_hostname_as_fqdn"),
    ("default", "default_"), ("metadata", "meta"), ("httpGet", "http_get"),
    ("downwardAPI", "downward_api"), ("x509Subject", "x509_subject"),
])
def test_members_are_snake_case(name, member):
    assert names.member(name) == member


@pytest.mark.parametrize("given, posix", [
    (r"^[^\n]+$", "^[^\n]+$"),
    (r"^(?:a|b)\d+$", "^(a|b)[0-9]+$"),
    (r"^[\w\-.]+$", "^[A-Za-z0-9_.-]+$"),
    (r"^[-a-z]$", "^[a-z-]$"),
    (r"^[\]x]$", "^[]x]$"),
    (r"a.b\.c", "a[^\n]b\\.c"),
    (r"[[:space:]]*", "[[:space:]]*"),
])
def test_patterns_keep_their_meaning_in_posix(given, posix):
    assert pattern.to_posix(given) == posix


@pytest.mark.parametrize("given", [r"(?i)x", r"a*?", r"\bx", r"[a\p]", "[a"])
def test_patterns_that_posix_cannot_express_are_refused(given):
    with pytest.raises(pattern.Untranslatable):
        pattern.to_posix(given)


QUANTITY = {"x-kubernetes-int-or-string": True, "pattern": r"^(\+|-)?(([0-9]+(\.[0-9]*)?))$"}


@pytest.mark.parametrize("schema, kind", [
    ({"type": "string"}, "STR"),
    ({"type": "integer"}, "INT"),
    ({"type": "number"}, "REAL"),
    ({"type": "boolean"}, "BOOL"),
    ({"type": "string", "format": "date-time"}, "TIME"),
    ({"type": "string", "format": "date-time", "x-windlass-micro": True}, "MICROTIME"),
    (QUANTITY, "QUANTITY"),
    ({"x-kubernetes-int-or-string": True}, "INT_STR"),
    ({"type": "array", "items": {"type": "string"}}, "STRS"),
    ({"type": "array", "items": {"type": "integer"}}, "RAW"),
    ({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}, "LIST"),
    ({"type": "object", "additionalProperties": {"type": "string"}}, "MAP"),
    ({"type": "object", "additionalProperties": QUANTITY}, "MAP"),
    ({"type": "object", "additionalProperties": {
        "type": "object", "properties": {"a": {"type": "string"}}}}, "OBJECTS"),
    ({"type": "object", "properties": {"a": {"type": "string"}}}, "POINTER"),
    ({"type": "object"}, "RAW"),
    ({"type": "object", "x-kubernetes-preserve-unknown-fields": True,
      "properties": {"a": {"type": "string"}}}, "RAW"),
])
def test_a_schema_becomes_the_field_it_describes(api, schema, kind):
    reader = api({"slinky/thing.yaml": crd({"properties": {"x": schema}})})
    assert fields(reader)["x"].kind == kind


def test_required_objects_are_embedded_and_others_pointed_at(api):
    part = {"type": "object", "properties": {"a": {"type": "string"}}}
    reader = api({"slinky/thing.yaml": crd({"required": ["x"], "properties": {"x": part, "y": part}})})
    assert fields(reader)["x"].kind == "OBJECT"
    assert "REQUIRED" in fields(reader)["x"].flags
    assert fields(reader)["y"].kind == "POINTER"
    assert fields(reader)["y"].of.c_name == "slinky_thing_y"


def test_rules_and_defaults_travel_with_the_field(api):
    schema = {"type": "string", "enum": ["a", "b"], "default": "a", "pattern": r"^\d$",
              "maxLength": 3, "description": "First sentence. Second one."}
    row = fields(api({"slinky/thing.yaml": crd({"properties": {"x": schema}})}))["x"]
    assert row.rules == {"enum": ["a", "b"], "pattern": "^[0-9]$", "maxLength": 3}
    assert row.default == '"a"'
    assert row.doc == "First sentence."


def test_a_reference_is_one_type_and_is_expanded_in_the_crd(api):
    shared = {"types": {"Ref": {"type": "object", "x-windlass-shared": True, "description": "d",
                                "properties": {"name": {"type": "string"}}}}}
    use = {"x-windlass-ref": "types.yaml#Ref", "description": "mine"}
    reader = api({"slinky/types.yaml": shared,
                  "slinky/thing.yaml": crd({"properties": {"x": use, "y": use}})})
    rows = fields(reader)
    assert rows["x"].of is rows["y"].of
    assert rows["x"].of.c_name == "slinky_ref"
    expanded = reader.expanded(reader.kinds[0].source, use)
    assert expanded == {"type": "object", "description": "mine",
                        "properties": {"name": {"type": "string"}}}


def test_a_type_may_be_another_one_in_c(api):
    shared = {"types": {"Mine": {"type": "object", "x-windlass-type": "../upstream/meta.yaml#Meta",
                                 "properties": {"name": {"type": "string"}}}}}
    reader = api({"slinky/types.yaml": shared, "slinky/thing.yaml": crd(
        {"properties": {"x": {"x-windlass-ref": "types.yaml#Mine"}}})})
    assert fields(reader)["x"].of.c_name == "k8s_meta"


@pytest.mark.parametrize("properties, story", [
    ({"x": {"x-windlass-ref": "../upstream/meta.yaml#No"}}, "there is no such type"),
    ({"a": {"type": "object", "x-windlass-c-name": "same", "properties": {"x": {"type": "string"}}},
      "b": {"type": "object", "x-windlass-c-name": "same", "properties": {"y": {"type": "string"}}}},
     "two types would be struct slinky_same"),
    ({"x": {"type": "array", "x-windlass-shared": True, "items": {
        "type": "object", "properties": {"raw": {"type": "object"}}}}}, "cannot hold raw JSON"),
    ({"x": {"type": "array", "x-windlass-shared": True, "items": {
        "type": "object", "properties": {"a": {"type": "object", "properties": {
            "raw": {"type": "object"}}}}}}}, "cannot hold raw JSON"),
])
def test_what_cannot_become_a_table_is_refused(api, properties, story):
    with pytest.raises(BadSchema, match=story):
        api({"slinky/thing.yaml": crd({"properties": properties})})


def test_long_strings_are_split_between_words():
    lines = c_text.call("FIELD", ["a", '.doc = "' + "word " * 40 + 'end"'], ",")
    assert max(map(len, lines)) <= c_text.WIDTH
    text = "".join(part for line in lines for part in re.findall(r'"([^"]*)"', line))
    assert text == "word " * 40 + "end"


def test_generating_again_changes_nothing():
    files = generate.everything(ROOT)
    assert generate.changes(ROOT, files) == ([], [])


def test_only_files_of_ours_are_removed(tmp_path):
    pages = tmp_path / "docs/reference"
    pages.mkdir(parents=True)
    (pages / "flags.md").write_text("# Flags\n")
    (pages / "slinky-gone.md").write_text(f"<!-- {generate.c_header.NOTICE} -->\n# Gone\n")
    assert generate.changes(tmp_path, {}) == ([], ["docs/reference/slinky-gone.md"])


def test_a_bad_schema_is_reported_in_one_line(tmp_path):
    path = tmp_path / "api/upstream"
    path.mkdir(parents=True)
    (path / "meta.yaml").write_text(yaml.safe_dump(META))
    broken = crd({"properties": {"x": {"x-windlass-ref": "gone.yaml#X"}}})
    (path / "thing.yaml").write_text(yaml.safe_dump(broken, sort_keys=False))
    ran = subprocess.run([sys.executable, ROOT / "codegen/generate.py", "--root", tmp_path],
                         capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith("generate: ") and ran.stderr.count("\n") == 1
    assert "gone.yaml" in ran.stderr


def test_crds_carry_nothing_of_ours():
    for path in (ROOT / "charts").glob("*/crds/*.yaml"):
        assert "x-windlass" not in path.read_text()
        assert yaml.safe_load(path.read_text())["kind"] == "CustomResourceDefinition"
