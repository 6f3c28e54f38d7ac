"""The completion scripts: what a shell would offer."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.score import COMMAND
from bleuet.metrics.catalogue import CATALOGUE, PRESETS
from bleuet.output.rendering import FORMATS
from tests.cli.conftest import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.libraries
ASK = """
source ./script
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
COMPREPLY=()
_shtab_bleuet bleuet "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def offered(run: Callable[..., Outcome]) -> Callable[[str], set[str]]:
    """Ask bash what it would offer behind some words."""
    Path("script").write_text(run("completion", "bash").out)

    def ask(words: str) -> set[str]:
        done = subprocess.run(
            ["bash", "-c", ASK.format(words=words)], capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        return set(done.stdout.split())

    return ask


def test_the_script_is_bash(run: Callable[..., Outcome]) -> None:
    script = run("completion", "bash").out
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_every_option_is_in_every_script(run: Callable[..., Outcome], shell: str) -> None:
    outcome = run("completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for flag in COMMAND.flags:
        for option in flag.names:
            if option.startswith("--"):
                assert option.removeprefix("--") in outcome.out


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("bleuet ", {"score", "help", "completion"}),
        ("bleuet help sc", {"score"}),
        ("bleuet score --th", {"--threads"}),
        ("bleuet score --smooth", {"--smooth", "--smooth-value", "--smooth-unmatched"}),
        ("bleuet score ref.txt -i a.txt --format ", set(FORMATS)),
        ("bleuet score ref.txt -i a.txt --reference-length s", {"shortest"}),
        ("bleuet score ref.txt -i a", {"a.txt"}),
        ("bleuet completion ", {"bash", "zsh", "fish", "tcsh"}),
    ],
)
def test_fish(run: Callable[..., Outcome], words: str, values: set[str]) -> None:
    Path("script").write_text(run("completion", "fish").out)
    ask = f"source script; complete -C {words!r}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", ask], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    offered = {line.partition("\t")[0] for line in done.stdout.splitlines()}
    assert offered >= values


def test_commands(offered: Callable[[str], set[str]]) -> None:
    assert {"score", "metrics", "tokenizers", "completion"} <= offered('bleuet ""')


def test_options(offered: Callable[[str], set[str]]) -> None:
    assert offered("bleuet score --th") == {"--threads"}
    assert {"--tokenize", "--smooth", "--confidence"} <= offered("bleuet score --")


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ('--format ""', set(FORMATS)),
        ("--smooth f", {"floor"}),
        ("--reference-length s", {"shortest"}),
        ("--tokenize ja", {"ja-mecab"}),
        ('-m ""', {*CATALOGUE, *PRESETS}),
    ],
)
def test_values(offered: Callable[[str], set[str]], words: str, values: set[str]) -> None:
    assert offered(f"bleuet score ref.txt -i a.txt {words}") >= values


def test_files(offered: Callable[[str], set[str]]) -> None:
    assert offered("bleuet score re") == {"ref.txt", "ref2.txt"}
    assert offered("bleuet score ref.txt -i a") == {"a.txt"}
    assert offered("bleuet score ref.txt -o b") == {"b.txt"}


def test_shells(offered: Callable[[str], set[str]]) -> None:
    assert {"bash", "zsh", "fish", "tcsh"} <= offered('bleuet completion ""')


def test_help_of_commands(offered: Callable[[str], set[str]]) -> None:
    assert offered("bleuet help sc") == {"score"}
