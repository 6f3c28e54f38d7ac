"""A class that users derive; here, because importing it loads torchmetrics, and it is pickled."""

from __future__ import annotations

from bleuet.torch import CorpusMetric


class Named(CorpusMetric):
    """A class that a user derives."""
