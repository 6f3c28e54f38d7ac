"""Libraries that read their own docstrings, imported with them where Python drops docstrings."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType


def import_with_docstrings(library: str) -> ModuleType:
    """Import a library, although `python -OO` drops docstrings.

    Args:
        library: its name; the modules that its import needs are compiled each time.

    Raises:
        ImportError: it is not installed.
    """
    finder = _Finder(library)
    sys.meta_path.insert(0, finder)
    try:
        return import_module(library)
    finally:
        sys.meta_path.remove(finder)


class _Finder:
    """Finds the modules of one library."""

    def __init__(self, library: str) -> None:
        self._library = library

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] != self._library:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    """Compiles a module as `python -O` does, which keeps docstrings."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = compile(self.get_data(path), path, "exec", dont_inherit=True, optimize=1)
        return code
