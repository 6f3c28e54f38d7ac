"""Systems compared on one test set: where one is better, and in what."""

from understudy.studies.comparison.comparison import Comparison, compare
from understudy.studies.comparison.words import TokenLabels

__all__ = ["Comparison", "TokenLabels", "compare"]
