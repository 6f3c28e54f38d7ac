"""The comparison of systems on one test set: which system is better, and where."""

from bleuet.studies.comparison.comparison import Comparison, compare
from bleuet.studies.comparison.words import TokenLabels

__all__ = ["Comparison", "TokenLabels", "compare"]
