"""How a leaderboard of metrics is written: tables, JSON, CSV, and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from bleuet.cli.destination import Destination
from bleuet.cli.names import printable
from bleuet.cli.output import can_hold_all_of_unicode
from bleuet.cli.rows import write_latex, write_markdown, write_plain
from bleuet.studies.significance.interval import in_percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import IO, Any

    from bleuet.cli.meta.arguments import MetaGiven
    from bleuet.studies.meta_evaluation.human_scores_check import Contender, People
    from bleuet.studies.meta_evaluation.leaderboard import Leaderboard, Standing, Terms
    from bleuet.studies.meta_evaluation.results import Agreement
    from bleuet.studies.meta_evaluation.statistics import Statistic

DIGITS = 3
NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Told:
    """A leaderboard, and what is told of how it came about."""

    people: People
    board: Leaderboard
    notes: list[str]
    terms: Terms

    def lines(self) -> list[str]:
        """Return everything that stands below a table."""
        board = self.board
        told = (*_grouped(board), *_left_out(board), *_epsilons(board))
        return [*self.notes, *told, *self._explained()]

    def _explained(self) -> Iterator[str]:
        terms = self.terms
        if terms.draws:
            whole = self.people.scores is None or any(one.systems for one in self.board.contenders)
            names = [one.name for one in self.board.statistics if whole and not one.needs_segments]
            also = f"; of systems for {', '.join(names)}" if names else ""
            yield (
                f"brackets: {in_percent(terms.confidence)} intervals of {terms.draws:,} bootstrap "
                f"draws of {terms.resample}{also}"
            )
        if terms.test is not None:
            yield (
                f"rank: metrics of one rank are not significantly apart ({terms.test}, p <= 0.05); "
                "p: that the best is better"
            )

    def signatures(self) -> list[tuple[str, str]]:
        """Return name and signature of each metric that was computed."""
        found = []
        corpus_scores = any(not entry.needs_segments for entry in self.board.statistics)
        for one in self.board.contenders:
            found.append((one.name, one.signature))
            if corpus_scores and one.system_signature != one.signature:
                found.append((f"{one.name}, systems", one.system_signature))
        return [(name, signature) for name, signature in found if signature]

    def bars(self) -> Any:
        """Return the chart of metrics and statistics."""
        from bleuet.report.charts.metric_charts import Bar, agreement_bars

        bars = []
        for contender, standings in zip(self.board.contenders, self.board.standings, strict=True):
            for entry, standing in zip(self.board.statistics, standings, strict=True):
                if standing.agreement is not None:
                    found = standing.agreement
                    bars.append(
                        Bar(contender.name, _titled(entry), found.value, found.low, found.high)
                    )
        return agreement_bars(bars)

    def dots(self) -> Any:
        """Return the chart of systems by metric and by people."""
        from bleuet.report.charts.metric_charts import Dot, metric_against_human

        whole = self.people.of_systems()
        assert whole is not None
        human = dict(zip(whole.systems, whole.system_means().tolist(), strict=True))
        return metric_against_human(
            [
                Dot(contender.name, system, score, human[system])
                for contender in self.board.contenders
                for system, score in _scores_of_systems(contender)
                if not isnan(score) and not isnan(human[system])
            ],
            human="share of judgments won" if self.people.kind == "judgments" else "people's score",
        )


def _titled(entry: Statistic) -> str:
    # Its own name says it where it is a statistic of systems.
    return entry.name if entry.name.startswith("system") else f"{entry.name} ({entry.level}s)"


def _scores_of_systems(contender: Contender) -> list[tuple[str, float]]:
    """The scores as the metric prints them: an error rate is not turned round."""
    matrix = contender.systems or contender.segments
    if matrix is None:
        return []
    sign = -1 if contender.lower_is_better else 1
    return list(zip(matrix.systems, (sign * matrix.system_means()).tolist(), strict=True))


def _grouped(board: Leaderboard) -> Iterator[str]:
    """Say which scores were compared with each other."""
    groupings = [
        f"{entry.name} {found[0].grouping}"
        for entry, found in _by_statistic(board)
        if found and found[0].grouping is not None
    ]
    if groupings:
        yield f"grouping: {', '.join(groupings)}"


def _left_out(board: Leaderboard) -> Iterator[str]:
    """Say of each statistic what it could not be made of."""
    for entry, found in _by_statistic(board):
        for what, counts in (
            (_undecided(entry, found), [one.left_out for one in found]),
            ("without a score", [one.missing for one in found]),
        ):
            if any(counts):
                yield f"{entry.name}: {_from_to(counts)} left out, {what}"


def _undecided(entry: Statistic, found: Sequence[Agreement]) -> str:
    """What is left out of a statistic: judgments that count neither way, or whole groups."""
    grouping = found[0].grouping if found else None
    if entry.coefficients is not None and grouping == "none":
        return "tied pairs"
    return f"{'systems' if grouping == 'system' else 'segments'} where it is undefined"


def _epsilons(board: Leaderboard) -> Iterator[str]:
    """Say which differences of a metric's scores a statistic took for ties."""
    for at, entry in enumerate(board.statistics):
        known = [
            f"{one.name} {found.epsilon:.3g}"
            for one, row in zip(board.contenders, board.standings, strict=True)
            if (found := row[at].agreement) is not None and found.epsilon is not None
        ]
        if known:
            yield f"{entry.name}: scores tie that differ by at most {', '.join(known)}"


