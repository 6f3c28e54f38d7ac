"""What a paired test returns: lookups, corrections, and the document that every format shows."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from bleuet import TER, OptionError
from bleuet.output.data_frame import LIBRARIES
from bleuet.output.document import Estimate
from bleuet.output.rendering import FORMATS
from bleuet.significance import (
    Evaluation,
    PairedResults,
    SegmentMean,
    TestSettings,
    bonferroni,
    paired_test,
)
from bleuet.significance.paired import paired_bootstrap
from bleuet.significance.paired_scores import letters
from tests.significance.corpora import NAMES, counted, runs, three_metrics


@pytest.fixture(scope="module")
def found() -> PairedResults:
    return paired_bootstrap(counted(60), TestSettings(test="bootstrap", all_pairs=True, draws=300))


@pytest.fixture(scope="module")
def against_one() -> PairedResults:
    return paired_test(counted(120), TestSettings(draws=300))


# --- Values ---------------------------------------------------------------------------------------


def test_plain_values(found: PairedResults) -> None:
    plain = json.loads(json.dumps(found.to_dict()))
    assert len(plain["scores"]) == 9
    assert len(plain["comparisons"]) == 9
    assert set(plain["scores"][0]) == {
        "system", "metric", "score", "higher_is_better", "mean", "low", "high", "half_width",
        "confidence",
    }  # fmt: skip
    assert plain["signatures"]["TER"].startswith("nrefs:2|bs:300|seed:12345|p:two-sided|case:lc")
    settings = ("test", "draws", "trials", "seed", "segments", "runs", "baseline", "alpha")
    assert [plain[key] for key in settings] == [
        "bootstrap", 300, None, 12345, 60, 1, None, 0.05,
    ]  # fmt: skip


def test_json_is_to_dict(found: PairedResults) -> None:
    assert json.loads(found.to_json()) == found.to_dict()
    assert "\n" not in found.to_json(indent=None)


def test_corrections_are_made_metric_by_metric(found: PairedResults) -> None:
    corrected = found.corrected("bonferroni")
    for metric in found.metrics:
        before = [c.p_value for c in found.comparisons if c.metric == metric]
        after = [c.corrected_p_value for c in corrected.comparisons if c.metric == metric]
        assert after == bonferroni(before)
    assert all(one.p == one.p_value for one in found.comparisons)
    assert all(one.p == one.corrected_p_value for one in corrected.comparisons)
    assert found.corrected(None) is found
    with pytest.raises(OptionError, match="one of bonferroni, holm, benjamini-hochberg"):
        found.corrected("none")


def test_ranks_count_the_better_systems() -> None:
    found = paired_bootstrap(
        counted(400), TestSettings(test="bootstrap", all_pairs=True, draws=300)
    )
    for metric in found.metrics:
        assert found.ranks(metric) == {"one": 1, "two": 2, "three": 3}
        assert found.replace(settings=found.settings.replace(alpha=1e-9)).ranks(
            metric
        ) == dict.fromkeys(NAMES, 1)
    with pytest.raises(OptionError, match="no score of"):
        found.ranks("COMET")


def test_equal_scores_are_never_significant() -> None:
    lines = ["The cat sat.", "It rains."] * 50
    same = Evaluation.count(["ter"], {"a": lines, "b": lines}, lines)
    (one,) = paired_bootstrap(same, TestSettings(test="sacrebleu-bootstrap")).comparisons
    assert one.p_value < 0.05
    assert not one.is_significant()
    assert (one.better, one.worse) == (None, None)


def test_pairs_that_were_not_compared() -> None:
    found = paired_bootstrap(counted(9), TestSettings(test="bootstrap", draws=20))
    compared = "'two' and 'three' were not compared by 'BLEU'; the pairs are one : two, one : "
    with pytest.raises(OptionError, match=f"{compared}three, the metrics BLEU, chrF2, TER"):
        found.comparison("two", "three")
    assert found.comparison("two", "one").system == "two"
    assert found.comparison("two", "one").worse in ("one", "two")


# --- The document ---------------------------------------------------------------------------------


def test_a_table_for_each_metric_where_there_is_a_baseline(against_one: PairedResults) -> None:
    tables = against_one.document().tables
    power = "Power: how often a test finds a true difference"
    assert [table.title for table in tables] == ["BLEU", "chrF2", "TER", power]
    for table in tables[:-1]:
        titles = ["system", "score", "change", "95% interval", "p", "verdict"]
        covered = [] if table.title == "TER" else ["human agreement"]
        assert [column.title for column in table.columns] == titles + covered
        first, *others = table.rows
        blank = [None] * len(covered)
        assert [*first[2:]] == [None, None, None, "baseline", *blank]
        for name, score, change, ends, p, verdict, *agreement in others:
            one = against_one.comparison("one", str(name), table.title)
            interval = against_one.score(str(name), table.title).interval
            assert interval is not None
            assert score == Estimate(interval.score, interval.low, interval.high)
            assert (change, ends, p) == (one.difference, (one.low, one.high), one.p)
            better = "better" if one.better == name else "worse"
            assert verdict == (better if one.p < 0.05 else "n.s.")
            assert agreement == ([] if table.title == "TER" else [one.human_agreement])


def test_two_tables_for_each_metric_where_all_pairs_are_compared(found: PairedResults) -> None:
    tables = found.document().tables
    titles = [f"{kind}{metric}" for metric in found.metrics for kind in ("", "Differences in ")]
    assert [table.title for table in tables] == titles
    for scores, metric in zip(tables[::2], found.metrics, strict=True):
        assert [row[1] for row in scores.rows] == ["a", "b", "c"]
        marks = [cell.marks for _, _, cell in scores.rows if isinstance(cell, Estimate)]
        assert marks == [found.marks(name, metric) for name in NAMES]
    assert [row[0] for row in tables[1].rows] == ["two - one", "three - one", "three - two"]


def test_the_title_names_the_test_and_its_settings(against_one: PairedResults) -> None:
    assert against_one.document().title == (
        "Two-sided paired bootstrap, 300 draws, seed 12345; 120 segments; 2 comparisons with one, "
        "p-values corrected by Holm; a difference is significant where p < 0.05."
    )
    systems = Evaluation.of_runs(
        three_metrics()[2:], {n: [t[2:] for t in own] for n, own in runs().items()}
    )
    title = (
        paired_test(systems, TestSettings(draws=20, all_pairs=True, seed=None, alpha=0.1))
        .document()
        .title
    )
    assert title == (
        "Welch's t-test over runs and segments, 20 draws, no seed; 15 segments, 3 runs of each "
        "system; 3 comparisons, p-values corrected by Holm; a difference is significant where "
        "p < 0.1."
    )
    fixed = TestSettings(test="randomization", draws=20)
    title = paired_test(systems, fixed).document().title
    assert "seed 12345; 15 segments, the 3 runs of each together; 2 comparisons" in title


def test_notes_explain_what_is_there(found: PairedResults, against_one: PairedResults) -> None:
    interval = "± is half the 95% confidence interval of 300 bootstrap draws."
    letter = "The letters after a score name the systems that are significantly worse."
    assert {interval, letter} <= set(found.document().notes)
    notes = against_one.document().notes
    assert interval in notes
    assert letter not in notes
    assert any("Kocmi et al. 2024" in note for note in notes)
    assert any(note.startswith("n.s.: not significant") for note in notes) == any(
        not one.is_significant() for one in against_one.comparisons
    )
    results = paired_test(counted(120), TestSettings(draws=10))
    assert results.undecided
    few = results.document().notes
    assert "No difference can be significant with so few draws: use more draws." in few
    assert not any(note.startswith("With another seed") for note in few)


def test_a_record_for_each_system_or_pair_and_metric(
    found: PairedResults, against_one: PairedResults
) -> None:
    for results in found, against_one:
        records = list(csv.DictReader(io.StringIO(results.to_csv())))
        pairs = {(one["metric"], one["baseline"], one["system"]) for one in records}
        compared = {(one.metric, one.baseline, one.system) for one in results.comparisons}
        first = {(metric, "", "one") for metric in results.metrics}
        assert len(records) == len(pairs)
        assert pairs == compared | first
        for record in records:
            assert float(record["score"]) == results.score(record["system"], record["metric"]).score
            assert record["signature"] == str(results.signatures[record["metric"]])
            if record["baseline"]:
                two = (record["baseline"], record["system"])
                one = results.comparison(*two, record["metric"])
                assert float(record["p_value"]) == one.p_value
                assert record["significantly_better"] == (
                    one.better if one.is_significant() else ""
                )
        lines = [json.loads(line) for line in results.to_jsonl().splitlines()]
        assert [one["score"] for one in lines] == [float(one["score"]) for one in records]


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_shows_every_system(against_one: PairedResults, format_: str) -> None:
    text = against_one.render(format_)
    assert all(name in text for name in NAMES)
    assert "bs:300" in text


def test_external_scores_print_as_many_digits_as_they_need() -> None:
    scores = {name: [0.8125 + 0.001 * k] * 9 for k, name in enumerate(NAMES)}
    systems = counted(9, metrics=[TER()]).with_scores({"COMET": scores})
    text = paired_bootstrap(systems, TestSettings(test="bootstrap", draws=20)).to_text()
    assert "0.8125 ± 0.0000" in text
    assert "+0.0010" in text
    assert "+0.0010 to +0.0010" in text
    ter = systems.scores["one"][0].score
    assert f"{ter:.2f} ±" in text
    three = {"a": [[systems.tables[n][1]] for n in NAMES], "b": [[systems.tables["one"][1]]] * 3}
    fixed = TestSettings(test="randomization", draws=5)
    found = paired_test(Evaluation.of_runs([SegmentMean("COMET")], three), fixed)
    assert found.to_text().split("\n\n")[1].splitlines()[2].split() == [
        "a", "0.8135", "0.0010", "0.8135", "±", "0.0000", "-", "-", "-", "baseline",
    ]  # fmt: skip


def test_a_notebook_shows_names_as_text(found: PairedResults) -> None:
    assert repr(found) == "<PairedResults of one, two, three by BLEU, chrF2, TER: bootstrap>"
    assert f"{found}\n" == found.to_text()
    lines = ["The cat sat.", "It rains."]
    odd = Evaluation.count(["ter"], {"<b>": lines, "b": lines}, lines)
    html = paired_bootstrap(odd, TestSettings(test="bootstrap", draws=20))._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert repr(odd) == "<Evaluation of <b>, b on 2 segments by TER>"


@pytest.mark.libraries
@pytest.mark.parametrize("library", LIBRARIES)
def test_data_frames(found: PairedResults, library: Any) -> None:
    import narwhals

    def rows(part: Any) -> list[dict[str, Any]]:
        frame = found.to_dataframe(part, library=library)
        return list(narwhals.from_native(frame).iter_rows(named=True))

    assert [row["p_value"] for row in rows("comparisons")] == [
        one.p_value for one in found.comparisons
    ]
    assert [row["significant"] for row in rows("comparisons")] == [
        one.is_significant() for one in found.comparisons
    ]
    systems = rows("systems")
    assert {(row["system"], row["metric"]): row["score"] for row in systems} == {
        (one.system, one.metric): one.score for one in found.scores
    }
    with pytest.raises(OptionError, match="one of systems, comparisons, not 'system'"):
        found.to_dataframe("system", library=library)


@pytest.mark.libraries
def test_metrics_that_were_not_tested_have_no_interval_in_a_data_frame() -> None:
    import pandas as pd

    few: dict[str, list[float | None]] = {name: [0.5] * 60 for name in NAMES}
    few["two"] = [0.5] + [None] * 59
    results = paired_test(
        counted(60, metrics=[TER()]).with_scores({"COMET": few}), TestSettings(draws=50)
    )
    assert results.untested == ("COMET",)
    frame = results.to_dataframe(library="pandas")
    assert list(pd.isna(frame["low"])) == [False] * 3 + [True] * 3
    assert "Not tested: COMET." in results.to_text()


def test_many_systems_have_two_letters() -> None:
    names = letters(703)
    assert len(set(names)) == 703
    assert (names[25:28], names[701:]) == (("z", "aa", "ab"), ("zz", "aaa"))


# --- For papers -----------------------------------------------------------------------------------


def rows_of_markdown(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_papers_have_one_table_of_systems_and_metrics(against_one: PairedResults) -> None:
    text = against_one.to_markdown()
    heading, _, *rows = rows_of_markdown(text)
    assert heading == ["system", *against_one.metrics]
    for name, *cells in rows:
        for metric, cell in zip(against_one.metrics, cells, strict=True):
            score = against_one.score(name, metric)
            assert cell.replace("*", "").startswith(f"{score.score:.2f} ± ")
            every = [against_one.score(one, metric).score for one in against_one.systems]
            first = max(every) if score.higher_is_better else min(every)
            assert cell.startswith("**") == (f"{score.score:.2f}" == f"{first:.2f}")
            tested = [c for c in against_one.comparisons_by(metric) if c.system == name]
            assert cell.endswith("<sup>†</sup>") == any(c.is_significant() for c in tested)
    assert "(the lowest TER)" in text
    assert f"†: the difference to the baseline {NAMES[0]} is significant (two-sided" in text
    assert "p \\< 0.05, p-values corrected by Holm; 120 segments)." in text
    latex = against_one.to_latex(short=True)
    assert latex.count("\\begin{tabular}") == latex.count("\\begin{table}") == 1
    assert "\\label{tab:significance}" in latex
    assert "\\texttt{\\#:2|\\allowbreak bs:300|" in latex


def test_all_pairs_have_letters_in_papers(found: PairedResults) -> None:
    heading, _, *rows = rows_of_markdown(found.to_markdown())
    assert heading == ["system", "letter", *found.metrics]
    for name, letter, *cells in rows:
        assert letter == found.letters[name]
        for metric, cell in zip(found.metrics, cells, strict=True):
            marks = found.marks(name, metric)
            assert cell.endswith(f" <sup>{marks}</sup>") if marks else "sup" not in cell
    assert "Letters after a score: the systems that are significantly worse (" in (
        found.to_markdown()
    )


def test_nothing_significant_in_papers() -> None:
    lines = ["The cat sat down.", "It rains today."] * 20
    evaluation = Evaluation.count(["bleu"], {"a_1": lines, "b": lines}, lines)
    text = paired_test(evaluation, TestSettings(draws=100)).to_markdown()
    assert "†" not in text
    assert "No difference to the baseline a_1 is significant (" in text
    assert text.count("**100.00**") == 2
    evaluation = Evaluation.count(["bleu"], {"Baseline": lines, "b": lines}, lines)
    text = paired_test(evaluation, TestSettings(draws=100)).to_latex()
    assert "No difference to the baseline is significant (" in text
    text = paired_test(evaluation, TestSettings(draws=100, all_pairs=True)).to_markdown()
    assert "No difference is significant (" in text


def test_runs_have_means_and_deviations_in_papers() -> None:
    found = paired_test(Evaluation.of_runs(three_metrics(), runs()), TestSettings(draws=100))
    one = found.score(found.systems[0], found.metrics[0])
    text = found.to_markdown()
    assert f" {one.run_mean:.2f} ± {one.run_deviation:.2f}" in text.replace("**", "")
    assert f"Scores are means of {found.runs} runs ± their standard deviation" in text


def test_untested_metrics_are_named_in_papers() -> None:
    lines = ["The cat sat down.", "It rains today."] * 20
    evaluation = Evaluation.count(["bleu"], {"a": lines, "b": lines[::-1]}, lines)
    half = [1.0] * 20 + [None] * 20
    scored = evaluation.with_scores({"human": {"a": half, "b": half[::-1]}})
    text = paired_test(scored, TestSettings(draws=100)).to_markdown()
    assert "Not tested: human." in text
    assert "only 0 have a score of all systems" in text
