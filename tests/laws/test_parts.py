"""Parts add to the whole, equal texts are perfect, and units of one segment are segments."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import bleuet
from bleuet import ShardSettings, score_shards
from bleuet.comparison.comparison import compare
from bleuet.engines.counting import count_batches, keep_counted
from bleuet.evaluation.external import SegmentMean
from bleuet.gate import Limits, gate_systems
from bleuet.meta_evaluation import AgreementSettings, HumanScores, MetricScores, leaderboard
from bleuet.rewards import Reward
from bleuet.shards import scoring
from bleuet.significance import Evaluation, TestSettings, paired_test
from bleuet.statistics.table import Table
from bleuet.text.segments import Segments
from tests.laws.generated import METRICS, generated
from tests.laws.studies import evaluation_of, lengths, matrices_of, same

if TYPE_CHECKING:
    from pathlib import Path

    from tests.laws.generated import Study

STUDY = generated()
SEGMENTS = len(STUDY.names)
# Two metrics that learn from all references among those that do not.
LEARNING = (*METRICS, "nist", "cider")
CUTS = [
    [],
    [SEGMENTS // 2],
    [1, SEGMENTS - 1],
    [0, 9, 9, 30],
    sorted(random.Random(2).sample(range(SEGMENTS), 12)),
]
EACH_CUT = pytest.mark.parametrize("cuts", CUTS, ids=lambda cuts: f"{len(cuts) + 1} parts")


def rows_of(table: Table) -> list[tuple[float, ...]]:
    return list(zip(*map(table.column, table.columns), strict=True))


def parts(cuts: list[int]) -> list[Study]:
    return [STUDY.select(range(*ends)) for ends in pairwise([0, *cuts, SEGMENTS])]


@EACH_CUT
def test_the_rows_of_parts_add_to_the_whole(cuts: list[int]) -> None:
    """However the test set is cut: tables, totals and scores."""
    whole = evaluation_of(STUDY)
    evaluations = [
        Evaluation.count(METRICS, part.systems, part.references)
        for part in parts(cuts)
        if part.names
    ]
    for system in STUDY.systems:
        for place, metric in enumerate(whole.metrics[:4]):
            tables = [one.tables[system][place] for one in evaluations]
            table = whole.tables[system][place]
            joined = Table.concatenate(tables)
            assert rows_of(joined) == rows_of(table)
            totals = tables[0].totals()
            for one in tables[1:]:
                totals += one.totals()
            assert same(list(totals.values), list(table.totals().values))
            assert (totals.rows, joined.rows) == (SEGMENTS, SEGMENTS)
            assert same(metric.score(totals).score, whole.scores[system][place].score)


@EACH_CUT
@pytest.mark.parametrize("threads", [1, 3])
def test_batches_and_threads_count_what_the_whole_counts(cuts: list[int], threads: int) -> None:
    """By metrics that share rows, and one that learns from the references of all batches."""
    metrics = [bleuet.make_metric(name) for name in ("bleu", "ter", "mean-bleu", "cider")]
    metrics.insert(2, metrics[0].with_options(smooth="floor", max_ngram_order=2))
    whole = Evaluation.count(metrics, STUDY.systems, STUDY.references)
    batches = [
        (
            [Segments.hypotheses(own) for own in part.systems.values()],
            Segments.references(part.references),
        )
        for part in parts(cuts)
        if part.names
    ]
    counted = list(count_batches(metrics, batches, threads=threads))
    assert [row for one in counted for row in one.segments] == list(range(1, SEGMENTS + 1))
    for tables, expected in zip(keep_counted(counted), whole.tables.values(), strict=True):
        for table, other in zip(tables, expected, strict=True):
            assert table.columns == other.columns
            assert rows_of(table) == rows_of(other)


@EACH_CUT
def test_files_add_to_the_whole(
    cuts: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by metrics that learn from the references of all files."""
    monkeypatch.setattr(scoring, "launch", lambda function, shards, _: map(function, shards))
    names = {**STUDY.systems, **{f"ref{number}": STUDY.column(number) for number in range(3)}}
    for name, lines in names.items():
        (tmp_path / name).mkdir()
        for number, ends in enumerate(pairwise([0, *cuts, SEGMENTS])):
            # The last line of every other file has no end.
            text = "".join(f"{line}\n" for line in lines[slice(*ends)])
            if number % 2 and not text.endswith("\n\n"):
                text = text.removesuffix("\n")
            (tmp_path / name / f"{number:02d}.txt").write_text(text, encoding="utf-8")
    found = score_shards(
        {name: f"{tmp_path}/{name}/*.txt" for name in STUDY.systems},
        [f"{tmp_path}/ref{number}/*.txt" for number in range(3)],
        LEARNING,
        ShardSettings(),
    )
    references = list(map(list, zip(*(STUDY.column(n) for n in range(3)), strict=True)))
    expected = bleuet.score(STUDY.systems, references, LEARNING)
    assert found.segments == SEGMENTS
    for metric in LEARNING:
        for system in STUDY.systems:
            assert same(found[metric][system].score, expected[metric][system].score)
            assert found[metric][system].score > 0


