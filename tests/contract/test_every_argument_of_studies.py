"""No argument of a public function is ignored: here those of studies and of what they answer."""

from __future__ import annotations

import json
import random
from functools import partial
from itertools import combinations
from statistics import correlation, mean
from typing import Any

import pytest

import bleuet
from bleuet import BLEU, CHRF, SARI, TER, SavedTable, compare, with_sources
from bleuet.comparison import TokenLabels
from bleuet.comparison.cutoffs import Cutoffs
from bleuet.comparison.division import Division
from bleuet.evaluation.external import SegmentMean
from bleuet.gate import Limits, gate_limits, gate_scores, gate_systems, run_of
from bleuet.meta_evaluation import (
    AgreementSettings,
    HumanScores,
    MetricScores,
    MqmWeights,
    PairwiseJudgments,
    RaterScores,
    ScoreMatrix,
    agreement,
    compare_metrics,
    find_statistic,
    keep_common_segments,
    leaderboard,
    length_sentinels,
    mqm_scores,
    rank_systems,
    rater_agreement,
    williams,
)
from bleuet.significance import (
    Evaluation,
    IntervalSettings,
    TestSettings,
    benjamini_hochberg,
    block_scores,
    bonferroni,
    bootstrap_interval,
    compare_blocks,
    expected_agreement,
    holm,
    is_covered,
    paired_test,
)
from tests.contract.every_argument import Calls, Case, holds
from tests.laws.generated import generated

S = generated(4, 24)
FIRST, CLOSE, WORSE, R = S.systems["first"], S.systems["close"], S.systems["worse"], S.references
ONE = S.column(0)
OTHERS = [[text] for text in S.sources]
NAMES = ("first", "close", "worse")
SYSTEMS = {name: S.systems[name] for name in NAMES}
LENGTHS = {name: [float(len(text)) for text in own] for name, own in SYSTEMS.items()}
DRAWS = 150


def scored(metric: Any, hypotheses: Any = CLOSE, references: Any = R) -> float:
    """The score of texts by one metric alone."""
    return float(metric.corpus_score(hypotheses, references).score)


def evaluated(
    metrics: Any = ("chrf", "ter"), systems: Any = None, references: Any = R
) -> Evaluation:
    """Three systems counted by two metrics."""
    return Evaluation.count(list(metrics), systems or SYSTEMS, references)


def paired(settings: Any = None, evaluation: Any = None, **own: Any) -> Any:
    """A paired test with few draws."""
    return paired_test(evaluation or evaluated(), settings or TestSettings(draws=DRAWS, **own))


def limited(**limits: Any) -> Any:
    """A gate whose baseline is the first system."""
    pair = evaluated(systems={"first": FIRST, "worse": WORSE})
    return gate_systems(pair, Limits(**limits), TestSettings(draws=2500))


def matrix_of(systems: tuple[str, ...], rows: Any) -> ScoreMatrix:
    """Scores with a row for each system."""
    return ScoreMatrix(systems, rows)


def drawn_matrix(seed: int, systems: tuple[str, ...] = ("a", "b", "c", "d", "e")) -> ScoreMatrix:
    """Scores of five systems and eight segments."""
    drawn = random.Random(seed)
    values = [[place + 3 * drawn.random() for _ in range(8)] for place, _ in enumerate(systems)]
    return matrix_of(systems, values)


def pearson(one: ScoreMatrix, other: ScoreMatrix) -> float:
    """Pearson's correlation of all scores."""
    return correlation(*[[x for row in own.values.tolist() for x in row] for own in (one, other)])


def system_pearson(one: ScoreMatrix, other: ScoreMatrix) -> float:
    """Pearson's correlation of the means of systems."""
    return correlation(*[list(map(mean, own.values.tolist())) for own in (one, other)])


def value_of(board: Any, statistic: int = 0, metric: int = 0) -> float:
    """The agreement of a metric."""
    return float(board.results[metric][statistic].agreement.value)


def saved(system: str, own: Any, references: str = "") -> list[SavedTable]:
    """The saved counts of a system by two metrics."""
    return [
        SavedTable(system, metric, metric.count(own, R), references) for metric in (CHRF(), TER())
    ]


def pairs_of(results: Any) -> list[tuple[str, str]]:
    """The pairs that were compared, by the first metric."""
    first = results.metrics[0]
    return [(one.baseline, one.system) for one in results.comparisons if one.metric == first]


def groups_of(words: Any, system: int = 1) -> dict[str, int]:
    """How often the references have the words of each group, as the second system sees it."""
    return {group.label: group.expected for group in words.systems[system]}


def how_often(word: str) -> int:
    """How often the first references have a word."""
    return sum(text.split().count(word) for text in ONE)


def labelled(text: str, *labels: str) -> str:
    """A label for each token."""
    return " ".join(labels[one in ",.;"] for one in text.split())


WHOLE = matrix_of(("a", "b", "c", "d", "e"), [[0.5], [0.1], [0.7], [0.4], [0.9]])
HUMAN, METRIC = drawn_matrix(1), drawn_matrix(2)
THIRD = drawn_matrix(3)
RATED = [
    (row, system, rater, float((row * 7 + len(rater) * place) % 5))
    for row in range(6)
    for place, system in enumerate("ab")
    for rater in ("x", "yy", "zzz")
]
P_VALUES = {("first", "close"): 0.01, ("first", "worse"): 0.01, ("close", "worse"): 0.01}
ERRORS = [(0, "a", "x", "Style", "Minor"), (1, "a", "x", "Fluency/Grammar", "Major")]

