"""make install: the program, its man page and completions, where DESTDIR and PREFIX say."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARE = "usr/share"


def run(*words, **env):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True,
                          timeout=900, check=False, env={**os.environ, **env})
    assert done.returncode == 0, f"{words}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Installed from the tests' own build, for another prefix than its own."""
    place = tmp_path_factory.mktemp("install")
    build = ROOT / os.environ.get("BUILD", "build-asan")
    if not (build / "build.ninja").exists():
        pytest.skip(f"{build.name} is not there: tools/test check makes it")
    run("make", "install", f"BUILD={build}", f"DESTDIR={place}", "PREFIX=/usr")
    return place


def test_everything_is_where_it_is_looked_for(tree):
    found = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    assert {"usr/bin/windlass", f"{SHARE}/man/man1/windlass.1",
            f"{SHARE}/bash-completion/completions/windlass", f"{SHARE}/zsh/site-functions/_windlass",
            f"{SHARE}/fish/vendor_completions.d/windlass.fish"} <= found, found
    assert all(name.startswith("usr/") for name in found), found


def test_the_man_page_reads_without_a_warning(tree):
    page = tree / SHARE / "man/man1/windlass.1"
    text = page.read_text()
    assert ".SS install" in text and ".SS drain NODE..." in text
    if not shutil.which("groff"):
        pytest.skip("no groff here")
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(page)], capture_output=True,
                          text=True, timeout=60, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr[:1000]


def test_bash_completes_verbs_and_options(tree):
    script = tree / SHARE / "bash-completion/completions/windlass"
    words = run("bash", "-c", f"source {script}; COMP_WORDS=(windlass un); COMP_CWORD=1; _windlass; "
                'echo "${COMPREPLY[@]}"; COMP_WORDS=(windlass drain -n hpc gpu-0 --m); COMP_CWORD=5; _windlass; '
                'echo "${COMPREPLY[@]}"').split()
    assert words == ["uninstall", "undrain", "--message"]


def test_what_fish_reads_is_quoted(tree):
    for line in (tree / SHARE / "fish/vendor_completions.d/windlass.fish").read_text().splitlines():
        plain = line.replace("\\\\", "").replace("\\'", "")
        assert plain.startswith("complete -c windlass ") and plain.count("'") % 2 == 0, line
