"""What systems are compared by: the kernel's counts are those of the Python backend."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.statistics.definitions import plain_python
from bleuet.text.tokenizers import TOKENIZERS
from tests.backends import HAS_KERNEL, kernel
from tests.effort import examples

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")

# Words of 8, 9, 16 and 17 bytes and more: the kernel keeps up to 16 bytes of a word beside it.
WORDS = ["a", "b", "A", "é", "\ud800", "12345678", "123456789", "x" * 16, "x" * 17, "x" * 16 + "y"]
texts = st.lists(st.sampled_from([*WORDS, " ", "  ", "\u3000"]), max_size=12).map(" ".join)


class Numbered(NamedTuple):
    """A test set as numbers of words."""

    words: list[str]
    systems: list[Any]
    references: Any


@st.composite
def drawn_sets(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]]]:
    segments = draw(st.integers(1, 5))
    references = [draw(st.lists(texts, min_size=1, max_size=3)) for _ in range(segments)]
    near = st.sampled_from(list(chain.from_iterable(references)))
    systems = [
        [draw(st.one_of(texts, near)) for _ in range(segments)]
        for _ in range(draw(st.integers(1, 3)))
    ]
    return systems, references


def numbered(
    program: ModuleType, systems: list[list[str]], references: list[list[str]]
) -> Numbered:
    flat = list(chain.from_iterable(references))
    words, (of_references, *own) = program.number_words("none", [flat, *systems])
    return Numbered(words, own, (*of_references, array("q", accumulate(map(len, references)))))


def counts(test_set: Numbered, groups: Any) -> dict[tuple[str, ...], tuple[int, ...]]:
    """The matches of each n-gram by each system."""
    lengths, matches, ends = (memoryview(one).cast("q") for one in groups[:3])
    starts = memoryview(groups[3]).cast("i")
    numbers = memoryview(test_set.references[0]).cast("i")
    columns = iter(matches)
    found = {}
    rows = zip(*[columns] * len(test_set.systems), strict=True)
    for length, row, (begin, end) in zip(lengths, rows, pairwise([0, *ends]), strict=True):
        for start in starts[begin:end]:
            ngram = tuple([test_set.words[number] for number in numbers[start : start + length]])
            assert ngram not in found
            found[ngram] = row
    return found


@examples(60)
@given(drawn_sets(), st.integers(1, 6), st.integers(0, 5))
def test_counts_are_equal(
    drawn: tuple[list[list[str]], list[list[str]]], longest: int, limit: int
) -> None:
    test_set = numbered(kernel(), *drawn)
    assert test_set == numbered(plain_python, *drawn)
    words, systems, references = test_set
    known: dict[str, int] = {}
    lower = array("i", [known.setdefault(word.lower(), len(known)) for word in words])
    kinds = bytes([len(word) % 4 for word in words])
    groups = kernel().match_ngrams(systems, references, len(words), longest)
    expected = plain_python.match_ngrams(systems, references, len(words), longest)
    assert counts(test_set, groups) == counts(test_set, expected)
    slices = [(0, len(groups[3]) // 4)] if longest == 1 else []
    ranks = array("i", range(len(words)))
    for function, arguments in (
        ("replace_numbers", (references[0], lower)),
        *(("count_words", (own, references, len(words))) for own in systems),
        *(("surface_errors", (own, references, lower, kinds)) for own in systems),
        ("first_ngrams", (references[0], ranks, groups[3], slices, 1, limit)),
    ):
        found = getattr(kernel(), function)(*arguments)
        assert found == getattr(plain_python, function)(*arguments), function


@examples(60)
@given(drawn_sets(), st.sampled_from([name for name, one in TOKENIZERS.items() if one.in_kernel]))
def test_packed_texts_are_equal(
    drawn: tuple[list[list[str]], list[list[str]]], tokenizer: str
) -> None:
    systems, references = drawn
    flat = list(chain.from_iterable(references))
    words, (of_references, *own) = kernel().number_words(tokenizer, [flat, *systems])
    groups = array("q", accumulate(map(len, references)))
    arguments = words, list(zip(systems, own, strict=True)), (flat, (*of_references, groups))
    assert kernel().pack_texts(*arguments) == plain_python.pack_texts(*arguments)


@pytest.mark.parametrize("tokenizer", [name for name, one in TOKENIZERS.items() if one.in_kernel])
def test_each_tokenizer_of_the_kernel(tokenizer: str) -> None:
    lists = [["A cat, 3.5% &amp; Ünder 中文。 ", "", "\u3000"], ["(A) cat's."]]
    found = kernel().number_words(tokenizer, lists)
    assert found == plain_python.number_words(tokenizer, lists)


def test_many_words_and_a_long_text() -> None:
    text = " ".join([*map(str, range(3000)), *["1"] * 300])
    systems, references = [[text + " 1 2", "0 1"], [text, "1"]], [[text], ["1 0 1"]]
    test_set = numbered(kernel(), systems, references)
    assert test_set == numbered(plain_python, systems, references)
    sizes = len(test_set.words), 3
    ours = kernel().match_ngrams(test_set.systems, test_set.references, *sizes)
    theirs = plain_python.match_ngrams(test_set.systems, test_set.references, *sizes)
    assert counts(test_set, ours) == counts(test_set, theirs)


def test_no_number_leads_out_of_a_buffer() -> None:
    test_set = numbered(kernel(), [["a b"]], [["a b"]])
    numbers, ends, groups = test_set.references
    wrong = array("i", [0, 2])
    for own, references in (
        ((wrong, ends), test_set.references),
        (test_set.systems[0], (wrong, ends, groups)),
        (test_set.systems[0], (numbers, array("q", [3]), groups)),
        (test_set.systems[0], (numbers, ends, array("q", [2]))),
    ):
        with pytest.raises(IndexError):
            kernel().count_words(own, references, 2)
        with pytest.raises(IndexError):
            kernel().match_ngrams([own], references, 2, 4)
        with pytest.raises(IndexError):
            kernel().surface_errors(own, references, array("i", [0, 1]), bytes(2))
    with pytest.raises(IndexError):
        kernel().replace_numbers(wrong, array("i", [0, 1]))
    with pytest.raises(IndexError):
        kernel().first_ngrams(numbers, array("i", [0, 1]), array("i", [1]), [(0, 1)], 2, 5)
    with pytest.raises(IndexError):
        kernel().first_ngrams(numbers, array("i", [0, 1]), array("i", [1]), [(0, 2)], 1, 5)
    two = numbered(kernel(), [["a", "b"]], [["a"], ["b"]]).systems[0]
    with pytest.raises(ValueError, match="not as many hypotheses"):
        kernel().count_words(two, test_set.references, 2)
    empty = array("q", [0, 1])
    with pytest.raises(ValueError, match="no reference"):
        kernel().count_words(two, (numbers, ends, empty), 2)
