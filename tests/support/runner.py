"""Runs scenarios on a bed: one operator behind one fault proxy, every run in a namespace of its own.

A suite's hooks are a Python file with any of these functions, called with the Session:
start(session) once before the operator starts; namespace(session, name) before each run, when its
namespace exists; stop(session) at the end. A hook may change session.env. When there is somebody else
whom the operator calls: calls(session, name) says how often it did in a run's namespace, and
arm(session, name, k) has the k-th such call of a run fail.
"""
import concurrent.futures
import importlib.util
import itertools
import time

from support import scenario as scenarios
from support.cluster import Cluster, until
from support.faultproxy import FAULTS, FaultProxy
from support.operator_process import Operator

NUMBERS = itertools.count(1)
AT_ONCE = 16
QUIET = 0.4  # seconds without a call that mean: nothing more to do
# ... and for how long the operator waits before it repeats a call that met one of these.
REPEATED_AFTER = {"timeout": 2.5, "429": 1.2}


class Session:
    """A suite's operator on a bed."""

    def __init__(self, bed, suite, directory, build):
        self.bed, self.suite, self.directory = bed, suite, directory
        self.cluster = Cluster.of(bed)
        self.env = dict(suite.env)
        self.hooks = load_hooks(suite.hooks)
        for manifest in suite.manifests():
            self.cluster.apply(manifest, None)
        self.await_kinds()
        self.proxy = FaultProxy(bed, directory)
        self.call_hook("start")
        argv = [word.replace("$BUILD", str(build)) for word in suite.operator]
        self.operator = Operator(argv, self.proxy.kubeconfig, f"{directory}/operator.log", self.env)
        self.operator.start()

    def await_kinds(self):
        """A new CRD is served a moment after it was accepted."""
        wanted = {m["spec"]["names"]["kind"] for m in self.suite.manifests()
                  if m["kind"] == "CustomResourceDefinition"}

        def missing():
            self.cluster.discover()
            lacking = wanted - set(self.cluster.kinds)
            return f"not served: {lacking}" if lacking else None

        until("the kinds of the suite", missing)

    def call_hook(self, name, *args):
        hook = getattr(self.hooks, name, None)
        if hook:
            hook(self, *args)

    def stop(self):
        try:
            self.operator.stop()
        finally:
            self.proxy.stop()
            self.call_hook("stop")

    def calls(self, namespace):
        """What the operator asked of the server in a namespace, leases left out."""
        return [call for call in self.proxy.calls(f"/namespaces/{namespace}/")
                if "/leases/" not in call["path"]]

    def settle(self, runs, seconds=30.0):
        """Waits until the operator has made no call for a while in the namespaces of these runs."""
        names = {run.namespace for run in runs}

        def busy():
            calls = [c for c in self.proxy.calls() if namespace_of(c["path"]) in names]
            last = max((c["at"] + REPEATED_AFTER.get(c["fault"], 0) for c in calls), default=0)
            return f"still calling: {calls[-1]}" if time.time() - last < QUIET else None

        until("the operator to be done", busy, seconds, every=0.05)


