"""A paired test's findings as lines of text."""

from __future__ import annotations

from bleuet.studies.significance.segment_mean import digits_beyond_percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.studies.significance.results import Comparison, Estimate, PairedResults

_DIGITS = 2
_P_DIGITS = 4


def printed(results: PairedResults) -> str:
    """Return a table of scores, one of comparisons, and the signatures."""
    parts = [results.test + (f", corrected by {results.correction}" if results.correction else "")]
    parts.append(_aligned([["system", *results.metrics], *_score_rows(results)]))
    parts.append(_aligned([["pair", "metric", "difference", "p", ""], *_pair_rows(results)]))
    parts.append("\n".join(f"{name}|{text}" for name, text in results.signatures.items()))
    return "\n\n".join(parts)


def _score_rows(results: PairedResults) -> list[list[str]]:
    digits = digits_of(results)
    return [
        [
            system,
            *(_score(results.estimate(system, metric), digits[metric]) for metric in digits),
        ]
        for system in results.systems
    ]


def _score(found: Estimate, digits: int) -> str:
    one = found.interval
    if one is None:
        return f"{found.score:.{digits}f}"
    return f"{found.score:.{digits}f} ({one.mean:.{digits}f} ± {one.half_width:.{digits}f})"


def digits_of(results: PairedResults) -> dict[str, int]:
    """Return the digits that each metric's scores are printed with; means may be of any size."""
    digits = dict.fromkeys(results.metrics, _DIGITS)
    for metric, signature in results.signatures.items():
        if signature.to_dict().get("mean") == "segments":
            scores = [one.score for one in results.estimates if one.metric == metric]
            digits[metric] += digits_beyond_percent(scores)
    return digits


def _pair_rows(results: PairedResults) -> list[list[str]]:
    digits = digits_of(results)
    return [
        [
            f"{found.baseline} : {found.system}",
            found.metric,
            f"{found.difference:+.{digits[found.metric]}f}" + _ends(found, digits[found.metric]),
            f"{found.p:.{_P_DIGITS}f}",
            _verdict(found),
        ]
        for found in results.comparisons
    ]


def _ends(found: Comparison, digits: int) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" [{found.low:+.{digits}f}, {found.high:+.{digits}f}]"


def _verdict(found: Comparison) -> str:
    if found.better is None or not found.is_significant():
        return "no difference shown"
    return f"{found.better} is better"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
