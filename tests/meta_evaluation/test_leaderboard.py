"""The leaderboard: the numbers of each metric alone, best first, on the same segments for all."""

from __future__ import annotations

import json
import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import scipy.stats as stats  # type: ignore[import-untyped]

from bleuet import BLEU, CHRF, TER, InputError, OptionError
from bleuet.meta_evaluation import (
    AgreementSettings,
    HumanScores,
    MetricScores,
    PairwiseJudgments,
    RaterScores,
    ScoreMatrix,
    agreement,
    compare_metrics,
    keep_common_segments,
    leaderboard,
    rater_agreement,
)
from bleuet.meta_evaluation.human_scores import share_won
from bleuet.meta_evaluation.leaderboard import default_statistics
from bleuet.meta_evaluation.metric_ranking import SIGNIFICANT, MetricRanking
from bleuet.meta_evaluation.metric_scores import (
    MetricToCompute,
    compute_scores,
    keep_rated_segments,
)
from bleuet.output.document import Estimate

if TYPE_CHECKING:
    from bleuet.meta_evaluation.arrays import Floats

WHOLE = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
NAMES = ("a", "b", "c", "d", "e")


def matrix(values: Floats) -> ScoreMatrix:
    return ScoreMatrix(NAMES[: len(values)], values)


@pytest.fixture
def human() -> HumanScores:
    rng = np.random.default_rng(5)
    return HumanScores(scores=matrix(np.round(WHOLE + rng.normal(size=(5, 30)), 0)))


@pytest.fixture
def metrics(human: HumanScores) -> list[MetricScores]:
    """Metrics with more or less noise, the worst first."""
    assert human.scores is not None
    rng = np.random.default_rng(6)
    return [
        MetricScores(f"noise {noise}", matrix(human.scores.values + rng.normal(0, noise, (5, 30))))
        for noise in (30.0, 3.0, 0.3)
    ]


def test_its_numbers_are_those_of_each_metric_alone(
    human: HumanScores, metrics: list[MetricScores]
) -> None:
    settings = AgreementSettings(grouping="item", draws=20, confidence=0.8, seed=3)
    names = ["acc-eq", "tau", "spa", "system-pearson"]
    board = leaderboard(human, metrics, names, settings)
    assert [entry.name for entry in board.statistics] == names
    assert [one.name for one in board.metrics] == ["noise 0.3", "noise 3.0", "noise 30.0"]
    for metric, row in zip(board.metrics, board.results, strict=True):
        for name, result in zip(names, row, strict=True):
            by = "item" if name in ("acc-eq", "tau") else None
            assert human.scores is not None
            assert metric.segments is not None
            own = settings.replace(grouping=by)
            assert result.agreement == agreement(name, human.scores, metric.segments, own)
            assert result.rank is None


def test_scores_of_whole_systems_are_preferred(human: HumanScores) -> None:
    rng = np.random.default_rng(7)
    segments, whole = matrix(rng.normal(size=(5, 30))), matrix(rng.normal(size=(5, 1)))
    others = MetricScores("means", segments=segments)
    board = leaderboard(
        human, [MetricScores("x", segments, whole), others], ["system-pearson", "pearson"]
    )
    assert human.scores is not None
    means = human.scores.values.mean(axis=1)
    for metric, row in zip(board.metrics, board.results, strict=True):
        column = whole.values[:, 0] if metric.name == "x" else segments.values.mean(axis=1)
        assert row[0].value == pytest.approx(stats.pearsonr(means, column).statistic, abs=1e-12)
        both = human.scores.values.ravel(), segments.values.ravel()
        assert row[1].value == pytest.approx(stats.pearsonr(*both).statistic, abs=1e-12)


def test_a_metric_without_segments_comes_last(
    human: HumanScores, metrics: list[MetricScores]
) -> None:
    whole = MetricScores("whole", systems=matrix(WHOLE))
    board = leaderboard(human, [whole, *metrics], ["tau-b", "system-tau"])
    assert board.metrics[-1].name == "whole"
    assert board.results[-1][0].agreement is None
    assert math.isnan(board.results[-1][0].value)
    assert board.results[-1][1].value == pytest.approx(1.0)


