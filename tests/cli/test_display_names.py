from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.cli.main import COMMANDS
from bleuet.cli.options import SYSTEMS
from bleuet.errors import OptionError
from bleuet.evaluation.names import system_names, without_common_ending
from bleuet.output.escaping import in_latex, in_markdown, printable, well_formed
from bleuet.text.source import Source
from tests.corpora import SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Outcome

# Names as Python hands them over, bytes that are no UTF-8 included.
names = st.binary(min_size=1).map(lambda data: data.decode("utf-8", "surrogateescape"))


@given(names)
def test_a_printable_name_is_one_line_that_can_be_written(name: str) -> None:
    shown = printable(name)
    assert shown.isprintable()
    assert shown.encode().decode() == shown
    assert printable(shown) == shown


@given(st.text())
def test_a_well_formed_name_stays_as_it_is(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        return
    assert well_formed(name) == name


@given(names)
def test_markdown_never_sees_a_bare_pipe(name: str) -> None:
    shown = in_markdown(name)
    bare = shown.replace("\\\\", "").replace("\\|", "")
    assert "|" not in bare
    assert "\n" not in shown


@given(names)
def test_latex_sees_no_bare_special(name: str) -> None:
    bare = in_latex(name)
    for escaped in (r"\textbackslash{}", r"\textasciicircum{}", r"\textasciitilde{}",
                    r"\textless{}", r"\textgreater{}", r"\textbar{}",
                    "{[}", "{]}", "{*}"):  # fmt: skip
        bare = bare.replace(escaped, "")
    for special in "{}_%&#$":
        bare = bare.replace("\\" + special, "")
    assert not set(bare) & set("\\{}_%&#$^~[]*<>|\n")


def test_short_names_unless_two_are_the_same() -> None:
    assert system_names([Source("x/a.txt"), Source("y/b.txt")]) == ["a.txt", "b.txt"]
    assert system_names([Source("x/a.txt"), Source("y/a.txt")]) == ["x/a.txt", "y/a.txt"]
    assert system_names([Source("d.tsv", "1"), Source("d.tsv", "2")]) == ["d.tsv:1", "d.tsv:2"]
    with pytest.raises(OptionError, match=r"x/a\.txt is named twice"):
        system_names([Source("x/a.txt"), Source("x/a.txt")])


parts = st.sampled_from(["a", "b", "1", ".", "..", "/", "txt", ".txt", ".en", ".5", ":hyp", "é"])


@given(st.lists(st.lists(parts, min_size=1, max_size=6).map("".join), unique=True, max_size=4))
def test_names_without_their_common_ending_stay_apart(names: list[str]) -> None:
    shown = without_common_ending(names)
    assert len(set(shown)) == len(names)
    endings = {name.removeprefix(own) for name, own in zip(names, shown, strict=True)}
    assert all(name.startswith(own) for name, own in zip(names, shown, strict=True))
    assert len(endings) <= 1
    for name, own, ending in zip(names, shown, [*endings] * len(names), strict=False):
        assert own == name or own.rpartition("/")[2].strip(".")
        assert not ending or ending[0] == "."
        assert "/" not in ending
    assert without_common_ending(shown) == shown


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["a.en.txt.gz", "b.en.txt.gz"], ["a", "b"]),
        (["a.de.txt", "b.en.txt"], ["a.de", "b.en"]),
        (["v1.5", "v2.5"], ["v1.5", "v2.5"]),
        (["x/out.txt", "y/out.txt"], ["x/out", "y/out"]),
        (["x.d/out", "y.d/out"], ["x.d/out", "y.d/out"]),
        (["a.tsv:hyp", "b.tsv:hyp"], ["a", "b"]),
        (["d.tsv:1", "d.tsv:2"], ["d.tsv:1", "d.tsv:2"]),
        (["a.txt"], ["a.txt"]),
        ([".txt", "a.txt"], [".txt", "a.txt"]),
        ([], []),
    ],
)
def test_common_endings(names: list[str], shown: list[str]) -> None:
    assert without_common_ending(names) == shown


# --- The same in every command --------------------------------------------------------------------

# How each command that takes systems shows the name of the first of them. explain shows no name.
TAKING: dict[str, tuple[tuple[str, ...], str]] = {
    "score": ((), "{}"),
    "compare": (("--show", "scores"), "{}"),
    "significance": (("--draws", "20", "-m", "ter"), "{}"),
    "gate": (("--draws", "100", "-m", "ter"), "the baseline {}."),
    "lint": ((), "{}:2"),
    "align": ((), ""),
    "matrix": ((), ""),
    "mbr": ((), ""),
    "meta": (("--human", "human.tsv"), ""),
    "explain": (("--from", "bleu", "--to", "ter"), ""),
}


