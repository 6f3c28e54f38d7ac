"""sacreBLEU's tokenizer classes, computed by bleuet's tokenizers."""

from __future__ import annotations

from importlib import import_module

from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer", "make_tokenizer"]

CLASSES = {
    "none": "tokenizer_none:NoneTokenizer",
    "zh": "tokenizer_zh:TokenizerZh",
    "13a": "tokenizer_13a:Tokenizer13a",
    "intl": "tokenizer_intl:TokenizerV14International",
    "char": "tokenizer_char:TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab:TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab:TokenizerKoMecab",
    "spm": "tokenizer_spm:TokenizerSPM",
    "flores101": "tokenizer_spm:Flores101Tokenizer",
    "flores200": "tokenizer_spm:Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm:spBLEU1KTokenizer",
}


def make_tokenizer(name: str) -> BaseTokenizer:
    """Return the tokenizer with a name of `BLEU(tokenize=...)`.

    >>> make_tokenizer("13a")("Yes, 3.5%.")
    'Yes , 3.5 % .'
    """
    module, _, found = CLASSES[name].partition(":")
    tokenizer: BaseTokenizer = getattr(import_module(f"{__name__}.{module}"), found)()
    return tokenizer
