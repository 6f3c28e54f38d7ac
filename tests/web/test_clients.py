"""Clients that generators make of the API's description, without a warning, can do everything."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, __version__
from bleuet.metrics.catalogue import NAMES
from bleuet.web.comparison_files import RESULTS
from tests.evaluation_data import REPOSITORY
from tests.patience import PATIENCE
from tests.web.conftest import start
from tests.web.test_server import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.packaging, pytest.mark.slow]
PROGRAMS = Path(__file__).parent / "clients"
EXAMPLES = REPOSITORY / "examples"
FILES = [str(EXAMPLES / f"{name}.txt") for name in ("reference-1", "system-a", "system-b")]
FROM_NPM = (
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "typescript@5.9.3",
    "@types/node@24",
)


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    server, address = start()
    yield address
    server.terminate()
    server.wait(PATIENCE)


@pytest.fixture
def description(served: str, tmp_path: Path) -> Path:
    found = tmp_path / "openapi.json"
    status, _, content = ask(served, "/api/v1/openapi.json")
    assert status == 200
    found.write_bytes(content)
    return found


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Run a program that says nothing on standard error; return what it prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "arning" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done.stdout


def test_a_client_in_python(served: str, description: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.yml"
    settings.write_text("post_hooks: []\n")
    options = ["--meta", "none", "--output-path", "client", "--config", str(settings)]
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"]
    said = run([*generator, "--path", str(description), *options], tmp_path)
    assert "WARNING" not in said
    assert "Skipping" not in said
    used = [sys.executable, str(PROGRAMS / "use_client.py"), served, *FILES]
    check(json.loads(run(used, tmp_path, PYTHONPATH=str(tmp_path))))


def test_a_client_in_typescript(served: str, description: Path, tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm to get openapi-typescript with")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", *FROM_NPM]
    got = subprocess.run(install, cwd=tmp_path, capture_output=True, text=True, check=False)
    if got.returncode:
        pytest.skip(f"npm cannot get {FROM_NPM[0]}: {got.stderr.strip()[-200:]}")
    programs = tmp_path / "node_modules" / ".bin"
    # Fields that have a default may be left out.
    generator = [str(programs / "openapi-typescript"), "--default-non-nullable=false"]
    run([*generator, str(description), "-o", "api.d.ts"], tmp_path)
    shutil.copy(PROGRAMS / "use-client.ts", tmp_path)
    options = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module"]
    run([str(programs / "tsc"), *options, "nodenext", "use-client.ts"], tmp_path)
    check(json.loads(run(["node", "use-client.js", served, *FILES], tmp_path)))


def check(found: dict[str, Any]) -> None:
    """Compare what a client got with what the library says itself."""
    texts = ["The cat sat down."], [["The cat sat up.", "A cat."]]
    chrf = CHRF(word_order=2)
    assert found["version"] == __version__
    assert found["metrics"] == list(NAMES)
    bleu = BLEU().corpus_score(*texts).score
    assert found["score"] == [["BLEU", bleu], ["chrF2++", chrf.corpus_score(*texts).score]]
    assert found["sentences"] == [chrf.corpus_score(*texts).score]
    assert found["explain"] == ["case"]
    assert found["compare"] == ["a", "b"]
    assert found["reward"] == [1.0]
    assert found["early"] == ["/problems/no-result-yet", 404]
    assert found["results"] == list(RESULTS)
    assert found["result"] == [["system-a.txt", "system-b.txt"], ["BLEU", "chrF2++"]]
    assert "," in found["csv"]
    assert found["jsonl"] is True
    assert found["report"] == "<!DOCTYPE html>"
    references = (EXAMPLES / "reference-1.txt").read_text("utf-8").splitlines()
    segments = len(references)
    # Two systems by two metrics: scores and contributions, then the lengths and at least a bucket.
    assert found["scores"][1] > segments * (2 * 2 * 2 * 8 + 4)
    assert [number for number, _ in found["rows"]] == [2, 1]
    # The full stop at the end follows without a space.
    assert found["rows"][1][1] == [[references[0], [len(references[0]) - 1]]]
    assert found["hits"][0] == sorted(found["hits"][0]) != []
    assert all(hits > 0 for hits in found["hits"][1])
    assert found["removed"] is True
    assert found["gone"] == ["/problems/no-such-comparison", 404]
    assert found["wrong"] == ["/problems/unusable-input", 400]