def load_hooks(path):
    if path is None:
        return None
    spec = importlib.util.spec_from_file_location(f"hooks_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- one run

class Run:
    """One scenario in one namespace."""

    def __init__(self, session, scenario, label):
        self.session, self.scenario = session, scenario
        self.groups = session.suite.groups
        self.seconds = scenario.seconds or session.suite.seconds
        self.namespace = f"s{next(NUMBERS)}-{label}"

    def here(self, value):
        return scenarios.with_namespace(value, self.namespace)

    def go(self):
        cluster = self.session.cluster
        cluster.namespace(self.namespace)
        self.session.call_hook("namespace", self.namespace)
        for obj in self.here(self.scenario.given):
            cluster.apply(obj, self.namespace, self.groups)
        for step in self.here(self.scenario.when):
            self.step(*next(iter(step.items())))
        self.reach(self.scenario.then, self.scenario.absent)

    def step(self, verb, what):
        cluster, at = self.session.cluster, (self.namespace, self.groups)
        things = what if isinstance(what, list) else [what]
        if verb == "wait":
            return self.reach(things, [])
        if verb == "absent":
            return self.reach([], things)
        if verb == "count":
            return self.reach([{"count": what["count"], "of": what["of"]}], [])
        if verb == "restart":
            self.session.operator.stop()
            return self.session.operator.start()
        for thing in things:
            if verb == "status":
                cluster.patch(thing, *at, sub="/status")
            else:
                getattr(cluster, verb)(thing, *at)

    def reach(self, then, absent):
        then, absent = self.here(then), self.here(absent)
        until(f"{self.scenario.path.name} in {self.namespace}",
              lambda: self.problem(then, absent), self.seconds)

    def problem(self, then, absent):
        """What is not yet as it should be; None when all is."""
        for want in then:
            found = self.count_problem(want) if "of" in want else self.object_problem(want)
            if found:
                return found
        for gone in absent:
            if self.session.cluster.get(gone, self.namespace, self.groups):
                return f"{gone['kind']} {gone['metadata']['name']} is still there"
        return None

    def object_problem(self, want):
        have = self.session.cluster.get(want, self.namespace, self.groups)
        name = f"{want['kind']} {want['metadata']['name']}"
        if have is None:
            return f"there is no {name}"
        wanted = {k: v for k, v in want.items() if k not in ("kind", "apiVersion")}
        found = scenarios.difference(have, wanted)
        return f"{name}: {found}" if found else None

    def count_problem(self, want):
        of = {k: v for k, v in want["of"].items() if k not in ("kind", "apiVersion")}
        every = self.session.cluster.list(want["of"], self.namespace, self.groups)
        fit = [x for x in every if scenarios.difference(x, of) is None]
        if len(fit) == want["count"]:
            return None
        return f"{len(fit)} of {len(every)} {want['of']['kind']} fit, want {want['count']}"


# ---- the three ways

def as_written(session, scenario):
    """One run; returns it. An operator that failed the scenario before begins anew."""
    if session.operator.child is None:
        session.operator.start()
    run = Run(session, scenario, "plain")
    run.go()
    return run


def spread(things, most):
    """At most so many of them, evenly; all when `most` is None."""
    if most is None or len(things) <= most:
        return things
    return [things[i * len(things) // most] for i in range(most)]


def with_faults(session, scenario, calls, every_fault):
    """For every k, the k-th call of a run fails; each still ends as it should. Returns the runs.

    A suite may content itself with a sample; every_fault does not."""
    chosen = []
    for k in range(1, calls + 1):
        kinds = FAULTS if every_fault else [FAULTS[(2 * k + i) % len(FAULTS)] for i in range(2)]
        chosen += [(k, fault) for fault in kinds]
    return all_at_once(run_with_fault, session, scenario,
                       spread(chosen, None if every_fault else session.suite.sample))


def all_at_once(run, session, scenario, chosen):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda one: run(session, scenario, *one), chosen))


def run_with_fault(session, scenario, k, fault):
    run = Run(session, scenario, f"{fault}-{k}")
    session.proxy.arm(fault, nth=k, id=run.namespace, path=f"/namespaces/{run.namespace}/", wait=1)
    try:
        run.go()
    except AssertionError as why:
        told = "\n".join(f"  {c['method']} {c['path']} {c['status']} {c['fault']}"
                         for c in session.calls(run.namespace))
        raise AssertionError(f"call {k} met '{fault}': {why}\n{told}") from None
    session.proxy.disarm(run.namespace)
    return run


def with_faults_elsewhere(session, scenario, namespace, every_fault):
    """The same for calls to whoever the hooks play, as many as the run in that namespace made."""
    calls = getattr(session.hooks, "calls", lambda *_: 0)(session, namespace)
    sample = None if every_fault else session.suite.sample and session.suite.sample // 2
    return all_at_once(run_with_fault_elsewhere, session, scenario,
                       spread([(k,) for k in range(1, calls + 1)], sample))


def run_with_fault_elsewhere(session, scenario, k):
    run = Run(session, scenario, f"elsewhere-{k}")
    fault = session.hooks.arm(session, run.namespace, k)
    try:
        run.go()
    except AssertionError as why:
        raise AssertionError(f"call {k} elsewhere met '{fault}': {why}") from None
    return run


def without_writes(session, runs):
    """A fresh operator finds everything done: it writes nothing, and all is still as it should be."""
    session.settle(runs)
    session.operator.stop()
    seen = len(session.proxy.calls())
    session.operator.start()
    session.settle(runs)
    names = {run.namespace for run in runs}
    writes = [f"{c['method']} {c['path']}" for c in session.proxy.calls() if c["seq"] > seen
              and c["write"] and namespace_of(c["path"]) in names
              and not any(f"/{plural}/" in c["path"] for plural in session.suite.aside)]
    assert not writes, "a converged cluster was written to:\n  " + "\n  ".join(writes)
    for run in runs:
        run.reach(run.scenario.then, run.scenario.absent)


def namespace_of(path):
    parts = path.split("/")
    return parts[parts.index("namespaces") + 1] if "namespaces" in parts else None


def clean_up(session, runs):
    """Takes the namespaces away in the background; finalizers get their chance."""
    for run in runs:
        session.cluster.request("DELETE", f"/api/v1/namespaces/{run.namespace}")
