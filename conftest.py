"""Which tests run: `--run` with quick, test, all or fuzz, as the commands of make."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import pytest

# Before anything imports numpy: as many tests run at once as there are processors, and the threads
# of BLAS would wait for those of the other tests, ten times as long as they compute.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from tests import effort
from tests.backends import HAS_KERNEL
from tests.groups import (
    GROUPS,
    LEFT_OUT,
    LOADED,
    all_required,
    groups_of_file,
    loaded_too_early,
    missing_groups,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

# The many programs that tests start need not compile all modules again, where the environment
# forbids Python to keep them.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

COMPLETED_BY = {
    "quick": "`make test` runs the slow tests too, and `make test-all` runs everything.",
    "test": "`make test-all` runs everything.",
}
LEFT_OUT_HERE = pytest.StashKey[frozenset[str]]()
MISSING = pytest.StashKey[dict[str, list[str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--run",
        choices=list(LEFT_OUT),
        default="all",
        help="which groups of tests to run, and how long: as the targets of make do",
    )


def pytest_configure(config: pytest.Config) -> None:
    # No test, and no program that it starts, reads or stores files of the user, such as METEOR's.
    os.environ["XDG_DATA_HOME"] = os.devnull
    for name, group in GROUPS.items():
        config.addinivalue_line("markers", f"{name}: tests that {group.summary}")
    run = config.getoption("run")
    effort.choose(run)
    wanted = set(GROUPS) - LEFT_OUT[run]
    missing = {name: lack for name, lack in missing_groups().items() if name in wanted}
    if missing and all_required():
        raise pytest.UsageError(_missing_groups_in_words(missing))
    config.stash[MISSING] = missing
    config.stash[LEFT_OUT_HERE] = LEFT_OUT[run].union(missing)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # Before a file is imported: what it imports may not be installed.
    if collection_path.suffix in (".py", ".md") and collection_path.is_file():
        left_out = config.stash[LEFT_OUT_HERE]
        return bool(left_out & groups_of_file(collection_path)) or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = config.stash[LEFT_OUT_HERE]
    out = {item for item in items if any(mark.name in left_out for mark in item.iter_markers())}
    if out:
        config.hook.pytest_deselected(items=[item for item in items if item in out])
        items[:] = [item for item in items if item not in out]


def pytest_collection_finish(session: pytest.Session) -> None:
    session.config.stash[LOADED] = loaded_too_early()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    yield
    if os.getcwd() != str(item.config.invocation_params.dir):
        os.chdir(item.config.invocation_params.dir)
        pytest.fail("this test leaves the program in another folder: use monkeypatch.chdir")


# The last line of all, below the summary of pytest.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or hasattr(session.config, "workerinput"):
        return
    run, missing = session.config.getoption("run"), session.config.stash[MISSING]
    if not HAS_KERNEL:
        terminal.write_line("The kernel is not built: the Python backend was tested.")
    if missing:
        terminal.write_line(_missing_groups_in_words(missing))
    if LEFT_OUT[run]:
        names = ", ".join(name for name in GROUPS if name in LEFT_OUT[run])
        terminal.write_line(f"Left out: {names}. {COMPLETED_BY[run]}")


def _missing_groups_in_words(missing: dict[str, list[str]]) -> str:
    lacks = "; ".join(f"{name} (no {', '.join(lack)})" for name, lack in missing.items())
    return f"These groups cannot run here: {lacks}."


@pytest.fixture
def no_running_loop() -> Iterator[None]:
    """For tests that run a loop of asyncio; that of a browser runs as long as the browser does."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)