@pytest.mark.slow
def test_ranks_are_clusters_of_metrics_without_significant_difference(
    human: HumanScores, metrics: list[MetricScores]
) -> None:
    same = MetricScores("again", metrics[2].segments)
    given = [*metrics, same]
    board = leaderboard(
        human, given, ["tau-b"], AgreementSettings(test="perm-both", trials=200, seed=1)
    )
    ranks = {one.name: row[0].rank for one, row in zip(board.metrics, board.results, strict=True)}
    assert ranks["noise 0.3"] == ranks["again"] == 1
    assert ranks["noise 30.0"] == max(rank for rank in ranks.values() if rank)
    assert ranks["noise 30.0"] > 1
    best, *rest = zip(board.metrics, board.results, strict=True)
    assert best[1][0].p_value is None
    for metric, row in rest:
        assert human.scores is not None
        assert metric.segments is not None
        assert best[0].segments is not None
        expected = compare_metrics(
            "tau-b",
            human.scores,
            metric.segments,
            best[0].segments,
            AgreementSettings(trials=200, seed=1),
        )
        assert row[0].p_value == expected.p_value


def test_williams_ranks_what_it_is_made_for(
    human: HumanScores, metrics: list[MetricScores]
) -> None:
    board = leaderboard(
        human, metrics, ["system-pearson", "tau"], AgreementSettings(test="williams", seed=1)
    )
    ranked = [(row[0].rank is not None, row[1].rank is not None) for row in board.results]
    assert ranked == [(True, False)] * len(metrics)


def test_the_human_scores_decide_the_default_statistics(human: HumanScores) -> None:
    assert human.scores is not None
    judged = HumanScores(judgments=PairwiseJudgments.from_scores(human.scores))
    systems = HumanScores(systems=matrix(WHOLE))
    metrics = [MetricScores("means", segments=human.scores)]
    assert default_statistics(human, metrics) == ["tau", "acc-eq", "spa", "system-pearson"]
    assert default_statistics(human, metrics, ["system"]) == ["spa", "system-pearson"]
    assert default_statistics(judged, metrics) == ["tau"]
    both = ["system", "segment"]
    assert default_statistics(judged, metrics, both) == ["system-pearson", "tau"]
    assert default_statistics(systems, metrics) == ["system-pearson", "system-accuracy"]
    with pytest.raises(OptionError, match="the level must be system, not segment"):
        default_statistics(systems, metrics, ["segment"])
    whole = MetricScores("whole", systems=matrix(WHOLE))
    assert default_statistics(human, [whole]) == ["system-pearson"]
    names = [one.name for one in leaderboard(human, [whole]).statistics]
    assert names == ["system-pearson"]
    with pytest.raises(OptionError, match=r"not pairwise judgments: use tau, "):
        leaderboard(judged, [whole], ["spa"])
    with pytest.raises(OptionError, match="not one score per system: use system-pearson, "):
        leaderboard(systems, [whole], ["tau"])
    with pytest.raises(OptionError, match="the grouping of spa must be left out, not 'item'"):
        leaderboard(human, [whole], ["spa"], AgreementSettings(grouping="item"))


def test_the_document_of_a_leaderboard(human: HumanScores, metrics: list[MetricScores]) -> None:
    constant = MetricScores("constant", matrix(np.ones((5, 30))))
    settings = AgreementSettings(draws=30, test="perm-both", trials=30)
    board = leaderboard(human, [*metrics, constant], ["tau-b", "spa"], settings)
    (table,) = board.document().tables
    titles = ["metric", "tau-b", "rank", "p", "spa", "rank", "p"]
    assert [column.title for column in table.columns] == titles
    for metric, results, row in zip(board.metrics, board.results, table.rows, strict=True):
        name, tau, rank, p_value, *_ = row
        assert (name, rank, p_value) == (metric.name, results[0].rank, results[0].p_value)
        if metric.name == "constant":
            assert tau is None
            continue
        found = results[0].agreement
        assert found is not None
        assert isinstance(tau, Estimate)
        assert (tau.value, tau.low, tau.high) == (found.value, found.low, found.high)
        assert f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]" in board.to_text()
    assert "constant" in board.to_text().splitlines()[4]
    notes = board.document().notes
    assert "grouping: tau-b item" in notes
    assert any(note.startswith("brackets: 95% confidence intervals from 30") for note in notes)
    assert any(note.startswith("rank: ") for note in notes)
    values = json.loads(board.to_json())
    assert values["notes"] == list(notes)
    assert len(values["agreement"]) == 8
    assert [one["value"] for one in values["agreement"]][6] is None


