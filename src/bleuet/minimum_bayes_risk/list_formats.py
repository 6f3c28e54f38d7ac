"""The formats of candidate lists: one table of them, and which of them a file has.

A line of an n-best list has fields with `|||` between them: the number of its source from 0, the
text, and what the table says. A file has the one format that fits all of its lines; where several
fit and read it differently, that is an error, and an option chooses.
"""

from __future__ import annotations

import re
from math import isfinite, log
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value
from bleuet.messages import nearest, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BETWEEN = "|||"
# The most digits that the number of a source can have; Python limits those of an integer.
_DIGITS = 10
# The name of the features that have none.
UNLABELLED = "f"


class Line(NamedTuple):
    """A line of a list.

    Args:
        place: the file and the number of the line, for errors.
        source: the number of the source, from 0.
        text: the candidate.
        features: the field of features, where there is one.
        score: the model's score, a logarithm of base e, where there is one.
    """

    place: str
    source: int
    text: str
    features: str | None = None
    score: float | None = None


class NBestFormat(Value):
    """A format of n-best lists: the fields that follow the number and the text of a line.

    Args:
        name: its name, the value of --list-format.
        programs: the programs that write it.
        fields: the kinds of the fields, once or in several ways.
    """

    name: str
    programs: str
    fields: tuple[tuple[str, ...], ...]

    def fit(self, fields: Sequence[str]) -> tuple[str, ...] | None:
        """Return the kinds of the fields, or None if they are of another format."""
        for kinds in self.fields:
            if len(kinds) == len(fields) and all(
                _KINDS[kind](field) for kind, field in zip(kinds, fields, strict=True)
            ):
                return kinds
        return None

    @property
    def form(self) -> str:
        """A line as the format has it."""
        return " ||| ".join(("N", "text", *self.fields[0]))


def _scored(features: str) -> tuple[tuple[str, ...], ...]:
    """Return features and a score, which up to two alignments can follow."""
    return tuple((features, "score", *["alignment"] * count) for count in range(3))


NBEST_FORMATS = (
    NBestFormat("moses", "Moses, Marian, cdec, Joshua", _scored("features")),
    NBestFormat("joshua", "Joshua and Moses without labels", _scored("numbers")),
    NBestFormat(
        "marian",
        "Marian with --alignment or --word-scores",
        (
            ("alignment", "features", "score"),
            ("word scores", "features", "score"),
            ("alignment", "word scores", "features", "score"),
        ),
    ),
    NBestFormat("travatar", "Travatar", (("score", "features"),)),
    NBestFormat("features", "", (("features",),)),
    NBestFormat("score", "", (("score",),)),
    NBestFormat("text", "", ((),)),
)
# The lines of fairseq: of each letter what it has.
_FAIRSEQ = {"fairseq": "H", "fairseq-detokenized": "D"}
LINES = "lines"
FORMATS = (*(one.name for one in NBEST_FORMATS), *_FAIRSEQ, "json", f"{LINES}:K")

_FAIRSEQ_LINE = re.compile(r"[A-Z]-([0-9]{1,9})\t")
# What to use where a line is not that of an n-best list.
_OF_TEXTS = (
    "an n-best list, a column of lists such as data.jsonl:candidates, a file for each system, or "
    "--list-format lines:K for K lines of each source"
)
_WITH_FEATURES = (
    "an n-best list with features, or a .jsonl file with the keys segment, text and features"
)
# What fairseq writes beside the lines of sentences.
_FAIRSEQ_LOG = re.compile(
    r"(Generate|Translated|Total time|Namespace|\||[0-9]{4}-[0-9]{2}-[0-9]{2} .*\|)"
)
# Points and phrases of words, as 0-0 or 1-2=3, or probabilities of the words of the source.
_ALIGNED = re.compile(
    r"[0-9]+(-[0-9]+)+|[0-9]+(-[0-9]+)*=[0-9]+(-[0-9]+)*|[-+.e0-9]+(,[-+.e0-9]+)+"
)


