"""The score of METEOR (Denkowski and Lavie 2014, section 2)."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def meteor_score(
    values: Sequence[int | float],
    weights: Sequence[float],
    alpha: float,
    beta: float,
    gamma: float,
    delta: float,
    characters: bool = False,
) -> float:
    """Return METEOR in percent of a sum of rows (Denkowski and Lavie 2014, section 2).

    Args:
        values: in the order of the columns of `METEOR`.
        weights: the weight of each matcher.
        alpha: the weight of recall against precision.
        beta: the exponent of the fragmentation.
        gamma: the most that fragmentation can cost.
        delta: the weight of content words against function words.
        characters: whether characters count, so that the last columns have the words that match.
    """
    hyp_words, ref_words, hyp_function, ref_function, chunks = values[:5]
    hyp_matches = ref_matches = matched = 0.0
    for m, weight in enumerate(weights):
        hyp_content, ref_content, hyp_others, ref_others = values[5 + 4 * m : 9 + 4 * m]
        hyp_matches += weight * (delta * hyp_content + (1 - delta) * hyp_others)
        ref_matches += weight * (delta * ref_content + (1 - delta) * ref_others)
        matched += hyp_content + ref_content + hyp_others + ref_others
    hyp_weight = delta * (hyp_words - hyp_function) + (1 - delta) * hyp_function
    ref_weight = delta * (ref_words - ref_function) + (1 - delta) * ref_function
    if not (hyp_matches > 0 and ref_matches > 0):
        return 0.0
    precision = hyp_matches / hyp_weight
    recall = ref_matches / ref_weight
    f_mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    if characters:
        # Fragments are of words.
        matched = sum(values[-2:])
    fragmentation = chunks / (matched / 2)
    return 100 * (f_mean * (1 - gamma * math.pow(fragmentation, beta)))