def test_the_share_of_judgments_won() -> None:
    rows = [(0, "a", "b"), (0, "a", "b"), (1, "b", "a"), (1, "c", "a")]
    judged = PairwiseJudgments.from_better_worse(rows, systems=["a", "b", "c", "d"])
    shares = share_won(judged)
    np.testing.assert_allclose(shares.values[:, 0], [2 / 4, 1 / 3, 1.0, np.nan])
    scored = ScoreMatrix(("a", "b"), np.array([[1.0, 2.0], [1.0, 1.0]]))
    tied = PairwiseJudgments.from_scores(scored)
    assert share_won(tied).values.tolist() == [[1.0], [0.0]]
    assert HumanScores(judgments=tied).system_scores() == share_won(tied)


# --- Common segments ------------------------------------------------------------------------------

NAN = math.nan


def test_segments_without_scores_of_one_metric_are_left_out_for_all() -> None:
    scores = matrix(np.array([[1.0, 2, 3], [4, 5, NAN]]))
    full = MetricScores("full", matrix(np.array([[1.0, 1, 1], [2, 2, 2]])))
    holes = MetricScores("holes", matrix(np.array([[NAN, 1, 1], [2, 2, NAN]])))
    whole = MetricScores("whole", systems=matrix(np.array([[1.0], [2]])))
    human, narrowed, left_out = keep_common_segments(
        HumanScores(scores=scores), [full, holes, whole]
    )
    assert left_out == 1
    assert human.scores is not None
    np.testing.assert_array_equal(human.scores.values, [[NAN, 2, 3], [4, 5, NAN]])
    for one in narrowed[:2]:
        assert one.segments is not None
        np.testing.assert_array_equal(np.isnan(one.segments.values), [[1, 0, 0], [0, 0, 1]])
    assert narrowed[2] is whole


def test_judgments_without_scores_of_one_metric_are_left_out_for_all() -> None:
    rows = [(0, "a", "b"), (1, "b", "a"), (2, "b", "a")]
    judged = PairwiseJudgments.from_better_worse(rows, 3, systems=["a", "b"])
    full = MetricScores("full", matrix(np.array([[1.0, 1, 1], [2, 2, 2]])))
    holes = MetricScores("holes", matrix(np.array([[NAN, 1, 1], [2, 2, NAN]])))
    human, _, left_out = keep_common_segments(HumanScores(judgments=judged), [full, holes])
    assert left_out == 2
    assert human.judgments is not None
    assert human.judgments.segment.tolist() == [1]


@pytest.mark.parametrize("kind", ["scores", "judgments"])
def test_no_common_segment_is_an_error(kind: str) -> None:
    scores = matrix(np.array([[1.0], [2.0]]))
    human = HumanScores(scores=scores)
    if kind == "judgments":
        human = HumanScores(judgments=PairwiseJudgments.from_scores(scores))
    with pytest.raises(InputError, match="every metric"):
        keep_common_segments(human, [MetricScores("x", matrix(np.array([[NAN], [NAN]])))])


# --- Metrics computed from texts ------------------------------------------------------------------

REFERENCES = ["the cat sat down", ["rain fell", "it rained"], "nobody knew where it was"]
OUTPUTS = [["the cat sat", "rain fell", "no one knew"], ["a cat sat down", "snow", "who knew it"]]


