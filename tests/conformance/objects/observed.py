#!/usr/bin/env python3
"""Compare what `windlass render` makes with what slurm-operator was seen to make of the same input.

    observed.py WINDLASS DIRECTORY [DOCS]

DIRECTORY holds pairs of files, NN-name.yaml with the resources and NN-objects.yaml with every object
found on an API server afterwards; it is not part of this repository. In the latter, secret values are
given by their length, scripts by their number of lines, and what the API server fills in is included.
Every difference needs a row in the table of objects in docs/compatibility.md, and every row a
difference.
"""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

OUR_KINDS = {"Controller", "NodeSet", "LoginSet", "Accounting", "RestApi", "Token"}
# Given by the comparison itself: contents that the recording does not have.
UNKNOWN_HASHES = {"slurm-key-hash", "jwt-key-hash", "sssd-conf-hash", "ssh-host-keys-hash",
                  "slurmdbd-conf-hash"}
SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "slurm-keys"},
          "stringData": {"slurm.key": "s", "jwt.key": "j", "password": "p", "sssd.conf": "c"}}
NODES = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"pool": "daemon"}}}
         for name in ("n1", "n2")]

# What the API server fills in: kind, path (any list index is []), value; None stands for any value.
DEFAULTS = [
    ("*", "*.imagePullPolicy", None), ("*", "*.terminationMessagePath", None),
    ("*", "*.terminationMessagePolicy", None), ("*", "*.resources", {}),
    ("*", "*Probe.successThreshold", 1), ("*", "*Probe.timeoutSeconds", 1),
    ("*", "*Probe.periodSeconds", 10), ("*", "*Probe.failureThreshold", 3),
    ("*", "*.httpGet.scheme", "HTTP"), ("*", "*.fieldRef.apiVersion", "v1"),
    ("*", "*.dnsPolicy", "ClusterFirst"), ("*", "*.restartPolicy", "Always"),
    ("*", "*.schedulerName", "default-scheduler"), ("*", "*.securityContext", {}),
    ("*", "*.terminationGracePeriodSeconds", 30), ("*", "*.hostPort", None),
    ("*", "*.resources.requests.*", None),
    ("Pod", "spec.preemptionPolicy", None), ("Pod", "spec.priority", None),
    ("Pod", "spec.serviceAccount*", "default"), ("Pod", "status", None),
    ("Deployment", "spec.progressDeadlineSeconds", 600), ("Deployment", "spec.strategy", None),
    ("Deployment", "metadata.annotations", {"deployment.kubernetes.io/revision": "1"}),
    ("Deployment", "metadata.annotations.deployment.kubernetes.io/revision", "1"),
    ("StatefulSet", "spec.persistentVolumeClaimRetentionPolicy", None),
    ("StatefulSet", "spec.podManagementPolicy", "OrderedReady"),
    ("StatefulSet", "spec.updateStrategy", None),
    ("StatefulSet", "spec.volumeClaimTemplates[].apiVersion", "v1"),
    ("StatefulSet", "spec.volumeClaimTemplates[].kind", "PersistentVolumeClaim"),
    ("StatefulSet", "spec.volumeClaimTemplates[].status", None),
    ("StatefulSet", "spec.volumeClaimTemplates[].spec.volumeMode", "Filesystem"),
    ("Service", "spec.internalTrafficPolicy", "Cluster"), ("Service", "spec.ipFamilies", None),
    ("Service", "spec.ipFamilyPolicy", "SingleStack"), ("Service", "spec.sessionAffinity", "None"),
    ("Service", "spec.type", "ClusterIP"), ("Service", "spec.externalTrafficPolicy", "Cluster"),
    ("Service", "spec.allocateLoadBalancerNodePorts", True), ("Service", "spec.ports[].nodePort", None),
    ("Secret", "type", "Opaque"),
    ("PersistentVolumeClaim", "metadata.finalizers", None),
    ("PersistentVolumeClaim", "metadata.annotations", None),
    ("PersistentVolumeClaim", "spec.storageClassName", "standard"),
    ("PersistentVolumeClaim", "spec.volumeMode", "Filesystem"),
    ("PersistentVolumeClaim", "spec.volumeName", None),
    # the recording leaves cluster IPs out
    ("Service", "spec.clusterIP", None),
]


def is_default(kind, path, value):
    flat = re.sub(r"\[[^]]*\]", "[]", path)
    return any(fnmatch.fnmatchcase(kind, k) and fnmatch.fnmatchcase(flat, p.replace("[]", "[[][]]"))
               and (v is None or v == value) for k, p, v in DEFAULTS)


def keyed(items):
    """A list of objects as a map by what tells them apart, or None."""
    if not items or not all(isinstance(i, dict) for i in items):
        return None
    for key in ("mountPath", "containerPort", "port", "path", "name", "key"):
        values = [i.get(key) for i in items]
        if None not in values and len(set(map(str, values))) == len(values):
            return {str(v): i for v, i in zip(values, items)}
    return None


def same_text(theirs, ours):
    if re.fullmatch(r"<script, \d+ lines>", theirs):
        return "\n" in ours
    size = re.fullmatch(r"<(\d+) bytes>", theirs)
    return theirs == ours or (size is not None and ours != "")


