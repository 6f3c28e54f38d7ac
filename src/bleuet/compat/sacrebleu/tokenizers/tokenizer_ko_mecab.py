"""The tokenizer ko-mecab."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerKoMecab(NamedTokenizer):
    """Korean words, by MeCab-ko."""

    def __init__(self) -> None:
        super().__init__("ko-mecab")
