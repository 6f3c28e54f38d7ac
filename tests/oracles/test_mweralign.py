"""Re-segmentation against mweralign 1.4.1: as few edits, and more of the cuts that there were."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import pytest

from bleuet.resegmentation import align

if TYPE_CHECKING:
    from pathlib import Path

    from tests.evaluation_data import EvaluationData

pytestmark = pytest.mark.peers


class Cut(NamedTuple):
    edits: int
    segments: list[str]


def mweralign(folder: Path, hypotheses: list[str], references: list[str]) -> Cut:
    """Run mweralign, which ignores case and prints the edits as a share of the reference words."""
    for name, lines in (("hypothesis", hypotheses), ("reference", references)):
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mweralign.mweralign", "--tokenizer", "none"),
            *("--ref-file", str(folder / "reference"), "--hyp-file", str(folder / "hypothesis")),
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    share = float(done.stderr.rsplit("AS-WER (automatic segmentation mWER):", 1)[1])
    words = sum(len(line.split()) for line in references)
    return Cut(round(share * words / 100), done.stdout.removesuffix("\n").split("\n"))


def ends(segments: list[str]) -> list[int]:
    return list(accumulate(len(segment.split()) for segment in segments))


def recovered(segments: list[str], true: list[str]) -> int:
    return sum(map(int.__eq__, ends(segments)[:-1], ends(true)[:-1]))


def spoken(segment: str) -> str:
    """Return a segment without case and marks, as speech recognition writes it."""
    kept = "".join(c for c in segment.lower() if c.isalnum() or c.isspace())
    return " ".join(kept.split()) or "x"


def cut_at_random(words: list[str], cuts: int, rng: random.Random) -> list[str]:
    places = [0, *sorted(rng.sample(range(1, len(words)), cuts)), len(words)]
    return [" ".join(words[a:b]) for a, b in pairwise(places)]


def with_errors(segment: str, rng: random.Random) -> str:
    words = []
    for word in segment.split():
        kind = rng.random()
        if kind < 0.08:
            continue
        # mweralign ignores the case of ASCII letters only.
        in_capitals = kind < 0.2 and word.isascii()
        words.append("wrong" if kind < 0.16 else word.upper() if in_capitals else word)
        if kind > 0.95:
            words.append(rng.choice(words))
    return " ".join(words) or "wrong"


@pytest.mark.parametrize("seed", range(3))
def test_as_few_edits(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    known = [*"abcdefAB", "é", "c.", "猫", "1,5"]
    references = [" ".join(rng.choices(known, k=rng.randint(1, 12))) for _ in range(40)]
    true = [with_errors(line, rng) for line in references]
    hypotheses = cut_at_random(" ".join(true).split(), 25, rng)
    theirs = mweralign(tmp_path, hypotheses, references)
    ours = align(hypotheses, references)
    assert ours.edits == theirs.edits
    assert "".join(ours.segments).replace(" ", "") == "".join(hypotheses).replace(" ", "")


@pytest.mark.data
@pytest.mark.parametrize(
    ("folder", "system"),
    [("data/wmt13/cs-en", "JHU"), ("data/wmt13/de-en", "FDA"), ("data/wmt17-ende", "FBK")],
)
def test_translations_cut_at_random(
    tmp_path: Path, evaluation_data: EvaluationData, folder: str, system: str
) -> None:
    rng = random.Random(1)
    references = evaluation_data.reference(folder)[:400]
    true = evaluation_data.system(folder, system)[:400]
    if system == "FDA":
        true = [with_errors(line, rng) for line in true]
    hypotheses = cut_at_random(" ".join(true).split(), 200, rng)
    theirs = mweralign(tmp_path, hypotheses, references)
    ours = align(hypotheses, references)
    assert ours.edits == theirs.edits
    assert recovered(list(ours.segments), true) > recovered(theirs.segments, true) + 30
    # Without case and marks on one side or on both.
    true = [spoken(line) for line in true]
    # mweralign ignores the case of ASCII letters only.
    cased = ["".join(c if c.isascii() else c.lower() for c in line) for line in references]
    for against in (cased, [spoken(line) for line in references]):
        theirs = mweralign(tmp_path, [" ".join(true)], against)
        ours = align([" ".join(true)], against)
        assert ours.edits == theirs.edits
        assert recovered(list(ours.segments), true) > recovered(theirs.segments, true)
