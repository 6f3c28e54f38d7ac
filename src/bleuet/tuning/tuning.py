"""`tune`: find the weights with which a log-linear model chooses the best texts."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError, OptionError
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.messages import plural
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import plain_values
from bleuet.statistics.resampling import check_seed
from bleuet.statistics.seed import SEED
from bleuet.tuning.feature_weights import as_weights
from bleuet.tuning.list_scores import ListMetrics
from bleuet.tuning.method import finite
from bleuet.tuning.methods import name_of, parse_method
from bleuet.tuning.nbest_lists import as_nbest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.output.document import Record
    from bleuet.tuning.list_scores import ListScores
    from bleuet.tuning.method import Method
    from bleuet.tuning.nbest_lists import NBestLists
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")


class Round(Value):
    """A point of the development curve.

    Args:
        number: the round, from 0 for the start.
        score: the corpus score of what its weights choose.
        held_out: the same of the held-out lists, where there are any.
    """

    number: int
    score: float
    held_out: float | None = None


class Tuning(Answer, Value):
    """Tuned weights and what they choose.

    Args:
        method: the method.
        seed: the random seed.
        start_weights: the weight of each feature at the start.
        weights: the tuned ones; the sum of their absolute values is 1.
        lists: scores of the lists that were tuned on: `first`, `start`, `tuned` and oracles.
        held_out: the same of the held-out lists, where there are any.
        curve: the scores after each round.
        texts: the texts that the tuned weights choose.
    """

    method: Method
    seed: int
    start_weights: Mapping[str, float]
    weights: Mapping[str, float]
    lists: ListScores
    held_out: ListScores | None
    curve: tuple[Round, ...]
    texts: tuple[str, ...]

    @property
    def start(self) -> float:
        """The corpus score that the start weights reach, by the first metric."""
        return self.lists["start"]

    @property
    def tuned(self) -> float:
        """The corpus score that the tuned weights reach, by the first metric."""
        return self.lists["tuned"]

    def document(self) -> Document:
        """Return tables of scores, of weights, and of the development curve."""
        parts = {"tuning": self.lists}
        if self.held_out is not None:
            parts["held-out"] = self.held_out
        rows = [[part, *row] for part, scores in parts.items() for row in scores.rows()]
        columns = [Column("lists"), Column("choice"), *self.lists.columns]
        weights = [
            [name, f"{self.start_weights[name]:.6g}", f"{weight:.6g}"]
            for name, weight in self.weights.items()
        ]
        kinds = [Column("feature"), Column("start"), Column("tuned")]
        score = self.lists.columns[0]
        held_out = Column("held_out", f"{score.title} held-out", "score")
        points = [tuple(point.values()) for point in self._curve()]
        curve = [Column("round", kind="count"), score, held_out]
        if self.held_out is None:
            del curve[-1]
        tables = [
            DocumentTable("scores", "Corpus scores", columns, rows),
            DocumentTable("weights", "Weights", kinds, weights),
            DocumentTable("curve", "Development curve", curve, points),
        ]
        return Document(
            title=f"Tuned by {name_of(self.method)} with seed {self.seed}.",
            tables=tables,
            signatures=self.lists.signatures,
            data=self._data,
        )

    def _in_brief(self) -> str:
        name, digits = self.lists.columns[0].title, 2 + self.lists.columns[0].extra_digits
        scores = f"{name} {self.start:.{digits}f} to {self.tuned:.{digits}f}"
        return f"of {plural(len(self.weights), 'weight')} by {name_of(self.method)}: {scores}"

    def _curve(self) -> list[Record]:
        held_out = () if self.held_out is None else ("held_out",)
        return [plain_values(one, ("round=number", "score", *held_out)) for one in self.curve]

    def _data(self) -> Record:
        found: Record = {
            "method": name_of(self.method),
            "seed": self.seed,
            **self.lists.data(),
            **plain_values(self, ("start_weights", "weights")),
        }
        if self.held_out is not None:
            found["held_out"] = self.held_out.data()
        found["curve"] = self._curve()
        found["signatures"] = {name: str(one) for name, one in self.lists.signatures}
        return found


@checked
def tune(
    nbest: Any,
    references: Sequence[Any],
    metric: Any = "bleu",
    *,
    method: Any = "mert",
    start: Any = None,
    seed: int | None = SEED,
    held_out: Any = None,
    held_out_references: Sequence[Any] | None = None,
    threads: int = 1,
) -> Tuning:
    """Tune the weights of a log-linear model on n-best lists.

    The model chooses for each segment the hypothesis with the highest sum of weighted features.
    The weights of the round with the best corpus score are returned. The metric can be any of
    the catalogue. Needs the extra `studies`.

    Args:
        nbest: for each segment its hypotheses, each a text and its features: a dict from names
            to numbers or lists of numbers.
        references: for each segment a string, or a list of strings.
        metric: a metric, its name as after `-m`, or a list of them; the first is tuned for, and
            its sentence scores are those of `pro`, `mira` and `expected-bleu`.
        method: "mert" (Och 2003), "pro" (Hopkins and May 2011), "mira" (Cherry and Foster 2012) or
            "expected-bleu" (Rosti et al. 2011), with options as in "mert:restarts=50".
        start: the weights at the start: a dict by name, or one number for each feature. Default
            equal weights.
        seed: the random seed; None for a new one.
        held_out: lists of other segments, or other lists, which are only scored.
        held_out_references: their references.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        InputError: the lists, references or weights do not fit together, or a feature is so large
            or small that weights would overflow.
        OptionError: there is no such metric or method, or its options let the weights overflow.
        MissingExtraError: numpy is not installed.

    >>> lists = [[("a b c d", {"lm": 1}), ("a b c", {"lm": 2})], [("e f g h", {"lm": 0})]]
    >>> tuning = tune(lists, ["a b c d", "e f g h"], method="mert:restarts=1")
    >>> round(tuning.start, 2), round(tuning.tuned, 2), tuning.weights
    (86.69, 100.0, {'lm': -1.0})
    """
    number = check_seed(seed)
    chosen = parse_method(method)
    metrics = ListMetrics.parse(metric)
    lists = as_nbest(nbest)
    counted = metrics.count(lists, references, threads)
    if not counted.varies.any():
        raise InputError(
            "no feature differs between the hypotheses of a segment, so the weights make no "
            "difference; expected several hypotheses per segment"
        )
    counted.check_spreads()
    first = np.ones(len(lists.names))
    if start is not None:
        first = np.array(as_weights(start, lists.names, "the start weights"))
    if not first.any():
        raise OptionError("all start weights are 0; expected at least one other number")
    other = None
    if held_out is not None:
        if held_out_references is None:
            raise InputError("the held-out lists have no references; expected one per segment")
        same = as_nbest(held_out).reordered(lists.names)
        other = metrics.count(same, held_out_references, threads), held_out_references
    weights, curve = _rounds(chosen, counted, other and other[0], first, number)
    choices = {"start": first, "tuned": weights}
    return Tuning(
        chosen,
        number,
        _named(lists, first),
        _named(lists, weights),
        metrics.scores(counted, references, choices, threads),
        None if other is None else metrics.scores(*other, choices, threads),
        curve,
        tuple(counted.texts(counted.choose(weights))),
    )


def _rounds(
    method: Method, lists: ScoredLists, held_out: ScoredLists | None, start: Floats, seed: int
) -> tuple[Floats, tuple[Round, ...]]:
    """Return the weights of the best round, the first of equals, and the scores of all."""
    best, value = start, lists.value(start)
    curve = []
    points = chain([start], method.search(lists, start, np.random.default_rng(seed)))
    # What overflows is found in the weights.
    with np.errstate(over="ignore", invalid="ignore"):
        for number, weights in enumerate(map(finite, points)):
            reached = lists.value(weights)
            if reached > value:
                best, value = weights, reached
            there = None if held_out is None else lists.sign * held_out.value(weights)
            curve.append(Round(number, lists.sign * reached, there))
    return best / np.abs(best).sum(), tuple(curve)


def _named(lists: NBestLists, weights: Floats) -> dict[str, float]:
    return dict(zip(lists.names, weights.tolist(), strict=True))
