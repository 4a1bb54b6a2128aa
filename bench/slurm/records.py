"""Long lists of nodes and jobs of real record size, made from recorded ones."""
import copy
import json
import pathlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests/unit/data/slurmrest/v0.0.44"
COUNT = 10_000
JOB_BYTES = 33_000  # what users see: mostly who has which core of which node
META = {"errors": [], "warnings": [],
        "last_update": {"set": True, "infinite": False, "number": 1_800_000_000}}


def recorded(name, array):
    reply = json.loads((DATA / f"{name}.json").read_text())["reply"]
    return reply[array][0], reply["meta"]


def node(template, i):
    one = dict(template)
    one["name"] = one["hostname"] = f"node-{i:05}"
    one["address"] = f"10.{i >> 16}.{i >> 8 & 255}.{i & 255}"
    one["cpu_load"] = i % 700
    one["alloc_cpus"] = i % 3
    one["free_mem"] = {"set": True, "infinite": False, "number": 1000 + i}
    return one


def job(template, i):
    one = dict(template)
    one["job_id"] = 1000 + i
    one["name"] = f"train-{i % 40}"
    one["user_name"] = f"user{i % 60}"
    one["user_id"] = 2000 + i % 60
    one["nodes"] = f"node-{i:05}"
    return one


def wire(record):
    """As slurmrestd writes it: indented, slashes escaped."""
    return json.dumps(record, indent=2).replace("\n", "\n    ").replace("/", "\\/")


def widened(template):
    """A job whose allocation is as long as that of a job on many cores."""
    wide = copy.deepcopy(template)
    cores = wide["job_resources"]["nodes"]["allocation"][0]["sockets"][0]["cores"]
    while len(wire(wide)) < JOB_BYTES:
        cores.append({**cores[0], "index": len(cores)})
    return wide


def write(path, array, template, meta, make, count):
    with open(path, "w") as out:
        out.write('{\n  "%s": [' % array)
        for i in range(count):
            out.write((",\n    " if i else "\n    ") + wire(make(template, i)))
        out.write("\n  ],\n" + json.dumps({**META, "meta": meta}, indent=2)[1:])


def write_all(directory, count=COUNT):
    """nodes.json and jobs.json; returns {part: (path, one record's text)}."""
    one_node, meta = recorded("nodes-two", "nodes")
    one_job, _ = recorded("jobs-running", "jobs")
    one_job = widened(one_job)
    nodes, jobs = directory / "nodes.json", directory / "jobs.json"
    write(nodes, "nodes", one_node, meta, node, count)
    write(jobs, "jobs", one_job, meta, job, count)
    return {"nodes": (nodes, wire(node(one_node, 7))), "jobs": (jobs, wire(job(one_job, 7)))}
