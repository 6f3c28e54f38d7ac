"""Phrases of METEOR's paraphrases are compared by their words."""

from __future__ import annotations

from typing import Any

import pytest

from bleuet.metrics.meteor import definition
from bleuet.metrics.meteor.lexicon import MeteorLexicon
from tests.backends import kernel

# Words to which FNV-1a gives the same 64 bits.
ALIKE = ("rY4Q99SwXml", "H43ntn0-phi")
TABLE = f"0.5\n{ALIKE[0]}\ndog\n".encode()


def fnv(text: str) -> int:
    found = 0xCBF29CE484222325
    for byte in text.encode():
        found = (found ^ byte) * 0x100000001B3 % (1 << 64)
    return found


@pytest.mark.parametrize("program", ["kernel", "python"])
def test_words_with_the_same_hash_are_two_phrases(program: str) -> None:
    assert len({fnv(word) for word in ALIKE}) == 1
    native = program == "kernel"
    lexicon: Any = kernel().MeteorLexicon() if native else MeteorLexicon()
    lexicon.read_paraphrases(TABLE)
    assert lexicon.close_paraphrases() == 1
    counter = (kernel() if native else definition).MeteorCounter(
        lexicon=lexicon, matchers=["exact", "paraphrase"], weights=[1.0, 0.5], alpha=0.5, beta=0.5,
        gamma=0.5, delta=0.5, beam=10, staged=False, characters=False,
    )  # fmt: skip
    numbers = [list(lexicon.read(text, lambda word: (word, False, []))) for text in (*ALIKE, "dog")]
    assert len(counter.align(numbers[0], numbers[2])) == 1
    assert counter.align(numbers[1], numbers[2]) == []


def test_a_table_ends_once() -> None:
    lexicon = kernel().MeteorLexicon()
    lexicon.read_paraphrases(TABLE)
    lexicon.close_paraphrases()
    for again in (lexicon.close_paraphrases, lambda: lexicon.read_paraphrases(TABLE)):
        with pytest.raises(ValueError, match="has ended"):
            again()
