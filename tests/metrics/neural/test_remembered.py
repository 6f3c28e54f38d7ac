"""What models have computed is kept on disk, by two processes at once and whatever happens."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.errors import BleuetWarning
from bleuet.metrics.neural.remembered import Remembered, key_of
from tests.metrics.neural.conftest import TRIPLES, rows

if TYPE_CHECKING:
    from collections.abc import Callable

VALUES = {key_of((f"text {number}",), ""): bytes([number % 256]) * 100 for number in range(500)}


def kept(**options: Any) -> Remembered:
    return Remembered("weights", on_disk=True, **options)


def file_of(cache: Path, weights: str = "weights") -> Path:
    return cache / f"{weights}.sqlite"


def comet(folder: Path, **options: Any) -> Any:
    from bleuet.metrics.neural.comet.metric import COMET

    return COMET(model=str(folder), **options)


def fresh() -> None:
    """Forget the models in memory, as another process would not have them."""
    from bleuet.metrics.neural.metric import forget_models

    forget_models()


def test_keys_tell_texts_apart() -> None:
    several = [("a", "b"), ("ab",), ("a", None), ("a", ""), ("a",), ("1:a",), ("", "a")]
    assert len({key_of(one, "") for one in several}) == len(several)
    assert key_of(("a",), "x") != key_of(("a",), "y")
    assert key_of(("\ud800",), "") != key_of(("\ud801",), "")


def test_values_are_there_in_the_next_run(own_cache: Path) -> None:
    kept().keep(VALUES)
    assert kept().find([*VALUES, b"another"]) == VALUES
    assert Remembered("weights", on_disk=False).find(VALUES) == {}
    assert Remembered("others", on_disk=True).find(VALUES) == {}
    assert file_of(own_cache).stat().st_mode & 0o777 in (0o600, 0o644)


def test_memory_and_disk_have_limits(own_cache: Path) -> None:
    small = kept(most_in_memory=1000, most_on_disk=40_000)
    for key, value in VALUES.items():
        small.keep({key: value})
    assert small._held <= 1000
    left = kept().find(VALUES)
    assert 0 < len(left) < len(VALUES)
    # The oldest go first.
    assert list(VALUES)[-1] in left
    assert next(iter(VALUES)) not in left
    assert file_of(own_cache).stat().st_size < 100_000


def test_many_values_come_from_memory_and_from_disk() -> None:
    """More than the file is asked for at once; it has the earlier ones, memory the others."""
    many = {key_of((f"text {number}",), "many"): b"%d" % number for number in range(1300)}
    keys = list(many)
    kept().keep({key: many[key] for key in keys[:1200]})
    remembered = kept()
    remembered.keep({key: many[key] for key in keys[1200:]})
    assert remembered.find([keys[3], keys[1250], b"another", keys[1199]]) == {
        key: many[key] for key in (keys[3], keys[1250], keys[1199])
    }
    assert remembered.find(reversed(keys)) == many


def test_values_that_were_used_last_stay_in_memory() -> None:
    small = Remembered("weights", on_disk=False, most_in_memory=500)
    first, second, *others = list(VALUES.items())[:6]
    small.keep(dict([first, second]))
    # A value that is kept again takes the same room.
    for _ in range(9):
        small.keep(dict([first, second]))
    small.keep(dict(others[:3]))
    assert small.find(VALUES) == dict([first, second, *others[:3]])
    assert small.find([first[0]]) == dict([first])
    small.keep(dict(others[3:]))
    assert small.find(VALUES) == dict([first, *others])


def _keep_some(first: int) -> None:
    for place, (key, value) in enumerate(VALUES.items()):
        if place % 4 == first:
            kept().keep({key: value})


@pytest.mark.slow
def test_several_processes_at_once() -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_keep_some, args=(first,)) for first in range(4)]
    for one in processes:
        one.start()
    for one in processes:
        one.join(60)
        assert one.exitcode == 0
    assert kept().find(VALUES) == VALUES


@pytest.mark.neural
@pytest.mark.parametrize("change", ["cut", "edited", "other", "empty"])
def test_a_damaged_file_is_made_again(
    change: str, own_cache: Path, folder_of: Callable[[str], Path]
) -> None:
    metric = comet(folder_of("kiwi"))
    expected = rows(metric, TRIPLES)
    file = file_of(own_cache, metric.network.weights)
    fresh()
    del metric
    # Its connection, which would keep others waiting, ends with it.
    gc.collect()
    sqlite3.connect(file).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    content = file.read_bytes()
    changed = {
        "cut": content[: len(content) // 2],
        "edited": content[:4096] + b"\xff" * (len(content) - 4096),
        "other": b"this is no database" * 500,
        "empty": b"",
    }
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)
    file.write_bytes(changed[change])
    if change == "empty":
        assert rows(comet(folder_of("kiwi")), TRIPLES) == expected
    else:
        with pytest.warns(BleuetWarning, match="texts are encoded again"):
            assert rows(comet(folder_of("kiwi")), TRIPLES) == expected
    fresh()
    assert rows(comet(folder_of("kiwi")), TRIPLES) == expected
    fresh()
    assert rows(comet(folder_of("kiwi")), TRIPLES) == expected


def neural(name: str, folder: Path, **options: Any) -> Any:
    """The metric of a small model."""
    from bleuet.metrics.neural.bertscore import BERTScore
    from bleuet.metrics.neural.bleurt import BLEURT
    from bleuet.metrics.neural.metricx import MetricX

    if name == "bert":
        return BERTScore(**{"model": str(folder), "layer": 2, **options})
    if name == "bleurt-20":
        return BLEURT(model=str(folder), **options)
    if name == "metricx":
        own = {"model": str(folder), "tokenizer": str(folder / "tokenizer"), "version": "24"}
        return MetricX(**{**own, **options})
    return comet(folder, **options)


# What decides a model's numbers, besides its files.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "bert": [{"layer": 1}, {"idf": True}, {"dtype": "bfloat16"}],
    "bleurt-20": [{"gelu": "tanh"}, {"dtype": "bfloat16"}],
    "metricx": [{"version": "23"}, {"max_tokens": 24}, {"dtype": "bfloat16"}],
    "regression-sparsemax": [{"mix": "softmax"}, {"dtype": "bfloat16"}],
}


@pytest.mark.neural
@pytest.mark.parametrize("name", OPTIONS)
def test_results_of_other_options_are_not_taken(
    name: str, folder_of: Callable[[str], Path]
) -> None:
    """The weights are the same, and so is the file in which results are kept."""
    ways = [{}, *OPTIONS[name]]
    some = [TRIPLES[0], TRIPLES[2], TRIPLES[-1]]
    alone = []
    for options in ways:
        fresh()
        alone.append(rows(neural(name, folder_of(name), cache=False, **options), some))
    assert all(found not in alone[:place] for place, found in enumerate(alone))
    for _ in range(2):
        for options, expected in zip(ways, alone, strict=True):
            fresh()
            assert rows(neural(name, folder_of(name), **options), some) == expected, options


@pytest.mark.neural
@pytest.mark.parametrize(("name", "option"), [("kiwi", "encoder"), ("metricx", "tokenizer")])
def test_another_tokenizer_is_another_model(
    name: str, option: str, tmp_path: Path, folder_of: Callable[[str], Path]
) -> None:
    """The weights are the same, and what they read is not."""
    folder = folder_of(name)
    other = {option: str(shutil.copytree(folder / option, tmp_path / option))}
    file = tmp_path / option / "tokenizer.json"
    described = json.loads(file.read_text("utf-8"))
    steps = [{"type": "Lowercase"}, described["normalizer"]]
    described["normalizer"] = {
        "type": "Sequence",
        "normalizers": [step for step in steps if step is not None],
    }
    file.write_text(json.dumps(described), "utf-8")
    expected = rows(neural(name, folder, cache=False, **other), TRIPLES)
    assert rows(neural(name, folder), TRIPLES) != expected
    fresh()
    assert rows(neural(name, folder, **other), TRIPLES) == expected


def test_an_edited_value_is_not_used(own_cache: Path) -> None:
    kept().keep(VALUES)
    with sqlite3.connect(file_of(own_cache)) as connection:
        connection.execute("UPDATE kept SET value = zeroblob(20) WHERE rowid % 2")
    found = kept().find(VALUES)
    assert 0 < len(found) < len(VALUES)
    assert found.items() <= VALUES.items()


@pytest.mark.neural
def test_a_full_disk_is_no_error(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, folder_of: Callable[[str], Path]
) -> None:
    from bleuet.metrics.neural.remembered import Remembered as Real

    def full(self: Real) -> sqlite3.Connection:
        connection = opened(self)
        connection.execute("PRAGMA max_page_count = 3")
        return connection

    opened = Real._open
    monkeypatch.setattr(Real, "_open", full)
    with pytest.warns(BleuetWarning, match="database or disk is full.*texts are encoded again"):
        found = rows(comet(folder_of("referenceless")), TRIPLES)
    fresh()
    assert found == rows(comet(folder_of("referenceless"), cache=False), TRIPLES)


@pytest.mark.neural
def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder_of: Callable[[str], Path]
) -> None:
    file = tmp_path / "a file"
    file.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    fresh()
    with pytest.warns(BleuetWarning, match="texts are encoded again"):
        rows(comet(folder_of("kiwi")), TRIPLES[:2])


def _read_as_another(several: list[list[bytes]], out: Any) -> None:
    if os.geteuid() == 0:  # whom no permission stops
        os.setuid(65534)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = []
        for keys in several:
            remembered = kept()
            found.append(remembered.find(keys))
            remembered.keep({b"new": b"value"})
            found[-1] |= remembered.find(keys)
        out.send((found, [str(one.message) for one in caught]))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["file", "folder", "journal"])
def test_results_that_cannot_be_written_are_read(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a cache that users share: on a file of another, or in a folder of another."""
    with tempfile.TemporaryDirectory() as shared:
        monkeypatch.setenv("XDG_CACHE_HOME", shared)
        kept().keep(VALUES)
        gc.collect()
        file = Path(shared, "bleuet", "models", "weights.sqlite")
        assert file.is_file()
        for path in (Path(shared), *Path(shared).rglob("*")):
            path.chmod((0o777 if mode == "file" else 0o555) if path.is_dir() else 0o444)
        if mode == "journal":
            Path(f"{file}-wal").touch(0o444)
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=_read_as_another, args=([[*VALUES]] * 2, theirs))
        process.start()
        theirs.close()
        found, said = ours.recv()
        process.join()
    assert found == [VALUES, VALUES]
    (sentence,) = said
    assert "cannot be written" in sentence
    assert sentence.endswith("what is in it is used, and new results are not kept")


