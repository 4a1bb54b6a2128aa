"""The verb `tools/bed slurm`: one function per action."""
import argparse
import json
import os
import sys

from . import rootfs
from .slurm import SlurmBed


def up(bed, args):
    bed.up(args.nodes, args.gpus, args.cgroup, not args.no_accounting, args.suite)
    if args.rest_version_info:
        print(" ".join(bed.api_versions()))


def down(bed, _args):
    bed.down()


def ex(bed, args):
    command = bed.pod(args.pod).command(args.command, args.user)
    os.execvp(command[0], command)


def rest(bed, args):
    answer = bed.rest(args.method, args.path, args.json)
    print(f"HTTP {answer.status}", file=sys.stderr)
    print(answer.body if answer.json is None else json.dumps(answer.json, indent=1))
    return 0 if answer.status < 400 else 1


def token(bed, args):
    print(bed.token(args.user, args.ttl))


def add_worker(bed, _args):
    print(bed.add_worker())


def conf(bed, args):
    with sys.stdin if args.file == "-" else open(args.file) as text:
        bed.conf(text.read())


def env(bed, _args):
    for name, value in bed.env().items():
        print(f"{name}={value}")


def on_pod(action):
    return lambda bed, args: getattr(bed, action)(args.pod)


POD = ("pod", {"help": "mariadb, slurmdbd, slurmctld, slurmrestd, login, worker-0, worker-1, ..."})
USER = ("--user", {"default": "root", "help": "root, slurm, nobody, alice or bob (root)"})
ACTIONS = {
    "up": (up, "start a cluster, or what is missing of it", [
        ("--nodes", {"type": int, "default": 2, "metavar": "N", "help": "workers (2)"}),
        ("--gpus", {"type": int, "default": 0, "metavar": "G",
                    "help": "pretended GPUs per worker (0)"}),
        ("--cgroup", {"choices": ["auto", "v1", "none"], "default": "auto",
                      "help": "limit jobs by cgroups; auto: where the machine can (auto)"}),
        ("--no-accounting", {"action": "store_true", "help": "no MariaDB and no slurmdbd"}),
        ("--suite", {"default": rootfs.SUITE, "metavar": "NAME", "help": "Debian suite whose Slurm "
                     f"runs; trixie's serves v0.0.41 ({rootfs.SUITE})"}),
        ("--rest-version-info", {"action": "store_true",
                                 "help": "then print the API versions that slurmrestd serves"}),
    ]),
    "down": (down, "take it away, also after a crash", []),
    "ex": (ex, "run a command in a pod", [
        USER, POD, ("command", {"nargs": argparse.REMAINDER, "metavar": "CMD"})]),
    "rest": (rest, "call slurmrestd with a token; exit status 1 for an HTTP error", [
        ("method", {}), ("path", {}), ("json", {"nargs": "?", "help": "the body"})]),
    "token": (token, "print a token", [
        ("--user", {"default": "slurm", "help": "whom it stands for (slurm)"}),
        ("--ttl", {"type": int, "default": 3600, "metavar": "S", "help": "seconds (3600)"})]),
    "kill": (on_pod("kill"), "end a pod as a crash would", [POD]),
    "restart": (on_pod("restart"), "stop a pod, if it runs, and start it with its state", [POD]),
    "freeze": (on_pod("freeze"), "stop a daemon's clock (SIGSTOP)", [POD]),
    "thaw": (on_pod("thaw"), "let a frozen daemon go on", [POD]),
    "add-worker": (add_worker, "start one more worker and print its name", []),
    "conf": (conf, "replace slurm.conf and leave it for the next reconfigure", [
        ("file", {"help": "- for stdin"})]),
    "env": (env, "print where slurmrestd, the key and the network namespace are", []),
}


def add_actions(parser):
    """Gives an argparse parser the actions; parsed arguments then go to run()."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (_, purpose, arguments) in ACTIONS.items():
        action = actions.add_parser(name, help=purpose, description=purpose)
        for argument, how in arguments:
            action.add_argument(argument, **how)


def run(name, args):
    """Does what add_actions() parsed, on the bed called `name`; returns the exit status."""
    return ACTIONS[args.action][0](SlurmBed(name), args) or 0
