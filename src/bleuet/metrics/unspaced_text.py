"""Metrics that count words, and text without spaces between words."""

from __future__ import annotations

from bleuet.text.tokenizers import BY_LANGUAGE
from bleuet.text.tokenizers.unspaced import NAMES, fitting_tokenizers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bleuet.metrics.base.metric import Metric

# Tokenizers of BLEU that split text at spaces and punctuation.
AT_SPACES = ("13a", "intl", "none")
# The tokenizer of ROUGE that splits text of every script.
UNICODE = "unicode"


def unsuited(metrics: Iterable[Metric[Any]], language: str) -> Iterator[str]:
    """Yield a sentence for each kind of metric that does not split a language into words.

    Args:
        metrics: the metrics.
        language: a language without spaces between words, as `language_without_spaces` returns it.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> list(unsuited([BLEU(), BLEU(tokenize="zh")], "zh"))
    ['the references are in Chinese, which tokenizer 13a does not split into words: use -l xx-zh, \
or bleu:tokenize=zh (or char)']
    """
    seen: set[str] = set()
    for metric in metrics:
        tokenizer = getattr(metric, "tokenize", None)
        choices = getattr(getattr(type(metric), "tokenize", None), "choices", ())
        if UNICODE in choices and tokenizer != UNICODE and "rouge" not in seen:
            seen.add("rouge")
            yield (
                f"the references are in {NAMES[language]}, which ROUGE with tokenize={tokenizer} "
                "does not split into words: use rouge-l:tokenize=unicode"
            )
        if UNICODE not in choices and tokenizer in AT_SPACES and tokenizer not in seen:
            seen.add(tokenizer)
            best, other = fitting_tokenizers(language)
            pair = f"-l xx-{language}, or " if language in BY_LANGUAGE else ""
            yield (
                f"the references are in {NAMES[language]}, which tokenizer {tokenizer} does not "
                f"split into words: use {pair}bleu:tokenize={best} (or {other})"
            )
        if getattr(metric, "asian_support", None) is False and "ter" not in seen:
            seen.add("ter")
            fix = "chrf, whose units are characters"
            if language in ("zh", "ja"):
                fix = f"ter:normalized,asian_support, or {fix}"
            yield (
                f"the references are in {NAMES[language]}, which TER does not split into words: "
                f"use {fix}"
            )
