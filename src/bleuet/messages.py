"""Parts that error messages share."""

from __future__ import annotations

from bleuet.errors import InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

# From this length on, two edits may be a slip; in shorter words they make another word.
LONG = 8
# A word has so many letters more than the one it is a form of, as `smoothing` has.
LONGEST_SUFFIX = 3
SHORTEST_STEM = 5
# More names than these are no hint.
MOST_NAMES = 3
# Nobody means a name by more letters than this.
LONGEST_WORD = 100
# The longest text of a value that a message quotes.
LONGEST = 80


def shown(value: object) -> str:
    """Return a rejected value as Python writes it, on one line; a long one is cut.

    >>> shown("13b"), len(shown("x" * 1000)), shown(10**5000)
    ("'13b'", 83, 'a long int')
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # Python writes no int of more than 4300 digits; others can fail in any way
        return f"a long {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def wrong_type(name: str, expected: str, value: object) -> InputTypeError:
    """Return the error to raise for an argument of a wrong type.

    >>> wrong_type("table", "a Table", [1]).reason
    'table must be a Table, not [1]'
    """
    return InputTypeError(f"{name} must be {expected}, not {shown(value)}")


def nearest(wanted: str, names: Collection[str], spellings: Mapping[str, str] | None = None) -> str:
    """Return ' (did you mean X?)' for a word that is nearly a name, or nothing.

    Args:
        wanted: the word.
        names: the names that there are.
        spellings: what users mean by other words, "" for a word that means none of the names.

    >>> nearest("blue", ["bleu", "chrf"]), nearest("wer", ["ter"], {"wer": ""})
    (' (did you mean bleu?)', '')
    """
    found = _meant(wanted, spellings or {})
    if found is None:
        found = near_names(wanted, names)
    return f" (did you mean {' or '.join(found)}?)" if found else ""


def plural(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun, or with its noun and verb.

    Args:
        count: the number.
        one: the words after the number 1.
        many: the words after other numbers; default `one` and an s.

    >>> plural(1, "segment"), plural(2000, "segment"), plural(2, "line is", "lines are")
    ('1 segment', '2,000 segments', '2 lines are')
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def in_short(error: object, most: int = 200) -> str:
    r"""Return the text of a library's error on one line, cut after some characters.

    >>> in_short(ValueError("no such\n  file"))
    'no such file'
    """
    return " ".join(str(error).split())[:most]


def _meant(wanted: str, spellings: Mapping[str, str]) -> list[str] | None:
    plain = plain_name(wanted)
    for word, name in spellings.items():
        if plain_name(word) == plain:
            return [name] if name else []
    return None


def near_names(wanted: str, names: Iterable[str]) -> list[str]:
    """Return the names that a word is nearly, at most three; none if it is unlike all.

    A word is nearly a name if it is the name in other letter case or with other hyphens; else if
    one edit makes it the name; else if it is the beginning or another form of it; else if two
    edits make it the name and it is long. Names that only differ in their numbers are not near.
    Of names of files the endings that both share do not count.

    >>> near_names("Word-order", ["word_order"]), near_names("tau-d", ["tau-a", "spa"])
    (['word_order'], ['tau-a'])
    >>> near_names("smoothing", ["smooth"]), near_names("chrfpp", ["chrf"])
    (['smooth'], [])
    """
    word = plain_name(wanted)
    if not 0 < len(word) <= LONGEST_WORD:
        return []
    others = [(name, *_before_shared_ending(word, plain_name(name))) for name in names]
    rules: tuple[Callable[[str, str], bool], ...] = (str.__eq__, _is_one_slip, _is_form, _is_two)
    for is_near in rules:
        found = [name for name, head, other in others if is_near(head, other)]
        if found:
            return found if len(found) <= MOST_NAMES else []
    return []


def plain_name(name: str) -> str:
    """Return a name without case, hyphens and spaces, which are spelled in different ways.

    >>> plain_name("ROUGE-L"), plain_name("chrF2 ++")
    ('rougel', 'chrf2++')
    """
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")


def _before_shared_ending(one: str, other: str) -> tuple[str, str]:
    """Return two names without the endings, from a dot on, that they share.

    >>> _before_shared_ending("north.de.txt", "nord.de.txt")
    ('north', 'nord')
    """
    while True:
        (head, dot, ending), (another, _, tail) = one.rpartition("."), other.rpartition(".")
        if not (dot and head and another and ending == tail):
            return one, other
        one, other = head, another


def _is_one_slip(word: str, name: str) -> bool:
    if len(word) == len(name) < 3 or not name:
        return False
    return _edits(word, name, 1) == 1 and not _differ_in_numbers(word, name)


def _is_form(word: str, name: str) -> bool:
    """Return whether a word is the beginning of a name, or a name and a suffix."""
    if name.startswith(word):
        return len(word) > 1
    suffix = word[len(name) :]
    return (
        len(name) >= SHORTEST_STEM
        and word.startswith(name)
        and len(suffix) <= LONGEST_SUFFIX
        and suffix.isalpha()
    )


def _is_two(word: str, name: str) -> bool:
    if min(len(word), len(name)) < LONG or _differ_in_numbers(word, name):
        return False
    # A name with two letters more is another name.
    return _edits(word, name, 2) == 2 and not word.startswith(name)


def _differ_in_numbers(word: str, name: str) -> bool:
    ours, theirs = (list(filter(str.isdigit, text)) for text in (word, name))
    return bool(ours and theirs) and ours != theirs


def _edits(one: str, other: str, most: int) -> int:
    """Return how many letters are inserted, deleted, replaced or exchanged with their neighbour.

    Args:
        one: a word.
        other: another word.
        most: the most edits that matter; more of them count as one more.

    >>> _edits("blue", "bleu", 2), _edits("tokenise", "tokenize", 2), _edits("ter", "chrf", 2)
    (1, 1, 3)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, mark in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, letter in enumerate(other, 1):
            edits = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (mark != letter))
            if i > 1 and j > 1 and mark == other[j - 2] and one[i - 2] == letter:
                edits = min(edits, older[j - 2] + 1)
            row.append(edits)
    return min(row[-1], most + 1)
