"""ERRANT's scores of corrections (Bryant et al. 2017): precision, recall and F of edits."""

from __future__ import annotations

import re

from bleuet.errors import InputError
from bleuet.messages import shown
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.statistics.definitions.counter import FunctionCounter
from bleuet.text.m2 import NOOP
from bleuet.text.segments import EditedText, WithSource
from bleuet.text.source_texts import source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, Literal, Self, TypeAlias

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.prepared import PreparedReferences
    from bleuet.statistics.definitions.counter import Number
    from bleuet.statistics.table import Totals
    from bleuet.text.segments import Annotations, Edit, Segments

    # What must be equal of two edits, and the types of the edits in which it is.
    Matched: TypeAlias = dict[tuple[object, ...], list[str]]
    Counts: TypeAlias = tuple[int, int, int]

# What of an edit must be equal, by the flags of errant_compare.
MATCHES = CORRECTION, TYPED_CORRECTION, SPAN, TOKEN = "correction", "type", "span", "token"
RUNNING, SENTENCE = "running", "sentence"
ALL, SINGLE, MULTI = "all", "single", "multi"
# The type of edits without a correction; they count only if just the places are compared.
_UNKNOWN = "UNK"
_NONE: Counts = (0, 0, 0)
# errant_compare chooses annotators by scores of so many digits.
_DIGITS = 4
# What is between the types of the option `ignored`.
_SEPARATOR = "/"
_NOTHING = "none"


def _types(text: str) -> str:
    if not re.fullmatch(r"[^\s|/]+(/[^\s|/]+)*", text):
        raise ValueError(
            f"must be types of edits with slashes between them, such as R:PUNCT/M:PUNCT, not "
            f"{shown(text)}"
        )
    return text


class ERRANTScore(Score):
    """An F score of edits, with precision, recall and what was counted."""

    components = ("precision", "recall", "tp", "fp", "fn")

    @property
    def tp(self) -> int:
        """The edits of the system that the annotator has."""
        return int(self.values[0])

    @property
    def fp(self) -> int:
        """The edits of the system that the annotator does not have."""
        return int(self.values[1])

    @property
    def fn(self) -> int:
        """The edits of the annotator that the system does not have."""
        return int(self.values[2])

    @property
    def precision(self) -> float:
        """The share of the system's edits that are right, in percent."""
        return 100 * _share(self.tp, self.fp)

    @property
    def recall(self) -> float:
        """The share of the annotator's edits that the system has, in percent."""
        return 100 * _share(self.tp, self.fn)

    def details(self) -> str:
        """Return precision, recall and counts as they are printed."""
        return (
            f"(P = {self.precision:.2f} R = {self.recall:.2f} TP = {self.tp} FP = {self.fp} "
            f"FN = {self.fn})"
        )