CALLS: Calls = {
    "compare": lambda: (compare, {"hypotheses": SYSTEMS, "references": R}),
    "Comparison.breakdown": lambda: (
        compare(SYSTEMS, R, by=["length", "score"]).breakdown, {"name": "length"}
    ),
    "Comparison.show": lambda: (compare(SYSTEMS, R).show, {"parts": ["scores"]}),
    "Comparison.tested": lambda: (
        compare(SYSTEMS, R).tested, {"settings": TestSettings(draws=DRAWS)}
    ),
    "Comparison.to_dict": lambda: (compare(SYSTEMS, R).to_dict, {}),
    "Comparison.with_clusters": lambda: (
        compare(SYSTEMS, R).with_clusters, {"p_values": {"BLEU": P_VALUES}}
    ),
    "Comparison.with_significance": lambda: (
        compare(SYSTEMS, R, ["chrf", "ter"], all_pairs=True).with_significance,
        {"results": paired(all_pairs=True)},
    ),
    "TokenLabels": lambda: (
        lambda **given: compare(SYSTEMS, R, token_labels=TokenLabels(**given)).words,
        {
            "references": [labelled(text, "W", "P") for text in ONE],
            "hypotheses": {
                name: [labelled(text, "W", "P") for text in own] for name, own in SYSTEMS.items()
            },
        },
    ),
    "Cutoffs": lambda: (
        lambda values, whole=True: Cutoffs(values, whole).labels, {"values": (1, 4)}
    ),
    "Division": lambda: (
        lambda **given: compare(SYSTEMS, R, by=[Division(**given)]),
        {
            "name": "ends", "title": "ends of texts", "cutoffs": Cutoffs((1,)),
            "measure": lambda texts, system: [int(one.endswith(".")) for one in ONE],
        },
    ),
    "Limits": lambda: (limited, {"max_drop": 1.0, "fail_on": "both"}),
    "gate_limits": lambda: (
        gate_limits,
        {
            "new": "mine", "scores": [CHRF().corpus_score(FIRST, R)],
            "limits": Limits(min={"chrf": 1}),
        },
    ),
    "gate_scores": lambda: (
        gate_scores,
        {
            "baseline": "old", "new": "mine", "baseline_scores": [CHRF().corpus_score(FIRST, R)],
            "new_scores": [CHRF().corpus_score(CLOSE, R)], "limits": Limits(1.0),
        },
    ),
    "gate_systems": lambda: (
        gate_systems,
        {
            "evaluation": evaluated(systems={"first": FIRST, "worse": WORSE}),
            "limits": Limits(1.0), "settings": TestSettings(draws=DRAWS),
        },
    ),
    "run_of": lambda: (
        run_of,
        {
            "result": limited(max_drop=1.0), "tables": saved("worse", WORSE), "label": "a",
            "time": "2026-01-01T00:00:00Z", "settings": IntervalSettings(draws=DRAWS),
        },
    ),
    "Evaluation": lambda: (
        lambda **given: paired(evaluation=Evaluation(**given), test="randomization"),
        {"metrics": evaluated().metrics, "tables": evaluated().tables},
    ),
    "Evaluation.count": lambda: (
        Evaluation.count, {"metrics": ["chrf"], "hypotheses": SYSTEMS, "references": R}
    ),
    "Evaluation.from_saved": lambda: (
        Evaluation.from_saved, {"saved": [*saved("a", FIRST, "x"), *saved("b", CLOSE, "x")]}
    ),
    "Evaluation.of_runs": lambda: (
        Evaluation.of_runs,
        {"metrics": [CHRF()], "runs": {"a": [[CHRF().count(own, R)] for own in (FIRST, CLOSE)]}},
    ),
    "Evaluation.select": lambda: (evaluated().select, {"metrics": [0]}),
    "Evaluation.with_scores": lambda: (evaluated().with_scores, {"scores": {"words": LENGTHS}}),
    "IntervalSettings": lambda: (
        lambda **given: bootstrap_interval(
            CHRF(), CHRF().count(CLOSE, R), IntervalSettings(**given)
        ),
        {"draws": DRAWS},
    ),
    "TestSettings": lambda: (lambda **given: paired(TestSettings(**given)), {"draws": DRAWS}),
    "paired_test": lambda: (
        paired_test, {"evaluation": evaluated(), "settings": TestSettings(draws=DRAWS)}
    ),
    "bootstrap_interval": lambda: (
        bootstrap_interval,
        {
            "metric": CHRF(), "table": CHRF().count(CLOSE, R),
            "settings": IntervalSettings(draws=DRAWS),
        },
    ),
    "PairedComparison.is_significant": lambda: (
        paired().comparisons[0].replace(p_value=0.2, corrected_p_value=0.3).is_significant, {}
    ),
    "PairedScores.comparison": lambda: (
        paired(all_pairs=True).comparison, {"one": "first", "other": "close"}
    ),
    "PairedScores.detectable": lambda: (large().detectable, {"metric": "chrF2"}),
    "PairedScores.power": lambda: (large().power, {"metric": "chrF2", "difference": 3.0}),
    "PairedScores.ranks": lambda: (rated().ranks, {"metric": "good"}),
    "PairedScores.score": lambda: (paired().score, {"system": "first"}),
    "PairedScores.significantly_worse": lambda: (
        rated().significantly_worse, {"system": "first", "metric": "good"}
    ),
    "benjamini_hochberg": lambda: (benjamini_hochberg, {"p_values": [0.01, 0.5]}),
    "bonferroni": lambda: (bonferroni, {"p_values": [0.01, 0.5]}),
    "holm": lambda: (holm, {"p_values": [0.01, 0.5]}),
    "block_scores": lambda: (
        block_scores, {"metric": CHRF(), "table": CHRF().count(CLOSE, R), "blocks": 4}
    ),
    "compare_blocks": lambda: (
        compare_blocks,
        {
            "metric": CHRF(), "one": CHRF().count(FIRST, R), "other": CHRF().count(CLOSE, R),
            "blocks": 4,
        },
    ),
    "expected_agreement": lambda: (expected_agreement, {"metric": BLEU(), "difference": 1.0}),
    "is_covered": lambda: (is_covered, {"metric": BLEU()}),
    "agreement": lambda: (agreement, {"statistic": "pearson", "human": HUMAN, "metric": METRIC}),
    "AgreementSettings": lambda: (
        lambda **given: agreement("pearson", HUMAN, METRIC, AgreementSettings(**given)),
        {},
    ),
    "compare_metrics": lambda: (
        compare_metrics,
        {
            "statistic": "pearson", "human": HUMAN, "first": METRIC, "second": THIRD,
            "settings": AgreementSettings(trials=60),
        },
    ),
    "find_statistic": lambda: (find_statistic, {"name": "pearson"}),
    "keep_common_segments": lambda: (
        keep_common_segments,
        {"human": HumanScores(HUMAN), "metrics": [MetricScores("m", METRIC)]},
    ),
    "leaderboard": lambda: (
        leaderboard,
        {
            "human": HumanScores(HUMAN), "metrics": [MetricScores("m", METRIC)],
            "statistics": ["pearson"],
        },
    ),
    "HumanScores": lambda: (
        lambda **given: leaderboard(HumanScores(**given), [MetricScores("m", METRIC)]),
        {"scores": HUMAN},
    ),
    "MetricScores": lambda: (
        lambda **given: leaderboard(HumanScores(HUMAN), [MetricScores(**given)]),
        {"name": "m", "segments": METRIC},
    ),
    "length_sentinels": lambda: (
        length_sentinels, {"systems": NAMES, "outputs": list(SYSTEMS.values()), "references": R}
    ),
    "MqmWeights": lambda: (lambda **given: mqm_scores(ERRORS, MqmWeights(**given)), {}),
    "mqm_scores": lambda: (mqm_scores, {"annotations": ERRORS}),
    "rank_systems": lambda: (
        rank_systems,
        {"human": HumanScores(HUMAN), "settings": AgreementSettings(rank_systems="signed-rank")},
    ),
    "rater_agreement": lambda: (rater_agreement, {"raters": RaterScores.from_rows(RATED)}),
    "RaterScores.from_rows": lambda: (RaterScores.from_rows, {"rows": RATED}),
    "PairwiseJudgments.from_rankings": lambda: (
        PairwiseJudgments.from_rankings, {"rows": [(0, ["a", "b"], [1, 2])]}
    ),
    "PairwiseJudgments.select": lambda: (
        PairwiseJudgments.from_scores(HUMAN).select, {"kept": [0, 1]}
    ),
    "ScoreMatrix": lambda: (ScoreMatrix, {"systems": ("a", "b"), "values": [[0.1], [0.2]]}),
    "ScoreMatrix.from_rows": lambda: (
        ScoreMatrix.from_rows, {"rows": [(0, "a", 1.0), (0, "b", 2.0)]}
    ),
    "ScoreMatrix.select": lambda: (HUMAN.select, {"systems": ["a", "b"]}),
    "williams": lambda: (williams, {"first": 0.45, "second": 0.2, "between": 0.8, "items": 100}),
}  # fmt: skip


