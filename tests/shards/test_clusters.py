"""Ray and Spark count what processes count."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import ShardSettings, score_shards
from bleuet.shards import scoring
from bleuet.study_settings import IntervalSettings
from tests.cli.conftest import environment
from tests.shards.test_faults import HYP, METRICS, REF, sums
from tests.shards.texts import killing

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.clusters, pytest.mark.slow, pytest.mark.libraries]


KILLING = """
import sys
from pathlib import Path
from bleuet.cli.main import run
from bleuet.shards import scoring
from tests.shards.texts import killing

if __name__ == "__main__":
    scoring.partial = killing(Path("notes"), [0, 2], 1)
    sys.argv = ["bleuet", "score", "{ref}", "-i", "{hyp}", "--engine", "{engine}", "--workers", "2"]
    sys.argv += ["-f", "json", "-q"]
    run()
"""


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_standard_output_has_the_answer_alone(
    engine: str, segments: list[dict[str, str]], tmp_path: Path
) -> None:
    """Also where a worker was killed, which the libraries print."""
    (tmp_path / "notes").mkdir()
    script = tmp_path / "killing.py"
    script.write_text(KILLING.format(ref=REF, hyp=HYP, engine=engine))
    folder = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    path = os.pathsep.join((environment()["PYTHONPATH"], folder))
    done = subprocess.run(
        [sys.executable, str(script)],
        env=environment(PYTHONPATH=path, SPARK_LOCAL_IP="127.0.0.1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "notes").iterdir())) == 2
    (answer,) = json.loads(done.stdout)
    assert answer["name"] == "BLEU"


@pytest.mark.parametrize(("engine", "scheme"), [("ray", ""), ("spark", "spark://")])
def test_an_address_where_nobody_listens(
    engine: str, scheme: str, segments: list[dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    from bleuet.cli.main import main

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"{scheme}127.0.0.1:{free.getsockname()[1]}"
        assert main(["score", REF, "-i", HYP, "--engine", engine, "--address", address]) == 1
    error = capsys.readouterr().err
    assert f"there is no cluster of {engine.title()} at {address} (" in error
    assert error.count("\n") == 1


KILLING_JAVA = """
from pyspark.sql import SparkSession
from bleuet import ShardSettings, score_shards

SparkSession.createDataFrame = lambda session, *_: (
    session.sparkContext._gateway.proc.kill() or session.range(3)
)
score_shards("{hyp}", "{ref}", "bleu", ShardSettings(engine="spark", workers=1))
"""


def test_java_that_is_killed(segments: list[dict[str, str]]) -> None:
    """In a process of its own, in which Spark cannot be started again."""
    done = subprocess.run(
        [sys.executable, "-c", KILLING_JAVA.format(ref=REF, hyp=HYP)],
        env=environment(SPARK_LOCAL_IP="127.0.0.1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    error = done.stderr.splitlines()[-1]
    assert error.startswith("bleuet.errors.InputError: Spark could not count a shard")
    assert "or Spark has ended" in error


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_the_same_sums_although_workers_are_killed(
    engine: str, segments: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Workers import the tests, and Spark's talk to the driver on this computer.
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    settings = ShardSettings(results="results", by="domain", workers=2)
    draws = IntervalSettings(draws=50)
    expected = score_shards(HYP, REF, METRICS, settings.replace(results=None), intervals=draws)
    notes = tmp_path / "notes"
    notes.mkdir()
    monkeypatch.setattr(scoring, "partial", killing(notes, [0, 2, 5], 1))
    found: Any = score_shards(HYP, REF, METRICS, settings.replace(engine=engine), intervals=draws)
    assert len(list(notes.iterdir())) == 3
    assert sums(found) == sums(expected)
    assert found.scores.intervals == expected.scores.intervals
    # Results are the same files, whatever counted.
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    again = score_shards(HYP, REF, METRICS, settings, intervals=draws)
    assert again.resumed == 6
    assert sums(again) == sums(expected)
