"""No argument of a public function is ignored: here those that score, count, choose and check.

Each case gives one argument another value; the answer changes, and by the law that the case names.
"""

from __future__ import annotations

import asyncio
import json
import struct
from statistics import mean
from typing import Any

import pytest

import bleuet
from bleuet import (
    BLEU,
    CHRF,
    NIST,
    SARI,
    TER,
    WER,
    Corpus,
    MeanBLEU,
    MeanCHRF,
    SavedTable,
    SelfBLEU,
    Signature,
    Table,
    Totals,
    find_metric,
    make_metric,
    metric_from_signature,
    with_sources,
)
from bleuet.engines.counting import score_batches
from bleuet.rewards import (
    Reward,
    leave_one_out,
    openrlhf_reward,
    self_similarity,
    trl_reward,
    verifiers_reward,
    verl_reward,
)
from bleuet.text.segments import Segments
from tests.contract.every_argument import Calls, Case, differ, holds
from tests.laws.generated import generated

S = generated(3, 12)
FIRST, CLOSE, R = S.systems["first"], S.systems["close"], S.references
ONE = S.column(0)
OTHERS = [[text] for text in S.sources]
LISTS = [list(dict.fromkeys(own)) or [""] for own in zip(*S.systems.values(), strict=True)]
PSEUDO = [[reference, source] for reference, source in zip(ONE, S.sources, strict=True)]
NBEST = [
    [(text, {"length": len(text), "place": place}) for place, text in enumerate(own)]
    for own in LISTS
]
# Texts that need preparation, two for each prompt.
SAID = ["<think>It?</think>the cat sat", "the dog ran and the dog ran and"]
TOLD = ["the cat sat down", "the dog ran"]

COPY = "Harbour bells rang twice ."
HALVES = ["early"] * 6 + ["late"] * 6
TWO_PARTS = [" ".join(CLOSE[:3]), " ".join(CLOSE[3:])]
HELD_OUT = {"held_out": NBEST[:6], "held_out_references": R[:6]}
WEIGHTS = {"length": -1.0, "place": 3.5}
ONES = [[0.0] * len(own[1:]) + [1.0] for own in LISTS]


def scored(metric: Any, hypotheses: Any = CLOSE, references: Any = R) -> float:
    """The score of texts by one metric alone."""
    return float(metric.corpus_score(hypotheses, references).score)


def rouge() -> Any:
    """ROUGE-1, whose scores have more than one number."""
    return make_metric("rouge1")


def swapped(values: Any) -> list[Any]:
    """The values in the opposite order."""
    return list(values)[::-1]


def shares(metric: Any, texts: Any, references: Any) -> list[float]:
    """Scores of sentences from 0 to 1."""
    return [
        metric.sentence_score(text, own).score / 100
        for text, own in zip(texts, references, strict=True)
    ]


def table_of(metric: Any = None, texts: Any = CLOSE) -> Table:
    """The counts of texts."""
    return (metric or BLEU()).count(texts, R)


