"""The leaderboard: the same numbers as one by one, best first, on the same ground for all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
import scipy.stats as stats  # type: ignore[import-untyped]

from bleuet import BLEU, CHRF, TER, InputError, OptionError
from bleuet.studies.meta_evaluation import (
    PairwiseJudgments,
    ScoreMatrix,
    agreement,
    compare_metrics,
)
from bleuet.studies.meta_evaluation.computed import Asked, score_with
from bleuet.studies.meta_evaluation.human_scores_check import (
    Contender,
    People,
    on_common_ground,
    share_won,
)
from bleuet.studies.meta_evaluation.leaderboard import Terms, leaderboard, usual_statistics

if TYPE_CHECKING:
    from bleuet.studies.meta_evaluation.rows import Floats

WHOLE = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
NAMES = ("a", "b", "c", "d", "e")


def matrix(values: Floats) -> ScoreMatrix:
    return ScoreMatrix(NAMES[: len(values)], values)


@pytest.fixture
def people() -> People:
    rng = np.random.default_rng(5)
    return People(scores=matrix(np.round(WHOLE + rng.normal(size=(5, 30)), 0)))


@pytest.fixture
def contenders(people: People) -> list[Contender]:
    """Metrics ever further from people, the worst first."""
    assert people.scores is not None
    rng = np.random.default_rng(6)
    return [
        Contender(f"noise {noise}", matrix(people.scores.values + rng.normal(0, noise, (5, 30))))
        for noise in (30.0, 3.0, 0.3)
    ]


def test_it_says_what_each_metric_says_by_itself(
    people: People, contenders: list[Contender]
) -> None:
    terms = Terms(grouping="item", draws=20, confidence=0.8, seed=3)
    names = ["acc-eq", "tau", "spa", "system-pearson"]
    board = leaderboard(people, contenders, names, terms)
    assert [entry.name for entry in board.statistics] == names
    assert [one.name for one in board.contenders] == ["noise 0.3", "noise 3.0", "noise 30.0"]
    for contender, row in zip(board.contenders, board.standings, strict=True):
        for name, standing in zip(names, row, strict=True):
            by = "item" if name in ("acc-eq", "tau") else None
            assert people.scores is not None
            assert contender.segments is not None
            assert standing.agreement == agreement(
                name, people.scores, contender.segments, grouping=by, draws=20, confidence=0.8,
                seed=3,
            )  # fmt: skip
            assert standing.rank is None


def test_scores_of_whole_systems_are_used_where_there_are_some(people: People) -> None:
    rng = np.random.default_rng(7)
    segments, whole = matrix(rng.normal(size=(5, 30))), matrix(rng.normal(size=(5, 1)))
    others = Contender("means", segments=segments)
    board = leaderboard(
        people, [Contender("x", segments, whole), others], ["system-pearson", "pearson"]
    )
    assert people.scores is not None
    human = people.scores.values.mean(axis=1)
    for contender, row in zip(board.contenders, board.standings, strict=True):
        column = whole.values[:, 0] if contender.name == "x" else segments.values.mean(axis=1)
        assert row[0].value == pytest.approx(stats.pearsonr(human, column).statistic, abs=1e-12)
        both = people.scores.values.ravel(), segments.values.ravel()
        assert row[1].value == pytest.approx(stats.pearsonr(*both).statistic, abs=1e-12)


def test_a_metric_without_segments_stands_last_where_segments_are_asked_for(
    people: People, contenders: list[Contender]
) -> None:
    whole = Contender("whole", systems=matrix(WHOLE))
    board = leaderboard(people, [whole, *contenders], ["tau-b", "system-tau"])
    assert board.contenders[-1].name == "whole"
    assert board.standings[-1][0].agreement is None
    assert math.isnan(board.standings[-1][0].value)
    assert board.standings[-1][1].value == pytest.approx(1.0)


def test_ranks_are_clusters_of_metrics_that_are_not_significantly_apart(
    people: People, contenders: list[Contender]
) -> None:
    same = Contender("again", contenders[2].segments)
    given = [*contenders, same]
    board = leaderboard(people, given, ["tau-b"], Terms(test="perm-both", trials=200, seed=1))
    ranks = {
        one.name: row[0].rank for one, row in zip(board.contenders, board.standings, strict=True)
    }
    assert ranks["noise 0.3"] == ranks["again"] == 1
    assert ranks["noise 30.0"] == max(rank for rank in ranks.values() if rank)
    assert ranks["noise 30.0"] > 1
    best, *rest = zip(board.contenders, board.standings, strict=True)
    assert best[1][0].p_value is None
    for contender, row in rest:
        assert people.scores is not None
        assert contender.segments is not None
        assert best[0].segments is not None
        expected = compare_metrics(
            "tau-b", people.scores, contender.segments, best[0].segments, trials=200, seed=1
        )
        assert row[0].p_value == expected.p_value


def test_williams_ranks_what_it_is_made_for(people: People, contenders: list[Contender]) -> None:
    board = leaderboard(
        people, contenders, ["system-pearson", "tau"], Terms(test="williams", seed=1)
    )
    assert all(row[0].rank is not None and row[1].rank is None for row in board.standings)


def test_what_people_gave_decides_what_is_usual(people: People) -> None:
    assert people.scores is not None
    judged = People(judgments=PairwiseJudgments.from_scores(people.scores))
    systems = People(systems=matrix(WHOLE))
    assert usual_statistics(people) == ["tau", "acc-eq", "spa", "system-pearson"]
    assert usual_statistics(people, ["system"]) == ["spa", "system-pearson"]
    assert usual_statistics(judged) == ["tau"]
    assert usual_statistics(judged, ["system", "segment"]) == ["system-pearson", "tau"]
    assert usual_statistics(systems) == ["system-pearson", "system-accuracy"]
    with pytest.raises(OptionError, match="no segment level"):
        usual_statistics(systems, ["segment"])
    whole = Contender("whole", systems=matrix(WHOLE))
    with pytest.raises(OptionError, match=r"gave pairwise judgments, which tau, .* can use"):
        leaderboard(judged, [whole], ["spa"])
    with pytest.raises(OptionError, match="gave one score per system, which system-pearson, "):
        leaderboard(systems, [whole], ["tau"])
    with pytest.raises(OptionError, match="none of spa can be grouped by 'item'"):
        leaderboard(people, [whole], ["spa"], Terms(grouping="item"))


def test_the_share_of_judgments_won() -> None:
    rows = [(0, "a", "b"), (0, "a", "b"), (1, "b", "a"), (1, "c", "a")]
    judged = PairwiseJudgments.from_better_worse(rows, systems=["a", "b", "c", "d"])
    shares = share_won(judged)
    np.testing.assert_allclose(shares.values[:, 0], [2 / 4, 1 / 3, 1.0, np.nan])
    scored = ScoreMatrix(("a", "b"), np.array([[1.0, 2.0], [1.0, 1.0]]))
    tied = PairwiseJudgments.from_scores(scored)
    assert share_won(tied).values.tolist() == [[1.0], [0.0]]
    assert People(judgments=tied).of_systems() == share_won(tied)


# --- Common ground --------------------------------------------------------------------------------

NAN = math.nan


def test_what_one_metric_lacks_is_left_out_for_all() -> None:
    human = matrix(np.array([[1.0, 2, 3], [4, 5, NAN]]))
    full = Contender("full", matrix(np.array([[1.0, 1, 1], [2, 2, 2]])))
    holes = Contender("holes", matrix(np.array([[NAN, 1, 1], [2, 2, NAN]])))
    whole = Contender("whole", systems=matrix(np.array([[1.0], [2]])))
    people, narrowed, left_out = on_common_ground(People(scores=human), [full, holes, whole])
    assert left_out == 1
    assert people.scores is not None
    np.testing.assert_array_equal(people.scores.values, [[NAN, 2, 3], [4, 5, NAN]])
    for one in narrowed[:2]:
        assert one.segments is not None
        np.testing.assert_array_equal(np.isnan(one.segments.values), [[1, 0, 0], [0, 0, 1]])
    assert narrowed[2] is whole


def test_judgments_that_one_metric_cannot_follow_are_left_out_for_all() -> None:
    rows = [(0, "a", "b"), (1, "b", "a"), (2, "b", "a")]
    judged = PairwiseJudgments.from_better_worse(rows, 3, systems=["a", "b"])
    full = Contender("full", matrix(np.array([[1.0, 1, 1], [2, 2, 2]])))
    holes = Contender("holes", matrix(np.array([[NAN, 1, 1], [2, 2, NAN]])))
    people, _, left_out = on_common_ground(People(judgments=judged), [full, holes])
    assert left_out == 2
    assert people.judgments is not None
    assert people.judgments.segment.tolist() == [1]


@pytest.mark.parametrize("kind", ["scores", "judgments"])
def test_nothing_left_is_refused(kind: str) -> None:
    scores = matrix(np.array([[1.0], [2.0]]))
    people = People(scores=scores)
    if kind == "judgments":
        people = People(judgments=PairwiseJudgments.from_scores(scores))
    with pytest.raises(InputError, match="every metric"):
        on_common_ground(people, [Contender("x", matrix(np.array([[NAN], [NAN]])))])


# --- Metrics computed from texts ------------------------------------------------------------------

REFERENCES = ["the cat sat down", ["rain fell", "it rained"], "nobody knew where it was"]
OUTPUTS = [["the cat sat", "rain fell", "no one knew"], ["a cat sat down", "snow", "who knew it"]]


def test_metrics_of_texts_are_those_of_each_metric() -> None:
    asked = [
        Asked("bleu", BLEU(effective_order=True), BLEU()),
        Asked("ter", TER(), TER()),
        Asked("chrf", CHRF(), CHRF()),
        Asked("nltk", BLEU(smooth="nltk-5"), BLEU(smooth="nltk-5")),
    ]
    found = score_with(asked, ["x", "y"], OUTPUTS, REFERENCES)
    assert [one.lower_is_better for one in found] == [False, True, False, False]
    for (name, of_segments, of_systems), one in zip(asked, found, strict=True):
        sign = -1 if name == "ter" else 1
        assert one.segments is not None
        for texts, scores in zip(OUTPUTS, one.segments.values, strict=True):
            expected = of_segments.sentence_scores(texts, REFERENCES).values
            np.testing.assert_array_equal(sign * scores, expected)
        assert one.signature == str(of_segments.signature(None))
        if name == "nltk":  # of sentences alone
            assert (one.systems, one.system_signature) == (None, "")
            continue
        assert one.systems is not None
        whole = [of_systems.corpus_score(texts, REFERENCES).score for texts in OUTPUTS]
        assert (sign * one.systems.values[:, 0]).tolist() == whole
        assert one.system_signature == str(of_systems.signature(None))
