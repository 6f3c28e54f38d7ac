"""Stored figures of sacreBLEU 2.6.0: integers identical, scores within 1e-9, signatures equal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, TER, BLEUScore
from bleuet.metrics.catalogue import find_metric, metric_from_signature, parse_metric

if TYPE_CHECKING:
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from tests.evaluation_data import EvaluationData

pytestmark = pytest.mark.data
NEAR = 1e-9
VARIANT_SYSTEMS = ["PROMT-Rule-based", "online-A", "uedin-nmt"]
E2E_SYSTEMS = ["tgen", "sheff2", "tr1"]


def without_version(signature: str) -> str:
    return re.sub(r"\|version:.*", "", signature)


def added_by_smoothing(score: Score) -> list[float]:
    """What sacreBLEU's add-k leaves in the counts it reports; ours are what was counted."""
    assert isinstance(score, BLEUScore)
    k = score.metric.smooth_value if score.metric.smooth == "add-k" else 0
    return [0, *[k or 0] * (score.metric.max_ngram_order - 1)]


def check(score: Score, golden: dict[str, Any]) -> None:
    """Hold a score against every figure that was stored for it."""
    assert score.score == pytest.approx(golden["score"], rel=NEAR, abs=0)
    for name in ("counts", "totals"):
        if name in golden:
            added = added_by_smoothing(score)
            reported = [count + k for count, k in zip(getattr(score, name), added, strict=True)]
            assert reported == golden[name]
    for name in ("sys_len", "ref_len", "num_edits"):
        if name in golden:
            assert getattr(score, name) == golden[name]
    if "ref_length" in golden:
        # The sum of many means: exact where they are whole.
        assert score.ref_length == pytest.approx(golden["ref_length"], rel=1e-12)  # type: ignore[attr-defined]
    if "precisions" in golden:
        assert score.precisions == pytest.approx(golden["precisions"], rel=1e-12)  # type: ignore[attr-defined]
        assert score.bp == pytest.approx(golden["bp"], rel=1e-12)  # type: ignore[attr-defined]
    if "sum_stats" in golden:
        triples = zip(score.hyp_counts, score.ref_counts, score.match_counts, strict=True)  # type: ignore[attr-defined]
        assert [count for triple in triples for count in triple] == golden["sum_stats"]
    if "signature" in golden:
        ours = str(score.signature)
        assert ours.endswith("=sacrebleu-2.6.0")
        # sacreBLEU leaves the n-gram order and beta out; ours follow its fields.
        ours = re.sub(r"\|(order|beta):[^|]*", "", without_version(ours))
        assert ours == without_version(golden["signature"])


@pytest.mark.parametrize("dataset", ["wmt13-de-en", "wmt17-ende"])
@pytest.mark.parametrize(
    ("name", "written"),
    [("BLEU", "bleu"), ("chrF2", "chrf"), ("chrF2++", "chrf++"), ("TER", "ter")],
)
def test_whole_test_sets(
    evaluation_data: EvaluationData, dataset: str, name: str, written: str
) -> None:
    metric = parse_metric(written)
    systems = evaluation_data.oracle("sacrebleu_corpus.json")[dataset]
    assert len(systems) == {"wmt13-de-en": 23, "wmt17-ende": 16}[dataset]
    for golden in systems.values():
        hypotheses = evaluation_data.lines(f"data/{golden['hyp_file']}")
        references = evaluation_data.lines(f"data/{golden['ref_file']}")
        score = metric.corpus_score(hypotheses, references, threads=2)
        assert score.name == name
        check(score, golden[name])


def test_ter_of_every_segment(evaluation_data: EvaluationData) -> None:
    rows = [
        line.split("\t")
        for line in evaluation_data.lines("oracles/sacrebleu_ter_segments.tsv.gz")[1:]
    ]
    folders = {"wmt17-ende": "data/wmt17-ende", "wmt13-de-en": "data/wmt13/de-en"}
    golden: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for dataset, system, segment, edits, length in rows:
        some = golden.setdefault((dataset, system), [])
        assert len(some) == int(segment)
        some.append((int(edits), float(length)))
    assert len(golden) == 39
    assert len(rows) == 16 * 3004 + 23 * 3000
    for (dataset, system), expected in golden.items():
        table = TER().count(
            evaluation_data.system(folders[dataset], system),
            evaluation_data.reference(folders[dataset]),
            threads=2,
        )
        ours = zip(table.column("num_edits"), table.column("ref_length"), strict=True)
        assert list(ours) == expected, system


