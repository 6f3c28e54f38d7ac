"""No size, buffer or thread makes the kernel read or write where it must not."""

from __future__ import annotations

import subprocess
import sys
from array import array
from typing import TYPE_CHECKING, Any

import pytest

from tests.backends import HAS_KERNEL, kernel
from tests.evaluation_data import REPOSITORY

if HAS_KERNEL:
    from tests.statistics.kernel_calls import CALLS, all_calls, doubles, integers, scorer

if TYPE_CHECKING:
    from collections.abc import Callable

needs_kernel = pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
pytestmark = [needs_kernel, pytest.mark.slow]

PARTS = 8


def run(*arguments: str) -> str:
    """Return what a process printed that must not crash."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_all_that_the_kernel_has_is_called() -> None:
    module = kernel()
    # Bases of other counters, and what only methods return.
    others = {"BleuRows", "CrystalBleuRows", "MeteorRows", "Intervals", "LearnedReferences"}
    names = {
        name for name in dir(module) if not name.startswith("_") and callable(getattr(module, name))
    }
    assert names - others - set(all_calls()) == set()


# A process tries several, since it takes longer to start than to call them.
@pytest.mark.parametrize("part", range(PARTS))
def test_a_wrong_size_is_an_exception(part: int) -> None:
    names = sorted(all_calls())[part::PARTS]
    *begun, last = run("-m", "tests.statistics.kernel_calls", *names).splitlines()
    assert last == "all were called"
    # A size of 0 means nothing to do.
    assert [line for line in begun if not line.endswith("=0")] == names


def writing_calls() -> list[tuple[Callable[..., Any], dict[str, Any], str]]:
    found = [
        (call, right, name)
        for call, right in CALLS.values()
        for name, value in right.items()
        if isinstance(value, array)
    ]
    counter, rows = kernel().WerCounter, ["a b", "a"]

    def table(**columns: Any) -> None:
        options = {
            "moves": "none", "characters": False, "lowercase": False, "no_punct": False,
            "whitespace": "keep",
        }  # fmt: skip
        made = counter(**options)
        made.table("text", rows, rows, columns["integer_columns"], bytearray())

    sizes = counter(
        moves="none", characters=False, lowercase=False, no_punct=False, whitespace="keep"
    ).integers
    return [*found, (table, {"integer_columns": integers(2 * sizes)}, "integer_columns")]


def test_numbers_of_another_type_are_refused() -> None:
    """`table` wrote integers into an array of real numbers."""
    for call, right, name in writing_calls():
        value = right[name]
        call(**right)
        for code in "dqfiu":
            if code == value.typecode:
                continue
            size = len(value) * value.itemsize
            wrong = array(code)
            wrong.frombytes(bytes(size - size % wrong.itemsize))
            with pytest.raises((TypeError, ValueError), match="buffer"):
                call(**{**right, name: wrong})


def test_buffers_that_cannot_be_written_are_refused() -> None:
    module = kernel()
    out = integers(6)
    select = CALLS["select_integers"][1]
    module.select_integers(**select | {"out": out})
    for wrong in (bytes(48), memoryview(out).toreadonly()):
        with pytest.raises(BufferError):
            module.select_integers(**select | {"out": wrong})
    with pytest.raises(BufferError):
        module.select_integers(**select | {"out": memoryview(integers(12))[::2]})
    with pytest.raises((BufferError, TypeError)):
        scorer().scores(integers(20), b"", 2, memoryview(doubles(2)).toreadonly())


# Another thread writes numbers that lead out of all tables, and makes buffers longer and shorter.
CHANGING = """
import sys, threading
from array import array
from bleuet.statistics import _kernel
sys.setswitchinterval(1e-5)
segments = 20_000
numbers = bytearray(array("i", [1, 2, 3] * segments))
ends = bytearray(array("q", range(3, 3 * segments + 1, 3)))
groups = bytearray(array("q", range(1, segments + 1)))
chosen = bytearray(array("q", [0] * segments))
stop = False

def change():
    wrong = bytes([255, 255, 255, 127])
    while not stop:
        for buffer in (numbers, ends, groups, chosen):
            before = bytes(buffer[:4000])
            for at in range(0, 4000, 4):
                buffer[at:at + 4] = wrong
            buffer[:4000] = before
            try:
                buffer.extend(bytes(1 << 20))
                del buffer[-(1 << 20):]
            except BufferError:
                pass

thread = threading.Thread(target=change)
thread.start()
done = 0
try:
    for _ in range(30):
        texts, references = (numbers, ends), (numbers, ends, groups)
        table = [(array("q", [1] * segments), 1, b"", 0, array("q", [0]), b"")]
        for call in (
            lambda: _kernel.count_words(texts, references, 10),
            lambda: _kernel.match_ngrams([texts], references, 10, 4),
            lambda: _kernel.match_mean_ngrams(texts, texts, array("d", [1.0] * segments), 10, 2),
            lambda: _kernel.sum_given_draws(chosen, table, segments, 1),
        ):
            try:
                call()
                done += 1
            except (IndexError, ValueError, BufferError):
                pass
finally:
    stop = True
    thread.join()
print("finished")
"""


def test_other_threads_may_change_buffers() -> None:
    assert run("-c", CHANGING) == "finished\n"


# The memory that stays after one long segment, in megabytes.
LONG = """
import sys
from bleuet.metrics.catalogue import make_metric
def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20
metric = make_metric(sys.argv[1])
metric.sentence_score("a b c", "a b c")
before = megabytes()
long = "abc def gh " * 800_000
metric.sentence_score(long, long)
del long
print(megabytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("name", ["bleu", "chrf"])
def test_a_long_segment_leaves_little_memory(name: str) -> None:
    """Before, 257 MB (BLEU) to 692 MB (chrF) stayed until the counter was deleted."""
    assert float(run("-W", "ignore", "-c", LONG, name)) < 60
