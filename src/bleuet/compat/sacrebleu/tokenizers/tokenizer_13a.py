"""The tokenizer 13a."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class Tokenizer13a(NamedTokenizer):
    """mteval-v13a, WMT's."""

    def __init__(self) -> None:
        super().__init__("13a")
