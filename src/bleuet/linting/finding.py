"""Findings: the lines of a problem and their effect on the scores."""

from __future__ import annotations

from bleuet.frozen import Value
from bleuet.output.plain_values import Plain

SHOWN_LINES = 5


class Effect(Value, Plain):
    """The effect of one finding on one score of one system.

    Args:
        system: the system's name.
        metric: the metric's name, such as BLEU.
        before: the score of the texts as they are, in percent.
        after: the score after `Finding.remedy`.
        extra_digits: the digits that scores need beyond those of a score in percent.
    """

    system: str
    metric: str
    before: float
    after: float
    extra_digits: int = 0
    plain_fields = ("system", "metric", "before", "after")

    def __str__(self) -> str:
        digits = 2 + self.extra_digits
        return f"{self.metric} {self.before:.{digits}f} -> {self.after:.{digits}f}"

    def size(self) -> float:
        """Return the absolute change of the score."""
        return abs(self.after - self.before)


class Finding(Value, Plain):
    """One problem that one check found in one file.

    Args:
        check: the check's name in the catalogue.
        file: the name of the file, or of the system.
        role: the file's role: hypotheses, references or source.
        lines: the numbers of all affected lines, from 1; none if it is the whole file.
        message: the problem as a sentence.
        remedy: the change that `effects` measure, such as "without these lines".
        effects: the scores before and after the remedy, for each system and metric.

    >>> finding = Finding("empty", "a.txt", "hypotheses", (4, 9), "2 lines are empty")
    >>> finding.sentence
    '2 lines are empty: 4, 9'
    """

    check: str
    file: str
    role: str
    lines: tuple[int, ...]
    message: str
    remedy: str = ""
    effects: tuple[Effect, ...] = ()
    plain_fields = (
        *("check", "file", "role", "lines", "count", "message"),
        *("remedy", "effects"),
    )

    @property
    def count(self) -> int:
        """The number of affected lines."""
        return len(self.lines)

    @property
    def place(self) -> str:
        """The file and the first line, as compilers write them."""
        return f"{self.file}:{self.lines[0]}" if self.lines else self.file

    @property
    def sentence(self) -> str:
        """The message with the first few lines."""
        return f"{self.message}{_listed(self.lines)}"

    @property
    def effect(self) -> str:
        """The effect on the scores as text, "" if it was not measured.

        With several systems, it is the effect on the system whose score changes most.
        """
        metrics = dict.fromkeys(effect.metric for effect in self.effects)
        changes = [
            max((e for e in self.effects if e.metric == metric), key=Effect.size)
            for metric in metrics
        ]
        several = len({effect.system for effect in self.effects}) > 1
        shown = ", ".join(
            f"{effect}{f' ({effect.system})' if several else ''}" for effect in changes
        )
        return f"{self.remedy}: {shown}" if shown else ""


def _listed(lines: tuple[int, ...]) -> str:
    if not lines:
        return ""
    more = f" and {len(lines) - SHOWN_LINES} more" if len(lines) > SHOWN_LINES else ""
    return f": {', '.join(map(str, lines[:SHOWN_LINES]))}{more}"
