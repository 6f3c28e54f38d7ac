"""A fingerprint of references: it shows whether two tables were counted with the same ones."""

from __future__ import annotations

from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Fingerprint:
    """The SHA-256 of references that come batch by batch; the texts cannot be recovered from it.

    >>> one, other = Fingerprint(), Fingerprint()
    >>> one.update(["It rains.", ["It snows.", None]])
    >>> other.update(["It rains."])
    >>> other.update([["It snows."]])
    >>> str(one) == str(other), len(str(one))
    (True, 64)
    """

    def __init__(self) -> None:
        self._hash = sha256()

    def update(self, references: Iterable[Any]) -> None:
        """Add the references of the next segments: for each a text, or a list of texts and None."""
        parts: list[bytes] = []
        for entry in references:
            texts = [entry] if isinstance(entry, str) else [t for t in entry if t is not None]
            encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
            # Each text follows its length, so that different lists give different bytes.
            parts.append(b"%d:" % len(encoded))
            for text in encoded:
                parts += [b"%d:" % len(text), text]
        self._hash.update(b"".join(parts))

    def __str__(self) -> str:
        return self._hash.hexdigest()
