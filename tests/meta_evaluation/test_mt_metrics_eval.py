"""The folders of mt-metrics-eval: a small tree with everything its layout may hold."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from bleuet import InputError, OptionError
from bleuet.meta_evaluation.evaluation_test_set import EvaluationTestSet
from bleuet.meta_evaluation.mt_metrics_eval import TestSet, base_name, choose_references

TestSet.__test__ = False  # type: ignore[attr-defined]  # not a class of tests

SEGMENTS = 3


def write(root: Path, path: str, lines: list[str]) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def blocks(scores: dict[str, list[object]]) -> list[str]:
    return [f"{system}\t{score}" for system, listed in scores.items() for score in listed]


def make_tree(root: Path) -> Path:
    """Systems north, south and east, two references, human scores mqm and wmt-z, four metrics."""
    write(root, "sources/en-de.txt", ["one", "two", "three"])
    write(root, "documents/en-de.docs", ["news a", "news a", "talk b"])
    write(root, "references/en-de.refA.txt", ["eins", "zwei Katzen", "drei alte Hunde"])
    write(root, "references/en-de.refB.txt", ["ein", "zwo Katzen", "drei Hunde"])
    outputs = {
        "north": ["eins", "zwei Katzen", "drei Hunde"],
        "south": ["ein", "zwei", "drei alte Hunde"],
        "east": ["uno", "zwei Hunde", "Hunde"],
        "refA": ["eins", "zwei Katzen", "drei alte Hunde"],
        "refB": ["ein", "zwo Katzen", "drei Hunde"],
    }
    for name, lines in outputs.items():
        write(root, f"system-outputs/en-de/{name}.txt", lines)
    mqm: dict[str, list[object]] = {
        "south": [-1, "None", -5],
        "north": [0, -1.5, 0],
        "refB": [0, 0, 0],
        "east": [-9, -4, -25],
    }
    write(root, "human-scores/en-de.mqm.seg.score", blocks(mqm))
    write(
        root, "human-scores/en-de.mqm.sys.score", ["south -3", "north -0.5", "east -12", "refB 0"]
    )
    write(root, "human-scores/en-de.wmt-z.sys.score", ["south 0.1", "north 0.2", "east None"])
    write(root, "human-scores/en-de.mqm.doc.score", ["south 1"])
    names = ("north", "south", "east", "refB")
    scores: dict[str, list[object]] = {name: [0.5 + i, 0.25, 1] for i, name in enumerate(names)}
    write(root, "metric-scores/en-de/COMET-22-refA.seg.score", blocks(scores))
    write(root, "metric-scores/en-de/BLEU-refA.sys.score", ["north 30", "south 20", "east 5"])
    write(root, "metric-scores/en-de/COMET-22-refB.seg.score", blocks(scores))
    write(root, "metric-scores/en-de/QE-src.seg.score", blocks(scores))
    write(root, "metric-scores/en-de/MIX-refA.refB.seg.score", blocks(scores))
    write(root, "metric-scores/en-de/EVERY-all.seg.score", blocks(scores))
    write(root, "system-outputs/de-en/north.txt", ["x"])
    return root


@pytest.fixture
def tree(tmp_path: Path) -> TestSet:
    return TestSet(make_tree(tmp_path / "wmt99"), "en-de")


def test_texts(tree: TestSet) -> None:
    assert tree.segments == SEGMENTS
    assert tree.systems == ("east", "north", "refA", "refB", "south")
    assert tree.references == ("refA", "refB")
    assert tree.reference("refB")[1] == "zwo Katzen"
    assert tree.output("east")[2] == "Hunde"
    assert tree.documents == (("news", "a"), ("news", "a"), ("talk", "b"))


def test_human_scores(tree: TestSet) -> None:
    assert tree.human_names == ("mqm", "wmt-z")
    of_segments, of_systems = tree.human("mqm", "seg"), tree.human("mqm", "sys")
    assert of_segments is not None
    assert of_systems is not None
    assert of_segments.systems == ("south", "north", "refB", "east")
    np.testing.assert_array_equal(of_segments.select(["south"]).values, [[-1, math.nan, -5]])
    assert of_systems.select(["east", "north"]).values.tolist() == [[-12], [-0.5]]
    assert tree.human("wmt-z", "seg") is None


def test_metrics_of_the_references_in_use(tree: TestSet) -> None:
    assert tree.metric_names(["refA"]) == ("BLEU-refA", "COMET-22-refA", "QE-src")
    both = ("EVERY-all", "MIX-refA.refB", "QE-src")
    assert tree.metric_names(["refB", "refA"]) == both
    assert [base_name(name) for name in both] == ["EVERY", "MIX", "QE"]
    comet = tree.metric("COMET-22-refA", "seg")
    assert comet is not None
    assert comet.select(["south"]).values.tolist() == [[1.5, 0.25, 1]]
    assert tree.metric("COMET-22-refA", "sys") is None


def test_references_are_chosen(tree: TestSet) -> None:
    assert choose_references(tree, ["refB"]) == ("refB",)
    with pytest.raises(InputError, match=r"has the references refA, refB .* name the ones to use"):
        choose_references(tree, [])
    with pytest.raises(InputError, match=r"no reference refa \(did you mean refA\?\)"):
        choose_references(tree, ["refa"])
    (tree.folder / "references/en-de.refB.txt").unlink()
    assert choose_references(TestSet(tree.folder, "en-de"), []) == ("refA",)


@pytest.mark.parametrize(
    ("path", "lines", "sentence"),
    [
        ("human-scores/en-de.mqm.seg.score", ["nort 1"], "score:1: there is no output of the sys"),
        ("human-scores/en-de.mqm.seg.score", ["north 1"], "has 1 scores of north; expected 3"),
        ("human-scores/en-de.mqm.seg.score", ["north", "x 1"], "score:1 is 'north'; expected a s"),
        ("human-scores/en-de.mqm.seg.score", ["north x"], "score:1: the score is 'x'; expected"),
        ("human-scores/en-de.mqm.seg.score", [], "is empty"),
        ("human-scores/en-de.mqm.sys.score", ["north 1", "north 2"], "2 scores of north; expected"),
    ],
)
def test_a_damaged_file_is_reported(
    tree: TestSet, path: str, lines: list[str], sentence: str
) -> None:
    write(tree.folder, path, lines)
    with pytest.raises(InputError) as raised:
        tree.human("mqm", path.split(".")[2])
    assert sentence in str(raised.value)


def test_what_is_not_there_is_reported(tree: TestSet, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no language pair en-d .*mean en-de\?\); it has de-en"):
        TestSet(tree.folder, "en-d")
    with pytest.raises(InputError, match="has no folder system-outputs"):
        TestSet(tmp_path, "en-de")
    with pytest.raises(InputError, match=r"no human scores mqn \(did you mean mqm\?\)"):
        tree.human("mqn", "seg")
    write(tree.folder, "system-outputs/en-de/north.txt", ["eins"])
    with pytest.raises(InputError, match=r"north\.txt has 1 lines, but the source has 3"):
        tree.output("north")
    write(tree.folder, "documents/en-de.docs", ["news a", "news", "talk b"])
    with pytest.raises(InputError, match=r"docs:2 is 'news'"):
        _ = tree.documents


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["mqm"], "mqm"),
        (["wmt-z"], "wmt-z"),
        (["also", "mqm", "wmt-z"], "mqm"),
        (["also", "wmt-z"], None),
        ([], None),
    ],
)
def test_human_scores_without_a_name_are_the_only_ones_or_those_of_mqm(
    tree: TestSet, names: list[str], taken: str | None
) -> None:
    for path in (tree.folder / "human-scores").iterdir():
        path.unlink()
    for place, name in enumerate(names):
        lines = [f"south {place}", f"north {place + 1}"]
        write(tree.folder, f"human-scores/en-de.{name}.sys.score", lines)
    chosen = EvaluationTestSet(TestSet(tree.folder, "en-de"), ["refA"])
    if taken is None:
        listed = ", ".join(names) or "none"
        with pytest.raises(OptionError, match=f"the human scores {listed} for en-de: select one"):
            chosen.read()
    else:
        found = chosen.read()
        assert found.human.systems is not None
        place = names.index(taken)
        assert found.human.systems.values.tolist() == [[place], [place + 1]]
        assert found.notes[0] == f"2 systems, 3 segments, human scores: {taken}"
