"""Shapes of files whose lines hold more than text: markup, JSON, ids, times, subwords, and so on.

What such lines hold beside the text would be counted as words. The first lines show the shape.
"""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.messages import shown
from bleuet.text.segments import LINES, Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# The word before a file that is read line by line, whatever its name and its first lines are.
LINES_PREFIX = "lines:"
# So many lines show the shape of a file.
SAMPLE_LINES, SAMPLE_BYTES = 40, 1 << 14
# Fewer ids at the beginnings of lines may be words of the text.
LEAST_IDS = 3
# So many different words that look like ids are none by chance.
LEAST_ALIKE = 10
# Fewer numbers at the beginnings of lines may be those of a list.
LEAST_NUMBERS = 5
# How documents begin, in small letters.
_DOCUMENTS = (
    ("<?xml", "an XML document"),
    ("<!doctype html", "a page of HTML"),
    ("<html", "a page of HTML"),
    ("<!doctype", "a document with markup"),
    ("<tmx", "a translation memory (TMX)"),
    ("<xliff", "an XLIFF document"),
    ("<dataset", "an XML document"),
    ("<mteval", "an XML document"),
    ("<refset", "an SGML document"),
    ("<tstset", "an SGML document"),
    ("<srcset", "an SGML document"),
    ("<ts ", "a translation file of Qt"),
    ("<resources", "a resource file with markup"),
    ("{\\rtf", "a document in RTF"),
    ("%pdf-", "a document in PDF"),
    ("webvtt", "subtitles (.vtt)"),
)
_EXTRACT = "export its texts, one segment per line"
_NAMES = frozenset(
    (
        "candidate", "candidates", "caption", "completion", "generated", "hyp", "hyps",
        "hypothesis", "hypotheses", "label", "labels", "mt", "output", "outputs", "pred", "preds",
        "prediction", "predictions", "ref", "refs", "reference", "references", "response",
        "segment", "sentence", "source", "src", "summary", "target", "text", "tgt", "transcript",
        "transcription", "translation", "translations", "reference_text", "hypothesis_text",
        "generated_text", "pred_text", "source_text", "target_text", "model_output", "ground_truth",
    )
)  # fmt: skip
# What marks subwords: BPE's after one, WordPiece's before one, SentencePiece's before a word.
WORD_MARK = "\u2581"
SUBWORD_MARKS = ("@@ ", " ##", WORD_MARK)
# What is in most UTF-8 that was read as Latin-1 or Windows-1252, and in few other texts.
_MISREAD = ("\xc3", "\xd0", "\xd1", "\xce", "\xd8", "\xbc", "\u20ac")
# Marks of European, Arabic and Indian letters, and a consonant of Korean, each of which is one
# character in Unicode's form D.
COMBINING = (
    *"\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0328",
    *"\u0653\u0654\u0655\u093c\u09bc\u09be\u09d7\u0a3c\u110b",
)
# What replaces a character that could not be decoded.
LOST = "\ufffd"
_ESCAPES = ("\\u", "\\x", "%20", "%C3", "%D0", "%E3")
_PLAIN_MARKS = (*SUBWORD_MARKS, *_ESCAPES)
_OTHER_MARKS = (WORD_MARK, *_MISREAD, *COMBINING, LOST)
_QUOTES = {'"': '"', "\u201c": "\u201d", "\u201e": "\u201c\u201d", "\xab": "\xbb"}
_LONGEST_NAME = 24


