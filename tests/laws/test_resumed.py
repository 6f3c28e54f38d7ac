"""A run of shards that goes on says what a new run says, or that it cannot, after every change."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from bleuet import ShardSettings, score_shards
from bleuet.errors import OptionError
from bleuet.shards import scoring
from bleuet.study_settings import IntervalSettings
from tests.laws.generated import generated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.laws.generated import Study

    Numbers = dict[str, Any]

# The rows of each shard: unequal, one without a row, and the last with one.
SHARDS = {"a": range(5), "b": range(5, 17), "c": range(0), "d": range(17, 39), "e": range(39, 40)}


class Run(NamedTuple):
    """The arguments of a run, of which each change replaces one."""

    systems: dict[str, str] = {"first": "first/*.txt", "close": "close/*.txt"}  # noqa: RUF012
    references: tuple[str, ...] = ("ref/*.jsonl:one", "ref/*.jsonl:two")
    metrics: tuple[str, ...] = ("bleu", "rougeL", "chrf")
    sources: str | None = None
    intervals: IntervalSettings | None = IntervalSettings(draws=20)
    by: str = "group"
    key: str = ""

    def scores(self, results: str | None) -> tuple[Numbers, int]:
        """Every number, with what it is of; and the number of shards that were counted before."""
        settings = ShardSettings(results=results, by=self.by, key=self.key)
        found = score_shards(
            self.systems, self.references, list(self.metrics), settings,
            sources=self.sources, intervals=self.intervals,
        )  # fmt: skip
        plain = json.loads(json.dumps(found.to_dict(), sort_keys=True))
        return plain, found.resumed


def write(folder: Path, study: Study) -> None:
    for name, rows in SHARDS.items():
        part = study.select(rows)
        columns = {
            "one": part.column(0), "two": part.column(1), "group": part.groups,
            "document": part.documents, "id": part.names,
        }  # fmt: skip
        records = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        texts = {
            f"ref/{name}.jsonl": [json.dumps(one) for one in records],
            **{f"{system}/{name}.txt": own for system, own in part.systems.items()},
            f"source/{name}.txt": part.sources,
        }
        for path, lines in texts.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def in_this_process(function: Callable[..., Any], shards: Iterable[Any], _: Any) -> Iterable[Any]:
    return map(function, shards)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Numbers]:
    """A folder with the files of three systems and the results of a run, and its numbers."""
    folder = tmp_path_factory.mktemp("finished")
    write(folder, generated())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(scoring, "launch", in_this_process)
        numbers, _ = Run().scores("kept")
    return folder, numbers


@pytest.fixture
def before(
    finished: tuple[Path, Numbers], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Numbers:
    """What the run said whose results are in the working folder; other runs start no processes."""
    folder, numbers = finished
    # With the times of the files.
    shutil.copytree(folder, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(scoring, "launch", in_this_process)
    return numbers


def edited(path: str, old: str, new: str) -> None:
    """Exchange the first of some words; the file gets another time, however fast that is."""
    file = Path(path)
    before, text = file.stat(), file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    later = before.st_mtime_ns + 10**9
    os.utime(file, ns=(later, later))


def moved(old: str, new: str) -> None:
    """Give the files of a shard another name on all sides."""
    for path in [*Path().glob(f"*/{old}.*")]:
        if path.parent.name != "kept":
            path.rename(path.with_stem(new))


def removed(name: str) -> object:
    for path in [*Path().glob(f"*/{name}.*")]:
        path.unlink()
    return name


def added(name: str, like: str) -> object:
    for path in [*Path().glob(f"*/{like}.*")]:
        shutil.copy(path, path.with_stem(name))
    return name


def exchanged(one: str, other: str) -> None:
    moved(one, "between")
    moved(other, one)
    moved("between", other)


# The shards that a change concerns; None where it makes another list of shards.
FILES: dict[str, tuple[set[int] | None, Callable[[], object]]] = {
    "a hypothesis of the last system": ({3}, lambda: edited("close/d.txt", "the", "one")),
    "a hypothesis, with the same size": ({3}, lambda: edited("first/d.txt", "and", "add")),
    "a hypothesis of the first shard": ({0}, lambda: edited("first/a.txt", "noon", "noon noon")),
    "the only line of the last shard": ({4}, lambda: edited("close/e.txt", "3,5", "12")),
    "the second reference": (
        {3},
        lambda: edited("ref/d.jsonl", '"two": "BELLS twice"', '"two": "bells bells twice"'),
    ),
    "a group": ({1}, lambda: edited("ref/b.jsonl", '"group": "talk"', '"group": "news"')),
    "texts of an empty shard": (
        {2},
        lambda: [
            Path("ref/c.jsonl").write_text('{"one": "a b", "two": "a c", "group": "web"}\n'),
            Path("first/c.txt").write_text("a b\n"),
            Path("close/c.txt").write_text("a d\n"),
        ],
    ),
    "files that are exchanged": ({0, 3}, lambda: exchanged("a", "d")),
    "a file that is added at the end": (None, lambda: added("f", "b")),
    "a file that is added before the others": (None, lambda: added("0", "b")),
    "a file that is removed": (None, lambda: removed("b")),
    "the last file that is removed": (None, lambda: removed("e")),
    "a file that is removed and another added": (None, lambda: (removed("b"), added("f", "d"))),
    "a file with another name": (None, lambda: moved("b", "z")),
}
ARGUMENTS: dict[str, Run] = {
    "an option of a metric": Run(metrics=("bleu:lowercase=yes", "rougeL", "chrf")),
    "an option of the last metric": Run(metrics=("bleu", "rougeL", "chrf:char_order=5")),
    "another metric": Run(metrics=("bleu", "rougeL", "chrf", "ter")),
    "a metric less": Run(metrics=("bleu", "rougeL")),
    "metrics in another order": Run(metrics=("rougeL", "chrf", "bleu")),
    "another system": Run(systems={"first": "first/*.txt", "close": "worse/*.txt"}),
    "systems in another order": Run(systems={"close": "close/*.txt", "first": "first/*.txt"}),
    "names that are exchanged": Run(systems={"close": "first/*.txt", "first": "close/*.txt"}),
    "a system less": Run(systems={"close": "close/*.txt"}),
    "one reference less": Run(references=("ref/*.jsonl:one",)),
    "references in another order": Run(references=("ref/*.jsonl:two", "ref/*.jsonl:one")),
    "another group": Run(by="document"),
    "no groups": Run(by=""),
    "keys": Run(key="id"),
    "another seed": Run(intervals=IntervalSettings(draws=20, seed=7)),
    "more draws": Run(intervals=IntervalSettings(draws=21)),
    "no draws": Run(intervals=None),
    "another level": Run(intervals=IntervalSettings(draws=20, confidence=0.5)),
    "sources": Run(sources="source/*.txt"),
}
# They change no number.
SAME_NUMBERS = {
    "keys", "sources", "references in another order", "metrics in another order",
    "systems in another order",
}  # fmt: skip
# It changes what is made of the results, and not the results.
MADE_AT_THE_END = "another level"


def stopped(left: Iterable[int]) -> None:
    """Leave what a run leaves that was stopped before it had counted some shards."""
    for number in left:
        Path(f"kept/{number:06d}.json").unlink()


STOPPED: dict[str, tuple[int, ...]] = {
    "ended": (), "stopped": (1, 3), "begun": (0, 1, 2, 3, 4)
}  # fmt: skip
CASES = [
    *(("nothing", state) for state in STOPPED),
    *((change, state) for change in FILES for state in ("ended", "stopped")),
    ("files that are exchanged", "begun"),
    *((change, "stopped") for change in ARGUMENTS),
]


@pytest.mark.parametrize(("change", "state"), CASES)
def test_what_goes_on_is_what_begins_anew(change: str, state: str, before: Numbers) -> None:
    left = STOPPED[state]
    stopped(left)
    changed: set[int] | None = set()
    if change in FILES:
        changed, make = FILES[change]
        make()
    run = ARGUMENTS.get(change, Run())
    expected, _ = run.scores(None)
    assert (_numbers(expected) == _numbers(before)) == (change in {"nothing", *SAME_NUMBERS})
    # A shard whose result is kept must be what it was; one without may be another one.
    goes_on = changed is not None and changed <= set(left)
    if change in ARGUMENTS:
        goes_on = change == MADE_AT_THE_END
    if not goes_on:
        with pytest.raises(OptionError, match="has results of a run with other "):
            run.scores("kept")
        return
    found, resumed = run.scores("kept")
    assert _numbers(found) == _numbers(expected)
    assert resumed == len(SHARDS) - len(left)
    assert run.scores("kept") == (found, len(SHARDS))


def _numbers(values: Any) -> Any:
    """Everything but how it is computed, and the fingerprint, which only kept results have."""
    if not isinstance(values, dict):
        return values
    left_out = ("test_set", "signature")
    return {key: _numbers(one) for key, one in values.items() if key not in left_out}
