"""sacreBLEU run live on texts that no one would write: statistics and scores are identical."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from tests.oracles import found_segments, fuzz
from tests.oracles.sacrebleu_peer import (
    SETTINGS,
    Difference,
    Pair,
    first_difference,
    forget,
    rows_of,
    their_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

pytestmark = pytest.mark.peers
PART = 100


@pytest.fixture(autouse=True)
def _bounded_memory() -> Iterator[None]:
    yield
    forget()


def kept(found: Difference | None) -> Difference | None:
    """Keep a segment that differs for every later run."""
    if found is not None:
        found_segments.keep(found_segments.Found.of(*found[:3]))
    return found


def difference(
    pair: Pair, hypotheses: Sequence[str], references: Sequence[Any]
) -> Difference | None:
    """Compare the rows and scores of all segments, and the scores of corpora of them."""
    metric, theirs = pair.ours(), pair.theirs()
    rows: list[list[Any]] = their_rows(theirs, hypotheses, references)
    table = metric.count(hypotheses, references)
    # Their smoothing changes the row it is given. Equal to the last bit, not only nearly.
    scores = [theirs._compute_score_from_stats(list(row)).score for row in rows]
    mine = list(zip(rows_of(table), metric.segment_scores(table).values, strict=True))
    others = list(zip(rows, scores, strict=True))
    for segment in zip(hypotheses, references, mine, others, strict=True):
        if segment[2] != segment[3]:
            return Difference(pair, *segment)
    for start in range(0, len(rows), PART):
        score = metric.score(table.select(range(len(rows))[start : start + PART]).totals()).score
        expected = theirs._aggregate_and_compute(rows[start : start + PART]).score
        assert score == pytest.approx(expected, rel=1e-12, abs=0), pair
    return None


@pytest.mark.parametrize("family", SETTINGS)
def test_rows_and_scores(family: str) -> None:
    count = math.ceil(fuzz.pairs() / len(SETTINGS[family]))
    found, compared = [], 0
    for place, pair in enumerate(SETTINGS[family], 100 * list(SETTINGS).index(family)):
        for hypotheses, references in fuzz.chunks(place, count):
            found.append(kept(difference(pair, hypotheses, references)))
            compared += len(hypotheses)
            forget()
    assert compared >= fuzz.pairs()
    assert [one for one in found if one is not None] == []


BLEU, CHRF, TER = Pair("bleu", {}), Pair("chrf", {}), Pair("ter", {})
# Pairs, tokens and the size of the vocabulary.
LONG = {
    "bleu": [
        (BLEU, 10_000, 50),
        (BLEU, 10_000, 9_000),
        (Pair("bleu", {"max_ngram_order": 12}), 300, 3),
        # Around 64 and 128 tokens the kernel goes from one way of counting to another.
        *[(BLEU, tokens, 20) for tokens in (63, 64, 65, 127, 128, 129)],
    ],
    "chrf": [
        (CHRF, 10_000, 50),
        (Pair("chrf", {"word_order": 2}), 10_000, 9_000),
        *[(CHRF, tokens, 20) for tokens in (63, 64, 65, 127, 128, 129)],
    ],
    "ter": [*[(TER, tokens, 2 * tokens) for tokens in (24, 25, 63, 64, 65, 129)], (TER, 60, 8)],
}


@pytest.mark.parametrize("name", LONG)
def test_long_segments(name: str) -> None:
    for pair, tokens, vocabulary in LONG[name]:
        count = 1 if tokens >= 10_000 else 4 if name == "ter" else 20
        texts = fuzz.long_segments(tokens, tokens, vocabulary, count)
        assert first_difference(pair, *texts) is None


def test_ter_where_the_beam_binds() -> None:
    """Words lie more than 25 places from where the diagonal has them, so the beam costs edits."""
    hypotheses, references = [], []
    for gap in (20, 24, 25, 26, 30, 40):
        for length in (30, 60, 70):
            words = [f"w{i}" for i in range(length)]
            more = [f"v{i}" for i in range(gap)]
            hypotheses += [" ".join(words), " ".join(more + words), " ".join(words[gap // 2 :])]
            references += [" ".join(more + words), " ".join(words), " ".join(words + more)]
    assert first_difference(TER, hypotheses, references) is None


def test_a_difference_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pair = Pair("bleu", {"max_ngram_order": 2})
    lowercase = Pair("bleu", {"max_ngram_order": 2, "lowercase": True}).ours()
    monkeypatch.setattr(Pair, "ours", lambda _: lowercase)
    file = tmp_path / "found.jsonl"
    file.touch()
    monkeypatch.setattr(found_segments.keep, "__defaults__", (file,))
    assert kept(difference(pair, ["a cat"], ["a cat"])) is None
    found = kept(difference(pair, ["a cat", "a dog"], ["a cat", "A dog"]))
    assert found is not None
    assert found[1:3] == ("a dog", "A dog")
    (stored,) = found_segments.read(file)
    assert stored[:3] == found[:3]
    assert (stored.row, stored.score) == found.theirs
