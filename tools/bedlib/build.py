"""Compiles the bed's programs, each once per user, into a cache.

Versions are pinned in go/go.mod and checksums in go/go.sum. One module for all programs means that
what they share is compiled once. A program is up to date when its stamp names the present sources.
"""
import collections
import fcntl
import glob
import hashlib
import os
import re
import subprocess

from .common import Fail, Meter, read, run, say, write
from .place import cache_home

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.join(HERE, "go")
GO_OLDEST = (1, 21)  # the first that fetches a newer toolchain when a module asks for one

Program = collections.namedtuple("Program", "package links default")
PROGRAMS = {
    "kube": Program("./kube", ["etcd", "kube-apiserver", "kube-controller-manager",
                               "kube-scheduler", "kubelet", "kube-proxy"], True),
    "kubectl": Program("k8s.io/kubernetes/cmd/kubectl", [], True),
    "coredns": Program("./coredns", [], True),
    "kwok": Program("sigs.k8s.io/kwok/cmd/kwok", [], False),
    "helm": Program("helm.sh/helm/v4/cmd/helm", [], False),
}
# kwok does nothing by itself: stages say how simulated nodes and pods move on.
KWOK_STAGES = ["node/fast/node-initialize", "node/heartbeat-with-lease/node-heartbeat-with-lease",
               "pod/fast/pod-ready", "pod/fast/pod-complete", "pod/fast/pod-delete"]


def version(module="k8s.io/kubernetes"):
    """The pinned version of a Go module."""
    found = re.search(rf"^\s*{re.escape(module)} (v\S+)", read(f"{MODULE}/go.mod"), re.MULTILINE)
    if not found:
        raise Fail(f"{MODULE}/go.mod does not name {module}")
    return found.group(1)


def bin_dir():
    return os.path.join(cache_home(), "bin", version())


def program(name):
    """The path of a program that has been built."""
    path = os.path.join(bin_dir(), name)
    if not os.path.exists(path):
        raise Fail(f"no {path}: run tools/bed build{' ' + name if name in PROGRAMS else ''}")
    return path


def build(names=()):
    """Builds the named programs, or those a bed always needs; quiet when there is nothing to do."""
    for name in names:
        if name not in PROGRAMS:
            raise Fail(f"no program '{name}' to build; there are {', '.join(PROGRAMS)}")
    os.makedirs(bin_dir(), exist_ok=True)
    build_pause()
    wanted = names or [n for n, p in PROGRAMS.items() if p.default]
    if all(is_built(name) for name in wanted):
        return
    with open(os.path.join(bin_dir(), ".lock"), "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # who comes second finds it done
        for name in wanted:
            if not is_built(name):
                compile_program(name)


# ---- what is up to date

def sources_digest(name):
    """One digest of the pins and of our own Go sources of a program."""
    own = sorted(glob.glob(os.path.join(MODULE, PROGRAMS[name].package, "*.go")))
    digest = hashlib.sha256()
    for path in [f"{MODULE}/go.mod", f"{MODULE}/go.sum", *own]:
        digest.update(read(path).encode())
    return digest.hexdigest()


def stamp_of(name):
    return os.path.join(bin_dir(), f".{name}.stamp")


def is_built(name):
    built = os.path.exists(os.path.join(bin_dir(), name))
    return built and read(stamp_of(name)) == sources_digest(name)


# ---- compiling

def go_program():
    """A Go that can fetch the toolchain the module asks for."""
    for go in ["go", *sorted(glob.glob("/usr/lib/go-1.*/bin/go"), reverse=True)]:
        try:
            told = subprocess.run([go, "version"], capture_output=True, text=True).stdout
        except OSError:
            continue
        found = re.search(r"go(\d+)\.(\d+)", told)
        if found and (int(found.group(1)), int(found.group(2))) >= GO_OLDEST:
            return go
    raise Fail("no Go 1.21 or newer: run tools/setup bed")


def go_environment():
    return {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "auto", "GOWORK": "off",
            "GOFLAGS": "-trimpath -buildvcs=false -mod=readonly"}


def link_flags():
    base, kubernetes = "k8s.io/component-base/version", version()
    major, minor, _ = kubernetes.lstrip("v").split(".", 2)
    facts = {"gitVersion": kubernetes, "gitMajor": major, "gitMinor": minor}
    return "-s -w " + " ".join(f"-X {base}.{key}={value}" for key, value in facts.items())


def compile_program(name):
    package, links, _ = PROGRAMS[name]
    wanted = sources_digest(name)
    go, meter = go_program(), Meter(f"build {name}")
    path = os.path.join(bin_dir(), name)
    part = f"{path}.part.{os.getpid()}"
    say(f"build {name} ({version()}; the first time takes minutes)")
    follow_go([go, "build", "-v", "-ldflags", link_flags(), "-o", part, package], meter)
    os.replace(part, path)
    for link in links:
        link_to(name, os.path.join(bin_dir(), link))
    if name == "kwok":
        collect_stages(go)
    write(stamp_of(name), wanted)
    say(f"built {name} in {meter.seconds():.0f} s, {os.path.getsize(path) >> 20} MiB")


def follow_go(argv, meter):
    """Runs go build -v, whose lines are downloads, packages done and, in the end, errors."""
    packages, tail = 0, collections.deque(maxlen=20)
    with subprocess.Popen(argv, cwd=MODULE, env=go_environment(), stderr=subprocess.PIPE,
                          text=True) as child:
        for line in child.stderr:
            tail.append(line)
            if line.startswith("go: downloading "):
                meter.show("fetching " + line.split()[2])
            else:
                packages += 1
                meter.show(f"{packages} packages, {meter.seconds():.0f} s: {line.strip()}")
    if child.returncode != 0:
        raise Fail(f"{' '.join(argv)} failed:\n{''.join(tail)}")


def link_to(target, path):
    part = f"{path}.part.{os.getpid()}"
    os.symlink(target, part)
    os.replace(part, path)


def collect_stages(go):
    where = run(go, "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kwok", cwd=MODULE, timeout=300,
                env=go_environment()).strip()
    stages = [read(f"{where}/kustomize/stage/{name}.yaml") for name in KWOK_STAGES]
    if None in stages:
        raise Fail(f"kwok {version('sigs.k8s.io/kwok')} lacks a stage of {KWOK_STAGES}")
    write(os.path.join(bin_dir(), "kwok-stages.yaml"), "\n---\n".join(stages))


def build_pause():
    source, path = os.path.join(HERE, "pause.c"), os.path.join(bin_dir(), "pause")
    if os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(source):
        return
    part = f"{path}.part.{os.getpid()}"
    run("gcc", "-Os", "-static", "-s", "-Wall", "-Werror", source, "-o", part)
    os.replace(part, path)
