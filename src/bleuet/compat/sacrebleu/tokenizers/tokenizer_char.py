"""The tokenizer char."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerChar(NamedTokenizer):
    """Every character is a token."""

    def __init__(self) -> None:
        super().__init__("char")
