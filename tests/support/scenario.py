"""Scenarios: what is given, what happens, what is there then. docs/scenarios.md says how to write them.

A value in `then` matches when the real one says at least as much: objects by member, lists of objects by
finding a partner for each element, other lists whole, item by item. null: must be absent. !re: a regular expression.
!len: so many elements. $NS stands for the namespace of the run.
"""
import pathlib
import re

import yaml

STEPS = {"apply", "patch", "status", "delete", "wait", "absent", "count", "restart"}


class Re(str):
    """A regular expression that the whole text must match."""


class Len(int):
    """How many elements a list or an object has."""


class Loader(yaml.SafeLoader):
    pass


Loader.add_constructor("!re", lambda loader, node: Re(loader.construct_scalar(node)))
Loader.add_constructor("!len", lambda loader, node: Len(loader.construct_scalar(node)))


# ---- matching

def difference(have, want, path=""):
    """Where `have` says less than `want`, in words; None when it covers it."""
    if want is None:
        return None if have is None else f"{path}: is {have!r}, should be absent"
    if isinstance(want, Re):
        good = isinstance(have, str) and re.fullmatch(want, have, re.DOTALL)
        return None if good else f"{path}: {have!r} does not match {want}"
    if isinstance(want, Len):
        good = isinstance(have, (list, dict)) and len(have) == want
        return None if good else f"{path}: {have!r} has not {int(want)} elements"
    if isinstance(want, dict):
        return difference_of_objects(have, want, path)
    if isinstance(want, list) and want and all(isinstance(item, dict) for item in want):
        return difference_of_lists(have, want, path)
    if isinstance(want, list) and isinstance(have, list) and len(have) == len(want):
        return next(filter(None, (difference(*pair, path) for pair in zip(have, want))), None)
    same = have == want and isinstance(have, bool) == isinstance(want, bool)
    return None if same else f"{path}: {have!r}, want {want!r}"


def difference_of_objects(have, want, path):
    if not isinstance(have, dict):
        return f"{path}: {have!r}, want an object"
    for key, value in want.items():
        found = difference(have.get(key), value, f"{path}.{key}".lstrip("."))
        if found:
            return found
    return None


def difference_of_lists(have, want, path):
    if not isinstance(have, list):
        return f"{path}: {have!r}, want a list"
    left = list(have)
    for at, item in enumerate(want):
        partner = next((x for x in left if difference(x, item) is None), None)
        if partner is None:
            named = [x for x in left if isinstance(x, dict) and x.get("name", 0) == item.get("name")
                     or isinstance(x, dict) and x.get("type", 0) == item.get("type")]
            why = difference(named[0], item, f"{path}.{at}") if named else f"none of {left!r}"
            return f"{path}.{at}: nothing covers {item!r}: {why}"
        left.remove(partner)
    return None


def with_namespace(value, namespace):
    """The value with every $NS replaced."""
    if isinstance(value, (Re, Len)):
        return type(value)(value.replace("$NS", namespace)) if isinstance(value, Re) else value
    if isinstance(value, str):
        return value.replace("$NS", namespace)
    if isinstance(value, dict):
        return {with_namespace(k, namespace): with_namespace(v, namespace) for k, v in value.items()}
    if isinstance(value, list):
        return [with_namespace(item, namespace) for item in value]
    return value


# ---- files

class Suite:
    """How the operator of some scenarios is run: the nearest suite.yaml above them.

    operator: command line; crds: files or directories; groups: where kinds without apiVersion are
    looked for first; env; hooks: a Python file, see runner.py; inside: run beside the control plane;
    sample: how many of the faults each scenario meets, all when absent; aside: resources that are
    only there for others, whose statuses may go on changing.
    """

    def __init__(self, path, root):
        self.path, self.root = path, root
        with open(path) as text:
            told = yaml.load(text, Loader) or {}
        self.operator = told.pop("operator")
        self.crds = [root / name for name in told.pop("crds", [])]
        self.groups = told.pop("groups", [])
        self.env = told.pop("env", {})
        self.inside = told.pop("inside", False)
        self.seconds = told.pop("seconds", 20)
        self.sample = told.pop("sample", None)
        self.aside = told.pop("aside", [])
        hooks = told.pop("hooks", None)
        self.hooks = path.parent / hooks if hooks else None
        assert not told, f"{path}: unknown: {', '.join(told)}"

    @property
    def name(self):
        return self.path.parent.name

    def manifests(self):
        """Every document of the CRD files."""
        for path in self.crds:
            files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
            assert files, f"{self.path}: {path} has no manifests"
            for file in files:
                with open(file) as text:
                    yield from (d for d in yaml.safe_load_all(text) if d)


class Scenario:
    def __init__(self, path):
        self.path = path
        with open(path) as text:
            told = yaml.load(text, Loader) or {}
        self.given = told.pop("given", [])
        self.when = told.pop("when", [])
        self.then = told.pop("then", [])
        self.absent = told.pop("absent", [])
        self.faults = told.pop("faults", True)
        self.seconds = told.pop("seconds", None)
        assert not told, f"{path}: unknown: {', '.join(told)}"
        assert self.then or self.absent, f"{path}: says nothing about how it ends"
        for step in self.when:
            assert len(step) == 1 and set(step) <= STEPS, f"{path}: no such step: {step}"


def suite_of(path, root):
    """The suite that a scenario belongs to."""
    for parent in path.parents:
        if (parent / "suite.yaml").exists():
            return parent / "suite.yaml"
        if parent == root:
            break
    raise AssertionError(f"{path}: no suite.yaml in its directory or above")


def find(directory):
    """Every scenario file below a directory."""
    return [path for path in sorted(pathlib.Path(directory).rglob("*.yaml"))
            if path.name != "suite.yaml" and not path.name.startswith("_")]
