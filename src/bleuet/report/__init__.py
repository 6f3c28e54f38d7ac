"""How answers are drawn: charts defined once, and written as pictures and pages."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.report.report import Report

__all__ = ["Report"]


def __getattr__(name: str) -> object:
    # The looks of charts are read without the libraries that draw them.
    if name != "Report":
        raise AttributeError(f"module 'bleuet.report' has no attribute {name!r}")
    from bleuet.report.report import Report

    return Report
