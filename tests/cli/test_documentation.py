"""The guide to the command line is true: its commands print what it shows, its tables are whole."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, NamedTuple

import pytest

from bleuet.cli.gate import COMMAND as GATE
from bleuet.cli.main import COMMANDS, main, read_arguments
from bleuet.cli.score import COMMAND
from bleuet.metrics.catalogue import CATALOGUE, NEURAL, PRESETS
from bleuet.output.rendering import FORMATS
from tests.cli.conftest import environment
from tests.contract.settings import counting, with_made_edits, with_made_sources
from tests.evaluation_data import REPOSITORY
from tests.metrics.guide import FOLDER, guide

if TYPE_CHECKING:
    from pathlib import Path

GUIDE = REPOSITORY / "docs" / "command-line.md"


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


def comparable(text: str, guide: str) -> str:
    """Return a text without version, times and, of weights, the processor's last digits."""
    text = re.sub(r"bleuet-\d[\w.]*", "bleuet-VERSION", text)
    # Runs of a history have the time of the test.
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", text)
    if guide == "tuning.md":
        text = re.sub(r"\d+\.\d{15,}", lambda found: f"{float(found[0]):.14g}", text)
    return text


# Pages without commands that can run: they describe what several metrics have, or need a model.
TEXTS = {"smoothing", "tokenizers", *NEURAL}
# Each guide, and how many of its commands are run at least.
GUIDES = {
    "align.md": 6,
    "diversity.md": 2,
    "explain.md": 1,
    "command-line.md": 16,
    "comparison.md": 5,
    "gate.md": 2,
    "meta-evaluation.md": 3,
    # Every page of a metric has an example.
    **{f"metrics/{page.name}": 1 for page in sorted(FOLDER.glob("*.md")) if page.stem not in TEXTS},
    "report.md": 2,
    "significance.md": 4,
    "tuning.md": 3,
}
# Those with commands that need pyarrow or vl_convert.
WITH_LIBRARIES = {"command-line.md": 20, "gate.md": 6, "report.md": 4, "significance.md": 6}
# Such a command, and one that needs what it writes.
NEEDS_A_LIBRARY = re.compile(r"\.parquet|\bcharts\b|old\.json")


@pytest.fixture
def shell(folder: Path) -> dict[str, str]:
    """The environment of a shell that finds the command."""
    return shell_with_command(folder)


def shell_with_command(folder: Path) -> dict[str, str]:
    """Write the command into a folder, and return the environment of a shell that finds it."""
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "bleuet"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bleuet "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return environment(PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")


def printed(command: str, place: Path, shell: dict[str, str]) -> str:
    """What a command prints on both streams; in this process, if it needs no shell."""
    with place.open("w", encoding="utf-8") as out:
        if re.fullmatch(r"bleuet [^|;>$]*", command):
            with redirect_stdout(out), redirect_stderr(out):
                main(shlex.split(command)[1:])
        else:
            subprocess.run(
                ["bash", "-c", command],
                env=shell,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                check=False,
            )
    return place.read_text(encoding="utf-8")


def check_guide(guide: str, folder: Path, shell: dict[str, str], left_out: re.Pattern[str]) -> int:
    """Run the commands of a guide, a file of `docs`, and return how many there are.

    A file that is not there is made of what `cat` shows of it.
    """
    path = GUIDE.parent / guide
    for name in folder.glob("*.txt"):
        name.unlink()
    ran = 0
    for line, command, shown in examples(path.read_text(encoding="utf-8")):
        file = re.fullmatch(r"cat ([\w.-]+)", command)
        if file and not (folder / file[1]).exists():
            (folder / file[1]).write_text(shown, encoding="utf-8")
        elif not left_out.search(command):
            found = printed(command, folder / "printed", shell)
            assert comparable(found, guide) == comparable(shown, guide), f"{path}:{line}: {command}"
            ran += 1
    return ran


@pytest.mark.slow
@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_prints_what_the_guide_shows(
    folder: Path, shell: dict[str, str], guide: str
) -> None:
    assert check_guide(guide, folder, shell, NEEDS_A_LIBRARY) >= GUIDES[guide]


@pytest.mark.libraries
@pytest.mark.parametrize("guide", WITH_LIBRARIES)
def test_commands_that_need_a_library_too(folder: Path, shell: dict[str, str], guide: str) -> None:
    nothing = re.compile("(?!)")
    assert check_guide(guide, folder, shell, nothing) >= WITH_LIBRARIES[guide]


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
    assert len(found) == 9
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
    text = guide()
    for name in (*CATALOGUE, *PRESETS):
        assert f"| {name} |" in text
    # What every score has.
    text += GUIDE.read_text(encoding="utf-8")
    for name in CATALOGUE:
        metric = counting(name)
        (references,) = with_made_sources(metric, ["a cat"])
        (hypothesis,) = with_made_edits(metric, ["a cat"])
        score = metric.sentence_score(hypothesis, references)
        assert [part for part in score.to_dict() if f"`{part}`" not in text] == []