def differences(kind, theirs, ours, path=""):
    """(path, theirs, ours) wherever they disagree; None for what one of them does not have."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            where = f"{path}.{key}" if path else key
            if key.split("/")[-1] in UNKNOWN_HASHES and key in theirs and key in ours:
                continue
            if key not in ours:
                if theirs[key] not in ({}, [], None) and not is_default(kind, where, theirs[key]):
                    yield where, theirs[key], None
            elif key not in theirs:
                if ours[key] not in ({}, [], None) and not is_default(kind, where, ours[key]):
                    yield where, None, ours[key]
            else:
                yield from differences(kind, theirs[key], ours[key], where)
    elif isinstance(theirs, list) and isinstance(ours, list):
        one, other = keyed(theirs), keyed(ours)
        if one is not None and other is not None:
            one = {f"[{k}]": v for k, v in one.items()}
            other = {f"[{k}]": v for k, v in other.items()}
            for key in sorted(one.keys() | other.keys()):
                if key not in other:
                    yield path + key, one[key], None
                elif key not in one:
                    yield path + key, None, other[key]
                else:
                    yield from differences(kind, one[key], other[key], path + key)
        elif len(theirs) != len(ours):
            yield path, theirs, ours
        else:
            for i, (x, y) in enumerate(zip(theirs, ours)):
                yield from differences(kind, x, y, f"{path}[{i}]")
    elif isinstance(theirs, str) and isinstance(ours, str):
        if not same_text(theirs, ours):
            yield path, theirs, ours
    elif theirs != ours:
        yield path, theirs, ours


def settle(thing):
    """The recording has the names of a revision's fields, not the fields."""
    data = thing.get("data")
    if thing["kind"] == "ControllerRevision" and "spec" in data:
        thing["data"] = {"fields": sorted(data["spec"])}
    return thing


def name_of(thing):
    meta = thing["metadata"]
    labels = meta.get("labels") or {}
    if thing["kind"] == "Pod" and labels.get("nodeset.slinky.slurm.net/scaling-mode") == "DaemonSet":
        meta.pop("name", None)
        labels.pop("nodeset.slinky.slurm.net/pod-name", None)
        return thing["kind"], "on " + thing["spec"]["hostname"]
    return thing["kind"], meta["name"]


def rendered(windlass, namespace, source):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as extra:
        yaml.safe_dump_all([SECRET, *NODES], extra)
        extra.flush()
        result = subprocess.run([windlass, "render", "-n", namespace, "-f", extra.name, "-f", source],
                                capture_output=True, text=True, timeout=60, check=False)
    if result.returncode:
        sys.exit(f"{source}: windlass render failed:\n{result.stderr}")
    return {name_of(d): settle(d) for d in yaml.safe_load_all(result.stdout)}


def rows_of(docs):
    text = docs.read_text().split("<!-- object differences -->")[1]
    text = text.split("<!-- end of object differences -->")[0]
    rows = []
    for line in text.splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 4 and cells[0].startswith("`"):
            rows.append(tuple(c.strip("`") for c in cells[:3]))
    return rows


def matches(row, kind, name, path):
    def glob(pattern):
        return pattern.replace("[", "\0").replace("]", "[]]").replace("\0", "[[]")
    return (fnmatch.fnmatchcase(kind, row[0]) and fnmatch.fnmatchcase(name, row[1])
            and fnmatch.fnmatchcase(path, glob(row[2])))


def compare(windlass, source, recorded, rows, used):
    namespace = "case-" + source.name[:2]
    ours = rendered(windlass, namespace, str(source))
    theirs = {name_of(d): d for d in yaml.safe_load_all(recorded.read_text())
              if d["kind"] not in OUR_KINDS}
    given = {(d["kind"], d["metadata"]["name"]) for d in yaml.safe_load_all(source.read_text())}
    bad = 0
    for key in sorted(theirs.keys() | ours.keys()):
        kind, name = key
        if key in given or (kind == "PersistentVolumeClaim" and name.startswith("statesave-")):
            continue
        if key not in ours or key not in theirs:
            found = [("(object)", theirs.get(key) and "there", ours.get(key) and "there")]
        else:
            found = differences(kind, theirs[key], ours[key])
        for path, x, y in found:
            row = next((r for r in rows if matches(r, kind, name, path)), None)
            if row:
                used.add(row)
                continue
            bad += 1
            print(f"{source.name}: {kind} {name}: {path}\n    there: {json.dumps(x)}\n"
                  f"    here:  {json.dumps(y)}")
    return bad


def main():
    windlass, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    docs = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else (
        pathlib.Path(__file__).parents[3] / "docs" / "compatibility.md")
    rows, used, bad, cases = rows_of(docs), set(), 0, 0
    for recorded in sorted(directory.glob("*-objects.yaml")):
        for source in sorted(directory.glob(recorded.name[:3] + "*.yaml")):
            if source != recorded:
                cases += 1
                bad += compare(windlass, source, recorded, rows, used)
    if not cases:
        sys.exit(f"{directory}: no recordings there")
    for row in rows:
        if row not in used:
            bad += 1
            print(f"docs: no difference needs the row {row}")
    print(f"{cases} cases, {bad} differences without a reason")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
