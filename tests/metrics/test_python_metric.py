"""A metric that counts in plain Python has what the metrics of the kernel have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU, InputError, OptionError
from bleuet.engines.counting import count_systems, score_batches
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source
from tests.backends import counted_by_python

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HYPOTHESES = ["It rains.", "a cat", ""]
REFERENCES = ["It rains.", ["A cat", "the cat"], ["", None]]


class MatchScore(Score):
    """The share of hypotheses that are equal to a reference."""

    components = ("matches", "weight")


class Match(Metric[MatchScore]):
    """Hypotheses that are equal to a reference, in percent."""

    score_type = MatchScore
    integer_columns = ("matches",)
    real_columns = ("weight",)
    lowercase: bool = option(default=False, help="lower-case both sides", key="case")

    def count_segment(self, hypothesis: str, references: list[str]) -> Sequence[int | float]:
        """Return whether a reference is equal, and 1."""
        if self.lowercase:
            hypothesis, references = hypothesis.lower(), [text.lower() for text in references]
        return int(hypothesis in references), 1.0

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the matches in percent."""
        matches, weight = values
        return 100 * matches / weight if weight else 0.0


def test_it_counts_and_scores() -> None:
    table = Match().count(HYPOTHESES, REFERENCES, threads=2)
    assert [row.values for row in table] == [(1, 1.0), (0, 1.0), (1, 1.0)]
    assert table.n_references is None
    assert Match(lowercase=True).corpus_score(HYPOTHESES, REFERENCES).score == 100
    assert list(Match().sentence_scores(HYPOTHESES, REFERENCES).values) == [100, 0, 100]
    assert Match().sentence_score("a", ["b", "a"]).score == 100
    with counted_by_python():
        assert Match().count(HYPOTHESES, REFERENCES) == table


def test_it_prepares_references_and_shares_batches() -> None:
    prepared = Match().prepare_references(REFERENCES)
    assert Match().count(HYPOTHESES, prepared) == Match().count(HYPOTHESES, REFERENCES)
    with pytest.raises(OptionError):
        Match(lowercase=True).count(HYPOTHESES, prepared)
    metrics = [Match(), BLEU(), Match()]
    systems = [HYPOTHESES, HYPOTHESES[::-1]]
    assert count_systems(metrics, systems, REFERENCES) == [
        [metric.count(texts, REFERENCES) for metric in metrics] for texts in systems
    ]


def test_it_counts_lines_of_files(tmp_path: Path) -> None:
    for name, lines in (("h", ["a", "é", "c"]), ("r", ["a", "é", "d"]), ("s", ["b", "b", "c"])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    references = [Source(tmp_path / "r"), Source(tmp_path / "s")]
    with Parallel([Source(tmp_path / "h")], references, 2) as batches:
        ((score,),) = score_batches([Match()], batches)
    assert score.values == (3, 3.0)


@pytest.mark.parametrize(("hypotheses", "references"), [(["a"], []), ([1], ["a"]), (["a"], [[]])])
def test_invalid_texts_are_rejected(hypotheses: list[str], references: list[str]) -> None:
    with pytest.raises(InputError):
        Match().corpus_score(hypotheses, references)


def test_a_row_has_a_number_for_each_column() -> None:
    class Wrong(Match):
        def count_segment(self, hypothesis: str, references: list[str]) -> Sequence[int | float]:
            return (1,)

    with pytest.raises(TypeError, match="a row has 1 numbers; expected 2"):
        Wrong().sentence_score("a", "a")
