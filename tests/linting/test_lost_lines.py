"""A line that is lost, added, merged or split is found where it was, within a line."""

from __future__ import annotations

import random

import pytest

from bleuet.linting.linting import lint, lint_lengths
from bleuet.linting.lost_lines import ADDED, LOST, MERGED, SPLIT, align
from tests.corpora.scripts import make

KINDS = {"lost": LOST, "added": ADDED, "merged": MERGED, "split": SPLIT}


def damaged(texts: list[str], kind: str, at: int, other: str) -> list[str]:
    """Return lines with one fault at a line from 0."""
    before, line, after = texts[:at], texts[at], texts[at + 1 :]
    if kind == "lost":
        return [*before, *after]
    if kind == "added":
        return [*before, other, line, *after]
    if kind == "merged":
        return [*before, f"{line} {after[0]}", *after[1:]]
    middle = len(line) // 2
    return [*before, line[:middle], line[middle:], *after]


@pytest.mark.slow
@pytest.mark.parametrize("script", ["latin", "cyrillic", "han", "arabic"])
@pytest.mark.parametrize("kind", KINDS)
def test_one_fault_is_found_where_it_was(script: str, kind: str) -> None:
    for seed in range(3):
        _, references, texts = make(seed, script, 60)
        draw = random.Random(f"{seed} {kind} {script}")
        at = draw.randrange(1, 58)
        steps = align(damaged(texts, kind, at, make(99, script, 1).hypotheses[0]), references)
        assert steps is not None
        (step,) = steps
        assert abs(step.line - at) <= 1
        # A cut in an arbitrary place may leave a half that is like nothing.
        assert step.kind == KINDS[kind] or (kind, step.kind) == ("split", ADDED)
        assert step.first - 1 <= at <= step.last + 1


def test_several_faults_are_all_found() -> None:
    _, references, texts = make(5, size=120)
    for at in (90, 50, 20):
        del texts[at]
    found = lint(texts, references).findings
    assert [one.check for one in found] == ["length"] * 3
    for finding, line in zip(found, (21, 50, 89), strict=True):
        assert abs(finding.lines[0] - line) <= 1


@pytest.mark.parametrize(("at", "line"), [(0, 1), (59, 59)])
def test_the_first_and_the_last_line(at: int, line: int) -> None:
    _, references, texts = make(6, size=60)
    del texts[at]
    (finding,) = lint(texts, references).findings
    assert finding.lines == (line,)


def test_files_that_do_not_belong_together() -> None:
    _, references, _ = make(7, size=60)
    other = make(8, size=59).hypotheses
    (finding,) = lint(other, references).findings
    assert (finding.lines, "another test set" in finding.message) == ((), True)
    (finding,) = lint(other[:9], references).findings
    assert "more than 30 are not searched for" in finding.message
    assert "which bleuet align cuts" in finding.message
    (finding,) = lint([], references).findings
    assert finding.lines == ()


def test_references_and_sources_of_another_length() -> None:
    source, references, texts = make(9, size=60)
    (finding,) = lint(texts, references, source=source[:-1]).findings
    assert (finding.role, finding.message.startswith("it has 59 lines")) == ("source", True)
    (finding,) = lint([*texts, "."], [[one, None] for one in references]).findings
    assert finding.lines == (61,)


def test_each_file_of_another_length_is_compared_with_the_first_references() -> None:
    """A second file of references and a second system too."""
    source, references, texts = make(9, size=60)
    second = [f"Or {one}" for one in references]
    del second[30], texts[20]
    found = lint_lengths(
        {"a": references, "b": texts},
        {"first": references, "second": second},
        ("source", [*source, "Xi."]),
    )
    assert found is not None
    assert [(one.file, one.role, one.lines) for one in found.findings] == [
        ("b", "hypotheses", (21,)),
        ("second", "references", (31,)),
        ("source", "source", ()),
    ]
    assert lint_lengths({"a": references}, {"first": references}, ("source", source)) is None
    assert lint_lengths({"b": texts}, {"first": references}, None, ["empty"]) is None
    assert lint_lengths({"b": texts}, {"first": []}) is None
