"""sacreBLEU's statistics of every segment of whole test sets are ours.

sacreBLEU's rows are stored as digests; sacreBLEU runs only where a digest differs, to show the
first segment with another row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bleuet.compat import sacrebleu
from tests.oracles.sacrebleu_peer import Pair, first_difference, forget, rows_of, streams_of
from tests.oracles.stored_rows import CASES, Case, digest, stored

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

pytestmark = [pytest.mark.peers, pytest.mark.data]
SYSTEMS = {
    "data/wmt13/cs-en": 12,
    "data/wmt13/de-en": 23,
    "data/wmt13/es-en": 17,
    "data/wmt13/fr-en": 19,
    "data/wmt17-ende": 16,
    "data/e2e": 21,
}


def difference(case: Case, data: EvaluationData, system: str, expected: str) -> str:
    hypotheses, references = case.hypotheses(data, system), case.references(data)
    found = rows_of(case.pair.ours().count(hypotheses, references))
    if digest(found) == expected:
        return ""
    live = first_difference(case.pair, hypotheses, references)
    forget()
    return str(live) if live else "sacreBLEU's rows are not those that are stored"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_segment_of_every_system(evaluation_data: EvaluationData, case: Case) -> None:
    digests = stored()["digests"][str(case)]
    assert list(digests) == case.systems(evaluation_data)
    assert len(digests) == min(SYSTEMS[case.folder], case.at_most)
    for system, expected in digests.items():
        assert difference(case, evaluation_data, system, expected) == "", system


def test_rows_are_stored_of_every_case_and_of_this_sacrebleu() -> None:
    assert list(stored()["digests"]) == list(map(str, CASES))
    assert stored()["sacrebleu"] == sacrebleu.__version__


def test_another_row_is_shown(evaluation_data: EvaluationData) -> None:
    case = next(case for case in CASES if case.at_most == 2)
    system, expected = next(iter(stored()["digests"][str(case)].items()))
    assert difference(case, evaluation_data, system, expected) == ""
    assert "not those that are stored" in difference(case, evaluation_data, system, "")


def test_a_difference_would_be_seen() -> None:
    pair = Pair("bleu", {"max_ngram_order": 2})
    theirs = Pair("bleu", {"max_ngram_order": 2, "lowercase": True}).theirs(["a cat", "A dog"])
    assert first_difference(pair, ["a cat", "a dog"], ["a cat", "A dog"]) is None
    found = first_difference(pair, ["a cat", "a dog"], ["a cat", "A dog"], theirs)
    assert found is not None
    assert found[:3] == (pair, "a dog", "A dog")
    assert streams_of(["a", ["b", "c"]]) == [("a", "b"), (None, "c")]
    assert digest([[1, 2.0], [3, 4.0]]) == digest([[1.0, 2], [3, 4]])
    assert digest([[1, 2.0], [3, 4.0]]) != digest([[1, 2.0], [3, 4.5]])
