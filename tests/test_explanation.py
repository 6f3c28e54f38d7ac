"""Explanations: steps that lead from one score to another, each checked by scoring it afresh."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import (
    BLEU,
    CHRF,
    TER,
    Corpus,
    Explanation,
    InputError,
    InputTypeError,
    MeanBLEU,
    Metric,
    OptionError,
    SignatureError,
    explain,
)
from bleuet.explanation import STEPS
from bleuet.metrics.catalogue import CATALOGUE, parse_metric
from tests.contract.settings import all_settings
from tests.corpora.any_text import corpora
from tests.effort import examples

HYPOTHESES = ["The cat sat down, slowly.", "it rains today", "A quick-witted fox", "Nothing"]
REFERENCES = [
    ["The cat sat up, slowly.", "Slowly the cat sat up there."],
    "It rains again today",
    ["A quick-witted fox!", "a fox"],
    "something",
]


def steps_of(found: Explanation) -> list[str]:
    return [step.name for step in found.steps]


def check(found: Explanation, a: Metric, b: Metric, hypotheses: Any, references: Any) -> None:
    """Compare everything in an explanation with scores computed from scratch."""
    assert (found.a, found.b) == (
        a.corpus_score(hypotheses, references),
        b.corpus_score(hypotheses, references),
    )
    assert bool(found.steps) == (a != b)
    if a == b:
        return
    assert found.steps[0].before == found.a.score
    assert found.steps[-1].after == found.b.score
    assert found.steps[-1].metric == b
    assert all(one.after == other.before for one, other in pairwise(found.steps))
    assert sum(step.difference for step in found.steps) == pytest.approx(found.difference, abs=1e-9)
    for step in found.steps:
        assert step.after == step.metric.corpus_score(hypotheses, references).score
        assert step.changes
        for name, (old, new) in step.changes.items():
            assert old != new
            assert getattr(step.metric, name, "corpus") == new
    # What the first step does, it does alone.
    assert found.steps[0].alone == pytest.approx(found.steps[0].difference, abs=1e-9)


FAMILIES = {name: name.replace("mean-bleu", "bleu") for name in CATALOGUE}


@examples(150)
@given(data=st.data())
@pytest.mark.slow
def test_steps_lead_from_any_setting_to_any_other(data: st.DataObject) -> None:
    of_texts = [one for one in all_settings() if not one.token_ids]
    a = data.draw(st.sampled_from(of_texts))
    others = [one for one in of_texts if FAMILIES[one.name] == FAMILIES[a.name]]
    b = data.draw(st.sampled_from(others))
    hypotheses, references = data.draw(corpora)
    hypotheses, references = a.edited(hypotheses), a.sourced(references)
    first, second = a.metric(), b.metric()
    check(explain(first, second, hypotheses, references), first, second, hypotheses, references)


def test_steps_name_options_that_there_are() -> None:
    known = [option for options in STEPS.values() for option in options]
    assert len(known) == len(set(known))
    assert set(known) <= {one.name for entry in CATALOGUE.values() for one in entry.load().options}


# By what each option acts on: a setting that changes it alone.
ACTS_ON = {
    "case": "bleu:lowercase ter:case_sensitive",
    "tokens": "bleu:tokenize=char ter:normalized ter:no_punct ter:asian_support "
    "ter:tokenize_references_once chrf:whitespace wer:normalize=english",
    "clipping": "gleu:min_ngram_order=2 bleu:max_ngram_order=2 chrf:char_order=3 chrf:word_order=1 "
    "ribes:left_first=no",
    "reference length": "bleu:reference_length=shortest",
    "smoothing": "bleu:smooth_value=2,smooth=add-k bleu:smooth_unmatched chrf:eps_smoothing",
    "averaging": "bleu:effective_order bleu:weights=0.4/0.3/0.2/0.1 nist:information=paper "
    "ribes:alpha=0.5 chrf:beta=1 token-f1:rules=squad-1.1 mean-bleu:weighting=plain",
}


def test_an_option_belongs_to_the_step_that_it_acts_on() -> None:
    # What replaces words is in a file.
    named = {"replacements"}
    # The closest reference is not the shortest one.
    hypotheses = [*HYPOTHESES, "The old cat sat down there"]
    references = [*REFERENCES, ["The cat sat down over there", "The cat sat"]]
    for step, settings in ACTS_ON.items():
        for setting in settings.split():
            found = explain(setting.partition(":")[0], setting, hypotheses, references)
            assert steps_of(found) == [step], setting
            # It is counted anew where the first setting counts something else.
            assert found.b == parse_metric(setting).corpus_score(hypotheses, references), setting
            named |= found.steps[0].changes.keys()
    assert named == {option for options in STEPS.values() for option in options}


def test_any_other_option_is_a_step_of_its_own() -> None:
    found = explain("wer", "wer:rate=wil", HYPOTHESES, REFERENCES)
    assert steps_of(found) == ["rate"]
    found = explain("rouge-2", "rouge-l", HYPOTHESES, REFERENCES)
    assert steps_of(found) == ["variant"]


def test_steps_come_in_the_order_in_which_a_score_comes_about() -> None:
    b = MeanBLEU(
        weighting="plain", smooth="floor", reference_length="average", max_ngram_order=2,
        tokenize="char", lowercase=True,
    )  # fmt: skip
    found = explain(BLEU(), b, HYPOTHESES, REFERENCES)
    assert steps_of(found) == list(STEPS)
    assert [set(step.changes) for step in found.steps] == [
        {"lowercase"},
        {"tokenize"},
        {"max_ngram_order"},
        {"reference_length"},
        {"smooth", "smooth_value"},
        {"weighting", "effective_order"},
    ]
    check(found, BLEU(), b, HYPOTHESES, REFERENCES)


def test_a_step_alone_is_that_step_from_the_first_metric() -> None:
    b = BLEU(lowercase=True, smooth="add-k", max_ngram_order=3, effective_order=True)
    found = explain(BLEU(), b, HYPOTHESES, REFERENCES)
    base = BLEU().corpus_score(HYPOTHESES, REFERENCES).score
    wanted = {
        "case": BLEU(lowercase=True),
        "clipping": BLEU(max_ngram_order=3),
        "smoothing": BLEU(smooth="add-k"),
        "averaging": BLEU(effective_order=True),
    }
    assert {step.name: step.alone for step in found.steps} == {
        name: metric.corpus_score(HYPOTHESES, REFERENCES).score - base
        for name, metric in wanted.items()
    }


@pytest.mark.parametrize(
    "names",
    [
        ("bleu", "bleu:lowercase,tokenize=intl"),
        ("bleu:lowercase,tokenize=char", "bleu"),
        ("ter", "ter:case_sensitive,normalized"),
        ("chrf", "chrf:lowercase,whitespace"),
    ],
)
def test_lower_casing_and_tokenization_are_apart(names: tuple[str, str]) -> None:
    a, b = map(parse_metric, names)
    found = explain(a, b, HYPOTHESES, REFERENCES)
    assert steps_of(found) == ["case", "tokens"]
    only_case = type(a)(
        **{
            **a.option_values(),
            **{name: b.option_values()[name] for name in found.steps[0].changes},
        }
    )
    assert set(found.steps[0].changes) <= {"lowercase", "case_sensitive"}
    score = only_case.corpus_score(HYPOTHESES, REFERENCES).score
    assert found.steps[0].alone == score - found.a.score
    check(found, a, b, HYPOTHESES, REFERENCES)


def test_adding_counts_or_averaging_sentences_is_the_last_step() -> None:
    for a, b in ((BLEU(), MeanBLEU()), (MeanBLEU(weighting="plain"), BLEU())):
        found = explain(a, b, HYPOTHESES, REFERENCES)
        assert steps_of(found) == ["averaging"]
        assert "corpus" in found.steps[0].changes["weighting"]
        check(found, a, b, HYPOTHESES, REFERENCES)
    found = explain(MeanBLEU(), MeanBLEU(weighting="plain"), HYPOTHESES, REFERENCES)
    assert found.steps[0].changes == {"weighting": ("reference-length", "plain")}


def test_options_that_need_each_other_make_one_step() -> None:
    a, b = BLEU(weights=(0.4, 0.3, 0.2, 0.1)), BLEU(max_ngram_order=2, smooth="floor")
    found = explain(a, b, HYPOTHESES, REFERENCES)
    # Between clipping and averaging stands smoothing, which could not be scored without weights.
    assert steps_of(found) == ["clipping, smoothing, averaging"]
    check(found, a, b, HYPOTHESES, REFERENCES)


def test_a_default_that_follows_another_option_belongs_to_its_step() -> None:
    """Chen and Cherry's smoothings turn on the effective order, unless it is given."""
    a, b = (BLEU(smooth=name) for name in ("chen-cherry-4", "nltk-4"))
    found = explain(a, b, HYPOTHESES, REFERENCES)
    assert [(step.name, set(step.changes)) for step in found.steps] == [
        ("smoothing", {"smooth", "smooth_unmatched", "effective_order"})
    ]
    check(found, a, b, HYPOTHESES, REFERENCES)
    b = BLEU(smooth="exp", effective_order=True)
    assert steps_of(explain(BLEU(), b, HYPOTHESES, REFERENCES)) == ["averaging"]
    b = BLEU(smooth="chen-cherry-4", effective_order=False)
    assert steps_of(explain(a, b, HYPOTHESES, REFERENCES)) == ["averaging"]


