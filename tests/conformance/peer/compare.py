"""Field by field, what two operators made of the same resources, without what cannot be the same."""
import base64
import collections
import fnmatch
import json
import pathlib
import re

import yaml

HERE = pathlib.Path(__file__).resolve().parent
DIFFERENCES = HERE / "differences.yaml"
DOCS = HERE.parents[2] / "docs/compatibility.md"
BEGIN, END = "<!-- peer differences -->", "<!-- end of peer differences -->"
SERVER_METADATA = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields")
KEYS = ("mountPath", "containerPort", "port", "path", "name", "key", "type", "topologyKey")


# ---- what cannot be the same

def claims_of(token):
    """A JWT by its claims, times as a lifetime."""
    def part(text):
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    head, body, _ = token.split(".")
    claims = part(body)
    claims["lifetime"] = claims.pop("exp") - claims["iat"]
    for made_up in ("iat", "nbf", "jti"):
        claims[made_up] = bool(claims.get(made_up))
    return {"header": part(head), "claims": claims}


def readable(text):
    """A Secret's value as text; keys that were made at random by their kind, a JWT by its claims."""
    text = base64.b64decode(text).decode()
    if re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+\n?", text):
        return claims_of(text.strip())
    private = re.match(r"-----BEGIN ([A-Z ]+)-----", text)
    if private:
        return f"a {private.group(1)}"
    public = re.match(r"(ssh-\w+|ecdsa-sha2-\w+) \S+( .*)?$", text.strip())
    return f"a public {public.group(1)} key" if public else text


def settle(thing, chosen_ports):
    """Drops or replaces what the server or chance decides."""
    meta, kind = thing["metadata"], thing["kind"]
    for key in SERVER_METADATA:
        meta.pop(key, None)
    for owner in meta.get("ownerReferences", []):
        owner.pop("uid")
    for key in list(meta.get("annotations", {})):
        if key.startswith(("deployment.kubernetes.io/", "volume.")):
            del meta["annotations"][key]
    if kind == "Secret":
        thing["data"] = {key: readable(text) for key, text in (thing.get("data") or {}).items()}
    if kind == "Service":
        for key in ("clusterIP", "clusterIPs", "healthCheckNodePort"):
            if thing["spec"].get(key) not in ("None", ["None"]):
                thing["spec"].pop(key, None)
        for port in thing["spec"]["ports"]:
            if port.get("nodePort") not in chosen_ports:
                port.pop("nodePort", None)
    if kind == "Pod":
        settle_pod(thing)
    if kind == "PersistentVolumeClaim":
        thing["spec"].pop("volumeName", None)
    if not thing["apiVersion"].startswith("slinky"):
        thing.pop("status", None)
    return drop_random(thing)


def settle_pod(pod):
    """The service account's volume, and what admission adds to a pod."""
    spec = pod["spec"]
    spec["volumes"] = [v for v in spec["volumes"] if not v["name"].startswith("kube-api-access-")]
    for container in spec["containers"] + spec.get("initContainers", []):
        container["volumeMounts"] = [m for m in container.get("volumeMounts", [])
                                     if not m["name"].startswith("kube-api-access-")]


def drop_random(thing):
    """Hashes of host keys, which are random, and times of conditions."""
    if isinstance(thing, dict):
        return {key: "some" if key.endswith(("ssh-host-keys-hash", "TransitionTime", "issuedAt"))
                else drop_random(value) for key, value in thing.items()}
    return [drop_random(item) for item in thing] if isinstance(thing, list) else thing


# ---- differences

def keyed(items):
    """A list of objects as a map by what tells them apart, or None."""
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    for key in KEYS:
        values = [item.get(key) for item in items]
        if None not in values and len(set(map(str, values))) == len(values):
            return {str(value): item for value, item in zip(values, items)}
    return None


def differences(theirs, ours, path=""):
    """(path, theirs, ours) wherever they disagree; None for what one of them does not have."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        yield from of_maps(theirs, ours, f"{path}." if path else "")
    elif isinstance(theirs, list) and isinstance(ours, list):
        one, other = keyed(theirs), keyed(ours)
        if one is not None and other is not None:
            yield from of_maps(one, other, path + "[", "]")
        elif one is None and other is None and len(theirs) == len(ours):
            for at, (x, y) in enumerate(zip(theirs, ours)):
                yield from differences(x, y, f"{path}[{at}]")
        else:
            yield path, theirs, ours
    elif path.startswith("data.") and isinstance(theirs, str) and isinstance(ours, str):
        yield from of_lines(theirs, ours, path)
    elif theirs != ours:
        yield path, theirs, ours


def of_maps(theirs, ours, before, behind=""):
    for key in sorted(theirs.keys() | ours.keys()):
        where = before + key + behind
        if key not in ours:
            yield where, theirs[key], None
        elif key not in theirs:
            yield where, None, ours[key]
        else:
            yield from differences(theirs[key], ours[key], where)


def of_lines(theirs, ours, path):
    """A file by its lines, each at its own text; their order is the peer's cache's."""
    one, other = (collections.Counter(text.splitlines()) for text in (theirs, ours))
    for line in one - other:
        yield f"{path}: {line}", line, None
    for line in other - one:
        yield f"{path}: {line}", None, line


# ---- reasons

def rows():
    """[{kind, object, path, why}]; every pattern may have stars."""
    return yaml.safe_load(DIFFERENCES.read_text())["objects"]


def fits(text, pattern):
    """A star is anything, everything else is itself."""
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]").replace("?", "[?]"))


def row_of(table, kind, name, path):
    for at, row in enumerate(table):
        if (fits(kind, row["kind"]) and fits(name, row.get("object", "*"))
                and any(fits(path, pattern) for pattern in listed(row["path"]))):
            return at
    return None


def listed(value):
    return value if isinstance(value, list) else [value]


def docs_table(table):
    """The table as docs/compatibility.md shows it."""
    lines = ["| kind | object | path | why |", "| --- | --- | --- | --- |"]
    for row in table:
        paths = ", ".join(f"`{path}`" for path in listed(row["path"])).replace("|", "\\|")
        lines.append(f"| `{row['kind']}` | `{row.get('object', '*')}` | {paths} | {row['why']} |")
    return "\n".join(lines)
