"""Systems of saved tables: which rows of which files a choice reads, and in which order."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import TER, OptionError, Table, TableError
from bleuet.evaluation.saved import SavedSystems, _overlap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Batches of a file, by their numbers of segments.
BATCHES = (3, 1, 4)
SEGMENTS = sum(BATCHES)


def rows_of(first: int, count: int) -> Table:
    """Rows that differ in all their numbers."""
    metric = TER()
    width = len(metric.columns)
    numbers = [[1000 * (first + row) + place for place in range(width)] for row in range(count)]
    split = len(metric.integer_columns)
    return Table.from_rows(
        metric.integer_columns,
        metric.real_columns,
        [[*own[:split], *map(float, own[split:])] for own in numbers],
    )


def stored(path: str, systems: Sequence[str], begin: int, *, learned: str = "") -> Any:
    """What is selected from a file, whose systems have rows of their own."""
    whole = {name: rows_of(begin + 50 * place, SEGMENTS) for place, name in enumerate(systems)}

    def stream(name: str) -> Iterator[list[Table]]:
        first = 0
        for size in BATCHES:
            yield [whole[name].select(range(first, first + size))]
            first += size

    return SimpleNamespace(
        metrics=[TER()],
        columns=[SimpleNamespace(n_references=1, learned=learned)],
        file=SimpleNamespace(path=path, systems=list(systems), segments=SEGMENTS, references=""),
        stream=stream,
        whole=whole,
    )


def test_the_rows_of_a_batch_are_those_of_the_chosen_segments() -> None:
    rng = random.Random(3)
    for _ in range(300):
        ends = sorted(rng.sample(range(1, 40), 2 * rng.randint(1, 5)))
        segments = [range(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)]
        begin = rng.randint(1, 39)
        here = range(begin, begin + rng.randint(1, 12))
        chosen = {number for part in segments for number in part}
        assert _overlap(segments, here) == [number - begin for number in here if number in chosen]


def test_systems_of_several_files_come_in_the_order_of_their_choice() -> None:
    first, second = stored("x/1.parquet", "ab", 100), stored("2.parquet", "c", 300)
    systems = SavedSystems([first, second])
    assert (systems.names, systems.segments) == (["a", "b", "c"], SEGMENTS)
    systems.choose(["c", "a"])
    # The last segment of one batch, all of the next, and the first of the last one.
    some = [range(3, 6)]
    for segments, rows in ((None, range(SEGMENTS)), (some, [2, 3, 4])):
        stream = systems.stream(segments)
        batches = list(stream.batches)
        assert stream.systems == ["c", "a"]
        assert [number for one in batches for number in one.segments] == [row + 1 for row in rows]
        for place, table in enumerate((second.whole["c"], first.whole["a"])):
            parts = [one.tables[place][0] for one in batches]
            assert Table.concatenate(parts) == table.select(rows)
    for names, message in ((["c", "c"], "named twice"), (["d"], "there is no system d in")):
        with pytest.raises(OptionError, match=message):
            systems.choose(names)
    with pytest.raises(TableError, match="no segment 9; the tables have the segments 1 to 8"):
        list(systems.stream([range(7, 10)]).batches)
    list(systems.stream([range(7, 9)]).batches)


def test_further_segments_follow_in_the_order_of_the_files() -> None:
    files = [stored(f"{number}.parquet", "ab", 100 * number) for number in (1, 2)]
    systems = SavedSystems(files, append=True)
    assert (systems.names, systems.segments) == (["a", "b"], 2 * SEGMENTS)
    evaluation = systems.stream().evaluation()
    for name in "ab":
        (table,) = evaluation.tables[name]
        assert table == Table.concatenate([file.whole[name] for file in files])
    with pytest.raises(TableError, match=r"1.parquet has a, b and 3.parquet has a, c"):
        SavedSystems([files[0], stored("3.parquet", "ac", 0)], append=True)


def test_systems_of_one_name_have_that_of_their_file_or_its_path() -> None:
    for paths, names in (
        (("x/1.parquet", "x/2.parquet"), ["1.parquet:a", "2.parquet:a"]),
        (("x/1.parquet", "y/1.parquet"), ["x/1.parquet:a", "y/1.parquet:a"]),
    ):
        assert SavedSystems([stored(path, "a", 0) for path in paths]).names == names
    with pytest.raises(OptionError, match="x:a is named twice"):
        SavedSystems([stored("x", "a", 0), stored("x", "a", 0)])


@pytest.mark.parametrize("append", [True, False])
def test_weights_learned_from_other_references_are_rejected(append: bool) -> None:
    files = [stored("1", "a", 0, learned="x"), stored("2", "a", 0), stored("3", "a", 0)]
    SavedSystems(files, append=append)
    files[2] = stored("3", "a", 0, learned="y")
    with pytest.raises(TableError, match="from other references for 1 than for 3"):
        SavedSystems(files, append=append)
