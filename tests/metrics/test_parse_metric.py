"""A metric in one word: name, options, or a whole signature."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, METEOR, ROUGE, TER, BleuetError, Metric, OptionError, SignatureError
from bleuet.metrics.base.signature import Signature
from bleuet.metrics.catalogue import CATALOGUE, NAMES, PRESETS, make_metric, parse_metric
from bleuet.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("bleu", BLEU),
        ("BLEU", BLEU),
        ("bleu:", BLEU),
        ("bleu:smooth=floor,max_ngram_order=2", partial(BLEU, smooth="floor", max_ngram_order=2)),
        ("bleu:smooth=add-k, smooth-value=0.5", partial(BLEU, smooth="add-k", smooth_value=0.5)),
        ("bleu:lowercase", partial(BLEU, lowercase=True)),
        ("bleu:lowercase=no,effective_order=yes", partial(BLEU, effective_order=True)),
        ("bleu:lowercase=TRUE", partial(BLEU, lowercase=True)),
        (
            "bleu:max_ngram_order=2,weights=0.25/0.75",
            partial(BLEU, max_ngram_order=2, weights=[0.25, 0.75]),
        ),
        ("bleu:max_ngram_order=1,weights=1", partial(BLEU, max_ngram_order=1, weights=[1])),
        ("chrf++", partial(CHRF, word_order=2)),
        ("chrf++:beta=3", partial(CHRF, word_order=2, beta=3)),
        ("chrf++:word_order=1", partial(CHRF, word_order=1)),
        ("chrf:beta=0.5,char-order=4", partial(CHRF, beta=0.5, char_order=4)),
        ("ter:normalized,no_punct=yes", partial(TER, normalized=True, no_punct=True)),
    ],
)
def test_a_word_is_a_metric(text: str, make: Callable[[], Metric[Any]]) -> None:
    assert parse_metric(text) == make()


@pytest.mark.parametrize(
    ("make", "written"),
    [
        (partial(BLEU, lowercase=True), str),
        (partial(CHRF, beta=3), Signature.full),
        (partial(TER, no_punct=True), Signature.short),
    ],
)
def test_a_signature_is_a_metric(
    make: Callable[[], Metric[Any]], written: Callable[[Signature], str]
) -> None:
    metric = make()
    assert parse_metric(written(metric.signature())) == metric


def values_of(metric: Metric[Any]) -> dict[str, Any]:
    return {option.name: getattr(metric, option.name) for option in metric.options}


@pytest.mark.parametrize("name", [*CATALOGUE, *PRESETS])
def test_every_option_of_every_metric_can_be_written(name: str) -> None:
    """Defaults written out are the defaults, whatever the type of the option."""
    metric = parse_metric(name)
    written = []
    for option, value in values_of(metric).items():
        if isinstance(value, bool):
            written.append(f"{option}={'yes' if value else 'no'}")
        elif value is not None:
            written.append(f"{option}={metric.option_named(option).spell(value)}")
    assert written
    assert parse_metric(f"{name}:{','.join(written)}") == metric


def test_what_was_not_said_suits_the_use() -> None:
    suited = parse_metric("bleu:smooth=floor", language="zh", sentences=True)
    assert suited == BLEU(smooth="floor", tokenize="zh", effective_order=True)
    assert parse_metric("bleu:tokenize=intl", language="zh") == BLEU(tokenize="intl")
    assert parse_metric("bleu:effective_order=no", sentences=True) == BLEU()
    signature = str(BLEU().signature())
    assert parse_metric(signature, language="zh", sentences=True) == BLEU()


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("blue", ("no metric 'blue'", "did you mean bleu?", "`bleuet metrics` lists")),
        ("spBLEU", ("(did you mean bleu:tokenize=flores200?)",)),
        ("sentence_bleu", ("(did you mean bleu with --sentence-level?)",)),
        ("all", ("name the metrics that answer your question", "by chance")),
        ("blurb", ("there is no metric 'blurb'",)),
        ("bleu:tok=intl", ("tok is not an option (did you mean tokenize?)",)),
        ("chrf:nw=2", ("nw is not an option (did you mean word_order?)",)),
        ("", ("no metric ''", "`bleuet metrics` lists")),
        ("bleu,chrf", ("put spaces between metrics",)),
        ("bleu:smoth=exp", ("BLEU: smoth is not an option", "did you mean smooth?")),
        ("bleu:exp", ("BLEU: exp is not an option", "the options are lowercase, effective_order")),
        ("chrf++:smooth=exp", ("CHRF: smooth is not an option", "char_order")),
        ("bleu:smooth", ("smooth needs a value: none, ", "floor")),
        ("bleu:smooth=", ("smooth needs a value",)),
        ("bleu:smooth=expo", ("smooth must be one of", "did you mean exp?")),
        ("bleu:max_ngram_order=two", ("max_ngram_order must be a number, not 'two'",)),
        ("bleu:max_ngram_order=0", ("from 1 to",)),
        ("bleu:weights=.5;.5", ("several with slashes", "'.5;.5'")),
        ("bleu:weights=0.5,0.5", ("weights needs slashes between", "as in weights=0.5/0.5")),
        ("bleu:weights=.5/.5,lowercase", ("one number per order, 4",)),
        ("bleu:weights=.5/.5", ("one number per order, 4",)),
        ("bleu:lowercase=maybe", ("lowercase is a switch", "yes or no, not 'maybe'")),
        ("bleu:lowercase,lowercase=no", ("lowercase appears twice",)),
    ],
)
def test_a_misuse_is_told(text: str, pieces: tuple[str, ...]) -> None:
    with pytest.raises(OptionError) as raised:
        parse_metric(text)
    for piece in pieces:
        assert piece in str(raised.value)


def test_a_wrong_signature_is_told() -> None:
    with pytest.raises(SignatureError, match="no metric has a signature with only the keys a, b"):
        parse_metric("a:1|b:2")


def test_commas_and_colons_in_a_value() -> None:
    """The file is not there, but its name is told as it was meant."""
    with pytest.raises(BleuetError) as raised:
        parse_metric(r"bleu:tokenize=spm:a\,b=c:d.model,lowercase")
    assert "a,b=c:d.model" in str(raised.value)


@pytest.mark.parametrize("name", ["chrf", "chrf++"])
def test_a_mean_counts_the_ngrams_of_the_metric_of_its_name(name: str) -> None:
    metric, mean = parse_metric(name), parse_metric(f"mean-{name}")
    for one in ("char_order", "word_order", "beta"):
        assert getattr(mean, one) == getattr(metric, one)


@pytest.mark.parametrize(
    ("language", "meteors"),
    [
        ("", "en"), ("hi", "other"), ("de", "de"), ("ces", "cs"), ("nb", "no"), ("nno", "no"),
        ("zh-TW", "other"),
    ],
)  # fmt: skip
def test_the_target_language_decides_that_of_meteor(language: str, meteors: Any) -> None:
    made = make_metric("meteor", trg_lang=language)
    assert made == METEOR(language=meteors)
    assert made == parse_metric("meteor", language=language_code(language))
    assert make_metric("meteor", trg_lang=language, language="fr") == METEOR(language="fr")


@pytest.mark.parametrize(
    ("language", "tokenizer"),
    [("", "rouge"), ("de", "rouge"), ("hi", "unicode"), ("ru", "unicode"), ("th", "unicode")],
)
def test_rouge_of_other_letters_has_the_tokenizer_of_all_scripts(
    language: str, tokenizer: Any
) -> None:
    made = make_metric("rouge-l", trg_lang=language)
    assert made == ROUGE(variant="L", tokenize=tokenizer)
    assert made == parse_metric("rouge-l", language=language)


def test_every_metric_takes_a_target_language() -> None:
    for name in NAMES:
        assert make_metric(name, trg_lang="") == make_metric(name)
        made, parsed = make_metric(name, trg_lang="zh"), parse_metric(name, language="zh")
        assert made == parsed