def test_metrics_of_texts_are_those_of_each_metric() -> None:
    metrics = [
        MetricToCompute("bleu", BLEU(effective_order=True), BLEU()),
        MetricToCompute("ter", TER(), TER()),
        MetricToCompute("chrf", CHRF(), CHRF()),
        MetricToCompute("nltk", BLEU(smooth="nltk-5"), BLEU(smooth="nltk-5")),
    ]
    found = compute_scores(metrics, ["x", "y"], OUTPUTS, REFERENCES)
    assert [one.lower_is_better for one in found] == [False, True, False, False]
    for (name, of_segments, of_systems), one in zip(metrics, found, strict=True):
        sign = -1 if name == "ter" else 1
        assert one.segments is not None
        for texts, scores in zip(OUTPUTS, one.segments.values, strict=True):
            expected = of_segments.sentence_scores(texts, REFERENCES).values
            np.testing.assert_array_equal(sign * scores, expected)
        assert one.signature == of_segments.signature(None)
        if name == "nltk":  # of sentences alone
            assert (one.systems, one.system_signature) == (None, None)
            continue
        assert one.systems is not None
        whole = [of_systems.corpus_score(texts, REFERENCES).score for texts in OUTPUTS]
        assert (sign * one.systems.values[:, 0]).tolist() == whole
        assert one.system_signature == of_systems.signature(None)


# --- Human scores of some segments ----------------------------------------------------------------


def test_scores_of_systems_cover_the_rated_segments() -> None:
    """Corpus BLEU of the segments with human scores, not of all."""
    human = HumanScores(scores=matrix(np.array([[3.0, NAN, 1.0], [NAN, 2.0, 5.0]])))
    computed = compute_scores(
        [MetricToCompute("bleu", BLEU(effective_order=True), BLEU())],
        ["a", "b"], OUTPUTS, REFERENCES,
    )  # fmt: skip
    means = ScoreMatrix(("a", "b"), np.array([[1.0, 2.0, 6.0], [4.0, 5.0, 9.0]]))
    whole = ScoreMatrix(("a", "b"), np.array([[3.0], [6.0]]))
    other = ScoreMatrix(("a", "b"), np.array([[10.0], [20.0]]))
    metrics = [
        *computed,
        MetricScores("stored means", means, whole),
        MetricScores("stored corpus", means, other),
    ]
    kept = {one.name: one for one in keep_rated_segments(human, metrics)}
    rated = [[0, 2], [1, 2]]
    expected = [
        BLEU().corpus_score([texts[i] for i in rows], [REFERENCES[i] for i in rows]).score
        for texts, rows in zip(OUTPUTS, rated, strict=True)
    ]
    assert kept["bleu"].systems is not None
    assert kept["bleu"].systems.values[:, 0].tolist() == expected
    stored = kept["stored means"].system_scores()
    assert stored is not None
    assert stored.values[:, 0].tolist() == [3.5, 7.0]
    assert kept["stored corpus"].systems == other
    covers = {name: one.covers for name, one in kept.items()}
    assert covers == {"bleu": "rated", "stored means": "rated", "stored corpus": "all"}

    board = leaderboard(human, metrics, ["system-accuracy"])
    notes = list(board.document().notes)
    assert (
        "human scores: 2 of 3 segments; scores of systems cover the same segments, but all of "
        "stored corpus"
    ) in notes
    values = json.loads(board.to_json())
    assert values["segments"] == {"all": 3, "rated_min": 2, "rated_max": 2}
    assert {one["metric"]: one["coverage"] for one in values["agreement"]} == covers

    board = leaderboard(human, metrics, ["system-accuracy"], AgreementSettings(all_segments=True))
    assert {row[0].coverage for row in board.results} == {"all"}
    assert any("cover all segments" in note for note in board.document().notes)
    assert keep_rated_segments(HumanScores(systems=whole), metrics) == metrics


def test_complete_human_scores_change_nothing(
    human: HumanScores, metrics: list[MetricScores]
) -> None:
    assert keep_rated_segments(human, metrics) == metrics
    board = leaderboard(human, metrics, ["system-pearson"])
    assert not any(note.startswith("human scores") for note in board.document().notes)
    assert {row[0].coverage for row in board.results} == {"all"}


# --- Several metrics ------------------------------------------------------------------------------


