from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.cli.display_names import system_names, without_common_ending
from bleuet.errors import OptionError
from bleuet.output.escaping import in_latex, in_markdown, printable, well_formed
from bleuet.text.source import Source

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
