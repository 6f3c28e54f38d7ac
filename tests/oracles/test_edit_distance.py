"""The plain edit distance against rapidfuzz and NLTK, and against its definition."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import WER, EditDistance
from tests.oracles import fuzz

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal

    from tests.evaluation_data import EvaluationData

SEED, PAIRS = 61, 1_000


def texts() -> tuple[list[str], list[str]]:
    hypotheses, references = fuzz.segments(SEED, PAIRS)
    return hypotheses, [several[0] for several in fuzz.all_references(references)]


def scores(hypotheses: list[str], references: list[str], **options: Any) -> list[float]:
    return list(EditDistance(**options).sentence_scores(hypotheses, references).values)


def least_edits(ours: Sequence[object], theirs: Sequence[object]) -> int:
    """Return the fewest edits, as Levenshtein defines them."""

    @cache
    def edits(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        replaced = edits(i - 1, j - 1) + (ours[i - 1] != theirs[j - 1])
        return min(replaced, edits(i - 1, j) + 1, edits(i, j - 1) + 1)

    return edits(len(ours), len(theirs))


def test_its_definition() -> None:
    pairs = [pair for pair in zip(*texts(), strict=True) if max(map(len, pair)) < 25][:150]
    hypotheses, references = [one for one, _ in pairs], [other for _, other in pairs]
    assert scores(hypotheses, references) == [least_edits(*pair) for pair in pairs]
    words = [least_edits(one.split(), other.split()) for one, other in pairs]
    assert scores(hypotheses, references, tokenize="words") == words
    assert len(set(words)) > 5


def check_peers(hypotheses: list[str], references: list[str]) -> None:
    levenshtein = import_module("rapidfuzz.distance").Levenshtein
    ways: list[tuple[Literal["char", "words"], Callable[[str], Any]]]
    ways = [("char", str), ("words", str.split)]
    for tokenize, read in ways:
        pairs = [(read(a), read(b)) for a, b in zip(hypotheses, references, strict=True)]
        found = scores(hypotheses, references, tokenize=tokenize)
        assert found == [levenshtein.distance(*pair) for pair in pairs]
        total = EditDistance(tokenize=tokenize).corpus_score(hypotheses, references)
        assert total.score == total.edits == sum(found)
        longer = scores(hypotheses, references, tokenize=tokenize, normalize="longer")
        rates = [100 * levenshtein.normalized_distance(*pair) for pair in pairs]
        assert longer == pytest.approx(rates, rel=1e-12, abs=1e-12)
        equal = [100 * levenshtein.normalized_similarity(*pair) for pair in pairs]
        assert [100 - one for one in longer] == pytest.approx(equal, rel=1e-12, abs=1e-12)


@pytest.mark.peers
def test_rapidfuzz() -> None:
    """Characters and words.

    > **The same number**: of a segment, `Levenshtein.distance` of rapidfuzz, `edit_distance` of
      NLTK, and, with `normalize="longer"`, `Levenshtein.normalized_distance` of rapidfuzz times
      100; its `normalized_similarity` is 100 minus this.

    > | `levenshtein` | `Levenshtein.distance` of rapidfuzz, `edit_distance` of NLTK | none; of a
      corpus, the sum |
    """
    check_peers(*texts())


@pytest.mark.peers
@pytest.mark.parametrize(
    "alphabet", ["ab", "abc \u00e9\u0436", "".join(map(chr, range(0x4E00, 0x5200)))]
)
def test_kinds_of_edits_around_blocks_of_64_characters(alphabet: str) -> None:
    """Texts differ at both ends, so that their lengths are those of the table."""
    rng = random.Random(len(alphabet))
    editops = import_module("rapidfuzz.distance").Levenshtein.editops
    metric = EditDistance()
    lengths = (1, 63, 64, 65, 127, 128, 129, 130, 191, 193, 256, 257)
    for length in lengths:
        for other in (length, length // 2, length + 70):
            reference = f"<{''.join(rng.choices(alphabet, k=length))}>"
            kept = [c for c in reference[1:-1] if rng.random() < 0.7]
            hypothesis = f"[{''.join(kept)}{''.join(rng.choices(alphabet, k=other))}]"
            found = metric.sentence_score(hypothesis, reference)
            kinds = Counter(one.tag for one in editops(reference, hypothesis))
            assert found.substitutions == kinds["replace"]
            assert (found.deletions, found.insertions) == (kinds["delete"], kinds["insert"])


@pytest.mark.peers
@pytest.mark.data
def test_real_translations(evaluation_data: EvaluationData) -> None:
    folder = "data/wmt13/de-en"
    check_peers(evaluation_data.system(folder, "uedin-wmt13"), evaluation_data.reference(folder))


@pytest.mark.peers
def test_nltk() -> None:
    edit_distance = import_module("nltk").edit_distance
    hypotheses, references = (some[:150] for some in texts())
    pairs = list(zip(hypotheses, references, strict=True))
    assert scores(hypotheses, references) == [edit_distance(*pair) for pair in pairs]
    words = [edit_distance(one.split(), other.split()) for one, other in pairs]
    assert scores(hypotheses, references, tokenize="words") == words


def test_the_rate_is_that_of_wer() -> None:
    hypotheses, references = ([one.strip() for one in some] for some in texts())
    ours = EditDistance(normalize="reference").corpus_score(hypotheses, references)
    assert ours.score == WER(tokenize="char").corpus_score(hypotheses, references).score
    words = EditDistance(normalize="reference", tokenize="words", lowercase=True)
    single = WER(whitespace="single", lowercase=True)
    found = words.corpus_score(hypotheses, references).score
    assert found == single.corpus_score(hypotheses, references).score > 0


def test_texts_are_compared_as_they_are() -> None:
    assert EditDistance().sentence_score(" a ", "a").score == 2
    assert EditDistance().sentence_score("a\tb", "a b").score == 1
    assert EditDistance(tokenize="words").sentence_score("a\tb", " a b ").score == 0


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [("", "", (0, 0, 0)), ("ab", "", (2, 200, 100)), ("", "ab", (2, 100, 100))],
)
def test_empty_texts(hypothesis: str, reference: str, expected: tuple[float, ...]) -> None:
    options: tuple[Literal["none", "reference", "longer"], ...] = ("none", "reference", "longer")
    found = [scores([hypothesis], [reference], normalize=one)[0] for one in options]
    assert tuple(found) == expected
