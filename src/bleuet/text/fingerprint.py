"""A fingerprint of what a test set is: its segments and references, and the source where it counts.

It is stored with scores and counts, so that those of another test set are noticed. Each segment is
hashed (BLAKE2b, 128 bits), and the hashes are the digits of a number modulo a prime. So the parts
of a test set can be hashed apart and joined in their order, and it does not matter how texts were
divided into batches, files or shards, or which format they came in.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from bleuet.errors import MismatchError, warn_caller
from bleuet.messages import plural
from bleuet.text.segments import LINES, Segments, WithSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    Batch: TypeAlias = tuple[Sequence[Segments], Segments]

_BYTES = 16
# The largest prime of 128 bits; the base is 2**128, one digit for each segment.
_PRIME = 2**128 - 159
SEGMENTS, REFERENCES, SOURCE, DOCUMENTS, SELECTED = (
    *("segments", "references", "source"),
    *("documents", "selected"),
)
_KEYS = (SEGMENTS, REFERENCES, SOURCE, DOCUMENTS, SELECTED)
_HASH = "[0-9a-f]{32}"
_FORM = re.compile(
    rf"{SEGMENTS}:[1-9][0-9]{{0,14}}\|{REFERENCES}:{_HASH}"
    + "".join(rf"(\|{key}:{_HASH})?" for key in (SOURCE, DOCUMENTS, SELECTED))
)
# Before this form a fingerprint was the SHA-256 of the references.
_OLD = re.compile("[0-9a-f]{64}")


class _Digits:
    """A number with one digit for each text, which is added batch by batch."""

    def __init__(self, count: int = 0, value: int = 0) -> None:
        self.count = count
        self.value = value

    def add(self, hashes: Sequence[bytes]) -> None:
        self.join(_Digits(len(hashes), int.from_bytes(b"".join(hashes), "big") % _PRIME))

    def join(self, other: _Digits) -> None:
        shift = pow(1 << 8 * _BYTES, other.count, _PRIME)
        self.value = (self.value * shift + other.value) % _PRIME
        self.count += other.count

    def __str__(self) -> str:
        return f"{self.value:0{2 * _BYTES}x}"


class Fingerprint:
    """The fingerprint of segments that come batch by batch; texts cannot be recovered from it.

    Args:
        sources: whether the sources of the segments belong to it, since a metric reads them.

    >>> one, other = Fingerprint(), Fingerprint()
    >>> one.update(["It rains.", ["It snows.", None]])
    >>> other.update(["It rains."])
    >>> other.update([["It snows."]])
    >>> str(one) == str(other), str(one)[:21]
    (True, 'segments:2|references')
    """

    def __init__(self, sources: bool = False) -> None:
        self._references = _Digits()
        self._sources = _Digits() if sources else None

    def update(self, references: Iterable[Any]) -> None:
        """Add the references of the next segments: for each a text, or a list of texts and None."""
        if isinstance(references, Segments) and references.kind == LINES:
            self._references.add(_of_lines(references))
            return
        entries = list(references)
        self._references.add([_hash_of(entry) for entry in entries])
        if self._sources is not None and entries and isinstance(entries[0], WithSource):
            self._sources.add([_several([entry.source, *_edits(entry)]) for entry in entries])

    def over(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Yield batches of hypotheses and references whose references were added."""
        for batch in batches:
            self.update(batch[1])
            yield batch

    def __str__(self) -> str:
        found = {SEGMENTS: str(self._references.count), REFERENCES: str(self._references)}
        if self._sources is not None and self._sources.count:
            found[SOURCE] = str(self._sources)
        return _joined(found)


def fingerprint_of(references: Iterable[Any]) -> str:
    """Return the fingerprint of whole references, with the sources that they carry."""
    found = Fingerprint(sources=True)
    found.update(references)
    return str(found)


def _of_lines(references: Segments) -> list[bytes]:
    columns = [
        b"".join([block for block, _ in file]).split(b"\n")[:-1] for file in references.files
    ]
    if len(columns) == 1:
        return [blake2b(line, digest_size=_BYTES).digest() for line in columns[0]]
    return [_several_bytes(lines) for lines in zip(*columns, strict=True)]


def _hash_of(entry: Any) -> bytes:
    if not isinstance(entry, str):
        texts = [text for text in entry if text is not None]
        if len(texts) != 1:
            return _several(texts)
        (entry,) = texts
    return blake2b(_encoded(entry), digest_size=_BYTES).digest()


def _several(texts: Iterable[Any]) -> bytes:
    return _several_bytes([_encoded(text) for text in texts])


def _several_bytes(texts: Sequence[bytes]) -> bytes:
    # Each text follows its length, so that different lists give different bytes.
    parts = [part for text in texts for part in (b"%d:" % len(text), text)]
    return blake2b(b"".join(parts), digest_size=_BYTES, person=b"several").digest()


def _encoded(text: Any) -> bytes:
    # A sequence can have token ids.
    return (text if isinstance(text, str) else repr(list(text))).encode("utf-8", "surrogatepass")


def _edits(entry: WithSource) -> list[str]:
    return [] if getattr(entry, "edits", None) is None else [repr(sorted(entry.edits.items()))]  # type: ignore[union-attr]


# --- As text --------------------------------------------------------------------------------------


def _joined(pairs: dict[str, str]) -> str:
    return "|".join(f"{key}:{pairs[key]}" for key in _KEYS if key in pairs)


def parse_fingerprint(text: str) -> dict[str, str]:
    """Return the parts of a fingerprint by their keys; of one in another form, only references.

    >>> parse_fingerprint("segments:2|references:0123456789abcdef0123456789abcdef")["segments"]
    '2'
    """
    if not _FORM.fullmatch(text):
        return {REFERENCES: text} if text else {}
    return dict(part.partition(":")[::2] for part in text.split("|"))


