"""The error of texts whose comparison would take minutes."""

from __future__ import annotations

from bleuet.errors import TooLongError

# The most cells of a table that has a row for each item of one text and a column for each of the
# other: what takes the kernel about ten seconds.
MOST_EED_CELLS = 10_000_000_000
MOST_EDIT_CELLS = 40_000_000_000
MOST_STAGE_CELLS = 100_000_000
MOST_WEIGHTED_CELLS = 5_000_000_000
MOST_SUBSEQUENCE_CELLS = 200_000_000_000
MOST_CHARCUT_CELLS = 100_000_000
# The most pairs of words of a segment, which are kept or compared one by one.
MOST_SKIP_BIGRAMS = 50_000_000
MOST_EQUAL_WORDS = 40_000_000
# Of one table of words, and of the words of all blocks in all rounds of shifts times the reference.
MOST_SHIFT_TABLE = 100_000_000
MOST_SHIFT_CELLS = 200_000_000_000


def check_cells(method: str, hypothesis: int, reference: int, most: int) -> None:
    """Raise an error for texts that are too long.

    Args:
        method: what compares them, with its unit: "EED of characters".
        hypothesis: how many items it has.
        reference: likewise.
        most: the largest product of both.

    Raises:
        TooLongError: the product is larger.

    >>> check_cells("EED of characters", 3, 4, 12)
    """
    if hypothesis * reference > most:
        raise too_long(method, hypothesis, reference, "the lengths", most)


def too_long(method: str, hypothesis: int, reference: int, product: str, most: int) -> TooLongError:
    """Return the error of texts that are too long.

    Args:
        method: as for `check_cells`.
        hypothesis: how many items it has.
        reference: likewise.
        product: the numbers whose product the time grows with.
        most: the largest product.
    """
    return TooLongError(
        f"a hypothesis of {hypothesis} and a reference of {reference} are too long for "
        f"{method}, whose time grows with the product of {product}, at most {most}: divide "
        "the segment into sentences"
    )


def check_pairs(method: str, words: str, pairs: int, most: int) -> None:
    """Raise an error for texts that have too many pairs of words.

    Args:
        method: what needs the pairs: "ROUGE-S".
        words: what words: "words" or "equal words".
        pairs: how many pairs the hypothesis and the reference have.
        most: the largest number of them.

    Raises:
        TooLongError: there are more.

    >>> check_pairs("ROUGE-S", "words", 12, 12)
    """
    if pairs > most:
        raise TooLongError(
            f"a hypothesis and a reference have {pairs} pairs of {words} for {method}, which takes "
            f"at most {most}: divide the segment into sentences"
        )
