"""The exceptions: every error bleuet raises on purpose derives from `BleuetError`."""


class BleuetError(Exception):
    """Something bleuet refuses, told in one sentence that says how to mend it."""


class InputError(BleuetError, ValueError):
    """Texts or files that cannot be scored as they are."""


class InputTypeError(InputError, TypeError):
    """An argument of the wrong kind, such as a bare string where a list of strings belongs."""


class OptionError(BleuetError, ValueError):
    """An option that does not exist, or a value it cannot take."""


class MissingExtraError(BleuetError, ImportError):
    """An optional library that is needed here and not installed."""


class TableError(BleuetError, ValueError):
    """Tables that cannot be added, selected or scored as asked."""


class SignatureError(BleuetError, ValueError):
    """A signature that no metric of the catalogue can be rebuilt from."""
