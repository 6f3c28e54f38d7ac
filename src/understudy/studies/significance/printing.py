"""A paired test's findings as lines of text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from understudy.studies.significance.results import Comparison, Estimate, PairedResults

_P_DIGITS = 4


def printed(results: PairedResults) -> str:
    """Return a table of scores, one of comparisons, and the signatures."""
    parts = [results.test + (f", corrected by {results.correction}" if results.correction else "")]
    parts.append(_aligned([["system", *results.metrics], *_score_rows(results)]))
    parts.append(_aligned([["pair", "metric", "difference", "p", ""], *_pair_rows(results)]))
    parts.append("\n".join(f"{name}|{text}" for name, text in results.signatures.items()))
    return "\n\n".join(parts)


def _score_rows(results: PairedResults) -> list[list[str]]:
    return [
        [system, *(_score(results.estimate(system, metric)) for metric in results.metrics)]
        for system in results.systems
    ]


def _score(found: Estimate) -> str:
    interval = found.interval
    if interval is None:
        return f"{found.score:.2f}"
    return f"{found.score:.2f} ({interval.mean:.2f} ± {interval.half_width:.2f})"


def _pair_rows(results: PairedResults) -> list[list[str]]:
    return [
        [
            f"{found.baseline} : {found.system}",
            found.metric,
            f"{found.difference:+.2f}" + _ends(found),
            f"{found.p:.{_P_DIGITS}f}",
            _verdict(found),
        ]
        for found in results.comparisons
    ]


def _ends(found: Comparison) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" [{found.low:+.2f}, {found.high:+.2f}]"


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
