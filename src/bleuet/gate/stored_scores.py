"""Scores that `bleuet score --format json` or `jsonl` wrote, as the baseline of a gate."""

from __future__ import annotations

import json
from math import isfinite

from bleuet.errors import (
    InputError,
    MismatchError,
    OptionError,
    SignatureError,
    TableError,
    warn_caller,
)
from bleuet.messages import nearest
from bleuet.metrics.base.signature import (
    FOREIGN_KEYS,
    ParsedSignature,
    number_of_references,
    version_of,
)
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.text.fingerprint import (
    check_same_test_set,
    is_fingerprint,
    of_read_texts,
    reject_mismatch,
    same_form,
)
from bleuet.text.json_text import json_problem
from bleuet.text.lines import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from bleuet.gate.history import History
    from bleuet.gate.runs import GateRun
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.text.source import Source


# What is taken for a fingerprint that older versions did not write.
_UNKNOWN = "0" * 64


class StoredScores:
    """Corpus scores of one system or several, from a file.

    Args:
        path: the file.
        scores: the scores as `bleuet score --format json` writes them, not yet validated.

    Raises:
        InputError: they are no such scores.
    """

    def __init__(self, path: str, scores: Sequence[object]) -> None:
        self.path = path
        self._scores = [self._validated(score) for score in scores]
        if not self._scores:
            self._reject("it is empty")
        self._check_duplicates()
        self.systems = tuple(dict.fromkeys(score["system"] for score in self._scores))

    @classmethod
    def read(cls, source: Source) -> StoredScores:
        """Return the scores of a .json or .jsonl file.

        Args:
            source: the file.

        Raises:
            InputError: the file cannot be read, or does not contain such scores.
        """
        path = source.path
        lines = read_lines(path, source.max_segment_bytes, bom="strip")
        try:
            if path.endswith(".json"):
                scores = json.loads("\n".join(lines))
            else:
                scores = [json.loads(line) for line in lines]
        except (ValueError, RecursionError) as error:
            raise _no_scores(path, json_problem(error)) from None
        if not isinstance(scores, list):
            raise _no_scores(path, "it is not a list")
        return cls(path, scores)

    @classmethod
    def of_run(cls, path: str, run: GateRun) -> StoredScores:
        """Return the scores of a run in a history, whose system is its label.

        Args:
            path: the history.
            run: the run.
        """
        return cls(
            f"{path}, run {run.label},",
            [
                {
                    "system": run.label,
                    "name": score.metric,
                    "signature": score.signature,
                    "score": score.score,
                    "test_set": run.test_set,
                }
                for score in run.scores
            ],
        )

    def _validated(self, score: object) -> dict[str, Any]:
        if not isinstance(score, dict):
            self._reject("one of its scores is not an object")
        for key in ("system", "name", "signature"):
            if not isinstance(score.get(key), str):
                self._reject(f"a score has no {key}")
        if "segment" in score:
            self._reject("its scores are of single segments")
        if not _is_score(score.get("score")):
            self._reject(f"the score of {score['name']} is not a finite number")
        if not is_fingerprint(score.setdefault("test_set", "") or _UNKNOWN):
            self._reject(f"the test_set of {score['name']} is not a fingerprint of a test set")
        return score

    def _check_duplicates(self) -> None:
        seen: set[tuple[str, str]] = set()
        for score in self._scores:
            key = (score["system"], _full(score))
            if key in seen:
                self._reject(f"it has two scores of {key[0]} by {key[1]}")
            seen.add(key)

    def _reject(self, what: str) -> NoReturn:
        raise _no_scores(self.path, what)

    def metrics(self, system: str) -> list[Metric[Any]]:
        """Return the metrics of the scores of a system, made from their signatures.

        Raises:
            OptionError: there is no such system.
            SignatureError: a signature describes no metric.
        """
        scores = self._of(system)
        try:
            found = [metric_from_signature(_full(score)) for score in scores]
        except SignatureError as error:
            raise SignatureError(f"{self.path}: {error}") from None
        for metric, score in zip(found, scores, strict=True):
            # Only a model rates texts below 0.
            if score["score"] < 0 and not metric.rates:
                self._reject(f"the score of {score['name']} is not a number of 0 or more")
        return found

    def scores(
        self,
        system: str,
        new: Sequence[Score],
        test_set: str,
        against: str,
        *,
        allow_mismatch: bool = False,
    ) -> list[float]:
        """Return the scores of a system by the metrics of other scores.

        Args:
            system: the name of the system.
            new: the scores that are compared with them, one by each metric.
            test_set: the fingerprint of their test set, "" for an unknown one.
            against: the name of their system, for messages.
            allow_mismatch: whether to warn only where the test set or the settings differ.

        Raises:
            OptionError: there is no such system.
            MismatchError: a score is of other settings or of another test set.
            TableError: there is no score by a metric.
        """
        stored = list(zip(self.metrics(system), self._of(system), strict=True))
        found = [self._score(stored, score, allow_mismatch) for score in new]
        for one, score in zip(found, new, strict=True):
            if not same_form(one["test_set"], test_set):
                self._check_length(one, score, allow_mismatch)
        # One sentence for all scores of one test set.
        compared = {
            (
                one["test_set"],
                of_read_texts(test_set, reads_sources=score.metric.reads_sources),
            )
            for one, score in zip(found, new, strict=True)
        }
        for theirs, ours in sorted(compared):
            check_same_test_set(self.path, theirs, against, ours, allow_mismatch=allow_mismatch)
        return [float(one["score"]) for one in found]

    def _score(
        self,
        stored: Sequence[tuple[Metric[Any], dict[str, Any]]],
        new: Score,
        allow_mismatch: bool,
    ) -> dict[str, Any]:
        metric, number = new.metric, number_of_references(new.n_references)
        for other, score in stored:
            if other == metric and _references(score) == number:
                return score
        similar = [score for other, score in stored if other.name == metric.name]
        if not similar:
            names = ", ".join(dict.fromkeys(other.name for other, _ in stored))
            raise TableError(
                f"{self.path} has no {metric.name}, only {names}: name metrics that it has with "
                "-m, or write it again"
            )
        reject_mismatch(
            f"{self.path} has {metric.name} with {_different(similar[0], new)}",
            "compute both with the same options and references",
            allow_mismatch=allow_mismatch and len(similar) == 1,
        )
        return similar[0]

    def _check_length(self, score: dict[str, Any], new: Score, allow_mismatch: bool) -> None:
        """Check the length of the references, which BLEU knows, of a score without a fingerprint.

        With several references, the length depends on the hypotheses, too.
        """
        length = new.to_dict().get("ref_len")
        if new.n_references == 1 and score.get("ref_len", length) != length:
            reject_mismatch(
                f"{self.path} was scored against other references: theirs have "
                f"{score['ref_len']} tokens, and those of the new system {length}",
                "write the baseline again, with these references",
                allow_mismatch=allow_mismatch,
            )

    def warn_of_version(self, system: str) -> None:
        """Warn where another version of bleuet computed the scores of a system."""
        for score in self._of(system):
            found = ParsedSignature(_full(score)).pairs.get("version", "").partition("=")[0]
            if found != version_of(False):
                warn_caller(
                    f"{self.path} was scored by {found or 'another program'}, and this is "
                    f"{version_of(False)}, whose scores of the same texts may differ"
                )
                return

    def _of(self, system: str) -> list[dict[str, Any]]:
        found = [score for score in self._scores if score["system"] == system]
        if not found:
            raise OptionError(
                f"{self.path} has no system {system}{nearest(system, self.systems)}; its systems "
                f"are {', '.join(self.systems)}"
            )
        return found


