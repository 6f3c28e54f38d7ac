"""The completion scripts: what a shell would offer."""

from __future__ import annotations

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


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_option_is_in_every_script(run: Callable[..., Outcome], shell: str) -> None:
    outcome = run("completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for flag in COMMAND.flags:
        for option in flag.names:
            if option.startswith("--"):
                assert option.removeprefix("--") in outcome.out


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
    assert {"bash", "zsh", "tcsh"} <= offered('bleuet completion ""')
