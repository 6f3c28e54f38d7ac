"""The catalogue: every metric by name. A new metric adds one line."""

from __future__ import annotations

from importlib import import_module

from bleuet.errors import OptionError, SignatureError
from bleuet.frozen import Frozen
from bleuet.messages import nearest
from bleuet.metrics.signature import YES_NO, ParsedSignature, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.option import Option


class Entry(Frozen):
    """One line of the catalogue.

    Args:
        path: where the metric is, as module:class, imported when it is asked for.
        summary: what it is, in one line.
        marks: sets of keys, one of which only this metric's signature has; the second set is
            that of short keys.
        flag: what its options begin with on the command line; BLEU's stand bare, as in sacreBLEU.
    """

    __slots__ = ("flag", "marks", "path", "summary")
    _fields = ("path", "summary", "marks", "flag")
    path: str
    summary: str
    marks: tuple[frozenset[str], ...]
    flag: str

    def __init__(self, path: str, summary: str, marks: Sequence[str], flag: str) -> None:
        self._set(path=path, summary=summary, flag=flag)
        self._set(marks=tuple(frozenset(mark.split()) for mark in marks))

    def load(self) -> type[Metric]:
        """Import the metric."""
        module, _, name = self.path.partition(":")
        found: type[Metric] = getattr(import_module(module), name)
        return found


CATALOGUE: dict[str, Entry] = {
    "bleu": Entry(
        "bleuet.metrics.bleu:BLEU", "clipped word n-gram precision", ("smooth", "tok s"), ""
    ),
    "mean-bleu": Entry(
        "bleuet.metrics.mean_bleu:MeanBLEU", "mean of sentence BLEU", ("mean",), "mean-bleu-"
    ),
    "chrf": Entry("bleuet.metrics.chrf:CHRF", "character n-gram F-score", ("nc nw",), "chrf-"),
    "ter": Entry("bleuet.metrics.ter:TER", "edits per reference word", ("norm", "nr"), "ter-"),
}

# Names for a metric with some options set: (name in the catalogue, options).
PRESETS: dict[str, tuple[str, dict[str, object]]] = {
    "chrf++": ("chrf", {"word_order": 2}),
}


def find_metric(name: str) -> type[Metric]:
    """Return a metric's class by its catalogue name.

    Raises:
        OptionError: there is none of that name; the message names the nearest.

    >>> find_metric("chrf").__name__
    'CHRF'
    """
    entry = CATALOGUE.get(str(name).lower())
    if entry is None:
        raise OptionError(
            f"there is no metric {name}{nearest(str(name), CATALOGUE)}; "
            f"the metrics are {', '.join(CATALOGUE)}"
        )
    return entry.load()


def make_metric(name: str, **options: Any) -> Metric[Any]:
    """Make a metric by its name, or by the name of one with options set, such as "chrf++".

    Args:
        name: a name of the catalogue or of `PRESETS`.
        options: the metric's options.

    Raises:
        OptionError: there is no such metric, or an option has a value it cannot take.

    >>> make_metric("chrf++", beta=3).name
    'chrF3++'
    """
    base, preset = PRESETS.get(name.lower(), (name, {}))
    metric = find_metric(base)
    unknown = [option for option in options if option not in metric._fields]
    if unknown:
        raise OptionError(
            f"{name} has no option {unknown[0]}{nearest(unknown[0], metric._fields)}; "
            f"its options are {', '.join(metric._fields)}"
        )
    return metric(**{**preset, **options})


def metric_from_signature(signature: str | Signature) -> Metric[Any]:
    """Rebuild the metric that a signature describes.

    Args:
        signature: as printed beside a score, with long or short keys, with or without the
            metric's name before it; sacreBLEU's own signatures too.

    Raises:
        SignatureError: no metric of the catalogue signs like this, or one does but has no such
            option or value.

    >>> metric_from_signature("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0").lowercase
    True
    """
    text = signature.full() if isinstance(signature, Signature) else signature
    parsed = ParsedSignature(text)
    for entry in CATALOGUE.values():
        if any(mark <= parsed.pairs.keys() for mark in entry.marks):
            kind = entry.load()
            described = parsed.with_long_keys(kind.short_keys)
            metric = kind.from_signature(described)
            described.finish()
            return metric
    raise SignatureError(
        f"no metric signs with the keys {', '.join(parsed.pairs)} alone; "
        "give the whole signature as it was printed"
    )


