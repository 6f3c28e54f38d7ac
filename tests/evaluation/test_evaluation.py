"""Evaluations: from texts, saved tables, external scores and runs."""

from __future__ import annotations

import random
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import (
    BLEU,
    CHRF,
    TER,
    BleuetError,
    InputError,
    InputTypeError,
    OptionError,
    SavedTable,
    SignatureError,
    Table,
    TableError,
    load_tables,
    make_metric,
    save_tables,
)
from bleuet.extras import optional
from bleuet.significance import Evaluation, SegmentMean, TestSettings
from bleuet.significance.paired import paired_bootstrap
from tests.significance.corpora import (
    NAMES,
    counted,
    p_values,
    runs,
    texts,
    three_metrics,
)

if TYPE_CHECKING:
    from collections.abc import Callable

scipy_stats = optional("scipy.stats")


class TestEvaluation:
    def test_metrics_or_their_names(self) -> None:
        assert counted(9, metrics=["bleu", CHRF()]) == counted(9, metrics=[BLEU(), CHRF()])
        assert counted(9, metrics="ter") == counted(9, metrics=TER()) == counted(9, metrics=[TER()])
        with pytest.raises(OptionError, match="did you mean bleu"):
            counted(9, metrics=["blue"])
        with pytest.raises(InputTypeError, match=r"metrics\[0\] must be a text or a Metric, not 3"):
            counted(9, metrics=[3])

    def test_external_scores_are_a_further_metric(self) -> None:
        systems = counted(30)
        rng = random.Random(2)
        values = {name: [rng.random() + 0.2 * k for _ in range(30)] for k, name in enumerate(NAMES)}
        values["two"][4] = None  # type: ignore[call-overload]
        joined = systems.with_scores({"human": values})
        found = paired_bootstrap(joined, TestSettings(test="bootstrap", draws=100))
        assert found.metrics == ("BLEU", "chrF2", "TER", "human")
        assert [one for one in found.comparisons if one.metric != "human"] == list(
            paired_bootstrap(systems, TestSettings(test="bootstrap", draws=100)).comparisons
        )
        mean = np.mean([v for v in values["two"] if v is not None])
        assert found.score("two", "human").score == pytest.approx(mean)
        expected = "bs:100|seed:12345|p:two-sided|mean:segments|version:"
        assert str(found.signatures["human"]).startswith(expected)

    def test_parts_are_joined_in_the_order_that_is_wanted(self) -> None:
        evaluation = counted(9, metrics=["bleu", "ter"])
        scores = {label: {name: [0.5 * k] * 9 for name in NAMES} for k, label in enumerate("BA")}
        given = Evaluation.from_scores(scores, NAMES, 9)
        assert (given.systems, given.labels, given.segments) == (NAMES, ("B", "A"), 9)
        joined = evaluation.with_scores(scores)
        assert joined == Evaluation.joined([evaluation, given])
        assert joined.labels == ("BLEU", "TER", "B", "A")
        wanted = [given.metrics[1], evaluation.metrics[1], given.metrics[0]]
        some = Evaluation.joined([evaluation, given], wanted)
        assert some == joined.select([3, 1, 2])
        assert {one.score for one, _, _ in some.scores.values()} == {0.5}
        with pytest.raises(TableError, match="must have the same systems, not one, two, three and"):
            Evaluation.joined([evaluation, Evaluation.from_scores({"A": {"x": [1]}}, ["x"], 1)])
        with pytest.raises(OptionError, match="has a duplicate"):
            Evaluation.joined([evaluation, evaluation])
        with pytest.raises(TableError, match="must have the same systems, not no part"):
            Evaluation.joined([])
        with pytest.raises(OptionError, match=r"no part has the metric CHRF\("):
            Evaluation.joined([evaluation], [CHRF()])
        few = Evaluation.from_scores({"A": {name: [1.0] * 4 for name in NAMES}}, NAMES, 4)
        with pytest.raises(TableError, match="one has 4 segments and one 9"):
            Evaluation.joined([evaluation, few])

    def test_parts_and_runs_keep_the_documents_of_their_segments(self) -> None:
        documents = [row % 4 for row in range(15)]
        whole = Evaluation.of_runs(three_metrics(), runs(2)).replace(documents=documents)
        rows = [11, 2, 7]
        some = whole.select([2, 0], rows)
        assert (some.metrics, some.runs, some.documents) == ((TER(), BLEU()), 2, (3, 2, 3))
        for name, own in some.tables.items():
            for table, place in zip(own, (2, 0), strict=True):
                parts = [run[place].select(rows) for run in runs(2)[name]]
                assert table == Table.concatenate(parts)
        for part in (whole, some):
            halves = [part.select([0]), part.select(range(1, len(part.metrics)))]
            assert Evaluation.joined(halves) == part
        # Of each system and metric the runs, in each of which a row is a document.
        tables = iter(whole.run_tables())
        for name in NAMES:
            for place in range(3):
                for run in runs(2)[name]:
                    assert next(tables) == run[place].add_groups(documents)
        assert next(tables, None) is None

    def test_segments_that_all_systems_have_a_score_for(self) -> None:
        columns = {"one": [1, None, 3, 4], "two": [1, 2, None, 6]}
        found = Evaluation.from_scores({"A": columns}, ["one", "two"], 4)
        assert found.scored_segments == (([0, 2, 3], [0, 1, 3]),)
        assert found.common_segments(0) == (0, 3)
        assert [own[0].score for own in found.scores.values()] == [8 / 3, 3]
        # Each keeps its own segments: two of four are too few.
        assert not found.is_comparable(0)
        assert found.compared is found
        assert found.sentence_scores == (((1, None, 3, 4),), ((1, 2, None, 6),))
        assert found.scores_of("one", [1]) == found.scores_of("two", []) == (None,)
        many = {name: own * 10 for name, own in columns.items()}
        again = Evaluation.from_scores({"A": many}, ["one", "two"], 40)
        assert [own[0].score for own in again.compared.scores.values()] == [2.5, 3.5]
        assert again.compared.scored_segments == ((list(again.common_segments(0) or ()),) * 2,)

    @pytest.mark.parametrize("score", [nan, float("inf")])
    def test_scores_are_finite_numbers(self, score: Any) -> None:
        with pytest.raises(InputError, match="the COMET score of segment 1 must be a finite"):
            SegmentMean("COMET").table_of([0.5, score])

    def test_a_mean_counts_no_text(self) -> None:
        with pytest.raises(InputError, match="a mean of external scores"):
            SegmentMean("COMET").corpus_score(["a"], ["a"])
        with pytest.raises(InputError, match="a mean of external scores"):
            SegmentMean("COMET").sentence_score("a", "a")
        with pytest.raises(SignatureError):
            SegmentMean.from_signature(None)  # type: ignore[arg-type]
        for label in "", "a|b", None:
            with pytest.raises(OptionError, match="SegmentMean: label must be"):
                SegmentMean(label)  # type: ignore[arg-type]
        assert SegmentMean("COMET").table_of([None]).totals().values == (0, 0.0)

    def test_two_metrics_of_one_name_are_told_apart(self) -> None:
        systems = counted(6, metrics=[BLEU(), BLEU(lowercase=True), TER()])
        assert systems.labels[0] != systems.labels[1]
        assert systems.labels[2] == "TER"

    @pytest.mark.parametrize(
        ("make", "tables", "error", "message"),
        [
            (lambda: [], {"a": []}, OptionError, "must be a list of metrics"),
            (lambda: [TER(), TER()], {"a": []}, OptionError, "has a duplicate"),
            (lambda: ["bleu"], {"a": []}, InputTypeError, r"metrics\[0\] must be a Metric"),
            (lambda: [TER()], {}, TableError, "there is no system"),
            (lambda: [TER()], {"a": []}, TableError, "has 0 tables for 1 metrics"),
        ],
    )
    def test_misuse(
        self, make: Callable[[], Any], tables: Any, error: type[Exception], message: str
    ) -> None:
        metrics = make()
        with pytest.raises(error, match=message):
            Evaluation(metrics, tables)

    def test_tables_that_do_not_fit(self) -> None:
        def ter(n: int) -> list[Table]:
            return [TER().count(["a"] * n, ["a"] * n)]

        with pytest.raises(TableError, match="one has 2 segments and other 3"):
            Evaluation([TER()], {"one": ter(2), "other": ter(3)})
        with pytest.raises(TableError, match="but the table of the system one"):
            Evaluation([BLEU()], {"one": ter(2)})
        with pytest.raises(TableError, match="the test set is empty"):
            Evaluation([TER()], {"one": [ter(1)[0].select([])]})
        with pytest.raises(InputError, match="the system one has no human scores"):
            Evaluation([TER()], {"one": ter(2)}).with_scores({"human": {}})
        with pytest.raises(InputError, match="must be a dictionary from names"):
            Evaluation.count([TER()], [["a"]], ["a"])  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            ([None, None], "the system one has no human scores"),
            (
                [1.0],
                "the system one has 1 human scores, but there are 2 segments: give one for each",
            ),
            ([1.0, 2.0, None], "the system one has 3 human scores, but there are 2 segments"),
        ],
    )
    def test_scores_that_do_not_fit(self, scores: list[float | None], message: str) -> None:
        systems = Evaluation([TER()], {"one": [TER().count(["a"] * 2, ["a"] * 2)]})
        with pytest.raises(InputError, match=message):
            systems.with_scores({SegmentMean("human"): {"one": scores}})

    @pytest.mark.libraries
    def test_saved_tables_are_tested_without_texts(self, tmp_path: Path) -> None:
        systems = counted(20)
        saved = [
            (n, m, t)
            for n, row in systems.tables.items()
            for m, t in zip(three_metrics(), row, strict=True)
        ]
        save_tables(tmp_path / "first.parquet", saved[:3])
        save_tables(tmp_path / "others.parquet", saved[3:])
        loaded = [
            *load_tables(tmp_path / "first.parquet"),
            *load_tables(tmp_path / "others.parquet"),
        ]
        assert Evaluation.from_saved(loaded) == systems
        again = Evaluation.from_saved([one.rescored(max_ngram_order=2) for one in loaded[::3]])
        short = counted(20, metrics=[BLEU(max_ngram_order=2)])
        assert p_values(paired_bootstrap(again, TestSettings(test="bootstrap"))) == p_values(
            paired_bootstrap(short, TestSettings(test="bootstrap"))
        )
        for wrong, message in (
            ([*loaded, loaded[0]], "there are two tables of BLEU for one: remove one"),
            (loaded[:-1], "three was not counted by the same metrics as one"),
            ([], "must be a list of metrics"),
        ):
            with pytest.raises(BleuetError, match=message):
                Evaluation.from_saved(wrong)

    @pytest.mark.libraries
    def test_saved_tables_of_other_references_are_rejected(self, tmp_path: Path) -> None:
        hypotheses, references = texts(20, seed=1)
        others = [*references[:-1], ["the cat", "a dog"]]
        files = {}
        for name, counted_against in (("one", references), ("two", others), ("three", None)):
            table = TER().count(hypotheses[name], counted_against or references)
            files[name] = tmp_path / f"{name}.parquet"
            save_tables(files[name], [(name, TER(), table)], references=counted_against)
        one, two, three = (load_tables(files[name]) for name in NAMES)
        with pytest.raises(TableError, match=r"one and two .*: the second has other references"):
            Evaluation.from_saved([*one, *two])
        # Scored in another way, they were still counted against these; of a third nothing is known.
        with pytest.raises(TableError, match="has other references"):
            Evaluation.from_saved([one[0].rescored(), *three, *two])
        assert Evaluation.from_saved([*one, *three]).systems == ("one", "three")

    def test_different_numbers_of_references_are_rejected(self) -> None:
        hypotheses, references = texts(5, seed=1)
        first = [several[0] for several in references]
        saved = [
            SavedTable("one", TER(), TER().count(hypotheses["one"], references)),
            SavedTable("two", TER(), TER().count(hypotheses["two"], first)),
        ]
        with pytest.raises(TableError, match="against different numbers of references"):
            Evaluation.from_saved(saved)


def test_contributions_are_the_score_with_a_segment_less_that_without_it() -> None:
    hypotheses, references = texts(40, 3)
    metrics = [BLEU(), CHRF(), TER(), *map(make_metric, ("cider", "meteor:resources=none", "nist"))]
    scores: list[float | None] = [None if row % 7 == 3 else 0.1 * row for row in range(40)]
    given = {"M": dict.fromkeys(hypotheses, scores)}
    evaluation = Evaluation.count(metrics, hypotheses, references).with_scores(given)
    every = range(evaluation.segments)
    for name, found in zip(evaluation.systems, evaluation.contributions, strict=True):
        whole = evaluation.scores[name]
        for row in every:
            rest = evaluation.scores_of(name, [other for other in every if other != row])
            for metric, column in enumerate(found):
                if metric == len(metrics) and scores[row] is None:
                    assert column[row] is None
                    continue
                without = rest[metric]
                assert without is not None
                assert column[row] == pytest.approx(whole[metric].score - without.score, abs=1e-9)


def test_the_only_segment_contributes_nothing_that_could_be_said() -> None:
    evaluation = Evaluation.count([BLEU()], {"a": ["A cat sat."]}, ["A cat sat down."])
    assert evaluation.contributions == (((None,),),)
