"""Steps that tell how long they take, and where the log of a failure is."""
import concurrent.futures
import os
import pathlib
import subprocess
import time

from bedlib import Fail

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAST_LINES = 12
STEP_LIMIT = 3600  # the slowest: compiling Kubernetes on a small machine


class Steps:
    """Runs named steps one after another; programs write to logs of their own."""

    def __init__(self, logs):
        self.logs = logs
        self.began = time.monotonic()
        logs.mkdir(parents=True, exist_ok=True)

    def say(self, text):
        print(f"{time.monotonic() - self.began:6.1f} {text}", flush=True)

    def run(self, title, work):
        self.say(title)
        try:
            work()
        except subprocess.TimeoutExpired as late:
            raise Fail(f"step '{title}': no end of {late.cmd} after {late.timeout:.0f} s; logs are in "
                       f"{self.logs}") from None
        except (Fail, subprocess.SubprocessError, OSError) as why:
            raise Fail(f"step '{title}': {why}\nlogs are in {self.logs}") from None

    def call(self, name, *command):
        """Runs a program; what it prints goes to a log, whose end is shown when it fails."""
        path = self.logs / f"{name}.log"
        env = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
        with open(path, "w") as log:
            code = subprocess.call([str(word) for word in command], cwd=ROOT, env=env, stdout=log,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   timeout=STEP_LIMIT)
        if code:
            end = "\n".join(path.read_text(errors="replace").splitlines()[-LAST_LINES:])
            raise Fail(f"{' '.join(str(word) for word in command)} failed; the end of {path}:\n{end}")


def together(jobs):
    """Runs functions side by side and waits for all; the first failure is raised."""
    with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
        for future in [pool.submit(job) for job in jobs]:
            future.result()


