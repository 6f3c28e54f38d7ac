"""Unrelated files: hypotheses of another test set, in another order or in another language."""

from __future__ import annotations

import re
from collections import Counter
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING
from unicodedata import normalize

from bleuet.linting.alignment import find_shifts
from bleuet.metrics.chrf.metric import CHRF
from bleuet.text.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material, Side

# A large file is judged by so many of its lines, which stand at equal distances.
MOST_LINES = 1000
LEAST_LINES = 20
# Each line is compared with so many other references, which lie far from each other.
OTHERS = 4
# chrF with the own references should be larger than this multiple of chrF with other references.
# Files in a wrong order have ratios from 0.96 to 1.02, and real systems from 1.7.
LEAST_RATIO, ERRORS = 1.15, 2.5
# The language is another one if the references have less than this share of the words, while
# references have at least the second share of their words in common.
LEAST_SHARE, COMMON_SHARE = 0.5, 0.3
_WORD = re.compile(r"[^\W\d_]+")


def find_unrelated(material: Material) -> Iterator[Finding]:
    """Find systems that do not fit their references, or have another language."""
    rows = _sample(len(material.entries))
    common = _common_share(material, rows)
    shifted = None
    for side in material.systems:
        message = _order(material, side, rows)
        if message and shifted is None:
            # A shift of most lines is a finding of "alignment", which says more.
            shifted = {one.file: one.count for one in find_shifts(material)}
        if message and shifted and 2 * shifted.get(side.name, 0) >= len(side.texts):
            message = ""
        message = message or _language(material, side, rows, common)
        if message:
            yield side.finding("unrelated", (), message)


def _sample(count: int) -> list[int]:
    size = min(count, MOST_LINES)
    return [i * count // size for i in range(size)]


def _order(material: Material, side: Side, rows: Sequence[int]) -> str:
    """Return a message if the lines fit other references nearly as well as their own."""
    corpus, count = material.scoring.corpora[side.name], len(material.entries)
    rows = [row for row in rows if side.texts[row].strip()]
    if len({side.texts[row] for row in rows}) < LEAST_LINES:
        return ""
    own = _fits(corpus, rows, rows)
    others: list[list[float]] = [[] for _ in rows]
    for k in range(1, OTHERS + 1):
        # The addition of k avoids equal distances: a test set may repeat its segments.
        targets = [(row + k * count // (OTHERS + 1) + k) % count for row in rows]
        fits = _fits(corpus, rows, targets)
        for place, (row, target) in enumerate(zip(rows, targets, strict=True)):
            if not set(material.alternatives[row]) & set(material.alternatives[target]):
                others[place].append(fits[place])
    pairs = [(fit, mean(rest)) for fit, rest in zip(own, others, strict=True) if rest]
    if len(pairs) < LEAST_LINES:
        return ""
    gains = [fit - LEAST_RATIO * other for fit, other in pairs]
    if mean(gains) + ERRORS * stdev(gains) / sqrt(len(gains)) > 0:
        return ""
    return (
        f"its lines do not belong to the references: chrF {mean(fit for fit, _ in pairs):.1f} "
        f"with the references of their own lines, {mean(other for _, other in pairs):.1f} with "
        "those of other lines: is it the right file, in the right order and language?"
    )


def _fits(corpus: Corpus, rows: Sequence[int], targets: Sequence[int]) -> Sequence[float]:
    """Return the chrF of each hypothesis and the references of another line."""
    paired = Corpus.from_checked(
        [corpus.hypotheses[row] for row in rows], [corpus.references[row] for row in targets]
    )
    metric = CHRF()
    return metric.segment_scores(metric.table(paired)).values


def _language(material: Material, side: Side, rows: Sequence[int], common: float) -> str:
    """Return a message if the references have few of the words of a system."""
    texts = {side.texts[row] for row in rows if side.texts[row].strip()}
    if common < COMMON_SHARE or len(texts) < LEAST_LINES:
        return ""
    known = set(_words(text for row in rows for text in material.alternatives[row]))
    words = list(_words(texts))
    if len(words) < LEAST_LINES:
        return ""
    share = sum(word in known for word in words) / len(words)
    if share >= LEAST_SHARE * common:
        return ""
    return (
        f"its language does not seem to be that of the references: they contain {share:.0%} of "
        f"its words, but {common:.0%} of the words of a reference are in other references too: "
        "is it the right file?"
    )


def _common_share(material: Material, rows: Sequence[int]) -> float:
    """Return the share of the words of references that the references of other lines have too."""
    different = {material.alternatives[row] for row in rows}
    if len(different) < LEAST_LINES:
        return 0.0
    lines = [list(_words(texts)) for texts in different]
    found = Counter(word for line in lines for word in set(line))
    words = [word for line in lines for word in line]
    return sum(found[word] > 1 for word in words) / len(words) if words else 0.0


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _WORD.findall(normalize("NFC", text).casefold())
