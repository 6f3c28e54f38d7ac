"""One metric, one list and one random stream, each used by many threads at once.

Run as a program: `python shared_by_threads.py`. It prints whether the global lock is on.
"""

from __future__ import annotations

import random
import sys
import threading

from bleuet import BLEU, CHRF, TER
from bleuet.metrics.base.metric import Metric
from bleuet.statistics.backend import backend

THREADS = 8


def in_threads(work: object) -> None:
    """Run a function in threads that start together, and raise what one of them raises."""
    start = threading.Barrier(THREADS)
    errors: list[BaseException] = []

    def run() -> None:
        try:
            start.wait()
            work()  # type: ignore[operator]
        except BaseException as error:  # raised again below
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def segments(count: int) -> tuple[list[str], list[str]]:
    chance = random.Random(1)
    words = ["a", "the", "cat", "sat", "MAT", "é", "猫", "on", ",", "."]
    lines = [" ".join(chance.choices(words, k=chance.randrange(30))) for _ in range(2 * count)]
    return lines[:count], lines[count:]


def test_sentences_of_one_metric() -> None:
    hypotheses, references = segments(300)
    metrics: list[Metric] = [
        BLEU(effective_order=True),
        BLEU(lowercase=True, reference_length="average"),
        CHRF(word_order=2, lowercase=True),
        TER(),
    ]
    for metric in metrics:
        expected = list(metric.sentence_scores(hypotheses, references).values)

        def score(metric: Metric = metric, expected: list[float] = expected) -> None:
            for pair, number in zip(
                zip(hypotheses, references, strict=True), expected, strict=True
            ):
                assert metric.sentence_score(*pair).score == number

        in_threads(score)


def test_corpora_of_one_metric_and_references() -> None:
    hypotheses, references = segments(200)
    metric = BLEU()
    prepared = metric.prepare_references(references)
    expected = metric.corpus_score(hypotheses, references)

    def score() -> None:
        for threads in (1, 2, 3):
            assert metric.corpus_score(hypotheses, prepared, threads=threads) == expected
            assert metric.corpus_score(hypotheses, references, threads=threads) == expected

    in_threads(score)


def test_a_list_that_changes_meanwhile() -> None:
    hypotheses, references = segments(500)
    metric = CHRF()
    shared = list(hypotheses)
    expected = len(hypotheses)

    def score() -> None:
        chance = random.Random(threading.get_ident())
        for _ in range(20):
            shared[chance.randrange(expected)] = "".join(chance.choices("abc é", k=20))
            assert metric.count(shared, references).rows == expected

    in_threads(score)


def test_one_random_stream() -> None:
    if not backend().NATIVE:
        return
    stream = backend().Pcg64([1])

    def draw() -> None:
        for _ in range(200):
            rows = memoryview(bytearray(8 * 100)).cast("q")
            stream.rows(10, rows, 100)
            assert set(rows) <= set(range(10))

    in_threads(draw)


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    is_on = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(backend().NATIVE, is_on)
