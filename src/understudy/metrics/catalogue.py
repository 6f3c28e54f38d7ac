"""The catalogue: every metric by name. A new metric adds one line."""

from __future__ import annotations

from importlib import import_module

from understudy.errors import OptionError, SignatureError
from understudy.frozen import Frozen
from understudy.metrics.option import nearest
from understudy.metrics.signature import ParsedSignature, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from understudy.metrics.metric import Metric


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
        "understudy.metrics.bleu:BLEU", "clipped word n-gram precision", ("smooth", "tok s"), ""
    ),
    "chrf": Entry("understudy.metrics.chrf:CHRF", "character n-gram F-score", ("nc nw",), "chrf-"),
    "ter": Entry("understudy.metrics.ter:TER", "edits per reference word", ("norm", "nr"), "ter-"),
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
