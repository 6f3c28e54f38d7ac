"""The tokenizer intl."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerV14International(NamedTokenizer):
    """mteval-v14, for all of Unicode."""

    def __init__(self) -> None:
        super().__init__("intl")
