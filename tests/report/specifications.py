"""What a Vega-Lite specification holds."""

from __future__ import annotations

from typing import Any


def values_in(specification: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows of data, wherever in a specification they stand."""
    found: list[dict[str, Any]] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            if isinstance(part.get("values"), list):
                found.extend(part["values"])
            part = list(part.values())
        if isinstance(part, list):
            for one in part:
                walk(one)

    walk({key: value for key, value in specification.items() if key != "datasets"})
    for rows in specification.get("datasets", {}).values():
        found.extend(rows)
    return found
