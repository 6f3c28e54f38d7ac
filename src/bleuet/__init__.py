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
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.prepared import PreparedReferences
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.segment_scores import SegmentScores
    from bleuet.metrics.base.signature import Signature
    from bleuet.metrics.bleu.metric import BLEU, BLEUScore
    from bleuet.metrics.catalogue import find_metric, make_metric, metric_from_signature
    from bleuet.metrics.chrf.metric import CHRF, CHRFScore
    from bleuet.metrics.cider.metric import CIDEr, CIDErScore
    from bleuet.metrics.crystal_bleu.metric import CrystalBLEU
    from bleuet.metrics.eed.metric import EED
    from bleuet.metrics.gleu.metric import GLEU, GLEUScore
    from bleuet.metrics.mean_bleu import MeanBLEU, MeanBLEUScore
    from bleuet.metrics.mean_chrf import MeanCHRF
    from bleuet.metrics.meteor.metric import METEOR, METEORScore
    from bleuet.metrics.nist.metric import NIST, NISTScore
    from bleuet.metrics.ribes.metric import RIBES, RIBESScore
    from bleuet.metrics.rouge.metric import ROUGE, ROUGEScore
    from bleuet.metrics.self_bleu import SelfBLEU, SelfBLEUScore, self_bleu
    from bleuet.metrics.ter.metric import TER, TERScore
    from bleuet.metrics.wer.metric import WER, WERScore
    from bleuet.minimum_bayes_risk.decoding import Decisions, mbr
    from bleuet.resegmentation import Alignment, align
    from bleuet.statistics.table import Table, Totals
    from bleuet.tablefile.saved_tables import SavedTable, load_tables, save_tables
    from bleuet.text.corpus import Corpus
    from bleuet.tuning.reranking import Reranking, rerank
    from bleuet.tuning.tuning import Tuning, tune

# Where each public name is.
_HOMES = {
    "BLEU": "bleuet.metrics.bleu.metric",
    "BLEUScore": "bleuet.metrics.bleu.metric",
    "CHRF": "bleuet.metrics.chrf.metric",
    "CHRFScore": "bleuet.metrics.chrf.metric",
    "TER": "bleuet.metrics.ter.metric",
    "TERScore": "bleuet.metrics.ter.metric",
    "WER": "bleuet.metrics.wer.metric",
    "WERScore": "bleuet.metrics.wer.metric",
    "CrystalBLEU": "bleuet.metrics.crystal_bleu.metric",
    "EED": "bleuet.metrics.eed.metric",
    "NIST": "bleuet.metrics.nist.metric",
    "NISTScore": "bleuet.metrics.nist.metric",
    "CIDEr": "bleuet.metrics.cider.metric",
    "CIDErScore": "bleuet.metrics.cider.metric",
    "GLEU": "bleuet.metrics.gleu.metric",
    "GLEUScore": "bleuet.metrics.gleu.metric",
    "METEOR": "bleuet.metrics.meteor.metric",
    "METEORScore": "bleuet.metrics.meteor.metric",
    "RIBES": "bleuet.metrics.ribes.metric",
    "RIBESScore": "bleuet.metrics.ribes.metric",
    "TokenF1": "bleuet.metrics.answers",
    "ExactMatch": "bleuet.metrics.answers",
    "MeanCHRF": "bleuet.metrics.mean_chrf",
    "ROUGE": "bleuet.metrics.rouge.metric",
    "ROUGEScore": "bleuet.metrics.rouge.metric",
    "MeanBLEU": "bleuet.metrics.mean_bleu",
    "MeanBLEUScore": "bleuet.metrics.mean_bleu",
    "Metric": "bleuet.metrics.base.metric",
    "PreparedReferences": "bleuet.metrics.base.prepared",
    "Score": "bleuet.metrics.base.score",
    "SegmentScores": "bleuet.metrics.base.segment_scores",
    "SelfBLEU": "bleuet.metrics.self_bleu",
    "SelfBLEUScore": "bleuet.metrics.self_bleu",
    "self_bleu": "bleuet.metrics.self_bleu",
    "Signature": "bleuet.metrics.base.signature",
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
