"""Quick checks while scoring: the problems of texts that are found at almost no cost."""

from __future__ import annotations

from bleuet.metrics.base.signature import number_of_references
from bleuet.metrics.base.text_problems import (
    REFERENCES,
    TOKENIZED_LINES,
    count_empty,
    count_empty_references,
    count_tokenized,
    count_without_letters,
    describe_empty,
    describe_empty_references,
    describe_tokenized,
    describe_without_letters,
    expects_detokenized,
    has_several_references,
    language_of,
    lines,
    reads_only_ascii,
    unsuited,
)
from bleuet.text.segments import LINES, WithSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    from bleuet.engines.counting import Batch
    from bleuet.metrics.base.metric import Metric
    from bleuet.text.segments import Segments

# Fewer lines may be equal because the system is good.
SAME_LINES = 10
# Shorter texts are often the same in two languages: names, numbers and exclamations.
COPIED_WORDS = 4
# What escaping leaves behind. `bleuet lint` looks for more entities, and prints where they are.
ENTITIES = ("&quot;", "&amp;", "&#39;", "&apos;", "&lt;", "&gt;")


class QuickChecks:
    """Checks each batch before it is counted, and reports the problems at the end.

    Args:
        names: the systems' names.
        metrics: the metrics; some of them expect detokenized text.
        own_references: the systems whose file is a file of references too.
        reference_files: the names of the files of references.
        signed_references: how many references each signature after -m has, as `nrefs` says.
    """

    def __init__(
        self,
        names: Sequence[str],
        metrics: Sequence[Metric[Any]],
        own_references: Collection[str] = (),
        reference_files: Sequence[str] = (REFERENCES,),
        signed_references: Iterable[str] = (),
    ) -> None:
        self._names = names
        self._own_references = own_references
        self._detokenized = any(map(expects_detokenized, metrics))
        self._ascii_words = any(map(reads_only_ascii, metrics))
        self._metrics = metrics
        self._language = ""
        self._rated = any(metric.rates for metric in metrics)
        self._copied = [0] * len(names)
        self._copied_references = 0
        self._empty = [0] * len(names)
        self._tokenized = [0] * len(names)
        self._without_letters = [0] * len(names)
        self._references_without_letters = 0
        self._entities = [0] * len(names)
        self._same = [name not in own_references for name in names]
        self._same_as_source = [True] * len(names)
        self._lines = 0
        self._reference_files = reference_files
        # Those of each file, and then those whose file is not known.
        self._empty_references = [0] * (len(reference_files) + 1)
        self._has_several = False
        self._signed_references = list(filter(None, signed_references))
        self._n_references: set[int | None] = set()

    def over(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Yield batches once they are checked."""
        for batch in batches:
            self.check(*batch)
            yield batch

    def check(self, hypotheses: Sequence[Segments], references: Segments) -> None:
        """Check a batch: the hypotheses of each system, and the references they share."""
        first = not self._lines
        self._lines += len(references)
        self._check_references(references)
        if self._ascii_words:
            self._references_without_letters += count_without_letters(references)
        if self._rated:
            self._copied_references += _count_copied(references, references)
        if first:
            self._language = language_of(references)
        for system, texts in enumerate(hypotheses):
            self._check_system(system, texts, references)
            # Escaped text is escaped from the start: later batches would only cost time.
            if first:
                self._entities[system] = _count_escaped(texts)

    def _check_references(self, references: Segments) -> None:
        if self._signed_references:
            self._n_references.add(references.n_references)
        found = count_empty_references(references, len(self._reference_files))
        for place, count in enumerate(found):
            self._empty_references[place] += count
        if any(found) and not self._has_several:
            self._has_several = has_several_references(references)

    def _check_system(self, system: int, texts: Segments, references: Segments) -> None:
        self._empty[system] += count_empty(texts)
        if self._ascii_words:
            self._without_letters[system] += count_without_letters(texts)
        if self._rated:
            self._copied[system] += _count_copied(texts, references)
        if self._same[system]:
            self._same[system] = _is_a_reference(texts, references)
        if self._same_as_source[system]:
            self._same_as_source[system] = _is_the_source(texts, references)
        if self._detokenized and self._tokenized[system] < TOKENIZED_LINES:
            self._tokenized[system] += count_tokenized(texts)

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem."""
        if self._language:
            yield from unsuited(self._metrics, self._language)
        yield from self._problems_of_references()
        yield from self._problems_of_signatures()
        if self._references_without_letters and not self._language:
            yield describe_without_letters(self._references_without_letters, REFERENCES)
        if self._copied_references:
            yield _describe_copied(self._copied_references, REFERENCES)
        for system, name in enumerate(self._names):
            yield from self._problems_of(system, name)
        for name in self._own_references:
            yield f"{name} is both a system and a reference, so it is scored against itself"

    def _problems_of_references(self) -> Iterator[str]:
        total = sum(self._empty_references)
        if total and not self._has_several:
            yield describe_empty(total, REFERENCES)
        elif total:
            names = [*self._reference_files, ""]
            counts = dict(zip(names, self._empty_references, strict=True))
            yield describe_empty_references({name: n for name, n in counts.items() if n})

    def _problems_of_signatures(self) -> Iterator[str]:
        one = len(self._n_references) == 1
        found = number_of_references(next(iter(self._n_references)) if one else None)
        for signed in dict.fromkeys(self._signed_references):
            if signed != found:
                yield _describe_signed(signed, found)

    def _problems_of(self, system: int, name: str) -> Iterator[str]:
        if self._empty[system]:
            yield describe_empty(self._empty[system], name)
        if self._without_letters[system] and not self._language:
            yield describe_without_letters(self._without_letters[system], name)
        if self._same[system] and self._lines >= SAME_LINES:
            yield f"{name} is the same as a reference, line by line"
        elif self._same_as_source[system] and self._lines >= SAME_LINES:
            yield f"{name} is the same as the source, line by line"
        elif self._copied[system]:
            yield _describe_copied(self._copied[system], name)
        if self._tokenized[system] >= TOKENIZED_LINES:
            yield describe_tokenized(name)
        if self._entities[system]:
            yield (
                f"{lines(self._entities[system], f'of {name} contains', 'contain')} escaped "
                "entities such as &quot;; bleuet lint prints where"
            )


def _is_a_reference(texts: Segments, references: Segments) -> bool:
    """Return whether hypotheses are the references; the first line mostly settles it."""
    if references.kind == LINES:
        return any(texts == column for column in references.columns)
    if type(references[0]) is str:
        return texts == references
    return texts[0] in references[0] and any(
        list(column) == texts for column in zip(*references, strict=False)
    )


def _count_copied(texts: Segments, references: Segments) -> int:
    """Return how many texts are their sources, which references may carry."""
    if references.kind == LINES or not isinstance(references[0], WithSource):
        return 0
    return sum(
        entry.source in ([text] if isinstance(text, str) else text)
        for text, entry in zip(texts, references, strict=True)
        if entry.source.count(" ") >= COPIED_WORDS - 1
    )


def _describe_copied(count: int, name: str) -> str:
    """Return a sentence about texts that are their sources.

    >>> _describe_copied(2, "a")
    '2 lines of a equal their source: a neural metric may give them a good score, although nothing \
is translated'
    """
    whose, them = ("its", "it") if count == 1 else ("their", "them")
    return (
        f"{lines(count, f'of {name} equals', 'equal')} {whose} source: a neural metric may give "
        f"{them} a good score, although nothing is translated"
    )


def _describe_signed(signed: str, found: str) -> str:
    """Return a sentence about a signature with another number of references.

    >>> _describe_signed("2", "1")
    'the signature after -m has 2 references for each segment, but the files have 1: the scores \
cannot be compared'
    >>> _describe_signed("var", "1")
    'the signature after -m has different numbers of references, but the files have 1 for each \
segment: the scores cannot be compared'
    """
    several = "different numbers of references"
    if signed == "var":
        signed, found = several, f"{found} for each segment"
    else:
        word = "reference" if signed == "1" else "references"
        signed, found = f"{signed} {word} for each segment", several if found == "var" else found
    return (
        f"the signature after -m has {signed}, but the files have {found}: the scores cannot be "
        "compared"
    )


def _is_the_source(texts: Segments, references: Segments) -> bool:
    """Return whether hypotheses are the sources, which references may carry."""
    return (
        references.kind != LINES
        and isinstance(references[0], WithSource)
        and all(text == entry.source for text, entry in zip(texts, references, strict=True))
    )


def _count_escaped(texts: Segments) -> int:
    return sum(any(entity in text for entity in ENTITIES) for text in texts.containing("&"))
