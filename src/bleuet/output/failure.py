"""The end of a command by an error: one line on standard error, and an exit code."""

from __future__ import annotations

import os
import sys

from bleuet.errors import BleuetError, OptionError
from bleuet.messages import in_short
from bleuet.output.destination import ReaderLeftError
from bleuet.output.escaping import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

INPUT_ERROR, USAGE_ERROR, INTERRUPTED = 1, 2, 130
# The variable with which an error that is not expected has its traceback.
TRACEBACK = "BLEUET_TRACEBACK"
# What needs the memory that is missing, by the folder of the package.
_NEEDS = {
    "text": ("read and keep the texts", "use fewer segments or systems at a time"),
    "engines": (
        "count the segments",
        "use fewer systems at a time, or look for a very long segment",
    ),
    "statistics": ("keep the counts", "score fewer systems, metrics or segments at a time"),
    "tablefile": ("read or write saved tables", "use fewer systems or metrics at a time"),
    "report": ("draw the page", "leave out the pictures, or systems"),
    "output": ("write the answer", "score fewer segments at a time"),
    **dict.fromkeys(
        (
            *("comparison", "evaluation", "explanation", "gate", "linting", "meta_evaluation"),
            *("minimum_bayes_risk", "resegmentation", "significance", "tuning"),
        ),
        ("compare the systems", "use fewer systems, metrics or segments at a time"),
    ),
}


def exit_code(error: BaseException, spelled: Callable[[BleuetError], str] = str) -> int:
    """Print why a command ends, in one line, and return what it exits with.

    Args:
        error: what ended it; one that is not expected is raised again with BLEUET_TRACEBACK.
        spelled: returns the message of an error about an option, as its user spells the option.
    """
    if isinstance(error, BleuetError):
        _end_generators(error)
        print_line(f"error: {' '.join(spelled(error).split())}")
        return USAGE_ERROR if isinstance(error, OptionError) else INPUT_ERROR
    if isinstance(error, ReaderLeftError):
        return 0
    # Python before 3.12 wraps an interruption of a class body that a library is imported with.
    if isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt):
        _end_generators(error)
        print_line("interrupted")
        return INTERRUPTED
    if isinstance(error, MemoryError):
        need = _need_of(error)
        _end_generators(error)
        print_line(f"error: {need}")
        return INPUT_ERROR
    if not isinstance(error, Exception) or TRACEBACK in os.environ:
        raise error
    _end_generators(error)
    print_line(f"error: {_about_unexpected(error)}")
    return INPUT_ERROR


def _end_generators(error: BaseException) -> None:
    """End the generators that wait for their next value, such as one that draws a progress bar.

    The frames of the traceback keep them alive, and the bar must go before the message comes.
    """
    from traceback import clear_frames

    clear_frames(error.__traceback__)


def _about_unexpected(error: Exception) -> str:
    """Return what is known of an error that is no BleuetError: of the system, or a fault."""
    name = type(error).__name__
    reason = in_short(error)
    return (
        f"the command failed ({f'{name}: {reason}' if reason else name}): set {TRACEBACK}=1 to see "
        "the traceback, which a report of an error needs"
    )


def _need_of(error: MemoryError) -> str:
    """Return what the memory was needed for: the last part of the program in the traceback."""
    need, advice = "run this command", "end other programs"
    place = error.__traceback__
    while place is not None:
        package, _, module = place.tb_frame.f_globals.get("__name__", "").partition(".")
        if package == "bleuet":
            need, advice = _NEEDS.get(module.partition(".")[0], (need, advice))
        place = place.tb_next
    return f"there is not enough memory to {need}: {advice}, or allow more memory"


def print_line(text: str) -> None:
    """Print a line on standard error; if that fails, go on without it."""
    if sys.stderr is None:
        return
    try:
        print("bleuet:", printable(text), file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = None
