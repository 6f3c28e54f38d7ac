"""Sentinels: lengths of texts as scores, which cannot know the quality of a translation."""

from __future__ import annotations

from statistics import fmean

from bleuet.extras import deferred
from bleuet.frozen import checked
from bleuet.meta_evaluation.metric_scores import MetricScores
from bleuet.meta_evaluation.score_matrix import ScoreMatrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
else:
    np = deferred("numpy")


@checked
def length_sentinels(
    systems: Sequence[str],
    outputs: Sequence[Sequence[str]],
    references: Sequence[str | Sequence[str | None]],
) -> list[MetricScores]:
    """Return metrics that are only the length of the hypothesis or of the reference.

    They do not compare the two, so their agreement with human scores shows how much agreement a
    metric can have without any knowledge of quality. The length of a segment is its number of
    characters; of several references it is the mean. Each length makes two sentinels: one with
    better scores for shorter texts, and one with better scores for longer texts.

    The idea is that of Perrella et al. 2024, "Guardians of the Machine Translation
    Meta-Evaluation: Sentinel Metrics Fall In!", whose sentinels are neural metrics.

    Args:
        systems: the names of the systems.
        outputs: the texts of each system, one per segment.
        references: per segment a string or a list of strings.

    >>> outputs = [["a b", "a"], ["a c d", "ab"]]
    >>> for one in length_sentinels(["north", "south"], outputs, ["a b", "a"]):
    ...     print(one.name, one.segments.values.tolist())
    sentinel-short-hypothesis [[-3.0, -1.0], [-5.0, -2.0]]
    sentinel-long-hypothesis [[3.0, 1.0], [5.0, 2.0]]
    sentinel-short-reference [[-3.0, -1.0], [-3.0, -1.0]]
    sentinel-long-reference [[3.0, 1.0], [3.0, 1.0]]
    """
    of_references = [_reference_length(one) for one in references]
    of_hypotheses = [[len(text) for text in texts] for texts in outputs]
    return [
        *_both("hypothesis", systems, np.array(of_hypotheses, dtype=float)),
        *_both("reference", systems, np.array([of_references] * len(systems))),
    ]


def _reference_length(reference: str | Sequence[str | None]) -> float:
    if isinstance(reference, str):
        return float(len(reference))
    return fmean(len(text) for text in reference if text is not None)


def _both(text: str, systems: Sequence[str], lengths: Floats) -> list[MetricScores]:
    return [
        MetricScores(
            f"sentinel-{word}-{text}", ScoreMatrix(tuple(systems), sign * lengths), sentinel=True
        )
        for word, sign in (("short", -1.0), ("long", 1.0))
    ]
