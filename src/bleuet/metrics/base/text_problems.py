"""Problems of texts that make scores meaningless, which cost almost nothing to find.

The command line prints them, and in Python they are warnings: the same sentences.
"""

from __future__ import annotations

from bleuet.errors import warn_caller
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
# The first bytes in UTF-8 of scripts without spaces between words, and of some others.
_LEADS = b"\xe0\xe1\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xf0"
REFERENCES, HYPOTHESES = "the references", "the hypotheses"
# What a metric has warned of: that it finds no words, that texts are empty or tokenized.
NO_WORDS, EMPTY, TOKENIZED = "no words", "empty", "tokenized"


# --- Warnings -------------------------------------------------------------------------------------


def warn_of_texts(
    metrics: Iterable[Any], systems: Sequence[tuple[str, Segments]], references: Segments | None
) -> None:
    """Warn the caller of this package of texts; a metric warns of each kind of problem once.

    Args:
        metrics: the metrics.
        systems: the hypotheses of each system after its name, which is "" for one without a name.
        references: the references, or None if their problems are known.
    """
    sides = [texts for _, texts in systems] if references is None else [references]
    if not sides or sides[0].kind not in (TEXT, LINES):
        return
    systems = [(name or HYPOTHESES, texts) for name, texts in systems]
    for kind, find in _FINDERS.items():
        some = [metric for metric in metrics if kind not in metric.__dict__.get("_warned", ())]
        found = list(find(some, systems, references)) if some else ()
        for sentence in found:
            warn_caller(sentence)
        if found:
            for metric in some:
                _remember(metric, kind)


def warn_of_references(metric: Any, references: Any) -> None:
    """Warn the caller if a metric finds no words in the references of a segment.

    Args:
        metric: the metric.
        references: a reference or a list of them.
    """
    if type(references) is str and references.isascii():
        return
    if NO_WORDS not in metric.__dict__.get("_warned", ()) and metric.counted_kind == TEXT:
        segments = Segments(TEXT, [references])
        for sentence in _find_no_words((metric,), (), segments):
            warn_caller(sentence)
            _remember(metric, NO_WORDS)


def look_right(metric: Any, hypotheses: list[str], references: list[Any]) -> bool:
    """Return True if texts have no problem that a metric warns of, where that is cheap to know.

    Args:
        metric: the metric.
        hypotheses: the hypotheses.
        references: a string for each, or a list of them.
    """
    try:
        sample = "".join(references[:SAMPLE_LINES])
    except TypeError:  # some have several references
        return False
    if not sample.isascii() and (_may_lack_spaces(_encoded(sample)) or reads_only_ascii(metric)):
        return False
    if not all(hypotheses):
        return False
    return len(hypotheses) < TOKENIZED_LINES or " .\n" not in "\n".join(hypotheses[:SAMPLE_LINES])


def _remember(metric: Any, kind: str) -> None:
    metric.__dict__["_warned"] = {kind, *metric.__dict__.get("_warned", ())}


def without_warnings(metric: Any) -> Any:
    """Return a metric after it was made to warn of no texts, where other code does."""
    metric.__dict__["_warned"] = set(_FINDERS)
    return metric


def _find_no_words(
    metrics: Sequence[Any], systems: Sequence[tuple[str, Segments]], references: Segments | None
) -> Iterator[str]:
    language = language_of(references) if references is not None else ""
    if language:
        yield from unsuited(metrics, language)
    elif any(map(reads_only_ascii, metrics)):
        sides = [*systems] if references is None else [(REFERENCES, references), *systems]
        for name, texts in sides:
            count = count_without_letters(texts)
            if count:
                yield describe_without_letters(count, name)


def _find_empty(
    metrics: Sequence[Any], systems: Sequence[tuple[str, Segments]], references: Segments | None
) -> Iterator[str]:
    # References are left out, since looking at each would take as long as at hypotheses.
    for name, texts in systems:
        count = count_empty(texts)
        if count:
            yield describe_empty(count, name)


def _find_tokenized(
    metrics: Sequence[Any], systems: Sequence[tuple[str, Segments]], references: Segments | None
) -> Iterator[str]:
    for name, texts in systems if any(map(expects_detokenized, metrics)) else ():
        # The first lines of tokenized text show what it is.
        apart = texts.kind == LINES or any(map(_ends_apart, texts[:SAMPLE_LINES]))
        if apart and count_tokenized(texts) >= TOKENIZED_LINES:
            yield describe_tokenized(name)


def _ends_apart(text: str) -> bool:
    return text.endswith(" .")


_FINDERS = {NO_WORDS: _find_no_words, EMPTY: _find_empty, TOKENIZED: _find_tokenized}


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
    rows = [[row] if isinstance(row, str) else row for row in references]
    if files > 1 and all(len(row) == files for row in rows):
        return [*(column.count("") for column in zip(*rows, strict=True)), 0]
    return [*[0] * files, sum(text == "" for row in rows for text in row)]


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


def lines(count: int, one: str, many: str) -> str:
    """Return a number of lines with its verb.

    >>> lines(1, "of a.txt is", "are"), lines(2, "of a.txt is", "are")
    ('1 line of a.txt is', '2 lines of a.txt are')
    """
    if count == 1:
        return f"1 line {one}"
    return f"{count} lines {one.rpartition(' ')[0]} {many}"