@EACH_CUT
def test_buckets_add_to_the_whole(cuts: list[int]) -> None:
    labels = [str(sum(cut <= row for cut in cuts)) for row in range(SEGMENTS)]
    found = compare(STUDY.systems, STUDY.references, list(METRICS), labels={"part": labels})
    for system, buckets in zip(found.systems, found.breakdown("part").systems, strict=True):
        for place, metric in enumerate(found.evaluation.metrics):
            rows = [one.bucket.rows for one in buckets]
            assert sorted(row for own in rows for row in own) == list(range(SEGMENTS))
            table = found.evaluation.tables[system][place]
            totals = [table.select(own).totals() for own in rows]
            whole = totals[0]
            for more in totals[1:]:
                whole += more
            assert same(metric.score(whole).score, found.evaluation.scores[system][place].score)
            for one, own in zip(buckets, totals, strict=True):
                assert same(one.values[place], metric.score(own).score)


# --- Units ----------------------------------------------------------------------------------------


def test_documents_of_one_segment_are_segments() -> None:
    plain = evaluation_of(STUDY)
    single = plain.replace(documents=STUDY.names)
    for test in ("bootstrap", "randomization", "sacrebleu-bootstrap", "sacrebleu-randomization"):
        settings = TestSettings(test=test, draws=50, all_pairs=True)
        assert paired_test(single, settings).comparisons == paired_test(plain, settings).comparisons
    settings = TestSettings(test="bootstrap", draws=250)
    names = ("first", "close", "worse")
    gates = [
        gate_systems(one.replace(tables={n: one.tables[n] for n in names}), Limits(0.5), settings)
        for one in (plain, single)
    ]
    assert gates[0].checks == gates[1].checks
    scores = dict(zip(METRICS[1:3], matrices_of(STUDY, METRICS[1:3]), strict=True))
    boards = [
        leaderboard(
            HumanScores(scores["chrf"]),
            [MetricScores("ter", scores["ter"])],
            ["pearson"],
            settings=AgreementSettings(draws=30, documents=documents),
        )
        for documents in (None, STUDY.names)
    ]
    assert [[one.to_dict() for one in own] for own in boards[0].results] == [
        [one.to_dict() for one in own] for own in boards[1].results
    ]


