"""Lists of candidates in files: n-best lists, columns of lists, samples, one file per system."""

from __future__ import annotations

import json
from math import exp, isfinite
from typing import TYPE_CHECKING, Any, NoReturn

from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value
from bleuet.messages import shown
from bleuet.minimum_bayes_risk.list_formats import check_format, lists_of_lines
from bleuet.text.json_text import json_problem, unique_keys
from bleuet.text.lines import stream_lines
from bleuet.text.parallel import read_systems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleuet.text.source import Source

# The keys of JSON objects: of a list of candidates, of one candidate, and of what it has beside.
LISTS = ("candidates", "samples", "hypotheses", "outputs", "translations", "choices", "texts")
TEXTS = ("text", "generated_text", "translation")
SCORES = ("score", "logprob", "cumulative_logprob")
WEIGHTS = ("weight", "probability")


class CandidateLists(Value):
    """The candidates of each source.

    Args:
        texts: for each source its candidates.
        scores: for each source the model's score of each candidate, where the file has them.
        own_weights: for each source the weight of each candidate, where the file has them.
    """

    texts: list[list[str]]
    scores: list[list[float]] | None = None
    own_weights: list[list[float]] | None = None

    def weights(self, kind: str = "scores") -> list[list[float]] | None:
        """Return for each source the weights of its candidates.

        Args:
            kind: "scores" for the probabilities that follow from the model's scores, "weights" for
                those of the file, "equal" for None.

        Raises:
            InputError: there are no scores or weights.

        >>> CandidateLists([["a", "b"]], [[-1.0, -1.0]]).weights()
        [[1.0, 1.0]]
        """
        if kind == "equal":
            return None
        if kind == "weights":
            if self.own_weights is None:
                raise InputError(
                    "the candidates have no weights; expected JSON objects with the key weights or "
                    "weight: add it, or choose other weights"
                )
            return self.own_weights
        if self.scores is None:
            raise InputError(
                "the candidates have no model scores; expected an n-best list whose lines end in "
                "a score, as in '0 ||| text ||| features ||| -1.5', or JSON objects with the key "
                "scores or score"
            )
        return [[exp(score - max(scores)) for score in scores] for scores in self.scores]


def read_candidates(sources: Sequence[Source], form: str | None = None) -> CandidateLists:
    """Read the candidates of each source.

    Args:
        sources: a file for each system, with one text per source; or one file: an n-best list,
            the output of fairseq, JSON of samples, or a column of lists.
        form: the format of a single file; default the one that fits.

    Raises:
        InputError: a file cannot be read, or is not a list of candidates.
        OptionError: there is no such format, or it is not one of several files.
    """
    check_format(form)
    if len(sources) > 1:
        if form is not None:
            raise OptionError(
                f"--list-format {form} is the format of one file; expected one instead of "
                f"{len(sources)}: remove it, or the other files"
            )
        first, *others = sources
        corpora = read_systems(others, [first])
        columns = [corpora[0].references, *[corpus.hypotheses for corpus in corpora]]
        return CandidateLists([list(texts) for texts in zip(*columns, strict=True)])
    (source,) = sources
    in_json = source.kind == "jsonl" and not (source.column or "").isdecimal()
    if in_json and form in (None, "json"):
        return _of_objects(_json_lines(source), source.column)
    if source.kind != "lines" and form is not None:
        raise OptionError(f"--list-format {form} is not the format of {source}: remove the option")
    entries = source.read(several=True)
    if not entries:
        raise InputError(f"{source} is empty; expected candidates for each source: check the file")
    if source.kind == "lines":
        text = entries[0].lstrip("\ufeff \t")
        if form == "json" or (form is None and text[:1] in ("[", "{")):
            return _of_objects(_json_entries(entries, str(source)), None)
        return parse_nbest(entries, str(source), form)
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, list) or None in entry or not entry:
            raise InputError(
                f"segment {number} of {source} is {shown(entry)}; expected a list of candidates"
            )
    return CandidateLists(entries)


def parse_nbest(
    lines: Sequence[str], name: str = "the n-best list", form: str | None = None
) -> CandidateLists:
    """Return the candidates of the lines of a list.

    Args:
        lines: lines of a format of `bleuet.minimum_bayes_risk.list_formats`.
        name: what the errors say.
        form: the format; default the one that fits.

    Raises:
        InputError: a line has another form, or a source has no candidate.

    >>> lists = parse_nbest(["0 ||| a b ||| -2", "0 ||| a ||| -3", "1 ||| c ||| -1.0"])
    >>> lists.texts, lists.scores
    ([['a b', 'a'], ['c']], [[-2.0, -3.0], [-1.0]])
    """
    found = (
        (one.place, one.source, one.text, one.score, None)
        for one in lists_of_lines(lines, name, form)
    )
    return _collected(found)