def test_p_values_are_corrected_for_all_pairs_of_metrics(
    human: HumanScores, metrics: list[MetricScores]
) -> None:
    plain = AgreementSettings(test="perm-both", trials=60, seed=1)
    corrected = AgreementSettings(test="perm-both", trials=60, seed=1, correction="bonferroni")
    boards = [leaderboard(human, metrics, ["tau-b"], one) for one in (plain, corrected)]
    for row, other in zip(boards[0].results, boards[1].results, strict=True):
        if row[0].p_value is None:
            assert other[0].p_value is None
        else:
            assert other[0].p_value == min(1.0, 3 * row[0].p_value)
    notes = [" ".join(board.document().notes) for board in boards]
    assert (
        "p-values are not corrected for the 3 pairs of metrics: of 3 equal metrics, some differ in "
        "up to 23% of cases, and in 10% with the correction holm" in notes[0]
    )
    assert "p-values: bonferroni correction for 3 pairs of metrics" in notes[1]


def test_ranks_of_systems_say_how_often_equal_systems_differ(human: HumanScores) -> None:
    for test, share, with_holm in (("signed-rank", 29, 5), ("rank-sum", 47, 10)):
        board = leaderboard(human, [], [], AgreementSettings(rank_systems=test))
        assert (
            f"p-values are not corrected for the 10 pairs of systems: of 5 equal systems, some "
            f"differ in up to {share}% of cases, and in {with_holm}% with the correction holm"
        ) in board.document().notes
    board = leaderboard(
        human, [], [], AgreementSettings(rank_systems="signed-rank", correction="holm")
    )
    assert "not corrected" not in board.to_text()


def test_the_test_of_pairs_has_a_note(human: HumanScores, metrics: list[MetricScores]) -> None:
    note = "finds a difference of equal metrics in 6% of cases with 4 systems, and in 14% and more"
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the note is enough
        for test in ("perm-pairs", "perm-segments"):
            settings = AgreementSettings(test=test, trials=20)
            text = leaderboard(human, metrics, ["acc-eq"], settings).to_text()
            assert (note in text) == (test == "perm-pairs")