class Shape(Value):
    """What lines are instead of plain text.

    Args:
        what: the shape, with its article.
        fix: how to make plain text of it.
        is_certain: whether files of this shape are rejected; texts may look like all others.
        effect: what counts beside the text, or does not match.
        is_relative: whether it is a fault only where the texts of the other side lack it.
        is_encoding: whether `bleuet lint` has a check of its own, which shows the lines.
    """

    what: str
    fix: str
    is_certain: bool = True
    effect: str = "whose marks and ids count as text"
    is_relative: bool = False
    is_encoding: bool = False

    def sentence(self, name: str) -> str:
        """Return a warning about texts.

        >>> Shape("a document in RTF", "save it as text").sentence("the references")
        'the references look like a document in RTF, whose marks and ids count as text: save it as \
text'
        """
        verb = "look" if name.startswith("the ") else "looks"
        return f"{name} {verb} like {self.what}, {self.effect}: {self.fix}"

    def matters(self, others: Sequence[Shape | None]) -> bool:
        """Return whether it is a fault, where the texts of the other side have these shapes.

        >>> dash = Shape("text with a dash before each line", "remove it", is_relative=True)
        >>> dash.matters([None]), dash.matters([dash]), dash.matters([])
        (True, False, False)
        """
        alike = [shape for shape in others if shape is not None and shape.fix == self.fix]
        return not self.is_relative or bool(others and not alike)


def first_texts(texts: Segments) -> list[list[str]]:
    r"""Return the first texts of hypotheses, or of each reference.

    >>> first_texts(Segments.of_lines([(b"a\nb\n", 2)]))
    [['a', 'b']]
    """
    if texts.kind == LINES:
        # The last line of a file that ends without a newline is a block of its own.
        samples = [
            b"".join([block[:SAMPLE_BYTES] for block, _ in file[:2]]) for file in texts.files
        ]
        split = [sample.decode("utf-8", "ignore").split("\n") for sample in samples]
        # The last one may be cut.
        return [sample[:-1][:SAMPLE_LINES] or sample for sample in split]
    rows = texts.tolist()[:SAMPLE_LINES]
    if set(map(type, rows)) == {str}:
        return [rows]
    listed = [[row] if isinstance(row, str) else row for row in rows]
    width = min(map(len, listed), default=0)
    return [[row[place] or "" for row in listed] for place in range(width)]


def check_files(names: Sequence[str], texts: Sequence[Segments | None]) -> None:
    """Reject files whose lines hold more than text, by their first lines.

    Args:
        names: the names of the files.
        texts: the first texts of each; None for one that is read as it is.

    Raises:
        InputError: a file has another shape.
    """
    keyed = []
    for name, segments in zip(names, texts, strict=True):
        # Most files begin with a plain line, and nothing more is decoded.
        first = segments[0] if segments is not None and len(segments) else None
        if segments is None or not isinstance(first, str) or not may_have_shape(first):
            continue
        lines = next(iter(first_texts(segments)), [])
        shape = shape_of(lines)
        if shape is not None and shape.is_certain:
            raise _rejected(name, shape)
        if shape is None and 1 < len(segments) < LEAST_IDS:
            keyed.append((name, lines))
    # The same ids in two files are no words, however few they are.
    for name, lines in keyed:
        ids = _ids(lines)
        if ids and sum(_ids(other) == ids for _, other in keyed) > 1:
            shape = _keyed_by(sorted(ids))
            if shape.is_certain:
                raise _rejected(name, shape)


def _rejected(name: str, shape: Shape) -> InputError:
    return InputError(
        f"{name} is {shape.what}; expected text, one segment per line: {shape.fix}, or write "
        f"{LINES_PREFIX}{name} to score its lines as they are"
    )


def may_have_shape(first: str) -> bool:
    """Return whether a first line needs a closer look, where that is cheap to know.

    >>> may_have_shape("The cat sat down by the door."), may_have_shape("utt1 the cat sat down")
    (False, True)
    """
    begin = first[:24].lstrip("\ufeff \t")
    if not begin or not begin[0].isalnum() or first[-1] == ")" or "\t" in first:
        return True
    word = begin.partition(" ")[0]
    if len(first) <= _LONGEST_NAME or word in ("msgid", "S", "WEBVTT") or word[-1] == ":":
        return True
    return not word.isalpha() and any(map(str.isdigit, word))


