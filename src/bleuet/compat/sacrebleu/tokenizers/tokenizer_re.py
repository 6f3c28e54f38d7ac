"""The rules that 13a and zh share."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from bleuet.text.tokenizers.mteval13a import separate_punctuation


class TokenizerRegexp(BaseTokenizer):
    """Puts spaces around punctuation."""

    def signature(self) -> str:
        return "re"

    def __call__(self, line: str) -> str:
        return separate_punctuation(line)
