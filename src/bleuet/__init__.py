"""bleuet judges machine translation and any generated text against references.

    >>> from bleuet import BLEU, CHRF, TER
    >>> hypotheses = ["The cat sat down.", "It rains."]
    >>> references = ["The cat sat up.", ["It is raining.", "It rains."]]
    >>> print(BLEU().corpus_score(hypotheses, references))
    BLEU = 51.96 87.5/66.7/50.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)

Names are imported when they are first used, so that `import bleuet` costs nothing.
"""

from __future__ import annotations

from bleuet.version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.comparison.comparison import Comparison as Comparison
    from bleuet.comparison.comparison import compare as compare
    from bleuet.errors import BleuetError as BleuetError
    from bleuet.errors import BleuetWarning as BleuetWarning
    from bleuet.errors import InputError as InputError
    from bleuet.errors import InputTypeError as InputTypeError
    from bleuet.errors import MismatchError as MismatchError
    from bleuet.errors import MissingExtraError as MissingExtraError
    from bleuet.errors import OptionError as OptionError
    from bleuet.errors import SignatureError as SignatureError
    from bleuet.errors import TableError as TableError
    from bleuet.errors import TooLongError as TooLongError
    from bleuet.evaluation.scoring import score as score
    from bleuet.evaluation.system_scores import Scores as Scores
    from bleuet.explanation import Explanation as Explanation
    from bleuet.explanation import explain as explain
    from bleuet.linting.linting import lint as lint
    from bleuet.metrics.answers.metric import ExactMatch as ExactMatch
    from bleuet.metrics.answers.metric import TokenF1 as TokenF1
    from bleuet.metrics.base.metric import Metric as Metric
    from bleuet.metrics.base.prepared import PreparedReferences as PreparedReferences
    from bleuet.metrics.base.score import Score as Score
    from bleuet.metrics.base.segment_scores import SegmentScores as SegmentScores
    from bleuet.metrics.base.signature import Signature as Signature
    from bleuet.metrics.bleu.metric import BLEU as BLEU
    from bleuet.metrics.bleu.metric import BLEUScore as BLEUScore
    from bleuet.metrics.catalogue import find_metric as find_metric
    from bleuet.metrics.catalogue import make_metric as make_metric
    from bleuet.metrics.catalogue import metric_from_signature as metric_from_signature
    from bleuet.metrics.character.metric import CharacTER as CharacTER
    from bleuet.metrics.charcut.metric import CharCut as CharCut
    from bleuet.metrics.charcut.metric import CharCutScore as CharCutScore
    from bleuet.metrics.chrf.metric import CHRF as CHRF
    from bleuet.metrics.chrf.metric import CHRFScore as CHRFScore
    from bleuet.metrics.cider.metric import CIDEr as CIDEr
    from bleuet.metrics.cider.metric import CIDErScore as CIDErScore
    from bleuet.metrics.code_bleu.metric import CodeBLEU as CodeBLEU
    from bleuet.metrics.code_bleu.metric import CodeBLEUScore as CodeBLEUScore
    from bleuet.metrics.crystal_bleu.metric import CrystalBLEU as CrystalBLEU
    from bleuet.metrics.edit_distance import EditDistance as EditDistance
    from bleuet.metrics.eed.metric import EED as EED
    from bleuet.metrics.errant import ERRANT as ERRANT
    from bleuet.metrics.errant import ERRANTScore as ERRANTScore
    from bleuet.metrics.gec_gleu import GECGLEU as GECGLEU
    from bleuet.metrics.gec_gleu import GECGLEUScore as GECGLEUScore
    from bleuet.metrics.gleu.metric import GLEU as GLEU
    from bleuet.metrics.gleu.metric import GLEUScore as GLEUScore
    from bleuet.metrics.hlepor.metric import HLEPOR as HLEPOR
    from bleuet.metrics.hlepor.metric import HLEPORScore as HLEPORScore
    from bleuet.metrics.mean_bleu import MeanBLEU as MeanBLEU
    from bleuet.metrics.mean_bleu import MeanBLEUScore as MeanBLEUScore
    from bleuet.metrics.mean_chrf import MeanCHRF as MeanCHRF
    from bleuet.metrics.meteor.metric import METEOR as METEOR
    from bleuet.metrics.meteor.metric import METEORScore as METEORScore
    from bleuet.metrics.nist.metric import NIST as NIST
    from bleuet.metrics.nist.metric import NISTScore as NISTScore
    from bleuet.metrics.ribes.metric import RIBES as RIBES
    from bleuet.metrics.ribes.metric import RIBESScore as RIBESScore
    from bleuet.metrics.rouge.metric import ROUGE as ROUGE
    from bleuet.metrics.rouge.metric import ROUGEScore as ROUGEScore
    from bleuet.metrics.sari.metric import SARI as SARI
    from bleuet.metrics.sari.metric import SARIScore as SARIScore
    from bleuet.metrics.self_bleu import SelfBLEU as SelfBLEU
    from bleuet.metrics.self_bleu import SelfBLEUScore as SelfBLEUScore
    from bleuet.metrics.self_bleu import self_bleu as self_bleu
    from bleuet.metrics.ter.metric import TER as TER
    from bleuet.metrics.ter.metric import TERScore as TERScore
    from bleuet.metrics.wer.metric import WER as WER
    from bleuet.metrics.wer.metric import WERScore as WERScore
    from bleuet.minimum_bayes_risk.decoding import Decisions as Decisions
    from bleuet.minimum_bayes_risk.decoding import mbr as mbr
    from bleuet.resegmentation import Alignment as Alignment
    from bleuet.resegmentation import align as align
    from bleuet.shards.scoring import score_shards as score_shards
    from bleuet.shards.settings import ShardSettings as ShardSettings
    from bleuet.statistics.table import Table as Table
    from bleuet.statistics.table import Totals as Totals
    from bleuet.tablefile.saved_tables import SavedTable as SavedTable
    from bleuet.tablefile.saved_tables import load_tables as load_tables
    from bleuet.tablefile.saved_tables import save_tables as save_tables
    from bleuet.text.corpus import Corpus as Corpus
    from bleuet.text.source_texts import with_sources as with_sources
    from bleuet.tuning.reranking import Reranking as Reranking
    from bleuet.tuning.reranking import rerank as rerank
    from bleuet.tuning.tuning import Tuning as Tuning
    from bleuet.tuning.tuning import tune as tune