def shown() -> str:
    """The score of the second system with four digits."""
    return f"{scored(CHRF()):.4f}"


def answer_in(name: str) -> tuple[Any, dict[str, Any]]:
    """A method of an answer that returns it in a format."""
    return getattr(compare(SYSTEMS, R, ["chrf"]).show("scores"), f"to_{name}"), {}


for _name in ("text", "markdown", "latex", "html", "csv", "json", "jsonl"):
    CALLS[f"Answer.to_{_name}"] = partial(answer_in, _name)

CASES = [
    Case(
        "compare.hypotheses",
        lambda: {"x": FIRST, "y": WORSE},
        lambda _, b: ([b.systems, b.scores[1][0].score], [("x", "y"), scored(BLEU(), WORSE)]),
    ),
    Case(
        "compare.references",
        lambda: OTHERS,
        lambda _, b: (b.scores[1][1].score, scored(CHRF(), CLOSE, OTHERS)),
    ),
    Case(
        "compare.metrics",
        lambda: ["ter", CHRF()],
        lambda _, b: ([one.score for one in b.scores[1]], [scored(TER()), scored(CHRF())]),
    ),
    Case(
        "compare.sources",
        lambda: S.sources,
        lambda _, b: (b.scores[1][0].score, scored(SARI(), CLOSE, with_sources(R, S.sources))),
        lambda: {"metrics": ["sari"], "sources": ONE},
    ),
    Case(
        "compare.scores",
        lambda: {"words": LENGTHS},
        lambda _, b: (b.scores[1][2].score, mean(LENGTHS["close"])),
    ),
    Case(
        "compare.by",
        lambda: ["score", "hypothesis-length=3,9"],
        lambda _, b: (
            [(one.name, len(one.systems[1])) for one in b.breakdowns][1:],
            [("hypothesis-length", 3)],
        ),
    ),
    Case(
        "compare.labels",
        lambda: {"group": S.groups, "doc": S.documents},
        lambda _, b: (
            [
                {one.bucket.label: list(one.bucket.rows) for one in b.breakdown(name).systems[1]}
                for name in ("group", "doc")
            ],
            [
                {
                    label: [row for row, own in enumerate(column) if own == label]
                    for label in dict.fromkeys(column)
                }
                for column in (S.groups, S.documents)
            ],
        ),
    ),
    Case(
        "compare.frequencies",
        lambda: {"the": 10**6},
        lambda _, b: (list(groups_of(b.words[0]).values())[-1], how_often("the")),
    ),
    Case(
        "compare.word_lists",
        lambda: {"places": ["Harbour"], "people": ["Anna", "keeper"]},
        lambda _, b: (
            [groups_of(b.words[-1])[name] for name in ("places", "people")],
            [how_often("Harbour"), how_often("Anna") + how_often("keeper")],
        ),
    ),
    Case(
        "compare.token_labels",
        lambda: token_labels(),
        lambda _, b: (groups_of(b.words[-1])["P"], sum(map(how_often, ",.;"))),
    ),
    Case(
        "compare.all_pairs",
        lambda: True,
        lambda _, b: ([(one.left, one.right) for one in b.pairs], list(combinations(NAMES, 2))),
    ),
    Case(
        "compare.examples",
        lambda: 2,
        lambda _, b: ([len(ranking.lost) for one in b.pairs for ranking in one.sentences], [2] * 4),
    ),
    Case(
        "compare.tokenize",
        lambda: "char",
        lambda _, b: (
            b.texts.tokens.hypotheses[1].lengths,
            [len(text.replace(" ", "")) for text in CLOSE],
        ),
    ),
    Case(
        "compare.documents",
        lambda: S.documents,
        lambda _, b: (
            b.tested(TestSettings(draws=DRAWS)).significance.comparisons,
            paired(evaluation=joined_by_hand(["bleu", "chrf"]), all_pairs=True).comparisons,
        ),
    ),
    Case("Comparison.breakdown.name", lambda: "score", lambda _, b: (b.name, "score")),
    Case(
        "Comparison.show.parts",
        lambda: ["surface", "buckets"],
        lambda _, b: (set(b.to_dict()) & {"scores", "surface", "buckets"}, {"surface", "buckets"}),
    ),
    Case(
        "Comparison.tested.settings",
        lambda: TestSettings(draws=99, test="randomization"),
        lambda _, b: (
            b.significance.comparisons,
            paired_test(
                evaluated(["bleu", "chrf"]),
                TestSettings(draws=99, test="randomization", all_pairs=True),
            ).comparisons,
        ),
    ),
    Case(
        "Comparison.to_dict.texts",
        lambda: True,
        lambda _, b: ([one["hypotheses"]["close"] for one in b["texts"]], CLOSE),
    ),
    Case(
        "Comparison.with_clusters.p_values",
        lambda: {"BLEU": dict.fromkeys(P_VALUES, 0.9), "chrF2": P_VALUES},
        lambda _, b: (
            [(one.metric, clusters_of(one)) for one in b.clusters],
            [("BLEU", 1), ("chrF2", 3)],
        ),
    ),
    Case(
        "Comparison.with_clusters.alpha",
        lambda: 0.001,
        lambda a, b: ([clusters_of(one.clusters[0]) for one in (a, b)], [3, 1]),
    ),
    Case(
        "Comparison.with_clusters.test",
        lambda: "a test",
        lambda _, b: (b.clusters[0].test, "a test"),
    ),
    Case(
        "Comparison.with_significance.results",
        lambda: paired(all_pairs=True, seed=9),
        lambda _, b: (b.significance.comparisons, paired(all_pairs=True, seed=9).comparisons),
    ),
    Case(
        "TokenLabels.references",
        lambda: [labelled(text, "X", "Y") for text in ONE],
        lambda _, b: (groups_of(b[-1])["Y"], sum(map(how_often, ",.;"))),
    ),
    Case(
        "TokenLabels.hypotheses",
        lambda: {
            name: [labelled(text, "W", "Z" if name == "close" else "P") for text in own]
            for name, own in SYSTEMS.items()
        },
        lambda a, b: (
            [produced(own) for own in b[-1].systems],
            [
                (p - z, z)
                for place, own in enumerate(a[-1].systems)
                for p, z in [(produced(own)[0], produced(b[-1].systems[1])[1] * (place == 1))]
            ],
        ),
    ),
    Case("TokenLabels.name", lambda: "kind", lambda _, b: (b[-1].name, "kind")),
    Case("Cutoffs.values", lambda: (2, 7), lambda _, b: (b, ("<2", "2 to 6", ">=7"))),
    Case("Cutoffs.whole", lambda: False, lambda _, b: (b, ("<1", "[1, 4)", ">=4"))),
    Case("Division.name", lambda: "others", lambda _, b: (b.breakdown("others").name, "others")),
    Case(
        "Division.title",
        lambda: "another title",
        lambda _, b: ("another title" in b.to_markdown(), True),
    ),
    Case(
        "Division.measure",
        lambda: lambda texts, system: [int("," in one) for one in ONE],
        lambda _, b: (
            list(b.breakdowns[0].systems[1][1].bucket.rows),
            [row for row, text in enumerate(ONE) if "," in text],
        ),
    ),
    Case(
        "Division.cutoffs",
        lambda: Cutoffs((0, 1)),
        lambda _, b: (
            [one.bucket.label for one in b.breakdowns[0].systems[1] if one.bucket.rows],
            ["0", ">=1"],
        ),
    ),
    Case(
        "Division.shared",
        lambda: False,
        lambda _, b: (
            [[one.bucket.rows for one in own] for own in b.breakdowns[0].systems[:2]],
            [[tuple(range(24)), ()], [(), tuple(range(24))]],
        ),
        lambda: {"measure": lambda texts, system: [system] * 24},
    ),
    # Gates.
    Case(
        "Limits.max_drop",
        lambda: 1e6,
        lambda a, b: (
            [[one.too_large for one in own.checks] for own in (a, b)],
            [[True] * 2, [False] * 2],
        ),
    ),
    Case(
        "Limits.alpha",
        lambda: 0.003,
        lambda a, b: (
            [[one.significant for one in own.checks] for own in (a, b)],
            [[True, True], [True, False]],
        ),
    ),
    Case(
        "Limits.fail_on",
        lambda: "drop",
        lambda _, b: ([one.fails for one in b.checks], [one.too_large for one in b.checks]),
        lambda: {"alpha": 0.001},
    ),
    Case(
        "Limits.max_drops",
        lambda: {"ter": 1e6},
        lambda _, b: ([one.too_large for one in b.checks], [True, False]),
    ),
    Case(
        "Limits.min",
        lambda: {"chrf": 99.0},
        lambda _, b: (
            [(one.limit.min, one.fails) for one in b.checks],
            [(99.0, True), (None, False)],
        ),
        lambda: {"max_drop": 1e6},
    ),
    Case(
        "Limits.max",
        lambda: {"ter": 1.0},
        lambda _, b: (
            [(one.limit.max, one.fails) for one in b.checks],
            [(None, False), (1.0, True)],
        ),
        lambda: {"max_drop": 1e6},
    ),
    Case("Limits.changes", lambda: 5, lambda _, b: (b.limits.alpha_of_change, 0.01)),
    Case("gate_limits.new", lambda: "other", lambda _, b: (b.new, "other")),
    Case(
        "gate_limits.scores",
        lambda: [CHRF().corpus_score(CLOSE, R)],
        lambda _, b: (b.checks[0].new, scored(CHRF())),
    ),
    Case(
        "gate_limits.limits",
        lambda: Limits(min={"chrf": 100}),
        lambda a, b: ((a.passed, b.passed), (True, False)),
    ),
    Case(
        "gate_limits.first_run",
        lambda: "history.jsonl",
        lambda _, b: (b.first_run, "history.jsonl"),
    ),
    Case("gate_scores.baseline", lambda: "older", lambda _, b: (b.baseline, "older")),
    Case("gate_scores.new", lambda: "other", lambda _, b: (b.new, "other")),
    Case(
        "gate_scores.baseline_scores",
        lambda: [99.0],
        lambda _, b: (b.checks[0].drop, 99 - scored(CHRF())),
    ),
    Case(
        "gate_scores.new_scores",
        lambda: [CHRF().corpus_score(WORSE, R)],
        lambda _, b: (b.checks[0].drop, scored(CHRF(), FIRST) - scored(CHRF(), WORSE)),
    ),
    Case(
        "gate_scores.limits",
        lambda: Limits(1e6),
        lambda _, b: (b.passed, True),
        lambda: {"new_scores": [CHRF().corpus_score(WORSE, R)]},
    ),
    Case(
        "gate_systems.evaluation",
        lambda: evaluated(systems={"first": FIRST, "close": CLOSE}),
        lambda _, b: ([b.new, b.checks[1].drop], ["close", scored(TER()) - scored(TER(), FIRST)]),
    ),
    Case(
        "gate_systems.limits",
        lambda: Limits(1e6),
        lambda _, b: ([one.limit.max_drop for one in b.checks], [1e6] * 2),
    ),
    Case(
        "gate_systems.settings",
        lambda: TestSettings(draws=99, seed=3, test="randomization", correction="bonferroni"),
        lambda _, b: (
            [one.p_value for one in b.checks] + [b.seed, b.draws, b.test, b.correction],
            [
                one.p_value
                for one in paired(
                    TestSettings(draws=99, seed=3, test="randomization"),
                    evaluated(systems={"first": FIRST, "worse": WORSE}),
                ).comparisons
            ]
            + [3, 99, "randomization", "bonferroni"],
        ),
    ),
    Case(
        "run_of.result",
        lambda: limited(max_drop=1e6),
        lambda a, b: ([a.passed, b.passed], [False, True]),
    ),
    Case(
        "run_of.tables",
        lambda: saved("worse", WORSE, "segments:24|references:" + "0" * 32),
        lambda _, b: (b.test_set, "segments:24|references:" + "0" * 32),
    ),
    Case("run_of.label", lambda: "b", lambda _, b: (b.label, "b")),
    Case(
        "run_of.time", lambda: "2026-02-01T00:00:00Z", lambda _, b: (b.time, "2026-02-01T00:00:00Z")
    ),
    Case("run_of.system", lambda: "ours", lambda _, b: (b.system, "ours")),
    Case(
        "run_of.settings",
        lambda: IntervalSettings(draws=99, seed=3, confidence=0.5),
        lambda _, b: (
            [(one.low, one.high) for one in b.scores] + [b.confidence],
            [
                (one.low, one.high)
                for metric in (CHRF(), TER())
                for one in [
                    bootstrap_interval(
                        metric,
                        metric.count(WORSE, R),
                        IntervalSettings(draws=99, seed=3, confidence=0.5),
                    )
                ]
            ]
            + [0.5],
        ),
    ),
    Case(
        "run_of.documents",
        lambda: S.documents,
        lambda _, b: (
            [(one.low, one.high) for one in b.scores] + [b.documents],
            [
                (one.low, one.high)
                for metric in (CHRF(), TER())
                for one in [
                    bootstrap_interval(
                        metric,
                        metric.count(WORSE, R),
                        IntervalSettings(draws=DRAWS),
                        documents=S.documents,
                    )
                ]
            ]
            + [len(set(S.documents))],
        ),
    ),
    # Evaluations and their tests.
    Case(
        "Evaluation.metrics",
        lambda: [CHRF(beta=1), TER()],
        lambda _, b: (b.score("close").score, scored(CHRF(beta=1))),
    ),
    Case(
        "Evaluation.tables",
        lambda: evaluated(systems={"x": WORSE, "y": CLOSE}).tables,
        lambda _, b: (
            b.comparisons,
            paired(evaluation=evaluated(systems={"x": WORSE, "y": CLOSE})).comparisons,
        ),
    ),
    Case(
        "Evaluation.runs",
        lambda: 2,
        lambda _, b: (b.score("a").run_scores, (scored(CHRF(), FIRST), scored(CHRF()))),
        lambda: {
            "metrics": [CHRF()],
            "tables": {
                "a": [CHRF().count([*FIRST, *CLOSE], [*R, *R])],
                "b": [CHRF().count([*CLOSE, *WORSE], [*R, *R])],
            },
        },
    ),
    Case(
        "Evaluation.documents",
        lambda: S.documents,
        lambda _, b: (b.comparisons, paired(evaluation=joined_by_hand()).comparisons),
    ),
    Case(
        "Evaluation.count.metrics",
        lambda: ["ter", "bleu"],
        lambda _, b: ([one.score for one in b.scores["close"]], [scored(TER()), scored(BLEU())]),
    ),
    Case(
        "Evaluation.count.hypotheses",
        lambda: {"x": FIRST, "y": WORSE},
        lambda _, b: (b.scores["y"][0].score, scored(CHRF(), WORSE)),
    ),
    Case(
        "Evaluation.count.references",
        lambda: OTHERS,
        lambda _, b: (b.scores["close"][0].score, scored(CHRF(), CLOSE, OTHERS)),
    ),
    Case(
        "Evaluation.from_saved.saved",
        lambda: [*saved("c", WORSE), *saved("b", CLOSE)],
        lambda _, b: (
            [(name, own[1].score) for name, own in b.scores.items()],
            [("c", scored(TER(), WORSE)), ("b", scored(TER()))],
        ),
    ),
    Case(
        "Evaluation.of_runs.metrics",
        lambda: [CHRF(beta=1)],
        lambda _, b: (b.run_scores("a", 0), (scored(CHRF(beta=1), FIRST), scored(CHRF(beta=1)))),
    ),
    Case(
        "Evaluation.of_runs.runs",
        lambda: {"a": [[CHRF().count(own, R)] for own in (FIRST, CLOSE, WORSE)]},
        lambda _, b: (b.run_scores("a", 0)[2], scored(CHRF(), WORSE)),
    ),
    Case(
        "Evaluation.select.metrics",
        lambda: [1, 0],
        lambda _, b: ([one.score for one in b.scores["close"]], [scored(TER()), scored(CHRF())]),
    ),
    Case(
        "Evaluation.select.segments",
        lambda: [3, 1],
        lambda _, b: (
            b.scores["close"][0].score,
            scored(CHRF(), [CLOSE[3], CLOSE[1]], [R[3], R[1]]),
        ),
    ),
    Case(
        "Evaluation.with_scores.scores",
        lambda: {
            "words": LENGTHS,
            "negative": {name: [-one for one in own] for name, own in LENGTHS.items()},
        },
        lambda _, b: (b.scores["worse"][3].score, -mean(LENGTHS["worse"])),
    ),
    *(
        Case(
            f"IntervalSettings.{name}",
            lambda value=value: value,
            lambda _, b, own={name: value}: (
                [b.low, b.high, b.mean],
                [
                    getattr(
                        paired(TestSettings(**{"draws": DRAWS, "test": "bootstrap", **own}))
                        .score("close")
                        .interval,
                        key,
                    )
                    for key in ("low", "high", "mean")
                ],
            ),
        )
        for name, value in (("draws", 77), ("seed", 3), ("confidence", 0.5))
    ),
    Case(
        "TestSettings.draws",
        lambda: 77,
        lambda _, b: ([round(one.p_value * 78, 6) % 1 for one in b.comparisons], [0.0] * 4),
    ),
    Case("TestSettings.seed", lambda: 3, lambda _, b: (b.comparisons, paired(seed=3).comparisons)),
    Case(
        "TestSettings.confidence",
        lambda: 0.5,
        lambda a, b: (
            [
                one.low >= other.low and one.high <= other.high
                for one, other in zip(b.comparisons, a.comparisons, strict=True)
            ],
            [True] * 4,
        ),
    ),
    Case(
        "TestSettings.test",
        lambda: "bootstrap",
        lambda _, b: (
            b.score("close").interval.low,
            bootstrap_interval(CHRF(), CHRF().count(CLOSE, R), IntervalSettings(draws=DRAWS)).low,
        ),
    ),
    Case(
        "TestSettings.baseline",
        lambda: "close",
        lambda _, b: (pairs_of(b), [("close", "first"), ("close", "worse")]),
    ),
    Case(
        "TestSettings.all_pairs",
        lambda: True,
        lambda _, b: (pairs_of(b), list(combinations(NAMES, 2))),
    ),
    Case(
        "TestSettings.correction",
        lambda: "bonferroni",
        lambda _, b: (
            [one.corrected_p_value for one in b.comparisons],
            [min(1.0, 2 * one.p_value) for one in b.comparisons],
        ),
    ),
    Case(
        "TestSettings.correct_over",
        lambda: "all",
        lambda _, b: (
            [one.corrected_p_value for one in b.comparisons],
            [min(1.0, 4 * one.p_value) for one in b.comparisons],
        ),
        lambda: {"correction": "bonferroni"},
    ),
    Case(
        "TestSettings.alpha",
        lambda: 0.9,
        lambda _, b: (
            [b.significantly_worse("first", metric) for metric in b.metrics],
            [
                tuple(
                    one.worse
                    for one in b.comparisons_by(metric)
                    if one.p < 0.9 and one.better == "first"
                )
                for metric in b.metrics
            ],
        ),
    ),
    Case(
        "paired_test.evaluation",
        lambda: evaluated(["ter"]),
        lambda a, b: (b.comparisons, [one for one in a.comparisons if one.metric == "TER"]),
    ),
    Case(
        "paired_test.settings",
        lambda: TestSettings(draws=77, baseline="worse"),
        lambda _, b: (pairs_of(b), [("worse", "first"), ("worse", "close")]),
    ),
    Case(
        "bootstrap_interval.metric",
        lambda: CHRF(beta=1),
        lambda _, b: (b.score, scored(CHRF(beta=1))),
    ),
    Case(
        "bootstrap_interval.table",
        lambda: CHRF().count(WORSE, R),
        lambda _, b: (b.score, scored(CHRF(), WORSE)),
    ),
    Case(
        "bootstrap_interval.settings",
        lambda: IntervalSettings(draws=77, seed=3, confidence=0.5),
        lambda _, b: (
            b.low,
            paired(TestSettings(draws=77, seed=3, confidence=0.5, test="bootstrap"))
            .score("close")
            .interval.low,
        ),
    ),
    Case(
        "bootstrap_interval.documents",
        lambda: S.documents,
        lambda _, b: (
            b.low,
            bootstrap_interval(
                CHRF(),
                CHRF().count(CLOSE, R).add_groups(S.documents),
                IntervalSettings(draws=DRAWS),
            ).low,
        ),
    ),
    Case(
        "PairedComparison.is_significant.alpha", lambda: 0.4, lambda a, b: ((a, b), (False, True))
    ),
    Case(
        "PairedScores.comparison.one",
        lambda: "worse",
        lambda _, b: ({b.baseline, b.system}, {"close", "worse"}),
    ),
    Case(
        "PairedScores.comparison.other",
        lambda: "worse",
        lambda _, b: ({b.baseline, b.system}, {"first", "worse"}),
    ),
    Case(
        "PairedScores.comparison.metric",
        lambda: "TER",
        lambda _, b: (abs(b.difference), abs(scored(TER(), FIRST) - scored(TER()))),
    ),
    Case(
        "PairedScores.detectable.metric",
        lambda: "TER",
        lambda _, b: (b, large(["ter"]).detectable("TER")),
    ),
    Case(
        "PairedScores.power.metric",
        lambda: "TER",
        lambda _, b: (b, large(["ter"]).power("TER", 3.0)),
    ),
    Case(
        "PairedScores.power.difference",
        lambda: large().detectable("chrF2"),
        lambda _, b: (round(b, 2), 0.8),
    ),
    Case(
        "PairedScores.power.units", lambda: 4 * LARGE, lambda _, b: (b, large().power("chrF2", 6.0))
    ),
    Case(
        "PairedScores.ranks.metric",
        lambda: "bad",
        lambda _, b: (
            b,
            {name: 1 + len(rated().significantly_worse(name, "good")) for name in NAMES},
        ),
    ),
    Case("PairedScores.score.system", lambda: "close", lambda _, b: (b.score, scored(CHRF()))),
    Case("PairedScores.score.metric", lambda: "TER", lambda _, b: (b.score, scored(TER(), FIRST))),
    Case(
        "PairedScores.significantly_worse.system",
        lambda: "close",
        lambda _, b: (
            b,
            tuple(name for name in NAMES if "close" in rated().significantly_worse(name, "bad")),
        ),
    ),
    Case(
        "PairedScores.significantly_worse.metric",
        lambda: "bad",
        lambda _, b: (
            b,
            tuple(name for name in NAMES if "first" in rated().significantly_worse(name, "good")),
        ),
    ),
    Case("benjamini_hochberg.p_values", lambda: [0.02, 0.01], lambda _, b: (b, [0.02, 0.02])),
    Case("bonferroni.p_values", lambda: [0.02, 0.01], lambda _, b: (b, [0.04, 0.02])),
    Case("holm.p_values", lambda: [0.03, 0.01], lambda _, b: (b, [0.03, 0.02])),
    Case(
        "block_scores.metric",
        lambda: CHRF(beta=1),
        lambda _, b: (b.scores[1], scored(CHRF(beta=1), CLOSE[6:12], R[6:12])),
    ),
    Case(
        "block_scores.table",
        lambda: CHRF().count(WORSE, R),
        lambda _, b: (b.scores[1], scored(CHRF(), WORSE[6:12], R[6:12])),
    ),
    Case(
        "block_scores.blocks",
        lambda: 8,
        lambda _, b: (b.scores[2], scored(CHRF(), CLOSE[6:9], R[6:9])),
    ),
    Case(
        "compare_blocks.metric",
        lambda: CHRF(beta=1),
        lambda _, b: (b.other.scores[1], scored(CHRF(beta=1), CLOSE[6:12], R[6:12])),
    ),
    Case(
        "compare_blocks.one",
        lambda: CHRF().count(WORSE, R),
        lambda _, b: (b.one.scores[1], scored(CHRF(), WORSE[6:12], R[6:12])),
    ),
    Case(
        "compare_blocks.other",
        lambda: CHRF().count(WORSE, R),
        lambda _, b: (b.other.scores[1], scored(CHRF(), WORSE[6:12], R[6:12])),
    ),
    Case(
        "compare_blocks.blocks",
        lambda: 8,
        lambda _, b: ((b.degrees_of_freedom, len(b.one.scores)), (7, 8)),
    ),
    Case("expected_agreement.metric", lambda: CHRF(), lambda _, b: (0.5 < b < 1, True)),
    Case("expected_agreement.difference", lambda: 5.0, lambda a, b: (0.5 <= a < b, True)),
    Case("is_covered.metric", lambda: BLEU(max_ngram_order=2), lambda _, b: (b, False)),
    # Agreement with humans.
    Case(
        "agreement.statistic",
        lambda: "system-pearson",
        lambda _, b: (b.value, system_pearson(HUMAN, METRIC)),
    ),
    Case("agreement.human", lambda: THIRD, lambda _, b: (b.value, pearson(THIRD, METRIC))),
    Case("agreement.metric", lambda: THIRD, lambda _, b: (b.value, pearson(HUMAN, THIRD))),
    Case(
        "agreement.settings",
        lambda: AgreementSettings(grouping="item"),
        lambda _, b: (b.value, by_item()),
    ),
    Case(
        "AgreementSettings.grouping",
        lambda: "system",
        lambda _, b: (
            b.value,
            mean(
                [
                    correlation(*rows)
                    for rows in zip(HUMAN.values.tolist(), METRIC.values.tolist(), strict=True)
                ]
            ),
        ),
    ),
    Case(
        "AgreementSettings.draws",
        lambda: 50,
        lambda a, b: ((a.low, b.low < b.value < b.high), (None, True)),
    ),
    Case(
        "AgreementSettings.confidence",
        lambda: 0.5,
        lambda a, b: (a.low < b.low < b.high < a.high, True),
        lambda: {"draws": 60},
    ),
    Case(
        "AgreementSettings.seed",
        lambda: 3,
        lambda _, b: (b, agreement("pearson", HUMAN, METRIC, AgreementSettings(draws=60, seed=3))),
        lambda: {"draws": 60},
    ),
    Case(
        "AgreementSettings.documents",
        lambda: ["x"] * 4 + ["y"] * 4,
        lambda _, b: (
            b,
            agreement(
                "pearson", HUMAN, METRIC, AgreementSettings(draws=60, documents=[7] * 4 + [9] * 4)
            ),
        ),
        lambda: {"draws": 60},
    ),
    Case(
        "compare_metrics.statistic",
        lambda: "system-pearson",
        lambda _, b: (
            [b.first, b.second],
            [system_pearson(HUMAN, METRIC), system_pearson(HUMAN, THIRD)],
        ),
    ),
    Case(
        "compare_metrics.human",
        lambda: drawn_matrix(4),
        lambda _, b: (
            [b.first, b.second],
            [pearson(drawn_matrix(4), METRIC), pearson(drawn_matrix(4), THIRD)],
        ),
    ),
    Case(
        "compare_metrics.first",
        lambda: drawn_matrix(4),
        lambda _, b: (
            [b.first, b.second],
            [pearson(HUMAN, drawn_matrix(4)), pearson(HUMAN, THIRD)],
        ),
    ),
    Case(
        "compare_metrics.second",
        lambda: drawn_matrix(4),
        lambda _, b: (
            [b.first, b.second],
            [pearson(HUMAN, METRIC), pearson(HUMAN, drawn_matrix(4))],
        ),
    ),
    Case(
        "compare_metrics.settings",
        lambda: AgreementSettings(trials=70),
        lambda _, b: (b.trials, 70),
    ),
    Case("find_statistic.name", lambda: "acc-eq", lambda _, b: (b.name, "acc-eq")),
    Case(
        "keep_common_segments.human",
        lambda: HumanScores(THIRD),
        lambda _, b: (b[0].scores.values, THIRD.values),
    ),
    Case(
        "keep_common_segments.metrics",
        lambda: [MetricScores("m", METRIC), MetricScores("n", with_gap(METRIC, 5))],
        lambda _, b: (
            [
                [[str(one) == "nan" for one in row].index(True) for row in own.values.tolist()]
                for own in (b[1][0].segments, b[1][1].segments)
            ],
            [[5] * 5] * 2,
        ),
    ),
    Case(
        "leaderboard.human",
        lambda: HumanScores(THIRD),
        lambda _, b: (value_of(b), pearson(THIRD, METRIC)),
    ),
    Case(
        "leaderboard.metrics",
        lambda: [MetricScores("n", THIRD), MetricScores("m", METRIC)],
        lambda _, b: (
            {
                one.name: own[0].agreement.value
                for one, own in zip(b.metrics, b.results, strict=True)
            },
            {"m": pearson(HUMAN, METRIC), "n": pearson(HUMAN, THIRD)},
        ),
    ),
    Case(
        "leaderboard.statistics",
        lambda: ["pearson", "system-pearson"],
        lambda _, b: (value_of(b, 1), system_pearson(HUMAN, METRIC)),
    ),
    Case(
        "leaderboard.settings",
        lambda: AgreementSettings(grouping="item"),
        lambda _, b: (value_of(b), by_item()),
    ),
    Case(
        "length_sentinels.systems",
        lambda: ("x", "y", "z"),
        lambda _, b: (b[0].segments.systems, ("x", "y", "z")),
    ),
    Case(
        "length_sentinels.outputs",
        lambda: [WORSE, FIRST, CLOSE],
        lambda _, b: (b[1].segments.values.tolist()[0], [float(len(text)) for text in WORSE]),
    ),
    Case(
        "length_sentinels.references",
        lambda: OTHERS,
        lambda _, b: (b[3].segments.values.tolist()[1], [float(len(text)) for text in S.sources]),
    ),
    Case(
        "MqmWeights.changes",
        lambda: {("Minor", ""): 3.0, ("", "Fluency"): 7.0},
        lambda _, b: (b, [(0, "a", -3.0), (1, "a", -7.0)]),
    ),
    Case(
        "mqm_scores.annotations",
        lambda: [*ERRORS, (1, "a", "x", "Style", "Minor")],
        lambda _, b: (b, [(0, "a", -1.0), (1, "a", -6.0)]),
    ),
    Case(
        "mqm_scores.weights",
        lambda: MqmWeights({("Major", ""): 9.0}),
        lambda _, b: (b, [(0, "a", -1.0), (1, "a", -9.0)]),
    ),
    Case(
        "rank_systems.human",
        lambda: HumanScores(THIRD),
        lambda _, b: (
            sorted(one.score for one in b.systems),
            sorted(map(mean, THIRD.values.tolist())),
        ),
    ),
    Case(
        "rank_systems.settings",
        lambda: AgreementSettings(rank_systems="rank-sum"),
        lambda _, b: (b.test, "rank-sum"),
    ),
    Case(
        "rater_agreement.raters",
        lambda: RaterScores.from_rows([row for row in RATED if row[2] != "yy"]),
        lambda _, b: ((b.raters, b.scores), (2, 24)),
    ),
    Case(
        "rater_agreement.settings",
        lambda: AgreementSettings(rater_scale="nominal"),
        lambda _, b: (b.scale, "nominal"),
    ),
    Case(
        "RaterScores.from_rows.rows",
        lambda: RATED[1:],
        lambda _, b: (len(b.scores), len(RATED) - 1),
    ),
    Case("RaterScores.from_rows.segments", lambda: 9, lambda _, b: (b.segments, 9)),
    Case(
        "RaterScores.from_rows.systems",
        lambda: ["b", "a"],
        lambda a, b: (
            (b.systems, b.system.tolist()),
            (("b", "a"), [1 - one for one in a.system.tolist()]),
        ),
    ),
    Case(
        "PairwiseJudgments.from_rankings.rows",
        lambda: [(0, ["a", "b"], [1, 2]), (1, ["b", "a"], [2, 2])],
        lambda _, b: (b.segment.tolist(), [0, 1]),
    ),
    Case(
        "PairwiseJudgments.from_rankings.segments",
        lambda: ["y", "x"],
        lambda a, b: (b.segment.tolist(), [1]),
        lambda: {"rows": [("x", ["a", "b"], [1, 2])]},
    ),
    Case(
        "PairwiseJudgments.from_rankings.systems",
        lambda: ["b", "a"],
        lambda _, b: (b.systems, ("b", "a")),
    ),
    Case("PairwiseJudgments.select.kept", lambda: [3], lambda _, b: (len(b.segment), 1)),
    Case("ScoreMatrix.systems", lambda: ("x", "y"), lambda _, b: (b.systems, ("x", "y"))),
    Case(
        "ScoreMatrix.values",
        lambda: [[0.1, 0.5], [0.2, 0.6]],
        lambda _, b: (b.values.tolist(), [[0.1, 0.5], [0.2, 0.6]]),
    ),
    Case(
        "ScoreMatrix.from_rows.rows",
        lambda: [(0, "a", 1.0), (0, "b", 3.0)],
        lambda _, b: (b.values.tolist(), [[1.0], [3.0]]),
    ),
    Case("ScoreMatrix.from_rows.segments", lambda: 3, lambda _, b: (b.values.shape, (2, 3))),
    Case(
        "ScoreMatrix.from_rows.systems",
        lambda: ["b", "a"],
        lambda _, b: (b.values.tolist(), [[2.0], [1.0]]),
    ),
    Case(
        "ScoreMatrix.select.systems",
        lambda: ["d", "a"],
        lambda _, b: (b.values.tolist(), [HUMAN.values.tolist()[3], HUMAN.values.tolist()[0]]),
    ),
    *(
        Case(
            f"williams.{name}",
            lambda value=value: value,
            lambda a, b, low=low: ((b[0] < a[0]) == low, True),
        )
        for name, value, low in (
            ("first", 0.6, True),
            ("second", 0.3, False),
            ("between", 0.9, True),
            ("items", 200, True),
        )
    ),
    Case(
        "HumanScores.scores",
        lambda: THIRD,
        lambda _, b: (value_by_name(b, "system-pearson"), system_pearson(THIRD, METRIC)),
    ),
    Case(
        "HumanScores.judgments",
        lambda: PairwiseJudgments.from_scores(THIRD),
        lambda _, b: (
            b.results[0][0].agreement,
            leaderboard(
                HumanScores(judgments=PairwiseJudgments.from_scores(THIRD)),
                [MetricScores("m", METRIC)],
            )
            .results[0][0]
            .agreement,
        ),
        lambda: {"scores": None, "judgments": PairwiseJudgments.from_scores(HUMAN)},
    ),
    Case(
        "HumanScores.systems",
        lambda: WHOLE,
        lambda _, b: (value_by_name(b, "system-pearson"), whole_pearson(METRIC, swapped=True)),
    ),
    Case(
        "HumanScores.raters",
        lambda: RaterScores.from_rows(RATED),
        lambda _, b: ((b.raters.raters, b.raters.scores), (3, 36)),
    ),
    Case("MetricScores.name", lambda: "n", lambda _, b: ([one.name for one in b.metrics], ["n"])),
    Case(
        "MetricScores.segments",
        lambda: THIRD,
        lambda _, b: (value_by_name(b, "system-pearson"), system_pearson(HUMAN, THIRD)),
    ),
    Case(
        "MetricScores.systems",
        lambda: WHOLE,
        lambda _, b: (value_by_name(b, "system-pearson"), whole_pearson(HUMAN)),
    ),
    Case(
        "MetricScores.covers",
        lambda: "rated",
        lambda _, b: (
            {own.coverage for own in b.results[0] if own.coverage is not None},
            {"rated"},
        ),
    ),
    *(
        Case(
            f"MetricScores.{name}",
            lambda: BLEU().signature(),
            lambda _, b, name=name: ("case:mixed" in b.to_markdown(), True),
            lambda: {"systems": WHOLE},
        )
        for name in ("signature", "system_signature")
    ),
    # What answers are written with.
    *(
        Case(
            f"Answer.to_{name}.width", lambda: 4, lambda _, b: (f"{scored(CHRF()):.4f}" in b, True)
        )
        for name in ("text", "markdown", "latex", "html", "csv", "json", "jsonl")
    ),
    *(
        Case(f"Answer.to_{name}.short", lambda: True, lambda _, b: ("c:mixed" in b, True))
        for name in ("text", "markdown", "latex", "html")
    ),
    Case(
        "Answer.to_json.indent",
        lambda: None,
        lambda a, b: (b, json.dumps(json.loads(a), ensure_ascii=False)),
    ),
]


