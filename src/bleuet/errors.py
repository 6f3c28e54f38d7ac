"""The exceptions: every error derives from `BleuetError`, every warning from `BleuetWarning`."""

from __future__ import annotations

# The most characters of a message, which one with the name of every metric does not reach.
LONGEST_MESSAGE = 1000
# What is left of a longer one: the problem, and at its end how to fix it.
_BEGIN, _END = 600, 300
# A longer word in a message is quoted from the input; its two ends are enough to recognize it.
_LONGEST_WORD = 100


class BleuetError(Exception):
    """An error that bleuet raises on purpose.

    `str(error)` is one line: what was expected, what came and how to fix it. What it quotes is cut
    where the line would have more than 1,000 characters. If the error is about an option of a
    metric, the line begins with the name of the option in Python, and
    `error.naming("--smooth-value")` is the same line with the name that users typed.

    Args:
        reason: the message; with `option`, what follows the option's name.
        metric: the class of the metric that the option belongs to, such as "MeanBLEU".
        option: the name of the option; "" if the error is about none.
        value: the value that was rejected.

    >>> error = OptionError("must be True or False, not 1", metric="BLEU", option="lowercase")
    >>> str(error), error.naming("--lowercase")
    ('BLEU: lowercase must be True or False, not 1', '--lowercase must be True or False, not 1')
    """

    def __init__(
        self, reason: str = "", *, metric: str = "", option: str = "", value: object = None
    ) -> None:
        # What came may be quoted, and have lines.
        reason = cut_message(" ".join(reason.split()) if "\n" in reason else reason)
        super().__init__(reason)
        self.reason = reason
        self.metric = metric
        self.option = option
        self.value = value

    def naming(self, name: str) -> str:
        """Return the message with the option spelled as `name`."""
        return cut_message(f"{name} {self.reason}") if self.option else self.reason

    def __str__(self) -> str:
        return self.naming(f"{self.metric}: {self.option}" if self.metric else self.option)


def cut_message(text: str) -> str:
    """Return a message without the middle of the long words that it quotes, and of itself.

    >>> message = cut_message("no option " + "x" * 10**6 + "=1; expected one of BLEU: remove it")
    >>> message[:15], message[70:75], message[-35:]
    ('no option xxxxx', '...xx', '=1; expected one of BLEU: remove it')
    """
    if len(text) <= LONGEST_MESSAGE:
        return text
    words = [
        word if len(word) <= _LONGEST_WORD else f"{word[:60]}...{word[-20:]}"
        for word in text.split(" ")
    ]
    text = " ".join(words)
    if len(text) <= LONGEST_MESSAGE:
        return text
    return f"{text[:_BEGIN]} ... {text[-_END:]}"


class InputError(BleuetError, ValueError):
    """Texts or files that cannot be scored as they are."""


class TooLongError(InputError):
    """A segment that is too long for a metric, whose comparison would take minutes."""


class InputTypeError(InputError, TypeError):
    """An argument of the wrong type, such as a bare string instead of a list of strings."""


class OptionError(BleuetError, ValueError):
    """An option that does not exist, or a value that it does not accept."""


class MissingExtraError(BleuetError, ImportError):
    """An optional library that is needed here and not installed."""


class TableError(BleuetError, ValueError):
    """Tables that cannot be added, selected or scored as requested."""


class MismatchError(TableError):
    """Stored scores or counts of another test set, or by other settings, than what they meet."""


class SignatureError(BleuetError, ValueError):
    """A signature that describes no metric of the catalogue."""


class BleuetWarning(UserWarning):
    """A warning that a score may not mean what it seems to.

    Its text is the sentence that the command line prints.
    """


def warn_caller(message: str, category: type[BleuetWarning] = BleuetWarning) -> None:
    """Warn with the line of code that has called this package.

    Args:
        message: one sentence without a full stop.
        category: the class of the warning.
    """
    # Most runs warn of nothing.
    import sys
    import warnings

    package = __name__.partition(".")[0]
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    warnings.warn(cut_message(message), category, stacklevel=level)
