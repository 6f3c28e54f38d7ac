"""The exceptions: every error understudy raises on purpose derives from `UnderstudyError`."""


class UnderstudyError(Exception):
    """Something understudy refuses, told in one sentence that says how to mend it."""


class InputError(UnderstudyError, ValueError):
    """Texts or files that cannot be scored as they are."""


class InputTypeError(InputError, TypeError):
    """An argument of the wrong kind, such as a bare string where a list of strings belongs."""


class OptionError(UnderstudyError, ValueError):
    """An option that does not exist, or a value it cannot take."""


class MissingExtraError(UnderstudyError, ImportError):
    """An optional library that is needed here and not installed."""


class TableError(UnderstudyError, ValueError):
    """Tables that cannot be added, selected or scored as asked."""


class SignatureError(UnderstudyError, ValueError):
    """A signature that no metric of the catalogue can be rebuilt from."""
