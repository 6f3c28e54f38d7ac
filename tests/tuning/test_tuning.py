"""What `tune` answers of the rounds of any method: the best weights, and the scores by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import tune
from bleuet.metrics.catalogue import parse_metric
from bleuet.tuning.method import Method
from tests.tuning.generated import generated

if TYPE_CHECKING:
    from collections.abc import Iterator


class Given(Method):
    """A method whose rounds are known."""

    rounds: tuple[tuple[float, ...], ...] = ()

    def search(self, lists: Any, start: Any, random: Any) -> Iterator[Any]:
        """Yield the rounds."""
        yield from map(np.array, self.rounds)


def given(*rounds: tuple[float, ...]) -> Given:
    method = Given()
    object.__setattr__(method, "rounds", rounds)
    return method


@pytest.mark.parametrize(
    ("metric", "extra"), [("bleu", {}), ("ter", {"unknown": 7.5}), ("ter", {})]
)
def test_held_out_lists_are_scored_by_the_names_of_their_features(
    metric: str, extra: dict[str, float]
) -> None:
    lists, references = generated(4)
    # In another order, without a feature that is constant, and with one that has no weight.
    held_out = [
        [
            (
                text,
                {name: value * place for name, value in extra.items()}
                | {"tm": own["tm"], "lm": own["lm"]},
            )
            for place, (text, own) in enumerate(several)
        ]
        for several in lists
    ]
    found = tune(
        lists, references, [metric, "chrf"], method=given((-1, 0.5, 2, 0), (1, 0, -0.5, 1)),
        held_out=held_out, held_out_references=references,
    )  # fmt: skip
    assert found.held_out is not None
    assert found.held_out.scores == found.lists.scores
    assert len({one.score for one in found.curve}) > 1
    assert [one.held_out for one in found.curve] == [one.score for one in found.curve]
    firsts = [several[0][0] for several in lists]
    for place, name in enumerate((metric, "chrf")):
        for texts, choice in ((found.texts, "tuned"), (firsts, "first")):
            score = found.lists.scores[choice][place].score
            assert score == parse_metric(name).corpus_score(list(texts), references).score


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_best_round_is_returned_and_of_equal_ones_the_first(metric: str) -> None:
    lists, references = generated(4)
    sign = 1 if metric == "bleu" else -1
    points = [(-1.0, 0.5, 2.0, 0.0), (1.0, 0.0, -0.5, 1.0), (-2.0, 1.0, 0.0, 3.0), (0.5, 2.0, 0, 0)]
    scores = [
        tune(lists, references, metric, method=given(), start=list(point)).start for point in points
    ]
    best = max(range(4), key=lambda place: sign * scores[place])
    # The same choices by weights that differ by nearly nothing.
    alike = (*points[best][:3], points[best][3] + 1e-9)
    for rounds in ([*points, alike], [points[best], alike, *points]):
        found = tune(lists, references, metric, method=given(*rounds[1:]), start=list(rounds[0]))
        expected = np.array(points[best]) / np.abs(points[best]).sum()
        assert list(found.weights.values()) == expected.tolist()
        assert found.tuned == scores[best]
        assert [one.number for one in found.curve] == list(range(len(rounds)))
        known = dict(zip([*points, alike], [*scores, scores[best]], strict=True))
        assert [one.score for one in found.curve] == [known[point] for point in rounds]
