"""Whatever happens on the way, the sums are the same to the last bit, or there is an error."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import InputError, OptionError, ShardSettings, make_metric, score_shards
from bleuet.shards import folder as folder_module
from bleuet.shards import scoring
from bleuet.shards.task import Job
from tests.cli.conftest import environment
from tests.patience import wait_until
from tests.shards.texts import killing, lines, write, write_shards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.shards.scoring import ShardScores

pytestmark = [pytest.mark.slow, pytest.mark.libraries]

REF, HYP = "data/part-*.jsonl:ref", "data/part-*.jsonl:hyp"
# The second has real numbers, whose sums depend on the order.
METRICS = ["bleu", "cider", "rougeL"]
KEPT = ShardSettings(results="results", workers=2, by="domain")


def sums(found: ShardScores) -> dict[str, Any]:
    """Every number, exactly."""
    every = {"": found.scores, **found.groups}
    return {
        group: [[one.values for one in own] for own in scores.scores]
        for group, scores in every.items()
    }


def run(settings: ShardSettings = KEPT) -> ShardScores:
    return score_shards(HYP, REF, METRICS, settings)


@pytest.mark.parametrize("engine", ["processes"])
def test_killed_workers(
    engine: str, segments: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = sums(run(KEPT.replace(results=None)))
    notes = tmp_path / "notes"
    notes.mkdir()

    monkeypatch.setattr(scoring, "partial", killing(notes, [0, 2, 5], 3))
    found = run(KEPT.replace(engine=engine))
    assert sums(found) == expected
    assert len(list(notes.iterdir())) == 9


def test_a_worker_that_always_dies(
    segments: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    monkeypatch.setattr(scoring, "partial", killing(notes, [3], 100))
    with pytest.raises(InputError, match="the process that counts 03 was killed 4 times"):
        score_shards(HYP, REF, "bleu", KEPT)


def command(*more: str, metrics: Sequence[str] = METRICS) -> list[str]:
    words = ["score", REF, "-i", HYP, "-m", *metrics, "--by", "domain", "-f", "json", *more]
    return [sys.executable, "-m", "bleuet", *words, "--workers", "2"]


def test_the_driver_killed_at_random_moments(tmp_path: Path) -> None:
    write_shards(tmp_path / "data", 30)
    whole = subprocess.run(command(), cwd=tmp_path, capture_output=True, check=True).stdout
    drawn = random.Random(5)
    counted = [0]

    def results() -> int:
        return len(list((tmp_path / "results").glob("0*.json")))

    def have(count: int) -> bool:
        return results() >= count

    for more in drawn.choices(range(4), k=10):
        process = subprocess.Popen(
            command("--results", "results"), cwd=tmp_path, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        wait_until(partial(have, min(counted[-1] + more, 30)))
        time.sleep(drawn.uniform(0, 0.2))
        process.kill()
        process.wait()
        counted.append(results())
    found = subprocess.run(
        command("--results", "results"), cwd=tmp_path, capture_output=True, check=True
    )
    assert found.stdout == whole
    assert counted == sorted(counted)
    assert counted[-1] > 0

    def processes() -> str:
        return subprocess.run(
            ["ps", "-eo", "args"], capture_output=True, text=True, check=True
        ).stdout

    # No worker outlives the run that started it.
    wait_until(lambda: str(tmp_path) not in processes())


def test_a_result_cut_short_or_edited(segments: list[dict[str, str]]) -> None:
    expected = sums(run())
    for change in ("cut", "edit", "empty", "remove"):
        result = Path("results/000002.json")
        content = result.read_text()
        if change == "remove":
            result.unlink()
        else:
            result.write_text(
                {"cut": content[:-40], "edit": content.replace("40", "41"), "empty": ""}[change]
            )
        found = run()
        assert sums(found) == expected
        assert found.resumed == 5
    assert run().resumed == 6


def test_a_shard_that_changed(segments: list[dict[str, str]]) -> None:
    run()
    write(Path("data/part-03.jsonl"), lines(77))
    with pytest.raises(OptionError, match=r"other files: .*part-03\.jsonl"):
        run()
    write(Path("data/part-06.jsonl"), lines(6))
    with pytest.raises(OptionError, match="other files: 6 of them, but now 7"):
        run()


def test_a_shard_that_changes_while_it_is_counted(
    segments: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bleuet.shards import task
    from bleuet.shards.finding import ShardTexts, find_shards
    from bleuet.text.source import Source

    count = task._count

    def changing(job: Any, shard: Any, scores: Any) -> Any:
        found = count(job, shard, scores)
        os.utime(shard.files[0].path, ns=(1, 1))
        return found

    monkeypatch.setattr(task, "_count", changing)
    shards = find_shards(ShardTexts((Source.parse(HYP),), (Source.parse(REF),)))
    job = task.Job(("",), {"bleu": make_metric("bleu")})
    outcome = task.count_shard(job, shards[0])
    assert "part-00.jsonl was changed while the run went on" in outcome.error


def test_other_metrics_settings_and_folders(segments: list[dict[str, str]]) -> None:
    run()
    with pytest.raises(OptionError, match="other metrics: 3 of them, but now 1"):
        score_shards(HYP, REF, "bleu", KEPT)
    with pytest.raises(OptionError, match="other groups: domain, but now"):
        run(KEPT.replace(by=""))
    with pytest.raises(OptionError, match="other systems"):
        score_shards({"a": HYP}, REF, METRICS, KEPT)
    with pytest.raises(OptionError, match="has files that are no results"):
        run(KEPT.replace(results="data"))
    Path("results/run.json").write_text("{")
    with pytest.raises(OptionError, match=r"run.json cannot be read"):
        run()


def test_a_folder_of_other_columns(segments: list[dict[str, str]]) -> None:
    score_shards(HYP, REF, "bleu", KEPT)
    with pytest.raises(OptionError, match=r"other columns: .*:hyp, .*, but now .*:other, "):
        score_shards(HYP.replace(":hyp", ":other"), REF, "bleu", KEPT)


def test_a_file_that_changed_before_a_metric_has_learned_from_it(
    segments: list[dict[str, str]],
) -> None:
    run()
    Path("results/000003.json").unlink()
    write(Path("data/part-03.jsonl"), lines(77))
    with pytest.raises(OptionError, match="other files"):
        run()
    # A metric that does not learn only counts it again.
    score_shards(HYP, REF, "bleu", KEPT.replace(results="other"))
    Path("other/000003.json").unlink()
    write(Path("data/part-03.jsonl"), lines(78))
    assert score_shards(HYP, REF, "bleu", KEPT.replace(results="other")).resumed == 5


def test_scores_of_segments_are_written_again(segments: list[dict[str, str]]) -> None:
    settings = KEPT.replace(segment_scores="scores", key="id")
    score_shards(HYP, REF, "bleu", settings)
    gone = Path("scores/000002.parquet")
    content = gone.read_bytes()
    gone.unlink()
    assert score_shards(HYP, REF, "bleu", settings).resumed == 5
    assert gone.read_bytes() == content
    with pytest.raises(OptionError, match="has files of another run"):
        score_shards(HYP, REF, "bleu", settings.replace(results="new"))
    for name in ("segment", "bleu", "domain"):
        with pytest.raises(OptionError, match=f"have a column {name} already"):
            score_shards(HYP, REF, "bleu", settings.replace(key=name))
    with pytest.raises(InputError, match="for scores of segments cannot be used"):
        score_shards(
            HYP, REF, "bleu", KEPT.replace(results=None, segment_scores="data/part-00.jsonl")
        )


def test_keys_of_several_types(segments: list[dict[str, str]]) -> None:
    own = lines(4)
    for number, value in ((3, 7), (5, [1])):
        changed: list[Any] = [dict(one) for one in own]
        changed[number]["id"] = value
        write(Path("data/part-04.jsonl"), changed)
        settings = ShardSettings(segment_scores="scores", key="id", results="kept")
        with pytest.raises(InputError, match=r"1 of 6 shards .*column id .* several types"):
            score_shards(HYP, REF, "bleu", settings)
    assert len(list(Path("kept").glob("0*.json"))) == 5


def test_a_disk_that_fails_under_one_shard(
    segments: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the shard's file, and the others are counted."""
    import errno

    from bleuet.shards import task
    from bleuet.shards.finding import ShardTexts, find_shards
    from bleuet.text.source import Source

    def fail(*_: Any) -> Any:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(task, "_count", fail)
    monkeypatch.setattr(task, "_reader", fail)
    shard = find_shards(ShardTexts((Source.parse(HYP),), (Source.parse(REF),)))[1]
    expected = (
        "data/part-01.jsonl or a file beside it cannot be used ([Errno 5] Input/output error)"
    )
    job = task.Job(("",), {"bleu": make_metric("bleu")})
    assert task.count_shard(job, shard).error == expected
    assert task.learn_shard([make_metric("nist")], shard) == (1, [], expected)


