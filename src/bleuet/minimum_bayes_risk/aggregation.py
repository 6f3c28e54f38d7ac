"""Scores against the mean n-gram counts of many references: linear instead of quadratic time.

Source: Vamvas and Sennrich (2024), Linear-time Minimum Bayes Risk Decoding with Reference
Aggregation, ACL, section 3.2; for BLEU DeNero, Chiang and Knight (2009), Fast Consensus Decoding.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError, OptionError
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.definition import characters, words
from bleuet.metrics.chrf.metric import CHRF
from bleuet.statistics.backend import backend
from bleuet.text.numbering import WordNumbers, joined
from bleuet.text.segments import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from bleuet.metrics.base.metric import Metric

    Read: TypeAlias = Callable[[str], Sequence[object]]


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
        InputError: a reference is several texts.

    >>> [round(score, 2) for score in aggregated_scores(CHRF(), ["a b c", "a b"], ["a b c", "a b"])]
    [91.91, 77.46]
    """
    for one in references:
        if not isinstance(one, str):
            raise InputError(
                "a source has several references; expected pseudo-references of one text each "
                "for a mean of n-gram counts"
            )
    shares = array("d", [1.0] * len(references) if weights is None else weights)
    rows: list[list[float]] = [[] for _ in hypotheses]
    for read, order in _parts(metric):
        triples = _triples(read, order, hypotheses, references, shares)
        for row, more in zip(rows, triples, strict=True):
            row += more
    in_columns = _chrf_row if isinstance(metric, CHRF) else _bleu_row
    return [metric.formula(in_columns(row)) for row in rows]


def _parts(metric: Metric[Any]) -> list[tuple[Read, int]]:
    """Return how words or characters are read from a text, and the longest n-gram of them."""
    # What CrystalBLEU leaves out of BLEU, a mean of counts does not know.
    counts = isinstance(metric, BLEU) and not metric.learns and not metric.real_columns
    if isinstance(metric, BLEU) and counts and metric.counted_kind == TEXT:
        return [(metric.tokens, metric._counted_orders)]
    if not isinstance(metric, CHRF):
        raise OptionError(
            f"{metric.name} has no mean of n-gram counts; use BLEU of text or chrF, or choose "
            "exactly"
        )
    in_case = str.lower if metric.lowercase else str
    whitespace = metric.whitespace
    of_characters = (lambda text: characters(in_case(text), whitespace)), metric.char_order
    of_words = (lambda text: words(in_case(text))), metric.word_order
    return [of_characters, of_words] if metric.word_order else [of_characters]


def _triples(
    read: Read,
    order: int,
    hypotheses: Sequence[str],
    references: Sequence[str],
    weights: array[float],
) -> list[list[float]]:
    """Return for each order the n-grams of each hypothesis, of the mean, and the matches."""
    number = WordNumbers()
    texts = {text: number.of(read(text)) for text in dict.fromkeys([*references, *hypotheses])}
    own, others = ([texts[text] for text in some] for some in (hypotheses, references))
    found, lengths = backend().match_mean_ngrams(
        joined(own), joined(others), weights, len(number), order
    )
    matches = iter(memoryview(found).cast("d"))
    means = memoryview(lengths).cast("d").tolist()
    return [
        [
            cell
            for shorter, mean in enumerate(means)
            for cell in (max(len(text) - shorter, 0), mean, next(matches))
        ]
        for text in own
    ]


def _chrf_row(row: list[float]) -> list[float]:
    """Return a row as chrF counts it: an order that the reference lacks has no n-grams."""
    return [
        cell
        for at in range(0, len(row), 3)
        for cell in (row[at] if row[at + 1] else 0, *row[at + 1 : at + 3])
    ]


def _bleu_row(row: list[float]) -> list[float]:
    """Return a row in the order of BLEU's columns."""
    return [row[0], row[1], *row[2::3], *row[::3]]