def check_format(name: str | None) -> None:
    """Check the name of a format.

    Raises:
        OptionError: no format has that name.
    """
    if name is None or name in FORMATS[:-1]:
        return
    kind, _, count = name.partition(":")
    if kind == LINES and re.fullmatch("[1-9][0-9]{0,8}", count):
        return
    raise OptionError(
        f"there is no list format {name!r}{nearest(name, FORMATS)}; the formats are "
        f"{', '.join(FORMATS)}, where K is the number of candidates of each source"
    )


def lists_of_lines(
    lines: Sequence[str], name: str, form: str | None = None, *, features: bool = False
) -> Iterator[Line]:
    """Yield what each line of a list has, of n-best lists, of fairseq, or of K lines per source.

    Args:
        lines: the lines.
        name: the file, for errors.
        form: the format; default the one that fits.
        features: whether features are needed, so that the file must be an n-best list.

    Raises:
        InputError: a line does not fit, or two formats do.

    >>> for line in lists_of_lines(["0 ||| a b ||| F0= -2 ||| -2", "0 ||| a ||| ||| -3"], "list"):
    ...     print(line)
    Line(place='list:1', source=0, text='a b', features='F0= -2', score=-2.0)
    Line(place='list:2', source=0, text='a', features='', score=-3.0)
    """
    kind, _, count = (form or "").partition(":")
    if kind == LINES:
        yield from _equal_parts(lines, name, int(count))
    elif form in _FAIRSEQ or (not features and form is None and _is_fairseq(lines)):
        yield from _of_fairseq(lines, name, form)
    else:
        yield from _of_nbest(lines, name, form, features=features)


# --- K lines for each source ----------------------------------------------------------------------


