"""What rapidfuzz runs: the distances alone, and the edits, which the rows of bleuet hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from benchmarks.timing import Runner

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs


def edit_distances(pairs: Pairs) -> list[Runner]:
    """The sum of the edit distances: by its fastest calls for distances, and by its edits."""
    hypotheses, references = pairs.hypotheses, pairs.references

    def distances() -> list[float]:
        both = zip(references, hypotheses, strict=True)
        return [float(sum([Levenshtein.distance(*pair) for pair in both]))]

    def in_one_call() -> list[float]:
        found = process.cpdist(references, hypotheses, scorer=Levenshtein.distance, workers=1)
        return [float(found.sum())]

    def edits() -> list[float]:
        both = zip(references, hypotheses, strict=True)
        return [float(sum([len(Levenshtein.editops(*pair)) for pair in both]))]

    return [
        Runner("rapidfuzz, distance", distances),
        Runner("rapidfuzz, cpdist", in_one_call),
        Runner("rapidfuzz, editops", edits),
    ]
