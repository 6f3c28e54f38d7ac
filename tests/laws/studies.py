"""What each study answers, with keys that name systems and segments instead of their places."""

from __future__ import annotations

import warnings
from itertools import permutations
from math import isclose, isnan
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

import bleuet
from bleuet import CHRF
from bleuet.evaluation.external import SegmentMean
from bleuet.gate import Limits, gate_systems
from bleuet.meta_evaluation import (
    AgreementSettings,
    HumanScores,
    MetricScores,
    ScoreMatrix,
    leaderboard,
)
from bleuet.rewards import Reward
from bleuet.significance import Evaluation, TestSettings, paired_test

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.laws.generated import Study

    # A value by what it is, of which systems, of which segments.
    Answers = dict[tuple[str, ...], Any]

NONE = float("nan")
# The largest allowed drops of some metrics.
DROPS = {"chrf": 2.0, "ter": 9.0, "words": 5.0}


def lengths(study: Study) -> dict[str, list[float | None]]:
    """External scores: lengths of texts in words; an empty text has none."""
    return {
        name: [float(len(text.split())) or None for text in own]
        for name, own in study.systems.items()
    }


def evaluation_of(study: Study, *, documents: bool = False) -> Evaluation:
    """The study with an external error rate beside the metrics."""
    counted = Evaluation.count(study.metrics, study.systems, study.references)
    words = {SegmentMean("words", higher_is_better=False): lengths(study)}
    return counted.with_scores(words).replace(documents=study.documents if documents else None)


def scores(study: Study) -> Answers:
    found = bleuet.score(study.systems, study.references, study.metrics)
    answers: Answers = {}
    for metric in found:
        for system, score in found[metric].items():
            answers["score", metric, system] = score.score
        for system, own in found.segment_scores(metric).items():
            for name, score in zip(study.names, own, strict=True):
                answers["segment", metric, system, name] = score
    return answers


def contributions(study: Study) -> Answers:
    evaluation = evaluation_of(study)
    return {
        (metric, system, name): value
        for system, of_system in zip(study.systems, evaluation.contributions, strict=True)
        for metric, own in zip(evaluation.labels, of_system, strict=True)
        for name, value in zip(study.names, own, strict=True)
    }


def pairs_tested(test: str, *, documents: bool = False) -> Callable[[Study], Answers]:
    """All pairs tested; a pair stands there in both orders."""

    def answers_of(study: Study) -> Answers:
        settings = TestSettings(test=test, draws=200, all_pairs=True)
        results = paired_test(evaluation_of(study, documents=documents), settings)
        answers: Answers = {}
        for metric in results.metrics:
            for system in study.systems:
                one = results.score(system, metric)
                assert one.interval is not None
                drawn = (one.interval.mean, one.interval.low, one.interval.high)
                answers["interval", metric, system] = (one.score, *drawn)
                answers["rank", metric, system] = results.ranks(metric)[system]
                for other in results.significantly_worse(system, metric):
                    answers["better", metric, system, other] = True
        for pair in results.comparisons:
            values = (pair.p_value, pair.p, pair.units, pair.few_differ, pair.standard_error or 0.0)
            both = (pair.baseline, pair.system), (pair.system, pair.baseline)
            low, high = pair.interval or (NONE, NONE)
            ends = (pair.difference, low, high), (-pair.difference, -high, -low)
            for names, moved in zip(both, ends, strict=True):
                answers["pair", pair.metric, *names] = (*moved, *values)
        return answers

    return answers_of


