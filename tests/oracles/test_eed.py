"""EED against stored figures of torchmetrics and of the authors' program (see eed_goldens.py)."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import EED
from tests.backends import counted_by_python
from tests.oracles.eed_goldens import FILE, PROGRAM_FILE, SHORT, cases

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

# torchmetrics adds and divides in single precision.
SINGLE_PRECISION = 1e-5


@cache
def goldens() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def check(hypotheses: list[str], references: list[list[str]], golden: dict[str, Any]) -> None:
    options = dict(golden["options"])
    metric = EED(preparation=options.pop("language", "en"), **options)
    table = metric.count(hypotheses, references)
    assert list(table.column("distance")) == golden["distances"]
    score = metric.score(table.totals()).score
    assert score == pytest.approx(100 * golden["mean"], rel=SINGLE_PRECISION)


@pytest.mark.slow
def test_any_text() -> None:
    """In double precision; the mean is in single precision there.

    > **The same number** as `extended_edit_distance` of torchmetrics 1.9.0, which computes the
      mean in single precision, so its corpus score has a relative difference of up to 10⁻⁵.
    """
    texts = cases()["drawn"]
    assert len(goldens()["drawn"]) == 4
    for golden in goldens()["drawn"]:
        check(*texts, golden)
        with counted_by_python():
            check(*texts, golden)


@pytest.mark.data
@pytest.mark.parametrize("name", ["wmt13", "e2e"])
def test_real_translations(evaluation_data: EvaluationData, name: str) -> None:
    (golden,) = goldens()[name]
    check(*cases(evaluation_data)[name], golden)


@cache
def of_program() -> dict[str, list[float]]:
    found: dict[str, list[float]] = json.loads(PROGRAM_FILE.read_text(encoding="utf-8"))
    return found


def check_program(hypotheses: list[str], references: list[list[str]], name: str) -> int:
    """Returns how many segments were compared; the program cannot read half a character."""
    goldens = of_program()[name]
    distances = list(EED(published=True).count(hypotheses, references).column("distance"))
    pairs = zip(distances, goldens, strict=True)
    compared = [(ours, theirs) for ours, theirs in pairs if theirs >= 0]
    assert [ours for ours, _ in compared] == [theirs for _, theirs in compared]
    return len(compared)


def test_short_texts_by_the_authors_program() -> None:
    """
    > **The authors' program has another number still.**

    > It cuts the lowest cost of each row to a whole number (`int minimum`), so that paths jump
      from other places and visit others: 60.78 for `baabaa` and the reference `a`, where
      torchmetrics has 58.33 and `count_start=False` has 55.56.

    > The authors' program in C++ leaves it out too, and a perfect hypothesis has 0 there.
    """
    hypotheses, references = zip(*SHORT, strict=True)
    listed = [[reference] for reference in references]
    assert check_program(list(hypotheses), listed, "short") == len(SHORT)
    with counted_by_python():
        assert check_program(list(hypotheses), listed, "short") == len(SHORT)
    numbers = [
        f"{metric.sentence_score('baabaa', 'a').score:.2f}"
        for metric in (EED(published=True), EED(), EED(count_start=False))
    ]
    assert numbers == ["60.78", "58.33", "55.56"]
    assert of_program()["short"][1] == 0
    assert "published:yes" in str(EED(published=True).signature())


@pytest.mark.slow
def test_any_text_by_the_authors_program() -> None:
    """
    > **The same number** as the authors' program in C++ (commit f944adc), with `published=True`.
    """
    texts = cases()["drawn"]
    assert check_program(*texts, "drawn") > 350
    with counted_by_python():
        assert check_program(*texts, "drawn") > 350


@pytest.mark.data
@pytest.mark.parametrize("name", ["wmt13", "e2e"])
def test_real_translations_by_the_authors_program(
    evaluation_data: EvaluationData, name: str
) -> None:
    assert check_program(*cases(evaluation_data)[name], name) in (200, 60)
