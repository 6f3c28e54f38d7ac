"""Rows and scores, in batches and shared by metrics, are those of each metric and whole corpora."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.engines import counting
from bleuet.engines.counting import (
    count_batches,
    count_systems,
    group_by_counting,
    keep_counted,
    score_batches,
)
from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.metrics.errant import ERRANT
from bleuet.metrics.mean_bleu import MeanBLEU
from bleuet.metrics.ter.metric import TER
from bleuet.statistics.counted import Counted
from bleuet.text.m2 import AnnotatedSentence, read_sentences
from bleuet.text.parallel import Parallel
from bleuet.text.segments import TEXT, Segments
from bleuet.text.source import Source
from tests.backends import HAS_KERNEL, counted_by_python
from tests.cli.conftest import command, environment
from tests.contract.settings import all_settings, with_made_edits, with_made_sources
from tests.corpora.any_text import References
from tests.corpora.any_text import corpora as text_corpora
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.engines.counting import Batch


def some_metrics() -> list[Metric]:
    return [
        BLEU(),
        BLEU(reference_length="average", max_ngram_order=3, smooth="floor"),
        BLEU(tokenize="char", lowercase=True),
        CHRF(),
        CHRF(word_order=2, eps_smoothing=True),
        TER(),
        TER(normalized=True, no_punct=True),
    ]


@cache
def all_metrics() -> tuple[Metric, ...]:
    return tuple(setting.metric() for setting in all_settings() if not setting.token_ids)


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
    metrics = some_metrics()
    found = score_batches(metrics, in_batches(systems, references, sizes), threads=threads)
    wanted = [[metric.corpus_score(texts, references) for metric in metrics] for texts in systems]
    assert [[s.score for s in row] for row in found] == [[s.score for s in row] for row in wanted]
    assert [[s.to_dict() for s in row] for row in found] == [
        [s.to_dict() for s in row] for row in wanted
    ]


@given(corpora(), st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_rows_of_batches_are_the_rows_of_the_whole(
    corpus: tuple[list[list[str]], list[Any]], sizes: list[int]
) -> None:
    systems, references = corpus
    metrics = some_metrics()
    counted = list(count_batches(metrics, in_batches(systems, references, sizes)))
    for s, texts in enumerate(systems):
        for m, metric in enumerate(metrics):
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


def test_batches_come_in_order_with_the_numbers_of_their_segments() -> None:
    systems = [["a", "b", "c"], ["d", "e", "f"]]
    counted = list(count_batches([TER()], in_batches(systems, ["a", "b", "c"], [2])))
    assert [list(batch.segments) for batch in counted] == [[1, 2], [3]]
    assert [[table.rows for (table,) in batch.tables] for batch in counted] == [[2, 2], [1, 1]]


def test_batches_are_counted_one_by_one() -> None:
    """No batch is asked for before the one before it was counted and used."""
    asked: list[int] = []
    used: list[Counted] = []

    def batches() -> Iterator[Batch]:
        for number in range(3):
            asked.append(number)
            assert len(used) == number
            yield [Segments(TEXT, ["a"])], Segments(TEXT, ["a"])

    for counted in count_batches([BLEU()], batches()):
        used.append(counted)
    assert asked == [0, 1, 2]


def test_rows_that_are_kept_are_those_of_the_whole() -> None:
    systems, references = [["a b", "b", "c"], ["d", "a", "f"]], ["a", "b", "c"]
    kept = keep_counted(count_batches(some_metrics(), in_batches(systems, references, [2])))
    assert kept == count_systems(some_metrics(), systems, references)


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


@pytest.mark.slow
def test_files_read_in_step(tmp_path: Path) -> None:
    hypotheses = [f"the cat number {n} sat" for n in range(1000)]
    references = [f"the cat number {n + n % 3} sat down" for n in range(1000)]
    for name, texts in (("h", hypotheses), ("r", references)):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    for size in (1, 7, 999, 1000, 5000):
        stream = Parallel([Source(tmp_path / "h")], [Source(tmp_path / "r")], size)
        (found,) = score_batches(some_metrics(), stream)
        wanted = [metric.corpus_score(hypotheses, references) for metric in some_metrics()]
        assert [s.to_dict() for s in found] == [s.to_dict() for s in wanted]


@given(text_corpora, st.sampled_from([1, 2, counting.BATCH]))
@examples(10)
def test_tables_are_those_of_each_metric_alone(
    segments: tuple[list[str], References], batch: int
) -> None:
    hypotheses, references = segments
    # Metrics that read no sources or edits take these texts as they take others.
    hypotheses = with_made_edits(ERRANT(), hypotheses)
    references = with_made_sources(ERRANT(), references)
    others = list(reversed(hypotheses))
    with patch.object(counting, "BATCH", batch):
        tables = count_systems(all_metrics(), [hypotheses, others], references)
    for texts, of_system in zip((hypotheses, others), tables, strict=True):
        for metric, table in zip(all_metrics(), of_system, strict=True):
            assert table == metric.count(texts, references), metric


def test_smoothings_are_counted_once_and_what_moves_counts_is_not() -> None:
    metrics = [
        BLEU(),
        BLEU(smooth="floor", effective_order=True),
        TER(),
        BLEU(max_ngram_order=6),
        BLEU(lowercase=True),
        BLEU(reference_length="shortest"),
        # The reference that counts is the one with the best F, so beta moves counts.
        CHRF(),
        CHRF(beta=3),
        BLEU(max_ngram_order=2, weights=(0.5, 0.5)),
    ]
    groups = group_by_counting(metrics)
    assert [places for _, places in groups] == [[0, 1, 3, 8], [2], [4], [5], [6], [7]]
    assert groups[0][0] is metrics[3]


def test_a_mean_of_sentences_shares_the_counts_of_bleu() -> None:
    groups = group_by_counting(
        [MeanBLEU(), BLEU(), MeanBLEU(weighting="plain"), BLEU(smooth="none")]
    )
    assert [places for _, places in groups] == [[0, 1, 2, 3]]
    assert [places for _, places in group_by_counting([MeanBLEU(lowercase=True), BLEU()])] == [
        [0],
        [1],
    ]


def test_token_ids_are_counted() -> None:
    metrics: list[Metric] = [BLEU(tokenize="ids"), TER(tokenize="ids")]
    for systems in ([[[1, 2]]], [[[1, 2]], [[1, 3]]]):
        tables = count_systems(metrics, systems, [[1, 2]])
        assert tables == [[m.count(ids, [[1, 2]]) for m in metrics] for ids in systems]


def test_every_metric_is_in_one_group() -> None:
    places = [place for _, group in group_by_counting(all_metrics()) for place in group]
    assert sorted(places) == list(range(len(all_metrics())))


def test_scoring_options_are_options() -> None:
    for metric in all_metrics():
        assert metric.rescoring_options(None) <= set(metric._fields)


def test_threads_are_handed_on() -> None:
    with pytest.raises(OptionError, match="threads"):
        count_systems([TER()], [["a"]], ["a"], threads=-1)


SEGMENTS = 1_200_000
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


@pytest.mark.slow
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
    assert level or kilobytes * 1024 < segments * len("".join(texts.values()))


@pytest.mark.parametrize("more", [1, 5, -1])
def test_no_hypothesis_is_left_out(more: int) -> None:
    """Batches have as many hypotheses as references, also where a batch is full."""
    with patch.object(counting, "BATCH", 2):
        for references in (["a b"] * 4, ["a b"] * 5):
            hypotheses = ["a b"] * (len(references) + more)
            found = f"{len(hypotheses)} hypotheses but {len(references)} references"
            with pytest.raises(InputError, match=found):
                counting.count_systems([BLEU()], [references, hypotheses], references)


def test_progress_is_reported_after_each_batch() -> None:
    texts = ["a b"] * 5
    calls: list[tuple[int, int]] = []
    with patch.object(counting, "BATCH", 2):
        counting.count_systems(
            [BLEU()], [texts], texts, progress=lambda *counts: calls.append(counts)
        )
        counting.count_systems([BLEU()], [texts], texts)
    assert calls == [(2, 5), (4, 5), (5, 5)]


def test_each_system_goes_on_where_it_ended_itself() -> None:
    """ERRANT chooses the annotator of a sentence by the edits of this system before it."""
    end = "REQUIRED|||-NONE-|||"

    def edits(word: str, places: int = 10) -> list[str]:
        return [f"A {place} {place + 1}|||R|||{word}|||{end}0" for place in range(places)]

    def sentences(*several: list[str]) -> list[AnnotatedSentence]:
        lines = [line for own in several for line in ("S a b c d e f g h i j", *own, "")]
        return read_sentences(lines, "a.m2")

    # Whoever was right before does best without an edit in the second sentence; whoever was wrong
    # needs the one that is right.
    unchanged = f"A -1 -1|||noop|||-NONE-|||{end}1"
    references: list[Any] = [
        one.references() for one in sentences(edits("x"), [*edits("x"), unchanged])
    ]
    right, wrong = (
        list[Any](one.hypothesis for one in sentences(edits(word), edits("x", 1))) for word in "xy"
    )
    for systems in ([right, wrong, right], [wrong, right, wrong]):
        found = score_batches([BLEU(), ERRANT()], in_batches(systems, references, [1]))
        for own, (_, score) in zip(systems, found, strict=True):
            assert score.to_dict() == ERRANT().corpus_score(own, references).to_dict()


def test_a_warning_names_the_system_that_it_is_about() -> None:
    hypotheses = [["a b", "a b"], ["a b", ""]]
    segments = [Segments(TEXT, texts) for texts in hypotheses]
    count_systems([BLEU()], segments, ["a b", "a b"], names=["first", "second"])
    assert [one.system for one in segments] == ["first", "second"]


def test_a_batch_is_a_pair_of_hypotheses_and_references() -> None:
    texts = Segments(TEXT, ["a b"])
    for wrong in ("ab", [[texts], texts], ([texts],), ([texts], texts, texts), None):
        with pytest.raises(InputTypeError, match="each batch must be a tuple of hypotheses and"):
            score_batches([BLEU()], [wrong])  # type: ignore[list-item]
