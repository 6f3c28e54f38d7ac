"""The settings that the laws are tested with: each option of each metric at least once.

A law of classes is tested with `every_metric`: one case for each metric. A law of counting goes
through the settings that count differently (`counted`), and a law of scores through all of them
(`settings_of`), in one case for each metric, with the same texts for all settings.

Values to try come from the declarations of the options, so that a new metric needs no line here.
`TOGETHER` adds options that matter together. `make quick` takes only these and the defaults.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import note
from hypothesis import strategies as st

from bleuet.errors import OptionError
from bleuet.metrics.catalogue import CATALOGUE, make_metric
from bleuet.metrics.errant import ERRANT
from bleuet.text.segments import EditedText, WithSource
from bleuet.text.tokenizers import TOKENIZERS
from tests import effort
from tests.corpora.any_text import corpora, token_corpora

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.option import Option

TOGETHER: dict[str, list[dict[str, Any]]] = {
    "bleu": [
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
        {"weights": (0.5, 0.0, 0.5, 0.0), "effective_order": True},
        {"weights": (0.25, 0.75), "max_ngram_order": 2, "reference_length": "average"},
        {"tokenize": "intl", "lowercase": True},
        {"tokenize": "mteval-v13a", "lowercase": True, "smooth": "mteval"},
        {"tokenize": "char", "reference_length": "shortest"},
        {"smooth": "nmt", "reference_length": "shortest"},
        {"tokenize": "ids", "max_ngram_order": 3},
    ],
    "mean-bleu": [
        {"max_ngram_order": 2, "smooth": "floor", "smooth_value": 0.001},
        {"weights": (0.5, 0.0, 0.5, 0.0), "weighting": "plain"},
        {"tokenize": "intl", "lowercase": True, "reference_length": "average"},
        {"tokenize": "ids", "max_ngram_order": 3},
    ],
    "crystal-bleu": [
        {"ignored": 3, "max_ngram_order": 2},
        {"ignored": 1, "tokenize": "ids"},
        {"ignored": 5, "smooth": "floor", "tokenize": "intl", "lowercase": True},
    ],
    "nist": [
        {"tokenize": "ids", "max_ngram_order": 3},
        {"several": "nltk", "max_ngram_order": 2, "tokenize": "intl"},
    ],
    "cider": [{"variant": "d", "sigma": 2.0, "max_ngram_order": 2}, {"tokenize": "ids"}],
    "chrf": [
        {"char_order": 0, "word_order": 2},
        {"char_order": 10, "word_order": 3},
        {"word_order": 2, "lowercase": True, "eps_smoothing": True},
        {"word_order": 1, "whitespace": True},
        {"beta": 0.5, "eps_smoothing": True},
        {"beta": 3, "char_order": 2},
    ],
    "mean-chrf": [
        {"char_order": 0, "word_order": 2},
        {"word_order": 1, "whitespace": True, "beta": 0.5},
    ],
    "wer": [
        {"lowercase": True, "casing": "turkish"},
        {"tokenize": "char", "whitespace": "single", "no_punct": True, "lowercase": True},
        {"tokenize": "char", "whitespace": "none"},
        {"tokenize": "char", "moves": "blocks"},
        {"tokenize": "ids", "moves": "free", "rate": "wil"},
    ],
    "eed": [
        {"rho": 0.0, "preparation": "none"},
        {"rho": 0.7, "count_start": False},
        {"alpha": 0.3, "deletion": 1.1, "insertion": 0.4, "preparation": "ja"},
    ],
    "charcut": [
        {"match_size": 1, "normalize": "hypothesis"},
        {"match_size": 7},
    ],
    "gleu": [
        {"min_ngram_order": 2, "max_ngram_order": 3},
        {"tokenize": "ids", "max_ngram_order": 2},
        {"tokenize": "intl", "lowercase": True, "max_ngram_order": 70},
    ],
    "meteor": [
        {"matchers": "exact", "weights": (0.5,)},
        {"language": "fr", "task": "tune", "beam": 2},
        {"normalize": "none", "delta": 0.5, "gamma": 1},
        {"characters": True, "no_punct": True, "task": "util"},
        {"characters": True, "normalize": "lower", "matchers": "stem"},
        {"version": "2005", "beam": 1, "alpha": 0.5},
        {"version": "2007", "language": "fr", "matchers": "stem"},
    ],
    "ribes": [
        {"alpha": 0.0, "beta": 1.5},
        {"tokenize": "ids", "left_first": False},
        {"tokenize": "intl", "lowercase": True},
    ],
    "rouge": [
        {"variant": "Lsum", "sentences": "<n>"},
        {"variant": "Lsum", "stemming": True},
        {"variant": "Lsum", "tokenize": "unicode"},
        {"variant": "2", "tokenize": "unicode", "measure": "recall"},
        {"variant": "3", "stemming": True},
        {"variant": "W", "weight": 2},
        {"variant": "W", "rules": "paper", "several": "average"},
        {"variant": "W", "several": "jackknife", "tokenize": "none"},
        {"variant": "S", "skip_distance": 0, "several": "average"},
        {"variant": "S", "skip_distance": 100},
        {"variant": "SU", "rules": "paper", "several": "jackknife"},
    ],
    "gec-gleu": [
        {"draws": 2, "sampling": "turns", "smooth": "one", "max_ngram_order": 2},
        {"sampling": "mean", "smooth": "one"},
    ],
    "errant": [
        {"annotator": "sentence", "beta": 1.0, "match": "span"},
        {"match": "token", "edits": "single", "ignored": "M:DET/U:DET"},
    ],
    "ter": [
        {"normalized": True, "no_punct": True},
        {"normalized": True, "asian_support": True, "case_sensitive": True},
        {"no_punct": True, "asian_support": True},
        {"normalized": True, "no_punct": True, "asian_support": True},
        {"normalized": True, "tokenize_references_once": True},
    ],
}
# What makes the tables of a metric small, where one of its options is tried.
SMALLER: dict[str, dict[str, Any]] = {"gec-gleu": {"draws": 3}}
# What a metric needs to count at all.
NEEDED: dict[str, dict[str, Any]] = {"codebleu": {"language": "python"}}
# These smoothings have no formula for a corpus; tests/oracles/test_nltk.py has them.
SENTENCES_ONLY = {"nltk-5", "nltk-6", "nltk-7"}
# Tokenizers of other libraries are compared with those libraries instead.
OTHER_LIBRARIES = {name for name, tokenizer in TOKENIZERS.items() if not tokenizer.in_kernel}


class Setting(NamedTuple):
    """A metric of the catalogue and the options to make it with."""

    name: str
    options: dict[str, Any]

    def metric(self) -> Metric:
        """A new metric, which gets its counter from the current backend."""
        return CATALOGUE[self.name].load()(**{**NEEDED.get(self.name, {}), **self.options})

    @property
    def learns(self) -> bool:
        return CATALOGUE[self.name].load().learns

    def sourced(self, references: list[Any]) -> list[Any]:
        """Return references with a source of each segment, if the metric reads sources."""
        return with_made_sources(self.metric(), references)

    def edited(self, hypotheses: list[Any]) -> list[Any]:
        """Return hypotheses with edits, if the metric reads edits."""
        return with_made_edits(self.metric(), hypotheses)

    @property
    def token_ids(self) -> bool:
        return self.options.get("tokenize") == "ids"

    def __str__(self) -> str:
        return "-".join([self.name, *(f"{key}={value}" for key, value in self.options.items())])


def counting(name: str) -> Metric:
    """Return a metric by its name, with what it needs to count and otherwise the defaults."""
    return make_metric(name, **NEEDED.get(name, {}))


def counting_word(name: str) -> str:
    """Return a metric as `-m` takes it, with what it needs to count."""
    needed = ",".join(f"{option}={value}" for option, value in NEEDED.get(name, {}).items())
    return f"{name}:{needed}" if needed else name


def with_made_sources(metric: Metric, references: list[Any]) -> list[Any]:
    """Return references with sources that share words with them, if the metric reads sources."""
    if not metric.reads_sources:
        return references
    made: list[Any] = []
    for entry in references:
        several = [entry] if isinstance(entry, str) else entry
        words = next(one for one in several if one is not None).split()
        source = " ".join(["b", *words[:2], "a", *words[3:]])
        if isinstance(metric, ERRANT):
            source = ERRANT_SOURCE
        made.append(WithSource(source, several, len(made), {0: made_edits(words)}))
    return made


# Any hypothesis may meet any reference in a matrix, and edits of one source are compared.
ERRANT_SOURCE = "a b c d e"


def with_made_edits(metric: Metric, hypotheses: list[Any]) -> list[Any]:
    """Return hypotheses with an edit for some of their words, if the metric reads edits."""
    if not isinstance(metric, ERRANT):
        return hypotheses
    return [EditedText(text, ERRANT_SOURCE, {0: made_edits(text.split())}) for text in hypotheses]


def made_edits(words: list[str]) -> list[tuple[int, int, str, str]]:
    """Return edits that texts with the same words share, as one annotator makes them."""
    some = [(i, i + 1, "R:OTHER", word) for i, word in enumerate(words[:4]) if word < "m"]
    return some or [(-1, -1, "noop", "-NONE-")]


def values_of(option: Option) -> list[Any]:
    """Values to try: all of few, some of many; the metric may still reject one."""
    if isinstance(option.default, bool):
        return [not option.default]
    if option.choices:
        without = OTHER_LIBRARIES | SENTENCES_ONLY | {option.default}
        without |= {value for needed in NEEDED.values() for value in needed.values()}
        some = [choice for choice in option.choices if choice not in without]
        # METEOR's languages differ in their lists of words, and ROUGE's variants in a number.
        return some if option.scoring or len(some) < 10 else some[::3]
    if option.many:
        return [(0.5, 0.5), (0.5, 0.3, 0.2), (0.4, 0.3, 0.2, 0.1)]
    numbers = [1, 2] if option.annotation == "int" else [0.5, 1]
    # Not the limits, where a metric may be a poor one: chrF with a beta of 0 ignores recall.
    return [number for number in numbers if number != option.default]


def accepted(kind: type[Metric], options: dict[str, Any]) -> bool:
    """Whether the options make another metric than the default one."""
    try:
        return kind(**options) != kind()
    except OptionError:
        return False


def settings_with(kind: type[Metric], option: Option) -> list[dict[str, Any]]:
    """Options that try the values of one; where none can be alone, with the one it follows."""
    alone = [{option.name: value} for value in values_of(option)]
    found = [options for options in alone if accepted(kind, options)]
    if found or not option.follows:
        return found
    leader = kind.option_named(option.follows)
    pairs = ({leader.name: first, **second} for first in values_of(leader) for second in alone)
    return [options for options in pairs if accepted(kind, options)][:2]


def tried_by_an_earlier_metric(name: str, option: Option) -> bool:
    """Whether a metric further up in the catalogue has the same option, with the same values."""
    for earlier in list(CATALOGUE)[: list(CATALOGUE).index(name)]:
        kind = CATALOGUE[earlier].load()
        if option.name in kind._fields:
            other = kind.option_named(option.name)
            if option.choices and set(option.choices) <= {*other.choices, other.default}:
                return True
    return False


@cache
def settings_of(name: str) -> tuple[Setting, ...]:
    """Return the settings of a metric that score differently."""
    kind = CATALOGUE[name].load()
    found = [Setting(name, {})]
    for option in () if effort.is_quick() else kind.options:
        tried = settings_with(kind, option)
        if tried_by_an_earlier_metric(name, option):
            tried = tried[:1]
        found += [Setting(name, {**SMALLER.get(name, {}), **options}) for options in tried]
    return (*found, *(Setting(name, options) for options in TOGETHER.get(name, [])))


@cache
def counted(name: str) -> tuple[Setting, ...]:
    """Return the settings of a metric that count differently, for laws about tables."""
    kind = CATALOGUE[name].load()
    scoring = {option.name for option in kind.options if option.scoring}
    found: list[Setting] = []
    seen: list[dict[str, Any]] = []
    for setting in settings_of(name):
        counting = {key: value for key, value in setting.options.items() if key not in scoring}
        if counting not in seen:
            seen.append(counting)
            found.append(setting)
    return tuple(found)


def all_settings() -> list[Setting]:
    """Return the settings of all metrics."""
    return [setting for name in CATALOGUE for setting in settings_of(name)]


# The formulas that Chen and Cherry print have no best score; tests/metrics/test_literal_formulas.py
# shows what they give. What a metric gives that learns depends on all references.
def is_bounded(one: Setting) -> bool:
    """Whether a perfect match has the best score."""
    return (
        not one.options.get("smooth", "").endswith("-literal")
        and not one.learns
        # A perfect match has a ROUGE-W below 1 in ROUGE-1.5.5, and other references count as well.
        and not (one.options.get("variant") == "W" and "rules" not in one.options)
        and one.options.get("several", "best") == "best"
        # The best of SARI and of GLEU of corrections depends on the source, and on all references.
        and one.name not in {"sari", "gec-gleu"}
        # Edits are compared, and not the texts that they make.
        and one.name != "errant"
        # The trees of all references count, and a text of three words has no 4-grams.
        and one.name != "codebleu"
        # Equal words match only exactly, and with weights below 1 nothing is perfect; the first
        # METEORs count a chunk in a perfect match.
        and not (one.name == "meteor" and one.options.keys() & {"version", "matchers", "weights"})
    )


def with_texts(
    settings: Iterable[Setting],
    data: st.DataObject,
    texts: st.SearchStrategy[tuple[list[Any], list[Any]]] = corpora,
) -> Iterator[tuple[Setting, list[Any], list[Any]]]:
    """Yield settings with a corpus: one corpus for all, of texts or of token ids."""
    drawn: dict[bool, tuple[list[Any], list[Any]]] = {}
    for setting in settings:
        ids = setting.token_ids
        if ids not in drawn:
            drawn[ids] = data.draw(token_corpora if ids else texts)
        note(f"setting: {setting}")
        hypotheses, references = drawn[ids]
        yield setting, setting.edited(hypotheses), setting.sourced(references)


def some_of(settings: tuple[Setting, ...], data: st.DataObject, count: int) -> list[Setting]:
    """Draw so many settings that follow each other, for laws that take long."""
    first = data.draw(st.integers(0, len(settings) - 1))
    return [settings[(first + i) % len(settings)] for i in range(min(count, len(settings)))]


every_metric: Callable[..., Any] = pytest.mark.parametrize("name", CATALOGUE)
DEFAULTS = [Setting(name, {}) for name in CATALOGUE]
