"""A metric is a frozen value that its representation and its signature describe in full."""

from __future__ import annotations

import copy
import inspect
import json
import math
import pickle
from operator import ge, gt, le, lt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuet
from bleuet import (
    BLEU,
    CHRF,
    BleuetError,
    Metric,
    OptionError,
    Score,
    TableError,
    Totals,
    find_metric,
    metric_from_signature,
)
from bleuet.metrics.base.option import Option
from bleuet.metrics.catalogue import CATALOGUE, PRESETS, make_metric, parse_metric
from tests.contract.settings import (
    DEFAULTS,
    NEEDED,
    Setting,
    all_settings,
    counted,
    counting,
    every_metric,
    is_bounded,
    settings_of,
    with_texts,
)
from tests.effort import examples, is_quick

PERFECT = "a cat sat on the old red mat with two more cats there"
PERFECT_IDS = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
# The best score there is; where nothing stands, 100 if more is better, else 0.
BEST: dict[str, float] = {}
# How far a perfect match is from it: EED counts the place before the first character.
FROM_BEST = {"eed": 2.0}
# What an empty hypothesis scores at most, where more is better and texts have no data flow.
FROM_WORST = {"codebleu": 25.0}
# What an empty hypothesis scores at least, where less is better and it is not 100.
WORST = {"eed": 40.0, "edit-distance": 2.0}


def best_of(setting: Setting) -> float:
    higher = setting.metric().higher_is_better
    return BEST.get(setting.name, 100.0 if higher else 0.0)


def bounded(name: str) -> list[Setting]:
    return [setting for setting in settings_of(name) if is_bounded(setting)]


@every_metric
def test_it_is_frozen(name: str) -> None:
    for setting in settings_of(name):
        metric = setting.metric()
        for attribute in (*metric._fields, "something"):
            with pytest.raises(AttributeError, match="is frozen"):
                setattr(metric, attribute, 1)
            with pytest.raises(AttributeError, match="is frozen"):
                delattr(metric, attribute)
        assert metric == setting.metric()


@every_metric
def test_equal_options_make_equal_metrics(name: str) -> None:
    for setting in settings_of(name):
        metric, same = setting.metric(), setting.metric()
        # A used one is no other.
        metric.prepare_references(setting.sourced([[[1]]] if setting.token_ids else ["a"]))
        assert metric == same
        assert hash(metric) == hash(same)
        assert {metric: 1}[same] == 1
        assert metric != "BLEU"


def test_other_options_make_other_metrics() -> None:
    metrics = [setting.metric() for setting in all_settings()]
    assert len(set(metrics)) == len({repr(metric) for metric in metrics})
    for name in CATALOGUE:
        mine = {setting.metric() for setting in settings_of(name)}
        assert len(mine) == len(settings_of(name))


@every_metric
def test_it_can_be_pickled_and_copied(name: str) -> None:
    for setting in settings_of(name):
        metric = setting.metric()
        metric.prepare_references(setting.sourced([[[1]]] if setting.token_ids else ["a"]))
        for again in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
            assert again == metric
            assert type(again) is type(metric)
            assert again.signature() == metric.signature()


@every_metric
def test_its_repr_makes_it_again(name: str) -> None:
    for setting in settings_of(name):
        metric = setting.metric()
        assert eval(repr(metric), vars(bleuet) | {type(metric).__name__: type(metric)}) == metric


@every_metric
def test_its_signature_makes_it_again(name: str) -> None:
    for setting in settings_of(name):
        metric = setting.metric()
        for n_references in (1, 3, None):
            signature = metric.signature(n_references)
            assert metric_from_signature(signature.full()) == metric
            assert metric_from_signature(str(signature)) == metric
            assert metric_from_signature(signature.short()) == metric
            assert signature.full() == f"{metric.name}|{signature}"
            pairs = signature.to_dict()
            assert next(iter(pairs)) == "nrefs"
            assert pairs["nrefs"] == ("var" if n_references is None else str(n_references))
            assert list(pairs)[-1] == "version"
            assert len(signature.short().split("|")) == len(pairs)
            assert len(signature.short()) < len(str(signature))


