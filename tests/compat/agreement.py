"""What sacreBLEU's interface is held against: generated corpora, options, and what agreement is."""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from hypothesis import strategies as st

from bleuet.compat import sacrebleu as ours
from bleuet.version import __version__

VERSION = f"bleuet-{__version__}=sacrebleu-2.6.0"

TEXT = (
    'the The cat cats sat on a mat . , ; the. It\'s 3.5 1,000 2-3 state-of-the-art (well) "yes" '
    "&quot; &amp; <skipped> élan naïve ÉCLAIR straße 猫が 座った。 中文，测试 한국어 « oui » 10% "
    "$5 … a/b x_y ~ ' é ı İ 𝒳 👍🏽 e\u0301"
)
WORDS = TEXT.split()
segments = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.text("ab .,-'&中。\t\u3000\xa0É1", max_size=20),
)


@st.composite
def corpora(draw: st.DrawFn, absent: bool = True) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses, and one to three streams of references of which some are absent."""
    size = draw(st.integers(1, 5))
    hypotheses = draw(st.lists(segments, min_size=size, max_size=size))
    streams: list[list[str | None]] = [draw(st.lists(segments, min_size=size, max_size=size))]
    for _ in range(draw(st.integers(0, 2))):
        entries = st.one_of(st.none(), segments) if absent else segments
        streams.append(draw(st.lists(entries, min_size=size, max_size=size)))
    return hypotheses, streams


BLEU_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["13a", "none", "char", "intl", "zh"]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0.5, 1, 2]),
        "effective_order": st.booleans(),
        "max_ngram_order": st.integers(1, 6),
        "force": st.booleans(),
        "trg_lang": st.sampled_from(["", "de", "zh"]),
    },
)
CHRF_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.integers(1, 4),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)
TER_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in ("normalized", "no_punct", "asian_support", "case_sensitive")
    },
)
CONFIGURATIONS = st.one_of(
    st.tuples(st.just("BLEU"), BLEU_OPTIONS),
    st.tuples(st.just("CHRF"), CHRF_OPTIONS),
    st.tuples(st.just("TER"), TER_OPTIONS),
)


@cache
def theirs() -> Any:
    """Import sacreBLEU with the modules that are compared."""
    for module in ("metrics.base", "metrics.helpers", "significance", "utils"):
        import_module(f"sacrebleu.{module}")
    return import_module("sacrebleu")


def both(name: str, options: dict[str, Any], **more: Any) -> tuple[Any, Any]:
    return getattr(ours.metrics, name)(**options, **more), getattr(theirs().metrics, name)(
        **options, **more
    )


def without_version(text: str) -> str:
    return text.replace(VERSION, "2.6.0")


def agree(mine: Any, other: Any) -> None:
    """Every attribute is the same and of the same type, and every way to print it too."""
    assert vars(mine) == vars(other)
    for name, value in vars(other).items():
        assert type(vars(mine)[name]) is type(value), name
    assert repr(mine) == repr(other)
    for width in 0, 2, 5:
        assert mine.format(width, True) == other.format(width, True)
        signature = "nrefs:1|case:lc"
        assert mine.format(width, False, signature, True) == other.format(
            width, False, signature, True
        )


def agree_on_draws(mine: Any, other: Any) -> None:
    """All is the same but means and intervals, which sacreBLEU computes in single precision."""
    for score in mine, other:
        assert math.isfinite(score._mean + score._ci)
    for name in "_mean", "_ci":
        # A float32's relative error, some operations after it began.
        expected = pytest.approx(float(vars(other)[name]), rel=1e-5, abs=1e-5)
        assert vars(mine)[name] == expected
        vars(other)[name] = vars(mine)[name]
    agree(mine, other)


def sign_alike(mine: Any, other: Any) -> None:
    """Signatures are the same but for the version, and for what sacreBLEU's leave out."""
    order = mine.info.pop("order", None)
    for short in False, True:
        assert without_version(mine.format(short)) == other.format(short)
    assert order is None or order != 4
    for name, value in other.info.items():
        if name != "version":
            assert (mine.info[name], type(mine.info[name])) == (value, type(value)), name


FUNCTIONS: dict[str, list[dict[str, Any]]] = {
    "corpus_bleu": [
        {},
        {"smooth_method": "floor", "smooth_value": 0.2, "lowercase": True, "force": True},
        {"tokenize": "intl", "use_effective_order": True},
        {"tokenize": None},
    ],
    "raw_corpus_bleu": [{}, {"smooth_value": 0.5}, {"smooth_value": None}],
    "sentence_bleu": [{}, {"smooth_method": "add-k"}, {"use_effective_order": False}],
    "corpus_chrf": [{}, {"word_order": 2, "beta": 3}, {"remove_whitespace": False}],
    "sentence_chrf": [{}, {"char_order": 4, "eps_smoothing": True}],
    "corpus_ter": [{}, {"normalized": True, "asian_support": True}],
    "sentence_ter": [{}, {"no_punct": True, "case_sensitive": True}],
}
HYPOTHESES = ["The cat sat down.", "It's 3.5% of 中文，测试", "", "a b c d e f g"]
STREAMS = [["The cat sat up.", "It is 3.5 %", "x", "e f g a b c d"], ["A cat.", "中文", "", "a"]]

TOKENIZERS = {
    "tokenizer_13a": "Tokenizer13a",
    "tokenizer_none": "NoneTokenizer",
    "tokenizer_zh": "TokenizerZh",
    "tokenizer_intl": "TokenizerV14International",
    "tokenizer_char": "TokenizerChar",
    "tokenizer_re": "TokenizerRegexp",
    "tokenizer_ja_mecab": "TokenizerJaMecab",
    "tokenizer_ko_mecab": "TokenizerKoMecab",
    "tokenizer_ter": "TercomTokenizer",
}
