"""Manners of the program, and the verbs that ask no cluster, as a user at a terminal meets them."""
import json
import os
import pathlib
import re
import subprocess

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / os.environ.get("BUILD", "build-asan") / "cmd" / "windlass"
GOLDEN = ROOT / "tests" / "golden"

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="tools/test check builds the program")


def windlass(*words, given=None, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], input=given, text=True, capture_output=True,
                          timeout=60, check=False, cwd=ROOT)
    assert done.returncode == code, (words, done.returncode, done.stdout[-500:], done.stderr[-2000:])
    return done


def verbs_of(*path):
    """Every verb below one, with the words that lead to it."""
    text = windlass(*path, "--help").stdout
    listed = re.search(r"^Verbs:\n((?:  .*\n)+)", text, re.MULTILINE)
    for line in listed[1].splitlines() if listed else ():
        yield (*path, line.split()[0])
        yield from verbs_of(*path, line.split()[0])


VERBS = list(verbs_of()) if PROGRAM.exists() else []


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb_helps_and_refuses_what_it_does_not_know(verb):
    assert windlass(*verb, "--help").stdout.startswith(f"Usage: windlass {' '.join(verb)}")
    assert windlass(*verb[:-1], "help", verb[-1]).stdout == windlass(*verb, "--help").stdout
    refusal = windlass(*verb, "--no-such-option", code=2)
    assert refusal.stdout == ""
    assert "--no-such-option" in refusal.stderr and "--help" in refusal.stderr


def test_the_manual_page_and_the_completions_name_every_verb():
    page = windlass("man").stdout
    for shell in ("bash", "zsh", "fish"):
        text = windlass("completion", shell).stdout
        assert all(verb[-1] in text for verb in VERBS), shell
    assert all(" ".join(verb) in page for verb in VERBS if len(verb) == 1)


def test_no_verb_and_a_wrong_one_name_the_next_step():
    assert "help VERB" in windlass(code=2).stderr
    assert "no verb 'instal'" in windlass("instal", code=2).stderr


def test_the_version_is_the_same_in_both_forms():
    said = json.loads(windlass("version", "-o", "json").stdout)["version"]
    assert said in windlass("version").stdout


def test_a_value_that_is_none_of_the_choices_is_refused_with_them():
    refusal = windlass("render", "-o", "xml", GOLDEN / "build/minimal/input.yaml", code=2).stderr
    assert "xml" in refusal and "yaml" in refusal and "json" in refusal


@pytest.mark.parametrize("case", sorted(path.name for path in (GOLDEN / "build").iterdir()))
def test_render_prints_the_same_as_yaml_and_as_json(case):
    path = GOLDEN / "build" / case / "input.yaml"
    printed = list(yaml.safe_load_all(windlass("render", path).stdout))
    assert printed == list(yaml.safe_load_all((path.parent / "expected.yaml").read_text()))
    listed = json.loads(windlass("render", "-o", "json", "-f", "-", given=path.read_text()).stdout)
    assert (listed["items"] if isinstance(listed, dict) else listed) == printed


def test_render_names_the_file_and_the_field_that_is_wrong(tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: a}\n"
                   "spec: {controllerRef: {name: c}, replicas: -1}\n")
    refusal = windlass("render", bad, code=1)
    assert refusal.stdout == ""
    assert "bad.yaml" in refusal.stderr and "spec.replicas" in refusal.stderr
    assert "nowhere.yaml" in windlass("render", tmp_path / "nowhere.yaml", code=1).stderr


def test_convert_there_and_back_is_the_same():
    given = next(yaml.safe_load_all((GOLDEN / "build/minimal/input.yaml").read_text()))
    old = windlass("convert", "--to", "v1alpha1", "-f", "-", given=yaml.safe_dump(given)).stdout
    assert yaml.safe_load(old)["apiVersion"] == "slinky.slurm.net/v1alpha1"
    back = windlass("convert", "-o", "json", "-f", "-", given=old).stdout
    back = json.loads(back)
    back = back["items"][0] if "items" in back else back
    assert back["apiVersion"] == given["apiVersion"] and back["spec"] == given["spec"]


def test_lint_says_which_line_and_in_json_too(tmp_path):
    conf = tmp_path / "slurm.conf"
    conf.write_text("ClusterName=c\nSlurmctldHost=h\nNoSuchKey=1\n")
    assert f"{conf}:3: error" in windlass("slurm", "lint", conf, code=1).stdout
    told = json.loads(windlass("slurm", "lint", "-o", "json", conf, code=1).stdout)
    assert [(one["line"], one["level"]) for one in told] == [(3, "error")]
    conf.write_text("ClusterName=c\nSlurmctldHost=h\n")
    assert windlass("slurm", "lint", conf).stdout == ""


def test_host_lists_go_both_ways():
    hosts = windlass("slurm", "hostlist", "expand", "gpu[08-10],login").stdout.split()
    assert hosts == ["gpu08", "gpu09", "gpu10", "login"]
    assert windlass("slurm", "hostlist", "compress", *hosts).stdout.strip() == "gpu[08-10],login"
    assert "gpu[1-" in windlass("slurm", "hostlist", "expand", "gpu[1-", code=1).stderr


def test_the_rules_of_the_operator_can_be_applied():
    rules = yaml.safe_load(windlass("rbac").stdout)
    rules = rules["rules"] if isinstance(rules, dict) else rules
    assert all(rule["verbs"] and "*" not in rule["verbs"] for rule in rules)
    assert any("nodesets" in rule["resources"] for rule in rules)
