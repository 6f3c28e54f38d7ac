"""Inspecting: every check asked for, run over everything it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError, OptionError
from bleuet.messages import nearest
from bleuet.metrics.bleu import BLEU
from bleuet.metrics.chrf import CHRF
from bleuet.studies.lint.checks import CHECKS
from bleuet.studies.lint.finding import Finding
from bleuet.studies.lint.material import Material
from bleuet.text.source import Source
from bleuet.text.validation import check_hypotheses

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bleuet.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class Inspection:
    """What an inspection found, and what it looked for.

    Args:
        findings: the findings, check by check.
        checks: the names of the checks that ran.
        not_run: where all were asked for, the names of those that could not, with what they lacked.
        signatures: the signature of each metric that effects are measured by.
    """

    findings: tuple[Finding, ...]
    checks: tuple[str, ...]
    not_run: dict[str, str]
    signatures: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON shows it."""
        return {
            "findings": [finding.to_dict() for finding in self.findings],
            "checks": list(self.checks),
            "not_run": self.not_run,
            "signatures": self.signatures,
        }


def lint(
    systems: Mapping[str, Sequence[str]] | Sequence[str],
    references: Sequence[Any],
    *,
    source: Sequence[str] | None = None,
    training: str | os.PathLike[str] | None = None,
    checks: Sequence[str] | None = None,
    metrics: Sequence[Metric[Any]] | None = None,
) -> Inspection:
    """Look for what is wrong with texts before their scores are believed.

    Args:
        systems: the hypotheses of each system by its name, or those of one system.
        references: for each segment a string, or a list of strings.
        source: one string for each segment; some checks need it.
        training: a file of training text, read in bounded memory; one check needs it.
        checks: names of the catalogue; all where it is left out.
        metrics: what effects are measured by; BLEU and chrF where it is left out.

    Returns:
        The findings, and which checks ran.

    Raises:
        OptionError: there is no such check, or it needs what was not given.
        InputError: the texts cannot be scored, or differ in number.

    >>> found = lint(["A cat &amp; a dog.", ""], ["A cat & a dog.", "It rains."])
    >>> for finding in found.findings:
    ...     print(finding.place, finding.check, finding.sentence)
    hypotheses:2 empty 1 line is empty: 2
    hypotheses:1 entities 1 line holds escaped entities, such as &amp;: 1
    """
    if isinstance(systems, Mapping) and not systems:
        raise InputError("no system was given; expected at least one: {'mine': [...]}")
    material = Material(
        systems if isinstance(systems, Mapping) else {"hypotheses": check_hypotheses(systems)},
        references,
        source=source,
        training=None if training is None else Source.parse(training),
        metrics=(BLEU(), CHRF()) if metrics is None else metrics,
    )
    return inspect_material(material, checks)


def inspect_material(material: Material, checks: Sequence[str] | None = None) -> Inspection:
    """Run checks on what was read already; arguments and errors as for `lint`."""
    lacking = {need for need in ("source", "training") if getattr(material, need) is None}
    names, asked_for_all = choose_checks(checks, lacking), checks is None
    findings = [finding for name in names for finding in CHECKS[name].find(material)]
    n_references = next(iter(material.scoring.corpora.values())).n_references
    return Inspection(
        tuple(findings),
        tuple(names),
        {
            name: ", ".join(sorted(lacking.intersection(check.needs)))
            for name, check in CHECKS.items()
            if asked_for_all and lacking.intersection(check.needs)
        },
        {m.name: str(m.signature(n_references)) for m in material.scoring.metrics},
    )


def choose_checks(asked: Sequence[str] | None, lacking: set[str]) -> list[str]:
    """Return the checks to run, in the order of the catalogue.

    Args:
        asked: the names asked for, or None for all that can run.
        lacking: what was not given: source, training.

    Raises:
        OptionError: there is no such check, or it needs what was not given.

    >>> choose_checks(["script", "empty"], set())
    ['empty', 'script']
    """
    for name in asked or ():
        if name not in CHECKS:
            raise OptionError(
                f"there is no check {name!r}{nearest(name, CHECKS)}; they are {', '.join(CHECKS)}"
            )
        missing = lacking.intersection(CHECKS[name].needs)
        if missing:
            needed = " and ".join(sorted(missing))
            raise OptionError(f"the check {name} needs the {needed} text, which was not given")
    return [
        name
        for name, check in CHECKS.items()
        if (name in asked if asked is not None else not lacking.intersection(check.needs))
    ]
