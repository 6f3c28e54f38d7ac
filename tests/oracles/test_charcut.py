"""CharCut against charcut 1.1.1, live and by stored figures (see charcut_goldens.py)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import CharCut
from tests import effort
from tests.backends import counted_by_python
from tests.oracles.charcut_goldens import FILE, OPTIONS, SEED, counted_by_charcut, texts

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData


def check(
    hypotheses: list[str],
    references: list[str],
    options: dict[str, Any],
    score: float,
    segments: list[Any],
) -> None:
    metric = CharCut(**options)
    # The program leaves out empty hypotheses if it divides by their length.
    kept = [i for i, one in enumerate(hypotheses) if one.strip() or "normalize" not in options]
    ours, theirs = [hypotheses[i] for i in kept], [references[i] for i in kept]
    assert len(segments) == len(hypotheses)
    table = metric.count(ours, theirs)
    found = zip(table.column("cost"), table.column("length"), strict=True)
    pairs = zip(ours, theirs, found, [tuple(segments[i]) for i in kept], strict=True)
    assert [pair for pair in pairs if pair[2] != pair[3]] == []
    assert metric.score(table.totals()).score == pytest.approx(100 * score, rel=1e-12)


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_stored_figures(number: int) -> None:
    """Each option of the program.

    > `normalize="hypothesis"` is the program's `alt_norm`.
    """
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    golden = stored["scores"][number], stored["segments"][number]
    assert len(set(map(tuple, golden[1]))) > 100
    check(*texts(), OPTIONS[number][1], *golden)
    with counted_by_python():
        check(*texts(), OPTIONS[number][1], *golden)


@pytest.mark.peers
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_live(number: int) -> None:
    """New texts, of which many have equally long matches.

    > **The same number** as charcut 1.1.1, the package that Hugging Face evaluate's `charcut_mt`
      calls, times 100.

    > **Equally long matches**: their order is that of charcut 1.1.1, which the paper does not
      describe.
    """
    theirs, ours = OPTIONS[number]
    pairs = texts(SEED + 1 + number, 20_000 if effort.is_fuzzing() else 1_000)
    check(*pairs, ours, *counted_by_charcut(*pairs, theirs))


@pytest.mark.peers
@pytest.mark.data
def test_systems_of_wmt(evaluation_data: EvaluationData) -> None:
    hypotheses, references = [], []
    for pair in ("cs-en", "de-en"):
        hypotheses += evaluation_data.system(f"data/wmt13/{pair}", "online-B")[:500]
        references += evaluation_data.reference(f"data/wmt13/{pair}")[:500]
    check(hypotheses, references, {}, *counted_by_charcut(hypotheses, references, {}))


def test_the_example_of_hugging_face() -> None:
    """In the card of evaluate's `charcut_mt`."""
    hypotheses = [
        "this week the saudis denied information published in the new york times",
        "this is in fact an estimate",
    ]
    references = [
        "saudi arabia denied this week information published in the american new york times",
        "this is actually an estimate",
    ]
    score = CharCut().corpus_score(hypotheses, references)
    assert score.score / 100 == 0.1971153846153846


def test_the_best_reference_counts() -> None:
    metric = CharCut()
    hypothesis, several = "the cat sat", ["a dog", "the cat sat down", "sat the cat"]
    alone = [metric.sentence_score(hypothesis, one) for one in several]
    best = min(alone, key=lambda one: one.score)
    assert metric.sentence_score(hypothesis, several).values == best.values
    # A shorter reference costs less, but more for each of its characters.
    assert metric.sentence_score("abcd", ["xyz", "abcdxyzxyz"]).values == (0, 6, 0, 6, 14)
    assert metric.sentence_score("", "").score == metric.sentence_score(" ", "\t").score == 0
    assert metric.sentence_score("", "a").score == metric.sentence_score("a", "").score == 100
    assert CharCut(normalize="hypothesis").sentence_score("", "abc").values == (0, 3, 0, 3, 3)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "row"),
    [
        # Few characters match by chance: "ab" does not, and whole words at both ends do.
        ("xab", "yab", (3, 3, 0)),
        ("a b x", "a c x", (1, 1, 0)),
        # A string of several words ends where words end.
        ("foo a bar", "goo a baz", (3, 3, 0)),
        ("foo a b", "goo a b", (3, 3, 0)),
        # 3 characters may move 20 places, and 4 may move 54.
        ("abcdefg" + "x" * 16 + "hij", "hijabcdefg", (19, 3, 0)),
        ("abcdefg" + "x" * 13 + "hij", "hijabcdefg", (13, 0, 3)),
        ("abcdefg" + "x" * 16 + "hijk", "hijkabcdefg", (16, 0, 4)),
    ],
)
def test_each_rule(hypothesis: str, reference: str, row: tuple[int, int, int]) -> None:
    assert CharCut().sentence_score(hypothesis, reference).values[:3] == row
    with counted_by_python():
        assert CharCut().sentence_score(hypothesis, reference).values[:3] == row
