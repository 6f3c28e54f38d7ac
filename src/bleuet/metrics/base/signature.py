"""Signatures: everything that a reader needs to compute the same score again."""

from __future__ import annotations

from bleuet.errors import SignatureError
from bleuet.frozen import Value
from bleuet.metrics.base.sacrebleu_1 import as_of_sacrebleu_2, is_of_sacrebleu_1
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SACREBLEU = "sacrebleu-2.6.0"

# sacreBLEU's short keys; keys of our own are short already.
SHORT_KEYS = {
    "version": "v",
    "nrefs": "#",
    "seed": "rs",
    "test": "t",
    "lang": "l",
    "origlang": "o",
    "subset": "S",
}


class Signature(Value):
    """The options behind a score, as `key:value` pairs in a fixed order.

    Keys and order are those of sacreBLEU. Other keys, such as that of an n-gram order, come before
    the version, and only where the value is not the default.

    Args:
        name: the metric's printed name, such as "chrF2++".
        pairs: keys and values, "nrefs" first and "version" last.
        short_keys: the metric's own short keys.

    >>> print(Signature("BLEU", [("nrefs", "1"), ("case", "mixed")], {"case": "c"}).short())
    #:1|c:mixed
    """

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
        usual = type(pairs) is list and set(map(type, pairs)) == {tuple}
        keys = {} if short_keys is None else short_keys
        usual = usual and type(keys) is dict and set(map(type, keys.values())) <= {str}
        if not usual or type(name) is not str:
            from bleuet.argument_types import check_call

            check_call(Signature.__init__, (self, name, pairs, short_keys), {})
        self._set(name=name, pairs=tuple(pairs), short_keys={**SHORT_KEYS, **(short_keys or {})})

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in self.pairs)

    def __repr__(self) -> str:
        return f"<{self.full()}>"

    def short(self) -> str:
        """Return the signature with sacreBLEU's short keys."""
        return "|".join(f"{self.short_keys.get(key, key)}:{value}" for key, value in self.pairs)

    def full(self) -> str:
        """Return the signature with the name of the metric before it, as scores are printed."""
        return f"{self.name}|{self}"

    def to_dict(self) -> dict[str, str]:
        """Return the pairs as a dict, in order."""
        return dict(self.pairs)


def version_of(in_sacrebleu: bool) -> str:
    """Return the value of `version`, which names sacreBLEU if its score is the same."""
    return f"bleuet-{__version__}" + (f"={SACREBLEU}" if in_sacrebleu else "")


def number_of_references(n_references: int | None) -> str:
    """Return the value of `nrefs`: a number, or 'var' where segments differ."""
    return "var" if n_references is None else str(n_references)


# Keys that programs add for their tests and test sets; they do not belong to a metric.
FOREIGN_KEYS = frozenset(
    [
        *("nrefs", "version", "bs", "ar", "seed", "p", "ties", "docs", "draw"),
        *("test", "lang", "origlang", "subset"),
    ]
)
# The key of texts that were cut before they are scored, which every metric can have.
ALIGN_KEY = "align"


def is_signature(text: str) -> bool:
    """Return whether a text looks like a signature of bleuet or sacreBLEU.

    >>> is_signature("BLEU|nrefs:1|case:mixed"), is_signature("BLEU+case.lc+tok.13a")
    (True, True)
    >>> is_signature("bleu:lowercase")
    False
    """
    return "|" in text or is_of_sacrebleu_1(text)


class ParsedSignature:
    """The pairs of a signature, which a metric takes one by one until none is left.

    Args:
        text: with or without the metric's name before it, with long or short keys; a signature of
            sacreBLEU 1 has the name.

    Raises:
        SignatureError: it is empty, or a part is not a `key:value` pair.

    >>> parsed = ParsedSignature("TER|nrefs:1|norm:no")
    >>> parsed.name, parsed.take("norm")
    ('TER', 'no')
    """

    def __init__(self, text: str) -> None:
        parts = as_of_sacrebleu_2(text).strip().split("|")
        self.name = parts.pop(0) if ":" not in parts[0] else None
        if not parts:
            raise SignatureError(
                f"a signature has key:value pairs joined by '|', but {text!r} has none"
            )
        self.pairs: dict[str, str] = {}
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon or not key:
                raise SignatureError(
                    f"a signature has key:value pairs joined by '|', but {part!r} is not one"
                )
            self.pairs[key] = value

    @property
    def n_references(self) -> str:
        """The value of `nrefs`, "" if the signature has none.

        >>> ParsedSignature("#:2|c:mixed").n_references
        '2'
        """
        return self.pairs.get("nrefs") or self.pairs.get(SHORT_KEYS["nrefs"], "")

    def with_long_keys(self, short_keys: dict[str, str]) -> ParsedSignature:
        """Return the same signature with long keys, given the short keys of a metric."""
        known = {**SHORT_KEYS, **short_keys}
        long_keys = {short: key for key, short in known.items()}
        longer = ParsedSignature.__new__(ParsedSignature)
        longer.name = self.name
        longer.pairs = {long_keys.get(key, key): value for key, value in self.pairs.items()}
        return longer

    def take(self, key: str, *, optional: bool = False) -> str | None:
        """Return the value of a key and remove the key; None if it is optional and missing.

        Raises:
            SignatureError: the key is missing and not optional.
        """
        if key not in self.pairs and not optional:
            raise SignatureError(f"the signature has no key {key}, which its metric needs")
        return self.pairs.pop(key, None)

    def finish(self) -> None:
        """Reject a key that the metric has not read, because it could change the number.

        Raises:
            SignatureError: there is such a key.
        """
        left = [key for key in self.pairs if key not in FOREIGN_KEYS]
        if left:
            raise SignatureError(
                f"the signature has the key {left[0]}, which this version of bleuet does not "
                "know: use the version that wrote it"
            )
