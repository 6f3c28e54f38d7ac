"""The names of `display_names`, until its callers have moved."""

from bleuet.cli.display_names import system_names as names_of
from bleuet.cli.display_names import without_common_ending
from bleuet.output.escaping import in_latex, in_markdown, printable, well_formed

__all__ = [
    "in_latex",
    "in_markdown",
    "names_of",
    "printable",
    "well_formed",
    "without_common_ending",
]
