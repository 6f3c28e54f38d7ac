"""Different references have different fingerprints, however they come."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from bleuet.text.fingerprint import Fingerprint


def fingerprint(*batches: list[Any]) -> str:
    found = Fingerprint()
    for batch in batches:
        found.update(batch)
    return str(found)


def test_references_that_differ_have_other_fingerprints() -> None:
    others: list[list[Any]] = [
        [],
        [""],
        ["", ""],
        [["", ""]],
        ["ab", "c"],
        ["a", "bc"],
        ["abc"],
        [["ab", "c"]],
        [["a"], ["b", "c"]],
        [["a", "b"], ["c"]],
        ["1:a"],
        ["1", "a"],
    ]
    for one, other in combinations(others, 2):
        assert fingerprint(one) != fingerprint(other), (one, other)


def test_batches_make_no_difference() -> None:
    assert fingerprint(["a", "b"], ["c"]) == fingerprint(["a"], ["b", "c"])
    assert fingerprint(["a", ["b", None]]) == fingerprint([["a"], "b"])
