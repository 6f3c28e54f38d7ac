"""What makes scores of texts doubtful, and costs almost nothing to find: counts and sentences.

`text_checks` has the table of all checks, which the command line, Python and shards use.
"""

from __future__ import annotations

from itertools import chain

from bleuet.messages import plural
from bleuet.statistics.backend import backend
from bleuet.text.segments import LINES, TEXT, Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

# Tokenizers of BLEU that split text at spaces and punctuation.
AT_SPACES = ("13a", "intl", "none", "mteval-v13a", "mteval-v14")
# The tokenizer of ROUGE that splits text of every script.
UNICODE = "unicode"
# sacreBLEU warns of a corpus that was not detokenized from this number of lines on.
TOKENIZED_LINES = 100
# The beginning of the references shows their script.
SAMPLE_BYTES = 4096
SAMPLE_LINES = 40
# So many texts, far from each other, show what many of them are.
SPARSE_SAMPLE = 100
# What pandas and other programs write for a missing text, and of that what is never a word.
NANS = frozenset(("nan", "NaN", "NaT", "<NA>", "#N/A"))
MISSING = NANS | {"NA", "N/A", "None", "null", "NULL"}
_MISSING_LINES = frozenset([word.encode() for word in MISSING])
# Among so many texts, one of the words that are not in `NANS` may be the text of a segment.
FEW = 100
# How much of a block of lines is searched for such words, and in how many places.
_PART_BYTES, _PARTS = 1 << 11, 8
# The first bytes in UTF-8 of scripts without spaces between words, and of some others.
_LEADS = b"\xe0\xe1\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xf0"
REFERENCES, HYPOTHESES = "the references", "the hypotheses"


# --- What is counted ------------------------------------------------------------------------------


def expects_detokenized(metric: Any) -> bool:
    """Return whether a metric has the tokenizer 13a, for text that is not tokenized."""
    return getattr(metric, "tokenize", "") == "13a"


def reads_only_ascii(metric: Any) -> bool:
    """Return whether a metric finds words of the letters a to z and digits only."""
    return getattr(metric, "tokenize", "") == "rouge"


def language_of(references: Segments) -> str:
    """Return the language of text without spaces between words, "" for other text."""
    if references.kind == LINES:
        sample = references.files[0][0][0][:SAMPLE_BYTES]
    elif references.kind == TEXT:
        rows = references.tolist()[:SAMPLE_LINES]
        texts = [row if type(row) is str else next(filter(None, row), "") for row in rows]
        sample = _encoded("\n".join(texts))
    else:
        return ""
    if sample.isascii() or not _may_lack_spaces(sample):
        return ""
    from bleuet.text.tokenizers.unspaced import language_without_spaces

    return language_without_spaces(sample)


def normal_form(texts: Sequence[str]) -> str:
    """Return C for texts in Unicode's normal form C, D for others, and "" for ASCII alone.

    >>> normal_form(["a caf\u00e9"]), normal_form(["a cafe\u0301"]), normal_form(["a cafe"])
    ('C', 'D', '')
    """
    letters = [text for text in texts if not text.isascii()]
    if not letters:
        return ""
    from unicodedata import is_normalized

    composed = sum(is_normalized("NFC", text) for text in letters)
    # A few letters have no form C, or another one by mistake.
    return "C" if 3 * composed > 2 * len(letters) else "D"


def lacks_spaces(text: str) -> bool:
    """Return whether a text may be in a script without spaces between words."""
    return _may_lack_spaces(_encoded(text))


def _encoded(text: str) -> bytes:
    return text[:SAMPLE_BYTES].encode("utf-8", "ignore")


def _may_lack_spaces(utf8: bytes) -> bool:
    # A third of the bytes begin a character of three bytes, where such a script is all of the text.
    return 6 * (len(utf8) - len(utf8.translate(None, _LEADS))) >= len(utf8)


def count_empty(texts: Segments) -> int:
    """Return how many segments are empty."""
    if texts.kind != LINES:
        # Testing all is three times as fast as comparing them.
        return 0 if all(texts.tolist()) else texts.count("")
    return _count_endings(texts, b"\n")