def append_fingerprints(parts: Iterable[str]) -> str:
    """Return the fingerprint of a test set from those of its consecutive parts.

    Args:
        parts: the fingerprints in order.

    Returns:
        The fingerprint; "" if one is unknown or in the old form.

    >>> whole, first, second = Fingerprint(), Fingerprint(), Fingerprint()
    >>> whole.update(["a", "b", "c"]); first.update(["a"]); second.update(["b", "c"])
    >>> append_fingerprints([str(first), str(second)]) == str(whole)
    True
    """
    found = [parse_fingerprint(part) for part in parts]
    if not found or not all(SEGMENTS in part and SELECTED not in part for part in found):
        return ""
    kept = [key for key in found[0] if key != SEGMENTS and all(key in part for part in found)]
    joined = {SEGMENTS: str(sum(int(part[SEGMENTS]) for part in found))}
    for key in kept:
        digits = _Digits()
        for part in found:
            digits.join(_Digits(int(part[SEGMENTS]), int(part[key], 16)))
        joined[key] = str(digits)
    return _joined(joined)


def with_documents(fingerprint: str, documents: Iterable[Any] | None) -> str:
    """Return a fingerprint with the documents of the segments, where there are any."""
    if documents is None or not _FORM.fullmatch(fingerprint):
        return fingerprint
    digits = _Digits()
    digits.add([_hash_of(str(one)) for one in documents])
    return _joined({**parse_fingerprint(fingerprint), DOCUMENTS: str(digits)})


def of_selected(fingerprint: str, segments: Sequence[int]) -> str:
    """Return the fingerprint of some segments of a test set.

    Args:
        fingerprint: that of the test set.
        segments: the numbers of the segments, each once and in order.
    """
    found = parse_fingerprint(fingerprint)
    if SEGMENTS not in found:
        return ""
    if str(len(segments)) == found[SEGMENTS]:
        return fingerprint
    chosen = _several(map(str, segments)).hex()
    return _joined({**found, SEGMENTS: str(len(segments)), SELECTED: chosen})


def of_read_texts(fingerprint: str, *, reads_sources: bool) -> str:
    """Return the fingerprint of what a metric reads, for most metrics without the source."""
    if reads_sources:
        return fingerprint
    found = parse_fingerprint(fingerprint)
    found.pop(SOURCE, None)
    return _joined(found) if SEGMENTS in found else fingerprint


# --- Comparison -----------------------------------------------------------------------------------


def same_form(one: str, other: str) -> bool:
    """Return whether two fingerprints are known, and have the same form."""
    return bool(one and other) and bool(_FORM.fullmatch(one)) == bool(_FORM.fullmatch(other))


def difference_between(one: str, other: str) -> str:
    """Return how the test set of one fingerprint differs from another, "" if it is not known.

    Args:
        one: a fingerprint, "" for an unknown one.
        other: another.

    >>> two = "segments:2|references:0123456789abcdef0123456789abcdef"
    >>> difference_between(two, two.replace("s:2", "s:3")), difference_between(two, "")
    ('2 segments, not 3', '')
    """
    ours, theirs = parse_fingerprint(one), parse_fingerprint(other)
    numbers = [part.get(SEGMENTS) for part in (ours, theirs)]
    if None not in numbers and numbers[0] != numbers[1]:
        return f"{plural(int(numbers[0] or 0), 'segment')}, not {int(numbers[1] or 0):,}"
    if None not in numbers and ours.get(SELECTED) != theirs.get(SELECTED):
        return "other segments"
    if same_form(one, other) and ours[REFERENCES] != theirs[REFERENCES]:
        return "other references"
    for key, words in ((SOURCE, "another source"), (DOCUMENTS, "other documents")):
        if key in ours and key in theirs and ours[key] != theirs[key]:
            return words
    return ""


def check_same_test_set(
    subject: str,
    stored: str,
    against: str,
    current: str,
    *,
    fix: str = "count both on the same texts",
    allow_mismatch: bool = False,
) -> None:
    """Raise an error where stored scores are of another test set, and warn where that is unknown.

    Args:
        subject: what has the scores, such as a file.
        stored: its fingerprint, "" for an unknown one.
        against: what they are compared with.
        current: the fingerprint of that, "" for an unknown one.
        fix: how to fix it.
        allow_mismatch: whether to warn, too, where they differ.

    Raises:
        MismatchError: they differ.
    """
    found = difference_between(stored, current)
    if found:
        reject_mismatch(
            f"{subject} was scored on another test set than {against}: it has {found}",
            fix,
            allow_mismatch=allow_mismatch,
        )
    elif current and not same_form(stored, current):
        warn_caller(
            f"{subject} has no fingerprint of its test set that this version reads, so that other "
            "references would not be noticed: write it again"
        )


def reject_mismatch(problem: str, fix: str, *, allow_mismatch: bool) -> None:
    """Raise an error about stored scores that are not comparable, or warn.

    Args:
        problem: what differs.
        fix: how to fix it.
        allow_mismatch: whether to warn only.

    Raises:
        MismatchError: always, unless it is allowed.
    """
    if not allow_mismatch:
        raise MismatchError(f"{problem}; {fix}")
    warn_caller(f"{problem}, so that differences are not those of the systems")


def is_fingerprint(text: object) -> bool:
    """Return whether a value that was read from a file is a fingerprint, of any version."""
    return isinstance(text, str) and bool(_FORM.fullmatch(text) or _OLD.fullmatch(text))
