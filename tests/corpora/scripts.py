"""Clean test sets in many scripts, made from a seed: sources, references and noisy hypotheses."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import NamedTuple

LATIN = "bcdfghjklmnprstvz", "aeiou"
# (consonants, vowels), joined to syllables; and between words, behind a clause, behind a sentence.
SCRIPTS: dict[str, tuple[tuple[str, str], str, str, str]] = {
    "latin": (LATIN, " ", ", ", "."),
    "accented": (("bcdfgjklmnprstvzßčş", "aeiouäöüéèêñ"), " ", ", ", "."),
    "french": (LATIN, " ", " : ", " ?"),
    "cyrillic": (("бвгджзклмнпрст", "аеиоуыя"), " ", ", ", "."),
    "greek": (("βγδζθκλμνπρστ", "αεηιου"), " ", ", ", "."),
    "arabic": (("بتجدرزسشفقكلمن", "اوي"), " ", "، ", "."),
    "persian": (("بپتجچدرزسشفکگلمن", "اوی\u200c"), " ", "، ", "."),
    "hebrew": (("בגדהזחטכלמנ", "אוי"), " ", ", ", "."),
    "devanagari": (("कखगचजटडतदनपबमयर", "\u093e\u093f\u0940\u0941\u0947\u094b"), " ", ", ", "।"),
    "han": (("的一是不了人我在有他", "这中大来上国个到说们"), "", "，", "。"),
    "kana": (("かきくけこさしすせそ", "たちつてとなにぬねの"), "", "、", "。"),
    "hangul": (("가나다라마바사아자차", "고노도로모보소오조초"), " ", ", ", "."),
}


class Clean(NamedTuple):
    source: list[str]
    references: list[str]
    hypotheses: list[str]


def make(seed: int, script: str = "latin", size: int = 200, noise: float = 0.25) -> Clean:
    """A test set whose hypotheses differ from their references in some words."""
    rng = random.Random(seed)
    letters, space, comma, stop = SCRIPTS[script]
    words = _vocabulary(rng, letters)
    # A source of its own letters, so that nothing of it looks like a copy.
    foreign = _vocabulary(rng, (LATIN[0].replace("b", "w").replace("z", "x"), LATIN[1]))
    picks = [[_draw(rng) for _ in range(rng.randint(4, 24))] for _ in range(size)]
    sources = [_sentence(rng, [foreign[i] for i in pick], " ", ", ", ".") for pick in picks]
    references = [_sentence(rng, [words[i] for i in pick], space, comma, stop) for pick in picks]
    hypotheses = [
        _sentence(rng, [words[i] for i in _noisy(rng, pick, noise)], space, comma, stop)
        for pick in picks
    ]
    return Clean(sources, references, hypotheses)


def _vocabulary(rng: random.Random, letters: tuple[str, str]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < 1200:
        syllables = (
            rng.choice((1, 2, 2, 3, 3, 4)) if len(letters[0]) > 10 else rng.choice((1, 2, 3))
        )
        word = "".join(rng.choice(letters[0]) + rng.choice(letters[1]) for _ in range(syllables))
        found[word.rstrip("\u200c")] = None
    return list(found)


def _draw(rng: random.Random) -> int:
    """A word's number, small ones more often, as in language."""
    return min(int(10 * rng.paretovariate(0.7)) - 10, 1199)


def _noisy(rng: random.Random, pick: list[int], noise: float) -> list[int]:
    changed = []
    for number in pick:
        roll = rng.random()
        if roll < noise / 3:
            continue
        changed.append(_draw(rng) if roll < noise else number)
    return changed or pick


def _sentence(rng: random.Random, words: list[str], space: str, comma: str, stop: str) -> str:
    text = words[0].capitalize()
    for before, word in pairwise(words):
        if before != word:
            text += (comma if rng.random() < 0.08 else space) + word
    return text + stop
