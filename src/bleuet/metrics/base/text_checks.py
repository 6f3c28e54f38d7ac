"""The checks of texts: one table, for the command line, Python, pages and shards.

A check counts what makes scores doubtful in each batch, and has a sentence for it in the end. What
parts of a corpus have counted can be added. In Python the sentences are warnings.
"""

from __future__ import annotations

from bleuet.errors import warn_caller
from bleuet.metrics.base.signature import number_of_references
from bleuet.metrics.base.text_problems import (
    HYPOTHESES,
    REFERENCES,
    SAMPLE_LINES,
    TOKENIZED_LINES,
    are,
    count_empty,
    count_empty_references,
    count_missing,
    count_tokenized,
    count_without_letters,
    describe_copied,
    describe_empty,
    describe_empty_references,
    describe_entities,
    describe_form,
    describe_missing,
    describe_signed,
    describe_tokenized,
    describe_without_letters,
    expects_detokenized,
    has_several_references,
    lacks_spaces,
    language_of,
    normal_form,
    reads_only_ascii,
    too_few,
    unsuited,
)
from bleuet.text.layouts import TRANSPOSED, WORDS, are_transposed, are_words
from bleuet.text.segments import LINES, TEXT, Segments, WithSource
from bleuet.text.shapes import COMBINING, first_texts, may_be_encoded, may_have_shape, shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, ClassVar, TypeAlias

    from bleuet.text.shapes import Shape

    # The hypotheses of each system, and the references they share.
    Batch: TypeAlias = tuple[Sequence[Segments], Segments]

# Fewer lines may be equal because the system is good.
SAME_LINES = 10
# Shorter texts are often the same in two languages: names, numbers and exclamations.
COPIED_WORDS = 4
# What escaping leaves behind. `bleuet lint` looks for more entities, and prints where they are.
ENTITIES = ("&quot;", "&amp;", "&#39;", "&apos;", "&lt;", "&gt;")
# Escaped text, and other shapes of files, are so from the start.
FIRST_SEGMENTS, SOME_SEGMENTS = 10_000, 100


