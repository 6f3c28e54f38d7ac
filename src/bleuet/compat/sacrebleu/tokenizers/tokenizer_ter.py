"""Tercom's tokenizer."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from bleuet.text.tokenizers.tercom import tokenize


class TercomTokenizer(BaseTokenizer):
    """Lower-cases and, with the options, normalises and removes punctuation.

    Args:
        normalized: normalise and tokenize as tercom's -N does.
        no_punct: remove punctuation.
        asian_support: extend the two above to Chinese and Japanese.
        case_sensitive: keep case.
    """

    ASIAN_PUNCT = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"
    FULL_WIDTH_PUNCT = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    def __call__(self, sent: str) -> str:
        words = tokenize(
            sent if self._case_sensitive else sent.lower(),
            normalized=self._normalized,
            no_punct=self._no_punct,
            asian_support=self._asian_support,
        )
        return " ".join(words)

    def signature(self) -> str:
        return "tercom"