def compared(study: Study) -> Answers:
    """The parts of a comparison, with an external score that some segments lack."""
    found = bleuet.compare(
        study.systems, study.references, list(study.metrics),
        scores={"words": lengths(study)}, all_pairs=True, examples=200,
        by=["length=4,8", "hypothesis-length=5", "score", "frequency"],
        labels={"group": study.groups}, frequencies=study.sources,
        word_lists={"places": ["Harbour", "lighthouse"], "people": ["Anna"]},
    )  # fmt: skip
    answers: Answers = {}
    for division in found.breakdowns:
        for system, buckets in zip(study.systems, division.systems, strict=True):
            # One that is empty for all systems is left out.
            for one in filter(attrgetter("bucket.rows"), buckets):
                rows = sorted(study.names[row] for row in one.bucket.rows)
                values = dict(zip(found.metrics, one.values, strict=True))
                answers["bucket", division.name, system, one.bucket.label] = (rows, values)
    for kind in found.words:
        for system, groups in zip(study.systems, kind.systems, strict=True):
            for group in groups:
                counts = (group.matched, group.produced, group.expected)
                answers["words", kind.name, system, group.label] = counts
    for pair in found.pairs:
        both = (pair.left, pair.right), (pair.right, pair.left)
        for ranking in pair.sentences:
            for names, won, first in zip(
                both, (ranking.wins, ranking.losses), (ranking.gained, ranking.lost), strict=True
            ):
                answers["won", ranking.metric, *names] = (won, ranking.ties)
                # Each text once: which of equal segments is shown depends on their order.
                shown = sorted((one.references, sorted(one.scores)) for one in first)
                answers["furthest", ranking.metric, *names] = shown
        for names, grams in zip(both, (pair.gained, pair.lost), strict=True):
            sides = [sorted((one.left, one.right)) for one in grams]
            # The order of equal n-grams is that in which they occur.
            answers["ngrams", *names] = sorted(
                (one.ngram, side) for one, side in zip(grams, sides, strict=True)
            )
    for histogram in found.histograms:
        for system, bins in zip(study.systems, histogram.counts, strict=True):
            answers["histogram", histogram.metric, system] = (histogram.edges, bins)
    for system, kinds in zip(study.systems, found.surface, strict=True):
        for error in kinds:
            places = [sorted(study.names[row] for row in own) for own in (error.rows, error.only)]
            answers["surface", error.kind, system] = (error.missing, error.added, places)
    for part in found.score_parts:
        for difference in part.differences:
            moved = {one.name: one.points for one in difference.parts}
            both = (difference.left, difference.right), (difference.right, difference.left)
            for names, sign in zip(both, (1, -1), strict=True):
                signed = {name: sign * points for name, points in moved.items()}
                answers["parts", part.metric, *names] = (sign * difference.difference, signed)
    return answers


def gated(rule: str) -> Callable[[Study], Answers]:
    """Each system compared with each other, and with a third as its release."""

    def answers_of(study: Study) -> Answers:
        drops = {name: drop for name, drop in DROPS.items() if name in (*study.metrics, "words")}
        least = {"chrf": 40} if "chrf" in study.metrics else {}
        limits = Limits(1, fail_on=rule, max_drops=drops, min=least)
        settings = TestSettings(test="bootstrap", draws=250, correction="holm")
        answers: Answers = {}
        evaluation = evaluation_of(study)
        for names in permutations(sorted(study.systems), 3):
            tables = {name: evaluation.tables[name] for name in names}
            found = gate_systems(evaluation.replace(tables=tables), limits, settings)
            for check in found.checks:
                answers[rule, check.metric, *names, str(check.baseline_system)] = (
                    check.baseline, check.new, check.drop, check.p_value, check.corrected_p_value,
                    check.fails, check.excess, check.limit.max_drop,
                )  # fmt: skip
        return answers

    return answers_of


def weights_of(study: Study) -> dict[str, float]:
    """A weight of each system, which follows from its texts alone."""
    return {name: sum(map(len, own)) / 1000 for name, own in study.systems.items()}


def decided(study: Study) -> Answers:
    """The systems as candidates, with weights of their own."""
    weights = weights_of(study)
    columns = list(zip(*study.systems.values(), strict=True))
    shares = [[weights[name] for name in study.systems]] * len(columns)
    answers: Answers = {}
    for way in ("exact", "aggregated"):
        found = bleuet.mbr(columns, ["chrf"], weights=shares, way=way, threads=2)
        for name, choice in zip(study.names, found, strict=True):
            for system, utility in zip(study.systems, choice.utilities, strict=True):
                answers[way, name, system] = utility
            answers[way, name] = choice.utility
    return answers


def matrix(study: Study) -> Answers:
    """Every hypothesis against the first reference of every segment, by its names."""
    against = study.column(0)
    answers: Answers = {}
    for system, own in study.systems.items():
        found = CHRF().matrix(own, against)
        for i, name in enumerate(study.names):
            for j, other in enumerate(study.names):
                answers[system, name, other] = found[i, j]
    return answers


def matrices_of(study: Study, metrics: Sequence[str]) -> list[ScoreMatrix]:
    """The scores of all segments, system by system, by each metric."""
    found = bleuet.score(study.systems, study.references, metrics)
    return [
        ScoreMatrix(tuple(study.systems), np.array(list(map(list, scores.values()))))
        for scores in map(found.segment_scores, metrics)
    ]


