"""A metric for mbrs: all pairs of hypotheses and pseudo-references at once, from the kernel.

mbrs loads it with `--plugin_dir`, the folder of a file that imports it, and `--metric bleuet`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.metrics.catalogue import parse_metric
from bleuet.text.source_texts import with_sources

torch, _mbrs = optional("torch"), optional("mbrs.metrics")
_BASE: Any = _mbrs.Metric
_CONFIG: Any = _BASE.Config


@_mbrs.register("bleuet")
class BleuetMetric(_BASE):  # type: ignore[misc]
    """A metric of bleuet as the utility of minimum Bayes risk decoding."""

    @dataclass
    class Config(_CONFIG):  # type: ignore[misc]
        """The configuration.

        - metric (str): A word such as "bleu" or "chrf:word_order=2".
        """

        metric: str = "bleu"

    def __init__(self, cfg: BleuetMetric.Config) -> None:
        super().__init__(cfg)
        self.metric = parse_metric(cfg.metric, sentences=True)
        if self.metric.learns:
            raise OptionError(f"{self.metric.name} learns from all references of a test set first")
        self.HIGHER_IS_BETTER = self.metric.higher_is_better

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """Return the score of a hypothesis."""
        return float(self.pairwise_scores([hypothesis], [reference], source)[0, 0])

    def pairwise_scores(
        self, hypotheses: list[str], references: list[str], source: str | None = None
    ) -> Any:
        """Return the scores of N hypotheses against M references, a tensor of N x M."""
        against: Any = references
        if source is not None and self.metric.reads_sources:
            against = with_sources(references, [source] * len(references))
        matrix = self.metric.matrix(hypotheses, against)
        return torch.frombuffer(bytearray(matrix.values), dtype=torch.float64).reshape(matrix.shape)