class TextChecks:
    """Checks each batch before it is counted, and reports the problems at the end.

    Args:
        names: the systems' names.
        metrics: the metrics; some of them expect detokenized text.
        own_references: the systems whose file is a file of references too.
        reference_files: the names of the files of references.
        signed_references: how many references each signature after -m has, as `nrefs` says.
        checks: those of the table that run.

    >>> checks = TextChecks(["mine"], [])
    >>> checks.check([Segments(TEXT, ["", "a cat"])], Segments(TEXT, [["a", ""], ["b", "c"]]))
    >>> list(checks.problems())
    ['1 reference is empty, and it counts as a reference of length 0: leave out missing ones', \
'1 line of mine is empty']
    """

    def __init__(
        self,
        names: Sequence[str],
        metrics: Sequence[Any],
        own_references: Collection[str] = (),
        reference_files: Sequence[str] = (REFERENCES,),
        signed_references: Iterable[str] = (),
        checks: Iterable[type[TextCheck]] | None = None,
    ) -> None:
        self.names = names
        self.metrics = metrics
        self.own_references = own_references
        self.reference_files = reference_files
        self.signed_references = list(filter(None, signed_references))
        self.lines = 0
        made = [kind(self) for kind in (CHECKS if checks is None else checks)]
        self._checks = [one for one in made if one.is_needed()]

    def over(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Yield batches once they are checked."""
        for batch in batches:
            self.check(*batch)
            yield batch

    def check(self, hypotheses: Sequence[Segments], references: Segments | None) -> None:
        """Check a batch.

        Args:
            hypotheses: those of each system; none if only the references are to be checked.
            references: the references they share; None if their problems are known.
        """
        for one in self._checks:
            one.look(hypotheses, references, is_first=not self.lines)
        self.lines += len(hypotheses[0] if references is None else references)

    def counts(self) -> dict[str, Any]:
        """Return what was counted, as plain values that `add` takes."""
        return {"lines": self.lines, **{one.kind: one.counts for one in self._checks}}

    def add(self, counts: Mapping[str, Any]) -> None:
        """Add what the same checks have counted in another part of the corpus.

        >>> checks, part = TextChecks(["mine"], []), TextChecks(["mine"], [])
        >>> part.check([Segments(TEXT, ["", "a cat"])], Segments(TEXT, ["a", "b"]))
        >>> for _ in range(2):
        ...     checks.add(part.counts())
        >>> list(checks.problems())
        ['2 lines of mine are empty']
        """
        self.lines += counts.get("lines", 0)
        for one in self._checks:
            one.add(counts.get(one.kind, ()))

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem: first of the references, then of each system."""
        found = [pair for one in self._checks for pair in one.sentences()]
        yield from [sentence for _, sentence in sorted(found, key=_place)]


def _place(pair: tuple[int, str]) -> int:
    return pair[0]


class TextCheck:
    """The base of a check: what it counts of each system, and of the references.

    Args:
        run: what it is a check of.
    """

    # Its name: a metric warns of each kind of problem once.
    kind: ClassVar[str] = ""
    # Whether it looks at the first batch alone, which shows the problem.
    first_only: ClassVar[bool] = False
    # What it counts where there is no problem: "" if it keeps words instead of numbers.
    none: ClassVar[Any] = 0

    def __init__(self, run: TextChecks) -> None:
        self.run = run
        # Of each system, and last of the references.
        self.counts: list[Any] = [self.none] * (len(run.names) + 1)

    def is_needed(self) -> bool:
        """Return whether the metrics and the kind of run need it."""
        return True

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        if self.first_only and not is_first:
            return
        for place, texts in enumerate(systems):
            self.counts[place] += self.count(place, texts, references)
        if references is not None:
            self.counts[-1] += self.count_references(references)

    def count(self, place: int, texts: Segments, references: Segments | None) -> Any:
        """Return how many hypotheses of a system have the problem."""
        return 0

    def count_references(self, references: Segments) -> Any:
        """Return how many references have the problem."""
        return 0

    def add(self, counts: Iterable[Any]) -> None:
        """Add what another check of this kind has counted."""
        for place, count in enumerate(counts):
            mine = self.counts[place]
            self.counts[place] = (mine or count) if isinstance(mine, str) else mine + count

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        *counts, of_references = self.counts
        if of_references:
            yield -1, self.describe(of_references, REFERENCES)
        for place, count in enumerate(counts):
            if count:
                yield place, self.describe(count, self.run.names[place])

    def describe(self, count: Any, name: str) -> str:
        """Return the sentence about a number of texts."""
        raise NotImplementedError


class NoWords(TextCheck):
    """References that a metric does not split into words, and texts whose letters it drops."""

    kind = "no words"

    def __init__(self, run: TextChecks) -> None:
        super().__init__(run)
        self._drops_letters = any(map(reads_only_ascii, run.metrics))
        # The language behind the counts.
        self.counts.append("")

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        if is_first and references is not None:
            self.counts[-1] = language_of(references)
        if self._drops_letters and not self.counts[-1]:
            for place, texts in enumerate(systems):
                self.counts[place] += count_without_letters(texts)
            if references is not None:
                self.counts[-2] += count_without_letters(references)

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        *counts, of_references, language = self.counts
        if language:
            for sentence in unsuited(self.run.metrics, language):
                yield -1, sentence
            return
        for place, count in ((-1, of_references), *enumerate(counts)):
            if count:
                name = REFERENCES if place < 0 else self.run.names[place]
                yield place, describe_without_letters(count, name)


class Few(TextCheck):
    """A metric that learns nothing from so few segments."""

    kind = "few"

    def is_needed(self) -> bool:
        """Return whether the metrics and the kind of run need it."""
        return any(metric.fewest_segments > 1 for metric in self.run.metrics)

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Do nothing: the number of all segments says it."""

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        for sentence in too_few(self.run.metrics, self.run.lines):
            yield -1, sentence


class EmptyReferences(TextCheck):
    """Empty references: each counts as one of length 0."""

    kind = "empty references"

    def __init__(self, run: TextChecks) -> None:
        super().__init__(run)
        # Those of each file, those whose file is not known, and whether a segment has several.
        self.counts = [0] * (len(run.reference_files) + 2)

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        if references is None:
            return
        counts = count_empty_references(references, len(self.run.reference_files))
        if any(counts):
            self.add([*counts, int(has_several_references(references))])

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        *counts, several = self.counts
        if several:
            by_file = dict(zip([*self.run.reference_files, ""], counts, strict=True))
            yield -1, describe_empty_references({name: n for name, n in by_file.items() if n})
        elif any(counts):
            yield -1, describe_empty(sum(counts), REFERENCES)


class OtherNumberOfReferences(TextCheck):
    """A signature after -m with another number of references."""

    kind = "signature"

    def __init__(self, run: TextChecks) -> None:
        super().__init__(run)
        # The numbers of references that segments have, None where they differ.
        self.counts = []

    def is_needed(self) -> bool:
        """Return whether the metrics and the kind of run need it."""
        return bool(self.run.signed_references)

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        if references is not None:
            self.add([references.n_references])

    def add(self, counts: Iterable[Any]) -> None:
        """Add what another check of this kind has counted."""
        self.counts += [count for count in counts if count not in self.counts]

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        number = number_of_references(self.counts[0] if len(self.counts) == 1 else None)
        for signed in dict.fromkeys(self.run.signed_references):
            if signed != number:
                yield -1, describe_signed(signed, number)


class EmptyTexts(TextCheck):
    """Empty hypotheses."""

    kind = "empty"

    def count(self, place: int, texts: Segments, references: Segments | None) -> int:
        """Return how many hypotheses of a system have the problem."""
        return count_empty(texts)

    def describe(self, count: int, name: str) -> str:
        """Return the sentence about a number of texts."""
        return describe_empty(count, name)


class Copies(TextCheck):
    """A system that is a reference or the source, line by line, and lines that are their source."""

    kind = "copies"

    def __init__(self, run: TextChecks) -> None:
        super().__init__(run)
        # How many lines of each system, and last of the references, are their source; how many
        # batches of each system are not a reference, and then how many not the source.
        self.counts += [0] * (2 * len(run.names))
        self._systems = len(run.names)
        # To which a model may give a good score.
        self._rated = any(metric.rates for metric in run.metrics)

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        unlike = self._systems + 1
        if references is None:
            # Nothing is known to be the same.
            self.counts[unlike:] = [1] * (2 * self._systems)
            return
        if self._rated:
            for place, texts in enumerate([*systems, references]):
                self.counts[place] += _count_copied(texts, references)
        for compare in (_is_a_reference, _is_the_source):
            for place, texts in enumerate(systems, unlike):
                if not self.counts[place]:
                    self.counts[place] = int(not compare(texts, references))
            unlike += self._systems

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        n = self._systems
        copied, of_references = self.counts[:n], self.counts[n]
        no_references, no_sources = self.counts[n + 1 : 2 * n + 1], self.counts[2 * n + 1 :]
        long = self.run.lines >= SAME_LINES
        if of_references:
            yield -1, describe_copied(of_references, REFERENCES)
        for place, name in enumerate(self.run.names):
            # A file that is named twice has a sentence of its own.
            if long and not no_references[place] and name not in self.run.own_references:
                yield place, f"{are(name)} the same as a reference, line by line"
            elif long and not no_sources[place]:
                yield place, f"{are(name)} the same as the source, line by line"
            elif copied[place]:
                yield place, describe_copied(copied[place], name)


class Tokenized(TextCheck):
    """Text that is still tokenized."""

    kind = "tokenized"

    def is_needed(self) -> bool:
        """Return whether the metrics and the kind of run need it."""
        return any(map(expects_detokenized, self.run.metrics))

    def count(self, place: int, texts: Segments, references: Segments | None) -> int:
        """Return how many hypotheses of a system have the problem."""
        if self.counts[place] >= TOKENIZED_LINES:
            return 0
        # The first lines of tokenized text show what it is.
        apart = texts.kind == LINES or any(map(_ends_apart, texts[:SAMPLE_LINES]))
        return count_tokenized(texts) if apart else 0

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        for place, name in enumerate(self.run.names):
            if self.counts[place] >= TOKENIZED_LINES:
                yield place, describe_tokenized(name)


class Escaped(TextCheck):
    """Escaped entities."""

    kind = "entities"
    first_only = True

    def count(self, place: int, texts: Segments, references: Segments | None) -> int:
        """Return how many hypotheses of a system have the problem."""
        if texts.kind != LINES:
            first = texts[:FIRST_SEGMENTS]
            # Joining all texts takes as long as all other checks.
            sample = "".join(first[:SOME_SEGMENTS])
            if "&" not in sample or not any(entity in sample for entity in ENTITIES):
                return 0
            texts = Segments(TEXT, first)
        return sum(any(entity in text for entity in ENTITIES) for text in texts.containing("&"))

    def describe(self, count: int, name: str) -> str:
        """Return the sentence about a number of texts."""
        return describe_entities(count, name)


class Shaped(TextCheck):
    """Lines that hold more than text: see `text/shapes.py`."""

    kind = "shape"
    first_only = True
    none = ""

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        if not is_first:
            return
        theirs = [] if references is None else [_shape_in(references)]
        ours = list(map(_shape_in, systems))
        for place, shape in enumerate(ours):
            self._note(place, self.run.names[place], shape, theirs)
        for shape in theirs:
            self._note(-1, REFERENCES, shape, ours)

    def _note(
        self, place: int, name: str, shape: Shape | None, others: Sequence[Shape | None]
    ) -> None:
        if shape is not None and shape.matters(others):
            self.counts[place] = shape.sentence(name)

    def describe(self, count: str, name: str) -> str:
        """Return the sentence about a number of texts."""
        return count


class OtherForm(TextCheck):
    """Letters that are one character in one file and two in another, so that they never match."""

    kind = "normal form"
    first_only = True
    none = ""

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        if not is_first or references is None:
            return
        theirs = set(map(normal_form, first_texts(references)))
        for place, texts in enumerate(systems):
            ours = normal_form(first_texts(texts)[0])
            self.counts[place] = ours if ours and theirs - {"", ours} else ""

    def describe(self, count: str, name: str) -> str:
        """Return the sentence about a number of texts."""
        return describe_form(count, name)


class WrongLayout(TextCheck):
    """References that are lists of words, or transposed."""

    kind = "layout"
    first_only = True

    def __init__(self, run: TextChecks) -> None:
        super().__init__(run)
        self.counts = [""]

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Look at a batch; arguments as of `TextChecks.check`."""
        if not is_first or references is None or references.kind != TEXT or not systems:
            return
        entries = references.tolist()
        texts = systems[0].tolist()
        if isinstance(entries[0], str):
            return
        if are_words(texts[:SAMPLE_LINES], entries[:SAMPLE_LINES]):
            self.counts = [WORDS]
        elif are_transposed(texts, entries):
            self.counts = [TRANSPOSED]

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, -1 for the references, and its sentence."""
        if self.counts[0]:
            yield -1, self.counts[0]


class Missing(TextCheck):
    """Texts that programs write for a missing one, such as nan."""

    kind = "missing"

    def count(self, place: int, texts: Segments, references: Segments | None) -> int:
        """Return how many hypotheses of a system have the problem."""
        return count_missing(texts)

    def count_references(self, references: Segments) -> int:
        """Return how many references have the problem."""
        return count_missing(references)

    def describe(self, count: int, name: str) -> str:
        """Return the sentence about a number of texts."""
        return describe_missing(count, name)


class OwnReferences(TextCheck):
    """A file that is both a system and a reference."""

    kind = "own references"

    def look(
        self, systems: Sequence[Segments], references: Segments | None, *, is_first: bool
    ) -> None:
        """Do nothing: the names of the files say it."""

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the place of each problem, behind those of all systems, and its sentence."""
        for name in self.run.own_references:
            sentence = f"{name} is both a system and a reference, so it is scored against itself"
            yield len(self.run.names), sentence


CHECKS: tuple[type[TextCheck], ...] = (
    NoWords, Few, EmptyReferences, WrongLayout, OtherNumberOfReferences, Shaped, OtherForm, Missing,
    EmptyTexts, Copies, Tokenized, Escaped, OwnReferences,
)  # fmt: skip


# Those whose sentence is true of any part of a corpus, such as the rows that a database passes.
OF_PARTS = (NoWords, Shaped, EmptyReferences)


# --- Warnings in Python ---------------------------------------------------------------------------


def warn_of_texts(
    metrics: Iterable[Any],
    systems: Sequence[tuple[str, Segments]],
    references: Segments | None,
    checks: Iterable[type[TextCheck]] | None = None,
) -> None:
    """Warn the caller of this package of texts; a metric warns of each kind of problem once.

    Args:
        metrics: the metrics.
        systems: the hypotheses of each system after its name, which is "" for one without a name.
        references: the references, or None if their problems are known.
        checks: those of the table that run; default all.
    """
    texts = [segments for _, segments in systems]
    sides = texts if references is None else [references]
    if not sides or sides[0].kind not in (TEXT, LINES):
        return
    names = [name or HYPOTHESES for name, _ in systems]
    for kind in CHECKS if checks is None else checks:
        others = [metric for metric in metrics if kind.kind not in _warned(metric)]
        if others:
            run = TextChecks(names, others, checks=(kind,))
            run.check(texts, references)
            _warn(kind.kind, list(run.problems()), others)


def warn_of_references(metric: Any, references: Any, hypothesis: str | None = None) -> None:
    """Warn the caller of the references of a segment: no words, an empty one, or nothing to learn.

    Args:
        metric: the metric.
        references: a reference or a list of them.
        hypothesis: the hypothesis, to which references that are words are compared.
    """
    is_plain = type(references) is str and references.isascii() and metric.fewest_segments == 1
    if is_plain or metric.counted_kind != TEXT:
        return
    texts = [] if hypothesis is None else [Segments(TEXT, [hypothesis])]
    for kind in (NoWords, Few, EmptyReferences, WrongLayout):
        if kind.kind not in _warned(metric):
            checks = TextChecks([HYPOTHESES] * len(texts), (metric,), checks=(kind,))
            checks.check(texts, Segments(TEXT, [references]))
            _warn(kind.kind, list(checks.problems()), (metric,))


def look_right(metric: Any, hypotheses: list[str], references: list[Any]) -> bool:
    """Return True if texts have no problem that a metric warns of, where that is cheap to know.

    Args:
        metric: the metric.
        hypotheses: the hypotheses.
        references: a string for each, or a list of them.
    """
    if len(references) < metric.fewest_segments:
        return False
    try:
        sample = "".join(references[:SAMPLE_LINES])
    except TypeError:  # some have several references
        return False
    if not sample.isascii() and (lacks_spaces(sample) or reads_only_ascii(metric)):
        return False
    if not (all(hypotheses) and all(references)) or hypotheses == references:
        return False
    for side in (hypotheses, references):
        encoded = may_be_encoded(first := "".join(side[:SAMPLE_LINES]))
        if encoded and any(mark in first for mark in COMBINING):
            return False
        if (encoded or may_have_shape(side[0])) and shape_of(side) is not None:
            return False
    return len(hypotheses) < TOKENIZED_LINES or " .\n" not in "\n".join(hypotheses[:SAMPLE_LINES])


def without_warnings(metric: Any) -> Any:
    """Return a metric after it was made to warn of no texts, where other code does."""
    metric.__dict__["_warned"] = {kind.kind for kind in CHECKS}
    return metric


def _warned(metric: Any) -> Collection[str]:
    """Return the kinds of problems that a metric has warned of."""
    kinds: Collection[str] = metric.__dict__.get("_warned", ())
    # One that has learned before needs no more segments.
    return kinds if metric.learned is None else {*kinds, Few.kind}


def _warn(kind: str, sentences: list[str], metrics: Iterable[Any]) -> None:
    for sentence in sentences:
        warn_caller(sentence)
    if sentences:
        for metric in metrics:
            metric.__dict__["_warned"] = {kind, *_warned(metric)}


# --- What is counted ------------------------------------------------------------------------------


def _is_a_reference(texts: Segments, references: Segments) -> bool:
    """Return whether hypotheses are the references; the first line mostly settles it."""
    if references.kind == LINES:
        return any(texts == column for column in references.columns)
    if type(references[0]) is str:
        return texts == references
    return texts[0] in references[0] and any(
        list(column) == texts for column in zip(*references, strict=False)
    )


def _is_the_source(texts: Segments, references: Segments) -> bool:
    """Return whether hypotheses are the sources, which references may carry."""
    return (
        references.kind != LINES
        and isinstance(references[0], WithSource)
        and all(text == entry.source for text, entry in zip(texts, references, strict=True))
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


def _shape_in(texts: Segments) -> Shape | None:
    """Return the shape of texts, of references that of the first ones that have one."""
    if texts.as_lines:
        return None
    return next(filter(None, map(shape_of, first_texts(texts))), None)


def _ends_apart(text: str) -> bool:
    return text.endswith(" .")
