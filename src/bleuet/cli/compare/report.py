"""The files that `bleuet compare` writes besides its output: the page and the pictures."""

from __future__ import annotations

import os

from bleuet.cli.destination import Destination, check_destination
from bleuet.errors import InputError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.compare.arguments import CompareGiven
    from bleuet.report import Report
    from bleuet.studies.comparison import Comparison


def check_report(given: CompareGiven, inputs: Sequence[str]) -> None:
    """Refuse what could not be written or drawn, before anything is read.

    Raises:
        OptionError: a name is missing, or that of a file that is read.
        InputError: a folder stands in the way, is missing or may not be written.
        MissingExtraError: the libraries that draw are not installed.
    """
    if given.html is not None:
        check_destination(given.html, inputs, "--html")
    if given.pictures is not None:
        _check_folder(given.pictures)
    if given.html is not None or given.pictures is not None:
        # Loads the libraries that draw.
        from bleuet.report import Report  # noqa: F401


def _check_folder(folder: str) -> None:
    if not folder:
        raise OptionError("--pictures names no folder: is a variable of the shell empty?")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"{folder} is a file; --pictures expects a folder: choose another name")
    above = os.path.dirname(os.path.realpath(folder))
    if not os.path.isdir(above):
        raise InputError(f"{folder} cannot be made, for there is no folder {above}: make it first")


def write_report(given: CompareGiven, comparison: Comparison) -> None:
    """Write the page and the pictures that were asked for."""
    if given.html is None and given.pictures is None:
        return
    from bleuet.report import Report

    report = Report(comparison, title=given.title, command=given.command_line)
    if given.html is not None:
        with Destination(given.html) as out:
            out.write(report.to_html())
    if given.pictures is not None:
        _write_pictures(given.pictures, report)


def _write_pictures(folder: str, report: Report) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made ({error.strerror}): choose another") from error
    for name, content in report.pictures():
        with Destination(os.path.join(folder, name)) as out:
            out.flush()
            out.buffer.write(content)  # type: ignore[attr-defined]