def may_be_encoded(text: str) -> bool:
    """Return whether texts need a closer look for subwords, escapes and other encodings.

    >>> may_be_encoded("the fer@@ ry left"), may_be_encoded("me@home.org, #1")
    (True, False)
    """
    # Most texts have none of these characters, for which searching is fast.
    rare = "@" in text or "#" in text or "%" in text or "\\" in text
    if rare and any(mark in text for mark in _PLAIN_MARKS):
        return True
    return not text.isascii() and any(mark in text for mark in _OTHER_MARKS)


def shape_of(lines: Sequence[str]) -> Shape | None:
    """Return what lines are, None for plain text.

    Args:
        lines: the first lines; more than `SAMPLE_LINES` are no help.

    >>> shape_of(["<?xml version='1.0'?>", "<tmx>"]).what
    'an XML document'
    >>> shape_of(["It rains.", "The cat sat down."])
    """
    lines = [line.removeprefix("\ufeff") for line in lines[:SAMPLE_LINES]]
    # A space that does not break is half a letter of what was read in a wrong encoding.
    full = [line.strip(" \t\r\n") for line in lines if line and not line.isspace()]
    if not full:
        return None
    finders = _FINDERS if may_have_shape(full[0]) else _OF_ENCODINGS
    return next(filter(None, (find(full) for find in finders)), None)


def _document(lines: list[str]) -> Shape | None:
    begin = lines[0][:20].lower()
    # Most texts begin with a letter or a digit.
    if begin[0] not in "<{%#wms0123456789":
        return None
    what = next((what for mark, what in _DOCUMENTS if begin.startswith(mark)), "")
    if what:
        return Shape(what, _EXTRACT)
    first = next((line for line in lines if not line.startswith("#")), "")
    if first.startswith('msgid "'):
        return Shape("a catalogue of messages (PO)", _EXTRACT)
    if len(lines) > 1 and lines[0].isdecimal() and " --> " in lines[1]:
        return Shape("subtitles (.srt)", "give it its ending, .srt, and use bleuet align")
    edits = [line for line in lines if line.startswith("A ") and "|||" in line]
    if edits and all(line.startswith(("S ", "A ")) for line in lines):
        return Shape("an M2 file of edits", "give it its ending, .m2")
    return None


def _json(lines: list[str]) -> Shape | None:
    first = lines[0]
    if first[0] not in "{[":
        return None
    if len(lines) > 1 and (first in ("{", "[", "[{") or first[-1] in "{[,"):
        if lines[1][0] in '"{}[]':
            return Shape("one JSON value", "write a JSON Lines file, .jsonl, and name a key")
        return None
    import json

    values = []
    for line in lines:
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            return None
    if all(value and isinstance(value, dict) for value in values):
        fix = f"name it .jsonl and a key, as in FILE.jsonl:{next(iter(values[0]))}"
        return Shape("JSON objects, one on each line", fix)
    if len(lines) == 1 and values[0] and all(isinstance(value, dict | str) for value in values[0]):
        return Shape("one JSON value", "write a JSON Lines file, .jsonl, and name a key")
    return None


def _transcript(lines: list[str]) -> Shape | None:
    """Return the shape of transcripts of speech: trn, stm and ctm."""
    fix = "sort both files by their ids, and remove ids and times"
    first = next((line for line in lines if not line.startswith(";;")), "").split(None, 6)
    if not (lines[0].endswith(")") or _are_times(first[3:5]) or _are_times(first[2:4])):
        return None
    if len(lines) > 1 and all(line.endswith(")") for line in lines):
        ids = [line.rpartition("(")[2][:-1] for line in lines]
        if len(set(ids)) == len(ids) and all(map(_is_id, ids)):
            what = f"a transcript of sclite (.trn) with an id on each line, such as ({ids[0]})"
            if (certain := _are_certain(ids)) or len(ids) >= LEAST_NUMBERS:
                return Shape(what, fix, certain)
    rows = [line.split(None, 6) for line in lines if not line.startswith(";;")]
    several = len(lines) > 1
    if several and rows and all(len(row) > 4 and _are_times(row[3:5]) for row in rows):
        return Shape("a transcript with times (.stm)", fix)
    if several and rows and all(len(row) in (5, 6) and _are_times(row[2:4]) for row in rows):
        return Shape("words with times (.ctm)", fix)
    return None


