"""understudy judges machine translation and any generated text against references.

    >>> from understudy import BLEU, CHRF, TER
    >>> hypotheses = ["The cat sat down.", "It rains."]
    >>> references = ["The cat sat up.", ["It is raining.", "It rains."]]
    >>> print(BLEU().corpus_score(hypotheses, references))
    BLEU = 51.96 87.5/66.7/50.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)

Names are imported when they are first used, so that `import understudy` costs nothing.
"""

from __future__ import annotations

from understudy.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from understudy.errors import (
        InputError,
        InputTypeError,
        MissingExtraError,
        OptionError,
        SignatureError,
        TableError,
        UnderstudyError,
    )
    from understudy.metrics.bleu import BLEU, BLEUScore
    from understudy.metrics.catalogue import find_metric, make_metric, metric_from_signature
    from understudy.metrics.chrf import CHRF, CHRFScore
    from understudy.metrics.mean_bleu import MeanBLEU, MeanBLEUScore
    from understudy.metrics.metric import Metric, PreparedReferences
    from understudy.metrics.saved import SavedTable, load_tables, save_tables
    from understudy.metrics.score import Score, SegmentScores
    from understudy.metrics.signature import Signature
    from understudy.metrics.ter import TER, TERScore
    from understudy.statistics.table import Table, Totals
    from understudy.studies.comparison.comparison import Comparison, compare
    from understudy.studies.explanation import Explanation, explain
    from understudy.studies.inspection.inspecting import lint
    from understudy.text.corpus import Corpus

# Where each public name is.
_HOMES = {
    "BLEU": "understudy.metrics.bleu",
    "BLEUScore": "understudy.metrics.bleu",
    "CHRF": "understudy.metrics.chrf",
    "CHRFScore": "understudy.metrics.chrf",
    "TER": "understudy.metrics.ter",
    "TERScore": "understudy.metrics.ter",
    "MeanBLEU": "understudy.metrics.mean_bleu",
    "MeanBLEUScore": "understudy.metrics.mean_bleu",
    "Metric": "understudy.metrics.metric",
    "PreparedReferences": "understudy.metrics.metric",
    "Score": "understudy.metrics.score",
    "SegmentScores": "understudy.metrics.score",
    "Signature": "understudy.metrics.signature",
    "find_metric": "understudy.metrics.catalogue",
    "make_metric": "understudy.metrics.catalogue",
    "metric_from_signature": "understudy.metrics.catalogue",
    "compare": "understudy.studies.comparison.comparison",
    "Comparison": "understudy.studies.comparison.comparison",
    "SavedTable": "understudy.metrics.saved",
    "load_tables": "understudy.metrics.saved",
    "save_tables": "understudy.metrics.saved",
    "Corpus": "understudy.text.corpus",
    "Table": "understudy.statistics.table",
    "Totals": "understudy.statistics.table",
    "explain": "understudy.studies.explanation",
    "Explanation": "understudy.studies.explanation",
    "lint": "understudy.studies.inspection.inspecting",
    "UnderstudyError": "understudy.errors",
    "InputError": "understudy.errors",
    "InputTypeError": "understudy.errors",
    "OptionError": "understudy.errors",
    "MissingExtraError": "understudy.errors",
    "TableError": "understudy.errors",
    "SignatureError": "understudy.errors",
}

__all__ = [  # noqa: RUF022 - in the order a reader meets them
    "BLEU",
    "CHRF",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "TERScore",
    "MeanBLEU",
    "MeanBLEUScore",
    "Metric",
    "PreparedReferences",
    "Score",
    "SegmentScores",
    "Signature",
    "find_metric",
    "make_metric",
    "metric_from_signature",
    "compare",
    "Comparison",
    "Corpus",
    "Table",
    "Totals",
    "SavedTable",
    "load_tables",
    "save_tables",
    "explain",
    "Explanation",
    "lint",
    "UnderstudyError",
    "InputError",
    "InputTypeError",
    "OptionError",
    "MissingExtraError",
    "TableError",
    "SignatureError",
    "__version__",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'understudy' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
