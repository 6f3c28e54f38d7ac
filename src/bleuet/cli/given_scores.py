"""The options of external scores for commands that still have a parser of their own."""

from __future__ import annotations

from bleuet.cli.arguments import zero_or_one
from bleuet.cli.external_score_options import order_metrics as ordered
from bleuet.cli.external_score_options import score_files, table_layout
from bleuet.cli.refusals import check_known
from bleuet.errors import OptionError
from bleuet.studies.external_score_files import read_external_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bleuet.cli.arguments import Parser
    from bleuet.studies.external_score_files import Numbers
    from bleuet.studies.significance.segment_mean import SegmentMean

__all__ = ["ScoresGiven", "add_scores", "check_scores", "files_of_scores", "ordered"]


class ScoresGiven:
    """The arguments of external scores by name, with their defaults."""

    scores: Any = None
    lower_is_better: Any = None
    columns: Any = None
    first_segment: int = 0
    average = False


def add_scores(parser: Parser) -> None:
    """Add the options of external scores to a parser."""
    from bleuet.cli.external_score_options import EXTERNAL_SCORES

    add = parser.add_argument_group("external scores").add_argument
    for flag in EXTERNAL_SCORES:
        if flag.kind == "switch":
            add(*flag.names, action="store_true", help=flag.help)
        elif flag.many:
            add(
                *flag.names, nargs="+", action="extend", metavar=flag.metavar,
                default=None, help=flag.help,
            )  # fmt: skip
        else:
            add(
                *flag.names, type=zero_or_one, metavar=flag.metavar, default=0,
                help=flag.help.replace("{default}", "0"),
            )  # fmt: skip


def files_of_scores(given: ScoresGiven) -> dict[str, list[str]]:
    """Return the files of each name of --scores."""
    return score_files(given.scores)


def check_scores(given: ScoresGiven) -> None:
    """Check that the options of external scores fit together."""
    names = list(files_of_scores(given))
    for flag, value in (
        ("--lower-is-better", given.lower_is_better),
        ("--columns", given.columns),
        ("--first-segment", given.first_segment),
        ("--average", given.average),
    ):
        if value and not names:
            raise OptionError(f"{flag} needs external scores: add --scores")
    check_known(given.lower_is_better or (), names, "--lower-is-better")


def read_given_scores(
    given: ScoresGiven, systems: Mapping[str, str], segments: int, each: str = "system"
) -> dict[SegmentMean, dict[str, Numbers]]:
    """Read the external scores; arguments as in `external_score_options.read_scores`."""
    return read_external_scores(
        files_of_scores(given),
        systems,
        segments,
        lower_is_better=given.lower_is_better or (),
        layout=table_layout(given),  # type: ignore[arg-type]
        each=each,
    )
