"""A right call of every public function and method, made from its signature.

Importing this module makes an object of each class, so tests import it when they run.
"""

from __future__ import annotations

import inspect
import tempfile
import warnings
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

import bleuet
import bleuet.output.settings
from bleuet import (
    BLEU,
    Corpus,
    MeanBLEU,
    SavedTable,
    Score,
    compare,
    explain,
    lint,
    mbr,
    rerank,
    tune,
)
from bleuet.comparison.cutoffs import Cutoffs
from bleuet.comparison.division import DIVISIONS
from bleuet.meta_evaluation import (
    AgreementSettings,
    HumanScores,
    MetricScores,
    PairwiseJudgments,
    RaterScores,
    ScoreMatrix,
    find_statistic,
    leaderboard,
)
from bleuet.metrics.catalogue import CATALOGUE, WITHOUT_REFERENCES
from bleuet.output.answer import Answer
from bleuet.report import Report
from bleuet.report.charts.metric_charts import Dot, ScoreBar, agreement_bars
from bleuet.significance import Evaluation, SegmentMean, TestSettings, paired_test
from bleuet.text.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Those that docs/python.md and the guides import from.
MODULES = (
    "bleuet",
    "bleuet.significance",
    "bleuet.meta_evaluation",
    "bleuet.text.parallel",
    "bleuet.text.source",
    "bleuet.engines.counting",
    "bleuet.report",
    "bleuet.report.pictures",
    "bleuet.report.charts.metric_charts",
    "bleuet.comparison",
    "bleuet.comparison.cutoffs",
    "bleuet.comparison.division",
    "bleuet.text.tokenizers",
    "bleuet.statistics.backend",
)
TEXTS = ["The cat sat down.", "It rains again today."]
REFERENCES = ["The cat sat up.", "It is raining again today."]
FOLDER = Path(tempfile.mkdtemp())
FILE = FOLDER / "text.txt"
FILE.write_text("\n".join([*TEXTS, ""]))
metric = BLEU()
table = metric.count(TEXTS, REFERENCES)
systems = Evaluation.count([metric], {"a": TEXTS, "b": REFERENCES}, REFERENCES)
matrix = ScoreMatrix(("a", "b", "c"), np.array([[0.1, 0.2], [0.3, 0.4], [0.6, 0.5]]))
bleuet.save_tables(FOLDER / "tables.parquet", [("a", metric, table)])
(FOLDER / "shard.txt").write_text("The cat sat down.\n", encoding="utf-8")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    tested = paired_test(systems, TestSettings(draws=20))
    compared = compare({"a": TEXTS, "b": REFERENCES}, REFERENCES, ["bleu"]).tested(
        TestSettings(draws=20)
    )


NBEST = [[(text, {"x": 1}), ("The cat", {"x": 2})] for text in TEXTS]


def batches() -> list[Any]:
    return [
        (
            (bleuet.text.segments.Segments("text", TEXTS),),
            bleuet.text.segments.Segments("text", REFERENCES),
        )
    ]


