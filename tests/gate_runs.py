"""Runs of a gate, made without a gate, as a history has them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from bleuet import __version__
from bleuet.gate import GateRun, RunComparison, RunScore

VERSION = f"bleuet-{__version__}"
SIGNATURES = {
    "BLEU": f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{VERSION}=sacrebleu-2.6.0",
    "TER": f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{VERSION}",
}


def run_score(score: float, drop: float | None = 0.0, **changes: Any) -> RunScore:
    """A score by BLEU, or by another metric that `changes` names, and its drop."""
    metric = changes.get("metric", "BLEU")
    higher = metric != "TER"
    before = score + (drop or 0) * (1 if higher else -1)
    p = 0.01 if drop is not None and abs(drop) >= 2 else 0.5
    significant = None if p > 0.05 or drop is None else "worse" if drop > 0 else "better"
    fields = {
        "metric": metric,
        "signature": SIGNATURES[metric],
        "score": score,
        "low": score - 1.25,
        "high": score + 1.5,
        "higher_is_better": higher,
        "extra_digits": 0,
        "fails": significant == "worse",
        "comparisons": ()
        if drop is None
        else (RunComparison("main", before, drop, drop - 1, drop + 1, p / 2, p, significant),),
    }
    return RunScore(**{**fields, **changes})


def gate_run(day: int, *scores: RunScore, **changes: Any) -> GateRun:
    """A run of one day, whose label is a commit."""
    fields: dict[str, Any] = {
        "time": f"2026-11-{day:02d}T09:30:00Z",
        "label": sha256(f"commit {day}".encode()).hexdigest()[:40],
        "system": "new",
        "test_set": "5" * 64,
        "segments": 500,
        "documents": None,
        "passed": not any(score.fails for score in scores),
        "test": "bootstrap",
        "alpha": 0.05,
        "confidence": 0.95,
        "scores": scores or (run_score(30.0),),
    }
    return GateRun(**{**fields, **changes})


def five_runs() -> list[GateRun]:
    """Five commits by two metrics, with one real drop and one large gain."""
    numbers = [(30.0, 0.0), (30.5, -0.5), (30.25, 0.25), (25.0, 5.25), (31.0, -6.0)]
    return [
        gate_run(day, run_score(score, drop), run_score(90 - score, drop, metric="TER"))
        for day, (score, drop) in enumerate(numbers, 1)
    ]


def with_changes() -> list[GateRun]:
    """Two commits by one metric: a drop and a gain."""
    return [run.replace(scores=run.scores[:1]) for run in five_runs()[-2:]]


def with_breaks() -> list[GateRun]:
    """Six runs of two systems: the tokenizer changes, later the test set, and once the version."""
    tokenized = SIGNATURES["BLEU"].replace("13a", "intl")
    later = tokenized.replace(VERSION, "bleuet-99.0")
    runs = []
    for day in range(1, 7):
        signature = SIGNATURES["BLEU"] if day < 3 else tokenized if day < 5 else later
        test_set: dict[str, Any] = {} if day < 6 else {"test_set": "6" * 64, "segments": 60}
        for number, system in enumerate(("en-de", "en-cs")):
            score = run_score(30.0 + day + 8 * number, signature=signature)
            runs.append(gate_run(day, score, system=system, **test_set))
    return runs


def lines_of(runs: list[GateRun]) -> list[str]:
    """Return the lines of a file."""
    return [run.line() for run in runs]
