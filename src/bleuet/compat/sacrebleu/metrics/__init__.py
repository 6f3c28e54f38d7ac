"""sacreBLEU's metrics and scores."""

from __future__ import annotations

from bleuet.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from bleuet.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from bleuet.compat.sacrebleu.metrics.ter import TER, TERScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

METRICS: dict[str, Any] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
