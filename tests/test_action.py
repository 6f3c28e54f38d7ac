"""The action for GitHub: its step runs the gate with its inputs, and its words are options."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import environment
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines
from tests.evaluation_data import REPOSITORY

pytestmark = pytest.mark.slow

ACTION = (REPOSITORY / "action.yml").read_text(encoding="utf-8")
# The last step, its variables and its script; indentation alone ends each part.
STEP = ACTION[ACTION.index("- name: Gate") :]
VARIABLES = dict(re.findall(r"(?m)^        (\w+): \${{ inputs\.([\w-]+) }}$", STEP))
SCRIPT = "\n".join(line[8:] for line in STEP.partition("run: |\n")[2].splitlines())


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, lines in (("ref 1.txt", REFERENCE), ("a.txt", SYSTEM_A), ("b.txt", SYSTEM_B)):
        write_lines(tmp_path / name, lines * 10)
    program = tmp_path / "bin" / "bleuet"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bleuet "$@"\n')
    program.chmod(0o755)
    return tmp_path


def step(files: Path, **inputs: str) -> tuple[int, str, str]:
    """Run the step as GitHub does; returns the exit code, the output `result` and the summary."""
    values = {
        variable: inputs.pop(name.replace("-", "_"), "") for variable, name in VARIABLES.items()
    }
    assert not inputs
    for name in ("output", "summary"):
        (files / name).write_text("")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", SCRIPT],
        cwd=files,
        env=environment(
            **values,
            GITHUB_OUTPUT="output",
            GITHUB_STEP_SUMMARY="summary",
            PATH=f"{files / 'bin'}{os.pathsep}{os.environ['PATH']}",
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, (files / "output").read_text(), (files / "summary").read_text()


def test_every_input_is_a_variable_of_the_step() -> None:
    inputs = ACTION[ACTION.index("inputs:") : ACTION.index("outputs:")]
    names = re.findall(r"(?m)^  ([\w-]+):$", inputs)
    assert [*VARIABLES.values(), "python-version"] == [
        *("references", "input", "baseline", "release", "init", "metrics"),
        *("max-drop", "min", "max", "fail-on", "changes", "history", "options", "python-version"),
    ]
    assert set(names) == {*VARIABLES.values(), "python-version"}
    assert "${{" not in SCRIPT
    guide = (REPOSITORY / "docs" / "gate.md").read_text(encoding="utf-8")
    table = guide[guide.index("| input of the action |") :].partition("\n\n")[0]
    assert set(re.findall(r"`([\w-]+)`", "".join(re.findall(r"(?m)^\| ([^|]+) \|", table)))) == set(
        names
    )


def test_the_step_compares_with_a_baseline(files: Path) -> None:
    given = {"references": "ref 1.txt\n", "metrics": "bleu chrf", "max_drop": "0.3 chrf=0.2"}
    code, result, summary = step(files, **given, input="b.txt", baseline="a.txt")
    assert (code, result) == (3, "result=failed\n")
    assert summary.startswith("## Translation quality: failed by BLEU, chrF2\n")
    code, result, summary = step(files, **given, input="a.txt", baseline="b.txt")
    assert (code, result) == (0, "result=passed\n")
    assert summary.startswith("## Translation quality: passed\n")


def test_the_step_writes_a_baseline_in_a_first_run(files: Path) -> None:
    given = {"references": "ref 1.txt", "baseline": "main.json", "max_drop": "0.3"}
    assert step(files, **given, input="a.txt")[:2] == (1, "result=unknown\n")
    assert not (files / "main.json").exists()
    assert step(files, **given, input="a.txt", init="true")[:2] == (0, "result=passed\n")
    assert json.loads((files / "main.json").read_text())[0]["system"] == "a.txt"
    assert step(files, **given, input="b.txt", init="true")[0] == 3


def test_the_step_needs_no_baseline_for_limits_of_scores(files: Path) -> None:
    given = {"references": "ref 1.txt", "input": "b.txt", "metrics": "bleu ter"}
    assert step(files, **given, min="bleu=1", max="ter=500")[:2] == (0, "result=passed\n")
    assert step(files, **given, min="bleu=99", max="ter=500")[:2] == (3, "result=failed\n")


def test_the_step_appends_to_a_history(files: Path) -> None:
    given = {"references": "ref 1.txt", "input": "b.txt", "baseline": "a.txt"}
    step(files, **given, history="my history.jsonl")
    step(files, **given, history="my history.jsonl", options="--label\ntwo words")
    lines = (files / "my history.jsonl").read_text().splitlines()
    assert len(lines) == 2
    assert json.loads(lines[1])["label"] == "two words"


def test_the_step_passes_further_options(files: Path) -> None:
    write_lines(files / "documents *.txt", [f"d{number // 4}" for number in range(40)])
    given = {"references": "ref 1.txt", "input": "b.txt", "baseline": "a.txt"}
    _, _, summary = step(files, **given, options="--documents\ndocuments *.txt\n-q\n")
    assert "whole documents (10) are drawn and exchanged" in summary


def test_no_input_is_a_command_or_a_pattern(files: Path) -> None:
    words = "$(touch found) `touch found` ; touch found * && touch found"
    for name in VARIABLES.values():
        given = {"references": "ref 1.txt", "input": "b.txt", "baseline": "a.txt"}
        code, result, _ = step(files, **{**given, name.replace("-", "_"): words})
        # A history may have any name.
        known = name in ("init", "history")
        assert (code in (1, 2)) == (not known), name
        assert result == ("result=failed\n" if known else "result=unknown\n")
    assert not (files / "found").exists()
