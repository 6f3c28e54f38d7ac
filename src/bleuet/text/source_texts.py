"""The texts that were translated or simplified, for metrics that read them."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.messages import plural
from bleuet.text.row_index import shared_index
from bleuet.text.segments import TEXT, Segments, WithSource
from bleuet.text.validation import check_hypotheses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def source_of(references: object, metric: str) -> str:
    """Return the source of a segment, for a metric that reads it.

    Args:
        references: the references of the segment.
        metric: the name of the metric, for the message.

    Raises:
        InputError: the references came without a source.
    """
    if isinstance(references, WithSource):
        return references.source
    raise InputError(
        f"{metric} compares hypotheses with their sources too, but the references came without "
        "sources: add --source FILE on the command line, sources=[...] to bleuet.score, or pass "
        "bleuet.with_sources(references, sources) as references"
    )


def with_sources(references: Iterable[Any] | None, sources: Iterable[str]) -> Segments:
    """Return references that carry the source of each segment, for metrics that read it.

    They can be passed wherever references can.

    Args:
        references: per segment a string or a list of strings; None for sources alone, which
            metrics without references read.
        sources: one string per segment.

    Raises:
        InputTypeError: an argument, or an element of one, has the wrong type.
        InputError: the lengths differ, there is no segment, or a segment has no reference.

    >>> from bleuet import SARI
    >>> references = with_sources(["The cat sat."], ["The cat perched."])
    >>> round(SARI().corpus_score(["The cat sat."], references).score)
    100
    """
    shared_index(references=references, sources=sources)
    texts = sources if isinstance(sources, Segments) else check_hypotheses(sources, "sources")
    entries: list[Any] = (
        [[] for _ in texts] if references is None else Segments.references(references).tolist()
    )
    if len(texts) != len(entries):
        raise InputError(
            f"{plural(len(texts), 'source')} but references of {plural(len(entries), 'segment')}; "
            "expected one source for each segment: check that both are of the same test set"
        )
    return with_own_sources(entries, list(texts), 0)


def with_own_sources(entries: list[Any], sources: list[str], first: int) -> Segments:
    """Return references with a source for each, which were checked; see `with_sources`.

    Args:
        entries: the references of each segment; edits of an M2 file stay.
        sources: as many sources.
        first: the number of the first segment in its corpus, from 0.
    """
    return Segments(
        TEXT,
        [
            WithSource(source, entry, place, getattr(entry, "edits", None))
            for place, (source, entry) in enumerate(zip(sources, entries, strict=True), first)
        ],
    )
