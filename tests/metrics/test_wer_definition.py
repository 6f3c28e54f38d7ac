"""The edits of WER by their laws: each word once, in order, and as few as the distance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.metrics.wer import definition
from bleuet.metrics.wer.definition import DELETE, HIT, INSERT, SUBSTITUTE, levenshtein_edits
from tests.effort import examples

WORDS = st.text("abc", max_size=9)


def distance(reference: str, hypothesis: str) -> int:
    """The Levenshtein distance by its recurrence (Wagner and Fischer 1974)."""
    row = list(range(len(hypothesis) + 1))
    for i, word in enumerate(reference, 1):
        before, row = row, [i]
        for j, other in enumerate(hypothesis, 1):
            row.append(min(before[j - 1] + (word != other), before[j] + 1, row[-1] + 1))
    return row[-1]


@pytest.mark.parametrize("in_halves", [False, True])
@examples(300)
@given(reference=WORDS, hypothesis=WORDS)
def test_edits_take_each_word_once_in_order_and_are_as_few_as_the_distance(
    in_halves: bool, reference: str, hypothesis: str
) -> None:
    def is_large(n: int, m: int, _: int) -> bool:
        return in_halves and n > 1 and m > 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(definition, "_is_large", is_large)
        edits = levenshtein_edits(reference, hypothesis)
    at_r, at_h = 0, 0
    for kind, r, h in edits:
        assert (r, h) == (at_r, at_h)
        if kind in (HIT, SUBSTITUTE):
            assert (reference[r] == hypothesis[h]) == (kind == HIT)
        at_r += kind != INSERT
        at_h += kind != DELETE
    assert (at_r, at_h) == (len(reference), len(hypothesis))
    assert sum(kind != HIT for kind, _, _ in edits) == distance(reference, hypothesis)
