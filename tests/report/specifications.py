"""What a Vega-Lite specification holds, and whether it is one."""

from __future__ import annotations

from typing import Any


def valid(specification: dict[str, Any]) -> dict[str, Any]:
    """The specification, which Altair accepts: it knows the schema of Vega-Lite."""
    import altair

    altair.Chart.from_dict(specification)
    return specification


def values_in(specification: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows of data, wherever in a specification they stand."""
    found: list[dict[str, Any]] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            found.extend(part.get("data", {}).get("values", []))
            part = [one for key, one in part.items() if key != "data"]
        if isinstance(part, list):
            for one in part:
                walk(one)

    walk({key: value for key, value in specification.items() if key != "datasets"})
    for rows in specification.get("datasets", {}).values():
        found.extend(rows)
    return found