CALLS: Calls = {
    "score": lambda: (bleuet.score, {"hypotheses": CLOSE, "references": R}),
    "Scores.segment_scores": lambda: (
        bleuet.score(S.systems, R, ["bleu", "ter"]).segment_scores, {"metric": "bleu"}
    ),
    "Metric.corpus_score": lambda: (NIST().corpus_score, {"hypotheses": CLOSE, "references": R}),
    "Counting.count": lambda: (NIST().count, {"hypotheses": CLOSE, "references": R}),
    "Counting.learn": lambda: (
        lambda references, *, threads=1: NIST().with_learned(
            NIST().learn(references, threads=threads)
        ).corpus_score(CLOSE, R, threads=threads),
        {"references": R},
    ),
    "Counting.with_learned": lambda: (
        lambda learned: NIST().with_learned(*learned).corpus_score(CLOSE, R),
        {"learned": [NIST().learn(R)]},
    ),
    "Metric.marked": lambda: (BLEU().marked, {"hypothesis": CLOSE[0], "references": R[0]}),
    "Metric.matrix": lambda: (CHRF().matrix, {"hypotheses": CLOSE[:3], "references": R[:4]}),
    "Counting.prepare": lambda: (
        lambda corpus: NIST().prepare(corpus).corpus_score(CLOSE[:5], R[:5]),
        {"corpus": Corpus(CLOSE, R)},
    ),
    "Counting.prepare_references": lambda: (
        lambda references, *, threads=1: CHRF().corpus_score(
            CLOSE, CHRF().prepare_references(references, threads=threads), threads=threads),
        {"references": R},
    ),
    "Metric.segment_scores": lambda: (CHRF().segment_scores, {"table": table_of(CHRF())}),
    "Metric.sentence_score": lambda: (
        CHRF().sentence_score, {"hypothesis": CLOSE[0], "references": R[0]}
    ),
    "MeanBLEU.sentence_score": lambda: (
        MeanBLEU().sentence_score, {"hypothesis": CLOSE[0], "references": R[0]}
    ),
    "MeanCHRF.sentence_score": lambda: (
        MeanCHRF().sentence_score, {"hypothesis": CLOSE[0], "references": R[0]}
    ),
    "Metric.sentence_scores": lambda: (
        NIST().sentence_scores, {"hypotheses": CLOSE, "references": R}
    ),
    "Counting.table": lambda: (NIST().table, {"corpus": Corpus(CLOSE, R)}),
    "Declared.signature": lambda: (CHRF().signature, {}),
    "Metric.score": lambda: (CHRF().score, {"totals": table_of(CHRF()).totals()}),
    "BLEU.score": lambda: (BLEU().score, {"totals": table_of().totals()}),
    "BLEU.table_of_others": lambda: (BLEU().table_of_others, {"texts": CLOSE}),
    "Score.format": lambda: (BLEU().corpus_score(CLOSE, R).format, {}),
    "Score.to_json": lambda: (BLEU().corpus_score(CLOSE, R).to_json, {}),
    "WER.alignment": lambda: (WER().alignment, {"hypotheses": CLOSE[:4], "references": R[:4]}),
    "MeanOfSegments.mean": lambda: (
        rouge().mean,
        {"values": make_metric("rouge1").count(CLOSE, R).totals().values, "measure": "precision"},
    ),
    "self_bleu": lambda: (bleuet.self_bleu, {"texts": CLOSE}),
    "SegmentScores.score": lambda: (BLEU().sentence_scores(CLOSE, R).score, {"segment": 0}),
    "Signature": lambda: (Signature, {"name": "BLEU", "pairs": [("case", "lc")]}),
    "find_metric": lambda: (find_metric, {"name": "bleu"}),
    "make_metric": lambda: (make_metric, {"name": "chrf"}),
    "metric_from_signature": lambda: (
        metric_from_signature, {"signature": str(BLEU().signature())}
    ),
    "Corpus": lambda: (Corpus, {"hypotheses": CLOSE, "references": R}),
    "Corpus.from_sacrebleu": lambda: (
        Corpus.from_sacrebleu, {"hypotheses": CLOSE, "streams": [ONE]}
    ),
    "Corpus.select": lambda: (Corpus(CLOSE, R).select, {"rows": [0, 1]}),
    "with_sources": lambda: (
        lambda references, sources: SARI().corpus_score(CLOSE, with_sources(references, sources)),
        {"references": R, "sources": S.sources},
    ),
    "Table": lambda: (
        Table,
        {
            "integer_columns": ["a"], "real_columns": ["b"], "rows": 1,
            "integers": memoryview(bytes(8)).cast("q"), "reals": memoryview(bytes(8)).cast("d"),
        },
    ),
    "Table.column": lambda: (table_of().column, {"name": "sys_len"}),
    "Table.concatenate": lambda: (Table.concatenate, {"tables": [table_of()]}),
    "Table.from_rows": lambda: (
        Table.from_rows, {"integer_columns": ["a"], "real_columns": ["b"], "rows": [(1, 2.5)]}
    ),
    "Table.row": lambda: (table_of().row, {"segment": 0}),
    "Table.select": lambda: (table_of().select, {"rows": [0, 1]}),
    "Table.totals": lambda: (table_of().totals, {}),
    "Totals": lambda: (Totals, {"columns": ["a"], "values": [3]}),
    "SavedTable": lambda: (
        SavedTable, {"system": "a", "metric": BLEU(), "table": table_of()}
    ),
    "SavedTable.rescored": lambda: (
        lambda options: SavedTable("a", BLEU(), table_of()).rescored(**options), {"options": {}}
    ),
    "explain": lambda: (
        bleuet.explain,
        {"a": BLEU(), "b": BLEU(lowercase=True), "hypotheses": CLOSE, "references": R},
    ),
    "lint": lambda: (bleuet.lint, {"systems": {"a": FIRST, "b": CLOSE}, "references": R}),
    "mbr": lambda: (bleuet.mbr, {"candidates": LISTS, "metric": "chrf"}),
    "Decisions.decided": lambda: (
        bleuet.mbr(LISTS, ["chrf", "ter"], keep_matrices=True).decided, {}
    ),
    "Decisions.scored": lambda: (bleuet.mbr(LISTS, "chrf").scored, {"references": R}),
    "align": lambda: (bleuet.align, {"hypotheses": CLOSE, "references": ONE}),
    "tune": lambda: (
        bleuet.tune, {"nbest": NBEST, "references": R, "method": "mert:restarts=1"} | HELD_OUT
    ),
    "rerank": lambda: (
        bleuet.rerank, {"nbest": NBEST, "weights": {"length": 1, "place": 0}, "references": R}
    ),
    "Reward": lambda: (
        lambda metric, scale=1.0, options=None, **others: Reward(
            metric, scale, **others, **(options or {})
        ).details(SAID, TOLD, S.sources[:2]),
        {"metric": "chrf"},
    ),
    "Reward.details": lambda: (
        Reward("chrf", preprocess=["prompt"]).details, {"hypotheses": SAID, "references": TOLD}
    ),
    "Reward.matrix": lambda: (Reward("chrf").matrix, {"texts": TOLD, "references": TOLD}),
    "Reward.score": lambda: (
        Reward("chrf", preprocess=["prompt"]).score,
        {"hypothesis": SAID[1], "references": TOLD[1]},
    ),
    "leave_one_out": lambda: (leave_one_out, {"samples": ONE[:4]}),
    "self_similarity": lambda: (self_similarity, {"samples": ONE[:4]}),
    "openrlhf_reward": lambda: (
        lambda metric, options=None: openrlhf_reward(metric, **(options or {}))(
            [f"? {text}" for text in SAID], ["?", "?"], TOLD
        ),
        {"metric": "chrf"},
    ),
    "verl_reward": lambda: (
        lambda metric, options=None: verl_reward(metric, **(options or {}))(
            "", SAID[1], TOLD[1]
        ),
        {"metric": "chrf"},
    ),
    "verifiers_reward": lambda: (
        lambda metric, options=None, **named: asyncio.run(
            verifiers_reward(metric, **named, **(options or {}))(
                completion=SAID[1], answer=TOLD[1], text=ONE[0]
            )
        ),
        {"metric": "chrf"},
    ),
    "trl_reward": lambda: (
        lambda metric, options=None, **named: trl_reward(metric, **named, **(options or {}))(
            ["?", "?"], SAID, reference=TOLD, text=ONE[:2]
        ),
        {"metric": "chrf"},
    ),
    "score_batches": lambda: (
        score_batches,
        {"metrics": [NIST()], "batches": [((Segments("text", CLOSE),), Segments("text", R))]},
    ),
}  # fmt: skip