def _program(lines: list[str]) -> Shape | None:
    """Return the shape of what decoders print."""
    if all(line.count(" ||| ") > 1 and line.split(None, 1)[0].isdecimal() for line in lines):
        return Shape(
            "a list of candidates (n-best list)", "keep the text of the first candidate of each"
        )
    if len(lines) > 1 and all(_is_of_fairseq(line) for line in lines):
        fix = "keep the text of the lines that begin with D-, sorted by their numbers"
        return Shape("the output of fairseq with ids and scores", fix)
    return None


def _is_of_fairseq(line: str) -> bool:
    head, tab, _ = line.partition("\t")
    return bool(tab) and head[:2] in ("S-", "T-", "H-", "D-", "P-") and head[2:].isdecimal()


def _keyed(lines: list[str]) -> Shape | None:
    if not any(map(str.isdigit, lines[0].split(None, 1)[0])):
        return None
    ids = [line.split(None, 1)[0] for line in lines]
    if len(ids) >= LEAST_NUMBERS and all(word[-1] == ":" and _is_id(word[:-1]) for word in ids):
        what = f"text with its speaker before each line, such as {ids[0]}"
        return Shape(what, "remove the names of the speakers", False)
    # A few texts may be empty.
    if len(set(ids)) < len(ids) or 2 * sum(" " in line for line in lines) < len(lines):
        return None
    if len(ids) >= LEAST_IDS and all(map(_is_id, ids)):
        shape = _keyed_by(ids)
        # A few texts may begin with names that have numbers.
        return shape if shape.is_certain or len(ids) >= LEAST_NUMBERS else None
    numbers = [word.rstrip(".):") for word in ids]
    if len(ids) >= LEAST_NUMBERS and all(map(str.isdecimal, numbers)):
        what = f"text with a number before each line, such as {ids[0]}"
        return Shape(what, "remove the numbers, in the order of the other file", False)
    return None


def _keyed_by(ids: Sequence[str]) -> Shape:
    what = f"a transcript (Kaldi) with an id before each text, such as {ids[0]}"
    fix = "sort both files by their ids, and remove the ids: sort FILE | cut -d' ' -f2-"
    return Shape(what, fix, _are_certain(ids))


def _are_certain(ids: Sequence[str]) -> bool:
    """Return whether words are ids and not names with numbers: they are long, and made alike.

    >>> _are_certain(["utt1", "utt2"]), _are_certain(["GPT-4", "COVID-19", "H2O"])
    (True, False)
    """
    import re

    if any(re.fullmatch(r"\d{4}-\d\d-\d\d", word) for word in ids):
        return False
    made = {re.sub(r"\d+", "0", word) for word in ids}
    long = all(sum(map(str.isalnum, word)) > 3 for word in ids)
    # Several speakers have names of their own.
    return long and (len(made) == 1 or len(ids) >= LEAST_ALIKE)


def _ids(lines: list[str]) -> set[str]:
    """Return the ids at the beginnings of lines; none if a line has none, or two have the same."""
    words = [line.partition(" ")[0] for line in lines if " " in line]
    unique = len(set(words)) == len(lines)
    return set(words) if unique and all(map(_is_id, words)) else set()


def _is_id(word: str) -> bool:
    """Return whether a word is the id of an utterance: letters or signs, and then digits.

    >>> [word for word in ("utt1", "s1-1", "1089-134-0000", "1999", "3rd", "cat") if _is_id(word)]
    ['utt1', 's1-1', '1089-134-0000']
    """
    import re

    return bool(re.fullmatch(r"(?=.*[A-Za-z_-])[\w./:-]*\d[A-Za-z]?", word, re.ASCII))


