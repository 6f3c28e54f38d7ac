"""Choices by minimum Bayes risk, compared with their definition."""

from __future__ import annotations

from math import fsum, inf, isclose
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, CHRF, TER, BleuetError, mbr
from bleuet.metrics.catalogue import parse_metric
from bleuet.minimum_bayes_risk.aggregation import aggregated_scores
from bleuet.minimum_bayes_risk.candidate_lists import CandidateLists
from bleuet.minimum_bayes_risk.matrix_files import load_matrices, save_matrices
from bleuet.text.files import MAX_SEGMENT_BYTES
from bleuet.text.source import Source
from bleuet.text.source_texts import with_sources
from tests.effort import examples

if TYPE_CHECKING:
    from pathlib import Path

LISTS = [
    ["the cat sat on the mat", "a cat sat on a mat", "the cat is on the mat", "cats sit"],
    ["it rains", "it is raining", "it rains", "rain"],
]
WORDS = st.sampled_from(["a", "b", "c", "the cat"])
TEXTS = st.lists(st.lists(WORDS, max_size=5).map(" ".join), min_size=1, max_size=5)


def best_of(utilities: list[float]) -> int:
    return utilities.index(max(utilities))


@examples(60)
@given(texts=TEXTS, pseudo=TEXTS, data=st.data())
def test_utilities_are_weighted_means(
    texts: list[str], pseudo: list[str], data: st.DataObject
) -> None:
    sizes = st.floats(0, 2, allow_subnormal=False)
    weights = data.draw(st.lists(sizes, min_size=len(pseudo), max_size=len(pseudo)))
    weights[0] += 1
    (choice,) = mbr([texts], CHRF(), references=[pseudo], weights=[weights])
    for text, utility in zip(texts, choice.utilities, strict=True):
        scores = [CHRF().sentence_score(text, one).score for one in pseudo]
        mean = sum(w * s for w, s in zip(weights, scores, strict=True)) / sum(weights)
        assert isclose(utility, mean, abs_tol=1e-9)
    assert choice.index == best_of(list(choice.utilities))


@examples(40)
@given(texts=TEXTS)
def test_duplicates_count_or_do_not(texts: list[str]) -> None:
    once = list(dict.fromkeys(texts))
    distinct = mbr([texts], "chrf", duplicates=False)[0]
    assert distinct.utilities == mbr([texts], "chrf", references=[once])[0].utilities
    counts = [float(texts.count(one)) for one in once]
    counted = mbr([texts], "chrf", references=[once], weights=[counts])[0]
    for mine, theirs in zip(mbr([texts], "chrf")[0].utilities, counted.utilities, strict=True):
        assert isclose(mine, theirs, abs_tol=1e-9)


def test_of_equal_candidates_the_first_is_chosen() -> None:
    assert mbr([["x", "a b", "c d", "a b", "c d"]], "chrf")[0].index == 1
    assert mbr([["a", "b", "c"]])[0].index == 0


def test_the_first_weight_of_a_duplicate_counts() -> None:
    found = mbr([["a b", "c d", "a b"]], "chrf", weights=[[1, 3, 9]], duplicates=False)
    assert found[0].best == "c d"


def test_the_oracle_is_the_candidate_nearest_to_the_reference() -> None:
    found = mbr(LISTS, CHRF(), references=[[["cats sat", "cats sit"]], ["it is raining"]])
    assert found.best == ["cats sit", "it is raining"]


def test_lower_scores_are_better_for_error_rates() -> None:
    (choice, _) = mbr(LISTS, TER())
    rows = [[TER().sentence_score(a, b).score for b in LISTS[0]] for a in LISTS[0]]
    assert choice.utilities == tuple(fsum(-score for score in row) / 4 for row in rows)


