"""Scores that `bleuet score --format json` wrote, read back as a baseline."""

from __future__ import annotations

import json
from math import isfinite

from bleuet.errors import InputError, OptionError, SignatureError, TableError
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.metrics.signature import ParsedSignature, number_of_references
from bleuet.text.lines import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from bleuet.metrics.metric import Metric


class StoredScores:
    """Corpus scores in a .json or .jsonl file, of one system or several.

    Args:
        path: the file.

    Raises:
        InputError: it cannot be read, or holds no such scores.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._scores = [self._checked(score) for score in self._read()]
        if not self._scores:
            self._refuse("it is empty")
        self.systems = tuple(dict.fromkeys(score["system"] for score in self._scores))

    def _read(self) -> list[Any]:
        lines = read_lines(self.path)
        try:
            if self.path.endswith(".json"):
                scores = json.loads("\n".join(lines))
            else:
                scores = [json.loads(line) for line in lines]
        except (ValueError, RecursionError) as error:
            self._refuse(str(error))
        if not isinstance(scores, list):
            self._refuse("it is no list")
        return scores

    def _checked(self, score: object) -> dict[str, Any]:
        if not isinstance(score, dict):
            self._refuse("one of its scores is no object")
        for key in ("system", "name", "signature"):
            if not isinstance(score.get(key), str):
                self._refuse(f"a score has no {key}")
        if "segment" in score:
            self._refuse("its scores are of single segments")
        number = score.get("score")
        if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
            self._refuse(f"the score of {score['name']} is no number")
        return score

    def _refuse(self, what: str) -> NoReturn:
        raise InputError(
            f"{self.path} cannot be read as scores ({what}); expected what `bleuet score "
            "--format json` writes: write it again"
        )

    def metrics(self, system: str) -> list[Metric[Any]]:
        """Return the metrics that a system's scores are of, made from their signatures."""
        try:
            return [metric_from_signature(_full(score)) for score in self._of(system)]
        except SignatureError as error:
            raise SignatureError(f"{self.path}: {error}") from None

    def scores(
        self, system: str, metrics: Sequence[Metric[Any]], n_references: Sequence[int | None]
    ) -> list[float]:
        """Return a system's scores by some metrics.

        Args:
            system: the system's name.
            metrics: the metrics.
            n_references: for each, how many references its new score has per segment.

        Raises:
            TableError: there is none by a metric, or it was scored in another way.
        """
        there = list(zip(self.metrics(system), self._of(system), strict=True))
        return [
            self._score(there, metric, number)
            for metric, number in zip(metrics, n_references, strict=True)
        ]

    def _score(
        self,
        there: Sequence[tuple[Metric[Any], dict[str, Any]]],
        metric: Metric[Any],
        n_references: int | None,
    ) -> float:
        number = number_of_references(n_references)
        for other, score in there:
            if other == metric and _references(score) == number:
                return float(score["score"])
        near = next((s for other, s in there if other.name == metric.name), None)
        found = "no such score" if near is None else _full(near)
        raise TableError(
            f"{self.path} has {found}, but the new score is "
            f"{metric.signature(n_references).full()}: score both in the same way"
        )

    def _of(self, system: str) -> list[dict[str, Any]]:
        found = [score for score in self._scores if score["system"] == system]
        if not found:
            raise OptionError(f"there is no system {system} in {self.path}")
        return found


def _full(score: dict[str, Any]) -> str:
    return f"{score['name']}|{score['signature']}"


def _references(score: dict[str, Any]) -> str:
    pairs = ParsedSignature(_full(score)).pairs
    return pairs.get("nrefs") or pairs.get("#", "")