class ERRANT(Metric[ERRANTScore]):
    """The F score of the edits of a grammatical error correction, as errant_compare counts them.

    F = (1 + beta^2) * P * R / (beta^2 * P + R), P = TP / (TP + FP), R = TP / (TP + FN). An edit of
    the system is right if the annotator has the same one. Edits come from M2 files.

    >>> from bleuet.text.m2 import read_sentences
    >>> edit = "A 2 3|||R:VERB|||{}|||REQUIRED|||-NONE-|||0"
    >>> ours, theirs = (
    ...     read_sentences(["S A cat sit .", edit.format(verb)], "a.m2")[0]
    ...     for verb in ("sat", "sits")
    ... )
    >>> print(ERRANT().corpus_score([ours.hypothesis], [theirs.references()]))
    ERRANT = 0.00 (P = 0.00 R = 0.00 TP = 0 FP = 1 FN = 1)
    >>> print(ERRANT(match="span").corpus_score([ours.hypothesis], [theirs.references()]))
    ERRANT = 100.00 (P = 100.00 R = 100.00 TP = 1 FP = 0 FN = 0)
    """

    beta: float = option(
        default=0.5, help="weight of recall: below 1 precision counts more", key="beta", least=0.01,
        most=1000,
    )  # fmt: skip
    match: Literal["correction", "type", "span", "token"] = option(
        default="correction",
        help="what of two edits must be equal: the words that go and those that come, also the "
        "type, only the words that go, or each of these words by itself",
        key="match",
        choices=MATCHES,
    )
    annotator: Literal["running", "sentence"] = option(
        default="running",
        help="the annotator of a sentence, where there are several: the one with the best score "
        "of this and all sentences before, or of the sentence alone",
        key="annotator",
        choices=(RUNNING, SENTENCE),
    )
    edits: Literal["all", "single", "multi"] = option(
        default="all",
        help="the edits that count: all, those of at most one word, or those of several words",
        key="edits",
        choices=(ALL, SINGLE, MULTI),
    )
    ignored: str = option(
        default="none",
        help="types of edits that do not count, with slashes between them",
        key="ignored",
        sign_default=False,
        check=_types,
    )
    score_type = ERRANTScore
    integer_columns = ("tp", "fp", "fn")
    reads_sources = True
    definition = (
        "100 * (1 + beta^2) * P * R / (beta^2 * P + R), P = TP / (TP + FP), R = TP / (TP + FN)"
    )
    source = (
        "Bryant, Felice and Briscoe (2017), Automatic Annotation and Evaluation of Error Types "
        "for Grammatical Error Correction, ACL"
    )
    needs = "M2 files of references and hypotheses, such as errant_parallel writes"
    same_number = "errant_compare of ERRANT 3.0.2"
    # The sum of the rows before the next one that is counted.
    _before: Counts = _NONE

    @property
    def in_order(self) -> bool:
        """Whether the annotator depends on the sentences before."""
        return self.annotator == RUNNING

    def following(self, totals: Totals | None) -> Self:
        """Return the metric that counts the segments behind those of a sum of rows."""
        if totals is None or not self.in_order:
            return self
        later = self.with_options()
        later.__dict__["_before"] = tuple(map(int, totals.values))
        return later

    def _make_counter(self) -> EditCounter:
        return EditCounter(self)

    def _fill_matrix(
        self,
        texts: Segments,
        references: PreparedReferences,
        scores: memoryview[float],
        threads: int,
    ) -> None:
        from bleuet.metrics.base.matrix import fill_from_tables

        # No pair of a matrix follows another one.
        alone = self.with_options(annotator=SENTENCE)
        fill_from_tables(alone, texts, references, scores, threads)

    def count_segment(self, hypothesis: str, references: list[str]) -> Counts:
        """Return the edits that are right, wrong and missing, by the best annotator.

        Args:
            hypothesis: a hypothesis that carries its edits.
            references: references that carry theirs.

        Raises:
            InputError: one of them has no edits.
        """
        return self.best(hypothesis, references, _NONE)

    def best(self, hypothesis: str, references: list[str], before: Counts) -> Counts:
        """Return the counts with the annotator that has the best score after a sum of rows.

        Equal scores are decided by more right edits, then by fewer wrong ones, then by fewer
        missing ones; the first annotator wins.
        """
        tp, fp, fn = before

        def key(counts: Counts) -> tuple[float, int, int, int]:
            score = round(
                _f_score(tp + counts[0], fp + counts[1], fn + counts[2], self.beta), _DIGITS
            )
            return score, counts[0], -counts[1], -counts[2]

        several = list(self._counts(hypothesis, references))
        return several[0] if len(several) == 1 else max(several, key=key)

    def _counts(self, hypothesis: str, references: list[str]) -> Iterator[Counts]:
        source = source_of(references, self.name)
        theirs = references.edits if isinstance(references, WithSource) else None
        if theirs is None or not isinstance(hypothesis, EditedText):
            side = "references" if theirs is None else "hypotheses"
            raise InputError(
                f"{self.name} compares edits, but the {side} came as texts: use M2 files, which "
                "errant_parallel of ERRANT makes of sources and corrections"
            )
        if source != hypothesis.source and source.split() != hypothesis.source.split():
            raise InputError(
                f"{self.name} compares edits of one sentence, but the references have the source "
                f"{shown(source)} and the hypotheses {shown(hypothesis.source)}: check that the M2 "
                "files are of the same test set and that no sentence is missing"
            )
        wanted = list(self._matched_of_all(theirs))
        for ours in self._matched_of_all(hypothesis.edits):
            for other in wanted:
                yield count_edits(ours, other)

    def _matched_of_all(self, edits: Annotations) -> Iterator[Matched]:
        """Yield what must be equal of the edits of each annotator."""
        ignored = self.ignored.split(_SEPARATOR) if self.ignored != _NOTHING else ()
        places_only = self.match in (SPAN, TOKEN)
        for several in edits.values():
            found: Matched = {}
            for edit in several:
                kind = edit[2]
                if kind in ignored or (kind == _UNKNOWN and not places_only):
                    continue
                if self.edits != ALL and _is_long(edit) != (self.edits == MULTI):
                    continue
                for key in _keys(edit, self.match):
                    found.setdefault(key, []).append(kind)
            yield found

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the F score, in percent."""
        tp, fp, fn = values
        return 100 * _f_score(tp, fp, fn, self.beta)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add precision and recall."""
        tp, fp, fn = row
        steps.count("TP", "edits that are right", tp)
        steps.count("FP", "edits that are wrong", fp)
        steps.count("FN", "edits that are missing", fn)
        steps.compute("P", "precision", "TP / (TP + FP)" if fp else "1", whole=1)
        steps.compute("R", "recall", "TP / (TP + FN)" if fn else "1", whole=1)
        formula = "100 * (1 + b^2) * P * R / (b^2 * P + R)" if tp or not (fp and fn) else "0"
        steps.score(self.name, formula, b=self.beta)


