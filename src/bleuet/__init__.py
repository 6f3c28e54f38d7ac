"""bleuet judges machine translation and any generated text against references.

    >>> from bleuet import BLEU, CHRF, TER
    >>> hypotheses = ["The cat sat down.", "It rains."]
    >>> references = ["The cat sat up.", ["It is raining.", "It rains."]]
    >>> print(BLEU().corpus_score(hypotheses, references))
    BLEU = 51.96 87.5/66.7/50.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)

Names are imported when they are first used, so that `import bleuet` costs nothing.
"""

from __future__ import annotations

from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.comparison.comparison import Comparison, compare
    from bleuet.errors import (
        BleuetError,
        InputError,
        InputTypeError,
        MissingExtraError,
        OptionError,
        SignatureError,
        TableError,
    )
    from bleuet.explanation import Explanation, explain
    from bleuet.linting.linting import lint
    from bleuet.metrics.answers import ExactMatch, TokenF1
    from bleuet.metrics.bleu import BLEU, BLEUScore
    from bleuet.metrics.catalogue import find_metric, make_metric, metric_from_signature
    from bleuet.metrics.chrf import CHRF, CHRFScore
    from bleuet.metrics.cider import CIDEr, CIDErScore
    from bleuet.metrics.crystal_bleu import CrystalBLEU
    from bleuet.metrics.eed import EED
    from bleuet.metrics.gleu import GLEU, GLEUScore
    from bleuet.metrics.mean_bleu import MeanBLEU, MeanBLEUScore
    from bleuet.metrics.mean_chrf import MeanCHRF
    from bleuet.metrics.meteor import METEOR, METEORScore
    from bleuet.metrics.metric import Metric, PreparedReferences, SegmentScores
    from bleuet.metrics.nist import NIST, NISTScore
    from bleuet.metrics.ribes import RIBES, RIBESScore
    from bleuet.metrics.rouge import ROUGE, ROUGEScore
    from bleuet.metrics.score import Score
    from bleuet.metrics.self_bleu import SelfBLEU, SelfBLEUScore, self_bleu
    from bleuet.metrics.signature import Signature
    from bleuet.metrics.ter import TER, TERScore
    from bleuet.metrics.wer import WER, WERScore
    from bleuet.minimum_bayes_risk.decoding import Decisions, mbr
    from bleuet.resegmentation import Alignment, align
    from bleuet.statistics.table import Table, Totals
    from bleuet.tablefile.saved_tables import SavedTable, load_tables, save_tables
    from bleuet.text.corpus import Corpus
    from bleuet.tuning.reranking import Reranking, rerank
    from bleuet.tuning.tuning import Tuning, tune

# Where each public name is.
_HOMES = {
    "BLEU": "bleuet.metrics.bleu",
    "BLEUScore": "bleuet.metrics.bleu",
    "CHRF": "bleuet.metrics.chrf",
    "CHRFScore": "bleuet.metrics.chrf",
    "TER": "bleuet.metrics.ter",
    "TERScore": "bleuet.metrics.ter",
    "WER": "bleuet.metrics.wer",
    "WERScore": "bleuet.metrics.wer",
    "CrystalBLEU": "bleuet.metrics.crystal_bleu",
    "EED": "bleuet.metrics.eed",
    "NIST": "bleuet.metrics.nist",
    "NISTScore": "bleuet.metrics.nist",
    "CIDEr": "bleuet.metrics.cider",
    "CIDErScore": "bleuet.metrics.cider",
    "GLEU": "bleuet.metrics.gleu",
    "GLEUScore": "bleuet.metrics.gleu",
    "METEOR": "bleuet.metrics.meteor",
    "METEORScore": "bleuet.metrics.meteor",
    "RIBES": "bleuet.metrics.ribes",
    "RIBESScore": "bleuet.metrics.ribes",
    "TokenF1": "bleuet.metrics.answers",
    "ExactMatch": "bleuet.metrics.answers",
    "MeanCHRF": "bleuet.metrics.mean_chrf",
    "ROUGE": "bleuet.metrics.rouge",
    "ROUGEScore": "bleuet.metrics.rouge",
    "MeanBLEU": "bleuet.metrics.mean_bleu",
    "MeanBLEUScore": "bleuet.metrics.mean_bleu",
    "Metric": "bleuet.metrics.metric",
    "PreparedReferences": "bleuet.metrics.metric",
    "Score": "bleuet.metrics.score",
    "SegmentScores": "bleuet.metrics.metric",
    "SelfBLEU": "bleuet.metrics.self_bleu",
    "SelfBLEUScore": "bleuet.metrics.self_bleu",
    "self_bleu": "bleuet.metrics.self_bleu",
    "Signature": "bleuet.metrics.signature",
    "find_metric": "bleuet.metrics.catalogue",
    "make_metric": "bleuet.metrics.catalogue",
    "metric_from_signature": "bleuet.metrics.catalogue",
    "compare": "bleuet.comparison.comparison",
    "Comparison": "bleuet.comparison.comparison",
    "SavedTable": "bleuet.tablefile.saved_tables",
    "load_tables": "bleuet.tablefile.saved_tables",
    "save_tables": "bleuet.tablefile.saved_tables",
    "Corpus": "bleuet.text.corpus",
    "Table": "bleuet.statistics.table",
    "Totals": "bleuet.statistics.table",
    "explain": "bleuet.explanation",
    "Explanation": "bleuet.explanation",
    "lint": "bleuet.linting.linting",
    "mbr": "bleuet.minimum_bayes_risk.decoding",
    "Decisions": "bleuet.minimum_bayes_risk.decoding",
    "align": "bleuet.resegmentation",
    "Alignment": "bleuet.resegmentation",
    "tune": "bleuet.tuning.tuning",
    "Tuning": "bleuet.tuning.tuning",
    "rerank": "bleuet.tuning.reranking",
    "Reranking": "bleuet.tuning.reranking",
    "BleuetError": "bleuet.errors",
    "InputError": "bleuet.errors",
    "InputTypeError": "bleuet.errors",
    "OptionError": "bleuet.errors",
    "MissingExtraError": "bleuet.errors",
    "TableError": "bleuet.errors",
    "SignatureError": "bleuet.errors",
}

__all__ = [  # noqa: RUF022 - in the order a reader meets them
    "BLEU",
    "CHRF",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "TERScore",
    "WER",
    "WERScore",
    "EED",
    "NIST",
    "NISTScore",
    "CIDEr",
    "CIDErScore",
    "GLEU",
    "GLEUScore",
    "METEOR",
    "METEORScore",
    "RIBES",
    "RIBESScore",
    "TokenF1",
    "ExactMatch",
    "MeanBLEU",
    "MeanBLEUScore",
    "CrystalBLEU",
    "MeanCHRF",
    "ROUGE",
    "ROUGEScore",
    "SelfBLEU",
    "SelfBLEUScore",
    "self_bleu",
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
    "mbr",
    "Decisions",
    "align",
    "Alignment",
    "tune",
    "Tuning",
    "rerank",
    "Reranking",
    "BleuetError",
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
        raise AttributeError(f"module 'bleuet' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
