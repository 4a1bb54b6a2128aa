"""The snapshot on a real cluster: cheap when nothing happens, exact when something does."""
import re
import time

ADDED, REMOVED, STATE, REASON, TEXT = 1, 2, 4, 8, 16
NODES, JOBS = 1, 2
NOT_LOAD = 1023 & ~(1 << 8) & ~(1 << 9)


def counted(slurm, metric, **labels):
    text = slurm.ask("metrics")["metrics"]
    found = re.findall(rf"^{metric}\{{([^}}]*)\}} (\S+)$", text, re.M)
    return sum(float(value) for where, value in found
               if all(f'{name}="{label}"' in where for name, label in labels.items()))


def test_a_view_shows_a_change_of_ours(start):
    slurm = start(keep=NODES)
    for text in ("one", "two", "three"):
        assert slurm.ask("change", "worker-[0-1]", f"comment={text}")["answer"] == "yes"
        view = slurm.ask("fresh", "1")
        assert view["answer"] == "yes" and {n["comment"] for n in view["nodes"]} == {text}


def test_a_view_shows_a_change_of_others(bed, start, until):
    slurm = start(keep=NODES, refresh="500ms")
    until("a snapshot", lambda: slurm.ask("view")["answer"] == "yes")
    bed.ex("slurmctld", "scontrol", "update", "nodename=worker-1", "comment=theirs")
    until("the change", lambda: slurm.ask("view")["nodes"][1]["comment"] == "theirs", timeout=5)


def test_an_idle_cluster_costs_next_to_nothing(start, until):
    slurm = start(keep=NODES | JOBS, refresh="1s")
    until("a snapshot", lambda: slurm.ask("view")["answer"] == "yes")
    time.sleep(3)
    before = counted(slurm, "windlass_slurm_received_bytes_total")
    calls = counted(slurm, "windlass_slurm_calls_total")
    time.sleep(8)
    calls = counted(slurm, "windlass_slurm_calls_total") - calls
    received = counted(slurm, "windlass_slurm_received_bytes_total") - before
    assert calls >= 8
    assert received / calls < 2048, f"{received / calls:.0f} bytes for each refresh"


def test_a_job_is_seen_from_its_beginning_to_its_end(start, until):
    slurm = start(keep=NODES | JOBS, refresh="300ms")
    assert slurm.ask("subscribe", str(NODES | JOBS), str(NOT_LOAD))["answer"] == "yes"
    until("first news", lambda: "node worker-0 1" in slurm.ask("news")["news"])
    job = slurm.ask("submit", "sleep 3", "worker-0")["id"]
    heard = []

    def hear():
        heard.extend(slurm.ask("news")["news"].splitlines())
        return heard

    until("the job", lambda: f"job {job} 1" in hear())
    busy = until("busy", lambda: [n for n in slurm.ask("view")["nodes"] if n["busy"] == "yes"])
    assert [node["name"] for node in busy] == ["worker-0"]
    until("its end", lambda: any(f"job {job} " in line and int(line.split()[2], 16) & STATE
                                 for line in hear()))
    until("idle", lambda: all(n["idle"] == "yes" for n in slurm.ask("fresh", "1")["nodes"]))
    hear()
    assert any(line.startswith("node worker-0 ") and int(line.split()[2], 16) & STATE
               for line in heard)
    assert not any(line.startswith("node worker-1 ") and int(line.split()[2], 16) & STATE
                   for line in heard), heard


def test_a_node_that_goes_is_told_and_unknown_is_not_gone(bed, start, until):
    slurm = start(keep=NODES, refresh="300ms")
    slurm.ask("subscribe", str(NODES), str(ADDED | REMOVED))
    until("first news", lambda: "worker-1" in slurm.ask("news")["news"])
    assert slurm.ask("node_create", "NodeName=cloud-7 CPUs=1 State=CLOUD")["answer"] == "yes"
    until("added", lambda: f"node cloud-7 {ADDED}" in slurm.ask("news")["news"])
    assert slurm.ask("node_delete", "cloud-7")["answer"] == "yes"
    until("removed", lambda: f"node cloud-7 {REMOVED}" in slurm.ask("news")["news"])
