"""The Slurm client of the peer, built from its published module; skipped where that cannot be had."""
import json
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
MODULE = "github.com/SlinkyProject/slurm-client@v1.0.0"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "windlass/bench"


def build():
    """The program, or None with a word about why not."""
    directory = CACHE / "slurm-peer"
    program = directory / "peer"
    source = (HERE / "peer/main.go").read_text()
    if program.exists() and (directory / "main.go").read_text() == source:
        return program
    if not shutil.which("go"):
        print("\nwithout the peer's client: there is no go here")
        return None
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    (directory / "main.go").write_text(source)
    for command in (["go", "mod", "init", "peer"], ["go", "get", MODULE],
                    ["go", "mod", "tidy"], ["go", "build", "-o", program, "."]):
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"\nwithout the peer's client: {' '.join(map(str, command))}: {done.stderr[-300:]}")
            return None
    return program


def print_beside(url, client):
    program = build()
    if not program:
        return
    print("\n| first load through HTTP | records | CPU s, ours / theirs | ratio "
          "| MiB at the peak, ours / theirs |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for part in ("nodes", "jobs"):
        done = subprocess.run([program, url, part], capture_output=True, text=True, check=True)
        theirs = json.loads(done.stdout)
        ours = client[part]
        print(f"| {part} | {theirs['records']} | {ours['cpu_s']:.2f} / {theirs['cpu_s']:.2f} "
              f"| {theirs['cpu_s'] / ours['cpu_s']:.0f} "
              f"| {ours['peak_kib'] / 1024:.0f} / {theirs['peak_kib'] / 1024:.0f} |")
