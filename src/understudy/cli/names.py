"""What a system is called in output: its file's name, which may hold anything."""

from __future__ import annotations

from understudy.errors import OptionError
from understudy.text.markup import in_latex, in_markdown, printable, well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from understudy.text.source import Source

__all__ = ["in_latex", "in_markdown", "names_of", "printable", "well_formed"]


def names_of(systems: Sequence[Source], what: str = "a system") -> list[str]:
    """Return short names where they tell the systems apart, else whole paths.

    Args:
        systems: the systems, or other files that are named.
        what: what each is, for the error.

    Raises:
        OptionError: a system was given twice.

    >>> from understudy.text.source import Source
    >>> names_of([Source("runs/a.txt"), Source("runs/b.txt")])
    ['a.txt', 'b.txt']
    >>> names_of([Source("1/out.txt"), Source("2/out.txt")])
    ['1/out.txt', '2/out.txt']
    """
    short = [well_formed(source.name) for source in systems]
    if len(set(short)) == len(short):
        return short
    whole = [well_formed(str(source)) for source in systems]
    twice = next((name for name in whole if whole.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice} was given twice as {what}: name each file once")
    return whole