# A right value of each argument, by the name of the function and its own, or by its own alone.
VALUES: dict[str, Any] = {
    "hypothesis": TEXTS[0],
    "hypotheses": TEXTS,
    "references": REFERENCES,
    "sources": TEXTS,
    "Metric.sentence_score.references": REFERENCES[0],
    "MeanBLEU.sentence_score.references": REFERENCES[0],
    "compare.hypotheses": {"a": TEXTS, "b": REFERENCES},
    "compare.metrics": ["bleu"],
    "Evaluation.count.hypotheses": {"a": TEXTS, "b": REFERENCES},
    "corpus": Corpus(TEXTS, REFERENCES),
    "learned": None,
    "text": TEXTS[0],
    "texts": TEXTS,
    "metric": metric,
    "metrics": [metric],
    "evaluation": systems,
    "check_threads.threads": 1,
    "Evaluation.from_scores.segments": 2,
    "Evaluation.from_scores.scores": {"COMET": {"a": [0.1, 0.2]}},
    "Evaluation.from_scores.systems": ["a"],
    "Evaluation.joined.parts": [systems],
    "totals": table.totals(),
    "table": table,
    "tables": [table],
    "counted": table,
    "one": table,
    "other": table,
    "n_references": 1,
    "language": "ja",
    "sentences": True,
    "streams": [REFERENCES],
    "rows": [1, 0],
    "annotations": [(0, "a", "rater", "Style", "Minor")],
    "groups": ["a", "a"],
    "name": "bleu",
    "Table.column.name": "sys_len",
    "Comparison.breakdown.name": "length",
    "find_statistic.name": "pearson",
    "signature": "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
    "Score.format.signature": True,
    "Declared.option_named.name": "lowercase",
    "Corpus.from_token_ids.hypotheses": [[1], [2, 3]],
    "Corpus.from_token_ids.references": [[1], [2, 4]],
    "a": metric,
    "b": BLEU(lowercase=True),
    "systems": systems,
    "lint.systems": TEXTS,
    "candidates": [TEXTS],
    "mbr.references": [TEXTS],
    "nbest": NBEST,
    "weights": {"x": 1},
    "tune.method": "mert:restarts=1",
    "Decisions.compared.exact": mbr([TEXTS, TEXTS]),
    "read_references.references": [Source(FILE)],
    "TextsInMemory.source": Source(FILE),
    "align": "none-lc",
    "align.tokenize": "none",
    "Decisions.decided.metric": None,
    "format": "json",
    "part": "scores",
    "parts": "scores",
    "p_values": [0.01, 0.2],
    "Comparison.with_clusters.p_values": {"BLEU": {("a", "b"): 0.01}},
    "blocks": 2,
    "results": tested,
    "out": StringIO,
    "settings": bleuet.output.settings.Settings,
    "integer_columns": ["sys_len"],
    "real_columns": [],
    "Table.from_rows.rows": [(1,), (2,)],
    "segment": 0,
    "columns": ["sys_len"],
    "Table.rows": 2,
    "Table.integers": b"\0" * 16,
    "Table.reals": b"",
    "Totals.values": [3],
    "system": "a",
    "SavedTable.references": "",
    "path": str(FOLDER / "tables.parquet"),
    "Scores.to_parquet.path": str(FOLDER / "scores.parquet"),
    "Metric.score.references": None,
    "BLEU.score.references": None,
    "score_shards.hypotheses": str(FOLDER / "shard.txt"),
    "score_shards.references": str(FOLDER / "shard.txt"),
    "score_shards.sources": str(FOLDER / "shard.txt"),
    "save_tables.path": str(FOLDER / "out.parquet"),
    "save_tables.tables": [("a", metric, table)],
    "Evaluation.tables": {"a": [table], "b": [table]},
    "saved": [SavedTable("a", metric, table)],
    "runs": {"a": [[table], [table]], "b": [[table], [table]]},
    "mean": "COMET",
    "scores": [0.1, None],
    "Evaluation.with_scores.scores": {"COMET": {"a": [0.1, 0.2], "b": [0.1, 0.2]}},
    "compare.scores": None,
    "Evaluation.run_scores.metric": 0,
    "PairedScores.comparisons_by.metric": "BLEU",
    "PairedScores.detectable.metric": "BLEU",
    "PairedScores.planned_power.metric": "BLEU",
    "PairedScores.power.metric": "BLEU",
    "PairedScores.power.difference": 1.0,
    "PairedScores.power.units": None,
    "Evaluation.select.metrics": [0],
    "PairedScores.shown_agreement.one": tested.comparisons[0],
    "PairedResults.difference_table.metric": "BLEU",
    "PairedResults.score_table.metric": "BLEU",
    "PairedScores.marks.metric": "BLEU",
    "PairedScores.significantly_worse.metric": "BLEU",
    "PairedScores.comparison.one": "a",
    "PairedScores.comparison.other": "b",
    "PairedScores.renamed.names": ["X"],
    "correction": "holm",
    "difference": 1.0,
    "label": "COMET",
    "statistic": "pearson",
    "human": matrix,
    "agreement.metric": matrix,
    "first": matrix,
    "second": matrix,
    "leaderboard.human": HumanScores(matrix),
    "rank_systems.human": HumanScores(matrix),
    "keep_common_segments.human": HumanScores(matrix),
    "leaderboard.metrics": [MetricScores("BLEU", matrix)],
    "keep_common_segments.metrics": [MetricScores("BLEU", matrix)],
    "leaderboard.settings": AgreementSettings(),
    "HumanScores.scores": matrix,
    "HumanScores.systems": None,
    "HumanScores.for_statistic.entry": find_statistic("pearson"),
    "MetricScores.segments": matrix,
    "MetricScores.systems": None,
    "ScoreMatrix.systems": ("a", "b"),
    "ScoreMatrix.values": [[0.1], [0.2]],
    "ScoreMatrix.from_rows.rows": [(0, "a", 0.5), (0, "b", 0.25)],
    "ScoreMatrix.from_rows.systems": None,
    "ScoreMatrix.select.systems": ["a", "c"],
    "PairwiseJudgments.from_better_worse.rows": [(0, "a", "b")],
    "PairwiseJudgments.from_better_worse.systems": None,
    "PairwiseJudgments.from_rankings.rows": [(0, ["a", "b"], [1, 2])],
    "PairwiseJudgments.from_rankings.systems": None,
    "PairwiseJudgments.from_scores.scores": matrix,
    "PairwiseJudgments.select.kept": [0],
    "PairwiseJudgments.systems": ("a", "b"),
    "PairwiseJudgments.segment": [0],
    "PairwiseJudgments.first": [0],
    "PairwiseJudgments.second": [1],
    "PairwiseJudgments.preference": [1],
    "williams.first": 0.9,
    "williams.second": 0.8,
    "williams.between": 0.85,
    "williams.items": 10,
    "read_texts.source": Source(FILE),
    "read_corpus.system": Source(FILE),
    "read_corpus.references": [Source(FILE)],
    "read_systems.systems": [Source(FILE)],
    "read_systems.references": [Source(FILE)],
    "stream_corpus.system": Source(FILE),
    "stream_corpus.references": [Source(FILE)],
    "Parallel.systems": [Source(FILE)],
    "Parallel.references": [Source(FILE)],
    "Source.path": FILE,
    "Source.parse.text": str(FILE),
    "batches": batches,
    "count_systems.hypotheses": [TEXTS],
    "Metric.score.totals": MeanBLEU().count(TEXTS, REFERENCES).totals(),
    "values": list(table.totals().values),
    "CHRF.formula.values": list(range(18)),
    "TER.formula.values": [1, 2.0],
    "MeanBLEU.formula.values": [1.0, 2.0],
    "SegmentMean.formula.values": [1, 2.0],
    "MeanBLEU.table_from.counted": MeanBLEU().bleu.count(TEXTS, REFERENCES),
    "Signature.name": "BLEU",
    "Signature.pairs": [("nrefs", "1")],
    "SegmentMean.table_of.scores": [0.1, None],
    "Report.comparison": compared,
    "Report.pictures.kinds": [".json"],
    "chart": agreement_bars([ScoreBar("BLEU", "pearson", 0.5)]),
    "draw.path": "a.json",
    "kind_of.path": "a.svg",
    "colours": "dark",
    "raters": RaterScores.from_rows([(0, "a", "x", 1.0), (0, "a", "y", 2.0), (1, "a", "x", 3.0)]),
    "length_sentinels.systems": ("a", "b"),
    "length_sentinels.outputs": [TEXTS, TEXTS],
    "board": leaderboard(HumanScores(matrix), [MetricScores("BLEU", matrix)]),
    "bars": [ScoreBar("BLEU", "pearson", 0.5)],
    "dots": [Dot("BLEU", "a", 0.5, 0.25)],
    "value": 0.5,
    "score": 0.5,
    "Dot.human": 0.5,
    "Dot.metric": "BLEU",
    "ScoreBar.metric": "BLEU",
    "Cutoffs.values": (1.0, 2.0),
    "Cutoffs.place.number": 1.5,
    "Cutoffs.groups.numbers": [0.5, None, 3.0],
    "Division.title": "lengths",
    "measure": len,
    "cutoffs": Cutoffs((1, 2)),
    "find_tokenizer.name": "13a",
    "find_division.text": "length",
}
# Arguments that a right call needs although they have a default.
ALWAYS = ("references", "blocks", "label")
# Their options take None for a default that depends on another option.
METRICS = tuple([entry.load() for entry in (*CATALOGUE.values(), *WITHOUT_REFERENCES.values())])
# A greater number than fits is as good as the greatest.
AT_MOST = ("threads", "n_references", "batch_size", "batch_bytes", "max_segment_bytes")
# An object of each class, on which its methods are called.
OBJECTS: tuple[Any, ...] = (
    metric,
    MeanBLEU(),
    SegmentMean("COMET"),
    metric.corpus_score(TEXTS, REFERENCES),
    metric.sentence_scores(TEXTS, REFERENCES),
    bleuet.score(TEXTS, REFERENCES, metric),
    metric.signature(),
    Corpus(TEXTS, REFERENCES),
    table,
    table.totals(),
    SavedTable("a", metric, table),
    compared,
    explain(BLEU(), BLEU(lowercase=True), TEXTS, REFERENCES),
    lint(TEXTS, REFERENCES),
    mbr([TEXTS, TEXTS], keep_matrices=True),
    tune(NBEST, REFERENCES, method="mert:restarts=1"),
    rerank(NBEST, [1]),
    tested,
    tested.comparisons[0],
    systems,
    matrix,
    PairwiseJudgments.from_scores(matrix),
    HumanScores(matrix),
    Source(FILE),
    Report(compared),
    Cutoffs((1, 2)),
    *list(DIVISIONS.values())[:1],
)
# Classes that are made by functions and methods, not by users.
MADE_BY_OTHERS = {
    "Metric", "PreparedReferences", "SegmentScores", "Comparison", "Explanation", "PairedResults",
    "Decisions", "Alignment",
    "Tuning", "Reranking",
    "PairedComparison", "SystemScore", "Interval", "BlockScores", "BlockComparison", "Agreement",
    "RaterAgreement", "RaterScores", "SystemRank", "SystemRanking",
    "MetricComparison", "MetricResult", "Leaderboard", "Statistic", "CorpusStream",
    "TextsInMemory", "Tokenizer", "TokenLabels", "Scores",
}  # fmt: skip
# Not for users of metrics but for writers of them: methods of any class.
FOR_WRITERS = {
    "count_segment", "learn_segment", "formula", "row_limits", "suited_to", "rescoring_options",
    "from_signature", "score_values", "mean", "mark_segment", "derive_segment",
}  # fmt: skip
# The same of one class, and what others do first with their arguments.
NOT_CALLED = {
    "BLEU.parts", "BLEU.precisions", "Declared.is_default", "Declared.rejected",
    "Corpus.from_checked", "Sequence.count", "Sequence.index", "Mapping.get", "Statistic.measured",
    "CorpusStream",
    "group_by_counting", "keep_counted", "score_counted", "count_batches", "count_systems",
    "SegmentMean.signature", "Answer.write", "Scores.write", "Source.stream", "Source.records",
    "Source.cues",
    # Of the report and the comparison, which call these with what they have made themselves.
    "to_svg", "to_png", "to_json", "to_html", "Report.to_html", "even_edges",
    "reference_lengths", "hypothesis_lengths", "length_differences", "lowest_frequencies",
    "Cutoffs.place", "Cutoffs.groups", "sentence_scores",
    "divide", "divide_by_labels", "validate_labels", "kernel_or_definition",
    # Of the studies, which call these with places of metrics and tables that they have.
    "Evaluation.common_segments", "Evaluation.has_any_scale", "Evaluation.is_comparable",
    "Evaluation.range_of", "Evaluation.score_column", "Evaluation.scores_of",
    "SegmentMean.digits_of", "SegmentMean.only", "SegmentMean.scores_of",
}  # fmt: skip