@pytest.mark.parametrize(
    ("way", "other"), [("exact", "ter"), ("pruned", "ter"), ("aggregated", "chrf")]
)
def test_several_metrics_are_averaged(way: str, other: str) -> None:
    both, bleu, second = (
        [one.utilities for one in mbr(LISTS, metric, way=way)]
        for metric in (["bleu", other], "bleu", other)
    )
    for own, *parts in zip(both, bleu, second, strict=True):
        assert own == pytest.approx([sum(pair) / 2 for pair in zip(*parts, strict=True)], abs=1e-9)


def test_every_metric_and_the_oracle_read_the_source_of_their_own_list() -> None:
    lists = [["the cat sat", "a cat sits", "cats"], ["rain falls", "it rains", "it is raining"]]
    sources, references = ["the feline was sitting", "it is raining now"], ["a cat sat", "it rains"]
    sari = parse_metric("sari")
    found = mbr(lists, ["sari", "chrf"], sources=sources)
    for candidates, source, choice in zip(lists, sources, found, strict=True):
        alone = mbr([candidates], ["sari", "chrf"], sources=[source])[0]
        assert choice == alone
    read = with_sources(references, sources)
    scored = found.scored(read, ["sari", "chrf"]).scores
    assert scored is not None
    oracle = mbr(lists, ["sari", "chrf"], references=[[one] for one in references], sources=sources)
    for row, texts in zip(
        scored.scores, ([one[0] for one in lists], found.best, oracle.best), strict=True
    ):
        assert row[0].score == sari.corpus_score(texts, read).score
        assert row[1].score == CHRF().corpus_score(texts, references).score


def test_aggregated_chrf_is_fastchrfs() -> None:
    # fastchrf.aggregate_chrf([texts], [[*texts[:3], texts[0]]]) of fastChrF 0.2.1
    texts = LISTS[0]
    expected = [81.98096595474244, 50.01020644123925, 63.533584166376855, 13.355651061229088]
    found = aggregated_scores(CHRF(), texts, [*texts[:3], texts[0]])
    assert found == pytest.approx(expected, rel=1e-12)
    weighted = aggregated_scores(CHRF(), texts, texts[:3], [2.0, 1.0, 1.0])
    assert weighted == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (BLEU, {}),
        (BLEU, {"lowercase": True, "effective_order": True}),
        (CHRF, {"word_order": 2}),
        (CHRF, {"lowercase": True}),
    ],
)
def test_one_reference_is_its_own_mean(kind: type[BLEU | CHRF], options: dict[str, Any]) -> None:
    metric = kind(**options)
    texts = ["The cat sat, on the mat.", "a b", "", "The dog sat on the mat"]
    for reference in texts:
        expected = [metric.sentence_score(one, reference).score for one in texts]
        assert aggregated_scores(metric, texts, [reference]) == pytest.approx(expected)


def test_pruning_gives_up_what_loses() -> None:
    texts = ["a b c d e f", *["a b c d e x"] * 40, "q"]
    exact, pruned = (mbr([texts], "chrf", way=way)[0] for way in ("exact", "pruned"))
    assert pruned.index == exact.index
    assert pruned.utilities[-1] == -inf
    assert pruned.utility == exact.utility
    # Too few to prune: fewer are left than the first 16.
    for lists in (LISTS, [texts[-31:]]):
        assert mbr(lists, way="pruned")[0].utilities == mbr(lists)[0].utilities


def test_a_mean_is_of_single_texts() -> None:
    with pytest.raises(BleuetError, match="several references"):
        mbr(LISTS[:1], "chrf", references=[[["a", "b"]]], way="aggregated")


def test_the_loss_is_what_the_exact_utilities_say() -> None:
    lists = [["a b c d", "a b c e", "x y"], ["a", "b", "a"]]
    exact = mbr(lists, "chrf")
    other = mbr(lists, "chrf", references=[["x y"], ["b"]])
    loss = other.compared(exact).loss
    assert loss is not None
    lost = [exact[0].utility - exact[0].utilities[2], exact[1].utility - exact[1].utilities[1]]
    assert (loss.utility, loss.changed, loss.sources) == (sum(lost) / 2, 2, 2)
    assert "2 of 2" in other.compared(exact).to_text()