CASES = [
    # Texts, metrics and languages of one call.
    Case("score.hypotheses", lambda: FIRST, lambda _, b: (b["bleu"].score, scored(BLEU(), FIRST))),
    Case(
        "score.references",
        lambda: OTHERS,
        lambda _, b: (b["bleu"].score, scored(BLEU(), CLOSE, OTHERS)),
    ),
    Case(
        "score.metrics",
        lambda: ["ter", CHRF()],
        lambda _, b: ([one.score for one in map(b.get, b)], [scored(TER()), scored(CHRF())]),
    ),
    Case(
        "score.sources",
        lambda: S.sources,
        lambda _, b: (b["sari"].score, scored(SARI(), CLOSE, with_sources(R, S.sources))),
        lambda: {"metrics": ["sari"], "sources": ONE},
    ),
    Case(
        "score.trg_lang",
        lambda: "zh",
        lambda _, b: (b["bleu"].metric, BLEU(tokenize="zh")),
    ),
    Case(
        "Scores.segment_scores.metric",
        lambda: "ter",
        lambda _, b: (list(b["close"]), list(TER().sentence_scores(CLOSE, R))),
    ),
    # Methods of metrics.
    *(
        case
        for name in ("Metric.corpus_score", "Counting.count", "Metric.sentence_scores")
        for case in (
            Case(
                f"{name}.hypotheses",
                lambda: swapped(CLOSE),
                lambda _, b, name=name: (
                    b,
                    getattr(NIST(), name.split(".")[1])(Corpus(CLOSE[::-1], R)),
                ),
            ),
            Case(
                f"{name}.references",
                lambda: swapped(R),
                lambda _, b, name=name: (
                    b,
                    getattr(NIST(), name.split(".")[1])(Corpus(CLOSE, R[::-1])),
                ),
            ),
        )
    ),
    Case(
        "Counting.learn.references",
        lambda: R[:6],
        lambda _, b: (b, NIST().prepare(Corpus(CLOSE[:6], R[:6])).corpus_score(CLOSE, R)),
    ),
    Case(
        "Counting.with_learned.learned",
        lambda: [NIST().learn(R[:6]), NIST().learn(S.sources)],
        lambda _, b: (
            b,
            NIST().with_learned(NIST().learn([*R[:6], *OTHERS])).corpus_score(CLOSE, R),
        ),
    ),
    Case(
        "Metric.marked.hypothesis",
        lambda: CLOSE[1],
        lambda _, b: (b, BLEU().marked(CLOSE[1], R[0])),
    ),
    Case("Metric.marked.references", lambda: R[1], lambda _, b: (b, BLEU().marked(CLOSE[0], R[1]))),
    Case(
        "Metric.matrix.hypotheses",
        lambda: CLOSE[1:3],
        lambda a, b: (b.tolist(), a.tolist()[1:]),
    ),
    Case(
        "Metric.matrix.references",
        lambda: R[1:4],
        lambda a, b: (b.tolist(), [row[1:] for row in a.tolist()]),
    ),
    Case(
        "Metric.matrix.dtype",
        lambda: "float32",
        lambda a, b: (b.tolist(), [[float32(one) for one in row] for row in a.tolist()]),
    ),
    Case(
        "Counting.prepare.corpus",
        lambda: Corpus(CLOSE[:5], R[:5]),
        lambda _, b: (b, NIST().corpus_score(CLOSE[:5], R[:5])),
    ),
    Case(
        "Counting.prepare_references.references",
        lambda: OTHERS,
        lambda _, b: (b.score, scored(CHRF(), CLOSE, OTHERS)),
    ),
    Case(
        "Metric.segment_scores.table",
        lambda: table_of(CHRF(), FIRST),
        lambda _, b: (list(b), list(CHRF().sentence_scores(FIRST, R))),
    ),
    *(
        case
        for kind in (CHRF, MeanBLEU, MeanCHRF)
        for name in [f"{'Metric' if kind is CHRF else kind.__name__}.sentence_score"]
        for case in (
            Case(
                f"{name}.hypothesis",
                lambda: CLOSE[1],
                lambda _, b, kind=kind: (b.score, kind().sentence_scores(CLOSE[1:2], R[:1])[0]),
            ),
            Case(
                f"{name}.references",
                lambda: R[1],
                lambda _, b, kind=kind: (b.score, kind().sentence_scores(CLOSE[:1], R[1:2])[0]),
            ),
        )
    ),
    Case(
        "Counting.table.corpus", lambda: Corpus(FIRST, R), lambda _, b: (b, NIST().count(FIRST, R))
    ),
    Case(
        "Declared.signature.n_references",
        lambda: 3,
        lambda a, b: (str(b), str(a).replace("nrefs:1", "nrefs:3")),
    ),
    Case(
        "Metric.score.totals",
        lambda: table_of(CHRF(), FIRST).totals(),
        lambda _, b: (b.score, scored(CHRF(), FIRST)),
    ),
    Case(
        "BLEU.score.totals",
        lambda: table_of(BLEU(), FIRST).totals(),
        lambda _, b: (b.score, scored(BLEU(), FIRST)),
    ),
    Case(
        "BLEU.table_of_others.texts",
        lambda: CLOSE[:4],
        lambda _, b: (b[0], BLEU().count(CLOSE[:4], others_of(CLOSE[:4]))),
    ),
    Case(
        "BLEU.table_of_others.chosen",
        lambda: [2, 5],
        lambda _, b: (
            b[0].select([0, 1]).totals().values,
            BLEU().count(CLOSE[:2], [[CLOSE[2], CLOSE[5]]] * 2).totals().values,
        ),
    ),
    Case(
        "BLEU.table_of_others.itself",
        lambda: True,
        lambda _, b: (b[0], BLEU().count(CLOSE, [CLOSE] * 12)),
    ),
    Case("Score.format.width", lambda: 4, lambda _, b: (f" {scored(BLEU()):.4f} " in b, True)),
    Case(
        "Score.format.signature",
        lambda: True,
        lambda _, b: (str(BLEU().corpus_score(CLOSE, R).signature) in b, True),
    ),
    Case("Score.to_json.indent", lambda: 1, lambda a, b: (b, json.dumps(json.loads(a), indent=1))),
    Case(
        "WER.alignment.hypotheses",
        lambda: FIRST[:4],
        lambda _, b: (
            [one.lines() for one in b],
            [WER().alignment([h], [r])[0].lines() for h, r in zip(FIRST[:4], R, strict=False)],
        ),
    ),
    Case(
        "WER.alignment.references",
        lambda: R[1:5],
        lambda _, b: (
            [one.lines() for one in b],
            [WER().alignment([h], [r])[0].lines() for h, r in zip(CLOSE[:4], R[1:5], strict=True)],
        ),
    ),
    Case(
        "MeanOfSegments.mean.values",
        lambda: make_metric("rouge1").count(FIRST, R).totals().values,
        lambda _, b: (b, rouge().corpus_score(FIRST, R).precision),
    ),
    Case(
        "MeanOfSegments.mean.measure",
        lambda: "recall",
        lambda _, b: (b, rouge().corpus_score(CLOSE, R).recall),
    ),
    # Texts compared with each other.
    Case("self_bleu.texts", lambda: FIRST, lambda _, b: (b, SelfBLEU().score_texts(FIRST))),
    Case(
        "self_bleu.metric",
        lambda: BLEU(max_ngram_order=2),
        lambda _, b: (
            b.score,
            mean(
                [
                    BLEU(max_ngram_order=2).sentence_score(t, o).score
                    for t, o in zip(CLOSE, others_of(CLOSE), strict=True)
                ]
            ),
        ),
    ),
    Case(
        "self_bleu.average",
        lambda: "corpus",
        lambda _, b: (b.score, scored(BLEU(), CLOSE, others_of(CLOSE))),
    ),
    Case(
        "self_bleu.itself",
        lambda: True,
        lambda _, b: (
            b.score,
            mean([BLEU(max_ngram_order=1).sentence_score(text, CLOSE).score for text in CLOSE]),
        ),
        lambda: {"metric": BLEU(max_ngram_order=1)},
    ),
    Case(
        "self_bleu.sample",
        lambda: 12,
        lambda _, b: (b.score, bleuet.self_bleu(CLOSE, sample=12, seed=1).score),
        lambda: {"sample": 3},
    ),
    Case(
        "self_bleu.seed",
        lambda: 2,
        lambda _, b: (b, bleuet.self_bleu(CLOSE, sample=3, seed=2)),
        lambda: {"sample": 3},
    ),
    Case(
        "SegmentScores.score.segment",
        lambda: 3,
        lambda _, b: (b.score, BLEU().sentence_score(CLOSE[3], R[3]).score),
    ),
    # Names, signatures and what is kept.
    Case(
        "Signature.name", lambda: "TER", lambda _, b: (str(b).split("|")[0] + b.name, "case:lcTER")
    ),
    Case("Signature.pairs", lambda: [("tok", "zh")], lambda _, b: (str(b), "tok:zh")),
    Case("Signature.short_keys", lambda: {"case": "c"}, lambda _, b: (b.short(), "c:lc")),
    Case("find_metric.name", lambda: "ter", lambda _, b: (b, TER)),
    Case("make_metric.name", lambda: "ter", lambda _, b: (b, TER())),
    Case(
        "make_metric.options",
        lambda: {"word_order": 2, "beta": 3},
        lambda _, b: (b, CHRF(word_order=2, beta=3)),
    ),
    Case(
        "metric_from_signature.signature",
        lambda: str(TER(case_sensitive=True).signature()),
        lambda _, b: (b, TER(case_sensitive=True)),
    ),
    Case(
        "Corpus.hypotheses",
        lambda: FIRST,
        lambda _, b: (scored(TER(), b, None), scored(TER(), FIRST)),
    ),
    Case(
        "Corpus.references",
        lambda: OTHERS,
        lambda _, b: (scored(TER(), b, None), scored(TER(), CLOSE, OTHERS)),
    ),
    Case(
        "Corpus.sources",
        lambda: S.sources,
        lambda _, b: (scored(SARI(), b, None), scored(SARI(), CLOSE, with_sources(R, S.sources))),
        lambda: {"sources": ONE},
    ),
    Case(
        "Corpus.from_sacrebleu.hypotheses",
        lambda: FIRST,
        lambda _, b: (b, Corpus(FIRST, S.column(0))),
    ),
    Case(
        "Corpus.from_sacrebleu.streams",
        lambda: [ONE, S.column(1)],
        lambda _, b: (b, Corpus(CLOSE, list(zip(ONE, S.column(1), strict=True)))),
    ),
    Case(
        "Corpus.select.rows",
        lambda: [4, 0],
        lambda _, b: (b, Corpus([CLOSE[4], CLOSE[0]], [R[4], R[0]])),
    ),
    Case(
        "with_sources.references",
        lambda: OTHERS,
        lambda _, b: (b, SARI().corpus_score(Corpus(CLOSE, OTHERS, S.sources))),
    ),
    Case(
        "with_sources.sources",
        lambda: ONE,
        lambda _, b: (b, SARI().corpus_score(Corpus(CLOSE, R, ONE))),
    ),
    Case("Table.integer_columns", lambda: ["c"], lambda _, b: (b.columns, ("c", "b"))),
    Case("Table.real_columns", lambda: ["c"], lambda _, b: (b.columns, ("a", "c"))),
    Case(
        "Table.integers",
        lambda: memoryview(b"\1" + bytes(7)).cast("q"),
        lambda _, b: (b.row(0)["a"], 1),
    ),
    Case(
        "Table.reals",
        lambda: memoryview(bytes(6) + b"\xf0\x3f").cast("d"),
        lambda _, b: (b.row(0)["b"], 1.0),
    ),
    Case("Table.n_references", lambda: 4, lambda _, b: (b.totals().n_references, 4)),
    Case("Table.learned", lambda: "weights", lambda _, b: (b.totals().learned, "weights")),
    Case(
        "Table.column.name",
        lambda: "ref_len",
        lambda _, b: (sum(b), BLEU().corpus_score(CLOSE, R).ref_len),
    ),
    Case(
        "Table.concatenate.tables",
        lambda: [table_of(), table_of(texts=FIRST)],
        lambda _, b: (b, BLEU().count([*CLOSE, *FIRST], [*R, *R])),
    ),
    Case("Table.from_rows.integer_columns", lambda: ["c"], lambda _, b: (b.columns, ("c", "b"))),
    Case("Table.from_rows.real_columns", lambda: ["c"], lambda _, b: (b.columns, ("a", "c"))),
    Case(
        "Table.from_rows.rows",
        lambda: [(1, 2.5), (3, 0.5)],
        lambda _, b: (b.totals().values, (4, 3.0)),
    ),
    Case("Table.from_rows.n_references", lambda: 2, lambda _, b: (b.totals().n_references, 2)),
    Case(
        "Table.row.segment",
        lambda: 3,
        lambda _, b: (b.values, BLEU().count(CLOSE[3:4], R[3:4]).totals().values),
    ),
    Case(
        "Table.select.rows",
        lambda: [5, 5],
        lambda _, b: (
            b.totals().values,
            Table.concatenate([BLEU().count(CLOSE[5:6], R[5:6])] * 2).totals().values,
        ),
    ),
    Case(
        "Table.totals.after",
        lambda: table_of(texts=FIRST).totals(),
        lambda _, b: (b, Table.concatenate([table_of(texts=FIRST), table_of()]).totals()),
    ),
    Case("Totals.columns", lambda: ["b"], lambda _, b: (b["b"], 3)),
    Case("Totals.values", lambda: [4], lambda _, b: (b["a"], 4)),
    Case("Totals.rows", lambda: 7, lambda _, b: (b.rows, 7)),
    Case("Totals.n_references", lambda: 2, lambda _, b: (b.n_references, 2)),
    Case("Totals.learned", lambda: "weights", lambda _, b: (b.learned, "weights")),
    Case("SavedTable.system", lambda: "b", lambda _, b: (b.system, "b")),
    Case(
        "SavedTable.metric",
        lambda: BLEU(lowercase=True),
        lambda _, b: (b.metric, BLEU(lowercase=True)),
    ),
    Case(
        "SavedTable.table",
        lambda: table_of(texts=FIRST),
        lambda _, b: (b.table, table_of(texts=FIRST)),
    ),
    Case(
        "SavedTable.references", lambda: "fingerprint", lambda _, b: (b.references, "fingerprint")
    ),
    Case(
        "SavedTable.rescored.options",
        lambda: {"smooth": "floor", "smooth_value": 0.5},
        lambda _, b: (
            b.metric.score(b.table.totals()).score,
            scored(BLEU(smooth="floor", smooth_value=0.5)),
        ),
    ),
    # Why scores differ, and what is wrong with texts.
    Case(
        "explain.a",
        lambda: BLEU(tokenize="char"),
        lambda _, b: (b.a.score, scored(BLEU(tokenize="char"))),
    ),
    Case(
        "explain.b",
        lambda: BLEU(tokenize="char"),
        lambda _, b: (b.b.score, scored(BLEU(tokenize="char"))),
    ),
    Case(
        "explain.hypotheses",
        lambda: FIRST,
        lambda _, b: (
            [b.a.score, b.b.score],
            [scored(BLEU(), FIRST), scored(BLEU(lowercase=True), FIRST)],
        ),
    ),
    Case(
        "explain.references",
        lambda: OTHERS,
        lambda _, b: (
            [b.a.score, b.b.score],
            [scored(BLEU(), CLOSE, OTHERS), scored(BLEU(lowercase=True), CLOSE, OTHERS)],
        ),
    ),
    Case(
        "lint.systems",
        lambda: {"a": FIRST, "b": ["", *CLOSE[1:]]},
        lambda _, b: (places(b, "empty"), {("a", 5), ("b", 1), ("b", 5)}),
    ),
    Case(
        "lint.references",
        lambda: ["", *ONE[1:]],
        lambda _, b: (
            sorted(file for file, line in places(b, "empty") if line == 1),
            ["references"],
        ),
    ),
    Case(
        "lint.source",
        lambda: [COPY, *S.sources[1:]],
        lambda _, b: (places(b, "source-copy"), {("b", 1)}),
        lambda: {"systems": {"a": FIRST, "b": [COPY, *CLOSE[1:]]}},
    ),
    Case(
        "lint.checks",
        lambda: ["empty"],
        lambda a, b: (b.findings, [one for one in a.findings if one.check == "empty"]),
    ),
    Case(
        "lint.metrics",
        lambda: [TER()],
        lambda _, b: ({own.metric for one in b.findings for own in one.effects}, {"TER"}),
    ),
    # Candidates chosen by other candidates.
    Case(
        "mbr.candidates",
        lambda: swapped(LISTS),
        lambda a, b: ([one.best for one in b], [one.best for one in a][::-1]),
    ),
    Case(
        "mbr.metric",
        lambda: ["chrf", TER()],
        lambda _, b: ([one.utilities for one in b], [pair_means(own) for own in LISTS]),
    ),
    Case(
        "mbr.references",
        lambda: PSEUDO,
        lambda _, b: (
            b[1].utilities,
            [
                mean(
                    [
                        CHRF().sentence_score(text, ONE[1]).score,
                        CHRF().sentence_score(text, S.sources[1]).score,
                    ]
                )
                for text in LISTS[1]
            ],
        ),
    ),
    Case(
        "mbr.weights",
        lambda: [[0, 1]] * 12,
        lambda _, b: (
            [one.utilities for one in b],
            [
                one.utilities
                for one in bleuet.mbr(LISTS, "chrf", references=[[text] for text in S.sources])
            ],
        ),
        lambda: {"references": PSEUDO},
    ),
    Case(
        "mbr.duplicates",
        lambda: False,
        lambda _, b: (
            [one.utilities for one in b],
            [one.utilities for one in bleuet.mbr(LISTS, "chrf", references=PSEUDO)],
        ),
        lambda: {"references": [[a, a, b] for a, b in PSEUDO]},
    ),
    Case(
        "mbr.way",
        lambda: "aggregated",
        lambda _, b: (
            [one.best for one in b],
            [one.best for one in bleuet.mbr(LISTS, CHRF(), way="aggregated")],
        ),
    ),
    Case(
        "mbr.keep_matrices",
        lambda: True,
        lambda _, b: (b[2].matrices[0], CHRF().matrix(LISTS[2], LISTS[2])),
    ),
    Case(
        "mbr.sources",
        lambda: S.sources,
        lambda _, b: (
            b[1].utilities,
            [
                SARI()
                .sentence_score(text, with_sources([ONE[1]], [S.sources[1]]).tolist()[0])
                .score
                for text in LISTS[1]
            ],
        ),
        lambda: {"metric": "sari", "references": [[text] for text in ONE], "sources": ONE},
    ),
    Case(
        "Decisions.decided.metric",
        lambda: "ter",
        lambda _, b: (
            [one.utilities for one in b],
            [one.utilities for one in bleuet.mbr(LISTS, "ter")],
        ),
    ),
    Case(
        "Decisions.decided.weights",
        lambda: ONES,
        lambda _, b: (
            [one.best for one in b],
            [one.best for one in bleuet.mbr(LISTS, ["chrf", "ter"], weights=ONES)],
        ),
    ),
    Case(
        "Decisions.scored.references",
        lambda: OTHERS,
        lambda _, b: (chosen_score(b, "chrf"), scored(CHRF(), [one.best for one in b], OTHERS)),
    ),
    Case(
        "Decisions.scored.metric",
        lambda: "ter",
        lambda _, b: (chosen_score(b, "ter"), scored(TER(), [one.best for one in b])),
    ),
    # Texts cut like the references.
    Case(
        "align.hypotheses", lambda: [" ".join(ONE)], lambda _, b: ((b.segments, b.edits), (ONE, 0))
    ),
    Case(
        "align.references",
        lambda: [" ".join(CLOSE)],
        lambda _, b: (
            [" ".join(b.segments[0].split()), b.edits],
            [" ".join(" ".join(CLOSE).split()), 0],
        ),
    ),
    Case(
        "align.documents",
        lambda: HALVES,
        lambda _, b: (b.segments, cut_in_halves()),
        lambda: {"hypotheses": TWO_PARTS, "documents": ["early"] + ["late"] * 11},
    ),
    Case(
        "align.hypothesis_documents",
        lambda: ["early"] * 3 + ["late"] * 9,
        lambda _, b: (b.segments, cut_in_halves()),
        lambda: {"documents": HALVES, "hypothesis_documents": ["early"] * 9 + ["late"] * 3},
    ),
    Case(
        "align.tokenize",
        lambda: "13a",
        lambda a, b: ([a.edits, b.edits], [2, 0]),
        lambda: {"hypotheses": ["the cat ,"], "references": ["the cat,"]},
    ),
    Case(
        "align.case_sensitive",
        lambda: True,
        lambda a, b: ((a.edits, b.edits), (0, 2)),
        lambda: {"hypotheses": ["A b C"], "references": ["a b c"]},
    ),
    # Weights of a model.
    Case(
        "tune.nbest",
        lambda: [[(text, {"place": place}) for place, text in enumerate(own)] for own in LISTS],
        lambda _, b: (list(b.weights), ["place"]),
        lambda: {"held_out": None, "held_out_references": None},
    ),
    Case(
        "tune.references", lambda: OTHERS, lambda _, b: (b.tuned, scored(BLEU(), b.texts, OTHERS))
    ),
    Case("tune.metric", lambda: "ter", lambda _, b: (b.tuned, scored(TER(), b.texts))),
    Case("tune.method", lambda: "mira", lambda _, b: (type(b.method).__name__.lower(), "mira")),
    Case(
        "tune.start",
        lambda: WEIGHTS,
        lambda _, b: (
            b.start,
            scored(BLEU(), [one.text for one in bleuet.rerank(NBEST, WEIGHTS).choices]),
        ),
    ),
    Case(
        "tune.seed",
        lambda: 2,
        lambda a, b: (
            (b.weights, differ(a.weights, b.weights)),
            (bleuet.tune(NBEST, R, method="mira", seed=2).weights, True),
        ),
        lambda: {"method": "mira"},
    ),
    Case(
        "tune.held_out",
        lambda: NBEST[6:],
        lambda _, b: (
            held_out(b),
            scored(
                BLEU(), [one.text for one in bleuet.rerank(NBEST[6:], b.weights).choices], R[:6]
            ),
        ),
    ),
    Case(
        "tune.held_out_references",
        lambda: OTHERS[:6],
        lambda _, b: (held_out(b), scored(BLEU(), b.texts[:6], OTHERS[:6])),
    ),
    Case("rerank.nbest", lambda: swapped(NBEST), lambda a, b: (b.choices, a.choices[::-1])),
    Case(
        "rerank.weights",
        lambda: WEIGHTS,
        lambda _, b: (
            [one.score for one in b.choices],
            [
                max(WEIGHTS["length"] * f["length"] + WEIGHTS["place"] * f["place"] for _, f in own)
                for own in NBEST
            ],
        ),
    ),
    Case(
        "rerank.references",
        lambda: OTHERS,
        lambda _, b: (
            row_of(b.scores, "chosen"),
            [scored(BLEU(), [one.text for one in b.choices], OTHERS)],
        ),
    ),
    Case(
        "rerank.metric",
        lambda: ["ter", "chrf"],
        lambda _, b: (
            row_of(b.scores, "chosen"),
            [scored(metric, [one.text for one in b.choices]) for metric in (TER(), CHRF())],
        ),
    ),
    # Rewards.
    Case(
        "Reward.metric",
        lambda: {"chrf": 0.5, "ter": 2.0},
        lambda a, b: (
            b["reward"],
            [0.5 * one + 2 * other for one, other in zip(a["chrF2"], b["TER"], strict=True)],
        ),
    ),
    Case("Reward.scale", lambda: 4.0, lambda a, b: (b["reward"], [4 * one for one in a["reward"]])),
    Case(
        "Reward.preprocess",
        lambda: [str.upper],
        lambda _, b: (b["chrF2"], shares(CHRF(), map(str.upper, SAID), TOLD)),
    ),
    Case(
        "Reward.length_penalty",
        lambda: 0.5,
        lambda a, b: (b["reward"], [a["reward"][0] - 0.5 / 4, a["reward"][1] - 0.5]),
    ),
    Case(
        "Reward.repetition_penalty",
        lambda: 0.5,
        lambda a, b: (b["reward"], [a["reward"][0], a["reward"][1] - 0.5 * 2 / 6]),
    ),
    Case(
        "Reward.options",
        lambda: {"word_order": 2},
        lambda _, b: (b["reward"], shares(CHRF(word_order=2), [SAID[0][18:], SAID[1]], TOLD)),
    ),
    Case(
        "Reward.details.hypotheses",
        lambda: swapped(SAID),
        lambda _, b: (b["reward"], shares(CHRF(), SAID[::-1], TOLD)),
    ),
    Case(
        "Reward.details.references",
        lambda: swapped(TOLD),
        lambda _, b: (b["reward"], shares(CHRF(), SAID, TOLD[::-1])),
    ),
    Case(
        "Reward.details.prompts",
        lambda: ["<think>", "the dog "],
        lambda _, b: (b["reward"], shares(CHRF(), [SAID[0][7:], SAID[1][8:]], TOLD)),
    ),
    Case(
        "Reward.matrix.texts",
        lambda: SAID,
        lambda _, b: (b, [shares(CHRF(), [text] * 2, TOLD) for text in SAID]),
    ),
    Case(
        "Reward.matrix.references",
        lambda: SAID,
        lambda _, b: (b, [shares(CHRF(), [text] * 2, SAID) for text in TOLD]),
    ),
    Case(
        "Reward.score.hypothesis",
        lambda: TOLD[0],
        lambda _, b: ([b], shares(CHRF(), TOLD[:1], TOLD[1:])),
    ),
    Case(
        "Reward.score.references",
        lambda: TOLD[:1],
        lambda _, b: ([b], shares(CHRF(), SAID[1:], TOLD[:1])),
    ),
    Case(
        "Reward.score.prompt",
        lambda: "the dog ",
        lambda _, b: ([b], shares(CHRF(), [SAID[1][8:]], TOLD[1:])),
    ),
    Case(
        "leave_one_out.samples",
        lambda: FIRST[:3],
        lambda _, b: (b, means_of_others(BLEU(effective_order=True), FIRST[:3])),
    ),
    Case(
        "leave_one_out.metric",
        lambda: "chrf",
        lambda _, b: (b, means_of_others(CHRF(), ONE[:4])),
    ),
    Case(
        "self_similarity.samples",
        lambda: FIRST[:3],
        lambda _, b: (
            b,
            shares(BLEU(effective_order=True), FIRST[:3], others_of(FIRST[:3])),
        ),
    ),
    Case(
        "self_similarity.metric",
        lambda: "chrf",
        lambda _, b: (b, shares(CHRF(), ONE[:4], others_of(ONE[:4]))),
    ),
    *(
        case
        for name in ("openrlhf_reward", "verl_reward", "verifiers_reward", "trl_reward")
        for case in (
            Case(
                f"{name}.metric",
                lambda: "ter",
                lambda _, b: (last_reward(b), shares_of_rates(SAID[1], TOLD[1])),
            ),
            Case(
                f"{name}.options",
                lambda: {"word_order": 2, "scale": 3.0},
                lambda _, b: (
                    last_reward(b),
                    3 * shares(CHRF(word_order=2), SAID[1:], TOLD[1:])[0],
                ),
            ),
        )
    ),
    Case(
        "verifiers_reward.answer",
        lambda: "text",
        lambda _, b: ([b], shares(CHRF(), SAID[1:], ONE[:1])),
    ),
    Case(
        "trl_reward.reference",
        lambda: "text",
        lambda _, b: (b, shares(CHRF(), ["the cat sat", SAID[1]], ONE[:2])),
    ),
    Case(
        "trl_reward.source",
        lambda: "text",
        lambda _, b: (
            b,
            shares(SARI(), ["the cat sat", SAID[1]], with_sources(TOLD, ONE[:2]).tolist()),
        ),
        lambda: {"metric": "sari", "source": "reference"},
    ),
    Case(
        "trl_reward.diversity_penalty",
        lambda: 0.5,
        lambda a, b: (
            b,
            [
                one - 0.5 * own
                for one, own in zip(a, self_similarity(["the cat sat", SAID[1]]), strict=True)
            ],
        ),
    ),
    # Batches.
    Case(
        "score_batches.metrics",
        lambda: [TER(), CHRF()],
        lambda _, b: ([one.score for one in b[0]], [scored(TER()), scored(CHRF())]),
    ),
    Case(
        "score_batches.batches",
        lambda: (
            [((Segments("text", own[:5]),), Segments("text", R[:5])) for own in (CLOSE,)]
            + [((Segments("text", CLOSE[5:]),), Segments("text", OTHERS[5:]))]
        ),
        lambda _, b: (b[0][0].score, scored(NIST(), CLOSE, [*R[:5], *OTHERS[5:]])),
    ),
]


