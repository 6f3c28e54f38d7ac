"""Names of metrics: one table, in any spelling, for every function that takes one."""

from __future__ import annotations

from typing import Any

import pytest

from bleuet import BLEU, CHRF, GLEU, ROUGE, WER, OptionError, compare, find_metric, make_metric
from bleuet.evaluation.evaluation import Evaluation
from bleuet.messages import plain_name
from bleuet.metrics.catalogue import ALIASES, ALL_NAMES, SPELLINGS, each_metric, parse_metric
from bleuet.web.requested_metrics import requested_metric


@pytest.mark.parametrize(
    ("spellings", "metric"),
    [
        ("rougeL rouge_l ROUGE-L Rouge-l RougeL:variant=L rougel", lambda: ROUGE(variant="L")),
        ("rouge1 ROUGE-1", lambda: ROUGE(variant="1")),
        ("rougeL:stemming ROUGE_L:stemming=yes", lambda: ROUGE(variant="L", stemming=True)),
        ("chrF2++ chrF++ ChrF2PP chrf-pp", lambda: CHRF(word_order=2)),
        ("chrF1 chrf:beta=1", lambda: CHRF(beta=1)),
        ("sacreBLEU BLEU bleu-4 Bleu_4", lambda: BLEU()),
        ("BLEU-2 bleu_2", lambda: BLEU(max_ngram_order=2)),
        ("google_bleu GLEU", lambda: GLEU()),
        ("CER", lambda: WER(tokenize="char")),
    ],
)
def test_a_name_in_any_spelling(spellings: str, metric: Any) -> None:
    for word in spellings.split():
        assert make_metric(word) == parse_metric(word) == requested_metric(word) == metric(), word


def test_spaces_in_a_name() -> None:
    assert make_metric(" Rouge L ") == make_metric("rouge l") == ROUGE(variant="L")
    assert each_metric(["Text_Similarity"]) == each_metric(["text-similarity"])


def test_every_function_takes_every_name() -> None:
    texts = {"mine": ["a b"]}
    assert requested_metric({"name": "rougeL"}) == ROUGE(variant="L")
    assert Evaluation.count("rougeL", texts, ["a c"]).metrics == (ROUGE(variant="L"),)
    compared = compare(texts, ["a c"], ["chrF2", "bleu:smooth=floor"])
    assert compared.evaluation.metrics == (CHRF(), BLEU(smooth="floor"))


def test_no_two_names_are_one_spelling() -> None:
    words = (
        [(name, name) for name in ALL_NAMES if name not in ALIASES]
        + list(ALIASES.items())
        + list(SPELLINGS.items())
    )
    found: dict[str, str] = {}
    for name, word in words:
        assert found.setdefault(plain_name(name), word) == word
        assert word.partition(":")[0] in ALL_NAMES or name in SPELLINGS


def test_a_class_has_no_options_set() -> None:
    assert find_metric("sacreBLEU") is BLEU
    with pytest.raises(OptionError) as caught:
        find_metric("cer")
    message = "'cer' is WER(tokenize='char'), and not a class: use make_metric('cer')"
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("cerr", " (did you mean cer?)"),
        ("sacreblue", " (did you mean sacrebleu?)"),
        ("google blue", " (did you mean google_bleu?)"),
        ("rogueL", " (did you mean rouge-l?)"),
        ("bleu9", " (did you mean bleu?)"),
        ("YiSi", ""),
    ],
)
def test_a_slip_is_understood(name: str, hint: str) -> None:
    for function in (find_metric, make_metric):
        with pytest.raises(OptionError) as caught:
            function(name)
        assert str(caught.value).startswith(f"there is no metric {name!r}{hint}: `bleuet metrics`")
