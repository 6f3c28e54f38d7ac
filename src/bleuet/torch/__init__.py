"""Metrics in training with PyTorch: BLEU and chrF of tensors, losses, torchmetrics.

Names are imported when they are first used, so that each needs only the libraries it uses.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.bag_of_ngrams import bag_of_ngrams_loss as bag_of_ngrams_loss
    from bleuet.torch.corpus_metric import CorpusMetric as CorpusMetric
    from bleuet.torch.expected_bleu import expected_bleu_bound as expected_bleu_bound
    from bleuet.torch.sampled_losses import minimum_risk_loss as minimum_risk_loss
    from bleuet.torch.sampled_losses import reinforce_loss as reinforce_loss
    from bleuet.torch.tensor_bleu import bleu_statistics as bleu_statistics
    from bleuet.torch.tensor_bleu import bleu_table as bleu_table
    from bleuet.torch.tensor_bleu import corpus_bleu as corpus_bleu
    from bleuet.torch.tensor_bleu import matrix as matrix
    from bleuet.torch.tensor_bleu import sentence_bleu as sentence_bleu
    from bleuet.torch.tensor_chrf import chrf_statistics as chrf_statistics

# Where each name is.
_HOMES = {
    "CorpusMetric": "bleuet.torch.corpus_metric",
    "bag_of_ngrams_loss": "bleuet.torch.bag_of_ngrams",
    "bleu_statistics": "bleuet.torch.tensor_bleu",
    "bleu_table": "bleuet.torch.tensor_bleu",
    "chrf_statistics": "bleuet.torch.tensor_chrf",
    "corpus_bleu": "bleuet.torch.tensor_bleu",
    "expected_bleu_bound": "bleuet.torch.expected_bleu",
    "matrix": "bleuet.torch.tensor_bleu",
    "minimum_risk_loss": "bleuet.torch.sampled_losses",
    "reinforce_loss": "bleuet.torch.sampled_losses",
    "sentence_bleu": "bleuet.torch.tensor_bleu",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bleuet.torch' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
