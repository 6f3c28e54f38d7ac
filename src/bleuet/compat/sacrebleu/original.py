"""Access to the sacrebleu package, which has the test sets."""

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
        MissingExtraError: the package is not installed; the message contains the install command.
        InputError: bleuet replaced it in `sys.modules` before it was imported.
    """
    global _found
    if _found is None:
        package = optional("sacrebleu")
        if package.__name__ != "sacrebleu":
            raise InputError(
                "sys.modules['sacrebleu'] is bleuet's module, so the sacrebleu package and the "
                "test sets cannot be imported: use bleuet.compat.sacrebleu.DATASETS once before "
                "replacing sys.modules['sacrebleu']"
            )
        _found = package
    # By attribute first: sys.modules['sacrebleu'] may be bleuet's module by now.
    found: ModuleType | None = getattr(_found, module, None)
    return found or import_module(f"sacrebleu.{module}")