# --- Answers by definition ------------------------------------------------------------------------


def float32(value: float) -> float:
    """A number with the digits of 32 bits."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


def others_of(texts: list[str]) -> list[list[str]]:
    """For each text all others."""
    return [texts[:place] + texts[place + 1 :] for place in range(len(texts))]


def means_of_others(metric: Any, texts: list[str]) -> list[float]:
    """For each text the mean of its scores against each other text."""
    return [
        mean(shares(metric, [text] * len(own), own))
        for text, own in zip(texts, others_of(texts), strict=True)
    ]


def places(report: Any, check: str) -> set[tuple[str, int]]:
    """The files and lines of the findings of a check."""
    return {(one.file, line) for one in report.findings if one.check == check for line in one.lines}


def pair_means(texts: list[str]) -> list[float]:
    """The mean of chrF and the negative TER of each text against all of them."""
    return [
        mean(
            [
                mean([metric.sentence_score(text, other).score * sign for other in texts])
                for metric, sign in ((CHRF(), 1), (TER(), -1))
            ]
        )
        for text in texts
    ]


def row_of(scores: Any, name: str) -> list[float]:
    """The scores of a row, one by each metric."""
    (found,) = [row[1:] for row in scores.rows() if row[0] == name]
    return list(found)


def chosen_score(decisions: Any, metric: str) -> float:
    """The score of the chosen candidates."""
    return float(decisions.scores[metric]["chosen"].score)


def held_out(tuning: Any) -> float:
    """The score of the tuned weights on other lists."""
    return row_of(tuning.held_out, "tuned")[0]


def cut_in_halves() -> list[str]:
    """The segments of two documents, each cut by itself."""
    parts = zip(TWO_PARTS, (ONE[:6], ONE[6:]), strict=True)
    return [text for part, own in parts for text in bleuet.align([part], own).segments]


def last_reward(result: Any) -> float:
    """The reward of the last text, as a framework gets it."""
    result = result["rewards"] if isinstance(result, dict) else result
    return float(result[-1] if isinstance(result, list) else result)


def shares_of_rates(text: str, reference: str) -> float:
    """What an error rate is as a reward."""
    return max(0.0, 1 - TER().sentence_score(text, reference).score / 100)


# --- Tests ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_another_value_of_an_argument_changes_the_answer_as_it_says(case: Case) -> None:
    holds(CALLS, case)