def test_documents_are_the_segments_of_their_added_rows() -> None:
    """A test set whose segments are documents, by metrics of which the rows of parts add."""
    documents = list(dict.fromkeys(STUDY.documents))
    rows = [[n for n, own in enumerate(STUDY.documents) if own == name] for name in documents]

    def added_up(table: Table) -> Table:
        found = rows_of(table)
        sums = [list(map(sum, zip(*(found[n] for n in own), strict=True))) for own in rows]
        return Table.from_rows(table.integer_columns, table.real_columns, sums)

    plain = evaluation_of(STUDY)
    whole = plain.replace(documents=STUDY.documents)
    tables = {name: list(map(added_up, own)) for name, own in plain.tables.items()}
    added = Evaluation(plain.metrics[:3], {name: own[:3] for name, own in tables.items()})
    whole = whole.select(range(3))
    for test in ("bootstrap", "randomization", "sacrebleu-randomization"):
        settings = TestSettings(test=test, draws=50, all_pairs=True)
        found, expected = paired_test(whole, settings), paired_test(added, settings)
        for one, other in zip(found.comparisons, expected.comparisons, strict=True):
            assert same(one.to_dict(), other.to_dict())
        for score, own in zip(found.scores, expected.scores, strict=True):
            assert same(score.to_dict(), own.to_dict())
    # Runs of documents: the rows of a document are those of all runs.
    runs = {name: [own, tables_of(plain, "worse")] for name, own in whole.tables.items()}
    several = Evaluation.of_runs(whole.metrics, runs).replace(documents=STUDY.documents)
    twice = {
        name: [[one, other] for one, other in zip(own, added.tables["worse"], strict=True)]
        for name, own in added.tables.items()
    }
    both = Evaluation(
        added.metrics,
        {
            name: [Table.concatenate(pair).add_groups([*documents, *documents]) for pair in own]
            for name, own in twice.items()
        },
    )
    settings = TestSettings(test="randomization", draws=50, all_pairs=True)
    found, expected = paired_test(several, settings), paired_test(both, settings)
    for one, other in zip(found.comparisons, expected.comparisons, strict=True):
        assert same(
            (one.difference, one.p_value, one.p), (other.difference, other.p_value, other.p)
        )


def tables_of(evaluation: Evaluation, system: str) -> list[Table]:
    return list(evaluation.tables[system][:3])


# --- Equal texts ----------------------------------------------------------------------------------


def test_equal_texts_are_perfect_in_every_study() -> None:
    """Each system says a reference of each segment, the first, the last or any."""
    references = STUDY.references
    systems = {
        "first": [own[0] for own in references],
        "last": [own[-1] for own in references],
        "any": [own[row % len(own)] for row, own in enumerate(references)],
    }
    names = [*METRICS, "wer", "cer", "gleu", "token-f1"]
    scores = bleuet.score(systems, references, names)
    best = {name: 100.0 if scores[name]["any"].metric.higher_is_better else 0.0 for name in names}
    for name in names:
        for system in systems:
            assert scores[name][system].score == pytest.approx(best[name])
    same_lengths = lengths(STUDY._replace(systems=dict.fromkeys(systems, systems["any"])))
    words = {SegmentMean("words"): same_lengths}
    evaluation = Evaluation.count(METRICS, systems, references).with_scores(words)
    results = paired_test(evaluation, TestSettings(all_pairs=True))
    assert {(one.difference, one.p, one.better) for one in results.comparisons} == {
        (0.0, 1.0, None)
    }
    gate = gate_systems(
        evaluation, Limits(0.0, fail_on="either", min={"bleu": 100}, max={"ter": 0})
    )
    assert gate.passed
    assert {check.drop for check in gate.checks} == {0.0}
    reward = Reward({"chrf": 0.5, "ter": 0.5}, length_penalty=1.0)
    for own in systems.values():
        assert reward(own, references) == pytest.approx([1.0] * SEGMENTS)
    candidates = [[STUDY.systems["worse"][row], own[-1]] for row, own in enumerate(references)]
    chosen = bleuet.mbr(candidates, "chrf", references=[own[-1:] for own in references])
    assert [choice.best for choice in chosen] == [own[-1] for own in references]
    found = compare(systems, references, ["bleu"], all_pairs=True, by=["length=4,8"])
    for buckets in found.breakdown("length").systems:
        assert [one.values for one in buckets[1:]] == [[pytest.approx(100)]] * 2
    # Of references that share as many words, the first is the one that counts.
    assert {(error.missing, error.added) for error in found.surface[0]} == {(0, 0)}
