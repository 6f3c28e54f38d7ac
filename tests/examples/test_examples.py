"""The example corpus is sound, its scores are sacreBLEU's, and its README shows what is printed."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path

import pytest

from bleuet.cli.main import main
from bleuet.metrics.catalogue import parse_metric
from bleuet.text.parallel import read_corpus
from bleuet.text.source import Source

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"
REFERENCES = ["reference-1", "reference-2"]
SYSTEMS = ["system-a", "system-b"]
FILES = REFERENCES + SYSTEMS

SCORES: list[tuple[str, str, int, float]] = [
    ("bleu", "system-a", 1, 36.839487411557364),
    ("bleu", "system-a", 2, 48.90312351474087),
    ("bleu", "system-b", 1, 21.99183660162399),
    ("bleu", "system-b", 2, 24.55876864541568),
    ("chrf", "system-a", 1, 62.784619842671795),
    ("chrf", "system-a", 2, 65.41902833248761),
    ("chrf", "system-b", 1, 54.565545857630305),
    ("chrf", "system-b", 2, 55.80754676824782),
    ("chrf++", "system-a", 2, 64.41688603496614),
    ("chrf++", "system-b", 2, 53.96709206719786),
    ("ter", "system-a", 1, 49.004975124378106),
    ("ter", "system-a", 2, 44.27020506634499),
    ("ter", "system-b", 1, 59.20398009950249),
    ("ter", "system-b", 2, 56.45355850422196),
]
every_score = pytest.mark.parametrize(("name", "system", "references", "number"), SCORES)


def lines(name: str) -> list[str]:
    return (EXAMPLES / f"{name}.txt").read_bytes().decode("utf-8").removesuffix("\n").split("\n")


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_sixty_different_segments(name: str) -> None:
    segments = lines(name)
    assert len(segments) == len(set(segments)) == 60
    assert all(segment == segment.strip() and "\r" not in segment for segment in segments)


def test_the_references_differ_from_each_other_and_from_the_systems() -> None:
    first, second, good, weak = map(lines, FILES)
    assert all(a != b for a, b in zip(first, second, strict=True))
    # "Of course!" has few ways to be said.
    same = [good[i] for i in range(60) if good[i] in (first[i], second[i])]
    assert same == ["Of course!"]
    assert not any(weak[i] in (first[i], second[i]) for i in range(60))


@every_score
def test_a_score_is_pinned(name: str, system: str, references: int, number: float) -> None:
    metric = parse_metric(name)
    corpus = read_corpus(
        Source(EXAMPLES / f"{system}.txt"),
        [Source(EXAMPLES / f"{one}.txt") for one in REFERENCES[:references]],
    )
    score = metric.score(metric.table(corpus).totals()).score
    assert score == pytest.approx(number, abs=1e-9, rel=0)


@pytest.mark.peers
@every_score
def test_a_score_is_sacrebleus(name: str, system: str, references: int, number: float) -> None:
    peer = import_module("sacrebleu.metrics")
    theirs = {
        "bleu": peer.BLEU,
        "chrf": peer.CHRF,
        "chrf++": lambda: peer.CHRF(word_order=2),
        "ter": peer.TER,
    }[name]()
    streams = [lines(one) for one in REFERENCES[:references]]
    ours = parse_metric(name).corpus_score(lines(system), list(zip(*streams, strict=True)))
    assert ours.score == theirs.corpus_score(lines(system), streams).score


def test_the_readme_shows_what_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    block = (EXAMPLES / "README.md").read_text(encoding="utf-8").split("```\n")[1]
    command, _, output = block.partition("\n")
    prompt, program, *arguments = shlex.split(command)
    assert (prompt, program) == ("$", "bleuet")
    monkeypatch.chdir(REPOSITORY)
    assert main(arguments) == 0
    assert capsys.readouterr().out == output
