"""The exceptions: every error bleuet raises on purpose derives from `BleuetError`."""

from __future__ import annotations


class BleuetError(Exception):
    """An error that bleuet raises on purpose.

    `str(error)` is one line: what was expected, what came and how to fix it. Where the error is
    about an option of a metric, the line begins with the option as Python spells it, and
    `error.naming("--smooth-value")` is the same line for those who type the option in another way.

    Args:
        reason: the message; with `option`, what follows the option's name.
        metric: the class of the metric that the option belongs to, such as "MeanBLEU".
        option: the name of the option; "" where the error is about none.
        value: the value that was rejected.

    >>> error = OptionError("must be True or False, not 1", metric="BLEU", option="lowercase")
    >>> str(error), error.naming("--lowercase")
    ('BLEU: lowercase must be True or False, not 1', '--lowercase must be True or False, not 1')
    """

    def __init__(
        self, reason: str = "", *, metric: str = "", option: str = "", value: object = None
    ) -> None:
        # What came may be quoted, and have lines.
        reason = " ".join(reason.split()) if "\n" in reason else reason
        super().__init__(reason)
        self.reason = reason
        self.metric = metric
        self.option = option
        self.value = value

    def naming(self, name: str) -> str:
        """Return the message with the option spelled as `name`."""
        return f"{name} {self.reason}" if self.option else self.reason

    def __str__(self) -> str:
        return self.naming(f"{self.metric}: {self.option}" if self.metric else self.option)


class InputError(BleuetError, ValueError):
    """Texts or files that cannot be scored as they are."""


class InputTypeError(InputError, TypeError):
    """An argument of the wrong type, such as a bare string instead of a list of strings."""


class OptionError(BleuetError, ValueError):
    """An option that does not exist, or a value that it does not accept."""


class MissingExtraError(BleuetError, ImportError):
    """An optional library that is needed here and not installed."""


class TableError(BleuetError, ValueError):
    """Tables that cannot be added, selected or scored as requested."""


class SignatureError(BleuetError, ValueError):
    """A signature that describes no metric of the catalogue."""
