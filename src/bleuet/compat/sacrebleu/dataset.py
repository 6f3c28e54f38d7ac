"""sacreBLEU's test sets: every name here comes from the sacrebleu package."""

from __future__ import annotations

from bleuet.compat.sacrebleu.original import original

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    DATASETS: dict[str, Any]
    SUBSETS: dict[str, Any]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(original("dataset"), name)
    globals()[name] = value
    return value