def variant_metric(label: str, options: dict[str, Any]) -> Metric:
    kind = label.split()[0].lower()
    ours = {{"smooth_method": "smooth"}.get(key, key): value for key, value in options.items()}
    return find_metric(kind if kind in ("ter", "chrf") else "bleu")(**ours)


@pytest.mark.parametrize("system", VARIANT_SYSTEMS)
def test_options(evaluation_data: EvaluationData, system: str) -> None:
    """Names and signatures say which options they are.

    > | `version` | `v` | `bleuet-X.Y.Z`, followed by `=sacrebleu-2.6.0` if sacreBLEU has these
      options and gives the same score |
    """
    hypotheses = evaluation_data.system("data/wmt17-ende", system)
    references = evaluation_data.reference("data/wmt17-ende")
    variants = evaluation_data.oracle("sacrebleu_variants.json")[system]
    assert len(variants) == 32
    for label, golden in variants.items():
        some = slice(500) if "(segments 0-499)" in label else slice(None)
        metric = variant_metric(label, golden["options"])
        check(metric.corpus_score(hypotheses[some], references[some], threads=2), golden)
        # Their signature makes the metric again, but for what it leaves out.
        if not {"max_ngram_order", "beta"} & set(golden["options"]):
            assert metric_from_signature(golden["signature"]) == metric


@pytest.mark.parametrize("system", VARIANT_SYSTEMS)
def test_sentences(evaluation_data: EvaluationData, system: str) -> None:
    hypotheses = evaluation_data.system("data/wmt17-ende", system)[:300]
    references = evaluation_data.reference("data/wmt17-ende")[:300]
    goldens = evaluation_data.oracle("sacrebleu_sentence.json.gz")[system]
    assert len(goldens) == 10
    named = {
        "TER": TER(),
        "chrF": CHRF(),
        "chrF eps_smoothing": CHRF(eps_smoothing=True),
        "chrF++": CHRF(word_order=2),
    }
    for label, golden in goldens.items():
        metric = named[label] if label in named else variant_metric(label, golden["options"])
        together = metric.sentence_scores(hypotheses, references)
        assert list(together.values) == pytest.approx(golden["score"], rel=NEAR, abs=0)
        for i in range(len(together)):
            check(
                together.score(i),
                {name: figures[i] for name, figures in golden.items() if name != "options"},
            )
            alone = metric.sentence_score(hypotheses[i], references[i])
            assert alone.score == together.values[i]


@pytest.mark.parametrize("system", E2E_SYSTEMS)
def test_up_to_45_references(evaluation_data: EvaluationData, system: str) -> None:
    hypotheses = evaluation_data.system("data/e2e", system)
    references = evaluation_data.e2e_references()
    assert {len(some) for some in references} >= {1, 6, 45}
    golden = evaluation_data.oracle("sacrebleu_e2e.json.gz")[system]
    metrics = {
        "BLEU": BLEU(),
        "BLEU lowercase": BLEU(lowercase=True),
        "chrF2": CHRF(),
        "chrF2++": CHRF(word_order=2),
        "TER": TER(),
    }
    for label, metric in metrics.items():
        check(metric.corpus_score(hypotheses, references), golden[label])
    segments = TER().count(hypotheses, references)
    ours = zip(segments.column("num_edits"), segments.column("ref_length"), strict=True)
    assert [list(row) for row in ours] == golden["TER"]["segments"]
    sentences = {"BLEU exp effective_order": BLEU(effective_order=True), "chrF2": CHRF()}
    assert set(golden["sentence"]) == set(sentences)
    for label, metric in sentences.items():
        scores = metric.sentence_scores(hypotheses, references).values
        assert list(scores) == pytest.approx(golden["sentence"][label], rel=NEAR, abs=0)


@pytest.mark.parametrize(
    ("label", "written", "count"),
    [
        ("TER", "ter", 7000),
        ("TER case_sensitive (segments 0-499)", "ter:case_sensitive", 500),
    ],
)
def test_post_editions(
    evaluation_data: EvaluationData, label: str, written: str, count: int
) -> None:
    metric = parse_metric(written)
    golden = evaluation_data.oracle("sacrebleu_mlqe_pe.json.gz")["et-en"][label]
    hypotheses = evaluation_data.lines("data/mlqe-pe/et-en/mt.en.txt.gz")[:count]
    references = evaluation_data.lines("data/mlqe-pe/et-en/pe.en.txt.gz")[:count]
    table = metric.count(hypotheses, references)
    check(metric.score(table.totals()), golden)
    ours = zip(table.column("num_edits"), table.column("ref_length"), strict=True)
    assert [list(row) for row in ours] == golden["segments"]
