"""Scores of a corpus in batches are those of the corpus as a whole, to the last digit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.engines.streaming import count_batches, score_batches
from bleuet.errors import InputError
from bleuet.metrics.bleu import BLEU
from bleuet.metrics.chrf import CHRF
from bleuet.metrics.metric import Metric
from bleuet.metrics.ter import TER
from bleuet.statistics.counted import Counted
from bleuet.text.parallel import Parallel
from bleuet.text.segments import TEXT, Segments
from bleuet.text.source import Source
from tests.backends import HAS_KERNEL, counted_by_python
from tests.cli.conftest import command, environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.engines.streaming import Batch

METRICS: list[Metric] = [
    BLEU(),
    BLEU(reference_length="average", max_ngram_order=3, smooth="floor"),
    BLEU(tokenize="char", lowercase=True),
    CHRF(),
    CHRF(word_order=2, eps_smoothing=True),
    TER(),
    TER(normalized=True, no_punct=True),
]

lines = st.text(st.sampled_from("abc .,é猫"), max_size=12)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[list[str]], list[Any]]:
    """One to three systems, and per segment one reference or one to three of them."""
    size = draw(st.integers(1, 12))
    column = st.lists(lines, min_size=size, max_size=size)
    systems = draw(st.lists(column, min_size=1, max_size=3))
    several = st.lists(lines, min_size=1, max_size=3)
    rows = st.one_of(lines, several) if draw(st.booleans()) else several
    return systems, draw(st.lists(rows, min_size=size, max_size=size))


def in_batches(
    systems: Sequence[list[str]], references: list[Any], sizes: Sequence[int]
) -> Iterator[Batch]:
    start = at = 0
    while start < len(references):
        end = start + sizes[at % len(sizes)]
        texts = [Segments.hypotheses(texts[start:end]) for texts in systems]
        yield texts, Segments.references(references[start:end])
        start, at = end, at + 1


@given(corpora(), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.sampled_from([0, 1, 3]))
def test_batches_of_any_size_give_the_whole(
    corpus: tuple[list[list[str]], list[Any]], sizes: list[int], threads: int
) -> None:
    systems, references = corpus
    found = score_batches(METRICS, in_batches(systems, references, sizes), threads=threads)
    wanted = [[metric.corpus_score(texts, references) for metric in METRICS] for texts in systems]
    assert [[s.score for s in row] for row in found] == [[s.score for s in row] for row in wanted]
    assert [[s.to_dict() for s in row] for row in found] == [
        [s.to_dict() for s in row] for row in wanted
    ]


@given(corpora(), st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_rows_of_batches_are_the_rows_of_the_whole(
    corpus: tuple[list[list[str]], list[Any]], sizes: list[int]
) -> None:
    systems, references = corpus
    counted = list(count_batches(METRICS, in_batches(systems, references, sizes)))
    for s, texts in enumerate(systems):
        for m, metric in enumerate(METRICS):
            rows = [row.values for batch in counted for row in batch.tables[s][m]]
            assert rows == [row.values for row in metric.count(texts, references)]


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
def test_the_python_backend_streams_to_the_same_scores() -> None:
    systems = [["a cat .", "b", "", "the end"], ["a", "b b", "c", "an end"]]
    references: list[Any] = [["a cat", "a"], "b b", ["c", "d", ""], "the end ."]

    def scores() -> list[list[dict[str, Any]]]:
        kinds: list[Metric] = [BLEU(), CHRF(word_order=2), TER()]
        found = score_batches(kinds, in_batches(systems, references, [3, 1]))
        return [[score.to_dict() for score in row] for row in found]

    native = scores()
    with counted_by_python():
        assert scores() == native


def test_each_batch_is_shown_in_order() -> None:
    systems = [["a", "b", "c"], ["d", "e", "f"]]
    seen: list[Counted] = []
    score_batches([TER()], in_batches(systems, ["a", "b", "c"], [2]), after_batch=seen.append)
    assert [[texts.tolist() for texts in counted.hypotheses] for counted in seen] == [
        [["a", "b"], ["d", "e"]],
        [["c"], ["f"]],
    ]
    assert [[table.rows for (table,) in counted.tables] for counted in seen] == [[2, 2], [1, 1]]


def test_batches_are_counted_one_by_one() -> None:
    """No batch is asked for before the one before it was counted and shown."""
    asked: list[int] = []
    shown: list[Counted] = []

    def batches() -> Iterator[Batch]:
        for number in range(3):
            asked.append(number)
            assert len(shown) == number
            yield [Segments(TEXT, ["a"])], Segments(TEXT, ["a"])

    score_batches([BLEU()], batches(), after_batch=shown.append)
    assert asked == [0, 1, 2]


def test_references_are_read_once_for_all_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    prepare = Metric.prepare_references

    def noting(metric: Metric, references: Any, *, threads: int = 1) -> Any:
        read.append(len(references))
        return prepare(metric, references, threads=threads)

    monkeypatch.setattr(Metric, "prepare_references", noting)
    score_batches([BLEU(), TER()], in_batches([["a", "b"]] * 4, ["a", "b"], [1]))
    assert read == [1] * 4


def test_an_error_in_a_batch_comes_through() -> None:
    def batches() -> Iterator[Batch]:
        yield [Segments(TEXT, ["a"])], Segments(TEXT, ["a"])
        raise InputError("line 2 is damaged")

    with pytest.raises(InputError, match="line 2"):
        score_batches([BLEU()], batches())


def test_files_read_in_step(tmp_path: Path) -> None:
    hypotheses = [f"the cat number {n} sat" for n in range(1000)]
    references = [f"the cat number {n + n % 3} sat down" for n in range(1000)]
    for name, texts in (("h", hypotheses), ("r", references)):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    for size in (1, 7, 999, 1000, 5000):
        stream = Parallel([Source(tmp_path / "h")], [Source(tmp_path / "r")], size)
        (found,) = score_batches(METRICS, stream)
        wanted = [metric.corpus_score(hypotheses, references) for metric in METRICS]
        assert [s.to_dict() for s in found] == [s.to_dict() for s in wanted]


SEGMENTS = 2_000_000
# Writes segments into a pipe, so that none of the corpus lies on the disk.
WRITER = """
import sys
block = "".join(sys.argv[2] % (n % 97, n % 89) + "\\n" for n in range(97 * 89)).encode()
whole, rest = divmod(int(sys.argv[1]), 97 * 89)
with open(sys.argv[3], "wb") as pipe:
    for _ in range(whole):
        pipe.write(block)
    pipe.write(b"\\n".join(block.split(b"\\n")[:rest]) + b"\\n")
"""
# Runs a command and tells the most memory it held, in kilobytes, and nothing that it printed.
MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
@pytest.mark.parametrize("level", [[], ["-s"]])
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path, level: list[str]) -> None:
    segments = SEGMENTS // 10 if level else SEGMENTS
    for name in ("h", "r"):
        os.mkfifo(tmp_path / name)
    texts = {"h": "the %d cat sat on %d", "r": "the %d cat sat down on %d"}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(segments), text, str(tmp_path / name)])
        for name, text in texts.items()
    ]
    arguments = (
        "score",
        str(tmp_path / "r"),
        "-i",
        str(tmp_path / "h"),
        "-m",
        "bleu",
        "chrf",
        "ter",
    )
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *command(*arguments, "-b", *level)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    for writer in writers:
        writer.wait(60)
    assert (done.returncode, done.stderr) == (0, "")
    unit = 1024 if sys.platform == "darwin" else 1
    kilobytes = int(done.stdout) // unit
    assert 5_000 < kilobytes < 120_000
    # Both files together are larger than what was held.
    assert level or kilobytes * 1024 < segments * len("the 10 cat sat on 10\n") * 2
