"""`bleuet diversity`: Self-BLEU and distinct-n of files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU, metric_from_signature, self_bleu
from tests.corpora import SYSTEM_A, SYSTEM_B

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome


def test_files_side_by_side(run: Callable[..., Outcome]) -> None:
    outcome = run("diversity", "a.txt", "mine=b.txt", "-m", "bleu:smooth=floor", "-f", "json")
    assert outcome.code == 0
    scores = [self_bleu(texts, BLEU(smooth="floor")).to_dict() for texts in (SYSTEM_A, SYSTEM_B)]
    assert json.loads(outcome.out) == [
        {"system": "a.txt", **scores[0]},
        {"system": "mine", **scores[1]},
    ]
    table = run("diversity", "a.txt", "mine=b.txt").out
    assert table.splitlines()[0].split()[:4] == ["system", "texts", "Self-BLEU", "distinct-1"]
    assert table.count("nrefs:") == 1


def test_options(run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> None:
    shared = ("diversity", "a.txt", "-f", "json", "--sample", "2")
    (found,) = json.loads(run(*shared, "--average", "pairs", "--itself", "--seed", "3").out)
    assert (
        found["score"] == self_bleu(SYSTEM_A, average="pairs", itself=True, sample=2, seed=3).score
    )
    assert "selfbleu:pairs|itself:yes|sample:2[3]" in found["signature"]
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    (drawn,) = json.loads(run(*shared).out)
    assert "sample:2[12345]" not in drawn["signature"]


def test_sets_of_different_size_have_their_signatures(
    run: Callable[..., Outcome], folder: Path
) -> None:
    (folder / "two.txt").write_text("a b\nb c\n")
    out = run("diversity", "a.txt", "two.txt").out
    assert "Self-BLEU of two|nrefs:1|" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no texts; expected a file"),
        (["a.txt", "-m", "chrf"], "-m must be bleu"),
        (["a.txt", "-m", "bleu", "bleu:lowercase"], "-m must be bleu"),
        (["a.txt", "--sample", "1000"], "the sample has 1000 references"),
        (["a.txt", "--average", "median"], "--average"),
        (["a.txt", "--seed", "3"], "--seed needs --sample: add --sample"),
        (["nowhere.txt"], "nowhere.txt"),
        (["a.txt", "/dev/null"], "/dev/null has 0 texts; expected two or more"),
    ],
)
def test_misuse(run: Callable[..., Outcome], words: list[str], message: str) -> None:
    outcome = run("diversity", *words)
    assert outcome.code in (1, 2)
    assert message in outcome.err
    assert outcome.err.count("\n") == 1 or "usage" in outcome.err


def test_a_round_trip_is_signed_and_scores_as_before(run: Callable[..., Outcome]) -> None:
    signed = json.loads(run("score", "ref.txt", "-i", "a.txt", "--round-trip", "-f", "json").out)
    plain = json.loads(run("score", "ref.txt", "-i", "a.txt", "-f", "json").out)
    assert signed[0]["score"] == plain[0]["score"]
    assert "|roundtrip:yes|version:" in signed[0]["signature"]
    assert "sacrebleu" not in signed[0]["signature"]
    assert "roundtrip" not in plain[0]["signature"]
    assert metric_from_signature(signed[0]["signature"]) == BLEU(round_trip=True)
