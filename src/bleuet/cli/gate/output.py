"""How the gate's verdict is printed: for people, for a pull request, for machines."""

from __future__ import annotations

from bleuet.cli.names import in_markdown, printable
from bleuet.cli.output import width_of
from bleuet.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.cli.given import Given
    from bleuet.studies.gate import Check, GateResult

HEADINGS = ("metric", "baseline", "new", "drop", "p", "verdict")


def as_text(result: GateResult, given: Given) -> str:
    """Return aligned columns, the verdict in a sentence, and the signatures."""
    rows = [HEADINGS, *(_cells(check, result, given) for check in result.checks)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *numbers, last in rows:
        cells = [n.rjust(w) for n, w in zip(numbers, widths[1:-1], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells, last]).rstrip())
    old, new = printable(result.baseline), printable(result.new)
    lines += ["", f"{_verdict(result)}: {new} instead of {old}", _terms(result)]
    lines += [result.note] if result.note else []
    lines += [f"{check.metric}|{check.signature}" for check in result.checks]
    return "\n".join(lines) + "\n"


def as_markdown(result: GateResult, given: Given) -> str:
    """Return a section for a pull request."""
    rows = [_cells(check, result, given) for check in result.checks]
    old, new = in_markdown(result.baseline), in_markdown(result.new)
    lines = [
        f"### Translation quality: {_verdict(result)}",
        "",
        f"{new} instead of {old}. {_terms(result)}",
        *(["", result.note] if result.note else []),
        "",
        f"| {' | '.join(HEADINGS)} |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
        *(f"| {' | '.join(cells)} |" for cells in rows),
        "",
        *(f"- {check.metric}: `{check.signature}`" for check in result.checks),
    ]
    return "\n".join(lines) + "\n"


def as_json(result: GateResult, given: Given) -> str:
    """Return everything as one JSON object, every number in full."""
    import json

    return json.dumps(result.to_dict(), indent=1) + "\n"


FORMATS: dict[str, Callable[[GateResult, Given], str]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
}


def append_summary(path: str, result: GateResult, given: Given) -> None:
    """Write the Markdown behind what is in a file.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(as_markdown(result, given) + "\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{path} cannot be written ({reason}): make room, or choose another place"
        ) from error


def _cells(check: Check, result: GateResult, given: Given) -> list[str]:
    width = width_of(given)
    p_value = "" if check.p_value is None else f"{check.p_value:.4f}"
    numbers = [f"{value:.{width}f}" for value in (check.baseline, check.new, check.drop)]
    return [check.metric, *numbers, p_value, _words(check, result)]


def _words(check: Check, result: GateResult) -> str:
    """A metric's verdict with its reasons."""
    reasons = []
    if check.too_large:
        reasons.append(f"larger than {result.limits.max_drop:g}")
    if check.significant:
        reasons.append(f"significant (p < {result.limits.alpha:g})")
    told = f"the drop is {' and '.join(reasons)}" if reasons else ""
    if check.fails:
        return f"fails: {told}"
    return f"passes, though {told}" if told else "passes"


def _verdict(result: GateResult) -> str:
    if result.passed:
        return "passed"
    failed = [check.metric for check in result.checks if check.fails]
    return f"failed by {', '.join(failed)}"


def _terms(result: GateResult) -> str:
    """The limits and the test in a sentence."""
    limits = result.limits
    terms = [f"Fails on {limits.rule.summary}"]
    if limits.max_drop is not None:
        told = f"drops up to {limits.max_drop:g} are allowed"
        if not limits.rule.asks_for_size:
            told = f"drops larger than {limits.max_drop:g} are told, and pass"
        terms.append(told)
    if result.test is None:
        return f"{'; '.join(terms)}; no test was made."
    seed = "no seed" if result.seed is None else f"seed {result.seed}"
    test = f"{result.test}, {result.draws} draws, {seed}, alpha {limits.alpha:g}"
    return f"{'; '.join([*terms, test])}."
