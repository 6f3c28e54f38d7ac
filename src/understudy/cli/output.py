"""How corpus scores are printed: one function per format, and the table of formats."""

from __future__ import annotations

import sys
from contextlib import contextmanager

from understudy.cli.arguments import on_terminal
from understudy.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence
    from typing import IO

    from understudy.metrics.score import Score

    Rows = list[tuple[str, list[Score]]]

DEFAULT_WIDTH = 2


def write_scores(given: Namespace, names: Sequence[str], scores: list[list[Score]]) -> None:
    """Write the scores of all systems in the format asked for."""
    rows = list(zip(names, scores, strict=True))
    with destination(given.output) as out:
        if given.score_only:
            _write_numbers(out, rows, width_of(given))
        elif given.format == "text" and given.output is None and on_terminal():
            from understudy.cli.terminal import print_scores

            print_scores(rows, given)
        else:
            FORMATS[given.format](out, rows, given)


def width_of(given: Namespace) -> int:
    """Return the digits after the decimal point that were asked for, or the default."""
    return DEFAULT_WIDTH if given.width is None else int(given.width)


@contextmanager
def destination(path: str | None) -> Iterator[IO[str]]:
    """Give the file to write to: standard output, or a file that appears only when it is whole."""
    if path is None:
        yield sys.stdout
        return
    import os
    from tempfile import NamedTemporaryFile

    folder = os.path.dirname(os.path.abspath(path))
    try:
        out = NamedTemporaryFile(  # noqa: SIM115 - it must outlive the writing, to be renamed
            "w", encoding="utf-8", newline="", dir=folder, prefix=".understudy-", delete=False
        )
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}): choose a folder that exists and is yours"
        ) from None
    try:
        with out:
            yield out
        os.chmod(out.name, 0o666 & ~_umask())
        os.replace(out.name, path)
    except BaseException:
        os.unlink(out.name)
        raise


def _umask() -> int:
    import os

    mask = os.umask(0)
    os.umask(mask)
    return mask


def columns_of(scores: Sequence[Score], given: Namespace) -> list[tuple[str, float]]:
    """Return heading and number of each column of a wide table, BLEU-1..n among them if asked."""
    columns: list[tuple[str, float]] = []
    for score, heading in zip(scores, headings([score.name for score in scores]), strict=True):
        columns.append((heading, score.score))
        if given.cumulative:
            cumulative: tuple[float, ...] = getattr(score, "cumulative", ())
            columns += [(f"{heading}-{n}", value) for n, value in enumerate(cumulative, 1)]
    return columns


def headings(names: Sequence[str]) -> list[str]:
    """Number the names that come more than once.

    >>> headings(["BLEU", "TER", "BLEU"])
    ['BLEU (1)', 'TER', 'BLEU (2)']
    """
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(f"{name} ({seen[name]})" if names.count(name) > 1 else name)
    return found


def signatures_of(scores: Sequence[Score], given: Namespace) -> list[tuple[str, str]]:
    """Return heading and signature of each metric."""
    texts = [s.signature.short() if given.short else str(s.signature) for s in scores]
    return list(zip(headings([s.name for s in scores]), texts, strict=True))


def _write_numbers(out: IO[str], rows: Rows, width: int) -> None:
    for _, scores in rows:
        out.write("\t".join(f"{score.score:.{width}f}" for score in scores) + "\n")


def _write_text(out: IO[str], rows: Rows, given: Namespace) -> None:
    """One line per score for one system, as sacreBLEU writes; a table for several."""
    width = width_of(given)
    if len(rows) == 1 and not given.cumulative:
        for score in rows[0][1]:
            signature = score.signature.short() if given.short else str(score.signature)
            line = score.format(width)
            out.write(f"{score.name}|{signature}{line.removeprefix(score.name)}\n")
        return
    table = _cells(rows, given)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        first, *rest = row
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(w) for cell, w in zip(rest, widths[1:], strict=True)]
        out.write("  ".join(cells).rstrip() + "\n")
    out.write("\n")
    for heading, signature in signatures_of(rows[0][1], given):
        out.write(f"{heading}|{signature}\n")


def _cells(rows: Rows, given: Namespace) -> list[list[str]]:
    width = width_of(given)
    header = ["system", *(heading for heading, _ in columns_of(rows[0][1], given))]
    body = [
        [name, *(f"{value:.{width}f}" for _, value in columns_of(scores, given))]
        for name, scores in rows
    ]
    return [header, *body]


def as_dict(system: str, score: Score, given: Namespace) -> dict[str, object]:
    """Return a score as JSON shows it: in full, unless a width was asked for."""
    values = {"system": system, **score.to_dict()}
    if given.width is not None:
        values["score"] = float(f"{score.score:.{given.width}f}")
    if given.short:
        values["signature"] = score.signature.short()
    return values


def _write_json(out: IO[str], rows: Rows, given: Namespace) -> None:
    import json

    listed = [as_dict(name, score, given) for name, scores in rows for score in scores]
    json.dump(listed, out, indent=1, ensure_ascii=False)
    out.write("\n")


def _write_jsonl(out: IO[str], rows: Rows, given: Namespace) -> None:
    import json

    for name, scores in rows:
        for score in scores:
            out.write(json.dumps(as_dict(name, score, given), ensure_ascii=False) + "\n")


def _write_csv(out: IO[str], rows: Rows, given: Namespace) -> None:
    import csv

    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["system", "metric", "score", "signature"])
    for name, scores in rows:
        signatures = dict(signatures_of(scores, given))
        for heading, value in columns_of(scores, given):
            signature = signatures.get(heading) or signatures[heading.rpartition("-")[0]]
            writer.writerow([name, heading, f"{value:.{width_of(given)}f}", signature])


def _write_markdown(out: IO[str], rows: Rows, given: Namespace) -> None:
    header, *body = _cells(rows, given)
    out.write(f"| {' | '.join(header)} |\n| --- |{' ---: |' * (len(header) - 1)}\n")
    for name, *numbers in body:
        shown = name.replace("\\", "\\\\").replace("|", "\\|")
        out.write(f"| {shown} | {' | '.join(numbers)} |\n")
    out.write("\n")
    for heading, signature in signatures_of(rows[0][1], given):
        out.write(f"- {heading}: `{signature}`\n")


LATEX_SPECIALS = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "%": r"\%", "&": r"\&",
        "#": r"\#", "$": r"\$", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    }
)  # fmt: skip


def _write_latex(out: IO[str], rows: Rows, given: Namespace) -> None:
    header, *body = _cells(rows, given)
    out.write("% needs \\usepackage{booktabs}\n")
    for heading, signature in signatures_of(rows[0][1], given):
        out.write(f"% {heading}: {signature}\n")
    out.write(f"\\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}\n\\toprule\n")
    out.write(" & ".join(cell.translate(LATEX_SPECIALS) for cell in header) + " \\\\\n\\midrule\n")
    for row in body:
        out.write(" & ".join(cell.translate(LATEX_SPECIALS) for cell in row) + " \\\\\n")
    out.write("\\bottomrule\n\\end{tabular}\n")


FORMATS: dict[str, Callable[[IO[str], Rows, Namespace], None]] = {
    "text": _write_text,
    "json": _write_json,
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
}