def _are_times(words: list[str]) -> bool:
    try:
        return bool(words) and all(float(word) >= 0 and word[-1].isdecimal() for word in words)
    except ValueError:
        return False


def _columns(lines: list[str]) -> Shape | None:
    """Return the shape of a table, or of a column under its name."""
    tabs = lines[0].count("\t")
    if tabs and len(lines) > 1 and all(line.count("\t") == tabs for line in lines):
        fix = "name it .tsv and a column, as in FILE.tsv:2"
        return Shape(f"a table of {tabs + 1} columns separated by tabs", fix, False)
    texts = sum(" " in line or not line.isascii() for line in lines[1:])
    # A list of words may begin with any word.
    if is_column_name(lines[0]) and 2 * texts >= len(lines) - 1 > 0:
        what = f"a column, since the first line is {lines[0]!r}"
        return Shape(what, "remove the first line if it is the name of the column", False)
    return None


def is_column_name(text: str) -> bool:
    """Return whether a text is a usual name of a column.

    >>> is_column_name("Reference"), is_column_name("It rains.")
    (True, False)
    """
    return text.strip("\"' ").lower().replace(" ", "_") in _NAMES


def _marked_up(lines: list[str]) -> Shape | None:
    if lines[0][0] not in "<|[":
        return None
    import re

    ends = {line[0] + line[-1] for line in lines}
    if ends == {"||"} and len(lines) > 2 and not lines[1].strip("|-: "):
        return Shape("a table of Markdown", "save it as .tsv or .csv, and name a column")
    if ends == {"[]"} and len(lines) > 1 and all(line[1] in "\"'" for line in lines):
        return Shape("lists of texts, as Python prints them", "write each text alone", False)
    if len(lines) > 1 and all(re.match(r"</?[A-Za-z][^<>]*>", line) for line in lines):
        return Shape("text with markup on each line", "remove the tags", False)
    return None


