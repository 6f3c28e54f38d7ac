"""The corpora: systems of a WMT test set, or a corpus generated from a random seed."""

from __future__ import annotations

import gzip
import os
import random
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
VARIABLE = "BLEUET_EVALUATION_DATA"
WMT_FOLDER = "data/wmt13/de-en"
WMT_SYSTEMS = ("online-B", "uedin-syntax", "JHU")
SEED = 20_130_808
VOCABULARY = 30_000
GENERATED_PAIRS = 30_000


class Pairs(NamedTuple):
    """Hypotheses and the one reference of each."""

    name: str
    title: str
    hypotheses: list[str]
    references: list[str]

    def sample(self, count: int) -> Pairs:
        """Return at most `count` pairs, spread evenly over all of them."""
        total = len(self.hypotheses)
        if total <= count:
            return self
        chosen = [i * total // count for i in range(count)]
        return self._replace(
            hypotheses=[self.hypotheses[i] for i in chosen],
            references=[self.references[i] for i in chosen],
        )


def shifted(pairs: Pairs) -> list[str]:
    """Return the hypotheses with every hundredth replaced by the next: a slightly worse system."""
    texts = pairs.hypotheses
    return [texts[(i + 1) % len(texts)] if i % 100 == 0 else text for i, text in enumerate(texts)]


def evaluation_data() -> Path:
    """Return the folder of the evaluation data, which may be missing."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else REPOSITORY.parent / "shared"


def has_wmt() -> bool:
    """Return whether the WMT data exists."""
    return (evaluation_data() / WMT_FOLDER).is_dir()


def wmt() -> Pairs:
    """Return three systems of newstest2013 de-en, one after the other, 3 x 3,000 pairs.

    The systems share their references, so sacreBLEU's cache of tokenized lines helps within one
    run.
    """
    folder = evaluation_data() / WMT_FOLDER
    reference = _lines(folder / "ref.en.txt.gz")
    hypotheses: list[str] = []
    for system in WMT_SYSTEMS:
        hypotheses += _lines(folder / "systems" / f"{system}.en.txt.gz")
    title = f"WMT 2013 de-en, systems {', '.join(WMT_SYSTEMS)}"
    return Pairs("wmt", title, hypotheses, reference * len(WMT_SYSTEMS))


def _lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")


def generated(count: int = GENERATED_PAIRS, seed: int = SEED) -> Pairs:
    """Return generated pairs: words by Zipf's law, hypotheses as noisy copies of the references.

    Args:
        count: the number of pairs.
        seed: the random seed; equal seeds give equal corpora.

    >>> generated(3) == generated(3)
    True
    """
    chance = random.Random(seed)
    words = _vocabulary(chance)
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    references, hypotheses = [], []
    for _ in range(count):
        length = max(3, min(70, round(chance.gauss(22, 9))))
        reference = chance.choices(words, cum_weights=weights, k=length)
        references.append(_sentence(reference))
        hypotheses.append(_sentence(_noisy(reference, words, weights, chance)))
    title = f"generated, seed {seed}, Zipf vocabulary of {VOCABULARY:,} words"
    return Pairs("generated", title, hypotheses, references)


def noisy_copies(pairs: Pairs, count: int, seed: int = SEED) -> list[list[str]]:
    """Return the hypotheses of further systems: other noisy copies of the references.

    Args:
        pairs: generated pairs.
        count: the number of systems.
        seed: the random seed.
    """
    chance = random.Random(seed)
    words = _vocabulary(chance)
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    references = [line.removesuffix(".").split(" ") for line in pairs.references]
    return [
        [_sentence(_noisy(reference, words, weights, chance)) for reference in references]
        for _ in range(count)
    ]


def _vocabulary(chance: random.Random) -> list[str]:
    """Return words by rank, frequent ones shorter; some with digits, hyphens or accents.

    In running text they are as long as the words of WMT, about six bytes with the space.
    """
    words = []
    for rank in range(VOCABULARY):
        length = max(1, round(chance.gauss(1.6 + min(5, rank**0.22), 1.5)))
        word = "".join(chance.choices("eeeetaaoinshrdlucmfwypvbgkqjxz", k=length))
        kind = chance.random()
        if kind < 0.02:
            word = f"{chance.randint(1, 9999)}{chance.choice(['', '.5', ',000', '%', '-year'])}"
        elif kind < 0.04:
            word = f"{word}-{word[::-1]}"
        elif kind < 0.06:
            word = word.replace("e", "é").replace("u", "ü")
        elif kind < 0.16:
            word = word.capitalize()
        words.append(word)
    return words


def _noisy(
    reference: list[str], words: list[str], weights: list[float], chance: random.Random
) -> list[str]:
    """Drop, add, exchange and shift words."""
    noisy = []
    for word in reference:
        kind = chance.random()
        if kind < 0.07:
            continue
        noisy.append(chance.choices(words, cum_weights=weights)[0] if kind < 0.24 else word)
        if kind > 0.94:
            noisy.append(chance.choices(words, cum_weights=weights)[0])
    if len(noisy) > 5 and chance.random() < 0.5:
        start = chance.randrange(len(noisy) - 3)
        moved = noisy[start : start + 2]
        del noisy[start : start + 2]
        target = chance.randrange(len(noisy))
        noisy[target:target] = moved
    return noisy or reference[:1]


def _sentence(words: list[str]) -> str:
    """Put a comma after every ninth word, a capital first and a full stop last."""
    pieces = [f"{word}," if i % 9 == 8 else word for i, word in enumerate(words)]
    text = " ".join(pieces).rstrip(",") + "."
    return text[0].upper() + text[1:]
