"""The comparison of systems on one test set: which system is better, and where."""

from bleuet.comparison.comparison import Comparison, compare
from bleuet.comparison.words import TokenLabels

__all__ = ["Comparison", "TokenLabels", "compare"]