def agreed(study: Study) -> Answers:
    """Agreement with human scores of which some are missing, and the rank of each system."""
    names = tuple(study.systems)
    values = [
        [
            NONE if not text else len(set(text.split()) & set(own[0].split())) - len(text) / 50
            for text, own in zip(study.systems[name], study.references, strict=True)
        ]
        for name in names
    ]
    metrics = ("chrf", "rougeL", "gleu")
    of_metrics = list(map(MetricScores, metrics, matrices_of(study, metrics)))
    settings = AgreementSettings(rank_systems="signed-rank", all_segments=False)
    statistics = ["tau", "pearson", "acc-eq", "system-pearson", "system-accuracy"]
    board = leaderboard(
        HumanScores(ScoreMatrix(names, np.array(values))), of_metrics, statistics, settings=settings
    )
    answers: Answers = {
        (entry.name, metric.name): one.value
        for metric, own in zip(board.metrics, board.results, strict=True)
        for entry, one in zip(board.statistics, own, strict=True)
    }
    assert board.systems is not None
    for one in board.systems.systems:
        # The difference to the system before means another one where systems are equal.
        answers["rank", one.system] = (one.score, one.cluster, one.best_rank, one.worst_rank)
    return answers


def reranked(study: Study) -> Answers:
    """Lists with a feature for each system; each weight chooses from all of them."""
    lists = [
        [
            (text, {name: 1, "length": len(text)})
            for name, text in zip(study.systems, own, strict=True)
        ]
        for own in zip(*study.systems.values(), strict=True)
    ]
    found = bleuet.rerank(
        lists, {**weights_of(study), "length": 0.1}, study.references, ["bleu", "ter"]
    )
    assert found.scores is not None
    # Of equal hypotheses, oracles take the first.
    (chosen,) = [row for row in found.scores.rows() if row[0] == "chosen"]
    return {
        ("chosen",): chosen[1:],
        **{(name,): one.score for name, one in zip(study.names, found.choices, strict=True)},
    }


def diverse(study: Study) -> Answers:
    return {
        (average, system): bleuet.self_bleu(own, average=average).score
        for system, own in study.systems.items()
        for average in ("sentences", "corpus", "pairs")
    }


def linted(study: Study) -> Answers:
    """Findings about single lines; those about their order have no such law."""
    checks = ["empty", "missing", "repetition", "case", "entities", "invisible", "source-copy"]
    found = bleuet.lint(study.systems, study.references, source=study.sources, checks=checks)
    return {
        (one.check, one.file, one.role): (
            sorted(study.names[line - 1] for line in one.lines),
            {
                (effect.system, effect.metric): (effect.before, effect.after)
                for effect in one.effects
            },
        )
        for one in found.findings
    }


def rewarded(study: Study) -> Answers:
    """Rewards with penalties and prompts; a group is a system."""
    made = Reward(
        {"chrf": 0.7, "ter": 0.3}, 2.0, preprocess=["prompt"],
        length_penalty=0.1, repetition_penalty=0.2, threads=2,
    )  # fmt: skip
    answers: Answers = {}
    for system, own in study.systems.items():
        texts = [" ".join(pair) for pair in zip(study.sources, own, strict=True)]
        details = made.details(texts, study.references, study.sources)
        for part, values in details.items():
            for name, value in zip(study.names, values, strict=True):
                answers[part, system, name] = value
    return answers


STUDIES: Mapping[str, Callable[[Study], Answers]] = {
    "scores": scores,
    "contributions": contributions,
    "bootstrap": pairs_tested("bootstrap"),
    "bootstrap of documents": pairs_tested("bootstrap", documents=True),
    "randomization": pairs_tested("randomization"),
    "randomization of documents": pairs_tested("randomization", documents=True),
    "comparison": compared,
    "gate by size": gated("drop"),
    "gate by test": gated("both"),
    "minimum Bayes risk": decided,
    "matrix": matrix,
    "meta-evaluation": agreed,
    "reranking": reranked,
    "diversity": diverse,
    "lint": linted,
    "rewards": rewarded,
}


# What they draw depends on the order of the segments, or of the documents.
DRAWING = ("bootstrap", "randomization", "gate by test")
DRAWING_DOCUMENTS = ("bootstrap of documents", "randomization of documents")


def answers_of(name: str, study: Study) -> Answers:
    """What a study answers, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return STUDIES[name](study)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Answers with other names of systems, wherever they stand."""
    if isinstance(value, dict):
        return {renamed(key, names): renamed(own, names) for key, own in value.items()}
    if isinstance(value, tuple):
        return tuple(renamed(one, names) for one in value)
    return names.get(value, value) if isinstance(value, str) else value


def differences(found: Answers, expected: Answers) -> list[str]:
    """Where answers differ by more than rounding; nothing where they are the same."""
    listed = [f"{key} is missing" for key in expected.keys() - found.keys()]
    listed += [f"{key} is added" for key in found.keys() - expected.keys()]
    return listed + [
        f"{key}: {found[key]}, not {expected[key]}"
        for key in found.keys() & expected.keys()
        if not same(found[key], expected[key])
    ]


def same(one: Any, other: Any) -> bool:
    """Whether values are equal, numbers up to rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) or (isnan(one) and isnan(other))
    return bool(one == other)
