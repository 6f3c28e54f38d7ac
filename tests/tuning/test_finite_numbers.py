"""Numbers that overflow are refused, with their place; no weight is ever another kind of number."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BleuetError, InputError, OptionError, rerank, tune
from bleuet.text.source import Source
from bleuet.tuning.feature_lists import FeatureLists
from bleuet.tuning.feature_weights import read_weights
from bleuet.tuning.method import unit
from bleuet.tuning.nbest_lists import NBestLists, as_nbest, read_nbest
from tests.patience import little_work
from tests.tuning.generated import generated

if TYPE_CHECKING:
    from pathlib import Path

METHODS = (
    "mert:restarts=2",
    "pro:rounds=2,samples=50",
    "mira:rounds=2",
    "expected-bleu:rounds=5",
    "expected-bleu:rounds=5,expectation=sentences",
    "expected-bleu:rounds=5,optimizer=sgd",
)


def multiplied(by: float) -> tuple[list[Any], list[str]]:
    """Generated lists of which one feature has another unit."""
    lists, references = generated(1)
    return [
        [(text, {**features, "lm": by * features["lm"]}) for text, features in several]
        for several in lists
    ], references


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("by", [1e-90, 1e-30, 1.0, 1e30, 1e90])
def test_weights_are_finite_and_the_unit_of_a_feature_is_none_of_their_business(
    method: str, by: float
) -> None:
    plain, references = multiplied(1.0)
    scaled, _ = multiplied(by)
    start, other = ({"lm": 1.0 / unit, "tm": [1, 1], "same": 1} for unit in (1.0, by))
    expected = tune(plain, references, method=method, start=start)
    found = tune(scaled, references, method=method, start=other)
    assert all(map(isfinite, found.weights.values()))
    assert sum(map(abs, found.weights.values())) == pytest.approx(1)
    assert found.tuned == pytest.approx(expected.tuned)


@pytest.mark.parametrize("by", [1e200, -1e102, 1e300])
def test_large_features_are_refused(tmp_path: Path, by: float) -> None:
    lists, references = multiplied(by)
    with pytest.raises(InputError, match=r"segment 1: the feature lm is .*beyond 1e\+100"):
        tune(lists, references)
    path = tmp_path / "list.txt"
    path.write_text(f"0 ||| a ||| lm= 1 ||| 0\n0 ||| b ||| lm= {by!r} ||| 0\n")
    with pytest.raises(InputError, match=r"list.txt:2: the feature lm_0 is .*beyond 1e\+100"):
        read_nbest(Source(str(path)))
    with pytest.raises(InputError, match=r"the feature x is .*beyond 1e\+100"):
        rerank([[("a", {"x": 1})]], {"x": by})


def test_differences_that_are_too_small_are_refused() -> None:
    lists, references = multiplied(1e-300)
    with pytest.raises(InputError, match=r"the feature lm differs by about .*e-300 within lists"):
        tune(lists, references)


def test_tiny_differences_are_seen() -> None:
    lists = FeatureLists.of(as_nbest([[("a", {"x": 1e-200}), ("b", {"x": 3e-200})]]))
    assert lists.spreads.tolist() == [1e-200]
    assert lists.varies.tolist() == [True]


def test_options_that_let_weights_overflow() -> None:
    lists, references = generated(1)
    method = "expected-bleu:optimizer=sgd,step=1000000,l2=1000"
    with pytest.raises(OptionError, match=r"the weights overflow.*smaller step"):
        tune(lists, references, method=method)


def test_an_expected_count_of_0_has_a_gradient() -> None:
    """The probability of all hypotheses that match can be 0, and no count is below."""
    lists = [[("x y z w", {"f": 1.0}), ("a b c d", {"f": -1.0})], [("q", {"f": 0.5})]]
    found = tune(lists, ["a b c d", "e"], method="expected-bleu:rounds=3", start={"f": 1e5})
    assert isfinite(found.weights["f"])


def test_the_length_of_large_and_tiny_weights() -> None:
    for scale in (1e-300, 1e-160, 1.0, 1e160, 1e300):
        assert unit(np.array([3.0, -4.0]) * scale) == pytest.approx([0.6, -0.8])
    assert unit(np.zeros(2)).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("w.ini", "[weight]\nlm= 1\ntm= 2\nlm= 3\n", "w.ini:4: the weight of lm_0 .*line 2"),
        ("w.ini", "[weight]\nlm= 1\nlm_0=3\n", "w.ini:3: the weight of lm_0 .*line 2"),
        ("w.ini", "[weight]\nlm= 1\n[weight]\nlm= 1\n", "w.ini:4: the weight of lm_0 .*line 2"),
        ("w.ini", "[weight]\nlm= 1 lm= 2\n", "w.ini:2: the feature 'lm_0' occurs twice"),
        ("w.json", '{"lm": 1, "lm": 1}', "the key 'lm' occurs twice"),
        ("w.json", '{"weights": {"lm": 1, "lm": 1}}', "the key 'lm' occurs twice"),
        ("w.json", '{"lm": [1], "lm_0": 1}', "the feature 'lm_0' occurs twice"),
        ("w.json", '{"lm": NaN}', "not a finite number"),
        ("w.json", '{"lm": 1e400}', "not a finite number"),
        ("w.json", '{"lm": 1e101}', r"beyond 1e\+100"),
        ("w.ini", "[weight]\nlm= 1e101\n", r"w.ini:2: .*beyond 1e\+100"),
        ("w.ini", "[weight]\nlm= -inf\n", "w.ini:2: .*not a finite number"),
    ],
)
def test_weights_that_are_wrong(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_weights(Source(str(tmp_path / name)))


def test_features_that_are_there_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="segment 1: the feature 'x_0' occurs twice"):
        as_nbest([[("a", {"x": [1], "x_0": 2})]])
    path = tmp_path / "list.jsonl"
    features = {"x": [1], "x_0": 2}
    path.write_text(json.dumps({"segment": 0, "text": "a", "features": features}) + "\n")
    with pytest.raises(InputError, match=r"list.jsonl:1: the feature 'x_0' occurs twice"):
        read_nbest(Source(str(path)))


def test_names_that_no_file_of_weights_can_have(tmp_path: Path) -> None:
    for name in ("[x", "#x"):
        path = tmp_path / "list.txt"
        path.write_text(f"0 ||| a ||| x=1 {name}=1 ||| 0\n")
        with pytest.raises(InputError, match=r"list.txt:1: .* is not the name of a feature"):
            read_nbest(Source(str(path)))


class TestSizes:
    """Lists that do not fit in memory are refused before their features are read."""

    def test_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "list.txt"
        line = f" ||| a ||| x= {' '.join(['1'] * 9000)} ||| 0\n"
        with path.open("w") as file:
            file.write(f"0{line}")
            file.writelines(f"{n // 100} ||| a ||| x= 1 ||| 0\n" for n in range(1, 30_000))
        error = r":1: 300 segments with up to 100 hypotheses of 9000"
        with little_work(), pytest.raises(InputError, match=error):
            read_nbest(Source(str(path)))

    def test_the_longest_list_counts(self) -> None:
        def hypotheses() -> Any:
            many = {f"f{n}": 1.0 for n in range(9000)}
            for n in range(200):
                yield "there", 0, "a", many if n == 0 else {}
            for n in range(1, 10_000):
                yield "here", n, "a", {}

        with pytest.raises(InputError, match=r"here: 150 segments with up to 200 hypotheses"):
            NBestLists.collect(hypotheses())

    def test_merged_lists(self) -> None:
        parts = [
            NBestLists(
                tuple(f"{letter}{n}" for n in range(5000)), [["a"] * 20] * 1400, [[()] * 20] * 1400
            )
            for letter in "ab"
        ]
        with pytest.raises(InputError, match="merged lists: 1400 segments with up to 40"):
            NBestLists.merge(parts)


def test_wrong_values_of_python() -> None:
    lists, references = generated(1)
    wrong: list[Any] = [{"lm": 10**400}, {"lm": float("inf")}, [1e101] * 4]
    for start in wrong:
        with pytest.raises(BleuetError):
            tune(lists, references, start=start)
