"""Texts and names with lone surrogates, which are no valid Unicode, are escaped in every output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU, compare, explain, lint
from bleuet.evaluation.system_scores import Scores
from bleuet.meta_evaluation import HumanScores, MetricScores, ScoreMatrix, leaderboard
from bleuet.output.rendering import FORMATS
from bleuet.significance import Evaluation, TestSettings, paired_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.output.answer import Answer

LONE = "\ud800"
TEXTS = [f"the cat {LONE} sat on &amp; mat", f"a {LONE}", "x y z w", ""] * 3
REFERENCES = [f"the cat {LONE} sat on the mat", f"b {LONE}", "x y z", "q"] * 3
SYSTEMS = {f"a{LONE}": TEXTS, "b": REFERENCES}
MATRIX = ScoreMatrix((f"a{LONE}", "b", "c"), [[0.1, 0.2], [0.3, 0.4], [0.6, 0.5]])  # type: ignore[arg-type]
# Every answer that quotes texts or names.
ANSWERS: dict[str, Callable[[], Answer]] = {
    "compare": lambda: (
        compare(SYSTEMS, REFERENCES, ["bleu"]).show("all").tested(TestSettings(draws=20))
    ),
    "labels": lambda: compare(
        SYSTEMS,
        REFERENCES,
        ["bleu"],
        labels={f"domain{LONE}": [f"x{LONE}", "y", "z", "w"] * 3},
        word_lists={f"list{LONE}": [LONE, "cat"]},
    ).show("all"),
    "lint": lambda: lint(SYSTEMS, REFERENCES),
    "explain": lambda: explain(BLEU(), BLEU(lowercase=True), TEXTS, REFERENCES),
    "significance": lambda: paired_test(
        Evaluation.count([BLEU()], SYSTEMS, REFERENCES), TestSettings(draws=20)
    ),
    "meta": lambda: leaderboard(HumanScores(MATRIX), [MetricScores(f"M{LONE}", MATRIX)]),
    "scores": lambda: Scores(list(SYSTEMS), [[BLEU().corpus_score(TEXTS, REFERENCES)]] * 2),
}

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("name", ANSWERS)
def test_every_format(name: str) -> None:
    answer = ANSWERS[name]()
    for format_ in FORMATS:
        answer.render(format_).encode("utf-8")


@pytest.mark.libraries
@pytest.mark.parametrize("name", ANSWERS)
def test_every_frame(name: str) -> None:
    answer = ANSWERS[name]()
    for library in ("pandas", "polars", "pyarrow"):
        assert len(answer.to_dataframe(library=library))
