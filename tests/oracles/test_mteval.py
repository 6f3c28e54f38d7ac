"""mteval v13a and v14, NIST's scripts, whose BLEU is WMT's: system scores and what they print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU

if TYPE_CHECKING:
    from bleuet.metrics.bleu import BLEUScore
    from tests.evaluation_data import EvaluationData

RUNS = [
    "e2e/exactly6 sheff2",
    "e2e/exactly6 tgen",
    "e2e/first2 sheff2",
    "e2e/first2 tgen",
    "wmt12/cs-en uedin-wmt12",
    "wmt12/de-en onlineB",
    "wmt12/es-en jhu-hiero",
    "wmt12/fr-en cmu-avenue",
]
# Their options and ours. Without -c they lower-case ASCII letters alone, as ascii_lower() does.
OPTIONS: dict[str, dict[str, Any]] = {
    "-c": {},
    "default": {},
    "-c --no-smoothing": {"smooth": "none"},
    "-c --international-tokenization": {"tokenize": "intl"},
    "--brevity-penalty shortest": {"reference_length": "shortest"},
}
PRINTED = 5e-5


def ascii_lower(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def segments(data: EvaluationData, run: str) -> tuple[list[str], list[list[str]]]:
    place, _, system = run.partition(" ")
    if place.startswith("wmt12"):
        folder = f"data/{place}"
        return data.system(folder, system), [[line] for line in data.reference(folder)]
    subset = place.partition("/")[2]
    chosen = data.oracle_meta("mteval.json.gz")["subset segments"][subset]
    references, hypotheses = data.e2e_references(), data.system("data/e2e", system)
    count = {"exactly6": 6, "first2": 2}[subset]
    return [hypotheses[i] for i in chosen], [references[i][:count] for i in chosen]


def score(
    options: str, hypotheses: list[str], references: list[list[str]], order: int
) -> BLEUScore:
    if not options.startswith("-c"):
        hypotheses = [ascii_lower(text) for text in hypotheses]
        references = [[ascii_lower(text) for text in several] for several in references]
    metric = BLEU(max_ngram_order=order, **OPTIONS[options])
    found = metric.corpus_score(hypotheses, references)
    assert found.name == "BLEU"
    return found


@pytest.mark.parametrize("run", RUNS)
def test_system_scores(evaluation_data: EvaluationData, run: str) -> None:
    hypotheses, references = segments(evaluation_data, run)
    versions = evaluation_data.oracle("mteval.json.gz")[run]
    compared = 0
    for version in versions.values():
        for options, golden in version.items():
            ours = score(options, hypotheses, references, 4)
            assert ours.score == pytest.approx(100 * golden["BLEU"], rel=1e-12)
            printed = golden["printed"]
            if "ref_words" in printed:
                assert ours.ref_len == printed["ref_words"]
                assert ours.sys_len == printed["tst_words"]
            compared += 1
    assert compared >= 4


@pytest.mark.parametrize("run", RUNS)
def test_every_order_they_print(evaluation_data: EvaluationData, run: str) -> None:
    hypotheses, references = segments(evaluation_data, run)
    for options, golden in evaluation_data.oracle("mteval.json.gz")[run]["v13a"].items():
        nine = score(options, hypotheses, references, 9)
        printed = golden["printed"]
        assert [p / 100 for p in nine.precisions] == pytest.approx(
            printed["BLEU_individual"], abs=PRINTED
        )
        assert [c / 100 for c in nine.cumulative] == pytest.approx(
            printed["BLEU_cumulative"], abs=PRINTED
        )
