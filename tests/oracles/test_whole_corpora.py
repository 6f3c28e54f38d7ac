"""sacreBLEU run live on whole test sets: the statistics of every segment are identical.

Two processes share the work; each reads the references of one language pair once and holds half of
its systems against them. sacreBLEU's TER takes minutes for what the others take seconds, so of its
segments only some are compared unless `BLEUET_EVERY_PAIR=1`, which takes half an hour.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.evaluation_data import EvaluationData
from tests.oracles.sacrebleu_peer import Pair, first_difference, forget, streams_of

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path


EVERY_PAIR = os.environ.get("BLEUET_EVERY_PAIR") == "1"
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


class Task(NamedTuple):
    """Systems of one set, to be held against its references with one metric.

    `every` is 3 for every third segment.
    """

    root: Path
    folder: str
    systems: list[str]
    pair: Pair
    every: int


def differences(task: Task) -> tuple[int, list[str]]:
    """Run in another process: the segments compared, and what differs."""
    data = EvaluationData(task.root)
    e2e = task.folder.endswith("e2e")
    references = (data.e2e_references() if e2e else data.reference(task.folder))[:: task.every]
    theirs = task.pair.theirs(references)
    compared, found = 0, []
    for system in task.systems:
        hypotheses = data.system(task.folder, system)[:: task.every]
        difference = first_difference(task.pair, hypotheses, references, theirs)
        if difference:
            found.append(f"{task.folder} {system}: {difference}")
        compared += len(hypotheses)
    forget()
    return compared, found


def compare(
    executor: Executor,
    data: EvaluationData,
    pair: Pair,
    folders: list[str],
    *,
    at_most: int = 99,
    every: int = 1,
) -> None:
    tasks = []
    every = 1 if EVERY_PAIR else every
    for folder in folders:
        systems = data.system_names(folder)
        assert len(systems) == SYSTEMS[folder]
        # Shared out so that both processes have as much to do.
        some = systems[:at_most]
        halves = some[::2], some[1::2]
        tasks += [Task(data.root, folder, part, pair, every) for part in halves if part]
    done = list(executor.map(differences, tasks))
    assert [difference for _, found in done for difference in found] == []
    segments = {
        folder: len(data.system(folder, data.system_names(folder)[0])[::every])
        for folder in folders
    }
    assert sum(compared for compared, _ in done) == sum(
        segments[folder] * min(at_most, SYSTEMS[folder]) for folder in folders
    )


@pytest.mark.parametrize("folder", [*INTO_ENGLISH, "data/wmt17-ende"])
@pytest.mark.parametrize("pair", [BLEU, CHRF, CHRF_PLUS_PLUS], ids=str)
def test_all_systems(
    two_processes: Executor, evaluation_data: EvaluationData, pair: Pair, folder: str
) -> None:
    compare(two_processes, evaluation_data, pair, [folder])


@pytest.mark.parametrize("folder", sorted(set(INTO_ENGLISH) - {"data/wmt13/de-en"}))
def test_ter_of_all_systems_without_stored_figures(
    two_processes: Executor, evaluation_data: EvaluationData, folder: str
) -> None:
    compare(two_processes, evaluation_data, TER, [folder], every=3)


@pytest.mark.parametrize("pair", TOKENIZERS, ids=str)
def test_other_tokenizers_on_some_systems(
    two_processes: Executor, evaluation_data: EvaluationData, pair: Pair
) -> None:
    compare(
        two_processes, evaluation_data, pair, ["data/wmt17-ende", "data/wmt13/cs-en"], at_most=2
    )


@pytest.mark.parametrize("pair", [BLEU, CHRF, CHRF_PLUS_PLUS, TER], ids=str)
def test_up_to_45_references(
    two_processes: Executor, evaluation_data: EvaluationData, pair: Pair
) -> None:
    compare(two_processes, evaluation_data, pair, ["data/e2e"], every=12 if pair == TER else 1)


def test_a_difference_would_be_seen() -> None:
    pair = Pair("bleu", {"max_ngram_order": 2})
    theirs = Pair("bleu", {"max_ngram_order": 2, "lowercase": True}).theirs(["a cat", "A dog"])
    assert first_difference(pair, ["a cat", "a dog"], ["a cat", "A dog"]) == ""
    told = first_difference(pair, ["a cat", "a dog"], ["a cat", "A dog"], theirs)
    assert told.startswith("bleu-max_ngram_order=2 on segment 1: 'a dog' against 'A dog'")
    assert streams_of(["a", ["b", "c"]]) == [("a", "b"), (None, "c")]