def token_labels() -> TokenLabels:
    """Labels of punctuation and of other words."""
    return TokenLabels(
        [labelled(text, "W", "P") for text in ONE],
        {name: [labelled(text, "W", "P") for text in own] for name, own in SYSTEMS.items()},
    )


def clusters_of(ranking: Any) -> int:
    """The number of clusters of systems."""
    return len({one.cluster for one in ranking.systems})


def produced(groups: Any) -> tuple[int, int]:
    """How many punctuation marks a system has with one label and the other."""
    found = {one.label: one.produced for one in groups}
    return found["P"], found.get("Z", 0)


LARGE = 120


def large(metrics: Any = ("chrf", "ter")) -> Any:
    """Tests on a larger test set, where a bootstrap estimates errors."""
    study = generated(5, LARGE)
    systems = {name: study.systems[name] for name in ("first", "close")}
    return paired_test(
        Evaluation.count(list(metrics), systems, study.references), TestSettings(draws=DRAWS)
    )


def rated() -> Any:
    """A test by lengths, once as scores and once as errors."""
    given = {
        SegmentMean(name, higher_is_better=name == "good"): LENGTHS for name in ("good", "bad")
    }
    return paired(
        evaluation=Evaluation.from_scores(given, NAMES, len(ONE)), all_pairs=True, alpha=0.5
    )


