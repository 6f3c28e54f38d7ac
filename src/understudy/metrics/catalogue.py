"""The catalogue: every metric by name. A new metric adds one line."""

from __future__ import annotations

from importlib import import_module

from understudy.errors import OptionError, SignatureError
from understudy.frozen import Frozen
from understudy.metrics.option import nearest
from understudy.metrics.signature import parse_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from understudy.metrics.metric import Metric


class Entry(Frozen):
    """One line of the catalogue.

    Args:
        path: where the metric is, as module:class, imported when it is asked for.
        summary: what it is, in one line.
        key: a key that only this metric's signature has.
        flag: what its options begin with on the command line; BLEU's stand bare, as in sacreBLEU.
    """

    __slots__ = ("flag", "key", "path", "summary")
    _fields = ("path", "summary", "key", "flag")
    path: str
    summary: str
    key: str
    flag: str

    def __init__(self, path: str, summary: str, key: str, flag: str) -> None:
        self._set(path=path, summary=summary, key=key, flag=flag)

    def load(self) -> type[Metric]:
        """Import the metric."""
        module, _, name = self.path.partition(":")
        found: type[Metric] = getattr(import_module(module), name)
        return found


CATALOGUE: dict[str, Entry] = {
    "bleu": Entry("understudy.metrics.bleu:BLEU", "clipped word n-gram precision", "smooth", ""),
    "chrf": Entry("understudy.metrics.chrf:CHRF", "character n-gram F-score", "nc", "chrf-"),
    "ter": Entry("understudy.metrics.ter:TER", "edits per reference word", "norm", "ter-"),
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
    entry = CATALOGUE.get(name.lower())
    if entry is None:
        raise OptionError(
            f"there is no metric {name}{nearest(name, CATALOGUE)}; "
            f"the metrics are {', '.join(CATALOGUE)}"
        )
    return entry.load()


def metric_from_signature(signature: str) -> Metric:
    """Rebuild the metric that a signature describes.

    Args:
        signature: as printed beside a score, with or without the metric's name before it;
            sacreBLEU's own signatures too.

    Raises:
        SignatureError: no metric of the catalogue signs like this.

    >>> metric_from_signature("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0").lowercase
    True
    """
    name, pairs = parse_pairs(str(signature))
    for entry in CATALOGUE.values():
        if entry.key in pairs:
            return entry.load().from_signature(name, pairs)
    keys = ", ".join(entry.key for entry in CATALOGUE.values())
    raise SignatureError(
        f"no metric signs with the keys {', '.join(pairs)}; one of {keys} must be among them"
    )