def _equal_parts(lines: Sequence[str], name: str, count: int) -> Iterator[Line]:
    if len(lines) % count:
        raise InputError(
            f"{name} has {len(lines)} lines; expected a multiple of {count}, as --list-format "
            f"{LINES}:{count} says: check the file, or the number"
        )
    for at, line in enumerate(lines):
        yield Line(f"{name}:{at + 1}", at // count, line)


# --- fairseq --------------------------------------------------------------------------------------


def _is_fairseq(lines: Sequence[str]) -> bool:
    return any(map(_FAIRSEQ_LINE.match, lines[:100]))


def _of_fairseq(lines: Sequence[str], name: str, form: str | None) -> Iterator[Line]:
    found: dict[str, list[tuple[int, Line]]] = {letter: [] for letter in _FAIRSEQ.values()}
    for number, line in enumerate(lines, 1):
        place = f"{name}:{number}"
        if line[:1] in found and line[1:2] == "-":
            cells = line.split("\t")
            source = _FAIRSEQ_LINE.match(line)
            score = _number(cells[1]) if len(cells) == 3 else None
            if source is None or score is None:
                raise InputError(
                    f"{place} is {shown(line)}; expected the number of a source, a score and a "
                    f"text with tabs between, as in '{line[:1]}-0<tab>-0.5<tab>text': correct "
                    "that line"
                )
            # fairseq writes logarithms of base 2.
            own = Line(place, int(source[1]), cells[2], score=score * log(2))
            found[line[0]].append((own.source, own))
        elif not _FAIRSEQ_LINE.match(line) and not _FAIRSEQ_LOG.match(line):
            raise InputError(
                f"{place} is {shown(line)}; expected a line of fairseq, such as "
                f"'H-0<tab>-0.5<tab>text': keep the lines that begin with H-"
            )
    # It does not write the sources in their order.
    in_order = {
        letter: [one for _, one in sorted(own, key=itemgetter(0))] for letter, own in found.items()
    }
    if form is None:
        texts = {letter: [one.text for one in own] for letter, own in in_order.items()}
        if all(texts.values()) and texts["H"] != texts["D"]:
            _reject_several(
                f"{name} has lines that begin with H- and with D-", list(_FAIRSEQ), features=False
            )
        form = next(key for key, letter in _FAIRSEQ.items() if texts[letter] or letter == "D")
    letter, last = _FAIRSEQ[form], -1
    for one in in_order[letter]:
        if one.source > last + 1:
            break
        last = one.source
        yield one
    else:
        if last >= 0:
            return
    raise InputError(
        f"{name} has no candidate of source {last + 1}; expected a line '{letter}-{last + 1}': use "
        "the whole output of fairseq"
    )


# --- N-best lists ---------------------------------------------------------------------------------


def _of_nbest(
    lines: Sequence[str], name: str, form: str | None, *, features: bool
) -> Iterator[Line]:
    fitting = [one for one in NBEST_FORMATS if form in (None, one.name)]
    rows = list(_fields(lines, name, features=features))
    for number, _, (_, *fields) in rows:
        left = [one for one in fitting if one.fit(fields) is not None]
        if not left:
            _reject(f"{name}:{number}", lines[number - 1], fitting, number > 1 or form is not None)
        fitting = left
    for _, _, (_, *fields) in rows:
        if len({_places(one.fit(fields) or ()) for one in fitting}) > 1:
            _reject_several(
                f"{name} has lines of several formats",
                [one.name for one in fitting],
                features=features,
            )
    for number, source, (text, *fields) in rows:
        kinds = fitting[0].fit(fields) or ()
        labelled, score = (None if at is None else fields[at] for at in _places(kinds))
        if labelled and "numbers" in kinds:
            labelled = f"{UNLABELLED}= {labelled}"
        yield Line(
            f"{name}:{number}", source, text, labelled, None if score is None else float(score)
        )


def _places(kinds: Sequence[str]) -> tuple[int | None, int | None]:
    """Return which of the fields has the features, and which the score."""
    features = (at for at, kind in enumerate(kinds) if kind in ("features", "numbers"))
    return next(features, None), kinds.index("score") if "score" in kinds else None


def _fields(
    lines: Sequence[str], name: str, *, features: bool
) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the number of each line from 1, its source, and its text and other fields."""
    last = -1
    for number, line in enumerate(lines, 1):
        place, *fields = map(str.strip, line.split(BETWEEN))
        source = int(place) if place.isdecimal() and len(place) < _DIGITS else -1
        if not fields or not last <= source <= last + 1 or source < 0:
            numbers = f"{last} or {last + 1}" if last >= 0 else "0"
            raise InputError(
                f"{name}:{number} is {shown(line)}; expected 'N ||| text ||| ...' with the "
                f"number {numbers}: use {_WITH_FEATURES if features else _OF_TEXTS}"
            )
        last = source
        yield number, source, fields


def _reject(place: str, line: str, formats: Sequence[NBestFormat], known: bool) -> NoReturn:
    forms = " or ".join(f"'{one.form}'" for one in formats)
    reason = " as the lines before it have" if known and len(formats) < len(NBEST_FORMATS) else ""
    raise InputError(
        f"{place} is {shown(line)}; expected {forms}{reason}, with finite numbers: correct that "
        "line"
    )


def _reject_several(problem: str, formats: Sequence[str], *, features: bool) -> NoReturn:
    words = " or ".join(f"--list-format {one}" for one in formats)
    fix = "write all lines in one of them" if features else f"choose with {words}"
    raise InputError(f"{problem}, which read it differently: {fix}")


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if isfinite(found) else None


def _is_labelled(field: str) -> bool:
    first = field.split(None, 1)[:1]
    return not first or "=" in first[0] or (first[0][-1] == ":" and len(first[0]) > 1)


_KINDS: dict[str, Callable[[str], bool]] = {
    "score": lambda field: _number(field) is not None,
    "features": _is_labelled,
    "numbers": lambda field: all(_number(word) is not None for word in field.split()),
    "alignment": lambda field: all(map(_ALIGNED.fullmatch, field.split())),
    "word scores": lambda field: field.startswith("WordScores="),
}
