"""Signatures: what a reader needs to compute the same number again."""

from __future__ import annotations

from understudy.errors import SignatureError
from understudy.frozen import Frozen
from understudy.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SACREBLEU = "sacrebleu-2.6.0"

# sacreBLEU's short keys; keys of our own are short already.
SHORT_KEYS = {"version": "v", "nrefs": "#"}


class Signature(Frozen):
    """The configuration behind a score, as `key:value` pairs in a fixed order.

    Keys and order are sacreBLEU's; what sacreBLEU leaves out (an n-gram order that is not the
    default, say) follows before the version, and only where it differs from the default.

    Args:
        name: the metric's printed name, such as "chrF2++".
        pairs: keys and values, "nrefs" first and "version" last.
        short_keys: the metric's own short keys.

    >>> print(Signature("BLEU", [("nrefs", "1"), ("case", "mixed")], {"case": "c"}).short())
    #:1|c:mixed
    """

    __slots__ = ("name", "pairs", "short_keys")
    _fields = ("name", "pairs")
    name: str
    pairs: tuple[tuple[str, str], ...]
    short_keys: dict[str, str]

    def __init__(
        self,
        name: str,
        pairs: Sequence[tuple[str, str]],
        short_keys: dict[str, str] | None = None,
    ) -> None:
        self._set(name=name, pairs=tuple(pairs), short_keys={**SHORT_KEYS, **(short_keys or {})})

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in self.pairs)

    def short(self) -> str:
        """Return the signature with sacreBLEU's short keys."""
        return "|".join(f"{self.short_keys.get(key, key)}:{value}" for key, value in self.pairs)

    def full(self) -> str:
        """Return the signature with the metric's name before it, as printed beside a score."""
        return f"{self.name}|{self}"

    def to_dict(self) -> dict[str, str]:
        """Return the pairs as a dict, in order."""
        return dict(self.pairs)


def version_of(in_sacrebleu: bool) -> str:
    """Return the version field, which names sacreBLEU where its numbers are the same."""
    return f"understudy-{__version__}" + (f"={SACREBLEU}" if in_sacrebleu else "")


def number_of_references(n_references: int | None) -> str:
    """Return the value of `nrefs`: a number, or 'var' where segments differ."""
    return "var" if n_references is None else str(n_references)


def yes_no(value: bool) -> str:
    """Return 'yes' or 'no'.

    >>> yes_no(True)
    'yes'
    """
    return "yes" if value else "no"


def parse_pairs(text: str) -> tuple[str | None, dict[str, str]]:
    """Split a signature into the metric's name, where it has one, and its pairs.

    Raises:
        SignatureError: a part is no `key:value` pair.

    >>> parse_pairs("TER|nrefs:1|case:lc")
    ('TER', {'nrefs': '1', 'case': 'lc'})
    """
    parts = text.strip().split("|")
    name = parts.pop(0) if ":" not in parts[0] else None
    pairs: dict[str, str] = {}
    for part in parts:
        key, colon, value = part.partition(":")
        if not colon or not key:
            raise SignatureError(
                f"a signature is made of key:value pairs joined by '|', but {part!r} is none"
            )
        pairs[key] = value
    return name, pairs
