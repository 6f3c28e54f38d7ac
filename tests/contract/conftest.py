from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say with which setting a law failed, since a case goes through many."""
    report = yield
    if report.failed and call.excinfo is not None:
        for entry in call.excinfo.traceback:
            if "setting" in entry.frame.f_locals:
                report.sections.append(("setting", str(entry.frame.f_locals["setting"])))
    return report
