"""The fingerprint of a test set: one for the same segments, however they come."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from bleuet import with_sources
from bleuet.errors import BleuetWarning, MismatchError
from bleuet.text.fingerprint import (
    Fingerprint,
    append_fingerprints,
    check_same_test_set,
    difference_between,
    fingerprint_of,
    is_fingerprint,
    of_read_texts,
    of_selected,
    parse_fingerprint,
    with_documents,
)
from bleuet.text.segments import TEXT, Segments

LINES = ["The boat left.", "", "Das Boot fährt \u2028 ab.", "a\tb", "The boat left."]


def of_lines(*files: list[str]) -> Segments:
    return Segments.of_lines(
        *([("".join(f"{line}\n" for line in file).encode(), len(file))] for file in files)
    )


@pytest.mark.parametrize(
    "same",
    [
        of_lines(LINES),
        Segments(TEXT, list(LINES)),
        [[line] for line in LINES],
        [[None, line] for line in LINES],
        with_sources(LINES, LINES[::-1]),
    ],
)
def test_the_form_of_the_texts_does_not_matter(same: object) -> None:
    found = Fingerprint()
    found.update(same)  # type: ignore[arg-type]
    assert str(found) == fingerprint_of(LINES)


def test_two_references_are_the_same_from_files_and_lists() -> None:
    others = [line.upper() for line in LINES]
    both, pairs = fingerprint_of(of_lines(LINES, others)), list(zip(LINES, others, strict=True))
    assert both == fingerprint_of(pairs) == fingerprint_of([[a, None, b] for a, b in pairs])
    assert both != fingerprint_of(of_lines(others, LINES))
    # What separates texts can be in texts.
    assert fingerprint_of([["a", "b"]]) != fingerprint_of(["1:a1:b"])
    assert fingerprint_of([["ab", "c"]]) != fingerprint_of([["a", "bc"]])


def test_references_that_differ_have_other_fingerprints() -> None:
    others: list[list[Any]] = [
        [],
        [""],
        ["", ""],
        [["", ""]],
        ["ab", "c"],
        ["a", "bc"],
        ["abc"],
        [["ab", "c"]],
        [["a"], ["b", "c"]],
        [["a", "b"], ["c"]],
        ["1:a"],
        ["1", "a"],
    ]
    for one, other in combinations(others, 2):
        assert fingerprint_of(one) != fingerprint_of(other), (one, other)


@pytest.mark.parametrize("seed", range(20))
def test_batches_and_parts_do_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    texts = ["".join(rng.choices("ab \n", k=rng.randint(0, 6))) for _ in range(30)]
    cuts = sorted(rng.sample(range(1, 30), 4))
    parts = [texts[a:b] for a, b in zip([0, *cuts], [*cuts, 30], strict=True)]
    batches = Fingerprint()
    for part in parts:
        batches.update(part)
    whole = fingerprint_of(texts)
    assert str(batches) == append_fingerprints(map(fingerprint_of, parts)) == whole


@pytest.mark.parametrize(
    "change",
    [
        lambda texts: texts[::-1],
        lambda texts: [*texts[1:], texts[0]],
        lambda texts: [texts[1], texts[0], *texts[2:]],
        lambda texts: [f"{texts[0]} ", *texts[1:]],
        lambda texts: [texts[0] + texts[1], "", *texts[2:]],
        lambda texts: texts[:-1],
        lambda texts: [*texts, ""],
    ],
)
def test_any_change_of_the_references_is_noticed(change: object) -> None:
    texts = [f"text {number}" for number in range(9)]
    changed = change(texts)  # type: ignore[operator]
    found = difference_between(fingerprint_of(changed), fingerprint_of(texts))
    expected = "other references"
    if len(changed) != len(texts):
        expected = f"{len(changed)} segments, not 9"
    assert found == expected


def test_a_source_counts_where_both_have_one() -> None:
    one, other = (fingerprint_of(with_sources(LINES, source)) for source in (LINES, LINES[::-1]))
    assert difference_between(one, other) == "another source"
    assert difference_between(one, of_read_texts(other, reads_sources=False)) == ""
    assert of_read_texts(one, reads_sources=False) == fingerprint_of(LINES)
    in_parts = [fingerprint_of(with_sources(LINES[a:b], LINES[a:b])) for a, b in ((0, 2), (2, 5))]
    assert append_fingerprints(in_parts) == one
    # The source of the whole is known only if that of each part is.
    plain = [fingerprint_of(LINES[a:b]) for a, b in ((0, 2), (2, 5))]
    for parts in ([in_parts[0], plain[1]], [plain[0], in_parts[1]], plain):
        assert append_fingerprints(parts) == fingerprint_of(LINES)


def test_documents_and_selected_segments() -> None:
    whole = fingerprint_of(LINES)
    one, other = (with_documents(whole, documents) for documents in ("aabbb", "aaabb"))
    assert difference_between(one, other) == "other documents"
    assert difference_between(one, whole) == ""
    assert with_documents(whole, None) == whole
    some = of_selected(whole, [1, 2])
    assert parse_fingerprint(some)["segments"] == "2"
    assert difference_between(some, of_selected(whole, [1, 3])) == "other segments"
    assert of_selected(whole, range(1, 6)) == whole
    assert append_fingerprints([some, whole]) == ""
    assert all(map(is_fingerprint, (whole, one, some, "0" * 64)))
    assert not any(map(is_fingerprint, ("", "x", f"{whole}|more:1", 1, None, "segments:1")))


def test_what_is_known_is_compared_and_what_is_not_warns() -> None:
    whole, others = fingerprint_of(LINES), fingerprint_of(LINES[::-1])
    check_same_test_set("a.json", whole, "b.txt", whole)
    with pytest.raises(MismatchError, match=r"a\.json was .* than b\.txt: it has other references"):
        check_same_test_set("a.json", others, "b.txt", whole)
    with pytest.warns(BleuetWarning, match="it has other references"):
        check_same_test_set("a.json", others, "b.txt", whole, allow_mismatch=True)
    for unknown in ("", "0" * 64):
        with pytest.warns(BleuetWarning, match=r"a\.json has no fingerprint"):
            check_same_test_set("a.json", unknown, "b.txt", whole)
