"""`python -OO`, which drops docstrings and assertions: all of the package works all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bleuet.cli.main import COMMANDS
from tests.cli.conftest import command, environment

pytestmark = [pytest.mark.slow, pytest.mark.libraries]

IMPORT_ALL = """
import json, pkgutil, sys
from importlib import import_module
import bleuet
from bleuet import MissingExtraError
assert False, "assertions are kept"
found = {}
for module in pkgutil.walk_packages(bleuet.__path__, "bleuet."):
    if module.name.rpartition(".")[2] == "__main__":
        continue
    try:
        import_module(module.name)
        found[module.name] = ""
    except MissingExtraError:
        pass
    except BaseException as error:
        found[module.name] = repr(error)
json.dump(found, sys.stdout)
"""
HELP = """
import json, sys
from contextlib import redirect_stdout
from io import StringIO
from bleuet.cli.main import COMMANDS, main
found = {}
for name in COMMANDS:
    out = StringIO()
    with redirect_stdout(out):
        code = main([name, "--help"])
    found[name] = [code, out.getvalue()]
json.dump(found, sys.stdout)
"""


def printed(program: str, **more: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(COLUMNS="80", **more),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_every_module_is_imported() -> None:
    found = printed(IMPORT_ALL, PYTHONOPTIMIZE="2")
    assert len(found) > 300
    assert "bleuet.report.page.html_page" in found
    # Some frameworks read the docstrings of their own classes when they are imported.
    faults = {name: fault for name, fault in found.items() if fault}
    assert [name for name in faults if not name.startswith("bleuet.adapters.")] == []


def test_every_command_has_its_help() -> None:
    found = printed(HELP, PYTHONOPTIMIZE="2")
    assert found.keys() == COMMANDS.keys()
    assert found == printed(HELP)


@pytest.mark.usefixtures("folder")
def test_the_page_of_a_comparison() -> None:
    words = ("compare", "ref.txt", "-i", "a.txt", "b.txt", "-q")
    pages = []
    for optimize in ("2", ""):
        done = subprocess.run(
            command(*words, "--html", "page.html"),
            env=environment(PYTHONOPTIMIZE=optimize),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        pages.append(Path("page.html").read_bytes())
    assert pages[0] == pages[1]
