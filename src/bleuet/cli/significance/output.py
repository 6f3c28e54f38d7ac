"""How tested systems are printed: one function per format, and the table of formats."""

from __future__ import annotations

from bleuet.cli.destination import Destination
from bleuet.cli.output import can_hold_all_of_unicode, width_of
from bleuet.cli.significance.sections import notes_of, sections_of, test_in_words
from bleuet.output.escaping import in_markdown, printable
from bleuet.studies.comparison.markup import section_in_latex, section_in_markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any

    from bleuet.cli.significance.arguments import SignificanceGiven
    from bleuet.cli.significance.tested import Tested
    from bleuet.studies.significance import Comparison


def write_tested(given: SignificanceGiven, tested: Tested) -> None:
    """Write what was found in the format asked for."""
    with Destination(given.output) as out:
        FORMATS[given.format](out, tested, given)


def _signatures(tested: Tested, given: SignificanceGiven) -> list[tuple[str, str]]:
    found = tested.found.results.signatures.items()
    return [(name, one.short() if given.short else str(one)) for name, one in found]


def _write_text(out: IO[str], tested: Tested, given: SignificanceGiven) -> None:
    # Imported here because only text is drawn.
    from bleuet.cli.compare.terminal import print_sections

    width = width_of(given)
    print_sections(
        out,
        sections_of(tested, width),
        _signatures(tested, given),
        width,
        first=test_in_words(tested),
        notes=notes_of(tested),
    )


def _write_json(out: IO[str], tested: Tested, given: SignificanceGiven) -> None:
    import json

    values = tested.to_dict()
    values["signatures"] = dict(_signatures(tested, given))
    if given.width is not None:
        values = _rounded(values, given.width)
    out.write(json.dumps(values, indent=1, ensure_ascii=not can_hold_all_of_unicode(out)) + "\n")


def _rounded(value: Any, width: int) -> Any:
    if isinstance(value, dict):
        return {
            # Chance is told in small numbers, which a few digits would make nothing of.
            key: one if key in _SHARES else _rounded(one, width)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_rounded(one, width) for one in value]
    return round(value, width) if isinstance(value, float) else value


_SHARES = ("alpha", "level", "p_value", "corrected_p_value", "people_agree")


def _write_csv(out: IO[str], tested: Tested, given: SignificanceGiven) -> None:
    """Write a line for each system, and for each whom it was compared with."""
    import csv

    writer = csv.writer(out, lineterminator="\n")
    rows = [row for metric in tested.found.results.metrics for row in _rows(tested, metric, given)]
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow("" if value is None else value for value in row.values())


def _rows(tested: Tested, metric: str, given: SignificanceGiven) -> Iterator[dict[str, Any]]:
    results = tested.found.results
    signature = dict(_signatures(tested, given))[metric]
    width = width_of(given) + tested.digits(metric)
    for system in results.systems:
        own: list[Comparison | None] = [
            one for one in results.comparisons if (one.system, one.metric) == (system, metric)
        ]
        for one in own or [None]:
            yield {
                "metric": metric,
                "system": system,
                **_score(tested, system, metric, width),
                **_comparison(tested, one, width),
                "signature": signature,
            }


def _score(tested: Tested, system: str, metric: str, width: int) -> dict[str, Any]:
    estimate = tested.found.results.estimate(system, metric)
    values: dict[str, Any] = {"score": _digits(estimate.score, width)}
    if tested.runs:
        run = next(one for one in tested.runs if (one.system, one.metric) == (system, metric))
        values["runs"] = len(run.scores)
        values["mean"] = _digits(run.mean, width)
        values["standard_deviation"] = _digits(run.standard_deviation, width)
    else:
        interval = estimate.interval
        values["low"] = None if interval is None else _digits(interval.low, width)
        values["high"] = None if interval is None else _digits(interval.high, width)
    return values


def _comparison(tested: Tested, one: Comparison | None, width: int) -> dict[str, Any]:
    if one is None:
        return dict.fromkeys(COMPARISON)
    found = tested.found
    people = found.agreement(one)
    cells = (
        one.baseline,
        _digits(one.difference, width),
        _digits(one.low, width),
        _digits(one.high, width),
        _digits(one.p_value, max(width, 4)),
        _digits(one.corrected_p_value, max(width, 4)),
        one.better if found.is_significant(one) else None,
        _digits(people, 2),
    )
    return dict(zip(COMPARISON, cells, strict=True))


COMPARISON = (
    "baseline",
    "difference",
    "difference_low",
    "difference_high",
    "p_value",
    "corrected_p_value",
    "significantly_better",
    "people_agree",
)


def _digits(number: float | None, width: int) -> str | None:
    return None if number is None else f"{number:.{width}f}"


def _write_markdown(out: IO[str], tested: Tested, given: SignificanceGiven) -> None:
    width = width_of(given)
    out.write(f"{in_markdown(test_in_words(tested))}\n\n")
    for section in sections_of(tested, width):
        out.write(section_in_markdown(section, width))
    for note in notes_of(tested):
        out.write(f"{in_markdown(note)}\n\n")
    for name, signature in _signatures(tested, given):
        out.write(f"- {in_markdown(name)}: `{signature}`\n")


def _write_latex(out: IO[str], tested: Tested, given: SignificanceGiven) -> None:
    width = width_of(given)
    signatures = [f"{name}: {signature}" for name, signature in _signatures(tested, given)]
    for line in (test_in_words(tested), *notes_of(tested), *signatures):
        out.write(f"% {printable(line)}\n")
    for section in sections_of(tested, width):
        out.write(section_in_latex(section, width))


FORMATS: dict[str, Callable[[IO[str], Tested, SignificanceGiven], None]] = {
    "text": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
}
