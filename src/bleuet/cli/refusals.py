"""What all commands refuse alike: empty names, standard input read twice, impossible numbers."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.messages import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_WIDTH = 17


def refuse_empty_names(paths: Iterable[str]) -> None:
    """Refuse a file without a name, which an unset variable of the shell leaves."""
    if not all(paths):
        raise OptionError(
            "an empty name stands where a file belongs: is a variable of the shell empty?"
        )


def refuse_second_stdin(paths: Iterable[str | None]) -> None:
    """Refuse to read standard input for more than one file."""
    if list(paths).count("-") > 1:
        raise OptionError("standard input can be read only once: give all others as files")


def check_width(width: int | None) -> None:
    """Refuse a number of digits that no float has."""
    if width is not None and not 0 <= width <= MAX_WIDTH:
        raise OptionError(f"--width must be from 0 to {MAX_WIDTH}, not {width}")


def check_threads(threads: int) -> None:
    """Refuse a number of threads below 0, which stands for one per core."""
    if threads < 0:
        raise OptionError(f"--threads must be 0, for one per core, or more, not {threads}")


def check_known(names: Sequence[str], known: Sequence[str], flag: str) -> None:
    """Refuse names of an option that stand for nothing.

    Raises:
        OptionError: a name is not known; the message names the nearest.
    """
    for name in names:
        if name not in known:
            raise OptionError(
                f"{flag}: there is no {name}{nearest(name, known)}; there are {', '.join(known)}"
            )
