"""TER's edits by hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bleuet import TER
from bleuet.metrics.ter.definition import beam, edit_distance, edits_to, shift, ter_row
from tests.backends import counted_by, counted_by_python, kernel


def edits(hypothesis: str, reference: str) -> int:
    return edits_to(hypothesis.split(), reference.split())


def edits_by_both(hypothesis: list[str], reference: list[str]) -> int:
    """Return the edits that the Python backend finds, and check that the kernel finds as many."""
    found = edits_to(hypothesis, reference)
    scored = TER().sentence_score(" ".join(hypothesis), " ".join(reference))
    assert scored.num_edits == found
    return found


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("a b c", "a b c", 0),
        ("", "", 0),
        ("a b", "", 2),
        ("", "a b", 2),
        ("a b c", "a x c", 1),
        ("a b c", "a c", 1),
        ("a c", "a b c", 1),
        # One word moves, one run of words moves, two runs move.
        ("d a b c", "a b c d", 1),
        ("d e f a b c", "a b c d e f", 1),
        ("b a d c", "a b c d", 2),
        # A shift and a substitution.
        ("d a b x", "a b c d", 2),
    ],
)
def test_edits(hypothesis: str, reference: str, expected: int) -> None:
    assert edits(hypothesis, reference) == expected


def test_a_shift_costs_less_than_the_edits_it_saves() -> None:
    hypothesis, reference = ["c", "d", "a", "b"], ["a", "b", "c", "d"]
    assert edit_distance(hypothesis, reference)[0] == 4
    assert edits_to(hypothesis, reference) == 1


def test_a_run_of_ten_words_moves_at_once_and_one_of_eleven_does_not() -> None:
    def moved(n: int) -> int:
        run, rest = [f"r{i}" for i in range(n)], [f"s{i}" for i in range(12)]
        return edits_by_both(run + rest, rest + run)

    assert moved(10) == 1
    assert moved(11) == 2


def test_words_move_fifty_places_and_no_further() -> None:
    def moved(places: int) -> int:
        rest = [f"s{i}" for i in range(places)]
        edits = edits_by_both(["a", *rest], [*rest, "a"])
        assert edits_by_both([*rest, "a"], ["a", *rest]) == edits
        return edits

    assert moved(50) == 1
    assert moved(51) == 2


def test_the_edits_to_the_nearest_and_the_mean_length() -> None:
    hypothesis = ["a", "b", "c"]
    references = [["a", "b", "x", "y", "z"], ["a", "b", "c", "d"], []]
    assert ter_row(hypothesis, references) == (1, 3.0)


def test_the_beam_follows_the_diagonal() -> None:
    assert beam(1, 2, 2) == range(0, 3)
    assert beam(50, 100, 100) == range(25, 75)
    assert beam(100, 100, 100) == range(75, 101)
    # Against twenty times as many words each row is 20 further on, and 25 to each side are in.
    assert beam(3, 10, 200) == range(60 - 25, 60 + 25)
    # Against a hundred times as many, half of that would not reach the next row: 100 / 2 + 25.
    assert beam(3, 10, 1000) == range(300 - 75, 300 + 75)


def test_shifts_keep_the_words() -> None:
    words: list[Any] = list("abcdef")
    for start in range(6):
        for length in range(1, 7 - start):
            for target in range(7):
                shifted: list[Any] = shift(words, start, length, target)
                assert sorted(shifted) == words
    assert shift(words, 1, 2, 5) == list("adebcf")
    assert shift(words, 4, 2, 0) == list("efabcd")


def moved_blocks(draw: random.Random) -> tuple[str, str]:
    """Return a text, and the same with blocks of words moved and words replaced."""
    hypothesis = draw.choices("abcdefgh", k=draw.randint(4, 24))
    reference = list(hypothesis)
    for _ in range(draw.randint(1, 4)):
        start, size = draw.randrange(len(reference)), draw.randint(1, 5)
        block = reference[start : start + size]
        del reference[start : start + size]
        place = draw.randint(0, len(reference))
        reference[place:place] = block
    for _ in range(draw.randint(0, 3)):
        reference[draw.randrange(len(reference))] = draw.choice("abcdefghx")
    return " ".join(hypothesis), " ".join(reference)


@pytest.mark.slow
def test_both_backends_move_the_same_blocks() -> None:
    draw = random.Random(7)
    pairs = [moved_blocks(draw) for _ in range(200)]
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    with counted_by(kernel()):
        table = TER().count(hypotheses, references)
    with counted_by_python():
        expected = TER().count(hypotheses, references)
    different = [pair for row, pair in enumerate(pairs) if table.row(row) != expected.row(row)]
    assert different == []
