"""What every part of the bed needs: talking to the user, running programs, bounded waits, daemons.

A daemon is a `Process`: one pid file that holds its pid and start time (so that a number used again
by the kernel is never mistaken for it) and one log file. Nothing here knows about Kubernetes.
"""
import os
import signal
import subprocess
import sys
import time

BEGAN = time.monotonic()


class Fail(Exception):
    """Something a person must know about; the text says what is wrong and what to do."""


# ---- talk: to stderr, so that stdout stays for answers

def on_terminal():
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def say(text):
    """One line of progress, with the seconds since the program began."""
    if os.environ.get("WINDLASS_BED_QUIET"):
        return
    clear = "\r\033[K" if on_terminal() else ""
    print(f"{clear}{time.monotonic() - BEGAN:6.1f} {text}", file=sys.stderr, flush=True)


class Meter:
    """A line that changes while something long runs; on a pipe, a plain line every ten seconds."""

    def __init__(self, title):
        self.title, self.began, self.shown = title, time.monotonic(), 0.0

    def show(self, text):
        now = time.monotonic()
        if on_terminal() and now - self.shown > 0.1:
            line = f"{now - BEGAN:6.1f} {self.title}: {text}"[:100]
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
            self.shown = now
        elif not on_terminal() and now - max(self.shown, self.began) > 10:
            say(f"{self.title}: {text}")
            self.shown = now

    def seconds(self):
        return time.monotonic() - self.began


# ---- run and wait

def inside(netns, argv):
    """The command line that runs `argv` in a network namespace (None: this one)."""
    argv = [str(a) for a in argv]
    return argv if netns is None else ["nsenter", f"--net=/run/netns/{netns}", "--", *argv]


def run(*argv, netns=None, data=None, timeout=60, check=True, cwd=None, env=None):
    """Runs a program to its end and returns its stdout; its stderr becomes part of the failure."""
    argv = inside(netns, argv)
    try:
        done = subprocess.run(argv, input=data, capture_output=True, timeout=timeout, cwd=cwd,
                              text=not isinstance(data, bytes), env=env)
    except FileNotFoundError:
        raise Fail(f"no program {argv[0]}: run tools/setup bed") from None
    except subprocess.TimeoutExpired:
        raise Fail(f"{' '.join(argv)}: still running after {timeout} s") from None
    if check and done.returncode != 0:
        told = done.stderr if isinstance(done.stderr, str) else done.stderr.decode(errors="replace")
        raise Fail(f"{' '.join(argv)}: exit status {done.returncode}: {told.strip()[-1000:]}")
    return done.stdout


def wait_for(what, check, timeout, log=None, every=0.05):
    """Calls `check` until it answers something true, and returns that.

    `check` may raise Fail to give up early: a daemon that died will not become ready.
    """
    end = time.monotonic() + timeout
    while True:
        answer = check()
        if answer:
            return answer
        if time.monotonic() > end:
            where = f"; its log is {log}" if log else ""
            raise Fail(f"gave up after {timeout} s: {what}{where}")
        time.sleep(every)


def last_lines(path, count=5):
    try:
        with open(path, errors="replace") as log:
            return "".join(log.readlines()[-count:]).strip()
    except FileNotFoundError:
        return ""


# ---- files

def write(path, text, mode=0o644):
    """Replaces a file whole or not at all."""
    part = f"{path}.part.{os.getpid()}"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as out:
        out.write(text)
    os.replace(part, path)


def read(path, default=None):
    try:
        with open(path) as text:
            return text.read()
    except (FileNotFoundError, NotADirectoryError):
        return default


# ---- daemons

CHILDREN = {}  # pid -> Popen of what this program itself started, to be reaped by alive()


def born(pid):
    """The start time of a process in clock ticks, or None once it is gone or a zombie."""
    stat = read(f"/proc/{pid}/stat")
    if not stat:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" and not has_threads(pid) else int(fields[19])


def has_threads(pid):
    """Whether more than the first thread is left: until the last ends, ports and files are held."""
    try:
        return len(os.listdir(f"/proc/{pid}/task")) > 1
    except OSError:
        return False


def is_alive(pid, since):
    child = CHILDREN.get(pid)
    if child is not None and child.poll() is not None:
        del CHILDREN[pid]
    return since is not None and born(pid) == since


def end(pid, since, sig=signal.SIGTERM, grace=10.0):
    """Ends a process: `sig`, then KILL after `grace` seconds; waits until it is gone."""
    def gone():
        return not is_alive(pid, since)

    gentle = [(sig, grace)] if sig != signal.SIGKILL else []
    for number, patience in [*gentle, (signal.SIGKILL, 10.0)]:
        if gone():
            return
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        try:
            return wait_for(f"process {pid} to end", gone, patience, every=0.02)
        except Fail:
            if number == signal.SIGKILL:
                raise


def only_child(parent):
    """The pid of the one child of a Popen, None while it has none; Fail when it has ended."""
    children = read(f"/proc/{parent.pid}/task/{parent.pid}/children", "").split()
    if not children and parent.poll() is not None:
        raise Fail(f"{parent.args[0]} ended with status {parent.returncode}")
    return int(children[0]) if children else None


class Process:
    """A daemon known by a pid file DIR/run/NAME.pid and a log DIR/log/NAME.log."""

    def __init__(self, directory, name):
        self.name = name
        self.pidfile = os.path.join(directory, "run", name + ".pid")
        self.log = os.path.join(directory, "log", name + ".log")

    def identity(self):
        """(pid, start time) as last recorded, or None."""
        words = (read(self.pidfile) or "").split()
        return (int(words[0]), int(words[1])) if len(words) == 2 else None

    def pid(self):
        """The pid while it runs, else None."""
        known = self.identity()
        return known[0] if known and is_alive(*known) else None

    def start(self, *argv, netns=None, env=None, cwd="/", child=False):
        """Starts it in the background unless it runs already; its output is appended to the log.

        `child`: the program only enters namespaces and forks; its child is the daemon to remember.
        """
        if self.pid():
            return
        for path in (self.pidfile, self.log):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(self.log, "ab") as log:
            try:
                started = subprocess.Popen(inside(netns, argv), stdin=subprocess.DEVNULL,
                                           stdout=log, stderr=log, cwd=cwd,
                                           start_new_session=True,
                                           env={**os.environ, **(env or {})})
            except FileNotFoundError:
                raise Fail(f"no program {argv[0]}: run tools/setup bed, tools/bed build") from None
        CHILDREN[started.pid] = started
        pid = wait_for(f"{self.name} to begin", lambda: only_child(started), 10,
                       self.log) if child else started.pid
        write(self.pidfile, f"{pid} {born(pid) or 0}\n")

    def must_live(self):
        """Raises Fail with the end of its log when it has died; for use inside wait_for checks."""
        if not self.pid():
            raise Fail(f"{self.name} has ended; the end of {self.log}:\n{last_lines(self.log)}")

    def stop(self, sig=signal.SIGTERM, grace=10.0):
        """Ends it and forgets it; nothing to do is no error."""
        known = self.identity()
        if known:
            end(*known, sig, grace)
        if os.path.exists(self.pidfile):
            os.unlink(self.pidfile)

    def memory(self):
        """Resident memory in MiB while it runs, else None."""
        pid = self.pid()
        for line in (read(f"/proc/{pid}/status") or "").splitlines() if pid else ():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) >> 10
        return None


def processes(directory):
    """Every daemon that has a pid file, by name."""
    try:
        names = sorted(os.listdir(os.path.join(directory, "run")))
    except FileNotFoundError:
        return []
    return [Process(directory, n[:-4]) for n in names if n.endswith(".pid")]
