"""`python -m bleuet` is the command `bleuet`."""

from __future__ import annotations

from bleuet.cli.main import run

run()
