"""Texts of the tests of neural metrics: made-up triples of source, hypothesis and reference.

Some are written by hand and some are drawn from a few words, always the same ones. Special texts
stand apart, since not every package takes them.
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

SEED = 20
# How many references texts have in turn, where they have several.
COUNTS = (1, 2, 3)
DRAWN = 20
# How many words of a text that is longer than what the small models take.
LONG = 150

WORDS = {
    "source": (
        *("der", "die", "Hund", "Katze", "schläft", "heute", "nicht", "im", "Garten", "und"),
        *("singt", "leise", "ein", "Lied", "7", "42"),
    ),
    "target": (
        *("the", "a", "dog", "cat", "sleeps", "today", "not", "in", "garden", "and"),
        *("sings", "quietly", "one", "song", "7", "42"),
    ),
}


class Triple(NamedTuple):
    """A source with a hypothesis and a reference."""

    source: str
    hypothesis: str
    reference: str


WRITTEN = [
    Triple("Der Hund schläft.", "The dog sleeps.", "The dog is sleeping."),
    Triple("Die Katze singt ein Lied.", "The cat sings a song.", "The cat sings a song."),
    Triple("Heute ist Montag, oder?", "Today is Monday, right?", "It is Monday today, isn't it?"),
    Triple("Der Preis beträgt 42,50 €.", "The price is 42.50 €.", "It costs €42.50."),
    Triple(
        "Am 7. Mai 2021 um 19:30 Uhr", "On 7 May 2021 at 7:30", "On May 7th, 2021, at 7:30 p.m."
    ),
    Triple("Кошка спит в саду.", "The cat sleeps in the garden.", "A cat is asleep in the garden."),
    Triple("猫は庭で眠っている。", "The cat is sleeping in garden.", "A cat sleeps in the garden."),
    Triple("The dog is not here.", "Собака не здесь.", "Собаки здесь нет."),
    Triple("The cat sings quietly.", "猫安静地唱歌。", "猫在轻轻地唱歌。"),
    Triple("القطة نائمة", "The cat is asleep", "The cat sleeps"),
    Triple(
        "L'été, ça va très bien !", "In summer it goes very well!", "Summer is going very well!"
    ),
    Triple("Guten Morgen 😀🎉", "Good morning 😀", "Good morning 😀🎉"),
    Triple("Ja.", "No.", "Yes."),
    Triple("GROSS und klein", "UPPER and lower Case", "upper AND LOWER case"),
    Triple("Zwei  Leerzeichen\tund Tab", "Two  spaces\tand a tab", "two spaces and a tab"),
    Triple("Straße", "Strasse", "street"),
    # The same again, so that what is kept for a text is used.
    Triple("Der Hund schläft.", "The dog sleeps.", "The dog is sleeping."),
    # A copy of the reference, one of the source, and another hypothesis for a known source.
    Triple("Die Katze singt ein Lied.", "A song is sung.", "A song is sung."),
    Triple("Der Hund singt.", "Der Hund singt.", "The dog sings."),
    Triple("Der Hund schläft.", "A cat does not sleep, in the garden.", "The dog is sleeping."),
]
# A token of a model can stand in a text; spaces around a text; nothing but a space.
SPECIAL = [
    Triple("Der Hund schläft.", "", "The dog is sleeping."),
    Triple("", "The dog sleeps.", "The dog is sleeping."),
    Triple("Der Hund schläft.", "The dog sleeps.", ""),
    Triple("", "", ""),
    Triple("Der Hund schläft.", "   ", "The dog is sleeping."),
    Triple(" Der Hund ", "  The dog  ", " The dog "),
    Triple("Der Hund </s> schläft.", "The dog </s> sleeps.", "The dog </s> is sleeping."),
    Triple("Der <pad> Hund", "The <pad> dog", "A <pad> dog"),
    Triple("Der <mask> Hund <unk>", "The <mask> dog <unk>", "A <s> dog [SEP] [MASK]"),
    Triple("Cafe\u0301 ﬁn", "cafe\u0301 ﬁne", "café fine"),
    Triple("e\u200bins\u00a0zwei", "one\u00a0two\u200b", "one two"),
]


def drawn(count: int = DRAWN, seed: int = SEED) -> list[Triple]:
    """Triples of words by chance; the hypothesis has some of its reference's words."""
    numbers = random.Random(seed)
    found = []
    for _ in range(count):
        size = numbers.randrange(1, 14)
        source = [numbers.choice(WORDS["source"]) for _ in range(size)]
        reference = [numbers.choice(WORDS["target"]) for _ in range(size)]
        hypothesis = [
            numbers.choice(WORDS["target"]) if numbers.random() < 0.3 else word
            for word in reference
            if numbers.random() < 0.9
        ]
        hypothesis = hypothesis or ["a"]
        found.append(Triple(*(" ".join(words) for words in (source, hypothesis, reference))))
    return found