# A function can fail with any error.
FUNCTIONS = {"count_lines", "report", "progress"}


class Strange:
    """An object of no use here."""


WRONG: dict[str, Any] = {
    "None": None,
    "nan": float("nan"),
    "int": 7,
    "negative": -1,
    "float": 2.5,
    "huge": 10**400,
    "True": True,
    "text": "wrong",
    "no text": "",
    "long text": "a" * 10**6,
    "long texts": ["a" * 10**6, "b " * 10**5],
    "bytes": b"wrong",
    "set": {"a", "b"},
    "dict": {"wrong": 1},
    "no dict": {},
    "dict of tables": {("a", metric, table): 1},
    "list": [],
    "numbers": [1, 2],
    "nested": [[["a"]], [["b"]]],
    "None inside": [None, None],
    "texts": ["wrong", "words"],
    "tuple": (1, "a"),
    "objects": np.array([{}, None], dtype=object),
    "array": np.array([[1.5]]),
    "frame": pd.DataFrame({"a": ["b"]}),
    "series": pd.Series([1.5, None]),
    "type": int,
    "strange": Strange(),
    "function": len,
    "metric": BLEU,
}


class Call(NamedTuple):
    """A call that works, whose arguments are replaced one by one."""

    name: str
    function: Callable[..., Any]
    values: dict[str, Any]
    parameters: dict[str, inspect.Parameter]

    def __str__(self) -> str:
        return self.name

    def run(self, **changed: Any) -> Any:
        values = {name: fresh(value) for name, value in {**self.values, **changed}.items()}
        several = [n for n, p in self.parameters.items() if p.kind is p.VAR_POSITIONAL]
        before = [values.pop(name) for name in several if name in values]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return finished(self.function(*before, **values))


