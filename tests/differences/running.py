"""Run commands in one process, and store what each of them says.

    python -m tests.differences.running LINES RESULTS

The package that Python imports is the one that is tried.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import tempfile
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import bleuet
from tests.cli.every_option import Folder
from tests.differences.drawing import UNUSUAL

# What differs from commit to commit, and from run to run.
VARIES = {
    "VERSION": re.compile(re.escape(bleuet.__version__)),
    "TIME": re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?"),
}


def run(line: str, folder: Folder) -> dict[str, str]:
    """Return what a command says and writes, or how it broke."""
    # What logs to the standard error of an earlier command.
    logging.getLogger().handlers.clear()
    try:
        with patch.object(sys, "stdin", StringIO("")):
            said = folder.run_again(line)
    except (Exception, SystemExit) as error:
        return {"broken": f"{type(error).__name__}: {error}"}
    texts = {"exit code": str(said.code), "standard output": said.out, "errors": said.err}
    texts |= {
        f"the file {name}": content.decode("utf-8", "backslashreplace")
        for name, content in sorted(said.files.items())
    }
    for name, pattern in VARIES.items():
        texts = {part: pattern.sub(name, text) for part, text in texts.items()}
    return {part: text for part, text in texts.items() if text}


def main() -> int:
    """Run the lines of a file."""
    lines, results = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as name, results.open("w", encoding="utf-8") as out:
        folder = Folder(Path(name))
        for file, text in UNUSUAL.items():
            (folder.path / file).write_text(text, encoding="utf-8", newline="")
        folder.know_files()
        for line in json.loads(lines.read_text(encoding="utf-8")):
            print(json.dumps({"line": line, "said": run(line, folder)}), file=out, flush=True)
    print(f"bleuet of {Path(bleuet.__file__).parent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