def best_run(
    path: str,
    history: History,
    new: Sequence[Score],
    test_set: str,
    against: str,
    *,
    allow_mismatch: bool = False,
) -> tuple[GateRun, list[float], int]:
    """Return the run with the best score by the first metric, of those that passed.

    Args:
        path: the file of the history.
        history: its runs; of equal scores the newest counts.
        new: the scores that are compared with the run, one by each metric.
        test_set: the fingerprint of their test set.
        against: the name of their system, for messages.
        allow_mismatch: whether runs on other test sets, or by other metrics or settings, are left
            out; else they are an error.

    Returns:
        The run, its scores by the metrics, and of how many runs it is the best.

    Raises:
        MismatchError: a run is on another test set, or by other metrics or settings.
        InputError: no run is left.
    """
    found: list[tuple[float, GateRun, list[float]]] = []
    for run in history.runs:
        try:
            scores = StoredScores.of_run(path, run).scores(run.label, new, test_set, against)
        except TableError as error:
            if not allow_mismatch:
                raise MismatchError(str(error)) from None
            continue
        if run.passed:
            found.append((scores[0] if new[0].metric.higher_is_better else -scores[0], run, scores))
    if not found:
        raise InputError(
            f"{path} has no run that passed on this test set by these metrics; in a first run, "
            "--init begins with the new system"
        )
    best = max(score for score, *_ in found)
    run, scores = next((run, scores) for score, run, scores in reversed(found) if score == best)
    return run, scores, len(found)


def _no_scores(path: str, what: str) -> InputError:
    return InputError(
        f"{path} cannot be read as scores ({what}): expected what `bleuet score --format json` "
        "writes"
    )


def _different(stored: dict[str, Any], new: Score) -> str:
    """Return the options of a stored score that the new one does not have, and those it has."""
    old, now = (
        {
            key: value
            for key, value in ParsedSignature(full).pairs.items()
            if key not in FOREIGN_KEYS or key == "nrefs"
        }
        for full in (_full(stored), new.signature.full())
    )
    keys = [key for key in {**old, **now} if old.get(key) != now.get(key)]
    pairs = [
        ", ".join(f"{key}:{pairs[key]}" if key in pairs else f"no {key}" for key in keys)
        for pairs in (old, now)
    ]
    return f"{pairs[0]}, and the new score has {pairs[1]}"


def _is_score(number: object) -> bool:
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    try:
        return isfinite(number)
    except OverflowError:  # an integer beyond any float
        return False


def _full(score: dict[str, Any]) -> str:
    return f"{score['name']}|{score['signature']}"


def _references(score: dict[str, Any]) -> str:
    return ParsedSignature(_full(score)).n_references
