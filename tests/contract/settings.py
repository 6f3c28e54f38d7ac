"""The settings every law is held against: each option of each metric at least once.

Flags and short lists of choices come from the metric's own `options`; the table below adds what
those do not tell: numbers, and options that only matter together. A new metric whose options are
flags and choices needs no line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bleuet.metrics.catalogue import CATALOGUE
from bleuet.text.tokenizers import TOKENIZERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.option import Option

MORE: dict[str, list[dict[str, Any]]] = {
    "bleu": [
        {"max_ngram_order": 1},
        {"max_ngram_order": 2, "effective_order": True},
        {"max_ngram_order": 6, "smooth": "floor"},
        {"smooth": "floor", "smooth_value": 0.001},
        {"smooth": "add-k", "smooth_value": 2, "effective_order": True},
        {"smooth": "chen-cherry-1", "smooth_unmatched": False, "effective_order": False},
        {"smooth": "chen-cherry-4", "smooth_value": 0.5, "max_ngram_order": 6},
        {"smooth": "chen-cherry-7", "weights": (0.5, 0.0, 0.5, 0.0)},
        {"smooth": "chen-cherry-5", "reference_length": "average", "max_ngram_order": 2},
        {"smooth": "floor", "smooth_unmatched": True},
        {"weights": (0.5, 0.5, 0.0, 0.0)},
        {"weights": (0.4, 0.3, 0.2, 0.1)},
        {"weights": (0.5, 0.0, 0.5, 0.0), "effective_order": True},
        {"weights": (0.25, 0.75), "max_ngram_order": 2, "reference_length": "average"},
        {"tokenize": "intl", "lowercase": True},
        {"tokenize": "char", "reference_length": "shortest"},
        {"tokenize": "ids", "max_ngram_order": 3},
    ],
    "mean-bleu": [
        {"max_ngram_order": 2, "smooth": "floor", "smooth_value": 0.001},
        {"weights": (0.5, 0.0, 0.5, 0.0), "weighting": "plain"},
        {"tokenize": "intl", "lowercase": True, "reference_length": "average"},
        {"tokenize": "ids", "max_ngram_order": 3},
    ],
    "chrf": [
        {"char_order": 1},
        {"char_order": 0, "word_order": 2},
        {"char_order": 10, "word_order": 3},
        {"word_order": 2},
        {"word_order": 2, "lowercase": True, "eps_smoothing": True},
        {"word_order": 1, "whitespace": True},
        {"beta": 1},
        {"beta": 0.5, "eps_smoothing": True},
        {"beta": 3, "char_order": 2},
    ],
    "ter": [
        {"normalized": True, "no_punct": True},
        {"normalized": True, "asian_support": True, "case_sensitive": True},
        {"no_punct": True, "asian_support": True},
        {"normalized": True, "no_punct": True, "asian_support": True},
        {"normalized": True, "tokenize_references_once": True},
    ],
}
# Tokenizers of other libraries are held against those libraries instead.
# These have no formula for a corpus; tests/metrics/test_nltk_smoothing.py has them.
SENTENCES_ONLY = {"nltk-5", "nltk-6", "nltk-7"}
OTHER_LIBRARIES = {name for name, tokenizer in TOKENIZERS.items() if not tokenizer.in_kernel}


class Setting(NamedTuple):
    """A metric of the catalogue and the options to make it with."""

    name: str
    options: dict[str, Any]

    def metric(self) -> Metric:
        """A new metric, which asks the program in charge for its counter."""
        return CATALOGUE[self.name].load()(**self.options)

    @property
    def token_ids(self) -> bool:
        return self.options.get("tokenize") == "ids"

    def __str__(self) -> str:
        return "-".join([self.name, *(f"{key}={value}" for key, value in self.options.items())])


def _values_of(option: Option) -> list[object]:
    if isinstance(option.default, bool):
        return [not option.default]
    return [
        choice
        for choice in option.choices
        if choice != option.default and choice not in OTHER_LIBRARIES | SENTENCES_ONLY
    ]


def _settings_of(name: str) -> Iterator[Setting]:
    yield Setting(name, {})
    for option in CATALOGUE[name].load().options:
        for value in _values_of(option):
            yield Setting(name, {option.name: value})
    for options in MORE.get(name, []):
        yield Setting(name, options)


SETTINGS = [setting for name in CATALOGUE for setting in _settings_of(name)]
TEXT_SETTINGS = [setting for setting in SETTINGS if not setting.token_ids]
DEFAULTS = [Setting(name, {}) for name in CATALOGUE]
