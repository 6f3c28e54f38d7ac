"""sacreBLEU's Python interface, computed by bleuet: change one import and keep the program.

    >>> from bleuet.compat import sacrebleu
    >>> sacrebleu.corpus_bleu(["The cat sat down."], [["The cat sat up."]])
    BLEU = 42.73 80.0/50.0/33.3/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)

References are transposed, as in sacreBLEU: `references[k][i]` is the k-th of segment i.
"""

from __future__ import annotations

from importlib import import_module

from bleuet.compat.sacrebleu import compat, metrics, utils
from bleuet.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from bleuet.compat.sacrebleu.metrics import BLEU, CHRF, TER
from bleuet.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from bleuet.compat.sacrebleu.utils import SACREBLEU_DIR, smart_open
from bleuet.compat.sacrebleu.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    DATASETS: dict[str, Any]
    download_test_set: Any
    get_available_testsets: Any
    get_langpairs_for_testset: Any
    get_reference_files: Any
    get_source_file: Any

__description__ = "sacreBLEU's interface, computed by bleuet"

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "compat",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
    "utils",
]

_LATER = ("dataset", "tokenizers", "version")


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return import_module(f"{__name__}.{name}")
    if name in __all__:
        return getattr(utils, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