def commands_with_systems() -> list[str]:
    found = []
    for name, (module, _) in COMMANDS.items():
        command = getattr(import_module(module), "COMMAND", None)
        takes_systems = command and any(flag.dest == SYSTEMS.dest for flag in command.flags)
        # serve prints nothing, and its page has the names that tests/web/ reads.
        if takes_systems and name != "serve":
            found.append(name)
    return found


def words_for(command: str, one: str, other: str) -> list[str]:
    more = TAKING[command][0]
    if command == "gate":
        return [command, "ref.txt", "--baseline", one, "-i", other, "-q", *more]
    if command in ("align", "matrix"):
        return [command, "ref.txt", "-i", one, "-q"]
    if command == "explain":
        return [command, "ref.txt", "-q", "--from", "bleu", "--to", "bleu:lowercase", "-i", one]
    return [command, "ref.txt", "-i", one, other, "-q", *more]


@pytest.fixture
def systems(folder: Path) -> Path:
    """Two systems with common endings, whose second lines are empty, and human scores."""
    for name, lines in (("north", SYSTEM_A), ("south", SYSTEM_B)):
        write_lines(folder / f"{name}.en.txt", [lines[0], "", *lines[2:]])
        write_lines(folder / f"x={name}.en.txt", [lines[0], "", *lines[2:]])
    rows = [f"{s}\t{name}\t{s + n}" for s in range(4) for n, name in enumerate(("north", "south"))]
    write_lines(folder / "human.tsv", ["segment\tsystem\tscore", *rows])
    return folder


def test_every_command_with_systems_is_tried() -> None:
    assert sorted(commands_with_systems()) == sorted(TAKING)


@pytest.mark.usefixtures("systems")
@pytest.mark.parametrize("command", TAKING)
class TestEveryCommand:
    def shown(self, command: str, name: str) -> str:
        return TAKING[command][1].format(name)

    def test_a_name_on_the_command_line(self, run: Callable[..., Outcome], command: str) -> None:
        plain = run(*words_for(command, "north.en.txt", "south.en.txt"))
        named = run(*words_for(command, "north=north.en.txt", "south=south.en.txt"))
        assert (plain.code, plain.err) == (named.code, named.err)
        assert plain.code in (0, 3)
        if command == "lint":
            assert named.out.replace(".en.txt", "").split() == (
                plain.out.replace(".en.txt", "").split()
            )
        else:
            assert named == plain
        assert self.shown(command, "north") in named.out

    def test_a_file_whose_name_contains_an_equals_sign_comes_first(
        self, run: Callable[..., Outcome], command: str
    ) -> None:
        if command == "meta":
            return  # human scores decide which names there are
        outcome = run(*words_for(command, "x=north.en.txt", "south.en.txt"))
        assert outcome.code in (0, 3)
        assert self.shown(command, "x=north.en.txt" if command == "lint" else "x=north") in (
            outcome.out
        )

    @pytest.mark.parametrize(
        ("word", "reason"),
        [
            ("=north.en.txt", "a system is HYP or NAME=HYP, not '=north.en.txt'"),
            ("north=", "a system is HYP or NAME=HYP, not 'north='"),
            ("north=no", "there is no file no"),
            ("north=north.en.txt,south.en.txt", "2 runs"),
            ("", "got an empty file name"),
        ],
    )
    def test_a_wrong_name(
        self, run: Callable[..., Outcome], command: str, word: str, reason: str
    ) -> None:
        outcome = run(*words_for(command, word, "south.en.txt"))
        assert (outcome.out, outcome.err.count("\n")) == ("", 1)
        assert outcome.code in (1, 2)
        if command != "significance" or "runs" not in reason:
            assert reason in outcome.err

    def test_two_systems_of_one_name(self, run: Callable[..., Outcome], command: str) -> None:
        if command in ("align", "explain", "matrix", "mbr"):
            return  # it takes one system, or shows no names
        for name in ("north", "south"):
            Path(f"x={name}.en.txt").unlink()
        outcome = run(*words_for(command, "x=north.en.txt", "x=south.en.txt"))
        if command == "gate":  # its two systems are apart in any case
            assert "x (new) is compared with the baseline x" in outcome.out
            return
        assert (outcome.code, outcome.out) == (2, "")
        assert "two systems are named x: give each its own name" in outcome.err