def test_a_p_value_of_alpha_is_not_significant(
    human: HumanScores, metrics: list[MetricScores], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the other commands: p < alpha."""
    for p_value, ranks in ((SIGNIFICANT, {1}), (0.0499, {1, 2, 3})):
        monkeypatch.setattr(MetricRanking, "_p_value", lambda *_, p=p_value: p)
        board = leaderboard(human, metrics, ["tau-b"], AgreementSettings(test="perm-both"))
        assert {row[0].rank for row in board.results} == ranks


def test_every_setting_reaches_the_statistic(
    human: HumanScores, metrics: list[MetricScores]
) -> None:
    assert human.scores is not None
    scores = metrics[1].segments
    assert scores is not None
    settings = AgreementSettings(
        draws=20,
        margin=2.0,
        undefined_as_zero=True,
        held_out_epsilon=True,
        documents=[number // 4 for number in range(30)],
        seed=5,
    )
    for statistic in ("tau", "tau-b", "acc-eq", "pairwise-pearson"):
        board = leaderboard(human, metrics[1:2], [statistic], settings)
        expected = agreement(statistic, human.scores, scores, settings)
        assert board.results[0][0].agreement == expected
    tested = settings.replace(test="perm-both", trials=9)
    names = " ".join(leaderboard(human, metrics, ["tau"], tested).document().notes)
    assert "human scores that differ by less than 2 tie" in names
    assert "a correlation that is undefined counts as 0" in names
    assert "20 bootstrap draws of 8 documents" in names
    assert "(perm-both, 8 documents exchanged whole, p < 0.05)" in names


@pytest.mark.parametrize("rated", [99, 100])
@pytest.mark.parametrize("documents", [False, True])
def test_intervals_of_few_rated_segments_or_documents_have_a_note(
    rated: int, documents: bool
) -> None:
    size, rng = 120, np.random.default_rng(7)
    values = rng.normal(size=(3, size))
    values[:, rated:] = NAN
    human = HumanScores(scores=matrix(values))
    judged = HumanScores(judgments=PairwiseJudgments.from_scores(matrix(values)))
    metric = MetricScores("one", matrix(rng.normal(size=(3, size))))
    settings: dict[str, Any] = {"draws": 9}
    if documents:
        # The segments that are not rated are of documents of their own.
        settings["documents"] = list(range(size))
    unit = "document" if documents else "segment"

    def notes(of: HumanScores, **others: Any) -> str:
        made = AgreementSettings(**{**settings, **others})
        return " ".join(leaderboard(of, [metric], ["tau"], made).document().notes)

    for of in (human, judged):
        few = f"99 {unit}s are too few for a bootstrap, whose intervals are too narrow"
        assert (few in notes(of)) == (rated == 99)
        assert (few in notes(of, resample="both")) == (rated == 99)
        assert "too few" not in notes(of, resample="systems")
        assert "too few" not in notes(of, draws=0, test="perm-both", trials=9)


def test_raters_have_an_interval_where_a_draw_has_one() -> None:
    """A draw of segments whose scores are all equal has no alpha."""
    scores = {("a", 0): (1, 1), ("b", 0): (1, 1), ("a", 1): (1, 2), ("b", 1): (3, 3)}
    rows = [
        (segment, system, rater, score)
        for (system, segment), several in scores.items()
        for rater, score in zip("rs", several, strict=True)
    ]
    raters = RaterScores.from_rows(rows)
    human = HumanScores(scores=raters.means(), raters=raters)
    metric = MetricScores("one", matrix(np.array([[1.0, 2.0], [3.0, 5.0]])))
    with_interval = []
    for seed in range(20):
        settings = AgreementSettings(draws=1, seed=seed)
        board = leaderboard(human, [metric], ["system-accuracy"], settings)
        found = rater_agreement(raters, settings)
        (note,) = (one for one in board.document().notes if one.startswith("raters: "))
        assert f"alpha {found.alpha:.3f}" in note
        with_interval.append("[" in note)
        assert found.low is not None
        assert with_interval[-1] == (not math.isnan(found.low))
    assert set(with_interval) == {False, True}
    for note in leaderboard(human, [metric], ["system-accuracy"]).document().notes:
        assert "[" not in note


# --- Missing scores -------------------------------------------------------------------------------


def test_notes_name_what_is_left_out_because_a_score_is_missing() -> None:
    values = np.random.default_rng(3).normal(size=(4, 12))
    there = HumanScores(scores=matrix(values.copy()))
    values[0, :3] = NAN

    def notes(*statistics: str) -> list[str]:
        # `keep_common_segments` would leave these segments out of the human scores before.
        board = leaderboard(there, [MetricScores("m", matrix(values))], statistics)
        return [note for note in board.document().notes if note.endswith("a score is missing")]

    assert notes("tau", "tau-b", "spa") == [
        "tau: 9 judgments left out because a score is missing",
        "tau-b: 3 translations left out because a score is missing",
        "spa: 3 segments left out because a score is missing",
    ]
    values[3] = NAN
    assert notes("system-accuracy") == [
        "system-accuracy: 1 system left out because a score is missing"
    ]


def test_nan_and_none_are_no_score() -> None:
    """A rater without a score leaves the mean of the others as it is."""
    for missing in (NAN, None):
        rows = [(0, "a", 1.0), (0, "a", missing), (0, "b", 4.0), (1, "a", missing), (0, "a", 2.0)]
        found = ScoreMatrix.from_rows(rows, average_repeated=True)
        np.testing.assert_array_equal(found.values, [[1.5, NAN], [4.0, NAN]])
        alone = ScoreMatrix(("a", "b"), [[1.0, missing], [2.0, 3.0]])  # type: ignore[arg-type]
        assert alone.missing == 1
        judged = PairwiseJudgments.from_scores(alone)
        assert judged.preference.tolist() == [-1]
    with pytest.raises(InputError, match="must have one score, but has 2"):
        ScoreMatrix.from_rows([(0, "a", 1.0), (0, "a", NAN)])