def test_two_runs_on_one_folder(segments: list[dict[str, str]]) -> None:
    run()
    job = Job(("",), {})
    known = json.loads(Path("results/run.json").read_text())
    with folder_module.ResultsFolder("results", job, known):
        other = subprocess.run(
            command("--results", "results"), capture_output=True, text=True, check=False
        )
    assert other.returncode == 1
    assert "another run uses the folder results" in other.stderr
    assert run().resumed == 6


def test_a_broken_row(segments: list[dict[str, str]], capfd: pytest.CaptureFixture[str]) -> None:
    from bleuet.cli.main import main

    broken = Path("data/part-04.jsonl")
    content = broken.read_text().splitlines(keepends=True)
    broken.write_text("".join([*content[:6], '{"ref": "a", "hyp": 5}\n', *content[7:]]))
    # A metric that learns needs all references first.
    metrics = ["bleu", "rougeL"]
    assert main(command(metrics=["cider"])[3:]) == 1
    assert "1 of 6 shards cannot be counted: data/part-04.jsonl:7" in capfd.readouterr().err
    assert main(command("--results", "results", metrics=metrics)[3:]) == 1
    said = capfd.readouterr().err
    assert "1 of 6 shards cannot be counted: data/part-04.jsonl:7" in said
    assert "the results of the others are in results" in said
    assert said.count("\n") == 1
    assert len(list(Path("results").glob("0*.json"))) == 5
    broken.write_text("".join(content))
    settings = KEPT.replace(results=None)
    expected = score_shards(HYP, REF, metrics, settings)
    assert main(command("--results", "results", metrics=metrics)[3:]) == 0
    printed = json.loads(capfd.readouterr().out)
    (printed_score,) = printed["scores"]["bleu"].values()
    assert printed_score["score"] == expected["bleu"].score
    assert printed["segments"] == 240


