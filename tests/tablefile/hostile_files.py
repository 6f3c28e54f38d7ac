"""Reads files of saved tables that were damaged or edited at random; run as a program.

Each case ends in the numbers that were saved, or in an `InputError`. Only where the checksums were
computed anew can there be other numbers, which are possible ones, or another error of bleuet. The
program prints the number of each case before it, so that one that ends the process is known.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import warnings
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as arrow

from bleuet import BLEU, CHRF, TER, BleuetError, InputError, load_tables, save_tables
from bleuet.evaluation.evaluation import Evaluation
from bleuet.evaluation.saved import open_saved
from bleuet.metrics.mean_bleu import MeanBLEU
from tests.tablefile.edited_files import description_of, rewrite

if TYPE_CHECKING:
    from collections.abc import Callable

# Beyond what reading the whole file takes; the library reserves more than it uses.
MEMORY = 1 << 30
REFERENCES = ["The bridge was closed .", "Ask down at the harbour .", "", "No one knows why ."] * 3
SYSTEMS = {
    "one": ["A bridge was closed .", "Ask at the harbour .", "It", "No one knows"] * 3,
    "two": ["The bridge is closed", "Go down to the port .", "", "Who knows why ."] * 3,
}
HOSTILE: list[Any] = [
    None, True, -1, 0, 1, 2, 3, 11, 13, 2**31, 2**63, -(2**63), 10**9, 10**400, 0.5, 1e308,
    float("nan"), float("inf"), "", "one", "two", "three", "x" * 5000, "\ud800", "\x1b[2J", "a\nb",
    "BLEU", "TER", "BLEU|nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:2", "chrF2|nrefs:1",
    "00000000", [], {}, [[]], ["one"], ["one", "one"], ["two", "one"], ["one", "two", "two"], [{}],
    [None],
]  # fmt: skip
COUNTS: list[Any] = [-1, 0, 1, 2, 7, 10**6, 2**32, 2**32 + 1, 2**62, -(2**63), 2**63 - 1]
REALS: list[Any] = [*map(float, COUNTS), 0.5, 1e-300, 1e300, float("nan"), float("inf"), -0.0]


def save(path: str) -> None:
    metrics = [BLEU(), TER(), CHRF(word_order=1), MeanBLEU(weighting="plain")]
    tables = [
        (name, metric, metric.count(texts, REFERENCES))
        for name, texts in SYSTEMS.items()
        for metric in metrics
    ]
    save_tables(path, tables, REFERENCES)


def everything(path: str) -> Any:
    """Return all that can be read from a file, by every way that reads it."""
    loaded = load_tables(path)
    systems = open_saved([path], ["bleu:max_ngram_order=2", "mean-bleu:weighting=plain"])
    parts = [list(one.tables) for one in systems.stream().batches]
    scores = [one.score().score for one in loaded]
    names = Evaluation.from_saved(loaded).systems
    for score in scores:
        if not isfinite(score) or score < 0:
            raise AssertionError(f"a score of {score}")
    bounded = [s for one, s in zip(loaded, scores, strict=True) if not isinstance(one.metric, TER)]
    if max(bounded) > 100.1:
        raise AssertionError(f"a score of {max(bounded)}")
    signatures = [one.metric.signature(one.table.n_references).full() for one in loaded]
    return loaded, parts, names, signatures, {one.references for one in loaded}


# --- Damage ---------------------------------------------------------------------------------------


def damaged(rng: random.Random, whole: bytes) -> bytes:
    """Change some bytes, those of the index as often as those of all pages."""
    index = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    start = rng.choice([0, index, len(whole) - 12])
    at = rng.randrange(start, len(whole))
    kind = rng.randrange(6)
    if kind == 0:
        return whole[:at]
    changed = bytearray(whole)
    if kind == 1:
        changed[at : at + rng.randrange(1, 9)] = rng.randbytes(rng.randrange(9))
    elif kind == 2:
        changed[at : at + 4] = rng.choice([b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\xff\xff\xff\xff"])
    elif kind == 3:
        size = rng.randrange(1, 200)
        changed[at : at + size] = whole[(other := rng.randrange(len(whole))) : other + size]
    else:
        for _ in range(rng.choice([1, 1, 1, 3, 9])):
            changed[rng.randrange(start, len(whole))] ^= 1 << rng.randrange(8)
    return bytes(changed)


# --- Edits ----------------------------------------------------------------------------------------


def edited(rng: random.Random, path: str) -> bool:
    """Edit the description, the table or the form of a file; return whether checksums are new."""
    description, change, settings = description_of(path), None, {}
    checksums = rng.random() < 0.5
    kind = rng.randrange(4)
    if kind == 0:
        edit_value(rng, description)
    elif kind == 1:
        change = edit_of_number(rng)
    elif kind == 2:
        change = edit_of_table(rng)
    else:
        settings = form(rng)
        change = rng.choice([None, edit_of_number(rng)])
    rewrite(path, description, change, checksums=checksums, **settings)
    return checksums


def edit_value(rng: random.Random, value: Any) -> None:
    """Replace, remove or add a value anywhere in JSON."""
    while True:
        key = rng.choice(sorted(value)) if isinstance(value, dict) else rng.randrange(len(value))
        if not value[key] or not isinstance(value[key], dict | list) or rng.random() < 0.2:
            break
        value = value[key]
    if rng.random() < 0.1:
        del value[key]
    elif rng.random() < 0.2 and isinstance(value[key], list):
        rng.shuffle(value[key])
    elif rng.random() < 0.2 and isinstance(value[key], str):
        value[key] = value[key].replace(rng.choice("013:|cBa"), rng.choice("0:|29a"))
    else:
        value[key] = rng.choice(HOSTILE)


def edit_of_number(rng: random.Random) -> Callable[[Any], Any]:
    def change(table: Any) -> Any:
        name = rng.choice(table.schema.names)
        column = table[name].to_pylist()
        kind = table.schema.field(name).type
        if rng.random() < 0.3:
            i, j = rng.randrange(len(column)), rng.randrange(len(column))
            column[i], column[j] = column[j], column[i]
        elif rng.random() < 0.05:
            column[rng.randrange(len(column))] = None
        elif arrow.types.is_floating(kind):
            column[rng.randrange(len(column))] = rng.choice(REALS)
        elif arrow.types.is_integer(kind):
            at = rng.randrange(len(column))
            column[at] = rng.choice([*COUNTS, column[at] + 1, column[at] - 1])
        else:
            column[rng.randrange(len(column))] = rng.choice(["one", "two", "three", "x" * 100_000])
        values = arrow.array(column, kind.value_type if arrow.types.is_dictionary(kind) else kind)
        return table.set_column(table.schema.get_field_index(name), name, values)

    return change


def edit_of_table(rng: random.Random) -> Callable[[Any], Any]:
    def change(table: Any) -> Any:
        names = table.schema.names
        at = rng.randrange(len(names))
        other = rng.choice(names)
        kinds = [arrow.int32(), arrow.float64(), arrow.string(), arrow.uint64(), arrow.bool_()]
        rows = table.num_rows
        edits: list[Callable[[], Any]] = [
            lambda: table.drop_columns([names[at]]),
            lambda: table.append_column(names[at], table[other]),
            lambda: table.append_column("more", table[other]),
            lambda: table.rename_columns([*names[:at], other, *names[at + 1 :]]),
            lambda: table.set_column(at, names[at], table[other]),
            lambda: table.set_column(at, names[at], arrow.nulls(rows, rng.choice(kinds))),
            lambda: table.set_column(at, names[at], arrow.array([[1]] * rows)),
            lambda: table.set_column(at, names[at], arrow.array([{"a": 1}] * rows)),
            lambda: table.select(rng.sample(names, len(names))),
            lambda: table.slice(0, rng.randrange(rows)),
            lambda: table.take(rng.sample(range(rows), rows)),
            lambda: arrow.concat_tables([table] * rng.randrange(1, 4)),
            lambda: table.take([row for i in range(rows // 2) for row in (i, i + rows // 2)]),
        ]
        return rng.choice(edits)()

    return change


def form(rng: random.Random) -> dict[str, Any]:
    """Settings of the library that change the form of a file and not its numbers."""
    settings: dict[str, Any] = {
        "compression": rng.choice(["none", "snappy", "gzip", "brotli", "zstd", "lz4"]),
        "use_dictionary": rng.choice([True, False, ["system"]]),
        "version": rng.choice(["1.0", "2.4", "2.6"]),
        "data_page_version": rng.choice(["1.0", "1.0", "2.0"]),
        "data_page_size": rng.choice([1, 64, 1 << 20]),
        "write_statistics": rng.choice([True, False]),
        "write_page_index": rng.choice([True, False]),
        "write_page_checksum": rng.choice([True, False]),
    }
    if settings["use_dictionary"] is False and rng.random() < 0.5:
        settings["column_encoding"] = {"segment": rng.choice(["DELTA_BINARY_PACKED", "PLAIN"])}
    return settings


# --- Cases ----------------------------------------------------------------------------------------


def run(folder: Path, number: int, whole: bytes, expected: Any) -> str:
    """Run one case; return the error that it ended in, or ""."""
    rng = random.Random(number)
    path = str(folder / "hostile.parquet")
    checksums = False
    if number % 2:
        Path(path).write_bytes(damaged(rng, whole))
    else:
        Path(path).write_bytes(whole)
        try:
            checksums = edited(rng, path)
        except (arrow.ArrowException, ValueError, TypeError, LookupError, OverflowError):
            return "the library does not write it"
    try:
        found = everything(path)
    except BleuetError as error:
        if not (checksums or isinstance(error, InputError)) or len(str(error).splitlines()) != 1:
            raise AssertionError(repr(error)) from error
        return type(error).__name__
    if not checksums and found != expected:
        raise AssertionError("other numbers")
    return ""


def main() -> None:
    folder, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    warnings.simplefilter("ignore")
    path = str(folder / "whole.parquet")
    save(path)
    whole, expected = Path(path).read_bytes(), everything(path)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    ended: dict[str, int] = {}
    faults: dict[str, str] = {}
    for number in range(first, last):
        print(number, file=sys.stderr, flush=True)
        try:
            how = run(folder, number, whole, expected)
        except Exception as error:
            how = "fault"
            faults[str(number)] = f"{type(error).__name__}: {error}"[:200]
        ended[how] = ended.get(how, 0) + 1
    print(json.dumps({"ended": ended, "faults": faults}))


if __name__ == "__main__":
    main()