def fresh(value: Any) -> Any:
    """A value that is used up is made anew."""
    makers = (StringIO, batches, bleuet.output.settings.Settings)
    return value() if any(value is one for one in makers) else value


def finished(result: Any) -> Any:
    """Do what a lazy result has still to do."""
    if inspect.isgenerator(result):
        return list(result)
    if type(result).__name__ in ("CorpusStream", "Parallel"):
        with result as opened:
            return list(opened)
    if isinstance(result, Answer):
        result.to_json()
    if isinstance(result, Score):
        result.to_json()
    return result


def call_of(name: str, function: Callable[..., Any], bare: str) -> Call:
    parameters = dict(inspect.signature(function).parameters)
    values = {}
    for one, parameter in parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if f"{bare}.{one}" in VALUES:
            values[one] = VALUES[f"{bare}.{one}"]
        elif parameter.default is parameter.empty or one in ALWAYS:
            values[one] = VALUES[one]
    return Call(name, function, values, parameters)


def public_calls() -> Iterator[Call]:
    seen = set()
    for module in map(import_module, MODULES):
        listed = getattr(module, "__all__", None) or vars(module)
        for name in listed:
            thing = getattr(module, name)
            home = getattr(thing, "__module__", "")
            if name.startswith("_") or not home.startswith("bleuet") or name in seen:
                continue
            if isinstance(thing, type) and issubclass(thing, (Exception, Score)):
                continue
            if not hasattr(module, "__all__") and home != module.__name__:
                continue
            seen.add(name)
            if (inspect.isfunction(thing) and name not in NOT_CALLED) or (
                isinstance(thing, type) and name not in MADE_BY_OTHERS
            ):
                yield call_of(name, thing, name)
    methods = set()
    for one in OBJECTS:
        for name in dir(one):
            found = inspect.getattr_static(type(one), name, None)
            function = getattr(found, "__func__", found)
            if name.startswith("_") or not inspect.isfunction(function):
                continue
            bare = function.__qualname__
            label = f"{type(one).__name__}.{name}"
            if bare in NOT_CALLED or name in FOR_WRITERS or bare in methods:
                continue
            methods.add(bare)
            yield call_of(label, getattr(one, name), bare)


CALLS = list(public_calls())


def annotation_of(call: Call, parameter: str) -> str:
    text = call.parameters[parameter].annotation
    text = text if isinstance(text, str) else getattr(text, "__name__", "Any")
    return "Any" if text in ("_empty", "T") else text
