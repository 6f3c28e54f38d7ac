"""`lint`: runs the checks on the texts of a test set and reports the findings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value, checked
from bleuet.linting.checks import CHECKS
from bleuet.linting.finding import Finding
from bleuet.linting.lost_lines import LENGTH, find_lost_lines
from bleuet.linting.material import HYPOTHESES, REFERENCES, SOURCE, Material
from bleuet.messages import nearest, plural
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.text.row_index import shared_index
from bleuet.text.source import Source
from bleuet.text.validation import check_hypotheses, check_references

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.signature import Signature
    from bleuet.output.document import Record

FOUND = 1


class LintReport(Plain, Answer, Value):
    """The findings of some checks.

    Args:
        findings: the findings, in the order of the checks.
        checks: the names of the checks that ran.
        not_run: the checks that could not run, by name, with the texts they lacked.
        signatures: the signature of each metric that measures effects, by its name.
        strict: the command exits with 1 if there are findings.
    """

    findings: tuple[Finding, ...]
    checks: tuple[str, ...]
    not_run: dict[str, str]
    signatures: dict[str, Signature]
    strict: bool = False
    plain_fields = ("findings", "checks", "not_run", "signatures")

    @property
    def exit_code(self) -> int:
        """What a command exits with."""
        return FOUND if self.strict and self.findings else 0

    @property
    def summary(self) -> str:
        """The number of findings and checks, and the checks that did not run."""
        found = "nothing found"
        if self.findings:
            found = plural(len(self.findings), "finding")
        lacking = [f"{name} needs --{need}" for name, need in self.not_run.items()]
        not_run = f" (not run: {', '.join(lacking)})" if lacking else ""
        if any(one.check == LENGTH for one in self.findings):
            not_run = "; the other checks need files of one length"
        return f"{found} by {plural(len(self.checks), 'check')}{not_run}"

    def document(self) -> Document:
        """Return a table of findings and the summary; the records are findings and effects."""
        columns = [
            Column("place"),
            Column("check"),
            Column("finding", kind="long text", value="sentence"),
            Column("effect", kind="long text"),
        ]
        table = DocumentTable.of("findings", "", columns, self.findings)
        measured = any(one.effects for one in self.findings)
        return Document(
            tables=[table] if self.findings else (),
            notes=[self.summary],
            signatures=self.signatures.items() if measured else (),
            data=self.to_dict,
            records={"findings": self._findings, "effects": self._effects},
        )

    def _in_brief(self) -> str:
        findings, checks = plural(len(self.findings), "finding"), plural(len(self.checks), "check")
        return f"with {findings} by {checks}"

    def _findings(self) -> Iterator[Record]:
        for one in self.findings:
            record = one.to_dict()
            del record["effects"]
            yield {**record, "effect": one.effect}

    def _effects(self) -> Iterator[Record]:
        for one in self.findings:
            for effect in one.effects:
                yield {"check": one.check, "file": one.file, **effect.to_dict()}


@checked
def lint(
    systems: Mapping[str, Sequence[str]] | Sequence[str],
    references: Sequence[Any],
    *,
    source: Sequence[str] | None = None,
    training: str | os.PathLike[str] | Source | None = None,
    checks: Sequence[str] | None = None,
    metrics: Sequence[Metric[Any]] | None = None,
) -> LintReport:
    """Find problems in texts that make the scores wrong.

    Args:
        systems: the hypotheses of each system by its name, or those of one system.
        references: for each segment a string, or a list of strings.
        source: one string for each segment; some checks need it.
        training: a file of training text, or a `Source`, read in bounded memory; one check needs
            it.
        checks: names of the catalogue; default all that can run.
        metrics: the metrics that measure effects; default BLEU and chrF.

    Returns:
        The findings, and which checks ran.

    Raises:
        OptionError: there is no such check, or it needs a text that is missing.
        InputError: the texts cannot be scored.

    >>> found = lint(["A cat &amp; a dog.", ""], ["A cat & a dog.", "It rains."])
    >>> for finding in found.findings:
    ...     print(finding.place, finding.check, finding.sentence)
    hypotheses:2 empty 1 line is empty: 2
    hypotheses:1 entities 1 line contains escaped entities, such as &amp;: 1
    """
    if isinstance(systems, Mapping) and not systems:
        raise InputError("no system; expected at least one: {'mine': [...]}")
    shared_index(hypotheses=systems, references=references, source=source)
    texts = systems if isinstance(systems, Mapping) else {"hypotheses": check_hypotheses(systems)}
    entries = check_references(references)
    found = lint_lengths(
        {name: check_hypotheses(one) for name, one in texts.items()},
        {"references": entries},
        None if source is None else ("source", source),
        checks,
    )
    if found is not None:
        return found
    material = Material(
        texts,
        entries,
        source=source,
        training=Source.parse(training) if isinstance(training, str | os.PathLike) else training,
        metrics=(BLEU(), CHRF()) if metrics is None else metrics,
    )
    return lint_material(material, checks)


def lint_lengths(
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[Any]],
    source: tuple[str, Sequence[str]] | None = None,
    checks: Sequence[str] | None = None,
    *,
    strict: bool = False,
) -> LintReport | None:
    """Find where lines were lost or added, if files differ in length.

    Args:
        systems: the hypotheses of each system, by its name.
        references: the references of each file, by its name; all others are compared with the
            first.
        source: the name of the source, and its texts.
        checks: names of the catalogue; default all.
        strict: the command exits with 1 if there are findings.

    Returns:
        The findings; None where all files have one length, or this check is not wanted.
    """
    first, *others = references.items()
    files = [(name, HYPOTHESES, texts) for name, texts in systems.items()]
    files += [(name, REFERENCES, _first_texts(entries)) for name, entries in others]
    files += [(source[0], SOURCE, source[1])] if source else []
    base = _first_texts(first[1])
    different = [one for one in files if len(one[2]) != len(base)]
    if not different or not base or (checks is not None and LENGTH not in checks):
        return None
    choose_checks(checks, set())
    findings = [finding for one in different for finding in find_lost_lines(*one, base)]
    return LintReport(tuple(findings), (LENGTH,), {}, {}, strict)


def _first_texts(entries: Sequence[Any]) -> list[str]:
    """Return the first reference of each segment, "" for none."""
    return [
        entry if isinstance(entry, str) else next(filter(None, entry or ()), "")
        for entry in entries
    ]


def lint_material(
    material: Material, checks: Sequence[str] | None = None, *, strict: bool = False
) -> LintReport:
    """Run checks on texts that are already read.

    Args:
        material: the texts.
        checks: names of the catalogue; default all that can run.
        strict: the command exits with 1 if there are findings.

    Raises:
        OptionError: there is no such check, or it needs a text that is missing.
    """
    lacking = {need for need in ("source", "training") if getattr(material, need) is None}
    names = choose_checks(checks, lacking)
    findings = [finding for name in names for finding in CHECKS[name].find(material)]
    n_references = next(iter(material.scoring.corpora.values())).n_references
    return LintReport(
        tuple(findings),
        tuple(names),
        {
            name: ", ".join(sorted(lacking.intersection(check.needs)))
            for name, check in CHECKS.items()
            if checks is None and lacking.intersection(check.needs)
        },
        {one.name: one.signature(n_references) for one in material.scoring.metrics},
        strict,
    )


def choose_checks(names: Sequence[str] | None, lacking: set[str]) -> list[str]:
    """Return the checks to run, in the order of the catalogue.

    Args:
        names: the names of the checks, or None for all that can run.
        lacking: the texts that are missing: source, training.

    Raises:
        OptionError: there is no such check, or it needs a text that is missing.

    >>> choose_checks(["script", "empty"], set())
    ['empty', 'script']
    """
    for name in names or ():
        if name not in CHECKS:
            raise OptionError(
                f"there is no check {name!r}{nearest(name, CHECKS)}; the checks are "
                f"{', '.join(CHECKS)}"
            )
        missing = lacking.intersection(CHECKS[name].needs)
        if missing:
            needed = " and ".join(sorted(missing))
            raise OptionError(
                f"the check {name} needs the {needed} text: add it, or leave the check out"
            )
    return [
        name
        for name, check in CHECKS.items()
        if (name in names if names is not None else not lacking.intersection(check.needs))
    ]