def test_what_has_no_number_of_a_corpus_goes_with_the_next_step() -> None:
    a, b = BLEU(), MeanBLEU(smooth="nltk-5")
    found = explain(a, b, HYPOTHESES, REFERENCES)
    assert steps_of(found) == ["smoothing, averaging"]
    check(found, a, b, HYPOTHESES, REFERENCES)
    with pytest.raises(OptionError, match="on a corpus NLTK smooths"):
        explain(a, BLEU(smooth="nltk-5"), HYPOTHESES, REFERENCES)


def test_a_step_that_cannot_be_taken_alone() -> None:
    a, b = BLEU(max_ngram_order=2), BLEU(weights=(0.4, 0.3, 0.2, 0.1))
    found = explain(a, b, HYPOTHESES, REFERENCES)
    assert [(step.name, step.alone is None) for step in found.steps] == [
        ("clipping", False),
        ("averaging", True),
    ]
    assert found.to_dict()["steps"][1]["alone"] is None
    assert found.to_text().splitlines()[3].split()[3] == "-"


def test_one_segment_explains_a_sentence() -> None:
    a, b = BLEU(smooth="exp"), BLEU(smooth="floor")
    hypothesis, reference = HYPOTHESES[0], "The cat sat up."
    found = explain(a, b, [hypothesis], [reference])
    for metric, score in ((a, found.a), (b, found.b)):
        assert score == metric.sentence_score(hypothesis, reference)
    assert steps_of(found) == ["smoothing"]
    assert found.difference != 0


