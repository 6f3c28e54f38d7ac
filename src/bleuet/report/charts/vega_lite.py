"""The value of a chart, and the parts of specifications that all charts have."""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import suppress

from bleuet.errors import MissingExtraError
from bleuet.frozen import Value, checked
from bleuet.report.theme import theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
# Some programs that show notebooks know only the older one, which draws these charts all the same.
MIME_TYPES = ("application/vnd.vegalite.v6+json", "application/vnd.vegalite.v5+json")


@checked
class Chart(Value):
    """A chart without colours; a notebook shows it in the light theme.

    Attributes:
        specification: the chart as Vega-Lite describes it.
    """

    specification: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return a copy of the specification, which names the version of Vega-Lite."""
        # As it is read from a file, so that no two parts of it are the same object.
        found: dict[str, Any] = json.loads(json.dumps({"$schema": SCHEMA, **self.specification}))
        return found

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Return the chart as notebooks draw it, and a picture for programs that cannot draw it."""
        drawn = {**self.to_dict(), "config": theme()}
        found: dict[str, Any] = dict.fromkeys(MIME_TYPES, drawn)
        # Without the library that draws pictures, most notebooks still show the chart.
        with suppress(MissingExtraError):
            from bleuet.report.pictures import to_png

            found["image/png"] = b64encode(to_png(drawn)).decode()
        return found


def quantitative(field: str, **more: Any) -> dict[str, Any]:
    """Return what a channel shows: a field of numbers.

    Args:
        field: the name of the field.
        **more: other properties, such as `title` and `scale`.

    >>> quantitative("score", title="BLEU")
    {'field': 'score', 'type': 'quantitative', 'title': 'BLEU'}
    """
    return {"field": field, "type": "quantitative", **more}


def nominal(field: str, **more: Any) -> dict[str, Any]:
    """Return what a channel shows: a field of names or other texts; see `quantitative`."""
    return {"field": field, "type": "nominal", **more}
