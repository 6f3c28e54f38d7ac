"""The gate: whether a new system may replace a baseline system, or is worse.

A drop of three segments can be chance, however large it is.

>>> from bleuet import BLEU
>>> from bleuet.significance import Evaluation
>>> references = ["The cat sat down.", "It rains today.", "We went home."]
>>> new = ["The cat sat.", "It rain.", "We home."]
>>> evaluation = Evaluation.count([BLEU()], {"old": references, "new": new}, references)
>>> result = gate_systems(evaluation, Limits(max_drop=0.3))
>>> result.passed, [(check.too_large, check.significant) for check in result.checks]
(True, [(True, False)])
"""

from bleuet.gate.history import History, HistoryBreak, HistoryPanel, HistoryPoint
from bleuet.gate.history_file import append_run, read_history
from bleuet.gate.runs import GateRun, RunComparison, RunScore, run_of
from bleuet.gate.verdict import (
    RULES,
    Check,
    GateResult,
    Limits,
    MetricLimit,
    Rule,
    gate_limits,
    gate_scores,
    gate_systems,
)

__all__ = [
    "RULES",
    "Check",
    "GateResult",
    "GateRun",
    "History",
    "HistoryBreak",
    "HistoryPanel",
    "HistoryPoint",
    "Limits",
    "MetricLimit",
    "Rule",
    "RunComparison",
    "RunScore",
    "append_run",
    "gate_limits",
    "gate_scores",
    "gate_systems",
    "read_history",
    "run_of",
]
