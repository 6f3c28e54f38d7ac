"""Intervals, tests and letters of a comparison, and every form it is written in."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from bleuet import BLEU, CHRF, TER, Metric
from bleuet.comparison import Comparison, compare
from bleuet.errors import InputError, OptionError
from bleuet.output.data_frame import LIBRARIES
from bleuet.significance import (
    Evaluation,
    IntervalSettings,
    PairedResults,
    TestSettings,
    bootstrap_interval,
    expected_agreement,
)
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from bleuet.significance.paired_scores import letters
from tests.output.documents import without_bold

REFERENCES = [f"the cat number {row} sat on its own mat today" for row in range(30)]
SYSTEMS = {
    "good_1": [text.replace("own ", "") for text in REFERENCES],
    "good|2": [text.replace("its ", "") for text in REFERENCES],
    "worse & <b>": [text.replace("cat", "dog").replace("sat", "lay") for text in REFERENCES],
}


@cache
def metrics() -> tuple[Metric[Any], ...]:
    return BLEU(), TER(), CHRF()


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(SYSTEMS, REFERENCES, metrics())


@pytest.fixture(scope="module")
def tested(comparison: Comparison) -> Comparison:
    return comparison.tested(TestSettings(test="bootstrap", draws=300))


def results_of(comparison: Comparison, **options: Any) -> PairedResults:
    results = comparison.tested(TestSettings(**options)).significance
    assert results is not None
    return results


def test_it_is_the_paired_tests_of_all_pairs(comparison: Comparison) -> None:
    systems = Evaluation.count(metrics(), SYSTEMS, REFERENCES)
    expected = paired_bootstrap(
        systems, TestSettings(test="bootstrap", all_pairs=True, draws=300, seed=5)
    )
    found = results_of(comparison, test="bootstrap", draws=300, seed=5, correction=None)
    assert found == expected
    corrected = results_of(comparison, test="bootstrap", draws=300, seed=5, correction="bonferroni")
    assert corrected == expected.corrected("bonferroni")
    for test in ("randomization", "sacrebleu-randomization"):
        trials = paired_approximate_randomization(
            systems, TestSettings(test=test, all_pairs=True, draws=50), interval_draws=1000
        )
        drawn = results_of(comparison, test=test, draws=50)
        assert drawn == trials.corrected("holm")
    sacrebleus = paired_bootstrap(
        systems, TestSettings(test="sacrebleu-bootstrap", all_pairs=True, draws=300, seed=5)
    )
    assert sacrebleus == results_of(
        comparison, test="sacrebleu-bootstrap", draws=300, seed=5, correction=None
    )


def test_human_agreement_is_never_below_one_half() -> None:
    references = [*REFERENCES, "one more"]
    texts = {"a": references, "b": [*REFERENCES, "one"], "c": ["a dog"] * 31, "d": references}
    found = compare(texts, references, ["chrf", "ter"]).tested(TestSettings(draws=50)).significance
    assert found is not None
    agreement = {
        (one.baseline, one.system): one.human_agreement
        for one in found.comparisons
        if one.metric == "chrF2"
    }
    assert agreement["a", "d"] == 0.5
    small, large = (found.comparison("a", other, "chrF2") for other in "bc")
    assert 0 < -small.difference < 1
    assert agreement["a", "b"] == max(0.5, expected_agreement(CHRF(), small.difference))
    assert agreement["a", "c"] == expected_agreement(CHRF(), large.difference) > 0.9
    assert found.comparison("a", "b", "TER").human_agreement is None


def test_letters_name_who_is_significantly_worse(tested: Comparison) -> None:
    found = tested.significance
    assert found is not None
    assert found.letters == dict(zip(SYSTEMS, "abc", strict=True))
    for metric in tested.metrics:
        for system in SYSTEMS:
            worse = [
                other
                for other in SYSTEMS
                if other != system
                and (one := found.comparison(system, other, metric)).better == system
                and one.p < 0.05
            ]
            assert list(found.significantly_worse(system, metric)) == worse
            assert found.marks(system, metric) == "".join(found.letters[name] for name in worse)
    # Of TER less is better.
    assert "c" in found.marks("good_1", "TER")
    assert found.marks("worse & <b>", "TER") == ""
    values = tested.to_dict()["significance"]
    assert values["significantly_worse"]["good_1"]["TER"] == list(
        found.significantly_worse("good_1", "TER")
    )


@pytest.mark.slow
def test_many_systems_are_drawn_for_often_enough() -> None:
    systems = {f"s{i}": REFERENCES if i else SYSTEMS["worse & <b>"] for i in range(12)}
    found = compare(systems, REFERENCES, ["bleu"], by=[])
    significance = found.tested(TestSettings(test="bootstrap")).significance
    assert significance is not None
    assert significance.draws == 100 * 66
    assert not significance.needs_more_draws
    assert significance.significantly_worse("s1", "BLEU") == ("s0",)
    coarse = found.tested(TestSettings(test="bootstrap", draws=1000)).significance
    assert coarse is not None
    assert coarse.needs_more_draws
    assert coarse.significantly_worse("s1", "BLEU") == ()
    assert "use more draws" in " ".join(coarse.score_notes())
    for correction in ("benjamini-hochberg", None):
        for draws, is_coarse in ((1000, False), (10, True)):
            single = found.tested(TestSettings(draws=draws, correction=correction)).significance
            assert single is not None
            assert single.needs_more_draws == is_coarse
            if is_coarse:
                assert single.significantly_worse("s1", "BLEU") == ()


def test_many_systems_have_two_letters() -> None:
    names = letters(703)
    assert len(set(names)) == 703
    assert (names[25:28], names[701:]) == (("z", "aa", "ab"), ("zz", "aaa"))


def test_one_system_has_intervals_and_no_letters() -> None:
    found = compare({"one": SYSTEMS["good_1"]}, REFERENCES, metrics()).tested(
        TestSettings(draws=100)
    )
    assert found.significance is not None
    table = found.evaluation.tables["one"][0]
    assert found.significance.score("one", "BLEU").interval == bootstrap_interval(
        BLEU(), table, IntervalSettings(draws=100)
    )
    assert (found.significance.comparisons, found.clusters) == ((), ())
    assert "letter" not in found.show("scores").to_markdown()


def test_markdown_and_latex_have_intervals_and_superscripts(tested: Comparison) -> None:
    assert tested.significance is not None
    interval = tested.significance.score("good_1", "BLEU").interval
    assert interval is not None
    score, half = f"{interval.score:.1f}", f"{interval.half_width:.1f}"
    marks = tested.significance.marks("good_1", "BLEU")
    assert marks
    markdown = without_bold(tested.show("scores", "differences").to_markdown(width=1))
    assert f"| good_1 | a | {score} ± {half} <sup>{marks}</sup> |" in markdown
    assert "| good\\|2 | b |" in markdown
    assert "| worse \\& \\<b> - good_1 |" in markdown
    assert "bs:300" in markdown
    latex = without_bold(tested.show("scores").to_latex(width=1))
    assert f"good\\_1 & a & {score} $\\pm$ {half}\\textsuperscript{{{marks}}} &" in latex
    assert "\\begin{tabular}{llrrr}\n\\toprule\n" in latex
    assert latex.count("\\\\\n") == 1 + len(SYSTEMS)


def test_a_notebook_shows_the_scores_with_names_as_text(tested: Comparison) -> None:
    html = tested._repr_html_()
    assert "worse &amp; &lt;b&gt;" in html
    assert "<b>" not in html
    assert len(re.findall(r"<sup>", html)) == sum(
        bool(tested.significance and tested.significance.marks(system, metric))
        for system in SYSTEMS
        for metric in tested.metrics
    )


@pytest.mark.libraries
@pytest.mark.parametrize("library", LIBRARIES)
def test_data_frames(tested: Comparison, library: Any) -> None:
    scores = records(tested.to_dataframe(library=library))
    assert [(row["system"], row["metric"]) for row in scores] == [
        (system, metric) for system in SYSTEMS for metric in tested.metrics
    ]
    for row, score in zip(scores, (one for own in tested.scores for one in own), strict=True):
        assert row["score"] == score.score
        assert row["low"] <= row["score"] <= row["high"]
    sentences = records(tested.to_dataframe("sentences", library=library))
    assert len(sentences) == len(SYSTEMS) * len(metrics()) * len(REFERENCES)
    assert sentences[31]["score"] == tested.evaluation.sentence_scores[0][1][1]
    buckets = records(tested.to_dataframe("buckets", library=library))
    assert {row["by"] for row in buckets} == {one.name for one in tested.breakdowns}


def records(frame: Any) -> list[dict[str, Any]]:
    import narwhals

    return list(narwhals.from_native(frame).iter_rows(named=True))


def test_invalid_options_are_rejected(comparison: Comparison, tested: Comparison) -> None:
    with pytest.raises(OptionError, match="test must be one of bootstrap, randomization"):
        comparison.tested(TestSettings(test="t"))
    with pytest.raises(OptionError, match="alpha must be between"):
        comparison.tested(TestSettings(draws=10, alpha=5))
    with pytest.raises(OptionError, match="correction must be one of"):
        comparison.tested(TestSettings(draws=10, correction="none"))
    with pytest.raises(OptionError, match=r"no part 'score' of a comparison \(did you mean s"):
        tested.show("score")
    with pytest.raises(OptionError, match="library must be one of pandas, polars, pyarrow"):
        tested.to_dataframe(library="numpy")  # type: ignore[call-overload]
    with pytest.raises(OptionError, match="part must be one of"):
        tested.to_dataframe("sentence")
    short = results_of(compare(SYSTEMS, REFERENCES, ["bleu"]), draws=10)
    with pytest.raises(InputError, match="test all of them"):
        comparison.with_significance(short)
