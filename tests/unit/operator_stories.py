"""The scenarios of the operator once more, as written, on an API server of paper: without root, and seen by gcov.

usage: operator_stories.py OPERATOR_TOOL [SCENARIO...]
"""
import concurrent.futures
import http.client
import itertools
import json
import pathlib
import sys
import tempfile
import threading
import traceback

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from support import runner  # noqa: E402
from support.cluster import Cluster  # noqa: E402
from support.operator_process import Operator  # noqa: E402
from support.paper_kube import Kube, Server  # noqa: E402
from support.scenario import Scenario, Suite, find, suite_of  # noqa: E402

SCENARIOS = ROOT / "tests/scenarios"
# All of NodeSets, and of others those that need nobody who runs Deployments and StatefulSets.
OTHERS = {
    "accounting": ["becomes-external", "external-makes-nothing"],
    "controller": ["check-can-be-switched-off", "claim-of-backups-must-be-shared",
                   "external-yields-only-its-configuration", "new-nodeset-does-not-restart-slurmctld",
                   "waits-for-its-files"],
    "loginset": ["host-keys-that-are-there-are-kept"],
    "restapi": ["opt-out-of-restarts", "port-and-type-of-the-service", "waits-for-its-controller"],
    "token": ["made-once", "minted", "waits-for-its-key"],
}
AT_ONCE = 4
PLURALS = {
    "": {"Pod": "pods", "Node": "nodes", "Secret": "secrets", "ConfigMap": "configmaps", "Service": "services",
         "PersistentVolumeClaim": "persistentvolumeclaims", "Namespace": "namespaces"},
    "apps": {"StatefulSet": "statefulsets", "Deployment": "deployments", "ControllerRevision": "controllerrevisions"},
    "policy": {"PodDisruptionBudget": "poddisruptionbudgets"},
    "slinky.slurm.net/v1beta1": {
        "Controller": "controllers", "NodeSet": "nodesets", "RestApi": "restapis", "Accounting": "accountings",
        "LoginSet": "loginsets", "Token": "tokens"},
}


class PaperCluster(Cluster):
    """The same client without TLS and without discovery."""

    def __init__(self, port):
        self.host, self.port, self.kinds = "127.0.0.1", port, {}
        self.local = threading.local()

    def open(self, timeout=None):
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def discover(self):
        for group, kinds in PLURALS.items():
            prefix = f"/apis/{group if '/' in group else group + '/v1'}" if group else "/api/v1"
            for kind, plural in kinds.items():
                self.kinds[kind] = [(group.partition("/")[0], prefix, plural, kind not in ("Node", "Namespace"), True)]


class Stage:
    """The API server, Slurm and kubelets of paper, and the operator."""

    def __init__(self, tool, directory):
        self.directory, self.env = directory, {}
        self.server = Server(Kube())
        self.cluster = PaperCluster(self.server.port)
        self.cluster.discover()
        self.world = runner.load_hooks(SCENARIOS / "nodeset/hooks.py")
        self.world.start(self, names=False)
        config = pathlib.Path(directory, "kubeconfig")
        config.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "paper", "users": [{"name": "paper", "user": {}}],
            "clusters": [{"name": "paper", "cluster": {"server": f"http://127.0.0.1:{self.server.port}"}}],
            "contexts": [{"name": "paper", "context": {"cluster": "paper", "user": "paper"}}]}))
        self.operator = Operator([tool, "$KUBECONFIG", self.address, "$HEALTH"], str(config), f"{directory}/operator.log")
        self.operator.start()

    def stop(self):
        self.operator.stop()
        self.world.stop(self)
        self.server.stop()


class Session:
    """What a run of one suite asks for."""

    def __init__(self, stage, path):
        self.suite = Suite(suite_of(path, SCENARIOS), ROOT)
        self.hooks = runner.load_hooks(self.suite.hooks)
        self.cluster, self.operator, self.made = stage.cluster, stage.operator, stage.made

    def call_hook(self, name, *args):
        getattr(self.hooks, name)(self, *args)


def tell(stage, number, path):
    """One line of TAP, with the reason when it is not ok."""
    try:
        runner.Run(Session(stage, path), Scenario(path), "paper").go()
        return f"ok {number} - {path.parent.name}: {path.stem}"
    except Exception:
        reason = "".join(f"\n# {line}" for line in traceback.format_exc().splitlines()[-6:])
        return f"not ok {number} - {path.parent.name}: {path.stem}{reason}"


def main(tool, *chosen):
    paths = [pathlib.Path(name).resolve() for name in chosen] or find(SCENARIOS / "nodeset") + [
        SCENARIOS / kind / f"{name}.yaml" for kind, names in OTHERS.items() for name in names]
    alone = [path for path in paths if "restart:" in path.read_text()]
    numbers = itertools.count(1)
    print(f"1..{len(paths)}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        stage = Stage(tool, directory)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            lines = list(pool.map(lambda path: tell(stage, next(numbers), path), [p for p in paths if p not in alone]))
        lines += [tell(stage, next(numbers), path) for path in alone]
        print("\n".join(lines), flush=True)
        if any(line.startswith("not ok") for line in lines):
            print("# " + stage.operator.tail(40).replace("\n", "\n# "))
        stage.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