class EditCounter(FunctionCounter):
    """Counts the segments of a table after each other, since each may decide on the next.

    Args:
        metric: the metric that counts a segment.
    """

    def __init__(self, metric: ERRANT) -> None:
        super().__init__(len(metric.integer_columns), 0, metric.count_segment, metric.learn_segment)
        self._metric = metric

    def rows(self, texts: list[Any], references: list[list[Any]]) -> list[Sequence[Number]]:
        """Return the row of each segment, decided by the sum of those before."""
        if not self._metric.in_order:
            return super().rows(texts, references)
        sums: Counts = self._metric._before
        found: list[Sequence[Number]] = []
        for text, several in zip(texts, references, strict=True):
            row = self._metric.best(text, several, sums)
            sums = (sums[0] + row[0], sums[1] + row[1], sums[2] + row[2])
            found.append(row)
        return found


def count_edits(ours: Mapping[Any, list[str]], theirs: Mapping[Any, list[str]]) -> Counts:
    """Return the edits that are right, wrong and missing.

    Args:
        ours: the edits of the system: what must be equal, and the types of the edits in which it
            is, mostly one.
        theirs: the edits of an annotator.

    >>> count_edits({1: ["M"], 2: ["R"]}, {1: ["M"], 3: ["U"], 4: ["U", "U"]})
    (1, 1, 3)
    """
    tp = fp = fn = 0
    for key, kinds in ours.items():
        if kinds[0] == NOOP:
            continue
        if key in theirs:
            tp += len(theirs[key])
        else:
            fp += len(kinds)
    for key, kinds in theirs.items():
        if kinds[0] != NOOP and key not in ours:
            fn += len(kinds)
    return tp, fp, fn


def _keys(edit: Edit, match: str) -> Iterable[tuple[object, ...]]:
    """Return what of an edit must be equal: one key, or with "token" one for each word."""
    start, end, kind, correction = edit
    if match == CORRECTION:
        return ((start, end, correction),)
    if match == TYPED_CORRECTION:
        return ((start, end, kind, correction),)
    if match == SPAN or start < 0:
        return ((start, end),)
    # Words that come between two others belong to the second.
    return [(word,) for word in range(start, max(end, start + 1))]


def _is_long(edit: Edit) -> bool:
    """Return whether an edit has several words on a side."""
    start, end, _, correction = edit
    return end - start >= 2 or len(correction.split()) >= 2


def _share(right: float, others: float) -> float:
    """Return which share of edits is right, 1 if no other is there."""
    return right / (right + others) if others else 1.0


def _f_score(tp: float, fp: float, fn: float, beta: float) -> float:
    precision, recall = _share(tp, fp), _share(tp, fn)
    if not precision + recall:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
