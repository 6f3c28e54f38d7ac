"""The tokenizer zh."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerZh(NamedTokenizer):
    """Every Chinese character is a token."""

    def __init__(self) -> None:
        super().__init__("zh")