def test_nothing_is_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[Metric] = []
    count = Metric.count

    def counting(metric: Metric, *corpus: Any, **more: Any) -> Any:
        counted.append(metric)
        return count(metric, *corpus, **more)

    monkeypatch.setattr(Metric, "count", counting)
    b = MeanBLEU(smooth="floor", weights=(0.1, 0.2, 0.3, 0.4))
    explain(BLEU(), b, HYPOTHESES, REFERENCES)
    assert len(counted) == 1
    counted.clear()
    explain(BLEU(), BLEU(lowercase=True, smooth="floor"), HYPOTHESES, REFERENCES)
    assert len(counted) == 2


def test_chrfs_means_choose_among_references() -> None:
    """So their rows cannot be taken from each other's."""
    hypotheses, references = ["ab"], [["abcdefgh", "b"]]
    a, b = CHRF(), CHRF(eps_smoothing=True, beta=1)
    check(explain(a, b, hypotheses, references), a, b, hypotheses, references)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:floor[0.10]|version:2.6.0", "bleu"),
        ("#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.4.0", CHRF),
        ("mean-bleu:weighting=plain", BLEU),
        (lambda: TER(case_sensitive=True).signature(), "ter"),
    ],
)
def test_metrics_by_signature_and_by_name(a: Any, b: Any) -> None:
    one, other = (made() if callable(made) else made for made in (a, b))
    found = explain(one, other, Corpus(HYPOTHESES, REFERENCES))
    assert found.steps
    check(found, found.a.metric, found.b.metric, HYPOTHESES, REFERENCES)