@every_metric
def test_a_text_makes_it_again(name: str) -> None:
    """As after -m: a name, a colon, and options."""
    for setting in settings_of(name):
        metric = setting.metric()
        options = [
            f"{option}={type(metric).option_named(option).spell(value)}"
            for option, value in {**NEEDED.get(name, {}), **setting.options}.items()
        ]
        assert parse_metric(f"{name}:{','.join(options)}") == metric


def test_signatures_tell_settings_apart() -> None:
    signatures = {setting.metric().signature().full() for setting in all_settings()}
    assert len(signatures) == len(all_settings())


@every_metric
def test_every_argument_is_an_option_and_the_reverse(name: str) -> None:
    kind = find_metric(name)
    arguments = dict(inspect.signature(kind).parameters)
    arguments.pop("trg_lang", None)  # a way to choose `tokenize`
    options = {option.name: option for option in kind.options}
    assert list(options) == list(dict.fromkeys(options))
    assert set(options) == set(arguments)
    assert set(kind._fields) == set(options)
    metric = make_metric(name)
    for option_name, option in options.items():
        assert isinstance(option, Option)
        assert len(option.help) > 10
        assert getattr(metric, option_name) == option.default
        assert arguments[option_name].default in (option.default, None)
        assert option.choices == () or option.default in option.choices
        assert option_name in (kind.__doc__ or "")


@every_metric
def test_every_option_is_in_the_settings(name: str) -> None:
    if is_quick():
        pytest.skip("quick runs take some settings of each metric")
    metric = make_metric(name)
    tried = {
        option
        for setting in settings_of(name)
        for option, value in setting.options.items()
        if value != getattr(metric, option)
    }
    # Other tests try files: those of METEOR, and the replacements of WER.
    files = {"resources", "replacements"}
    assert tried | files == {*files, *metric._fields}


@every_metric
def test_the_catalogue_finds_it(name: str) -> None:
    kind = CATALOGUE[name].load()
    assert find_metric(name) is find_metric(name.upper()) is kind
    assert len(CATALOGUE[name].summary) > 10
    for other in DEFAULTS:
        found = metric_from_signature(str(other.metric().signature()))
        assert (type(found) is kind) == (other.name == name)


def test_presets_are_settings_of_the_catalogue() -> None:
    for name, options, _ in PRESETS.values():
        assert isinstance(CATALOGUE[name].load()(**options), Metric)


