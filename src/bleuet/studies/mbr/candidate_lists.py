"""Lists of candidates in files: n-best lists, columns of lists, one file per system."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

from bleuet.errors import InputError
from bleuet.messages import shown
from bleuet.text.parallel import read_systems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleuet.text.source import Source

# What is between the fields of a line of Moses' n-best lists.
_BETWEEN = "|||"
# The most digits that the number of a source can have; Python limits those of an integer.
_DIGITS = 10


class CandidateLists(NamedTuple):
    """The candidates of each source.

    Args:
        texts: for each source its candidates.
        scores: for each source the model's score of each candidate, where the file has them.
    """

    texts: list[list[str]]
    scores: list[list[float]] | None = None

    def weights(self) -> list[list[float]]:
        """Return for each source the probabilities that follow from the model's scores.

        Raises:
            InputError: there are no scores.

        >>> CandidateLists([["a", "b"]], [[-1.0, -1.0]]).weights()
        [[1.0, 1.0]]
        """
        if self.scores is None:
            raise InputError(
                "the candidates have no model scores; expected an n-best list whose lines end in "
                "a score, as in '0 ||| text ||| features ||| -1.5'"
            )
        return [[exp(score - max(scores)) for score in scores] for scores in self.scores]


def read_candidates(sources: Sequence[Source]) -> CandidateLists:
    """Read the candidates of each source.

    Args:
        sources: a file for each system, with one text per source; or one file: an n-best list as
            Moses writes it, or a column of lists.

    Raises:
        InputError: a file cannot be read, or is not a list of candidates.
    """
    if len(sources) > 1:
        first, *others = sources
        corpora = read_systems(others, [first])
        columns = [corpora[0].references, *[corpus.hypotheses for corpus in corpora]]
        return CandidateLists([list(texts) for texts in zip(*columns, strict=True)])
    (source,) = sources
    entries = source.read(several=True)
    if not entries:
        raise InputError(f"{source} is empty; expected candidates for each source: check the file")
    if source.kind == "lines":
        return parse_nbest(entries, str(source))
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, list) or None in entry or not entry:
            raise InputError(
                f"segment {number} of {source} is {shown(entry)}; expected a list of candidates"
            )
    return CandidateLists(entries)


def parse_nbest(lines: Sequence[str], name: str = "the n-best list") -> CandidateLists:
    """Return the candidates of lines of an n-best list.

    Args:
        lines: a number from 0, a text, and other fields, of which the last can be a score.
        name: what the errors say.

    Raises:
        InputError: a line has another form, or a source has no candidate.

    >>> parse_nbest(["0 ||| a b ||| -2", "0 ||| a ||| -3", "1 ||| c ||| -1.0"])
    CandidateLists(texts=[['a b', 'a'], ['c']], scores=[[-2.0, -3.0], [-1.0]])
    """
    texts: list[list[str]] = []
    scores: list[list[float]] = []
    scored = True
    for _, source, fields in nbest_fields(lines, name):
        if source == len(texts):
            texts.append([])
            scores.append([])
        texts[-1].append(fields[0])
        score = _number(fields[-1]) if len(fields) > 1 else None
        scored = scored and score is not None
        scores[-1].append(score or 0.0)
    return CandidateLists(texts, scores if scored and texts else None)


def nbest_fields(lines: Iterable[str], name: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the number of each line of an n-best list from 1, its source from 0, and its fields.

    Args:
        lines: as of `parse_nbest`.
        name: what the errors say.

    Raises:
        InputError: a line has no number or text, or a source is left out.

    >>> list(nbest_fields(["0||| a b |||-2"], "list"))
    [(1, 0, ['a b', '-2'])]
    """
    last = -1
    for number, line in enumerate(lines, 1):
        place, *fields = map(str.strip, line.split(_BETWEEN))
        source = int(place) if place.isdecimal() and len(place) < _DIGITS else -1
        if not fields or not last <= source <= last + 1 or source < 0:
            numbers = f"{last} or {last + 1}" if last >= 0 else "0"
            raise InputError(
                f"{name}:{number} is {shown(line)}; expected 'N ||| text ||| ...' with the "
                f"number {numbers}: use an n-best list, a column of lists such as "
                "data.jsonl:candidates, or a file for each system"
            )
        last = source
        yield number, source, fields


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
