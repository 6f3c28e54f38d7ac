"""A fingerprint of references, to tell later whether two files were counted against the same."""

from __future__ import annotations

from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Fingerprint:
    """The SHA-256 of references, of which batch after batch is told; it tells nothing of them.

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
        """Take the next segments' references: a text, or a list of texts and None, for each."""
        parts: list[bytes] = []
        for given in references:
            texts = [given] if isinstance(given, str) else [t for t in given if t is not None]
            encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
            # Lengths go before texts, so that no two lists of texts are written alike.
            parts.append(b"%d:" % len(encoded))
            for text in encoded:
                parts += [b"%d:" % len(text), text]
        self._hash.update(b"".join(parts))

    def __str__(self) -> str:
        return self._hash.hexdigest()
