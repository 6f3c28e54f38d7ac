"""What an analysis finds for each of the systems, in their order."""

from __future__ import annotations

from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class BySystem(Plain):
    """A finding whose plain value `systems` has what it found of each system."""

    __slots__ = ()

    def to_dict(self, systems: Sequence[str] = ()) -> dict[str, Any]:
        """Return plain values; segments count from 1 here.

        Args:
            systems: the names of the systems, which become the keys of `systems`; without names it
                is a list.
        """
        values = super().to_dict()
        if systems:
            values["systems"] = dict(zip(systems, values["systems"], strict=True))
        return values
