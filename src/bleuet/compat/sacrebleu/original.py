"""The sacrebleu package itself, which keeps the test sets: handed over to where it is installed."""

from __future__ import annotations

from importlib import import_module

from bleuet.errors import InputError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_found: ModuleType | None = None


def original(module: str) -> ModuleType:
    """Return a module of the sacrebleu package, such as "dataset".

    Raises:
        MissingExtraError: the package is not installed; the message holds the install command.
        InputError: its name was given to bleuet before it was imported.
    """
    global _found
    if _found is None:
        package = optional("sacrebleu")
        if package.__name__ != "sacrebleu":
            raise InputError(
                "sys.modules['sacrebleu'] is bleuet's, so the package that keeps the test sets "
                "cannot be reached: use bleuet.compat.sacrebleu.DATASETS once before putting "
                "bleuet in its place"
            )
        _found = package
    # By attribute first, as the package's name may be bleuet's by now.
    found: ModuleType | None = getattr(_found, module, None)
    return found or import_module(f"sacrebleu.{module}")