def test_corpus_scores_of_first_chosen_and_oracle() -> None:
    references = ["the cat is on the mat", ["it is raining", "it rains now"]]
    found = mbr(LISTS, "chrf").scored(references, [BLEU(), CHRF()])
    assert found.scores is not None
    texts = [[one[0] for one in LISTS], found.best, ["the cat is on the mat", "it is raining"]]
    for row, chosen in zip(found.scores.scores, texts, strict=True):
        expected = [metric.corpus_score(chosen, references) for metric in (BLEU(), CHRF())]
        assert [score.score for score in row] == [score.score for score in expected]


def test_matrices_are_kept() -> None:
    (choice, _) = mbr(LISTS, ["bleu", CHRF()], keep_matrices=True)
    matrix: Any = CHRF().matrix(LISTS[0], LISTS[0])
    assert choice.matrices[1] == matrix.tolist()
    assert mbr(LISTS)[0].matrices == ()


@pytest.mark.parametrize("duplicates", [True, False])
@pytest.mark.parametrize("weights", [None, [[3, 1, 0, 5], [1, 2, 9, 4]]])
def test_choices_from_kept_matrices_are_those_of_the_texts(
    weights: list[list[int]] | None, duplicates: bool
) -> None:
    kept = mbr(LISTS, ["bleu", "chrf", "ter"], keep_matrices=True)
    for metrics in (["ter"], ["chrf", "bleu"], ["ter", "bleu", "chrf"], None):
        rule: Any = {"weights": weights, "duplicates": duplicates}
        again = kept.decided(metrics, **rule)
        expected = mbr(LISTS, metrics or ["bleu", "chrf", "ter"], keep_matrices=True, **rule)
        assert again == expected
        # They can be decided again.
        assert again.decided(metrics) == mbr(
            LISTS, metrics or ["bleu", "chrf", "ter"], keep_matrices=True
        )


@pytest.mark.parametrize(
    ("candidates", "options", "message"),
    [
        ([], {}, "no source"),
        ([["a"], []], {}, "source 2 has no candidate"),
        ([["a"]], {"references": [[]]}, "source 1 has no candidate or no pseudo-reference"),
        ([["a"]], {"references": []}, "1 lists of candidates but 0 of references"),
        ([["a"]], {"weights": [[1, 2]]}, "2 weights but 1 pseudo-references"),
        ([["a"]], {"weights": [[-1]]}, "0 or more"),
        ([["a"]], {"weights": [[0]]}, "all weights of source 1 are 0"),
        ([["a"]], {"way": "quick"}, "expected exact, aggregated, pruned"),
        ([["a"]], {"metric": []}, "at least one metric"),
        ([["a"]], {"metric": 5}, "metric must be"),
        ([["a"]], {"metric": "ter", "way": "aggregated"}, "no mean of n-gram counts"),
        (["a b"], {}, r"candidates\[0\] must be a list of str"),
        (5, {}, "candidates"),
    ],
)
def test_wrong_arguments(candidates: Any, options: Any, message: str) -> None:
    with pytest.raises(BleuetError, match=message):
        mbr(candidates, **options)


def test_the_share_of_the_sources_is_reported() -> None:
    found: list[float] = []
    mbr(LISTS * 2, "chrf", report=found.append)
    assert found == [0.25, 0.5, 0.75, 1.0]


def test_a_line_of_saved_matrices_may_be_longer_than_a_segment(tmp_path: Path) -> None:
    """It has the numbers of all pairs of a source."""
    file = tmp_path / "pairs.jsonl"
    kept = mbr(LISTS, "chrf", keep_matrices=True)
    save_matrices(str(file), kept, CandidateLists(LISTS))
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    blank = " " * MAX_SEGMENT_BYTES
    file.write_text(lines[0] + lines[1].replace("{", "{" + blank, 1), encoding="utf-8")
    for limit in (10, MAX_SEGMENT_BYTES):
        decided, pseudo = load_matrices(Source(str(file), max_segment_bytes=limit))
        assert (decided.best, pseudo.texts) == (kept.best, LISTS)
