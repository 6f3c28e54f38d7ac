"""Quick checks while scoring: the problems of files that are found at almost no cost."""

from __future__ import annotations

from bleuet.cli.warning_lines import warn
from bleuet.statistics.backend import backend
from bleuet.text.segments import LINES, TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bleuet.engines.counting import Batch
    from bleuet.metrics.base.metric import Metric
    from bleuet.text.segments import Segments
    from bleuet.text.source import Source

# sacreBLEU warns of a corpus that was not detokenized from this number of lines on.
TOKENIZED_LINES = 100
# Fewer lines may be equal because the system is good.
SAME_LINES = 10
# The beginning of the references shows their script.
SAMPLE_BYTES = 4096
SAMPLE_LINES = 40
# The first bytes in UTF-8 of scripts without spaces between words, and of some others.
LEADS = b"\xe0\xe1\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xf0"
# What escaping leaves behind. `bleuet lint` looks for more entities, and prints where they are.
ENTITIES = ("&quot;", "&amp;", "&#39;", "&apos;", "&lt;", "&gt;")


class QuickChecks:
    """Checks each batch before it is counted, and warns at the end.

    Args:
        systems: the files of hypotheses.
        references: the files of references.
        names: the systems' names.
        metrics: the metrics; some of them expect detokenized text.
    """

    def __init__(
        self,
        systems: Sequence[Source],
        references: Sequence[Source],
        names: Sequence[str],
        metrics: Sequence[Metric[Any]],
    ) -> None:
        self._names = names
        self._own_reference = [str(system) for system in systems if system in references]
        self._detokenized = any("tok:13a" in str(metric.signature()) for metric in metrics)
        # ROUGE's tokenizer keeps a to z and digits only.
        self._ascii_words = any(getattr(metric, "tokenize", "") == "rouge" for metric in metrics)
        self._metrics = metrics
        self._language = ""
        self._empty = [0] * len(names)
        self._tokenized = [0] * len(names)
        self._without_words = [0] * len(names)
        self._references_without_words = 0
        self._entities = [0] * len(names)
        self._same = [system not in references for system in systems]
        self._lines = 0
        self._empty_references = 0

    def over(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Yield batches once they are checked."""
        for batch in batches:
            self.check(*batch)
            yield batch

    def check(self, hypotheses: Sequence[Segments], references: Segments) -> None:
        """Check a batch: the hypotheses of each system, and the references they share."""
        first = not self._lines
        self._lines += len(references)
        self._empty_references += _count_empty(references)
        if self._ascii_words:
            self._references_without_words += _count_without_words(references)
        if first:
            self._language = _language_of(references)
        for system, texts in enumerate(hypotheses):
            self._check_system(system, texts, references)
            # Escaped text is escaped from the start: later batches would only cost time.
            if first:
                self._entities[system] = _count_escaped(texts)

    def _check_system(self, system: int, texts: Segments, references: Segments) -> None:
        self._empty[system] += _count_empty(texts)
        if self._ascii_words:
            self._without_words[system] += _count_without_words(texts)
        if self._same[system]:
            self._same[system] = _is_a_reference(texts, references)
        if self._detokenized and self._tokenized[system] < TOKENIZED_LINES:
            self._tokenized[system] += _count_tokenized(texts)

    def warn(self) -> None:
        """Print a warning for each problem."""
        for problem in self.problems():
            warn(problem)

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem."""
        if self._language:
            from bleuet.metrics.unspaced_text import unsuited

            yield from unsuited(self._metrics, self._language)
        if self._empty_references:
            yield f"{_lines(self._empty_references, 'of the references is', 'are')} empty"
        if self._references_without_words and not self._language:
            yield _without_words(self._references_without_words, "the references")
        for system, name in enumerate(self._names):
            yield from self._problems_of(system, name)
        for path in self._own_reference:
            yield f"{path} is both a system and a reference, so it is scored against itself"

    def _problems_of(self, system: int, name: str) -> Iterator[str]:
        if self._empty[system]:
            yield f"{_lines(self._empty[system], f'of {name} is', 'are')} empty"
        if self._without_words[system] and not self._language:
            yield _without_words(self._without_words[system], name)
        if self._same[system] and self._lines >= SAME_LINES:
            yield f"{name} is the same as a reference, line by line"
        if self._tokenized[system] >= TOKENIZED_LINES:
            yield (
                f"{TOKENIZED_LINES} lines of {name} or more end in ' .', as tokenized text does; "
                "scores are comparable only on detokenized text"
            )
        if self._entities[system]:
            yield (
                f"{_lines(self._entities[system], f'of {name} contains', 'contain')} escaped "
                "entities such as &quot;; bleuet lint prints where"
            )


def _lines(count: int, one: str, many: str) -> str:
    """Return a number of lines with its verb.

    >>> _lines(1, "of a.txt is", "are"), _lines(2, "of a.txt is", "are")
    ('1 line of a.txt is', '2 lines of a.txt are')
    """
    if count == 1:
        return f"1 line {one}"
    return f"{count} lines {one.rpartition(' ')[0]} {many}"


def _without_words(count: int, texts: str) -> str:
    return (
        f"{_lines(count, f'of {texts} has', 'have')} letters, but none of a to z, so that ROUGE's "
        "tokenizer finds no words: use tokenize=unicode, as in rouge-l:tokenize=unicode"
    )


def _language_of(references: Segments) -> str:
    """Return the language of text without spaces between words, "" for other text."""
    if references.kind == LINES:
        sample = references.files[0][0][0][:SAMPLE_BYTES]
    elif references.kind == TEXT:
        rows = references.tolist()[:SAMPLE_LINES]
        texts = [row if type(row) is str else next(filter(None, row), "") for row in rows]
        sample = "\n".join(texts)[:SAMPLE_BYTES].encode("utf-8", "ignore")
    else:
        return ""
    # A third of the bytes begin a character of three bytes, where such a script is all of the text.
    if sample.isascii() or 6 * (len(sample) - len(sample.translate(None, LEADS))) < len(sample):
        return ""
    from bleuet.text.tokenizers.unspaced import language_without_spaces

    return language_without_spaces(sample)


def _count_empty(segments: Segments) -> int:
    if segments.kind != LINES:
        return segments.count("")
    # A segment's several references are never all empty.
    return _count_endings(segments, b"\n") if len(segments.files) == 1 else 0


def _count_without_words(segments: Segments) -> int:
    from bleuet.text.tokenizers.rouge_words import loses_all_words

    if segments.kind not in (TEXT, LINES) or _is_ascii(segments):
        return 0
    texts = (text for row in segments for text in ([row] if isinstance(row, str) else row))
    return sum(loses_all_words(text) for text in texts if text)


def _is_ascii(segments: Segments) -> bool:
    return segments.kind == LINES and all(
        block.isascii() for file in segments.files for block, _ in file
    )


def _count_tokenized(texts: Segments) -> int:
    if texts.kind == LINES:
        return _count_endings(texts, b" .")
    return sum([text.endswith(" .") for text in texts])


def _count_endings(lines: Segments, ending: bytes) -> int:
    count = backend().count_endings
    return sum([count(block, ending) for block, _ in lines.files[0]])


def _is_a_reference(texts: Segments, references: Segments) -> bool:
    """Return whether hypotheses are the references; the first line mostly settles it."""
    if references.kind == LINES:
        return any(texts == column for column in references.columns)
    if type(references[0]) is str:
        return texts == references
    return texts[0] in references[0] and any(
        list(column) == texts for column in zip(*references, strict=False)
    )


def _count_escaped(texts: Segments) -> int:
    return sum(any(entity in text for entity in ENTITIES) for text in texts.containing("&"))
