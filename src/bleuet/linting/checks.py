"""The catalogue of checks: what each one finds, what it needs, and the function that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.frozen import Value
from bleuet.linting.alignment import find_shifts
from bleuet.linting.case import find_case
from bleuet.linting.copies import find_same_files, find_source_copies
from bleuet.linting.duplicates import find_duplicates
from bleuet.linting.empty import find_empty
from bleuet.linting.encoding import find_lost, find_misread
from bleuet.linting.entities import find_entities
from bleuet.linting.invisible import find_invisible
from bleuet.linting.lookalikes import find_lookalikes
from bleuet.linting.lost_lines import find_lengths
from bleuet.linting.normal_forms import find_normal_forms
from bleuet.linting.overlap import find_overlap
from bleuet.linting.repetition import find_repetition
from bleuet.linting.scripts import find_scripts
from bleuet.linting.shapes import find_missing, find_shapes
from bleuet.linting.tokenization import find_subwords, find_tokenized, find_unsplit
from bleuet.linting.truncation import find_truncation
from bleuet.linting.unrelated import find_unrelated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material


class LintCheck(Value):
    """One check of the catalogue.

    Args:
        summary: what it finds, for lists and help.
        needs: the texts it needs besides hypotheses and references: source, training.
        find: the function that returns the findings.
    """

    summary: str
    needs: tuple[str, ...]
    find: Callable[[Material], Iterator[Finding]]


CHECKS = {
    "length": LintCheck("lines lost, added, merged or split", (), find_lengths),
    "shape": LintCheck("lines that hold more than text", (), find_shapes),
    "empty": LintCheck("empty lines", (), find_empty),
    "missing": LintCheck("lines that are nan, NA, None or the like", (), find_missing),
    "same-file": LintCheck("the same text in two files", (), find_same_files),
    "alignment": LintCheck("lines shifted against their references", (), find_shifts),
    "unrelated": LintCheck("lines that do not belong to the references", (), find_unrelated),
    "source-copy": LintCheck("lines left untranslated", ("source",), find_source_copies),
    "script": LintCheck("lines in another script than the references", (), find_scripts),
    "repetition": LintCheck("words repeated over and over", (), find_repetition),
    "truncation": LintCheck("lines cut off at a length limit", (), find_truncation),
    "duplicates": LintCheck("one hypothesis for many different segments", (), find_duplicates),
    "tokenizer": LintCheck("text that no tokenizer splits into words", (), find_unsplit),
    "tokenization": LintCheck("text that is still tokenized", (), find_tokenized),
    "subwords": LintCheck("subwords that were not joined", (), find_subwords),
    "case": LintCheck("text in one letter case only", (), find_case),
    "entities": LintCheck("escaped entities such as &amp;", (), find_entities),
    "encoding": LintCheck("UTF-8 read in another encoding", (), find_misread),
    "lost-characters": LintCheck("characters replaced by U+FFFD", (), find_lost),
    "normal-forms": LintCheck("Unicode in two normal forms", (), find_normal_forms),
    "invisible": LintCheck("invisible characters", (), find_invisible),
    "lookalikes": LintCheck("letters of another script that look the same", (), find_lookalikes),
    "overlap": LintCheck("test lines in the training text", ("training",), find_overlap),
}
