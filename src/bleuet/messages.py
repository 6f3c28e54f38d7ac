"""Parts that error messages share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


# The longest text of a value that a message quotes.
LONGEST = 80


def shown(value: object) -> str:
    """Return a rejected value as Python writes it, but cut where it is long.

    >>> shown("13b"), len(shown("x" * 1000)), shown(10**5000)
    ("'13b'", 83, 'a long int')
    """
    try:
        text = repr(value)
    except Exception:  # Python writes no int of more than 4300 digits; others can fail in any way
        return f"a long {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def nearest(wanted: str, names: Collection[str]) -> str:
    """Return ' (did you mean X?)' for the name nearest to a misspelt one, or nothing.

    >>> nearest("blue", ["bleu", "chrf"])
    ' (did you mean bleu?)'
    """
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in names}
    found = get_close_matches(wanted.lower(), by_lower, n=1, cutoff=0.5)
    return f" (did you mean {by_lower[found[0]]}?)" if found else ""


def plural(count: int, noun: str) -> str:
    """Return a number with its noun, which takes an s unless the number is 1.

    >>> plural(1, "segment"), plural(2000, "segment")
    ('1 segment', '2,000 segments')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
