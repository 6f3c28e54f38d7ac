"""Signatures of sacreBLEU 1, such as `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1`.

They are rewritten as sacreBLEU 2 would write them, which metrics read.
"""

from __future__ import annotations

from bleuet.errors import SignatureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_WHOLE = r"(BLEU|chrF\d+|TER)((?:\+[a-z#S]+\.[^+|]+)+)"
# Keys that belong to no metric, as sacreBLEU 2 writes them.
_SHARED = {"numrefs": "nrefs", "#": "nrefs", "version": "version", "v": "version"} | {
    name: long
    for long in ("test", "lang", "origlang", "subset")
    for name in (long, {"test": "t", "lang": "l", "origlang": "o", "subset": "S"}[long])
}
_BLEU = {"case": "case", "c": "case", "smooth": "smooth", "s": "smooth", "tok": "tok"}
_CHRF = {"case": "case", "c": "case", "numchars": "nc", "n": "nc", "space": "space", "s": "space"}
# What the signature does not say, since sacreBLEU 1 could not change it for a corpus.
_FIXED_OF_BLEU = {"eff": "no"}
_FIXED_OF_CHRF = {"case": "mixed", "eff": "yes", "nw": "0"}
_SMOOTHING = r"(floor|add-k) ?[\[(](\d+(?:\.\d+)?)[\])]"
_TERCOM = r"tercom-(no)?norm-(no)?punct-(no)?asian-(un)?cased"


def is_of_sacrebleu_1(text: str) -> bool:
    """Return whether a text looks like a signature of sacreBLEU 1.

    >>> is_of_sacrebleu_1("chrF2+numchars.6+space.false+version.1.5.1")
    True
    >>> is_of_sacrebleu_1("chrF2++"), is_of_sacrebleu_1("BLEU|nrefs:1|case:mixed")
    (False, False)
    """
    return "+" in text and _match(_WHOLE, text.strip()) is not None


def as_of_sacrebleu_2(text: str) -> str:
    """Return a signature of sacreBLEU 1 as sacreBLEU 2 would write it; another text unchanged.

    Raises:
        SignatureError: a key or its value is unknown.

    >>> as_of_sacrebleu_2("BLEU+case.lc+numrefs.1+smooth.floor[0.10]+tok.13a+version.1.5.1")
    'BLEU|eff:no|case:lc|nrefs:1|smooth:floor[0.10]|tok:13a|version:1.5.1'
    """
    whole = _match(_WHOLE, text.strip()) if "+" in text else None
    if whole is None:
        return text
    name, rest = whole.groups()
    parts = [part.partition(".")[::2] for part in rest[1:].split("+")]
    if name == "TER":
        pairs = _of_ter(parts)
    elif name == "BLEU":
        pairs = _FIXED_OF_BLEU | {
            long: _smoothing(value) if long == "smooth" else value
            for key, value in parts
            for long in [_long_key(key, _BLEU, name)]
        }
    else:
        pairs = _FIXED_OF_CHRF | {
            long: _space(value) if long == "space" else value
            for key, value in parts
            for long in [_long_key(key, _CHRF, name)]
        }
    if pairs.get("nrefs") == "?":  # sacreBLEU's interface of Python did not know the number
        del pairs["nrefs"]
    return "|".join([name, *(f"{key}:{value}" for key, value in pairs.items())])


def _match(pattern: str, text: str) -> re.Match[str] | None:
    import re  # commands do not need it at their start

    return re.fullmatch(pattern, text)


def _long_key(key: str, own: dict[str, str], name: str) -> str:
    known = {**_SHARED, **own}
    if key not in known:
        raise SignatureError(
            f"the signature has the key {key}, which is unknown in a signature of sacreBLEU 1 for "
            f"{name}: its keys are {', '.join(word for word in known if len(word) > 1)}"
        )
    return known[key]


def _smoothing(value: str) -> str:
    """Return a smoothing with its parameter in brackets, as sacreBLEU 2 writes it."""
    if value in ("exp", "none"):
        return value
    found = _match(_SMOOTHING, value)
    if found is None:
        raise SignatureError(
            f"the signature's smooth must be exp, none, floor[N] or add-k[N] with its number N, "
            f"not {value!r}"
        )
    return f"{found[1]}[{found[2]}]"


def _space(value: str) -> str:
    if value.lower() == "false":
        return "no"
    if value.lower() == "true":
        raise SignatureError(
            "the signature's space is true, and then the command of sacreBLEU 1 counted the ends "
            "of lines too, so its score cannot be computed here: chrf:whitespace is nearest"
        )
    raise SignatureError(f"the signature's space must be true or false, not {value!r}")


def _of_ter(parts: list[tuple[str, str]]) -> dict[str, str]:
    """Return the pairs of TER, whose options were all parts of `tok`."""
    pairs: dict[str, str] = {}
    for key, value in parts:
        long = _long_key(key, {"tok": "tok"}, "TER")
        if long != "tok":
            pairs[long] = value
            continue
        found = _match(_TERCOM, value)
        if found is None:
            raise SignatureError(
                "the signature's tok must be as in tercom-nonorm-punct-noasian-uncased, not "
                f"{value!r}"
            )
        norm, punct, asian = ("no" if no else "yes" for no in found.groups()[:3])
        case = "lc" if found[4] else "mixed"
        pairs |= {"case": case, "tok": "tercom", "norm": norm, "punct": punct, "asian": asian}
    return pairs
