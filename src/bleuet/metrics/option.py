"""An option of a metric, described once for the constructor, the signature and the command line."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.frozen import Frozen
from bleuet.messages import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


class Option(Frozen):
    """One option of a metric.

    Args:
        name: the constructor's argument.
        default: its default; its type is the option's type. None stands for a number that
            depends on another option.
        help: what it does, for the command line, in one line.
        choices: the values it can take, where they are few.
        many: the option takes several numbers.
        on_command_line: the command line has it; not so for what only concerns token ids.
        depends: a flag whose default depends on another option, so that yes and no can both be
            asked for; the constructor takes None for that default.
    """

    __slots__ = ("choices", "default", "depends", "help", "many", "name", "on_command_line")
    _fields = ("name", "default", "help", "choices", "many", "on_command_line", "depends")
    name: str
    default: object
    help: str
    choices: tuple[str, ...]
    many: bool
    on_command_line: bool
    depends: bool

    def __init__(
        self,
        name: str,
        default: object,
        help: str,  # noqa: A002
        choices: Collection[str] = (),
        *,
        many: bool = False,
        on_command_line: bool = True,
        depends: bool = False,
    ) -> None:
        self._set(name=name, default=default, help=help, choices=tuple(choices), many=many)
        self._set(on_command_line=on_command_line, depends=depends)


def check_choice(metric: str, name: str, value: object, choices: Collection[str]) -> None:
    """Refuse a value that is none of the choices, naming the nearest."""
    if isinstance(value, str) and value in choices:
        return
    hint = nearest(value, choices) if isinstance(value, str) else ""
    raise OptionError(f"{metric}: {name} must be one of {', '.join(choices)}, not {value!r}{hint}")


def check_flag(metric: str, name: str, value: object) -> None:
    """Refuse anything but True and False, so that 'no' or 0 does not pass for a choice."""
    if not isinstance(value, bool):
        raise OptionError(f"{metric}: {name} must be True or False, not {value!r}")


def check_order(metric: str, name: str, value: object, least: int) -> None:
    """Refuse an n-gram order that is no whole number or too small or absurdly large."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MAX_ORDER:
        raise OptionError(
            f"{metric}: {name} must be a whole number from {least} to {MAX_ORDER}, not {value!r}"
        )


def check_number(metric: str, name: str, value: object, least: float) -> None:
    """Refuse a value that is no finite number of at least `least`."""
    good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good or not least <= value < float("inf"):  # type: ignore[operator]
        raise OptionError(
            f"{metric}: {name} must be a finite number of at least {least:g}, not {value!r}"
        )


MAX_ORDER = 1000
