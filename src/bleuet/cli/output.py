"""How corpus scores are printed: one function per format, and the table of formats."""

from __future__ import annotations

import sys

from bleuet.cli.destination import STDOUT, Destination
from bleuet.metrics.score import headings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO, Any

    from bleuet.cli.given import Given
    from bleuet.metrics.score import Score

    Rows = list[tuple[str, list[Score]]]

DEFAULT_WIDTH = 2
PLUS_MINUS = " ± "
INTERVAL = ("mean", "low", "high", "half_width")


def write_scores(given: Given, names: Sequence[str], scores: list[list[Score]]) -> None:
    """Write the scores of all systems in the format asked for."""
    rows = list(zip(names, scores, strict=True))
    with Destination(given.output) as out:
        if given.score_only:
            _write_numbers(out, rows, given)
        elif given.format == "text" and given.output in (None, STDOUT) and _on_terminal():
            from bleuet.cli.terminal import print_scores

            print_scores(rows, given)
        else:
            FORMATS[given.format](out, rows, given)


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def width_of(given: Given) -> int:
    """Return the digits after the decimal point that were asked for, or the default."""
    return DEFAULT_WIDTH if given.width is None else int(given.width)


def columns_of(scores: Sequence[Score], given: Given) -> list[tuple[str, float]]:
    """Return heading and number of each column of a wide table, BLEU-1..n among them if asked."""
    columns: list[tuple[str, float]] = []
    for score, heading in zip(scores, headings([score.name for score in scores]), strict=True):
        columns.append((heading, score.score))
        if given.cumulative:
            cumulative: tuple[float, ...] = getattr(score, "cumulative", ())
            columns += [(f"{heading}-{n}", value) for n, value in enumerate(cumulative, 1)]
    return columns


def cells_of(scores: Sequence[Score], given: Given, between: str = PLUS_MINUS) -> list[str]:
    """Return the text of each column, with half the width of an interval where there is one."""
    width = width_of(given)
    half_widths = {heading: numbers[-1] for heading, numbers in _intervals_of(scores).items()}
    return [
        f"{value:.{width}f}"
        + (f"{between}{half_widths[heading]:.{width}f}" if heading in half_widths else "")
        for heading, value in columns_of(scores, given)
    ]


def _intervals_of(scores: Sequence[Score]) -> dict[str, list[float]]:
    """The numbers of the intervals by heading; BLEU-1 to BLEU-n have none."""
    named = zip(headings([score.name for score in scores]), scores, strict=True)
    # Read where it may be, for scores with intervals are made of what no other score needs.
    found = {heading: getattr(score, "interval", None) for heading, score in named}
    return {
        heading: [getattr(interval, name) for name in INTERVAL]
        for heading, interval in found.items()
        if interval is not None
    }


def signatures_of(scores: Sequence[Score], given: Given) -> list[tuple[str, str]]:
    """Return heading and signature of each metric."""
    texts = [s.signature.short() if given.short else str(s.signature) for s in scores]
    return list(zip(headings([s.name for s in scores]), texts, strict=True))


def signature_of_column(heading: str, signatures: Sequence[tuple[str, str]]) -> str:
    """Return the signature of a column, which BLEU-1 to BLEU-n share with BLEU.

    >>> signature_of_column("BLEU-2", [("BLEU", "nrefs:1")])
    'nrefs:1'
    """
    known = dict(signatures)
    return known.get(heading) or known[heading.rpartition("-")[0]]


def _write_numbers(out: IO[str], rows: Rows, given: Given) -> None:
    for _, *numbers in _cells(rows, given)[1:]:
        out.write("\t".join(numbers) + "\n")


def write_text(out: IO[str], rows: Rows, given: Given) -> None:
    """Write one line per score for one system, as sacreBLEU does; a table for several."""
    width = width_of(given)
    if len(rows) == 1 and not given.cumulative:
        for score in rows[0][1]:
            signature = score.signature.short() if given.short else str(score.signature)
            line = score.format(width)
            out.write(f"{score.name}|{signature}{line.removeprefix(score.name)}\n")
        return
    from bleuet.cli.rows import write_plain  # one line of text needs no table

    write_plain(out, _cells(rows, given))
    out.write("\n")
    for heading, signature in signatures_of(rows[0][1], given):
        out.write(f"{heading}|{signature}\n")


def _cells(rows: Rows, given: Given, between: str = PLUS_MINUS) -> list[list[str]]:
    header = ["system", *(heading for heading, _ in columns_of(rows[0][1], given))]
    body = [[name, *cells_of(scores, given, between)] for name, scores in rows]
    return [header, *body]


def as_dict(system: str, score: Score, given: Given) -> dict[str, object]:
    """Return a score as JSON shows it: in full, unless a width was asked for."""
    values: dict[str, Any] = {"system": system, **score.to_dict()}
    if given.width is not None:
        for name in ("score", *INTERVAL):
            if name in values:
                values[name] = float(f"{values[name]:.{given.width}f}")
    if given.short:
        values["signature"] = score.signature.short()
    return values


def can_hold_all_of_unicode(out: IO[str]) -> bool:
    """Return whether an output is UTF-8, so that JSON needs no escapes."""
    return (getattr(out, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _write_json(out: IO[str], rows: Rows, given: Given) -> None:
    import json

    listed = [as_dict(name, score, given) for name, scores in rows for score in scores]
    out.write(json.dumps(listed, indent=1, ensure_ascii=not can_hold_all_of_unicode(out)) + "\n")


def _write_jsonl(out: IO[str], rows: Rows, given: Given) -> None:
    import json

    ascii_only = not can_hold_all_of_unicode(out)
    for name, scores in rows:
        for score in scores:
            out.write(json.dumps(as_dict(name, score, given), ensure_ascii=ascii_only) + "\n")


def _write_csv(out: IO[str], rows: Rows, given: Given) -> None:
    import csv

    writer = csv.writer(out, lineterminator="\n")
    width, interval = width_of(given), INTERVAL if given.confidence else ()
    writer.writerow(["system", "metric", "score", *interval, "signature"])
    for name, scores in rows:
        signatures, intervals = signatures_of(scores, given), _intervals_of(scores)
        for heading, value in columns_of(scores, given):
            around = [f"{number:.{width}f}" for number in intervals.get(heading, ())]
            around += [""] * (len(interval) - len(around))
            signature = signature_of_column(heading, signatures)
            writer.writerow([name, heading, f"{value:.{width}f}", *around, signature])


def _write_markdown(out: IO[str], rows: Rows, given: Given) -> None:
    from bleuet.cli.rows import write_markdown

    write_markdown(out, _cells(rows, given))
    out.write("\n")
    for heading, signature in signatures_of(rows[0][1], given):
        out.write(f"- {heading}: `{signature}`\n")


def _write_latex(out: IO[str], rows: Rows, given: Given) -> None:
    signatures = signatures_of(rows[0][1], given)
    comments = [f"{heading}: {signature}" for heading, signature in signatures]
    from bleuet.cli.rows import write_latex

    write_latex(out, _cells(rows, given, r" $\pm$ "), comments)


FORMATS: dict[str, Callable[[IO[str], Rows, Given], None]] = {
    "text": write_text,
    "json": _write_json,
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
}
