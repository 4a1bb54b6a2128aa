"""What the client says when Slurm is away, refuses, or breaks off: unknown, never a guess."""
import os
import subprocess
import time

import pytest


def took(question):
    """The answer, and how long it took."""
    began = time.monotonic()
    return question(), time.monotonic() - began


@pytest.fixture
def controller(bed):
    """Brings slurmctld back however the test leaves it."""
    yield "slurmctld"
    if bed.rest("GET", "/slurm/v0.0.44/ping").json["pings"][0]["pinged"] != "UP":
        bed.restart("slurmctld")
    bed.wait_idle(["worker-0", "worker-1"], timeout=60)


def test_a_killed_controller_is_unknown_and_not_idle(bed, start, controller, until):
    slurm = start(keep=3, refresh="1s", stale="3s")
    until("a snapshot", lambda: slurm.ask("view")["answer"] == "yes")
    bed.save_state()
    until("a node that idles", lambda: slurm.node("worker-0")["idle"] == "yes")
    bed.kill(controller)

    reply, seconds = took(lambda: slurm.ask("node", "worker-0"))
    assert (reply["answer"], reply["errno"]) == ("unknown", "EHOSTDOWN"), reply
    assert reply["number"] == 1800 and 5 < seconds < 26
    assert slurm.ask("ping")["answer"] in ("no", "unknown")
    change = slurm.ask("change", "worker-[0-1]", "state=DRAIN", "reason=windlass: x")
    assert change["answer"] == "unknown" and change["unknown"] == ["worker-0", "worker-1"]

    # the snapshot falls silent, and who asks again is told at once
    until("silence", lambda: slurm.ask("view")["answer"] == "unknown", timeout=40)
    until("an open circuit", lambda: slurm.ask("nodes").get("errno") == "EAGAIN", timeout=60)
    reply, seconds = took(lambda: slurm.ask("nodes"))
    assert reply["answer"] == "unknown" and seconds < 12

    bed.start(controller)
    until("the snapshot's return", lambda: slurm.ask("view")["answer"] == "yes", timeout=60)
    until("answers", lambda: slurm.ask("node", "worker-0")["answer"] == "yes", timeout=60)
    until("idle", lambda: slurm.node("worker-0")["idle"] == "yes", timeout=60)


def test_a_frozen_controller_is_unknown_within_the_deadline(bed, start, controller):
    slurm = start(deadline="3s")
    assert slurm.ask("ping")["answer"] == "yes"
    bed.freeze(controller)
    try:
        reply, seconds = took(lambda: slurm.ask("node", "worker-0"))
    finally:
        bed.thaw(controller)
    assert (reply["answer"], reply["errno"]) == ("unknown", "ETIMEDOUT"), reply
    assert seconds < 4


@pytest.mark.parametrize("token, errno", [
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJzbHVybSJ9.AAAA", "EACCES"), ("nonsense", "EACCES")])
def test_a_wrong_token_is_unknown(start, token, errno):
    slurm = start(token=["token", token])
    reply = slurm.ask("nodes")
    assert (reply["answer"], reply["errno"]) == ("unknown", errno), reply
    assert slurm.ask("node", "worker-9")["answer"] == "unknown"


def test_an_expired_token_is_unknown_until_a_good_one_is_there(bed, start, tmp_path):
    file = tmp_path / "token"
    file.write_text(bed.token(ttl=-10))
    slurm = start(token=["file", str(file)])
    reply = slurm.ask("nodes")
    assert (reply["answer"], reply["number"]) == ("unknown", 1007), reply
    file.write_text(bed.token() + "\n")
    assert slurm.ask("nodes")["answer"] == "yes"
    assert slurm.ask("set_token", bed.token(ttl=-10)) == "set"
    assert slurm.ask("nodes")["answer"] == "unknown"
    assert slurm.ask("set_token", bed.token()) == "set"
    assert slurm.ask("nodes")["answer"] == "yes"


def test_a_user_without_rights_reads_and_is_refused_changes(start):
    slurm = start(user="alice")
    assert slurm.ask("nodes")["answer"] == "yes"
    reply = slurm.ask("change", "worker-0", "state=DRAIN", "reason=x")
    assert (reply["answer"], reply["errno"], reply["number"]) == ("no", "EACCES", 2010)


def test_slurmrestd_restarted_in_the_middle_of_lists(bed, start, until):
    slurm = start(keep=3, refresh="200ms")
    until("a snapshot", lambda: slurm.ask("view")["answer"] == "yes")
    for _ in range(3):
        slurm.send("nodes")
        bed.kill("slurmrestd")
        first = slurm.receive()
        assert first["answer"] == "unknown" or len(first["nodes"]) == 2, first
        view = slurm.ask("view")
        assert view["answer"] == "unknown" or len(view["nodes"]) == 2
        bed.start("slurmrestd")
        until("answers", lambda: slurm.ask("nodes")["answer"] == "yes")
    assert len(slurm.ask("nodes")["nodes"]) == 2


def test_nobody_at_the_address_is_unknown(bed, start):
    slurm = start(url=bed.url.rpartition(":")[0] + ":1", deadline="1s")
    reply = slurm.ask("nodes")
    assert (reply["answer"], reply["errno"]) == ("unknown", "ECONNREFUSED"), reply


def test_a_broken_configuration_is_refused_and_the_old_one_stays(bed, slurm, until):
    good = bed.conf()
    try:
        bed.conf(good + "\nNoSuchKey=1\n")
        reply = slurm.ask("reconfigure")
        assert (reply["answer"], reply["number"]) == ("no", -1), reply
    finally:
        bed.conf(good)
    until("a controller", lambda: slurm.ask("ping")["answer"] == "yes")
    assert slurm.ask("reconfigure")["answer"] == "yes"
    until("nodes", lambda: slurm.ask("nodes")["answer"] == "yes")


def test_slurmdbd_away_says_nothing_about_slurmctld(bed, start, until):
    slurm = start(deadline="4s")
    bed.kill("slurmdbd")
    try:
        for _ in range(4):
            assert slurm.ask("db_lists")["answer"] == "unknown"
        assert slurm.ask("nodes")["answer"] == "yes"
    finally:
        bed.start("slurmdbd")
    until("accounting", lambda: slurm.ask("db_lists")["answer"] == "yes", timeout=60)


def test_https_with_its_own_authority(bed, start, tmp_path):
    """slurmrestd speaks no TLS itself here: something in front of it does, as in a cluster."""
    cert, key = str(tmp_path / "tls.crt"), str(tmp_path / "tls.key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key, "-out", cert,
                    "-subj", "/CN=slurmrestd", "-addext", "subjectAltName=IP:127.0.0.1"],
                   check=True, capture_output=True)
    front = os.path.join(os.path.dirname(__file__), "tls_front.py")
    host, _, port = bed.url.removeprefix("http://").partition(":")
    proxy = subprocess.Popen(["nsenter", f"--net={bed.netns_path}", "python3", front, cert, key,
                              host, port], stdout=subprocess.PIPE, text=True)
    try:
        url = f"https://127.0.0.1:{proxy.stdout.readline().strip()}"
        assert start(url=url, ca=cert).ask("nodes")["answer"] == "yes"
        reply = start(url=url, deadline="2s").ask("nodes")
        assert (reply["answer"], reply["errno"]) == ("unknown", "EPROTO"), reply
    finally:
        proxy.kill()
        proxy.wait()
