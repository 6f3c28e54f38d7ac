"""Each option of each metric changes a score, on both backends, and also as -m spells it.

Texts are drawn by a fixed seed until one shows the option. The options come from the declarations;
what an option needs beside it is drawn from the values of the others.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.errors import BleuetError
from bleuet.metrics.catalogue import CATALOGUE, parse_metric
from tests.backends import HAS_KERNEL, counted_by_python
from tests.contract.settings import (
    NEEDED,
    SMALLER,
    TOGETHER,
    every_metric,
    values_of,
    with_made_edits,
    with_made_sources,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.metrics.base.option import Option

pytestmark = pytest.mark.long
# Words that differ in case, signs, digits, forms, scripts and white space alone.
WORDS = [
    "a", "the", "The", "THE", "cat", "cats", "Cat", "cat's", "sat", "mat.", ",", "!", "0", "1",
    "12", "3,5", "né", "Né", "İstanbul", "istanbul", "ısı", "ISI", "running", "runs", "quickly",
    "&amp;", "dog's.", "don't", "e-mail", "$5", "中国", "中文。", "カタ", "<n>", "(a)", "it", "of",
    "house", "houses",
]  # fmt: skip
# No word matches, texts are shorter than n-grams, an answer is empty without articles.
FIRST: list[tuple[list[Any], list[Any]]] = [
    (["xx yy zz ww vv"], [["qq rr ss tt uu"]]),
    (["cat sat", "it ran"], [["cat sat"], ["it ran", "it sat"]]),
    (["the"], [["a", "cat"]]),
    (["the dog's."], [["the dog's."]]),
    (["0 cat 0 cat it", "cat 0 it"], [["0 cat it cat 0"], ["0 it"]]),
]
TRIES = 60
# Options that change no score of such texts, and where another test shows what they change.
ELSEWHERE = {
    "round_trip": "only the signature shows it: tests/metrics/test_signatures.py",
    "resources": "a folder of files: tests/oracles/test_meteor.py",
    "replacements": "a file: tests/text/test_replacements.py",
    ("meteor", "function_words"): "a file of METEOR: tests/oracles/meteor_table.py",
    ("ter", "tokenize"): "token ids: tests/metrics/test_token_ids.py",
    ("errant", "annotator"): "edits of several annotators: tests/oracles/test_gec.py",
    ("errant", "ignored"): "types of edits: tests/oracles/test_gec.py",
}

# Options of several references, which change nothing where there is one.
OF_SEVERAL = {
    "bleu": ["reference_length"],
    "mean-bleu": ["reference_length"],
    "crystal-bleu": ["reference_length"],
    "rouge": ["several"],
    "exact-match": ["rules"],
    "gec-gleu": ["sampling", "draws"],
}


def corpora(several: bool) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield small corpora with one or several references, which some hypotheses are near."""
    for hypotheses, references in drawn_corpora():
        yield hypotheses, references if several else [entry[:1] for entry in references]


def drawn_corpora() -> Iterator[tuple[list[Any], list[list[Any]]]]:
    """Yield corpora with several references."""
    yield from FIRST
    random = Random(11)
    for _ in range(TRIES):
        hypotheses, references = [], []
        for _ in range(random.randint(1, 4)):
            words = random.choices(WORDS, k=random.randint(1, 12))
            near = [word if random.random() < 0.7 else random.choice(WORDS) for word in words]
            other = random.sample(words, len(words))[: random.randint(1, 12)]
            hypotheses.append("  ".join(words) if random.random() < 0.2 else " ".join(words))
            references.append([" ".join(near), " ".join(other)])
        yield hypotheses, references


def score_of(metric: Any, texts: tuple[list[Any], list[Any]]) -> float:
    """Return the score of a corpus, with the sources or edits that a metric reads."""
    hypotheses = with_made_edits(metric, texts[0])
    return float(metric.corpus_score(hypotheses, with_made_sources(metric, texts[1])).score)


def leaders(name: str, option: Option) -> list[dict[str, Any]]:
    """Return what may stand beside an option: nothing, what matters together, another value."""
    kind = CATALOGUE[name].load()
    found: list[dict[str, Any]] = [{}]
    found += [
        {key: value for key, value in one.items() if key != option.name}
        for one in TOGETHER.get(name, [])
    ]
    found += [
        {one.name: value}
        for one in kind.options
        if one.name != option.name
        for value in values_of(one)
    ]
    needed = {**NEEDED, "crystal-bleu": {"ignored": 1}}.get(name, {})
    return [{**needed, **SMALLER.get(name, {}), **one} for one in found]


def spelled(name: str, options: dict[str, Any]) -> str:
    """Return a metric as -m takes it."""
    kind = CATALOGUE[name].load()
    pieces = [f"{key}={kind.option_named(key).spell(value)}" for key, value in options.items()]
    return f"{name}:{','.join(pieces)}" if pieces else name


def is_shown(name: str, option: Option, several: bool) -> bool:
    """Whether an option changes a score; then both backends and -m agree."""
    kind = CATALOGUE[name].load()
    for leader in leaders(name, option):
        for value in values_of(option):
            options = {**leader, option.name: value}
            try:
                usual, other = kind(**leader), kind(**options)
            except BleuetError:
                continue
            if "token ids" in (usual.counted_kind, other.counted_kind):
                continue
            for texts in corpora(several):
                try:
                    scores = [score_of(metric, texts) for metric in (usual, other)]
                except BleuetError:
                    continue
                if scores[0] != scores[1]:
                    assert score_of(parse_metric(spelled(name, options)), texts) == scores[1]
                    if HAS_KERNEL:
                        with counted_by_python():
                            again = [score_of(kind(**one), texts) for one in (leader, options)]
                        assert again == scores
                    return True
    return False


@every_metric
@pytest.mark.parametrize("several", [False, True], ids=["one reference", "several references"])
def test_each_option_changes_a_score(name: str, several: bool) -> None:
    kind = CATALOGUE[name].load()
    silent = [
        one.name
        for one in kind.options
        if not {one.name, (name, one.name)} & ELSEWHERE.keys() and not is_shown(name, one, several)
    ]
    assert silent == ([] if several else OF_SEVERAL.get(name, []))