def _collected(
    candidates: Iterable[tuple[str, int, str, float | None, float | None]],
) -> CandidateLists:
    """Collect candidates in the order of their sources; scores are those of all or of none."""
    texts: list[list[str]] = []
    numbers: tuple[list[list[float]], list[list[float]]] = ([], [])
    first: list[bool] = []
    for place, source, text, *values in candidates:
        if source == len(texts):
            for column in (texts, *numbers):
                column.append([])
        texts[-1].append(text)
        there = [value is not None for value in values]
        first = first or there
        if there != first:
            raise InputError(
                f"{place} has {'a' if any(there) else 'no'} score or weight, unlike the candidates "
                "before it; expected one for each candidate or for none: correct it"
            )
        for column, value in zip(numbers, values, strict=True):
            column[-1].append(value or 0.0)
    has = first or [False, False]
    scores, weights = (
        column if there else None for column, there in zip(numbers, has, strict=True)
    )
    return CandidateLists(texts, scores, weights)


# --- JSON -----------------------------------------------------------------------------------------


def _json_lines(source: Source) -> Iterator[tuple[str, Any]]:
    plain = str(source) if source.column is None else str(source)[: -len(source.column) - 1]
    limit = source.max_segment_bytes
    with stream_lines(source.path, max_segment_bytes=limit, bom="strip") as batches:
        number = 0
        for batch in batches:
            for line in batch:
                number += 1
                yield f"{plain}:{number}", _parsed(line, f"{plain}:{number}")


def _json_entries(lines: list[str], name: str) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a JSON array, or of lines that are JSON."""
    text = "\n".join(lines).lstrip("\ufeff")
    if text.lstrip()[:1] == "{" or (len(lines) > 1 and _is_json(lines[0].lstrip("\ufeff"))):
        for number, line in enumerate(text.split("\n"), 1):
            yield f"{name}:{number}", _parsed(line, f"{name}:{number}")
        return
    found = _parsed(text, name)
    for number, entry in enumerate(found, 1):
        yield f"entry {number} of {name}", entry


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{place} is not JSON ({json_problem(error)}); expected candidates such as "
            '{"candidates": ["a b", "a"]}: correct it'
        ) from None


def _of_objects(entries: Iterable[tuple[str, Any]], column: str | None) -> CandidateLists:
    return _collected(_candidates(entries, column))


def _candidates(
    entries: Iterable[tuple[str, Any]], column: str | None
) -> Iterator[tuple[str, int, str, float | None, float | None]]:
    last, number = -1, -1
    for number, (place, entry) in enumerate(entries):
        key = _only(place, entry, LISTS) if column is None and isinstance(entry, dict) else column
        if key is None and isinstance(entry, dict):
            source = entry.get("segment")
            if type(source) is not int or source not in (max(last, 0), last + 1):
                _wrong(
                    place,
                    entry,
                    "an object with candidates, or with a text and the number of its segment",
                )
            last = source
            yield place, source, *_candidate(place, entry)
            continue
        if last >= 0:
            _wrong(place, entry, "an object with the number of a segment, as before")
        several = entry.get(key) if isinstance(entry, dict) else entry
        if not isinstance(several, list) or not several:
            _wrong(place, entry, f"a list of candidates{f' by the key {key}' if key else ''}")
        beside = entry if isinstance(entry, dict) else {}
        scores, weights = (
            _beside(place, beside, [f"{name}s" for name in names], len(several))
            for names in (SCORES, ("weight",))
        )
        for at, one in enumerate(several):
            text, score, weight = _candidate(place, one)
            yield (
                place,
                number,
                text,
                score if scores is None else scores[at],
                weight if weights is None else weights[at],
            )
    if number < 0:
        raise InputError("there is no candidate; expected JSON with candidates for each source")


def _beside(
    place: str, entry: Mapping[str, Any], names: Sequence[str], count: int
) -> list[float] | None:
    """Return the numbers that stand in their own list, one for each candidate."""
    key = _only(place, entry, names)
    if key is None:
        return None
    values = entry[key]
    if not isinstance(values, list) or len(values) != count:
        _wrong(place, values, f"by the key {key} one number for each of the {count} candidates")
    return [_finite(place, key, value) for value in values]


def _candidate(place: str, entry: Any) -> tuple[str, float | None, float | None]:
    """Return the text, the score and the weight of one candidate."""
    if isinstance(entry, str):
        return entry, None, None
    key = _only(place, entry, TEXTS) if isinstance(entry, dict) else None
    text = None if key is None else entry[key]
    if not isinstance(text, str):
        _wrong(place, entry, f"a text, or an object with the key {' or '.join(TEXTS)}")
    score, weight = (_only(place, entry, names) for names in (SCORES, WEIGHTS))
    return (
        text,
        None if score is None else _finite(place, score, entry[score]),
        None if weight is None else _finite(place, weight, entry[weight]),
    )


def _only(place: str, entry: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return which of the keys an object has."""
    found = [name for name in names if name in entry]
    if len(found) > 1:
        raise InputError(
            f"{place} has the keys {' and '.join(found)}; expected one of them: name the column of "
            f"candidates, as in data.jsonl:{found[0]}, or remove the other key"
        )
    return found[0] if found else None


def _finite(place: str, key: str, value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = float("inf")
        if isfinite(number):
            return number
    raise InputError(f"{place}: {key} is {shown(value)}; expected a finite number: correct it")


def _wrong(place: str, found: Any, expected: str) -> NoReturn:
    raise InputError(f"{place} has {shown(found)}; expected {expected}: correct it")
