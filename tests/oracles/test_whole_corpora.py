"""sacreBLEU on whole test sets: the statistics of every segment are identical.

Two tests share the systems of each test set, so that two processes can run them. sacreBLEU's TER
takes many minutes, so its rows are stored as digests; sacreBLEU runs only where a digest differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.oracles.sacrebleu_peer import Pair, first_difference, forget, rows_of, streams_of
from tests.oracles.stored_rows import FOLDERS, digest, references_of, stored

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

INTO_ENGLISH = ["data/wmt13/cs-en", "data/wmt13/de-en", "data/wmt13/es-en", "data/wmt13/fr-en"]
SYSTEMS = {
    "data/wmt13/cs-en": 12,
    "data/wmt13/de-en": 23,
    "data/wmt13/es-en": 17,
    "data/wmt13/fr-en": 19,
    "data/wmt17-ende": 16,
    "data/e2e": 21,
}
BLEU, CHRF, CHRF_PLUS_PLUS, TER = (
    Pair("bleu", {}),
    Pair("chrf", {}),
    Pair("chrf", {"word_order": 2}),
    Pair("ter", {}),
)
TOKENIZERS = [
    Pair("bleu", {"tokenize": "intl", "lowercase": True}),
    Pair("bleu", {"tokenize": "char"}),
    Pair("bleu", {"tokenize": "zh"}),
    Pair("bleu", {"tokenize": "none", "max_ngram_order": 6}),
]
halves = pytest.mark.parametrize("half", [0, 1])


def compare(data: EvaluationData, pair: Pair, folder: str, systems: list[str]) -> None:
    references: list[Any] = references_of(data, folder)
    theirs = pair.theirs(references)
    for system in systems:
        hypotheses = data.system(folder, system)
        assert len(hypotheses) == len(references)
        assert first_difference(pair, hypotheses, references, theirs) == "", system
    forget()


def half_of(data: EvaluationData, folder: str, half: int) -> list[str]:
    systems = data.system_names(folder)
    assert len(systems) == SYSTEMS[folder]
    return systems[half::2]


@halves
@pytest.mark.parametrize("folder", [*INTO_ENGLISH, "data/wmt17-ende", "data/e2e"])
@pytest.mark.parametrize("pair", [BLEU, CHRF, CHRF_PLUS_PLUS], ids=str)
def test_all_systems(evaluation_data: EvaluationData, pair: Pair, folder: str, half: int) -> None:
    compare(evaluation_data, pair, folder, half_of(evaluation_data, folder, half))


@pytest.mark.parametrize("folder", ["data/wmt17-ende", "data/wmt13/cs-en"])
@pytest.mark.parametrize("pair", TOKENIZERS, ids=str)
def test_other_tokenizers_on_some_systems(
    evaluation_data: EvaluationData, pair: Pair, folder: str
) -> None:
    compare(evaluation_data, pair, folder, evaluation_data.system_names(folder)[:2])


@pytest.mark.parametrize("folder", FOLDERS)
def test_ter_of_all_systems_without_stored_figures(
    evaluation_data: EvaluationData, folder: str
) -> None:
    digests, every = stored()[folder], FOLDERS[folder]
    assert list(digests) == evaluation_data.system_names(folder)
    references = references_of(evaluation_data, folder)[::every]
    for system, expected in digests.items():
        hypotheses = evaluation_data.system(folder, system)[::every]
        if digest(rows_of(TER.ours().count(hypotheses, references))) != expected:
            assert first_difference(TER, hypotheses, references) == "", system
            pytest.fail(f"sacreBLEU's rows of {folder} {system} are not those that are stored")


def test_a_difference_would_be_seen() -> None:
    pair = Pair("bleu", {"max_ngram_order": 2})
    theirs = Pair("bleu", {"max_ngram_order": 2, "lowercase": True}).theirs(["a cat", "A dog"])
    assert first_difference(pair, ["a cat", "a dog"], ["a cat", "A dog"]) == ""
    difference = first_difference(pair, ["a cat", "a dog"], ["a cat", "A dog"], theirs)
    assert difference.startswith("bleu-max_ngram_order=2 on segment 1: 'a dog' against 'A dog'")
    assert streams_of(["a", ["b", "c"]]) == [("a", "b"), (None, "c")]
    assert digest([[1, 2.0], [3, 4.0]]) == digest([[1.0, 2], [3, 4]])
    assert digest([[1, 2.0], [3, 4.0]]) != digest([[1, 2.0], [3, 4.5]])
