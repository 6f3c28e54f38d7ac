"""What sacreBLEU scores or trips over though it cannot be meant is refused in one sentence."""

from __future__ import annotations

import math
from typing import Any

import pytest

from bleuet.compat import sacrebleu as ours
from bleuet.errors import BleuetError, InputError, InputTypeError, OptionError

NOT_ONE = "expected a list of streams"
MISUSE: dict[str, tuple[Any, type[Exception], str]] = {
    "fewer references": (
        lambda m: m.corpus_score(["a", "b"], [["a"]]),
        InputError,
        "2 hypotheses but 1 reference in each stream",
    ),
    "more references": (
        lambda m: m.corpus_score(["a"], [["a", "b"]]),
        InputError,
        "1 hypothesis but 2 references in each stream",
    ),
    "references per segment": (
        lambda m: m.corpus_score(["a", "b", "c"], [["a"], ["b"], ["c"]]),
        InputError,
        r"pass list\(zip\(\*references\)\)",
    ),
    "streams of two lengths": (
        lambda m: m.corpus_score(["a", "b"], [["a", "b"], ["c"]]),
        InputError,
        r"references\[0\] has 2 segments but references\[1\] has 1;",
    ),
    "a bare string": (lambda m: m.corpus_score("abc", [["a"]]), InputTypeError, "bare string"),
    "a bare string of references": (
        lambda m: m.corpus_score(["a"], "a"),
        InputTypeError,
        NOT_ONE,
    ),
    "one bare stream": (
        lambda m: m.corpus_score(["a"], ["a"]),
        InputTypeError,
        r"wrap a single stream, \[references\]",
    ),
    "no hypotheses": (lambda m: m.corpus_score([], [[]]), InputError, "no segment"),
    "no streams": (lambda m: m.corpus_score(["a"], []), InputError, "references is empty"),
    "no references": (lambda m: m.corpus_score(["a"], None), InputError, "has no references"),
    "all absent": (
        lambda m: m.corpus_score(["a", "b"], [["a", None], ["b", None]]),
        InputError,
        "segment 1 has no reference",
    ),
    "absent in the only stream": (
        lambda m: m.corpus_score(["a"], [[None]]),
        InputError,
        "segment 0 has no reference",
    ),
    "an absent hypothesis": (
        lambda m: m.corpus_score(["a", None], [["a", "b"]]),
        InputTypeError,
        r"hypotheses\[1\] is None",
    ),
    "a number": (
        lambda m: m.corpus_score(["a"], [[3.5]]),
        InputTypeError,
        r"references\[0\]\[0\] is of the type float",
    ),
    "a list for a string": (
        lambda m: m.corpus_score(["a"], [[["a"]]]),
        InputTypeError,
        r"references\[0\]\[0\] is of the type list",
    ),
    "bytes": (lambda m: m.corpus_score([b"a"], [["a"]]), InputTypeError, "decode"),
    "a dictionary": (lambda m: m.corpus_score(["a"], {"a": 1}), InputTypeError, NOT_ONE),
    "a list as a sentence": (
        lambda m: m.sentence_score(["a"], ["a"]),
        InputTypeError,
        "expected a string",
    ),
    "a sentence's bare reference": (
        lambda m: m.sentence_score("a", "a"),
        InputTypeError,
        "wrap it in a list",
    ),
    "a sentence's references in streams": (
        lambda m: m.sentence_score("a", [["a"]]),
        InputTypeError,
        "expected a list of strings",
    ),
    "a sentence without references": (
        lambda m: m.sentence_score("a", []),
        InputError,
        "no reference",
    ),
    "a sentence with absent references": (
        lambda m: m.sentence_score("a", [None, None]),
        InputError,
        "no reference",
    ),
    "a signature before a score": (
        lambda m: m.get_signature(),
        ValueError,
        "before the first score",
    ),
    "cached references of another length": (
        lambda m: type(m)(references=[["a", "b"]]).corpus_score(["a"], None),
        InputError,
        "1 hypothesis but 2 references",
    ),
}


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@pytest.mark.parametrize("misuse", MISUSE)
def test_misuse_is_told_in_one_sentence(misuse: str, name: str) -> None:
    call, kind, words = MISUSE[misuse]
    with pytest.raises(BleuetError, match=words) as caught:
        call(getattr(ours, name)())
    assert isinstance(caught.value, kind)
    assert "\n" not in str(caught.value)


OPTIONS_THAT_ARE_NONE: list[tuple[str, dict[str, Any]]] = [
    ("BLEU", {"smooth_method": "epx"}),
    ("BLEU", {"tokenize": "13b"}),
    ("BLEU", {"tokenize": "ids"}),
    ("BLEU", {"max_ngram_order": 0}),
    ("BLEU", {"smooth_method": "floor", "smooth_value": -1}),
    ("CHRF", {"char_order": 0}),
    ("CHRF", {"beta": -1}),
    ("CHRF", {"word_order": "2"}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS_THAT_ARE_NONE)
def test_options_that_cannot_be_are_refused_at_once(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        getattr(ours, name)(**options)


def test_a_seed_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "tomorrow")
    with pytest.raises(OptionError, match="SACREBLEU_SEED"):
        ours.BLEU().corpus_score(["a"], [["a"]], n_bootstrap=2)
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = ours.BLEU()
    assert math.isfinite(metric.corpus_score(["a"], [["a"]], n_bootstrap=2).score)
    assert "seed:none" in str(metric.get_signature())


def test_counts_of_another_number_than_orders_are_refused() -> None:
    with pytest.raises(InputError, match="one count per order, 4"):
        ours.BLEU.compute_bleu([1], [1], 1, 1)
