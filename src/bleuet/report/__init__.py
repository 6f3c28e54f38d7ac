"""Charts, pictures and pages of answers; each chart is defined once."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.report.report import Report

__all__ = ["Report"]


def __getattr__(name: str) -> object:
    # The names of the themes can be imported without the libraries that draw.
    if name != "Report":
        raise AttributeError(f"module 'bleuet.report' has no attribute {name!r}")
    from bleuet.report.report import Report

    return Report
