"""An operator under test: started, awaited, asked to end, and never allowed to complain about memory."""
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

COMPLAINTS = re.compile(r"AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:|stack smashing")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Operator:
    """argv may say $KUBECONFIG, $HEALTH and $METRICS; the log grows over restarts."""

    def __init__(self, argv, kubeconfig, log, env=None, prefix=()):
        self.health, self.metrics = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
        words = {"$KUBECONFIG": kubeconfig, "$HEALTH": self.health, "$METRICS": self.metrics}
        self.argv = [*prefix, *(words.get(word, word) for word in argv)]
        self.log, self.env, self.child = log, {**os.environ, **(env or {})}, None

    def start(self, ready=20.0):
        """Starts it; waits until /readyz says yes, unless ready is 0. Seconds that took."""
        began = time.monotonic()
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(self.argv, stdin=subprocess.DEVNULL, stdout=log,
                                          stderr=log, env=self.env)
        while ready and not self.is_ready():
            assert self.child.poll() is None, f"ended with {self.child.returncode}: {self.tail()}"
            assert time.monotonic() - began < ready, f"not ready after {ready} s: {self.tail()}"
            time.sleep(0.005)
        return time.monotonic() - began

    @property
    def pid(self):
        return self.child.pid

    def is_ready(self):
        return self.ask(self.health, "/readyz")[0] == 200

    @staticmethod
    def ask(address, path):
        """(status, text); 0 when nobody answers."""
        try:
            with urllib.request.urlopen(f"http://{address}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as no:
            return no.code, no.read().decode()
        except OSError:
            return 0, ""

    def metric(self, name, **labels):
        """The sum of the series with that name and those labels."""
        total = 0.0
        for line in self.ask(self.metrics, "/metrics")[1].splitlines():
            series, _, value = line.rpartition(" ")
            if re.match(re.escape(name) + r"(\{|$)", series) and all(
                    f'{key}="{text}"' in series for key, text in labels.items()):
                total += float(value)
        return total

    def signal(self, number):
        os.kill(self.child.pid, number)

    def stop(self, seconds=15.0, code=0):
        """Ends it politely; it must end in time, with that exit code and without complaints."""
        if self.child is None:
            return
        child, self.child = self.child, None
        child.send_signal(signal.SIGTERM)
        try:
            ended = child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait(10)
            raise AssertionError(f"still there {seconds} s after SIGTERM: {self.tail()}") from None
        self.check()
        assert ended == code, f"ended with {ended}, not {code}: {self.tail()}"

    def wait(self, seconds):
        """Its exit code, once it ended by itself."""
        child, self.child = self.child, None
        return child.wait(seconds)

    def kill(self):
        if self.child:
            self.child.kill()
            self.child.wait(10)
            self.child = None

    def text(self):
        with open(self.log, errors="replace") as log:
            return log.read()

    def tail(self, lines=25):
        return "\n" + "\n".join(self.text().splitlines()[-lines:])

    def check(self):
        found = COMPLAINTS.search(self.text())
        assert not found, f"{found.group(0)}: {self.text()[found.start() - 200:][:4000]}"