@every_metric
@examples(15)
@given(data=st.data())
def test_a_score_tells_everything(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(settings_of(name), data):
        metric = setting.metric()
        score = metric.corpus_score(hypotheses, references)
        assert isinstance(score, Score)
        assert math.isfinite(score.score)
        told = json.loads(score.to_json())
        assert told == json.loads(json.dumps(score.to_dict()))
        assert set(told) == {"name", "score", "signature", *score.components}
        assert told["score"] == float(score) == score.score
        assert told["signature"] == str(score.signature)
        for component in score.components:
            value = getattr(score, component)
            assert told[component] == (list(value) if isinstance(value, tuple) else value)
        assert score.metric == metric
        assert str(score) == score.format()
        assert str(score).startswith(f"{metric.name} = {score.score:.{2 + metric.extra_digits}f}")
        assert score.format(signature=True, width=5).startswith(
            f"{score.signature.full()} = {score.score:.{5 + metric.extra_digits}f}"
        )


@every_metric
def test_scores_and_totals_can_be_pickled_and_copied(name: str) -> None:
    for setting in counted(name):
        metric = setting.metric()
        text: list[Any] = [[1, 2]] if setting.token_ids else ["a cat"]
        table = metric.count(setting.edited(text), setting.sourced(text))
        for value in (metric.score(table.totals()), table.totals(), table, metric.signature()):
            for again in (
                pickle.loads(pickle.dumps(value)),
                copy.copy(value),
                copy.deepcopy(value),
            ):
                assert again == value
                assert repr(again) == repr(value)


@every_metric
def test_a_perfect_match_gives_the_best_score(name: str) -> None:
    for setting in bounded(name):
        metric = setting.metric()
        perfect: Any = PERFECT_IDS if setting.token_ids else PERFECT
        other: Any = [99] if setting.token_ids else "no"
        best = best_of(setting)
        expected = pytest.approx(best, rel=1e-12, abs=FROM_BEST.get(setting.name))
        assert metric.sentence_score(perfect, [other, perfect]).score == expected
        assert metric.corpus_score([perfect, perfect], [perfect, [perfect]]).score == expected
        worse = metric.corpus_score([perfect, other], [perfect, [perfect]]).score
        assert worse < best - 1 if metric.higher_is_better else worse > best + 1


@every_metric
@examples(15)
@given(data=st.data())
def test_nothing_is_better_than_the_best(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(bounded(name), data):
        metric = setting.metric()
        best = best_of(setting)
        for one in metric.sentence_scores(hypotheses, references).values:
            if metric.higher_is_better:
                assert 0 <= one <= best * (1 + 1e-12)
            else:
                assert one >= best


@every_metric
def test_an_empty_hypothesis_has_a_score(name: str) -> None:
    for setting in settings_of(name):
        metric = setting.metric()
        empty: Any = [] if setting.token_ids else ""
        some: Any = [1, 2] if setting.token_ids else "a cat"
        empty, some = setting.edited([empty, some])
        of_some, of_empty = setting.sourced([[some], [empty]])
        worst = metric.sentence_score(empty, of_some).score
        if name == "errant":  # it compares edits, of which some settings have none
            assert 0 <= worst <= 100
        elif metric.reads_sources:  # words of the source can be rightly left out
            assert 0 <= worst < 100
        elif metric.higher_is_better:
            assert 0 <= worst < FROM_WORST.get(setting.name, 0) + 1e-9
        else:
            assert worst >= WORST.get(setting.name, 100)
        nothing = metric.sentence_score(empty, of_empty)
        assert math.isfinite(nothing.score)
        assert math.isfinite(metric.corpus_score([empty, some], [of_some, of_empty]).score)


@every_metric
def test_the_formula_of_zeros_is_a_number(name: str) -> None:
    for setting in settings_of(name):
        metric = setting.metric()
        zeros = [0] * len(metric.integer_columns) + [0.0] * len(metric.real_columns)
        assert math.isfinite(metric.score(Totals(metric.columns, zeros)).score)
        # A sum of no segment would be a perfect error rate.
        with pytest.raises(TableError, match="of no segment is undefined"):
            metric.score(Totals(metric.columns, zeros, 0))


@every_metric
def test_foreign_totals_are_refused(name: str) -> None:
    metric = counting(name)
    foreign = Totals(("apples", "pears"), (1, 2))
    with pytest.raises(TableError, match="apples, pears"):
        metric.score(foreign)
    for other in DEFAULTS:
        # CodeBLEU has all columns of BLEU, and more.
        if other.name != name and not set(metric.columns) <= set(other.metric().columns):
            table = other.metric().count(other.edited(["a"]), other.sourced(["a"]))
            with pytest.raises(TableError, match=metric.columns[0]):
                metric.segment_scores(table)
            with pytest.raises(TableError, match=metric.columns[0]):
                metric.score(table.totals())
            prepared = metric.prepare_references(Setting(name, {}).sourced(["a"]))
            with pytest.raises(OptionError, match="prepare_references"):
                other.metric().count(["a"], prepared)


BAD_INPUT: list[tuple[object, object]] = [
    ("a cat", "a cat"),
    (["a"], ["a", "b"]),
    (["a", "b"], ["a"]),
    ([], []),
    (["a"], [None]),
    (["a"], [[]]),
    (["a"], [[None]]),
    ([None], ["a"]),
    ([b"a"], ["a"]),
    ([1.5], ["a"]),
    ({"a"}, ["a"]),
    (["a"], 5),
    (None, None),
]


@every_metric
def test_bad_input_is_refused_in_a_sentence(name: str) -> None:
    metric: Any = counting(name)
    for hypotheses, references in BAD_INPUT:
        for ask in (metric.corpus_score, metric.sentence_scores, metric.count):
            with pytest.raises(BleuetError) as caught:
                ask(hypotheses, references)
            message = str(caught.value)
            assert len(message) > 20, (hypotheses, references)
            assert "\n" not in message, (hypotheses, references)


@every_metric
def test_threads_that_are_none_are_refused(name: str) -> None:
    metric: Any = counting(name)
    for threads in (-1, 1.5, True, "2", None):
        for ask in (metric.corpus_score, metric.sentence_scores, metric.count):
            with pytest.raises(OptionError, match="threads must be a whole number"):
                ask(["a"], ["a"], threads=threads)


@every_metric
def test_an_option_that_does_not_exist_is_refused(name: str) -> None:
    metric = make_metric(name)
    with pytest.raises(OptionError, match=r"smoothness is not an option.* the options are"):
        type(metric)(smoothness=1)
    with pytest.raises(OptionError, match=r"smoothness is not an option.* the options are"):
        metric.with_options(smoothness=1)


@every_metric
def test_flags_take_nothing_but_true_and_false(name: str) -> None:
    kind = find_metric(name)
    flags = [option for option in kind.options if isinstance(option.default, bool)]
    for flag in flags:
        for wrong in (0, 1, "no", None):
            if wrong is None and flag.depends:
                assert kind(**{flag.name: None}) == kind()
                continue
            with pytest.raises(OptionError, match=f"{flag.name} must be True or False"):
                kind(**{flag.name: wrong})


@every_metric
def test_a_signature_without_a_key_is_refused(name: str) -> None:
    pairs = make_metric(name).signature().pairs
    for key, _ in pairs:
        if key in ("nrefs", "version"):
            continue
        left = "|".join(f"{k}:{v}" for k, v in pairs if k != key)
        with pytest.raises(bleuet.SignatureError) as caught:
            metric_from_signature(left)
        assert len(str(caught.value)) > 20


@every_metric
def test_a_signature_with_a_value_that_means_nothing_is_refused(name: str) -> None:
    pairs = make_metric(name).signature().pairs
    for key, _ in pairs:
        if key in ("nrefs", "version"):
            continue
        wrong = "|".join(f"{k}:{'nonsense' if k == key else v}" for k, v in pairs)
        with pytest.raises(bleuet.SignatureError):
            metric_from_signature(wrong)
    unknown = "|".join(f"{k}:{v}" for k, v in (*pairs[:-1], ("mystery", "yes"), pairs[-1]))
    with pytest.raises(bleuet.SignatureError, match="mystery"):
        metric_from_signature(unknown)


@every_metric
def test_a_score_is_a_number_where_that_is_clear(name: str) -> None:
    for setting in settings_of(name):
        if setting.options.get("edits") == "multi":  # the made edits have one word each
            continue
        texts: Any = (PERFECT, PERFECT[5:30])
        if setting.token_ids:
            texts = (PERFECT_IDS, PERFECT_IDS[:9])
        texts = setting.edited(texts)
        untaught = setting.metric()
        if setting.name == "crystal-bleu":  # 500 n-grams are more than these texts have
            untaught = untaught.with_options(ignored=0)
        metric = untaught.prepare(untaught.corpus(texts, [texts[0], texts[0][:1]]))
        (references,) = setting.sourced([[texts[0]]])
        best, other = (metric.sentence_score(text, references) for text in texts)
        assert best.score != other.score
        low, high = sorted([best, other])
        assert (low.score, high.score) == tuple(sorted([best.score, other.score]))
        assert max(best, other) is high
        assert low < high
        assert low <= low
        assert high >= low
        assert not low > high
        number = other.score
        assert (float(other), int(other), round(other), round(other, 1)) == (
            number, int(number), round(number), round(number, 1)
        )  # fmt: skip
        assert f"{other:.3f} {other:>9.1f}" == f"{number:.3f} {number:>9.1f}"
        assert f"{other}" == format(other) == str(other)
        assert other <= number <= other
        assert number - 1 < other < number + 1
        assert math.isclose(other, number)
        assert other != number


def test_scores_of_different_signatures_have_no_order() -> None:
    scores = [
        BLEU().sentence_score("a b c d", "a b c d"),
        BLEU(lowercase=True).sentence_score("a b c d", "a b c d"),
        BLEU().sentence_score("a b c d", ["a b c d", "a"]),
        CHRF().sentence_score("a b c d", "a b c d"),
    ]
    for one in scores[1:]:
        for compare in (lt, le, gt, ge):
            with pytest.raises(TypeError, match=r"different signatures have no order: BLEU\|"):
                compare(scores[0], one)
    for wrong in ("30", None, [30], 1j):
        with pytest.raises(TypeError):
            assert scores[0] < wrong


def test_sentence_scores_are_an_array() -> None:
    scores = CHRF().sentence_scores(["a b", "a"], ["a b", "b"])
    assert np.asarray(scores).tolist() == list(scores.values)
    assert np.asarray(scores).mean() == 50.0