def _by_statistic(board: Leaderboard) -> Iterator[tuple[Statistic, list[Agreement]]]:
    for at, entry in enumerate(board.statistics):
        standings = (row[at].agreement for row in board.standings)
        yield entry, [found for found in standings if found is not None]


def _from_to(counts: Sequence[int]) -> str:
    least, most = min(counts), max(counts)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def write_leaderboard(given: MetaGiven, told: Told) -> None:
    """Write the leaderboard in the format asked for."""
    with Destination(given.output) as out:
        FORMATS[given.format](out, told, given)


def write_picture(path: str, chart: Any, theme: str) -> None:
    """Write a chart to a file, which appears only when it is whole."""
    from bleuet.report.pictures import draw

    with Destination(path) as out:
        out.flush()
        out.buffer.write(draw(chart, path, theme))  # type: ignore[attr-defined]


def _cells(told: Told, given: MetaGiven) -> list[list[str]]:
    """A heading and one row per metric; ranks and p-values stand behind their statistic."""
    digits = DIGITS if given.width is None else given.width
    board = told.board
    ranked = [any(row[at].rank for row in board.standings) for at in range(len(board.statistics))]
    header = ["metric"]
    for entry, has_rank in zip(board.statistics, ranked, strict=True):
        header += [entry.name, "rank", "p"] if has_rank else [entry.name]
    rows = [header]
    for contender, standings in zip(board.contenders, board.standings, strict=True):
        row = [contender.name]
        for standing, has_rank in zip(standings, ranked, strict=True):
            row.append(_value(standing, digits))
            if has_rank:
                row += [str(standing.rank or NOTHING), _p_value(standing.p_value, digits)]
        rows.append(row)
    return rows


def _value(standing: Standing, digits: int) -> str:
    found = standing.agreement
    if found is None or isnan(found.value):
        return NOTHING
    text = f"{found.value:.{digits}f}"
    if found.low is None or found.high is None or isnan(found.low):
        return text
    return f"{text} [{found.low:.{digits}f}, {found.high:.{digits}f}]"


def _p_value(p_value: float | None, digits: int) -> str:
    return NOTHING if p_value is None or isnan(p_value) else f"{p_value:.{digits}f}"


def _write_text(out: IO[str], told: Told, given: MetaGiven) -> None:
    write_plain(out, _cells(told, given))
    out.write("\n")
    for line in told.lines():
        out.write(printable(line) + "\n")
    for name, signature in told.signatures():
        out.write(f"{printable(name)}|{signature}\n")


def _write_markdown(out: IO[str], told: Told, given: MetaGiven) -> None:
    write_markdown(out, _cells(told, given))
    out.write("\n")
    for line in told.lines():
        out.write(f"- {printable(line)}\n")
    for name, signature in told.signatures():
        out.write(f"- {printable(name)}: `{signature}`\n")


def _write_latex(out: IO[str], told: Told, given: MetaGiven) -> None:
    signatures = [f"{name}: {signature}" for name, signature in told.signatures()]
    write_latex(out, _cells(told, given), [*told.lines(), *signatures])


def _records(told: Told) -> Iterator[dict[str, Any]]:
    """One record per metric and statistic."""
    board = told.board
    for contender, standings in zip(board.contenders, board.standings, strict=True):
        for entry, standing in zip(board.statistics, standings, strict=True):
            found = standing.agreement
            used = contender.signature if entry.needs_segments else contender.system_signature
            if found is None:
                continue
            yield {
                "metric": contender.name,
                "statistic": entry.name,
                "level": entry.level,
                "grouping": found.grouping,
                "value": _or_none(found.value),
                "low": _or_none(found.low),
                "high": _or_none(found.high),
                "used": found.pairs_or_items,
                "left_out": found.left_out,
                "missing": found.missing,
                "epsilon": found.epsilon,
                "rank": standing.rank,
                "p_value": _or_none(standing.p_value),
                "signature": used or contender.signature or None,
            }


def _or_none(value: float | None) -> float | None:
    """JSON has no NaN."""
    return None if value is None or isnan(value) else value


def _write_json(out: IO[str], told: Told, given: MetaGiven) -> None:
    import json

    whole = {
        "notes": told.lines(),
        "agreement": [_rounded(record, given.width) for record in _records(told)],
    }
    out.write(json.dumps(whole, indent=1, ensure_ascii=not can_hold_all_of_unicode(out)) + "\n")


def _write_csv(out: IO[str], told: Told, given: MetaGiven) -> None:
    import csv

    records = [_rounded(record, given.width) for record in _records(told)]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(records[0] if records else ())
    writer.writerows(
        ["" if value is None else value for value in record.values()] for record in records
    )


def _rounded(record: dict[str, Any], width: int | None) -> dict[str, Any]:
    if width is None:
        return record
    return {
        key: round(value, width) if isinstance(value, float) else value
        for key, value in record.items()
    }


FORMATS: dict[str, Callable[[IO[str], Told, MetaGiven], None]] = {
    "text": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
}
