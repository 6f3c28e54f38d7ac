"""Settings of studies: each is declared once, with its default, its values and one line of help.

The check of a setting, the arguments in a docstring and the flag of the command line follow.
"""

from __future__ import annotations

from bleuet.frozen import Value
from bleuet.metrics.base.option import Option, documented, option
from bleuet.statistics.seed import SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class Between(Value):
    """The check of a number that lies between two others, and equals neither.

    Attributes:
        low: the number below all values.
        high: the number above all values.
        example: a value, for the message.
    """

    low: float
    high: float
    example: float

    def __call__(self, value: float) -> float:
        """Return a value that is in the range, or raise `ValueError`."""
        if not self.low < value < self.high:
            # The lowest number may be nearly 0, so that it need not be said.
            low = round(self.low, 9)
            raise ValueError(
                f"must be between {low:g} and {self.high:g}, such as {self.example}, not {value!r}"
            )
        return value


class StudySettings(Value, kw_only=True):
    """The settings of a study, which its class declares as `option`s.

    >>> class Sampling(StudySettings, kw_only=True):
    ...     draws: int = option(default=1000, help="the number of draws", least=2)
    >>> Sampling(draws=1)
    Traceback (most recent call last):
        ...
    bleuet.errors.OptionError: draws must be a whole number of at least 2, not 1
    """

    # The settings by name; a class may have fields beside them.
    declared: ClassVar[dict[str, Option]] = {}
    _checked = True

    def __init_subclass__(cls) -> None:
        own = {name: one for name, one in cls._defaults.items() if isinstance(one, Option)}
        for name, one in own.items():
            one.__set_name__(cls, name)
        cls.declared = {**cls.declared, **own}
        cls._defaults = {**cls._defaults, **{name: one.default for name, one in own.items()}}
        if cls.__doc__:
            cls.__doc__ = documented(cls.__doc__, cls.declared.values())

    def _complete(self) -> None:
        checked = {n: one.checked(getattr(self, n), "") for n, one in self.declared.items()}
        self._set(**checked)


class IntervalSettings(StudySettings, kw_only=True):
    """The settings of bootstrap intervals."""

    draws: int | None = option(
        default=None, help="the number of bootstrap draws; default 1,000", least=2
    )
    seed: int | None = option(
        default=SEED, help="the random seed; None draws differently each time", least=0
    )
    confidence: float = option(
        default=0.95,
        help="the confidence level, which is the share of draws inside the intervals",
        check=Between(0, 1, 0.95),
    )