def count_empty_references(references: Segments, files: int = 1) -> list[int]:
    """Return how many references of each of several files are empty, and then how many others are.

    Args:
        references: lines, or segments with a text or several.
        files: the number of files. Segments with another number of texts do not show which text is
            of which file.

    >>> count_empty_references(Segments(TEXT, [("a", ""), ("b", ""), ("", "c")]), 2)
    [1, 2, 0]
    >>> count_empty_references(Segments(TEXT, [["a", ""], "", ["b", None]]))
    [0, 2]
    """
    if references.kind == LINES:
        found = [_count_endings(column, b"\n") for column in references.columns]
        return [*found, 0] if len(found) == files > 1 else [*[0] * files, sum(found)]
    if _are_full(references.tolist()):
        return [0] * (files + 1)
    rows = [[row] if isinstance(row, str) else row for row in references]
    if files > 1 and all(len(row) == files for row in rows):
        return [*(column.count("") for column in zip(*rows, strict=True)), 0]
    return [*[0] * files, sum(text == "" for row in rows for text in row)]


def _are_full(entries: list[Any]) -> bool:
    """Return whether references are all there and not empty, where that is cheap to know."""
    if set(map(type, sparse(entries))) == {str}:
        return all(entries)
    return set(map(type, entries)) <= {list, tuple} and all(chain.from_iterable(entries))


def count_missing(texts: Segments) -> int:
    """Return how many texts are what programs write for a missing one, if some of a sample are.

    >>> [count_missing(Segments(TEXT, texts)) for texts in (["NA", "a cat"], ["NA", "cat"])]
    [1, 0]
    """
    # The hash of every text would take longer than all other checks.
    if texts.kind == LINES:
        if all(map(_has_no_missing, texts.files)):
            return 0
    elif texts.kind != TEXT or MISSING.isdisjoint(_flat(sparse(texts.tolist()))):
        return 0
    items = _flat(texts.tolist())
    words = missing_words(items)
    return sum(text in words for text in items)


def missing_words(texts: Sequence[str | None]) -> frozenset[str]:
    """Return the words that stand for a missing text among texts.

    Where most texts are one word, some of them are words such as None; and where a single one of
    many texts is such a word, it may be its text.

    >>> [len(missing_words([*texts, "a cat"])) for texts in (["NA"], ["NA", *["a cat"] * 200])]
    [10, 5]
    """
    missing = [text for text in texts if text in MISSING]
    others = [text for text in texts if text and text not in MISSING]
    is_single = len(missing) == 1 and len(others) >= FEW
    if is_single or 2 * sum(" " in text for text in others) <= len(others):
        return NANS
    return MISSING