# --- A metric in one word -------------------------------------------------------------------------


def metric_from_text(text: str, *, language: str = "", sentences: bool = False) -> Metric[Any]:
    r"""Make a metric of one word, as `bleuet meta -m` takes it.

    The word is a name of the catalogue or of `PRESETS`, then perhaps a colon and options with
    commas between them: `bleu:smooth=floor,max_ngram_order=2`. A switch stands alone
    (`bleu:lowercase`) or with yes or no; several numbers have slashes between them
    (`weights=0.5/0.5`); a comma that belongs to a value is written `\,`; colons and equals signs
    need nothing (`tokenize=spm:a.model`). A whole signature is taken too.

    Args:
        text: the word.
        language: a target language's code, to choose what was not said by.
        sentences: whether segments are scored one by one, likewise. A signature says all.

    Raises:
        OptionError: there is no such metric, option or value; the message names the nearest.
        SignatureError: it is a signature that no metric signs with.

    >>> metric_from_text("chrf++:beta=3").name
    'chrF3++'
    >>> metric_from_text("bleu:max-ngram-order=2,weights=0.5/0.5,lowercase").weights
    (0.5, 0.5)
    """
    name, _, rest = text.strip().partition(":")
    known = (*CATALOGUE, *PRESETS)
    if name.lower() not in known:
        if "|" in text:
            return metric_from_signature(text)
        hint = "; put spaces between metrics" if "," in name else nearest(name, known)
        raise OptionError(
            f"there is no metric {name!r}{hint}; they are {', '.join(known)}, and options stand "
            "behind a colon, as in bleu:lowercase"
        )
    base, preset = PRESETS.get(name.lower(), (name.lower(), {}))
    kind = find_metric(base)
    suited = kind.suited_to(language=language, sentences=sentences)
    return kind(**{**suited, **preset, **_options_from_text(name, kind, rest)})


def _options_from_text(name: str, kind: type[Metric], text: str) -> dict[str, Any]:
    by_name = {option.name: option for option in kind.options}
    chosen: dict[str, Any] = {}
    for piece in _pieces(text):
        key, equals, value = piece.partition("=")
        option = by_name.get(key.strip().replace("-", "_"))
        if option is None:
            raise OptionError(
                f"{name} has no option {key.strip()!r}{nearest(key.strip(), by_name)}; "
                f"its options are {', '.join(by_name)}"
            )
        if option.name in chosen:
            raise OptionError(f"{name}:{text} gives {option.name} twice; give it once")
        chosen[option.name] = _value(name, option, value.strip() if equals else None)
    return chosen


def _pieces(text: str) -> list[str]:
    r"""Cut at commas, but for those behind a backslash.

    >>> _pieces("a=1,b=c\\,d")
    ['a=1', 'b=c,d']
    """
    mark = "\0"
    pieces = text.replace("\\,", mark).split(",")
    return [piece.replace(mark, ",") for piece in pieces if piece.strip()]


def _value(name: str, option: Option, text: str | None) -> Any:
    """Read a value as the option's type asks for."""
    if isinstance(option.default, bool):
        meanings = {**YES_NO, "true": True, "false": False}
        value = meanings.get((text or "yes").lower())
        if value is None:
            raise OptionError(
                f"{name}: {option.name} is a switch; expected yes or no, not {text!r}"
            )
        return value
    if not text:
        raise OptionError(f"{name}: {option.name} needs a value, as in {name}:{option.name}=VALUE")
    if isinstance(option.default, str):
        return text
    if option.many:
        return [_number(name, option, part) for part in text.split("/")]
    return _number(name, option, text)


def _number(name: str, option: Option, text: str) -> int | float:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    several = " or several with slashes between them" if option.many else ""
    raise OptionError(f"{name}: {option.name} must be a number{several}, not {text!r}")