def _labelled(lines: list[str]) -> Shape | None:
    """Return the shape of lines that all begin in the same way, or are all in quotes."""
    if len(lines) < LEAST_NUMBERS:
        return None
    ends = _QUOTES.get(lines[0][0], "")
    # Of direct speech the quotes end before the text does.
    if ends and all(
        line[0] == lines[0][0] and line[-1] in ends and not set(line[1:-1]) & {line[0], *ends}
        for line in lines
    ):
        return Shape("text with quotes around each line", "remove them", False, is_relative=True)
    words = {line.split(None, 1)[0] for line in lines}
    label = next(iter(words))
    is_sign = label[-1] == ":" or not (any(map(str.isalnum, label)) or label in _QUOTES)
    if len(words) == 1 and is_sign:
        what = f"text with the same label before each line, {shown(label)}"
        # Dialogues and lists have a sign before each line.
        return Shape(what, "remove it", False, is_relative=label[-1] != ":")
    import re

    if all(re.match(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d", line) for line in lines):
        return Shape("a log with the time before each line", "remove what is not the text", False)
    return None


def _subwords(lines: list[str]) -> Shape | None:
    """Return the shape of text that a subword tokenizer has split; most lines have a rare word."""
    if len(lines) < 2 or not any(mark in line for line in lines for mark in SUBWORD_MARKS):
        return None
    import re

    # Between words, "##" is a heading of Markdown or a tag.
    marks = [re.search(r"(?<=\w)@@ |(?<=[a-z]) ##(?=[a-z]{1,5}\b)|\u2581", line) for line in lines]
    signs = [mark[0].strip() for mark in marks if mark is not None]
    if 3 * len(signs) < len(lines):
        return None
    what = f"subwords that were not joined, marked with {signs[0]}"
    return Shape(what, "decode them with the tokenizer that made them", False, is_encoding=True)


def _escaped(lines: list[str]) -> Shape | None:
    """Return the shape of lines in which other characters stand for letters."""
    marks = (*_ESCAPES, "b'", 'b"')
    if len(lines) < 2 or not any(mark in line for line in lines for mark in marks):
        return None
    import re

    for pattern, what in (
        (r"""b(['"]).*\1$""", "bytes as Python prints them"),
        (r".*\\(u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})", "text with escapes such as \\u00e9"),
        (r"(?=\S+$)(?!\w+:).*%[0-9A-F]{2}", "percent-encoded text"),
    ):
        if 3 * sum(re.match(pattern, line) is not None for line in lines) >= len(lines):
            # Code and addresses have escapes on both sides.
            return Shape(what, "decode it", False, is_relative=True)
    return None


def _misread(lines: list[str]) -> Shape | None:
    if 3 * sum(LOST in line for line in lines) >= len(lines) > 1:
        what = "text with lost characters, U+FFFD"
        fix = "read its file in its encoding when it is made"
        return Shape(what, fix, False, "whose words do not match others", is_encoding=True)
    beyond_ascii = [line for line in lines if not line.isascii()]
    again = [(line, text) for line in beyond_ascii if (text := read_again(line))]
    if len(again) < 2 or 3 * len(again) < len(beyond_ascii):
        return None
    line, text = again[0]
    start = next(place for place, mark in enumerate(line) if not mark.isascii())
    size = 2 if line[start] < "\xe0" else 3 if line[start] < "\xf0" else 4
    what = (
        "UTF-8 that was read as Latin-1 or Windows-1252, such as "
        f"{line[start : start + size]!r} for {text[start]!r}"
    )
    fix = "read its file as UTF-8 when it is made"
    return Shape(what, fix, False, "whose words do not match others", is_encoding=True)


def read_again(text: str) -> str:
    """Return what was read as Windows-1252 or Latin-1, read as UTF-8; "" if it is no UTF-8.

    >>> read_again("caf\u00c3\u00a9"), read_again("caf\u00e9")
    ('caf\u00e9', '')
    """
    try:
        # Byte by byte: Windows-1252 does not define five bytes, which are read as Latin-1.
        data = b"".join([mark.encode("latin-1" if mark <= "\xff" else "cp1252") for mark in text])
        return data.decode("utf-8")
    except UnicodeError:
        return ""


_OF_ENCODINGS: tuple[Callable[[list[str]], Shape | None], ...] = (_subwords, _escaped, _misread)
_FINDERS: tuple[Callable[[list[str]], Shape | None], ...] = (
    _document, _json, _transcript, _program, _marked_up, _columns, _keyed, _labelled,
    *_OF_ENCODINGS,
)  # fmt: skip


# --- Binary files ---------------------------------------------------------------------------------

_MAGIC = (
    (b"PK\x03\x04", "a zip file, such as a spreadsheet (.xlsx) or a document (.docx)"),
    (b"PAR1", "a Parquet file; name it .parquet, and a column, if it is one"),
    (b"SQLite format 3\0", "a database of SQLite"),
    (b"\x80\x02", "a pickle of Python"),
    (b"\x80\x03", "a pickle of Python"),
    (b"\x80\x04", "a pickle of Python"),
    (b"\x80\x05", "a pickle of Python"),
    (b"%PDF-", "a document in PDF"),
    (b"\xd0\xcf\x11\xe0", "a file of an office program (.doc or .xls)"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"ARROW1", "a file of Arrow"),
    (b"\x89HDF", "a file of HDF5"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"RIFF", "a recording"),
)
_BEGINNINGS = tuple([magic for magic, _ in _MAGIC])


def binary_kind(data: bytes) -> str:
    """Return what a binary file is by its first bytes, "" for one that may be text.

    >>> binary_kind(b"SQLite format 3" + bytes(1)), binary_kind(b"PAR1 is a word.")
    ('a database of SQLite', '')
    """
    if not data.startswith(_BEGINNINGS):
        return ""
    head = data[:64]
    # Words begin in the same way.
    if head.isascii() and min(head) > 8 and head[:5] != b"%PDF-":
        return ""
    return next(what for magic, what in _MAGIC if head.startswith(magic))
