"""sacreBLEU's signature: a dict of values, printed as key:value pairs."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.metrics.base.signature import version_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The keys of every signature in printed order; the version comes last.
# (key, short key, attribute of the metric).
_SHARED = (
    ("nrefs", "#", "num_refs"),
    ("bs", "bs", "n_bootstrap"),
    ("ar", "ar", ""),
    ("seed", "rs", "seed"),
    ("test", "t", "test_set"),
    ("lang", "l", "langpair"),
    ("origlang", "o", "origlang"),
    ("subset", "S", "subset"),
)


class Signature:
    """The settings that reproduce a score; `info` has their values, or None for one not printed.

    Args:
        args: the attributes of the metric; `num_refs` is required, -1 where segments differ.

    Raises:
        InputError: the metric has computed no score, so the number of references is unknown.
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        if args.get("num_refs") is None:
            raise InputError(
                "the number of references is unknown before the first score: call corpus_score or "
                "sentence_score first, or pass references to the constructor"
            )
        self._abbr = {"version": "v", **{key: short for key, short, _ in _SHARED}}
        self.info: dict[str, Any] = {"version": version_of(True)}
        self.info.update({key: args.get(name) for key, _, name in _SHARED})
        if self.info["nrefs"] == -1:
            self.info["nrefs"] = "var"

    def format(self, short: bool = False) -> str:
        """Return the pairs joined by '|', with sacreBLEU's short keys if `short`."""
        keys = [key for key in self.info if key != "version"] + ["version"]
        pairs = []
        for key in keys:
            value = self.info[key]
            if value is None:
                continue
            if isinstance(value, bool):
                value = "yes" if value else "no"
            pairs.append(f"{self._abbr.get(key, key) if short else key}:{value}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Add or replace a value."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()
