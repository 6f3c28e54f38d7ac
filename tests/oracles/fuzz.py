"""Texts that no one would write, drawn from fixed seeds: the same ones in every run.

Only `make fuzz` draws new ones, and many more of them.
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from tests import effort

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    References: TypeAlias = str | list[str | None]

QUICK_PAIRS, USUAL_PAIRS, FUZZED_PAIRS = 400, 2_000, 100_000

SPACES = [
    "\t",
    "\n",
    "\x0b",
    "\x0c",
    "\r",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x1f",
    " ",
    "\x85",
    "\xa0",
    *"\u1680\u2000\u2001\u2005\u200a\u2028\u2029\u202f\u205f\u3000",
]
# Not white space, though they look like it or once were.
NEARLY_SPACES = ["\u200b", "\u180e", "\ufeff", "\u2060", "\0", "\x1b", "\x7f", "\x80"]
MARKUP = ["&quot;", "&amp;", "&lt;", "&gt;", "&apos;", "&amp;lt;", "&", "&am", "<skipped>", "<skip"]
MARKUP += ["-\n", "\n-", "\n", "a", "1", " ", "'s", "'s ", ";"]
SOUP = [*"0123456789.,-+'\"!?:;()[]{}<>/\\|@#$%^&*_=~`aZ "]
PUNCTUATED = ["a", "B", "1", "22", ".", ",", "-", "1.5", "1,000", "...", "'s", "it's", "(a)", "b."]
LETTERS = [*"aAbBéÉßẞİıſΣσςǅǆﬁΩωЖж", "e\u0301", "ŉ", "ΐ", "Å", "\u212b"]
ASIAN = [
    *"你好世界。、「」アイウ゛ーｱﾞ한글，．㈀㐀㼢㼣龥\u9fbc\uf900\ufe30\u2e80",
    "\U00020000",
    "\U0002f800",
]
SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff", "\ud83d", "\ude00"]


def _words(rng: random.Random, size: int, longest: int) -> str:
    vocabulary = [chr(ord("a") + i) for i in range(size)]
    return " ".join(rng.choices(vocabulary, k=rng.randint(0, longest)))


def _joined(rng: random.Random, items: list[str], longest: int, between: str = "") -> str:
    return between.join(rng.choices(items, k=rng.randint(0, longest)))


def _any_plane(rng: random.Random, longest: int) -> str:
    plane = rng.choice([0, 0, 0, 1, 2, 3, 14, 15, 16])
    low = plane << 16
    return "".join(
        chr(rng.randrange(low, low + 0x10000)) if rng.random() < 0.7 else rng.choice("a1. ")
        for _ in range(rng.randint(0, longest))
    )


def _all_sorts(rng: random.Random, longest: int) -> str:
    kinds = [SPACES, NEARLY_SPACES, MARKUP, SOUP, PUNCTUATED, LETTERS, ASIAN, SURROGATES, [" "]]
    return "".join(rng.choice(rng.choice(kinds)) for _ in range(rng.randint(0, longest)))


STYLES: list[Callable[[random.Random], str]] = [
    lambda rng: _words(rng, 2, 8),
    lambda rng: _words(rng, 4, 14),
    lambda rng: _words(rng, 20, 20),
    lambda rng: _words(rng, 12, 30),
    lambda rng: _joined(rng, PUNCTUATED, 10, " "),
    lambda rng: _joined(rng, SOUP, 20),
    lambda rng: _joined(rng, MARKUP, 8),
    lambda rng: _joined(rng, [*LETTERS, " "], 20),
    lambda rng: _joined(rng, [*ASIAN, " "], 20),
    lambda rng: _joined(rng, [*SPACES, *NEARLY_SPACES, "a", "b", "."], 12),
    lambda rng: _joined(rng, [*SURROGATES, "a", " ", "."], 10),
    lambda rng: _joined(rng, [chr(c) for c in range(32)] + ["a", "1"], 10),
    lambda rng: _any_plane(rng, 15),
    lambda rng: _all_sorts(rng, 20),
    lambda rng: "",
]


def changed(rng: random.Random, text: str) -> str:
    """The text with pieces taken out, doubled, moved or put in."""
    pieces = text.split(" ")
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(pieces))
        change = rng.randrange(5)
        if change == 0 and len(pieces) > 1:
            del pieces[at]
        elif change == 1:
            pieces.insert(at, rng.choice(pieces))
        elif change == 2:
            width = rng.randint(1, 4)
            moved = pieces[at : at + width]
            rest = pieces[:at] + pieces[at + width :]
            to = rng.randint(0, len(rest))
            pieces = rest[:to] + moved + rest[to:]
        elif change == 3:
            pieces[at] = rng.choice(["a", "b", "x.", "é", ""])
        else:
            pieces[at] = pieces[at].swapcase()
    return " ".join(pieces)


def segments(seed: int, count: int) -> tuple[list[str], list[References]]:
    """Hypotheses and, for each, a reference or a list of them with absent ones between."""
    rng = random.Random(seed)
    hypotheses: list[str] = []
    references: list[References] = []
    for _ in range(count):
        style = rng.choice(STYLES)
        hypothesis = style(rng)
        hypotheses.append(hypothesis)
        some = [_reference(rng, style, hypothesis) for _ in range(rng.choice([1, 1, 1, 2, 3, 5]))]
        if len(some) == 1 and rng.random() < 0.8:
            references.append(some[0])
        else:
            absent: list[str | None] = [*some, None] if rng.random() < 0.3 else [*some]
            rng.shuffle(absent)
            references.append(absent)
    return hypotheses, references


def _reference(rng: random.Random, style: Callable[[random.Random], str], hypothesis: str) -> str:
    drawn = rng.random()
    if drawn < 0.6:
        return changed(rng, hypothesis)
    if drawn < 0.9:
        return style(rng)
    return rng.choice(["", hypothesis, rng.choice(STYLES)(rng)])


def pairs(at_most: int = FUZZED_PAIRS) -> int:
    """How many pairs a metric is compared on in this run."""
    if effort.is_fuzzing():
        return min(at_most, FUZZED_PAIRS)
    return min(at_most, QUICK_PAIRS if effort.is_quick() else USUAL_PAIRS)


def all_references(references: Sequence[References]) -> list[list[str]]:
    """The references of each segment as a list, without absent ones."""
    listed = [[some] if isinstance(some, str) else some for some in references]
    return [[one for one in group if one is not None] for group in listed]


def chunks(seed: int, count: int, size: int = 2000) -> Iterator[tuple[list[str], list[References]]]:
    """So many segments in parts; other ones in each run that fuzzes."""
    for start in range(0, count, size):
        yield segments(_first_seed() + seed * 1_000_003 + start, min(size, count - start))


@cache
def _first_seed() -> int:
    return random.SystemRandom().getrandbits(60) if effort.is_fuzzing() else 0


def long_segments(
    seed: int, tokens: int, vocabulary: int, count: int
) -> tuple[list[str], list[str]]:
    """Long segments whose references have stretches of theirs in another order."""
    rng = random.Random(seed)
    hypotheses, references = [], []
    for _ in range(count):
        words = [f"w{rng.randrange(vocabulary)}" for _ in range(tokens)]
        other = list(words)
        for _ in range(max(1, tokens // 20)):
            at, to = rng.randrange(tokens), rng.randrange(tokens)
            moved = other[at : at + 5]
            del other[at : at + 5]
            other[to:to] = moved
        hypotheses.append(" ".join(words))
        references.append(" ".join(other))
    return hypotheses, references
