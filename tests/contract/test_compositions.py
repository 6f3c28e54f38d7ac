"""A score that is made of parts is what its formula gives, and the parts of a difference add up."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, TER
from bleuet.metrics.base.composition import moved_by
from bleuet.metrics.catalogue import parse_metric
from tests.contract.settings import every_metric, settings_of, with_texts
from tests.effort import examples

if TYPE_CHECKING:
    from bleuet.metrics.base.score import Score


@every_metric
@examples(8)
@given(data=st.data())
def test_the_parts_give_the_score(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(settings_of(name), data):
        score = setting.metric().corpus_score(hypotheses, references)
        made = score.composition()
        if made is not None:
            assert made.value == pytest.approx(score.score, rel=1e-9, abs=1e-9), setting


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=4, max_size=12).map(" ".join)


@pytest.mark.parametrize(
    "word", ["bleu:smooth=add-k", "bleu:max_ngram_order=2,weights=0.3/0.7", "chrf", "wer"]
)
@examples(60)
@given(texts=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=5))
def test_the_parts_of_a_difference_add_up_to_it(word: str, texts: list[tuple[str, ...]]) -> None:
    metric = parse_metric(word)
    references, *systems = map(list, zip(*texts, strict=True))
    scores: list[Score] = [metric.corpus_score(own, references) for own in systems]
    for one, other in pairwise([*scores, scores[0]]):
        made, against = one.composition(), other.composition()
        assert made is not None
        assert against is not None
        parts = moved_by(made, against)
        if parts is None:
            assert 0 in (one.score, other.score)
            continue
        assert sum(part.points for part in parts) == pytest.approx(
            one.score - other.score, abs=1e-9
        )
        assert [part.left for part in parts] == [factor.value for factor in made.factors]


def test_no_formula_no_parts() -> None:
    assert TER().corpus_score(["a b"], ["a c"]).composition() is None
    zero = BLEU().corpus_score(["a"], ["b c d e f"]).composition()
    one = BLEU().corpus_score(["b c d e f"], ["b c d e f"]).composition()
    assert zero is not None
    assert one is not None
    assert moved_by(zero, one) is None
