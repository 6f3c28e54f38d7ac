"""The guide to the command line is true: its commands print what it shows, its tables are whole."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from bleuet.cli.gate import COMMAND as GATE
from bleuet.cli.main import COMMANDS, read_arguments
from bleuet.cli.score import COMMAND
from bleuet.metrics.catalogue import CATALOGUE, PRESETS
from bleuet.output.rendering import FORMATS
from tests.cli.conftest import environment
from tests.evaluation_data import REPOSITORY

GUIDE = REPOSITORY / "docs" / "command-line.md"
pytestmark = pytest.mark.skipif(not GUIDE.is_file(), reason="the documentation is not here")


class Example(NamedTuple):
    line: int
    command: str
    shown: str


def examples(text: str) -> list[Example]:
    found = []
    for block in re.finditer(r"(?ms)^```console\n(.*?)^```$", text):
        start = text.count("\n", 0, block.start(1)) + 1
        for one in re.finditer(r"(?ms)^\$ ([^\n]*)\n(.*?)(?=^\$ |\Z)", block[1]):
            line = start + block[1].count("\n", 0, one.start())
            found.append(Example(line, one[1], one[2]))
    return found


def without_version(text: str) -> str:
    return re.sub(r"bleuet-\d[\w.]*", "bleuet-VERSION", text)


# Each guide, and how many of its commands are run at least.
GUIDES = {
    "align.md": 6,
    "diversity.md": 2,
    "command-line.md": 16,
    "comparison.md": 5,
    "gate.md": 6,
    "meta-evaluation.md": 3,
    "report.md": 4,
    "significance.md": 6,
    "tuning.md": 3,
}


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_prints_what_the_guide_shows(tmp_path: Path, guide: str) -> None:
    """A file that is not there yet is made of what `cat` shows of it."""
    path = GUIDE.with_name(guide)
    programs, folder = tmp_path / "bin", tmp_path / "folder"
    programs.mkdir()
    folder.mkdir()
    program = programs / "bleuet"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bleuet "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    env = environment(PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    found = examples(path.read_text(encoding="utf-8"))
    ran = 0
    for line, command, shown in found:
        file = re.fullmatch(r"cat ([\w.-]+)", command)
        if file and not (folder / file[1]).exists():
            (folder / file[1]).write_text(shown, encoding="utf-8")
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert without_version(done.stdout) == without_version(shown), f"{path}:{line}: {command}"
        ran += 1
    assert ran >= GUIDES[guide]


def scripts(text: str) -> list[str]:
    """The shell of a guide's workflows: each `run` of GitHub's, each line of GitLab's scripts."""
    found = []
    for block in re.finditer(r"(?ms)^```yaml\n(.*?)^```$", text):
        lines = block[1].splitlines()
        for number, line in enumerate(lines):
            start = re.fullmatch(r"( *)(?:- )?run: (.+)|( *)- ((?!\w+:).+)", line)
            if start is None:
                continue
            indent = len(start[1] if start[2] else start[3])
            first = start[2] or start[4]
            more = []
            for below in lines[number + 1 :]:
                if len(below) - len(below.lstrip()) <= indent or below.lstrip().startswith("- "):
                    break
                more.append(below.strip())
            # A bar keeps lines as they are, an angle folds them.
            joined = {"|": "\n", ">": " "}.get(first)
            found.append(first if joined is None else joined.join(more))
    return found


def test_workflows_run_what_there_is() -> None:
    found = scripts(GUIDE.with_name("gate.md").read_text(encoding="utf-8"))
    assert len(found) == 6
    known = {name for flag in GATE.flags for name in flag.names}
    gates = 0
    for script in found:
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        words = shlex.split(script.replace("\\\n", ""))
        if words[:2] == ["bleuet", "gate"]:
            gates += 1
            options = [word for word in words if word.startswith("-")]
            assert {"--baseline", "-i", "--summary"} <= set(options) <= known
            assert read_arguments(GATE, words[2:]).references == ["quality/reference.txt"]
    assert gates == 2


def test_nothing_after_a_dollar_is_left_out() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert "Traceback" not in text
    assert len(re.findall(r"(?m)^\$ ", text)) == len(examples(text))


def test_every_option_command_and_format_is_named() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for flag in COMMAND.flags:
        options = [name for name in flag.names if name.startswith("-")]
        assert [one for one in options if not re.search(rf"(?<![\w-]){one}(?![\w-])", text)] == []
    for command in COMMANDS:
        assert f"| `bleuet {command}` |" in text
    for name in FORMATS:
        assert f"`{name}`" in text


def test_every_metric_and_component_is_named() -> None:
    text = GUIDE.with_name("metrics.md").read_text(encoding="utf-8")
    for name in (*CATALOGUE, *PRESETS):
        assert f"| {name} |" in text
    # What every score has.
    text += GUIDE.read_text(encoding="utf-8")
    for entry in CATALOGUE.values():
        score = entry.load()().sentence_score("a cat", "a cat")
        assert [part for part in score.to_dict() if f"`{part}`" not in text] == []
