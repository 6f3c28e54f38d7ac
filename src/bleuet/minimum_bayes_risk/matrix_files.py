"""The scores of all pairs of candidates in a file: one JSON object for each source."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any, NoReturn

from bleuet.errors import BleuetError, InputError
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.minimum_bayes_risk.candidate_lists import CandidateLists
from bleuet.minimum_bayes_risk.decoding import Choice, Decisions
from bleuet.output.destination import Destination
from bleuet.text.json_text import json_problem
from bleuet.text.lines import stream_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.metrics.base.metric import Metric
    from bleuet.text.source import Source

# A line has the numbers of all pairs of one source.
MAX_LINE_BYTES = 1 << 28
LARGE = 1 << 53


def save_matrices(path: str, decisions: Decisions, pseudo: CandidateLists) -> None:
    """Write the scores of each pair, which `load_matrices` reads.

    Args:
        path: the file.
        decisions: choices whose matrices were kept.
        pseudo: the pseudo-references, whose model scores and weights are saved too.

    Raises:
        InputError: the file cannot be written.
    """
    signatures = {name: signature.full() for name, signature in decisions.signatures}
    with Destination(path) as out:
        for place, choice in enumerate(decisions):
            line: dict[str, Any] = {"segment": place + 1, "candidates": choice.candidates}
            if choice.references != choice.candidates:
                line["references"] = choice.references
            if pseudo.scores is not None:
                line["model_scores"] = pseudo.scores[place]
            if pseudo.own_weights is not None:
                line["weights"] = pseudo.own_weights[place]
            line["signatures"] = signatures
            line["scores"] = dict(zip(signatures, choice.matrices, strict=True))
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def load_matrices(source: Source) -> tuple[Decisions, CandidateLists]:
    """Read what `save_matrices` wrote.

    Args:
        source: the file.

    Returns:
        The choices by equal weights, and the pseudo-references.

    Raises:
        InputError: the file cannot be read, or does not have the scores of pairs.
    """
    lines = _Lines(source)
    if not lines.found:
        raise InputError(f"{source} is empty; expected what bleuet mbr --save-matrix writes")
    choices = tuple(choice for choice, *_ in lines.found)
    scores = [one for _, one, _ in lines.found if one is not None]
    weights = [one for *_, one in lines.found if one is not None]
    for name, values in (("model scores", scores), ("weights", weights)):
        if values and len(values) < len(choices):
            raise InputError(f"{source} has {name} of some sources only: save it again")
    kept = Decisions(choices, lines.metrics)
    texts = [list(choice.references) for choice in choices]
    pseudo = CandidateLists(texts, scores or None, weights or None)
    return kept.decided(), pseudo


class _Lines:
    """The lines of a file, each of which is validated."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.signatures: dict[str, str] = {}
        self.metrics: tuple[Metric[Any], ...] = ()
        self.found: list[tuple[Choice, list[float] | None, list[float] | None]] = []
        limit = max(MAX_LINE_BYTES, source.max_segment_bytes)
        with stream_lines(source.path, max_segment_bytes=limit, bom="strip") as batches:
            for line in (line for batch in batches for line in batch):
                self.found.append(self._read(line))

    def _reject(self, problem: str) -> NoReturn:
        raise InputError(
            f"line {len(self.found) + 1} of {self.source} {problem}; expected what bleuet mbr "
            "--save-matrix writes"
        )

    def _read(self, text: str) -> tuple[Choice, list[float] | None, list[float] | None]:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            self._reject(f"is not JSON ({json_problem(error)})")
        if not isinstance(line, dict):
            self._reject("is not an object")
        if line.get("segment") != len(self.found) + 1:
            self._reject("has another number of its segment")
        candidates = self._list(line, "candidates", _is_text)
        references = candidates
        if "references" in line:
            references = self._list(line, "references", _is_reference)
        scores, weights = (
            self._list(line, key, _is_number, len(references)) if key in line else None
            for key in ("model_scores", "weights")
        )
        return self._choice(line, candidates, references), scores, weights

    def _choice(self, line: dict[str, Any], candidates: list[Any], references: list[Any]) -> Choice:
        signatures, matrices = (line.get(key) for key in ("signatures", "scores"))
        if not self.found:
            self._learn_metrics(signatures)
        if signatures != self.signatures or not isinstance(matrices, dict):
            self._reject("has other metrics than the first line")
        if list(matrices) != list(self.signatures):
            self._reject(f"has no scores by {', '.join(self.signatures)}")
        for rows in matrices.values():
            if not isinstance(rows, list) or len(rows) != len(candidates):
                self._reject("does not have a row of scores for each candidate")
            for row in rows:
                if not _is_list(row, _is_number) or len(row) != len(references):
                    self._reject("does not have a score for each pair")
        texts = tuple(tuple(one) if isinstance(one, list) else one for one in references)
        return Choice(tuple(candidates), 0, (), tuple(matrices.values()), texts)

    def _learn_metrics(self, signatures: object) -> None:
        if not isinstance(signatures, dict) or not signatures:
            self._reject("has no signatures")
        if not all(isinstance(one, str) for one in signatures.values()):
            self._reject("has a signature that is not text")
        try:
            self.metrics = tuple(metric_from_signature(one) for one in signatures.values())
        except BleuetError as error:
            self._reject(f"has signatures that describe no metric ({error})")
        self.signatures = signatures

    def _list(
        self, line: dict[str, Any], key: str, fits: Callable[[Any], bool], length: int | None = None
    ) -> list[Any]:
        found: list[Any] = line.get(key, [])
        if not _is_list(found, fits) or length not in (None, len(found)):
            self._reject(f"has no valid {key}")
        return found


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and bool(value) and all(map(fits, value))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_reference(value: object) -> bool:
    return isinstance(value, str) or _is_list(value, _is_text)


def _is_number(value: object) -> bool:
    # An integer can be too large for a float.
    if type(value) is int:
        return abs(value) < LARGE
    return isinstance(value, float) and isfinite(value)