def test_token_ids() -> None:
    hypotheses, references = [[1, 2, 3, 4, 5]], [[1, 2, 3, 9]]
    a, b = (BLEU(tokenize="ids", smooth=smooth) for smooth in ("exp", "floor"))
    for given_corpus in (
        (hypotheses, references),
        (Corpus.from_token_ids(hypotheses, references),),
    ):
        assert steps_of(explain(a, b, *given_corpus)) == ["smoothing"]
    with pytest.raises(InputTypeError, match="the corpus holds token ids"):
        explain(a, BLEU(), hypotheses, references)


def test_iterators_are_read_once() -> None:
    found = explain(BLEU(), BLEU(lowercase=True), iter(HYPOTHESES), iter(REFERENCES))
    assert found.a == BLEU().corpus_score(HYPOTHESES, REFERENCES)


def test_as_text() -> None:
    a, b = BLEU(), MeanBLEU(lowercase=True)
    text = str(explain(a, b, HYPOTHESES, REFERENCES))
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[:5]] == [
        "step", "from", "case", "averaging", "to",
    ]  # fmt: skip
    score = b.corpus_score(HYPOTHESES, REFERENCES).score
    assert lines[4].split()[1] == f"{score:.2f}"
    assert "lowercase no -> yes" in lines[2]
    assert "weighting corpus -> reference-length" in lines[3]
    assert lines[-2:] == [
        f"from {a.signature(None).full()}",
        f"to {b.signature(None).full()}",
    ]
    assert '"change" is the effect of a step after the steps above it' in text
    same = str(explain(a, a, HYPOTHESES, REFERENCES))
    assert "The two are the same metric." in same
    # CIDEr has two digits more than a score in percent.
    one_step = explain("cider", "cider:lowercase", HYPOTHESES, REFERENCES)
    assert "One step makes the whole difference." in str(one_step)
    numbers = [f"{one_step.b.score:.4f}", *2 * [f"{one_step.difference:+.4f}"]]
    assert str(one_step).splitlines()[2].split()[1:4] == numbers


def test_as_plain_values() -> None:
    found = explain(BLEU(), BLEU(weights=(1, 0, 0, 0), lowercase=True), HYPOTHESES, REFERENCES)
    values = json.loads(json.dumps(found.to_dict()))
    assert values["from"]["score"] == found.a.score
    assert values["to"]["signature"] == str(found.b.signature)
    assert values["difference"] == found.difference
    assert [step["step"] for step in values["steps"]] == ["case", "averaging"]
    assert values["steps"][0]["changes"] == {"lowercase": [False, True]}
    assert values["steps"][1]["changes"] == {"weights": [None, [1.0, 0.0, 0.0, 0.0]]}
    assert values["steps"][1]["difference"] == found.steps[1].difference


@pytest.mark.parametrize(("a", "b"), [("bleu", "chrf"), ("ter", "mean-bleu"), ("chrf", "ter")])
def test_metrics_with_nothing_in_common(a: str, b: str) -> None:
    with pytest.raises(OptionError, match="have no step in common: explain takes two settings"):
        explain(a, b, HYPOTHESES, REFERENCES)


def test_other_misuse() -> None:
    with pytest.raises(InputError, match="4 hypotheses but 1 reference"):
        explain(BLEU(), BLEU(lowercase=True), HYPOTHESES, ["a"])
    with pytest.raises(SignatureError):
        explain("nrefs:1|version:2.6.0", BLEU(), HYPOTHESES, REFERENCES)
    with pytest.raises(OptionError, match="did you mean bleu"):
        explain("blue", BLEU(), HYPOTHESES, REFERENCES)
    with pytest.raises(InputTypeError, match="has its own references"):
        explain(BLEU(), BLEU(), Corpus(["a"], ["a"]), ["a"])
    with pytest.raises(InputTypeError, match="a must be a Metric or a Signature or a text"):
        explain(BLEU, BLEU(), HYPOTHESES, REFERENCES)  # type: ignore[arg-type]


def test_it_is_frozen() -> None:
    found = explain(BLEU(), BLEU(lowercase=True), HYPOTHESES, REFERENCES)
    with pytest.raises(AttributeError):
        found.steps = ()  # type: ignore[misc]
    assert found == explain(BLEU(), BLEU(lowercase=True), HYPOTHESES, REFERENCES)