def test_a_full_disk(segments: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    expected = sums(run(KEPT.replace(results=None)))
    save = folder_module.ResultsFolder.save
    saved: list[int] = []

    def full(self: Any, outcome: Any) -> None:
        if len(saved) == 3:
            patch.setattr("bleuet.output.descriptor.Descriptor.write", fail)
        saved.append(outcome.number)
        save(self, outcome)

    def fail(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(folder_module.ResultsFolder, "save", full)
        with pytest.raises(InputError, match="No space left on device"):
            run()
    assert len(list(Path("results").glob("0*.json"))) == 3
    found = run()
    assert found.resumed == 3
    assert sums(found) == expected


PRINTING = """
import os
import sys
from types import SimpleNamespace
from bleuet.cli.main import run
from bleuet.shards import launchers

def task(function, **_):
    return SimpleNamespace(remote=lambda call, shard: (os.write(1, b"died\\n"), call, shard))

class Error(Exception): ...

launchers.optional = lambda name: SimpleNamespace(
    is_initialized=lambda: False,
    init=lambda **_: os.write(1, b"starts\\n"),
    shutdown=lambda: os.write(1, b"ends\\n"),
    remote=lambda **_: lambda function: task(function),
    put=lambda value: value,
    cluster_resources=lambda: {{"CPU": 1}},
    wait=lambda running, **_: (running[:1], running[1:]),
    get=lambda one: one[1](one[2]),
    exceptions=SimpleNamespace(RayTaskError=Error, RayError=Error),
)
sys.argv = ["bleuet", "score", "{ref}", "-i", "{hyp}", "--engine", "ray", "-f", "json", "-q"]
run()
"""


def test_what_a_cluster_prints_is_no_part_of_the_answer(segments: list[dict[str, str]]) -> None:
    """Libraries in C++ print on the descriptor of standard output, whatever Python's is."""
    done = subprocess.run(
        [sys.executable, "-c", PRINTING.format(ref=REF, hyp=HYP)],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (answer,) = json.loads(done.stdout)
    assert answer["name"] == "BLEU"
    assert done.stderr.split() == ["starts", *["died"] * 6, "ends"]
