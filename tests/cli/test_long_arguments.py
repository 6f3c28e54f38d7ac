"""No message is longer than a reader wants it, whatever an argument is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.main import COMMANDS
from bleuet.errors import LONGEST_MESSAGE
from tests.cli.test_every_format import NO_DOCUMENTS, RUNS, write_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome

pytestmark = pytest.mark.slow
# Longer than a message, a name of a file and the digits that Python reads as a number.
LONG = "a" * 20_000
MANY = "ab " * 10_000
VALUES = (LONG, MANY, f"bleu:{LONG}=1", f"bleu:smooth={LONG}", f"ref.tsv:{LONG}", "1" * 20_000)
DIGITS = "9" * 10_000
FILES = {
    "long.jsonl": f'{{"a": {DIGITS}, "system": "A", "segment": 1, "score": {DIGITS}}}\n',
    "long.json": f'{{"a": {DIGITS}}}\n',
}


@pytest.mark.parametrize("name", COMMANDS)
def test_messages(name: str, run: Callable[..., Outcome], folder: Path) -> None:
    write_files(folder)
    (folder / "ref.tsv").write_text("x\ty\na\tb\n")
    module = import_module(COMMANDS[name][0])
    plain = RUNS.get(name, (name,))
    cases = [(LONG,), (name, f"--{LONG}"), (name, f"--{LONG}=1")]
    for value in VALUES:
        cases.append((name, value))
        if name not in NO_DOCUMENTS:
            flags = [flag.names[0] for flag in module.COMMAND.flags]
            cases += [(*plain, flag, value) for flag in flags if flag.startswith("-")]
        for file in (*FILES, "long.jsonl:a", f"ref.tsv:{DIGITS}", f"long.jsonl:{DIGITS}"):
            cases.append((*plain, "-i", file))
    for file, content in FILES.items():
        (folder / file).write_text(content)
    for words in cases:
        outcome = run(*words)
        end = len("bleuet: warning:  (--quiet hides this)\n")
        assert "set_int_max_str_digits" not in outcome.err, words
        for line in outcome.err.splitlines(keepends=True):
            assert len(line) <= LONGEST_MESSAGE + end, [word[:40] for word in words]
