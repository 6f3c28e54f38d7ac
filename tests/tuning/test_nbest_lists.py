"""N-best lists in every form, merged, and what is wrong with a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import InputError, rerank, tune
from bleuet.text.source import Source
from bleuet.tuning.feature_weights import aligned, read_weights, write_weights
from bleuet.tuning.nbest_lists import NBestLists, as_nbest, read_nbest

if TYPE_CHECKING:
    from pathlib import Path

MOSES = "0||| a b |||  lm= -5.2 tm= 1 -2e-1 ||| -1.5\n0 ||| c ||| lm= -1 tm= 3 4 ||| -2\n"
COLONS = "0||| a b ||| lm: -5.2 tm: 1 -2e-1 ||| -1.5\n0||| c ||| lm: -1 tm: 3 4 ||| -2\n"
NEW_MOSES = (
    "0 ||| a b ||| lm_0=-5.2 tm_0=1 tm_1=-0.2 ||| -1.5 ||| 0-0 1-1\n"
    "0 ||| c ||| tm_1=4 tm_0=3 lm_0=-1 ||| -2\n"
)
TRAVATAR = (
    "0 ||| a b ||| -1.5 ||| lm_0=-5.2 tm_0=1 tm_1=-0.2\n0 ||| c ||| -2 ||| lm_0=-1 tm_0=3 tm_1=4\n"
)
OBJECTS = (
    '{"segment": 0, "text": "a b", "features": {"lm": [-5.2], "tm": [1, -0.2]}}\n'
    '{"segment": 0, "text": "c", "features": {"lm": [-1], "tm": [3, 4]}}\n'
)
PAIRS = [[("a b", {"lm": [-5.2], "tm": [1, -0.2]}), ("c", {"lm": [-1], "tm": [3, 4]})]]


def read(folder: Path, text: str, name: str = "list.txt") -> NBestLists:
    (folder / name).write_text(text, encoding="utf-8")
    return read_nbest(Source(str(folder / name)))


@pytest.mark.parametrize(
    ("text", "name"),
    [(MOSES, "a"), (COLONS, "b"), (NEW_MOSES, "c"), (TRAVATAR, "d"), (OBJECTS, "e.jsonl")],
)
def test_every_form_has_the_same_lists(tmp_path: Path, text: str, name: str) -> None:
    found = read(tmp_path, text, name)
    assert found == as_nbest(PAIRS)
    assert found.names == ("lm_0", "tm_0", "tm_1")
    assert found.texts == [["a b", "c"]]
    assert found.values == [[(-5.2, 1.0, -0.2), (-1.0, 3.0, 4.0)]]


def test_a_feature_that_is_not_named_is_zero() -> None:
    found = as_nbest([[("a", {"x": 1})], [("b", {"y": 2, "x": 3}), ("c", {})]])
    assert found.names == ("x", "y")
    assert found.values == [[(1.0, 0.0)], [(3.0, 2.0), (0.0, 0.0)]]


def test_lists_are_merged_without_exact_repeats() -> None:
    one = as_nbest([[("a", {"x": 1}), ("b", {"x": 2})], [("c", {"x": 1})]])
    other = as_nbest([[("a", {"x": 1}), ("a", {"x": 5}), ("a", {"x": 5})], [("d", {"y": 1})]])
    found = NBestLists.merge([one, other])
    assert found.texts == [["a", "b", "a"], ["c", "d"]]
    assert found.values == [[(1.0, 0.0), (2.0, 0.0), (5.0, 0.0)], [(1.0, 0.0), (0.0, 1.0)]]
    with pytest.raises(InputError, match="1 and 2 segments"):
        NBestLists.merge([one, as_nbest(PAIRS)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 ||| a ||| x= 1 2\n0 ||| a ||| x= one\n", r":2: the feature x_0 is 'one'"),
        ("0 ||| a ||| x= nan\n", r":1: .*nan.*not a finite number"),
        ("0 ||| a ||| x=1e999\n", ":1: .*not a finite number"),
        ("0 ||| a ||| 1 2\n", r":1 is .*expected 'N \|\|\| text \|\|\| features"),
        ("0 ||| a ||| x= 1 x= 2\n", ":1: the feature 'x_0' occurs twice"),
        ("0 ||| a ||| =1\n", ":1: '' is not the name of a feature"),
        ("0 ||| a ||| x= 1\n2 ||| a ||| x= 1\n", ":2 is .*number 0 or 1"),
        ("1 ||| a ||| x= 1\n", ":1 is .*number 0:"),
        ("0 ||| a ||| x= 1\n\n", ":2 is ''"),
        ("9999999999999999999999 ||| a ||| x= 1\n", ":1 is"),
        ("", "no hypothesis"),
        ("0 ||| a ||| ||| -1\n", "no feature"),
        ("0 ||| a\n", "no feature"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"segment": 1, "text": "a", "features": {"x": 1}}', "jsonl:1: segment is 1; expected 0"),
        ('{"segment": true, "text": "a", "features": {"x": 1}}', "segment is True"),
        ('{"segment": 0, "text": 1, "features": {"x": 1}}', "text of .*:1 must be a string"),
        ('{"segment": 0, "text": "a", "features": [1]}', "features of .*:1 must be names"),
        ('{"segment": 0, "text": "a", "features": {"x": "y"}}', ":1: the feature x is 'y'"),
        ('{"segment": 0, "text": "a", "features": {"x": [1, null]}}', ":1: the feature x_1"),
        ('{"segment": 0, "text": "a", "features": {"x y": 1}}', ":1: 'x y' is not the name"),
        ('{"segment": 0, "text": "a", "features": {"[x": 1}}', "'.x' is not the name"),
        ('{"segment": 0, "text": "a"}', "no column features"),
        ("[1]", "has no column|expected|names"),
    ],
)
def test_errors_of_objects(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text + "\n", "list.jsonl")


def test_too_many_features(tmp_path: Path) -> None:
    line = " ".join(f"f{n}=1" for n in range(10_001))
    with pytest.raises(InputError, match=r":1 brings more than 10,000"):
        read(tmp_path, f"0 ||| a ||| {line}\n")


def test_weights_come_back_from_both_forms(tmp_path: Path) -> None:
    weights = {"d_0": 0.1, "d_1": -1e-17, "lm_0": 1 / 3, "sparse~x=y": 2.0, "tm_1": 0.5, "w": -1.0}
    for name in ("w.ini", "w.json"):
        path = tmp_path / name
        write_weights(str(path), weights)
        assert read_weights(Source(str(path))) == weights
    assert (tmp_path / "w.ini").read_text().splitlines() == [
        "[weight]",
        "d= 0.1 -1e-17",
        "lm= 0.3333333333333333",
        "sparse~x=y=2.0",
        "tm_1=0.5",
        "w=-1.0",
    ]


def test_a_whole_ini_file_and_the_answer_of_tune(tmp_path: Path) -> None:
    ini = "[mapping]\n0 T 0\n[weight]\n# set by hand\nlm= 0.5\n\ntm= 1 2\n[other]\nx= y\n"
    (tmp_path / "moses.ini").write_text(ini)
    assert read_weights(Source(str(tmp_path / "moses.ini"))) == {
        "lm_0": 0.5, "tm_0": 1.0, "tm_1": 2.0,
    }  # fmt: skip
    answer = tune(PAIRS, ["a b"], method="mert:restarts=0").to_json()
    (tmp_path / "answer.json").write_text(answer)
    assert read_weights(Source(str(tmp_path / "answer.json"))) == json.loads(answer)["weights"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no weights"),
        ("[weight]\n", "has no weights"),
        ("[weights]\nlm= 1\n", "has no weights"),
        ("[weight]\nlm= 1\ntm= x\n", ":3: the feature tm_0 is 'x'"),
        ("{", "is not JSON"),
        ("{" * 100_000, "is not JSON"),
        ('{"a": "b"}', "the feature a is 'b'"),
        ('{"weights": [1]}', "must be names and numbers"),
    ],
)
def test_errors_of_weights(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "w").write_text(text)
    with pytest.raises(InputError, match=message):
        read_weights(Source(str(tmp_path / "w")))


def test_weights_of_other_features() -> None:
    assert aligned(["a", "b"], {"b": 1.0}, "the weights") == [0.0, 1.0]
    for names, weights in ((["a", "tm_0"], {"a": 1.0}), (["a"], {"b": 1.0})):
        with pytest.raises(InputError, match="have no weight for"):
            aligned(names, weights, "the weights")
    for wrong in ([1.0], {"lm_0": "x"}, 3, None):
        with pytest.raises(InputError):
            rerank(PAIRS, wrong)


def test_python_values_are_checked() -> None:
    wrong: list[Any] = [[], [[]], ["text"], [["a"]], [[("a", {"x": None})]], [[(1, {"x": 1})]], 3]
    for lists in wrong:
        with pytest.raises(InputError):
            tune(lists, ["a"])
    with pytest.raises(InputError, match="2 references for the 1 segments"):
        tune(PAIRS, ["a", "b"])
    with pytest.raises(InputError, match="no feature differs"):
        tune([[("a", {"x": 1})], [("b", {"x": 2})]], ["a", "b"])
    with pytest.raises(InputError, match="held-out lists have no references"):
        tune(PAIRS, ["a"], held_out=PAIRS)


def test_reranking() -> None:
    lists = [[("a", {"x": 1}), ("b", {"x": 2}), ("c", {"x": 2})], [("d", {"x": 0})]]
    found = rerank(lists, [0.5], ["b", "d"], "chrf")
    assert found.texts == ["b", "d"]
    assert [(one.index, one.score) for one in found.choices] == [(1, 1.0), (0, 0.0)]
    assert found.scores is not None
    assert found.scores["chosen"] == found.scores["corpus oracle"] == 100
    assert found.scores["first"] < 100
    assert rerank(lists, {"x": -1}).texts == ["a", "d"]
