"""Scores against the mean n-gram counts of many references: linear instead of quadratic time.

Source: Vamvas and Sennrich (2024), Linear-time Minimum Bayes Risk Decoding with Reference
Aggregation, ACL, section 3.2; for BLEU DeNero, Chiang and Knight (2009), Fast Consensus Decoding.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bleuet.errors import OptionError
from bleuet.metrics.bleu import BLEU
from bleuet.metrics.chrf import CHRF
from bleuet.statistics.python_backend.bleu_rows import ngrams
from bleuet.statistics.python_backend.chrf_rows import characters, words
from bleuet.text.segments import TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.metrics.metric import Metric


def aggregated_scores(
    metric: Metric[Any],
    hypotheses: Sequence[str],
    references: Sequence[str],
    weights: Sequence[float] | None = None,
) -> list[float]:
    """Return the score of each hypothesis against the mean of the n-gram counts of references.

    Args:
        metric: BLEU or chrF.
        hypotheses: texts.
        references: at least one text.
        weights: the weight of each reference; default equal weights.

    Raises:
        OptionError: it is another metric, or one that smooths by the counts of one sentence.

    >>> [round(score, 2) for score in aggregated_scores(CHRF(), ["a b c", "a b"], ["a b c", "a b"])]
    [91.91, 77.46]
    """
    read: Any = _readers(metric)
    shares = [1.0] * len(references) if weights is None else weights
    total = sum(shares)
    mean: list[Counter[Any]] = []
    for reference, share in zip(references, shares, strict=True):
        for order, counts in enumerate(read(reference)):
            if order == len(mean):
                mean.append(Counter())
            for ngram, count in counts.items():
                mean[order][ngram] += count * share / total
    return [metric.formula(_row(metric, read(one), mean)) for one in hypotheses]


def _readers(metric: Metric[Any]) -> Any:
    """Return the function from a text to its n-grams of each order."""
    if isinstance(metric, CHRF):
        return lambda text: _chrf_ngrams(metric, text)
    if isinstance(metric, BLEU) and not metric.real_columns and metric.counted_kind == TEXT:
        return lambda text: _bleu_ngrams(metric, text)
    raise OptionError(
        f"{metric.name} has no mean of n-gram counts; use BLEU of text or chrF, or way='exact'"
    )


def _chrf_ngrams(metric: CHRF, text: str) -> list[Counter[Any]]:
    text = text.lower() if metric.lowercase else text
    letters, tokens = characters(text, metric.whitespace), words(text)
    return [ngrams(letters, n) for n in range(1, metric.char_order + 1)] + [
        ngrams(tokens, n) for n in range(1, metric.word_order + 1)
    ]


def _bleu_ngrams(metric: BLEU, text: str) -> list[Counter[Any]]:
    tokens = metric.tokens(text)
    return [ngrams(tokens, n) for n in range(1, metric._counted_orders + 1)]


def _row(metric: Metric[Any], counts: list[Counter[Any]], mean: list[Counter[Any]]) -> list[float]:
    """Return the row of a hypothesis against the mean, in the order of the metric's columns."""
    matches = [_shared(ours, theirs) for ours, theirs in zip(counts, mean, strict=True)]
    totals = [ours.total() for ours in counts]
    lengths = [float(theirs.total()) for theirs in mean]
    if isinstance(metric, CHRF):
        triples = zip(totals, lengths, matches, strict=True)
        return [n for ours, theirs, both in triples for n in (ours if theirs else 0, theirs, both)]
    return [totals[0], lengths[0], *matches, *totals]


def _shared(ours: Counter[Any], theirs: Counter[Any]) -> float:
    return sum(min(count, theirs[ngram]) for ngram, count in ours.items() if ngram in theirs)
