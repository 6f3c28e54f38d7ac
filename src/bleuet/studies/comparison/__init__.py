"""Systems compared on one test set: where one is better, and in what."""

from bleuet.studies.comparison.comparison import Comparison, compare
from bleuet.studies.comparison.words import TokenLabels

__all__ = ["Comparison", "TokenLabels", "compare"]