# Where each public name is, in the order a reader meets them.
_HOMES = {
    "score": "bleuet.evaluation.scoring",
    "Scores": "bleuet.evaluation.system_scores",
    "score_shards": "bleuet.shards.scoring",
    "ShardSettings": "bleuet.shards.settings",
    "BLEU": "bleuet.metrics.bleu.metric",
    "CHRF": "bleuet.metrics.chrf.metric",
    "TER": "bleuet.metrics.ter.metric",
    "BLEUScore": "bleuet.metrics.bleu.metric",
    "CHRFScore": "bleuet.metrics.chrf.metric",
    "TERScore": "bleuet.metrics.ter.metric",
    "WER": "bleuet.metrics.wer.metric",
    "WERScore": "bleuet.metrics.wer.metric",
    "EED": "bleuet.metrics.eed.metric",
    "CharacTER": "bleuet.metrics.character.metric",
    "EditDistance": "bleuet.metrics.edit_distance",
    "CharCut": "bleuet.metrics.charcut.metric",
    "CharCutScore": "bleuet.metrics.charcut.metric",
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
    "TokenF1": "bleuet.metrics.answers.metric",
    "ExactMatch": "bleuet.metrics.answers.metric",
    "MeanBLEU": "bleuet.metrics.mean_bleu",
    "MeanBLEUScore": "bleuet.metrics.mean_bleu",
    "CrystalBLEU": "bleuet.metrics.crystal_bleu.metric",
    "MeanCHRF": "bleuet.metrics.mean_chrf",
    "ROUGE": "bleuet.metrics.rouge.metric",
    "ROUGEScore": "bleuet.metrics.rouge.metric",
    "HLEPOR": "bleuet.metrics.hlepor.metric",
    "HLEPORScore": "bleuet.metrics.hlepor.metric",
    "SARI": "bleuet.metrics.sari.metric",
    "SARIScore": "bleuet.metrics.sari.metric",
    "ERRANT": "bleuet.metrics.errant",
    "ERRANTScore": "bleuet.metrics.errant",
    "GECGLEU": "bleuet.metrics.gec_gleu",
    "GECGLEUScore": "bleuet.metrics.gec_gleu",
    "CodeBLEU": "bleuet.metrics.code_bleu.metric",
    "CodeBLEUScore": "bleuet.metrics.code_bleu.metric",
    "SelfBLEU": "bleuet.metrics.self_bleu",
    "SelfBLEUScore": "bleuet.metrics.self_bleu",
    "self_bleu": "bleuet.metrics.self_bleu",
    "Metric": "bleuet.metrics.base.metric",
    "PreparedReferences": "bleuet.metrics.base.prepared",
    "Score": "bleuet.metrics.base.score",
    "SegmentScores": "bleuet.metrics.base.segment_scores",
    "Signature": "bleuet.metrics.base.signature",
    "find_metric": "bleuet.metrics.catalogue",
    "make_metric": "bleuet.metrics.catalogue",
    "metric_from_signature": "bleuet.metrics.catalogue",
    "compare": "bleuet.comparison.comparison",
    "Comparison": "bleuet.comparison.comparison",
    "Corpus": "bleuet.text.corpus",
    "with_sources": "bleuet.text.source_texts",
    "Table": "bleuet.statistics.table",
    "Totals": "bleuet.statistics.table",
    "SavedTable": "bleuet.tablefile.saved_tables",
    "load_tables": "bleuet.tablefile.saved_tables",
    "save_tables": "bleuet.tablefile.saved_tables",
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
    "BleuetWarning": "bleuet.errors",
    "InputError": "bleuet.errors",
    "InputTypeError": "bleuet.errors",
    "OptionError": "bleuet.errors",
    "MismatchError": "bleuet.errors",
    "MissingExtraError": "bleuet.errors",
    "TableError": "bleuet.errors",
    "TooLongError": "bleuet.errors",
    "SignatureError": "bleuet.errors",
}

__all__ = [*_HOMES, "__version__"]


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
