"""Scores that `bleuet score --format json` or `jsonl` wrote, as the baseline of a gate."""

from __future__ import annotations

import json
from math import isfinite

from bleuet.errors import InputError, OptionError, SignatureError, TableError
from bleuet.messages import nearest
from bleuet.metrics.base.signature import ParsedSignature, number_of_references
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.text.json_text import json_problem
from bleuet.text.lines import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.text.source import Source


class StoredScores:
    """Corpus scores in a .json or .jsonl file, of one system or several.

    Args:
        source: the file.

    Raises:
        InputError: the file cannot be read, or does not contain such scores.
    """

    def __init__(self, source: Source) -> None:
        self.path = source.path
        lines = read_lines(source.path, source.max_segment_bytes, bom="strip")
        self._scores = [self._validated(score) for score in self._parsed(lines)]
        if not self._scores:
            self._reject("it is empty")
        self._check_duplicates()
        self.systems = tuple(dict.fromkeys(score["system"] for score in self._scores))

    def _parsed(self, lines: Sequence[str]) -> list[Any]:
        try:
            if self.path.endswith(".json"):
                scores = json.loads("\n".join(lines))
            else:
                scores = [json.loads(line) for line in lines]
        except (ValueError, RecursionError) as error:
            self._reject(json_problem(error))
        if not isinstance(scores, list):
            self._reject("it is not a list")
        return scores

    def _validated(self, score: object) -> dict[str, Any]:
        if not isinstance(score, dict):
            self._reject("one of its scores is not an object")
        for key in ("system", "name", "signature"):
            if not isinstance(score.get(key), str):
                self._reject(f"a score has no {key}")
        if "segment" in score:
            self._reject("its scores are of single segments")
        if not _is_score(score.get("score")):
            self._reject(f"the score of {score['name']} is not a number of 0 or more")
        return score

    def _check_duplicates(self) -> None:
        seen: set[tuple[str, str]] = set()
        for score in self._scores:
            key = (score["system"], _full(score))
            if key in seen:
                self._reject(f"it has two scores of {key[0]} by {key[1]}")
            seen.add(key)

    def _reject(self, what: str) -> NoReturn:
        raise InputError(
            f"{self.path} cannot be read as scores ({what}): expected what `bleuet score --format "
            "json` writes"
        )

    def metrics(self, system: str) -> list[Metric[Any]]:
        """Return the metrics of the scores of a system, made from their signatures.

        Raises:
            OptionError: there is no such system.
            SignatureError: a signature describes no metric.
        """
        try:
            return [metric_from_signature(_full(score)) for score in self._of(system)]
        except SignatureError as error:
            raise SignatureError(f"{self.path}: {error}") from None

    def scores(self, system: str, new: Sequence[Score]) -> list[float]:
        """Return the scores of a system by the metrics of other scores.

        Args:
            system: the name of the system.
            new: the scores that are compared with them, one by each metric.

        Raises:
            OptionError: there is no such system.
            TableError: there is no score by a metric, or it was computed with other options or
                references.
        """
        stored = list(zip(self.metrics(system), self._of(system), strict=True))
        return [self._score(stored, score) for score in new]

    def _score(self, stored: Sequence[tuple[Metric[Any], dict[str, Any]]], new: Score) -> float:
        metric, number = new.metric, number_of_references(new.n_references)
        for other, score in stored:
            if other == metric and _references(score) == number:
                self._check_length(score, new)
                return float(score["score"])
        similar = next((score for other, score in stored if other.name == metric.name), None)
        names = ", ".join(dict.fromkeys(other.name for other, _ in stored))
        found = f"no {metric.name}, only {names}" if similar is None else _full(similar)
        raise TableError(
            f"{self.path} has {found}, but the new score is {new.signature.full()}: compute both "
            "with the same options and references"
        )

    def _check_length(self, score: dict[str, Any], new: Score) -> None:
        """Check that one reference per segment has the same length in both, which BLEU knows."""
        length = new.to_dict().get("ref_len")
        if new.n_references == 1 and score.get("ref_len", length) != length:
            raise TableError(
                f"{self.path} was scored against other references: theirs have "
                f"{score['ref_len']} tokens, and those of the new system {length}: write the "
                "baseline again, with these references"
            )

    def _of(self, system: str) -> list[dict[str, Any]]:
        found = [score for score in self._scores if score["system"] == system]
        if not found:
            raise OptionError(
                f"{self.path} has no system {system}{nearest(system, self.systems)}; its systems "
                f"are {', '.join(self.systems)}"
            )
        return found


def _is_score(number: object) -> bool:
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    try:
        return isfinite(number) and number >= 0
    except OverflowError:  # an integer beyond any float
        return False


def _full(score: dict[str, Any]) -> str:
    return f"{score['name']}|{score['signature']}"


def _references(score: dict[str, Any]) -> str:
    return ParsedSignature(_full(score)).n_references
