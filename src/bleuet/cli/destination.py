"""Where output goes, for the commands that do not yet answer with documents."""

from __future__ import annotations

from bleuet.output.destination import STDOUT, Destination, check_destination

__all__ = ["STDOUT", "Destination", "check_destination"]