def joined_by_hand(metrics: Any = ("chrf", "ter")) -> Evaluation:
    """The systems with a row for each document, the sum of those of its segments."""
    tables = {
        name: [table.add_groups(S.documents) for table in own]
        for name, own in evaluated(metrics).tables.items()
    }
    return evaluated(metrics).replace(tables=tables)


def by_item() -> float:
    """The mean of the correlations of each segment."""
    return mean(
        [
            correlation(*columns)
            for columns in zip(
                *(list(zip(*own.values.tolist(), strict=True)) for own in (HUMAN, METRIC)),
                strict=True,
            )
        ]
    )


def whole_pearson(scores: ScoreMatrix, *, swapped: bool = False) -> float:
    """Pearson's correlation of the means of systems with given scores of systems."""
    pair = [list(map(mean, scores.values.tolist())), [row[0] for row in WHOLE.values.tolist()]]
    return correlation(*(pair[::-1] if swapped else pair))


def value_by_name(board: Any, statistic: str) -> float:
    """The agreement of the first metric by a statistic."""
    names = [one.name for one in board.statistics]
    return value_of(board, names.index(statistic))


def with_gap(matrix: ScoreMatrix, segment: int) -> ScoreMatrix:
    """Scores without those of one segment."""
    return matrix_of(
        matrix.systems,
        [
            [float("nan") if place == segment else one for place, one in enumerate(row)]
            for row in matrix.values.tolist()
        ],
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_another_value_of_an_argument_changes_the_answer_as_it_says(case: Case) -> None:
    holds(CALLS, case)


def test_repeated_scores_are_averaged_where_that_is_wanted() -> None:
    rows = [(0, "a", 1.0), (0, "a", 2.0)]
    assert ScoreMatrix.from_rows(rows, average_repeated=True).values.tolist() == [[1.5]]
    with pytest.raises(bleuet.InputError):
        ScoreMatrix.from_rows(rows)


def test_scores_of_systems_are_counted_again_where_segments_have_no_human_score() -> None:
    rows = dict(zip(THIRD.systems, THIRD.values.tolist(), strict=True))
    counted = Evaluation.from_scores({"m": rows}, THIRD.systems, 8)
    human = with_gap(HUMAN, 2)
    metric = MetricScores("m", METRIC, WHOLE)
    values = [
        leaderboard(HumanScores(human), [one], ["system-pearson"])
        for one in (metric, metric.replace(counted=counted))
    ]
    means = [[mean(row[:2] + row[3:]) for row in own.values.tolist()] for own in (HUMAN, THIRD)]
    whole = [row[0] for row in WHOLE.values.tolist()]
    expected = [correlation(means[0], whole), correlation(*means)]
    assert list(map(value_of, values)) == pytest.approx(expected)