def long() -> list[Triple]:
    """Texts of which each is longer than what the small models take, one or all of a triple."""
    numbers = random.Random(SEED + 1)

    def words(side: str) -> str:
        return " ".join(numbers.choice(WORDS[side]) for _ in range(LONG))

    source, hypothesis, reference = words("source"), words("target"), words("target")
    short = WRITTEN[0]
    return [
        Triple(source, hypothesis, reference),
        Triple(short.source, hypothesis, short.reference),
        Triple(source, short.hypothesis, short.reference),
        Triple(short.source, short.hypothesis, reference),
        # All are taken alone, but not together.
        Triple(*(" ".join(text.split()[:40]) for text in (source, hypothesis, reference))),
    ]


def triples() -> list[Triple]:
    """Every triple that all packages take."""
    return [*WRITTEN, *drawn(), *long()]


def digest(found: list[Triple] | None = None) -> str:
    """A hash of the texts, which goldens have, so that a changed text is noticed."""
    lines = json.dumps(triples() + SPECIAL if found is None else found, ensure_ascii=False)
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


# What tokenizers treat in ways of their own: spaces, controls, marks, emoji, other writings.
CHARACTERS = (
    *("\t", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u1680", "\u2003"),
    *("\u2009", "\u200b", "\u200c", "\u200d", "\u2028", "\u2029", "\u202f", "\u205f", "\u2060"),
    *("\u3000", "\ufeff", "  ", "   \t ", "\x00", "\x01", "\x1f", "\x7f", "\x80", "\xad"),
    *(
        "\ufffd",
        "\ue000",
        "\u2581",
        "\u0120",
        "\u0301",
        "\u0323\u0307",
        "e\u0301",
        "\xe9",
        "\ufb01",
    ),
    *(
        "\u212b",
        "\u2460",
        "\xbd",
        "\u2122",
        "\uff21",
        "\u0130",
        "\u0131",
        "\xdf",
        "\u1e9e",
        "\u01c5",
    ),
    *(
        "\u03c2",
        "\u2019",
        "\u201c",
        "\u2026",
        "\u2014",
        "\u20ac",
        "``",
        "''",
        "...",
        "9,5",
        "1,000",
    ),
    *("\U0001f600", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    *(
        "\U0001f1eb\U0001f1f7",
        "\u2764\ufe0f",
        "#\ufe0f\u20e3",
        "\U00020000",
        "\uff76\uff9e",
        "\u30ab\u3099",
    ),
    *("\u732b", "\u1100\u1161", "\uac00", "\u0e17\u0e35\u0e48", "\u0915\u094d\u0937"),
    *("\u0644\u0651\u0627", "\u05e9\u05c1", "\u202b", "\U0001d400"),
)
# Tokens of models, as texts can have them.
TOKENS = (
    *("<s>", "</s>", "<pad>", "<unk>", "<mask>", "[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"),
    *("<cls>", "<sep>", "<eod>", "<extra_id_0>", "<extra_id_99>", "<mask_1>", "<mask_2>"),
    *("<unk_7>", "en_XX", "sv_SE", "<s>NOTUSED", "<|endoftext|>", "##ing"),
)


def odd() -> list[str]:
    """Texts on which tokenizers differ."""
    found = ["", " ", "a", " a", "a ", "dog" * 70, "x" * 120, "7" * 50, "!" * 40, "the " * 30]
    for special in (*CHARACTERS, *TOKENS):
        found += [special, f"dog{special}cat", f"The  {special} garden, ", f"{special}a{special} b"]
    found += [text for row in (*WRITTEN, *SPECIAL) for text in row]
    return list(dict.fromkeys(found))


def odd_digest() -> str:
    """A hash of the texts of `odd`."""
    return hashlib.sha256(json.dumps(odd()).encode()).hexdigest()[:16]


def tokens_digest(tokens: Iterable[int], places: Iterable[Iterable[int]] | None) -> str:
    """A short hash of the tokens of a text, and of their places if there are any."""
    content = [list(tokens), None if places is None else [list(one) for one in places]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:7]


def references() -> list[list[str]]:
    """Several references for each hypothesis, from the texts after it."""
    rows = triples()
    return [
        [rows[(place + step) % len(rows)].reference for step in range(COUNTS[place % 3])]
        for place in range(len(rows))
    ]
