"""N-best lists with the features of each hypothesis, from files and from Python values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.messages import shown, wrong_type
from bleuet.minimum_bayes_risk.list_formats import lists_of_lines
from bleuet.text.validation import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleuet.minimum_bayes_risk.list_formats import Line
    from bleuet.text.source import Source

# The keys of a JSON object for one hypothesis.
_KEYS = ("segment", "text", "features")
_MOST_FEATURES = 10_000
# The most numbers that an array of all features may have: 2 GB.
_MOST_NUMBERS = 1 << 28
# A larger number of either sign, and squares or products of two of them, could overflow.
LARGEST = 1e100
# Names that a line of an ini file can have.
_NAME = re.compile(r"[^\s\[#]\S*")


class NBestLists(Value):
    """The hypotheses of each segment and their features.

    Args:
        names: the names of the features.
        texts: for each segment its hypotheses.
        values: for each segment and hypothesis the value of each feature.
    """

    names: tuple[str, ...]
    texts: list[list[str]]
    values: list[list[tuple[float, ...]]]

    @classmethod
    def collect(
        cls,
        hypotheses: Iterable[tuple[str, int, str, dict[str, float]]],
        segments: int = 0,
        width: int = 0,
    ) -> NBestLists:
        """Collect hypotheses; a feature that one of them does not name is 0.

        Args:
            hypotheses: the place, the segment from 0, the text and the features of each. A segment
                comes after the one before it.
            segments: the number of segments, if it is known, so that lists that are too long
                are found at once.
            width: the hypotheses of the longest list, if it is known.

        Raises:
            InputError: there is no hypothesis, or no feature, or there are too many.
        """
        numbers: dict[str, int] = {}
        texts: list[list[str]] = []
        rows: list[list[tuple[float, ...]]] = []
        layout: tuple[str, ...] = ()
        for place, segment, text, features in hypotheses:
            if segment == len(texts):
                texts.append([])
                rows.append([])
                segments = max(segments, len(texts))
                check_size(segments, width, len(numbers), place)
            if len(texts[-1]) >= width:
                width = len(texts[-1]) + 1
                check_size(segments, width, len(numbers), place)
            if tuple(features) != layout:
                for name in features:
                    numbers.setdefault(name, len(numbers))
                layout = tuple(features) if tuple(numbers) == tuple(features) else ()
                if len(numbers) > _MOST_FEATURES:
                    raise InputError(
                        f"{place} brings more than {_MOST_FEATURES:,} different features; expected "
                        "fewer: leave out rare ones"
                    )
                check_size(segments, width, len(numbers), place)
            row = features.values() if layout else (features.get(name, 0.0) for name in numbers)
            texts[-1].append(text)
            rows[-1].append(tuple(row))
        names = tuple(numbers)
        if not texts or not names:
            raise InputError(
                "the n-best lists have no hypothesis or no feature; expected lines such as "
                "'0 ||| text ||| lm= -5.2 tm= -1.5 -2.5 ||| -1.5'"
            )
        width = len(names)
        values = [[row + (0.0,) * (width - len(row)) for row in several] for several in rows]
        return cls(names, texts, values)

    def reordered(self, names: tuple[str, ...]) -> NBestLists:
        """Return the lists with the features of these names, in this order.

        Args:
            names: the names; a feature that these lists do not have is 0.
        """
        if names == self.names:
            return self
        places = {name: at for at, name in enumerate(self.names)}
        wanted = [places.get(name) for name in names]
        values = [
            [tuple(0.0 if at is None else row[at] for at in wanted) for row in several]
            for several in self.values
        ]
        return NBestLists(names, self.texts, values)

    @staticmethod
    def merge(parts: Sequence[NBestLists]) -> NBestLists:
        """Return lists with the hypotheses of several lists of the same segments.

        A hypothesis whose text and features were there before is left out.

        Raises:
            InputError: the numbers of segments differ.

        >>> one = NBestLists(("lm",), [["a", "b", "a"]], [[(1.0,), (2.0,), (1.0,)]])
        >>> NBestLists.merge([one, one]).texts
        [['a', 'b']]
        """
        names = tuple(dict.fromkeys(name for part in parts for name in part.names))
        lengths = {len(part.texts) for part in parts}
        if len(lengths) > 1:
            raise InputError(
                f"the n-best lists have {' and '.join(map(str, sorted(lengths)))} segments; "
                "expected lists of the same segments: use several iterations of one tuning"
            )
        width = max(
            sum(map(len, several)) for several in zip(*[part.texts for part in parts], strict=True)
        )
        check_size(len(parts[0].texts), width, len(names), "the merged lists")
        same = [part.reordered(names) for part in parts]
        merged = [
            list(dict.fromkeys(
                pair
                for texts, values in several
                for pair in zip(texts, values, strict=True)
            ))
            for several in zip(*[zip(p.texts, p.values, strict=True) for p in same], strict=True)
        ]  # fmt: skip
        return NBestLists(
            names,
            [[text for text, _ in pairs] for pairs in merged],
            [[row for _, row in pairs] for pairs in merged],
        )


def check_size(segments: int, width: int, features: int, place: str) -> None:
    """Reject lists whose features would not fit in memory.

    Args:
        segments: the number of segments.
        width: the hypotheses of the longest list; shorter ones are filled up.
        features: the number of features.
        place: where this is known.

    Raises:
        InputError: there are too many numbers.
    """
    if segments * width * features > _MOST_NUMBERS:
        raise InputError(
            f"{place}: {segments} segments with up to {width} hypotheses of {features} features "
            f"are more than {_MOST_NUMBERS:,} numbers; expected fewer: use shorter lists, or leave "
            "out rare features"
        )


def read_nbest(source: Source) -> NBestLists:
    """Read n-best lists with features.

    Args:
        source: lines of a format of `bleuet.minimum_bayes_risk.list_formats` that has features, or
            a .jsonl file with an object for each hypothesis:
            `{"segment": 0, "text": "a b", "features": {"lm": -5.2, "tm": [-1, -2]}}`.

    Raises:
        InputError: the file cannot be read, or a line is something else; the message has its place.
    """
    if source.kind == "jsonl" and source.column is None:
        return NBestLists.collect(_of_records(source))
    found = list(lists_of_lines(source.read(), str(source), features=True))
    sizes = Counter(one.source for one in found)
    return NBestLists.collect(_of_lines(found), len(sizes), max(sizes.values(), default=0))


def as_nbest(lists: Any) -> NBestLists:
    """Return Python values as n-best lists.

    Args:
        lists: for each segment its hypotheses, each a text and its features: a dict from names to
            numbers or lists of numbers.

    Raises:
        InputError: a segment has no hypothesis, or a feature is not a finite number.

    >>> as_nbest([[("a b", {"lm": -1.5, "tm": [-2, -3]})]]).names
    ('lm', 'tm_0', 'tm_1')
    """
    if isinstance(lists, NBestLists):
        return lists

    def hypotheses() -> Iterator[tuple[str, int, str, dict[str, float]]]:
        form = "for each segment pairs of a text and its features"
        for segment, several in enumerate(listed(lists, "nbest", form)):
            place = f"segment {segment + 1}"
            pairs = listed(several, f"the n-best list of {place}", form)
            if not pairs:
                raise InputError(f"{place} has no hypothesis; expected at least one")
            for pair in pairs:
                if not isinstance(pair, tuple | list) or len(pair) != 2:
                    raise wrong_type(f"a hypothesis of {place}", "a text and its features", pair)
                yield place, segment, _text(pair[0], place), features_of(pair[1], place)

    return NBestLists.collect(hypotheses())


# --- Lines ----------------------------------------------------------------------------------------


def _of_lines(lines: Iterable[Line]) -> Iterator[tuple[str, int, str, dict[str, float]]]:
    for line in lines:
        try:
            features = parse_features(line.features or "")
        except ValueError as error:
            raise InputError(
                f"{line.place}: {error}; expected features such as 'lm= -5.2 tm= -1.5 -2.5' or "
                "'lm=-5.2 tm_0=-1.5': correct that line"
            ) from None
        yield line.place, line.source, line.text, features


def parse_features(field: str) -> dict[str, float]:
    """Return the features of one field: labelled groups of numbers, or names with numbers.

    Raises:
        ValueError: a word is neither, a name occurs twice, or a number is too large.

    >>> parse_features("lm= -5.2 tm: -1 -2.5 unknown=3")
    {'lm_0': -5.2, 'tm_0': -1.0, 'tm_1': -2.5, 'unknown': 3.0}
    """
    found: dict[str, float] = {}
    words = field.split()
    group, count = "", 0
    for word in words:
        if word[-1] in "=:" and len(word) > 1:
            group, count = word[:-1], 0
            continue
        name, equals, text = word.rpartition("=")
        if not equals:
            if not group:
                raise ValueError(f"{shown(word)} has no feature name before it")
            name, count = f"{group}_{count}", count + 1
        if not name or name[0] in "[#":
            raise ValueError(f"{shown(name)} is not the name of a feature")
        _add(found, name, text)
    return found


def _add(found: dict[str, float], name: str, value: Any) -> None:
    if name in found:
        raise ValueError(f"the feature {shown(name)} occurs twice")
    found[name] = _finite(value, name)


def _finite(text: Any, name: str) -> float:
    try:
        number = float(text)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(text, bool) or not isfinite(number):
        raise ValueError(f"the feature {name} is {shown(text)}, which is not a finite number")
    if abs(number) > LARGEST:
        raise ValueError(
            f"the feature {name} is {shown(text)}, which is beyond {LARGEST:g} and would overflow "
            "(divide it by a constant, or leave it out)"
        )
    return number


# --- Objects --------------------------------------------------------------------------------------


def _of_records(source: Source) -> Iterator[tuple[str, int, str, dict[str, float]]]:
    with source.records() as records:
        for key in _KEYS:
            records.choose(key)
        current = -1
        while columns := records.next_columns():
            for at, (segment, text, features) in enumerate(zip(*columns, strict=True)):
                place = records.place(at)
                if type(segment) is not int or segment not in {max(current, 0), current + 1}:
                    raise InputError(
                        f"{place}: segment is {shown(segment)}; expected "
                        f"{f'{current} or ' if current >= 0 else ''}{current + 1}: write the "
                        "hypotheses of each segment together, and number the segments from 0"
                    )
                current = segment
                yield place, segment, _text(text, place), features_of(features, place)


def _text(text: Any, place: str) -> str:
    if not isinstance(text, str):
        raise wrong_type(f"the text of {place}", "a string", text)
    return text


def features_of(features: Any, place: str) -> dict[str, float]:
    """Return features, or weights, with a number for each name; those of a list are numbered.

    Args:
        features: a number, or a list of numbers, for each name.
        place: where they are, for errors.

    Raises:
        InputError: one is not a finite number, or occurs twice.

    >>> features_of({"lm": -5.2, "tm": [-1, -2]}, "line 1")
    {'lm': -5.2, 'tm_0': -1.0, 'tm_1': -2.0}
    """
    if not isinstance(features, Mapping):
        raise wrong_type(f"the features of {place}", "names and numbers", features)
    found: dict[str, float] = {}
    try:
        for name, value in features.items():
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise ValueError(f"{shown(name)} is not the name of a feature, which has no blanks")
            if isinstance(value, list | tuple):
                for number, one in enumerate(value):
                    _add(found, f"{name}_{number}", one)
            else:
                _add(found, name, value)
    except ValueError as error:
        raise InputError(f"{place}: {error}: correct it") from None
    return found
