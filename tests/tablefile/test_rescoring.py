"""Saved counts are scored in another way, where the counts are the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import CHRF, TER, OptionError, SavedTable, TableError
from bleuet.metrics.catalogue import parse_metric
from bleuet.text.fingerprint import Fingerprint

HYPOTHESES = ["The bridge is closed.", "Ask at the harbour.", "No."]
OTHERS = ["A bridge was closed.", "Ask in the port.", "No!"]
REFERENCES = ["The bridge was closed.", "Ask down at the harbour.", "No."]
BOTH = [[one, other] for one, other in zip(REFERENCES, OTHERS, strict=True)]


RESCORED = [
    ("bleu", "bleu:smooth=floor"),
    ("bleu:smooth=add-k,smooth_value=3", "bleu:smooth=floor"),
    ("bleu", "bleu:smooth=chen-cherry-3"),
    ("bleu:max_ngram_order=5", "bleu:smooth=chen-cherry-5"),
    ("bleu", "bleu:max_ngram_order=2,effective_order"),
    ("bleu:lowercase", "bleu:lowercase,weights=0.4/0.3/0.2/0.1"),
    ("chrf:word_order=2", "chrf:beta=1"),
    ("chrf", "chrf:char_order=3,eps_smoothing"),
]


@pytest.mark.parametrize(("saved", "wanted"), RESCORED)
def test_rescoring_is_scoring_the_texts_so(saved: str, wanted: str) -> None:
    metric, expected = parse_metric(saved), parse_metric(wanted)
    options = {
        option.name: getattr(expected, option.name)
        for option in type(expected).options
        if getattr(expected, option.name) != getattr(metric, option.name)
        and option.name not in ("smooth_value", "smooth_unmatched")
    }
    anew = SavedTable("mine", metric, metric.count(HYPOTHESES, REFERENCES)).rescored(**options)
    assert anew.metric == expected
    score = expected.corpus_score(HYPOTHESES, REFERENCES)
    assert (anew.score().to_dict(), anew.score().score) == (score.to_dict(), score.score)


COUNTED_OTHERWISE: list[tuple[str, dict[str, Any], str]] = [
    (
        "bleu",
        {"tokenize": "intl"},
        "BLEU: tokenize changes what is counted, and the table was counted with '13a', not 'intl'",
    ),
    (
        "bleu",
        {"lowercase": True},
        "BLEU: lowercase changes what is counted, and the table was counted without it",
    ),
    ("bleu", {"reference_length": "shortest"}, "reference_length changes"),
    ("bleu", {"max_ngram_order": 5}, "no column matches_5"),
    ("bleu", {"smooth": "chen-cherry-5"}, "no column matches_5"),
    ("bleu", {"smooth": "nltk-1"}, "no column nltk_totals_1"),
    ("chrf", {"whitespace": True}, "CHRF: whitespace changes what is counted"),
    ("chrf", {"word_order": 2}, "no column hyp_word_1"),
    ("ter", {"no_punct": True}, "TER: no_punct changes what is counted"),
]


@pytest.mark.parametrize(("name", "options", "says"), COUNTED_OTHERWISE)
def test_what_changes_counting_is_refused(name: str, options: dict[str, Any], says: str) -> None:
    metric = parse_metric(name)
    saved = SavedTable("mine", metric, metric.count(HYPOTHESES, REFERENCES))
    with pytest.raises(TableError, match="count the texts again") as caught:
        saved.rescored(**options)
    assert says in str(caught.value)


def test_chrfs_best_of_several_references_depends_on_beta() -> None:
    saved = SavedTable("mine", CHRF(), CHRF().count(HYPOTHESES, BOTH))
    for option in ({"beta": 1}, {"eps_smoothing": True}, {"char_order": 3}):
        with pytest.raises(TableError, match="where segments have several references"):
            saved.rescored(**option)


def test_options_that_do_not_exist_are_refused() -> None:
    saved = SavedTable("mine", TER(), TER().count(HYPOTHESES, REFERENCES))
    with pytest.raises(OptionError, match="TER: smooth is not an option"):
        saved.rescored(smooth="floor")


@given(st.lists(st.text() | st.lists(st.text(), min_size=1)), st.integers(0, 9))
def test_a_fingerprint_does_not_depend_on_portions(references: list[Any], at: int) -> None:
    whole, parts, listed = Fingerprint(), Fingerprint(), Fingerprint()
    whole.update(references)
    parts.update(references[:at])
    parts.update(references[at:])
    listed.update([[one, None] if isinstance(one, str) else one for one in references])
    assert str(whole) == str(parts) == str(listed)


def test_a_rescored_table_keeps_its_system_its_rows_and_its_test_set() -> None:
    metric = parse_metric("bleu")
    saved = SavedTable("mine", metric, metric.count(HYPOTHESES, BOTH), "known")
    for one in (saved.rescored(smooth="floor"), saved._replace(metric=TER())):
        assert (one.system, one.table, one.references) == ("mine", saved.table, "known")
    assert saved._replace(references="other").references == "other"
