"""Token F1 and exact match against SQuAD's evaluation scripts, and against their definition."""

from __future__ import annotations

import json
from functools import cache
from itertools import groupby
from pathlib import Path
from string import punctuation
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import ExactMatch, Metric, TokenF1
from tests.oracles import fuzz

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = Path(__file__).parent / "goldens" / "squad_answers.json"
METRICS = {"token-f1": TokenF1, "exact-match": ExactMatch}
RULES = ("squad-2.0", "squad-1.1")


@cache
def goldens() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def questions(seed: int, count: int) -> tuple[list[str], list[list[str]]]:
    answers, references = fuzz.segments(seed, count)
    return answers, fuzz.all_references(references)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", METRICS)
def test_the_scripts_of_squad(name: str, rules: Any) -> None:
    """The file says which copies of the scripts made it.

    > **The same numbers** as SQuAD's evaluation script 2.0, and with `rules=squad-1.1` as that of
      version 1.1, which the metric `squad` of Hugging Face is.
    """
    answers, right = questions(17, 600)
    answers += [answer for answer, _ in goldens()["answers"]]
    right += [group for _, group in goldens()["answers"]]
    metric: Metric = METRICS[name](rules=rules)
    theirs = goldens()["scores"][rules][name]
    assert list(metric.sentence_scores(answers, right).values) == [100 * one for one in theirs]
    mean = 100 * sum(theirs) / len(theirs)
    assert metric.corpus_score(answers, right).score == pytest.approx(mean, rel=1e-13)


# --- The definition, word by word -----------------------------------------------------------------


def normalized(text: str) -> list[str]:
    kept = "".join(c for c in text.lower() if c not in punctuation)
    runs = ("".join(run) for _, run in groupby(kept, key=str.isalnum))
    return "".join(" " if run in ("a", "an", "the") else run for run in runs).split()


def f1(answer: list[str], right: list[str], of_empty: int) -> float:
    if not answer and not right:
        return of_empty
    left = list(right)
    for word in answer:
        if word in left:
            left.remove(word)
    same = len(right) - len(left)
    return 2 * same / (len(answer) + len(right))


def best(answer: str, right: list[str], rules: str, compare: Callable[..., float]) -> float:
    several = [normalized(one) for one in right]
    if rules == "squad-2.0":
        several = [one for one in several if one] or [[]]
    return max(compare(normalized(answer), one) for one in several)


@pytest.mark.parametrize("rules", RULES)
def test_the_definition(rules: Any) -> None:
    answers, right = questions(18, fuzz.pairs(5000))
    exact = [best(a, r, rules, lambda x, y: float(x == y)) for a, r in zip(answers, right)]  # noqa: B905
    assert list(ExactMatch(rules=rules).sentence_scores(answers, right).values) == [
        100 * one for one in exact
    ]
    of_empty = int(rules == "squad-2.0")
    f1s = [best(a, r, rules, lambda x, y: f1(x, y, of_empty)) for a, r in zip(answers, right)]  # noqa: B905
    assert list(TokenF1(rules=rules).sentence_scores(answers, right).values) == pytest.approx(
        [100 * one for one in f1s], rel=1e-13
    )


def test_texts_as_they_are() -> None:
    metric = ExactMatch(normalize=False)
    values = metric.sentence_scores(["The cat", "a", " a"], ["the cat", "a", "a"]).values
    assert list(values) == [0, 100, 0]
    assert TokenF1(normalize=False).sentence_score("the  cat .", "the cat").score == 80
