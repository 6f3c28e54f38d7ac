"""The tokenizer none."""

from __future__ import annotations

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class NoneTokenizer(NamedTokenizer):
    """Leaves a line as it is."""

    def __init__(self) -> None:
        super().__init__("none")
