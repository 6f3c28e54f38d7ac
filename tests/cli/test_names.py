from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.cli.names import in_latex, in_markdown, names_of, printable, well_formed
from understudy.errors import OptionError
from understudy.text.source import Source

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
    assert names_of([Source("x/a.txt"), Source("y/b.txt")]) == ["a.txt", "b.txt"]
    assert names_of([Source("x/a.txt"), Source("y/a.txt")]) == ["x/a.txt", "y/a.txt"]
    assert names_of([Source("d.tsv", "1"), Source("d.tsv", "2")]) == ["d.tsv:1", "d.tsv:2"]
    with pytest.raises(OptionError, match=r"x/a\.txt was given twice"):
        names_of([Source("x/a.txt"), Source("x/a.txt")])