def _has_no_missing(file: list[tuple[bytes, int]]) -> bool:
    """Return whether no word for a missing text is among some lines of a file, some of them cut."""
    for block, _ in file:
        size = len(block)
        is_short = size <= _PARTS * _PART_BYTES
        step, width = (size, size) if is_short else (size // _PARTS, _PART_BYTES)
        for begin in range(0, size, max(step, 1)):
            if not _MISSING_LINES.isdisjoint(block[begin : begin + width].split(b"\n")):
                return False
    return True


def sparse(rows: list[Any]) -> list[Any]:
    """Return some of many rows, far from each other."""
    return rows[:: len(rows) // SPARSE_SAMPLE + 1]


def _flat(rows: list[Any]) -> list[str | None]:
    return [text for row in rows for text in ([row] if isinstance(row, str) else row)]


def has_several_references(references: Segments) -> bool:
    """Return whether some segment has several references."""
    if references.kind == LINES:
        return len(references.files) > 1
    return any(not isinstance(row, str) and len(row) > 1 for row in references)


def count_tokenized(texts: Segments) -> int:
    """Return how many segments end as tokenized text does."""
    if texts.kind == LINES:
        return _count_endings(texts, b" .")
    return sum([text.endswith(" .") for text in texts])


def _count_endings(lines: Segments, ending: bytes) -> int:
    count = backend().count_endings
    return sum([count(block, ending) for block, _ in lines.files[0]])


def count_without_letters(texts: Segments) -> int:
    """Return how many texts have letters, but none of a to z."""
    from bleuet.text.tokenizers.rouge_words import loses_all_letters

    if texts.kind not in (TEXT, LINES) or _is_ascii(texts):
        return 0
    rows = ([row] if isinstance(row, str) else row for row in texts)
    return sum(loses_all_letters(text) for row in rows for text in row if text)


def _is_ascii(texts: Segments) -> bool:
    return texts.kind == LINES and all(block.isascii() for file in texts.files for block, _ in file)


# --- Sentences ------------------------------------------------------------------------------------


def unsuited(metrics: Iterable[Any], language: str) -> Iterator[str]:
    """Yield a sentence for each kind of metric that does not split a language into words.

    Args:
        metrics: the metrics.
        language: a language without spaces between words, as `language_without_spaces` returns it.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> list(unsuited([BLEU(), BLEU(tokenize="zh")], "zh"))
    ['the references are in Chinese, which tokenizer 13a does not split into words: use \
tokenize=zh (or char), as in bleu:tokenize=zh or -l xx-zh']
    """
    from bleuet.text.tokenizers.unspaced import NAMES

    seen = set()
    for metric in metrics:
        who, fix = _unsuited(metric, language)
        if who and who not in seen:
            seen.add(who)
            yield (
                f"the references are in {NAMES[language]}, which {who} does not split into words: "
                f"use {fix}"
            )


def _unsuited(metric: Any, language: str) -> tuple[str, str]:
    """Return what does not split a language into words, and what to use; "" if nothing."""
    kind = type(metric)
    tokenizer = getattr(metric, "tokenize", None)
    choices = getattr(getattr(kind, "tokenize", None), "choices", ())
    if UNICODE in choices:
        fix = "tokenize=unicode, as in rouge-l:tokenize=unicode"
        return ("", "") if tokenizer == UNICODE else (f"ROUGE with tokenize={tokenizer}", fix)
    if tokenizer in AT_SPACES:
        from bleuet.text.tokenizers import BY_LANGUAGE
        from bleuet.text.tokenizers.unspaced import fitting_tokenizers

        best, other = fitting_tokenizers(language)
        pair = f" or -l xx-{language}" if language in BY_LANGUAGE else ""
        fix = f"tokenize={best} (or {other}), as in bleu:tokenize={best}{pair}"
        return f"tokenizer {tokenizer}", fix
    if getattr(metric, "asian_support", None) is False:
        fix = "chrf, whose units are characters"
        if language in ("zh", "ja"):
            fix = f"ter:normalized,asian_support, or {fix}"
        return "TER", fix
    # Korean has spaces between groups of words, which these compare.
    if language != "ko" and (kind.splits_at_spaces or tokenizer == "words"):
        characters = tokenizer == "words"
        fix = "tokenize=char, as in cer" if characters else "chrf, whose units are characters"
        return kind.__name__, fix
    return "", ""


def too_few(metrics: Iterable[Any], segments: int) -> Iterator[str]:
    """Yield a sentence for each name of metrics that learn nothing from so few segments.

    Args:
        metrics: the metrics, which learn from these segments.
        segments: the number of segments.

    >>> from bleuet.metrics.cider.metric import CIDEr
    >>> list(too_few([CIDEr()], 1))
    ['CIDEr of 1 segment alone is always 0, since it weighs n-grams by how few segments have them: \
score 2 segments or more together']
    """
    few = [(one.name, one.fewest_segments) for one in metrics if segments < one.fewest_segments]
    for name, fewest in dict.fromkeys(few):
        yield (
            f"{name} of {plural(segments, 'segment')} alone is always 0, since it weighs n-grams "
            f"by how few segments have them: score {fewest} segments or more together"
        )


def describe_empty(count: int, texts: str) -> str:
    """Return a sentence about empty lines of some texts.

    >>> describe_empty(1, "a.txt"), describe_empty(2, "a.txt")
    ('1 line of a.txt is empty', '2 lines of a.txt are empty')
    """
    return f"{lines(count, f'of {texts} is', 'are')} empty"


def describe_empty_references(counts: Mapping[str, int]) -> str:
    """Return a sentence about empty references of segments that have several.

    Args:
        counts: how many there are by the name of their file; "" where that is not known.

    >>> describe_empty_references({"a.txt": 2, "b.txt": 1})
    '2 lines of a.txt and 1 line of b.txt are empty, and each counts as a reference of length 0: \
if references are missing, use a JSON Lines file with lists of references'
    >>> describe_empty_references({"": 3})
    '3 references are empty, and each counts as a reference of length 0: leave out missing ones'
    """
    total = sum(counts.values())
    if "" in counts:
        who, fix = plural(total, "reference"), "leave out missing ones"
    else:
        who = " and ".join(f"{plural(count, 'line')} of {name}" for name, count in counts.items())
        fix = "if references are missing, use a JSON Lines file with lists of references"
    verb, each = ("is", "it") if total == 1 else ("are", "each")
    return f"{who} {verb} empty, and {each} counts as a reference of length 0: {fix}"


def describe_tokenized(texts: str) -> str:
    """Return a sentence about texts that are still tokenized."""
    return (
        f"{TOKENIZED_LINES} lines of {texts} or more end in ' .', as tokenized text does; scores "
        "are comparable only on detokenized text"
    )


def describe_without_letters(count: int, texts: str) -> str:
    """Return a sentence about texts of whose letters ROUGE keeps none."""
    return (
        f"{lines(count, f'of {texts} has', 'have')} letters, but none of a to z, which alone "
        "ROUGE's tokenizer keeps: use tokenize=unicode, as in rouge-l:tokenize=unicode"
    )


def describe_missing(count: int, texts: str) -> str:
    """Return a sentence about texts such as nan.

    >>> describe_missing(2, "a.csv")
    '2 lines of a.csv are nan, NA, None or the like, which counts as a word: if texts are missing, \
leave out their segments or write empty texts'
    """
    return (
        f"{lines(count, f'of {texts} is', 'are')} nan, NA, None or the like, which counts as a "
        "word: if texts are missing, leave out their segments or write empty texts"
    )


def are(name: str) -> str:
    """Return the subject of a sentence with its verb.

    >>> are("mine"), are("the hypotheses")
    ('mine is', 'the hypotheses are')
    """
    return f"{name} {'are' if name.startswith('the ') else 'is'}"


def describe_form(form: str, name: str) -> str:
    """Return the sentence about texts in another normal form than the references.

    >>> describe_form("D", "mine")
    "mine is not in Unicode's normal form C, as the references are, so that letters with accents \
do not match: write both in form C"
    """
    here, there = ("in", "are not") if form == "C" else ("not in", "are")
    return (
        f"{are(name)} {here} Unicode's normal form C, as the references {there}, so that letters "
        "with accents do not match: write both in form C"
    )


def describe_entities(count: int, texts: str) -> str:
    """Return a sentence about escaped entities."""
    return (
        f"{lines(count, f'of {texts} contains', 'contain')} escaped entities such as &quot;; "
        "bleuet lint prints where"
    )


def describe_copied(count: int, texts: str) -> str:
    """Return a sentence about texts that are their sources.

    >>> describe_copied(2, "a")
    '2 lines of a equal their source: a neural metric may give them a good score, although nothing \
is translated'
    """
    whose, them = ("its", "it") if count == 1 else ("their", "them")
    return (
        f"{lines(count, f'of {texts} equals', 'equal')} {whose} source: a neural metric may give "
        f"{them} a good score, although nothing is translated"
    )


def describe_signed(signed: str, number: str) -> str:
    """Return a sentence about a signature with another number of references.

    >>> describe_signed("2", "1")
    'the signature after -m has 2 references for each segment, but the files have 1: the scores \
cannot be compared'
    >>> describe_signed("var", "1")
    'the signature after -m has different numbers of references, but the files have 1 for each \
segment: the scores cannot be compared'
    """
    varying = "different numbers of references"
    if signed == "var":
        signed, number = varying, f"{number} for each segment"
    else:
        word = "reference" if signed == "1" else "references"
        signed, number = f"{signed} {word} for each segment", varying if number == "var" else number
    return (
        f"the signature after -m has {signed}, but the files have {number}: the scores cannot be "
        "compared"
    )


def lines(count: int, one: str, many: str) -> str:
    """Return a number of lines with its verb.

    >>> lines(1, "of a.txt is", "are"), lines(2, "of a.txt is", "are")
    ('1 line of a.txt is', '2 lines of a.txt are')
    """
    if count == 1:
        return f"1 line {one}"
    return f"{count} lines {one.rpartition(' ')[0]} {many}"