SCORE = """
import sys
from bleuet import with_sources
from bleuet.metrics.neural.comet import metric as module
from bleuet.metrics.neural.comet.metric import COMET

original = module.encode
reports = []
def slowly(models, inputs, padding, run, done):
    def reported(batch, results):
        done(batch, results)
        print(len(batch), flush=True)
        reports.append(batch)
        if len(reports) == 3:
            sys.stdin.read()
    original(models, inputs, padding, run, reported, 64)
module.encode = slowly
texts = [f"the dog sleeps {number}" for number in range(80)]
print(COMET(model=sys.argv[1]).corpus_score(texts, with_sources(None, texts)).score)
"""


@pytest.mark.neural
def test_a_run_that_was_killed_goes_on(folder_of: Callable[[str], Path]) -> None:
    command = [sys.executable, "-c", SCORE, str(folder_of("kiwi"))]
    first = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    assert first.stdout is not None
    done = sum(int(first.stdout.readline()) for _ in range(3))
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert 0 < done < 80
    second = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    *batches, score = second.stdout.split()
    assert 80 - sum(map(int, batches)) >= done
    fresh()
    texts = [f"the dog sleeps {number}" for number in range(80)]
    from bleuet import with_sources

    whole = comet(folder_of("kiwi"), cache=False).corpus_score(texts, with_sources(None, texts))
    assert float(score) == pytest.approx(whole.score, abs=1e-6)
