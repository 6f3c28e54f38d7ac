"""Commands print what the pages show, and the guide to the command line is whole."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.cli.gate import COMMAND as GATE
from bleuet.cli.main import COMMANDS, main, read_arguments
from bleuet.cli.score import COMMAND
from bleuet.metrics.catalogue import CATALOGUE, NEURAL, PRESETS
from bleuet.output.rendering import FORMATS
from tests.cli.conftest import environment
from tests.contract.settings import counting, with_made_edits, with_made_sources
from tests.documents import DOCS, examples
from tests.evaluation_data import REPOSITORY
from tests.groups import groups_of_file
from tests.metrics.guide import FOLDER, guide

if TYPE_CHECKING:
    from collections.abc import Iterator

GUIDE = DOCS / "command-line.md"


def comparable(text: str, guide: str) -> str:
    """Return a text without version, times and, of weights, the processor's last digits."""
    text = re.sub(r"bleuet-\d[\w.]*", "bleuet-VERSION", text)
    # Runs of a history have the time of the test.
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", text)
    if guide == "tuning.md":
        text = re.sub(r"\d+\.\d{15,}", lambda found: f"{float(found[0]):.14g}", text)
    return text


# How many commands of the longest guides are run at least; of other pages at least one.
LEAST = {
    "align.md": 6,
    "diversity.md": 2,
    "command-line.md": 16,
    "comparison.md": 5,
    "gate.md": 2,
    "meta-evaluation.md": 3,
    "report.md": 2,
    "significance.md": 4,
    "tuning.md": 3,
}
# Guides of which some commands need pyarrow or vl_convert, and how many run with them.
WITH_LIBRARIES = {"command-line.md": 20, "gate.md": 6, "report.md": 4, "significance.md": 6}
# Such a command, and one that needs what it writes.
NEEDS_A_LIBRARY = re.compile(r"\.parquet|\bcharts\b|old\.json")
NOTHING = re.compile("(?!)")
# It compares each of 435 pairs of systems 10,000 times.
LONG = ("how-to/leaderboard.md",)
# Programs of other packages, where they are missing.
MISSING = [name for name in ("java", "curl") if shutil.which(name) is None]
WITHOUT_PROGRAMS = re.compile("|".join(rf"\b{name} " for name in MISSING) or "(?!)")
# Variables that commands read.
READ = ("SACREBLEU_SEED", "GITHUB_SHA", "CI_COMMIT_SHA")


@pytest.fixture
def shell(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of a shell in a folder with the examples, which finds the command."""
    for variable in READ:
        monkeypatch.delenv(variable, raising=False)
    shutil.copytree(REPOSITORY / "examples", folder / "examples")
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "bleuet"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bleuet "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    # Other programs stand beside this Python.
    folders = (str(programs), str(Path(sys.executable).parent), os.environ["PATH"])
    return environment(PATH=os.pathsep.join(folders), NO_COLOR="1", METEOR_JAR=meteor_jar())


def meteor_jar() -> str:
    """Return the path of METEOR's own program, which pycocoevalcap has."""
    found = find_spec("pycocoevalcap")
    (folder,) = (found and found.submodule_search_locations) or [""]
    return str(Path(folder, "meteor", "meteor-1.5.jar"))


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


def check_page(page: Path, folder: Path, shell: dict[str, str], left_out: re.Pattern[str]) -> int:
    """Run the commands of a page, and return how many there are.

    A file that is not there is made of what `cat` shows of it.
    """
    for name in folder.glob("*.txt"):
        name.unlink()
    ran = 0
    for line, command, shown in examples(page.read_text(encoding="utf-8")):
        file = re.fullmatch(r"cat ([\w.-]+)", command)
        if file and not (folder / file[1]).exists():
            (folder / file[1]).write_text(shown, encoding="utf-8")
        elif not (left_out.search(command) or WITHOUT_PROGRAMS.search(command)):
            found = printed(command, folder / "printed", shell)
            assert comparable(found, page.name) == comparable(shown, page.name), f"{page}:{line}"
            ran += 1
    return ran


def pages_with_commands() -> Iterator[Any]:
    """Yield each page as a parameter, in the groups that its first line names."""
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).as_posix()
        if examples(page.read_text(encoding="utf-8")):
            # Of some, the other commands are run without the libraries.
            groups = [] if name in WITH_LIBRARIES else sorted(groups_of_file(page))
            groups += ["long"] * (name in LONG)
            yield pytest.param(name, marks=[getattr(pytest.mark, group) for group in groups])


@pytest.mark.slow
@pytest.mark.parametrize("name", [*pages_with_commands()])
def test_every_command_prints_what_the_page_shows(
    folder: Path, shell: dict[str, str], name: str
) -> None:
    left_out = NEEDS_A_LIBRARY if name in WITH_LIBRARIES else NOTHING
    assert check_page(DOCS / name, folder, shell, left_out) >= LEAST.get(name, 1)


@pytest.mark.libraries
@pytest.mark.parametrize("name", WITH_LIBRARIES)
def test_commands_that_need_a_library_too(folder: Path, shell: dict[str, str], name: str) -> None:
    assert check_page(DOCS / name, folder, shell, NOTHING) >= WITH_LIBRARIES[name]


def test_every_page_of_a_metric_has_a_command() -> None:
    """Except those of what several metrics have, and of metrics that need a model."""
    without = {"smoothing", "tokenizers", *NEURAL}
    pages = [page for page in FOLDER.glob("*.md") if page.stem not in without]
    assert [page for page in pages if not examples(page.read_text(encoding="utf-8"))] == []


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
