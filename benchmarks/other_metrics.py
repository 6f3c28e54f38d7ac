"""Metrics that no tool above has, each beside its program if that is installed.

hLepor needs numpy 1, and gec-metrics and flexeval need PyTorch, so they are in no extra.
"""

from __future__ import annotations

import ast
import logging
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from inspect import getsource
from typing import TYPE_CHECKING, Any

from benchmarks.bleuet_runs import NAME as BLEUET
from benchmarks.corpora import shifted
from benchmarks.timing import Runner
from bleuet import GECGLEU, HLEPOR, SARI, CodeBLEU, with_sources

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

Scores = Callable[[], list[float]]
# Modules of the standard library whose functions are compared as code.
CODE = ("argparse", "configparser", "csv", "difflib", "inspect", "json.decoder", "textwrap")


def _hlepor(pairs: Pairs) -> tuple[Scores, Scores, int]:
    score: Any = import_module("hlepor").single_hlepor_score
    metric = HLEPOR(tokenize="none")
    hypotheses, references = (list(map(_single_spaces, side)) for side in pairs[2:])
    both = list(zip(references, hypotheses, strict=True))
    return (
        lambda: list(metric.sentence_scores(hypotheses, references).values),
        lambda: [100 * score(*pair, separate_punctuation=False) for pair in both],
        len(pairs.hypotheses),
    )


def _sari(pairs: Pairs) -> tuple[Scores, Scores, int]:
    scorer: Any = import_module("flexeval.core.metric.sari").SARI(source_key="source")
    sources, several = shifted(pairs), [[one] for one in pairs.references]
    extra = [{"source": source} for source in sources]
    metric = SARI()
    return (
        lambda: [metric.corpus_score(pairs.hypotheses, with_sources(several, sources)).score],
        lambda: [100 * scorer.evaluate(pairs.hypotheses, several, extra).summary["sari_score"]],
        len(pairs.hypotheses),
    )


def _gec_gleu(pairs: Pairs) -> tuple[Scores, Scores, int]:
    scorer: Any = import_module("gec_metrics.metrics.gleu").GLEUOfficial
    metric = GECGLEU()
    sides = shifted(pairs), pairs.hypotheses, pairs.references
    sources, hypotheses, references = (list(map(_single_spaces, side)) for side in sides)
    return (
        lambda: [metric.corpus_score(hypotheses, with_sources(references, sources)).score],
        lambda: [100 * scorer().score_corpus(sources, hypotheses, [references])],
        len(pairs.hypotheses),
    )


def _code_bleu(pairs: Pairs) -> tuple[Scores, Scores, int]:
    calculate: Any = import_module("codebleu").calc_codebleu
    # It says in each call which code has no data flow.
    logging.getLogger().setLevel(logging.ERROR)
    metric = CodeBLEU(language="python")
    references = _functions()[: len(pairs.references)]
    # Without their last line, and with another name.
    hypotheses = [one.rpartition("\n")[0].replace("self", "this") for one in references]
    return (
        lambda: [metric.corpus_score(hypotheses, references).score],
        lambda: [100 * calculate(references, hypotheses, "python")["codebleu"]],
        len(references),
    )


def _functions() -> list[str]:
    """Return functions of the standard library that have 5 to 40 lines."""
    found = []
    for name in CODE:
        source = getsource(import_module(name))
        for node in ast.walk(ast.parse(source)):
            text = ast.get_source_segment(source, node) if isinstance(node, ast.FunctionDef) else ""
            if text and 5 <= text.count("\n") <= 40:
                found.append(text)
    return found


def _single_spaces(text: str) -> str:
    return " ".join(text.split())


PROGRAMS: dict[str, tuple[str, str, Callable[[Pairs], tuple[Scores, Scores, int]]]] = {
    "hLEPOR": ("hLepor", "hlepor", _hlepor),
    "SARI": ("flexeval", "flexeval", _sari),
    "GEC-GLEU": ("gec-metrics", "gec_metrics", _gec_gleu),
    "CodeBLEU": ("codebleu", "codebleu", _code_bleu),
}


def metrics() -> list[str]:
    """Return the metrics whose programs are installed."""
    return [name for name, (_, module, _) in PROGRAMS.items() if find_spec(module) is not None]


def runners(metric: str, pairs: Pairs) -> tuple[list[Runner], int]:
    """Return the program of a metric and bleuet, and how many segments they score."""
    program, _, make = PROGRAMS[metric]
    ours, theirs, size = make(pairs)
    # codebleu has variables in the order of a set, which is another in each process.
    same = metric != "CodeBLEU"
    return [Runner(program, theirs), Runner(BLEUET, ours, expected=same)], size
