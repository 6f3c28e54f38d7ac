"""CharacTER's figures by the package cer, on made texts.

    python -m tests.oracles.character_goldens

writes `goldens/character.json` again. It needs cer 1.2.0. Its code is under the GPL: only run it.
"""

from __future__ import annotations

import json
import random
from importlib import import_module
from typing import Any

from tests.evaluation_data import REPOSITORY
from tests.oracles import fuzz

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "character.json"
SEED, PAIRS, LONG_PAIRS = 59, 500, 80
# After the first shift of these, a quotient rounds up, and a shift that gains nothing follows.
ROUNDED = [
    "abeed eddbc",
    "acbdd ddaaa",
    "accbb cbaaa",
    "acdeb ebaaa",
    "adbcb bccdd",
    "aebcc cceee",
    "bacbd ebdaa",
    "aabbcb cbaaba",
]
LENGTHS = {"a": 3, "b": 10, "c": 31, "d": 100, "e": 57}


def theirs(hypotheses: list[str], references: list[str]) -> list[float]:
    """Return the rates by cer."""
    cer: Any = import_module("cer").calculate_cer
    pairs = zip(hypotheses, references, strict=True)
    return [float(cer(one.split(), other.split())) for one, other in pairs]


def texts(seed: int = SEED, pairs: int = PAIRS) -> tuple[list[str], list[str]]:
    """Return hypotheses and references that have words: moved blocks, likewise words, any text."""
    rng = random.Random(seed)
    made = [_moved(rng) for _ in range(pairs)]
    made += [(f"{'.' * 3000} {_spelled(a)}", f"{'.' * 3000} {_spelled(b)}") for a, b in _rounded()]
    drawn, references = fuzz.segments(seed, pairs)
    several = fuzz.all_references(references)
    made += [(one, some[0]) for one, some in zip(drawn, several, strict=True)]
    kept = [(one, other) for one, other in made if one.split() and other.split()]
    return [one for one, _ in kept], [other for _, other in kept]


def long_texts(seed: int = SEED, pairs: int = LONG_PAIRS) -> tuple[list[str], list[str]]:
    """Return hypotheses and references of more than 64 words: blocks moved, words replaced."""
    rng = random.Random(f"long {seed}")
    made = [_long(rng) for _ in range(pairs)]
    return [" ".join(one) for one, _ in made], [" ".join(other) for _, other in made]


def _long(rng: random.Random) -> tuple[list[str], list[str]]:
    size = rng.choice([2, 4, 12, 40, 150, 1000])
    known = ["".join(rng.choices("abcdeé日", k=rng.choice([1, 2, 4, 9]))) for _ in range(size)]
    reference = rng.choices(known, k=rng.choice([65, 70, 100, 128, 129, 180]))
    words = list(reference)
    for _ in range(rng.choice([1, 3, 10, 25])):
        # Short blocks and long ones.
        i = rng.randint(0, len(words))
        j = min(i + rng.choice([2, 4, 8, 12, 60, 180]), len(words))
        middle = rng.randint(i, j)
        words[i:j] = words[middle:j] + words[i:middle]
    kept = rng.choice([1, 0.95, 0.7, 0.4, 0])
    words = [word if rng.random() < kept else rng.choice([*known, "x"]) for word in words]
    cut = rng.randint(0, len(words) - 1)
    words[cut : cut + rng.choice([0, 0, 5, 40])] = rng.choices(known, k=rng.choice([0, 0, 7, 60]))
    words = words or known[:1]
    return (reference, words) if rng.random() < 0.1 else (words, reference)


def _rounded() -> list[list[str]]:
    return [pair.split() for pair in ROUNDED]


def _spelled(letters: str) -> str:
    return " ".join(letter * LENGTHS[letter] for letter in letters)


def _moved(rng: random.Random) -> tuple[str, str]:
    letters, longest = rng.choice(["ab", "abcdefgh", "aé日𝄞"]), rng.choice([1, 4, 9])
    known = ["".join(rng.choices(letters, k=rng.randint(1, longest))) for _ in range(12)]
    known += [word + rng.choice(letters) for word in known[:3]]
    words = rng.choices(known, k=rng.choice([3, 8, 20, 70]))
    for _ in range(rng.randint(0, 2)):
        i, j = sorted(rng.choices(range(len(words) + 1), k=2))
        middle = rng.randint(i, j)
        words[i:j] = words[middle:j] + words[i:middle]
    others = [word if rng.random() < 0.85 else rng.choice(known) for word in words]
    cut = rng.randint(0, len(others) - 1)
    others = others[cut:] + others[: cut if rng.random() < 0.7 else 0]
    # Words that both begin with, so that few rates are 1.
    shared = rng.choices(known, k=rng.choice([0, 5]))
    return " ".join(shared + words), " ".join(shared + others)


def main() -> None:
    stored = {
        "made_with": "cer 1.2.0",
        "rates": theirs(*texts()),
        "long_rates": theirs(*long_texts()),
    }
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
