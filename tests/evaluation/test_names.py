"""Files are matched with the systems of human scores, and errors name both sides."""

from __future__ import annotations

import pytest

from bleuet import InputError
from bleuet.evaluation.names import match_systems


def test_names_match_with_fewer_endings() -> None:
    judged = ["north", "v1.5", "v1", "south.de"]
    names = ["v1.5.txt", "south.de.txt.gz", "north.de.txt", "v1"]
    found = {"v1.5.txt": "v1.5", "south.de.txt.gz": "south.de", "north.de.txt": "north", "v1": "v1"}
    assert match_systems(names, judged) == found


def test_files_without_scores_are_left_out_where_all_systems_have_files() -> None:
    assert match_systems(["a.txt", "b.txt", "new.txt"], ["a", "b"]) == {"a.txt": "a", "b.txt": "b"}


def test_an_error_names_both_sides() -> None:
    with pytest.raises(InputError) as raised:
        match_systems(["north.txt", "sout.txt"], ["north", "south", "ref-A"])
    for piece in ("no system sout.txt (did you mean south?)", "south, ref-A", "--leave-out sout"):
        assert piece in str(raised.value)
    with pytest.raises(InputError, match=r"a\.de and a\.txt are both called a"):
        match_systems(["a.de", "a.txt"], ["a"])
