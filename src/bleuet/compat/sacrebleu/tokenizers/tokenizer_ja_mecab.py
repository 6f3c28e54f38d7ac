"""The tokenizer ja-mecab."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerJaMecab(NamedTokenizer):
    """Japanese words, by MeCab with IPADIC."""

    def __init__(self) -> None:
        super().__init__("ja-mecab")
