"""The CRDs under test: api/ with its shared types expanded, or what the generator emitted."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
API = ROOT / "api" / "slinky"
EMITTED = ROOT / "charts" / "slurm-operator-crds" / "crds"
KINDS = ("accounting", "controller", "loginset", "nodeset", "restapi", "token")
OURS = "x-windlass-"


def expand(node, here=API):
    """The schema with every x-windlass-ref replaced by its type and our own marks taken out."""
    if isinstance(node, list):
        return [expand(item, here) for item in node]
    if not isinstance(node, dict):
        return node
    if ref := node.get("x-windlass-ref"):
        name, _, wanted = ref.partition("#")
        found = yaml.safe_load((here / name).read_text())["types"][wanted]
        node = found | {k: v for k, v in node.items() if k != "x-windlass-ref"}
        return expand(node, here)
    return {k: expand(v, here) for k, v in node.items() if not k.startswith(OURS)}


def described():
    """{kind: CRD} as api/ describes them."""
    return {kind: expand(yaml.safe_load((API / f"{kind}.yaml").read_text())) for kind in KINDS}


def emitted():
    """{kind: CRD} as the generator wrote them; empty before it ever ran."""
    crds = [yaml.safe_load(path.read_text()) for path in sorted(EMITTED.glob("*.yaml"))]
    crds = [c for c in crds if c and c["spec"]["group"] == "slinky.slurm.net"]
    return {c["spec"]["names"]["singular"]: c for c in crds}


def version(crd, name):
    return next(v for v in crd["spec"]["versions"] if v["name"] == name)


def nodes(schema, path=""):
    """Every (path, schema) below a schema: .spec.list[].item and .spec.map{} included."""
    yield path, schema
    for name, child in schema.get("properties", {}).items():
        yield from nodes(child, f"{path}.{name}")
    if isinstance(schema.get("items"), dict):
        yield from nodes(schema["items"], path + "[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from nodes(schema["additionalProperties"], path + "{}")
