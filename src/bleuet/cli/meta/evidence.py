"""What `bleuet meta` judges: people's judgments and metrics' scores, gathered and matched."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from bleuet.cli.given import target_language
from bleuet.cli.meta.checks import by_name, roles_of
from bleuet.cli.names import names_of, well_formed
from bleuet.cli.refusals import check_known
from bleuet.errors import InputError, OptionError
from bleuet.messages import nearest
from bleuet.metrics.catalogue import parse_metric
from bleuet.studies.meta_evaluation import ScoreMatrix
from bleuet.studies.meta_evaluation.computed import Asked, score_with
from bleuet.studies.meta_evaluation.human_scores_check import Contender, People
from bleuet.studies.meta_evaluation.mt_metrics_eval import (
    SEGMENT,
    SYSTEM,
    TestSet,
    base_name,
    choose_references,
)
from bleuet.studies.meta_evaluation.reading import (
    Scores,
    check_columns,
    read_people,
    read_scores,
)
from bleuet.studies.meta_evaluation.system_names import match_systems, without_endings
from bleuet.text.parallel import read_systems
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import TypeAlias

    from bleuet.cli.meta.arguments import MetaGiven
    from bleuet.studies.meta_evaluation.reading import Pairs, Rankings

    Rows: TypeAlias = Scores | Pairs | Rankings

HUMAN = "human"
LEFT_OUT = "left out: "
USUAL_HUMAN_NAME = "mqm"


@dataclass(frozen=True, slots=True)
class Evidence:
    """People and metrics on the same systems and segments, and what is to be told of them."""

    people: People
    contenders: list[Contender]
    notes: list[str]


# --- From files -----------------------------------------------------------------------------------


def evidence_of_files(given: MetaGiven) -> Evidence:
    """Gather tables and texts.

    Raises:
        InputError: a file cannot be read, or systems or segments do not match.
        OptionError: a metric or a name does not exist.
    """
    assert given.human is not None
    columns = roles_of(given.columns)
    paths = by_name(given.scores, "--scores", "NAME=FILE")
    check_known(given.lower_is_better, [HUMAN, *paths], "--lower-is-better")
    metrics = _metrics(given) if given.input else []
    rows = read_people(given.human, columns, given.first_segment)
    tables = {name: read_scores(path, columns, given.first_segment) for name, path in paths.items()}
    check_columns(columns, [one.table for one in (rows, *tables.values())])
    if not given.input:
        check_known(given.leave_out, rows.names, "--leave-out")
    texts = _Texts(given, rows.names) if given.input else None
    systems = texts.systems if texts else _systems_of_all(rows, tables, given.leave_out)
    last = max(one.last_segment for one in (rows, *tables.values()))
    segments = texts.segments if texts else last + 1
    people, notes = _people(rows, systems, segments, given)
    contenders = texts.contenders(metrics, given.threads) if texts else []
    if texts and texts.unjudged:
        notes.append(f"{LEFT_OUT}{', '.join(texts.unjudged)}, which people did not judge")
    for name, table in tables.items():
        contenders.append(_stored(name, table, systems, segments, given))
    return Evidence(people, _named_apart(contenders), notes)


def _metrics(given: MetaGiven) -> list[Asked]:
    language = target_language(given.language_pair)
    found: list[Asked] = []
    for text in given.metrics or ["bleu"]:
        of_segments = parse_metric(text, language=language, sentences=True)
        of_systems = parse_metric(text, language=language)
        if any((of_segments, of_systems) == other[1:] for other in found):
            raise OptionError(f"the metric {text} was asked for twice; name it once")
        options = "" if "|" in text else text.partition(":")[2]
        found.append(Asked(f"{of_segments.name} {options}".strip(), of_segments, of_systems))
    return found


class _Texts:
    """References and the systems' outputs, read, and the systems found among those judged."""

    def __init__(self, given: MetaGiven, judged: Sequence[str]) -> None:
        named = [_named(word) for word in given.input or ()]
        sources = [source for _, source in named]
        names = [name or short for (name, _), short in zip(named, names_of(sources), strict=True)]
        _check_left_out(given, judged, names)
        wanted = [name for name in names if not _is_left_out(name, given.leave_out)]
        found = match_systems(wanted, [name for name in judged if name not in given.leave_out])
        kept = [i for i, name in enumerate(names) if name in found]
        self.systems = [found[names[i]] for i in kept]
        self.unjudged = [name for name in wanted if name not in found]
        if len(kept) < 2:
            raise InputError(
                f"people judged {len(kept) or 'none'} of the systems that were given, but two or "
                f"more are needed: given are {', '.join(names)}"
            )
        references = [Source.parse(path) for path in given.references]
        corpora = read_systems([sources[i] for i in kept], references)
        self.segments = len(corpora[0])
        self._outputs = [corpus.hypotheses for corpus in corpora]
        self._references = corpora[0].references

    def contenders(self, metrics: Sequence[Asked], threads: int) -> list[Contender]:
        """Score everything, each distinct counting done once."""
        return score_with(metrics, self.systems, self._outputs, self._references, threads)


def _check_left_out(given: MetaGiven, judged: Sequence[str], names: Sequence[str]) -> None:
    known = [part for name in names for part in without_endings(name)]
    check_known(given.leave_out, list(dict.fromkeys([*judged, *known])), "--leave-out")


def _is_left_out(name: str, leave_out: Collection[str]) -> bool:
    return any(part in leave_out for part in without_endings(name))


def _named(word: str) -> tuple[str, Source]:
    """Take NAME=FILE apart; a file of that very name comes first."""
    name, equals, path = word.partition("=")
    if equals and name and path and not os.path.exists(word):
        return well_formed(name), Source.parse(path)
    return "", Source.parse(word)


def _systems_of_all(rows: Rows, tables: dict[str, Scores], leave_out: Collection[str]) -> list[str]:
    systems = [
        name
        for name in rows.names
        if name not in leave_out and all(name in table.names for table in tables.values())
    ]
    if len(systems) < 2:
        other = next(iter(tables.values()))
        raise InputError(
            f"people and metrics have {len(systems) or 'none'} of their systems in common, but "
            f"two or more are needed: {rows.table.name} has {', '.join(rows.names)}, and "
            f"{other.table.name} has {', '.join(other.names)}"
        )
    return systems


def _people(
    rows: Rows, systems: Sequence[str], segments: int, given: MetaGiven
) -> tuple[People, list[str]]:
    notes = []
    absent = [name for name in rows.names if name not in systems]
    if isinstance(rows, Scores):
        matrix = _oriented(rows.matrix(systems, segments, average=given.average), HUMAN, given)
        whole = rows.segments is None
        people = People(systems=matrix) if whole else People(scores=matrix)
        number = f"{matrix.values.size - matrix.missing:,} scores of people"
    else:
        if HUMAN in given.lower_is_better:
            raise OptionError(
                "people's judgments say which is better: leave human out of --lower-is-better"
            )
        judgments, others = rows.judgments(systems, segments)
        people = People(judgments=judgments)
        number = f"{len(judgments):,} judgments of people"
        if others:
            notes.append(f"{LEFT_OUT}{others:,} judgments of systems that were not given")
        if judgments.left_out:
            notes.append(f"{LEFT_OUT}{judgments.left_out:,} pairs of which one has no rank")
    if absent:
        notes.insert(0, f"{LEFT_OUT}{', '.join(absent)}, which people judged")
    whole_systems = isinstance(rows, Scores) and rows.segments is None
    size = "" if whole_systems else f", {segments:,} segments"
    return people, [f"{len(systems)} systems{size}, {number}", *notes]


def _oriented(matrix: ScoreMatrix, name: str, given: MetaGiven) -> ScoreMatrix:
    if name not in given.lower_is_better:
        return matrix
    return ScoreMatrix(matrix.systems, -matrix.values)


def _stored(
    name: str, table: Scores, systems: Sequence[str], segments: int, given: MetaGiven
) -> Contender:
    absent = [system for system in systems if system not in table.names]
    if absent:
        others = [system for system in table.names if system not in systems]
        raise InputError(
            f"{table.table.name} has no score of {', '.join(absent)}{nearest(absent[0], others)}; "
            f"it has {', '.join(table.names)}: add them, or say --leave-out {absent[0]}"
        )
    matrix = _oriented(table.matrix(systems, segments, average=given.average), name, given)
    lower = name in given.lower_is_better
    if table.segments is None:
        return Contender(name, systems=matrix, lower_is_better=lower)
    return Contender(name, segments=matrix, lower_is_better=lower)


def _named_apart(contenders: list[Contender]) -> list[Contender]:
    names = [one.name for one in contenders]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"two metrics are called {twice}: give the one of --scores another name")
    return contenders


# --- From the folders of mt-metrics-eval ----------------------------------------------------------


def evidence_of_test_set(given: MetaGiven) -> Evidence:
    """Gather what a test set holds, and score its outputs with the metrics asked for.

    Raises:
        InputError: the folder lacks something, or a file is not well formed.
        OptionError: a metric or a name does not exist.
    """
    assert given.mt_metrics_eval is not None
    assert given.language_pair is not None
    test_set = TestSet(Path(given.mt_metrics_eval), given.language_pair)
    references = choose_references(test_set, given.references)
    check_known(given.leave_out, test_set.systems, "--leave-out")
    left_out = {*given.leave_out, *references}
    people, name = _people_of_test_set(test_set, given, left_out)
    scored = people.scores or people.systems
    assert scored is not None
    systems = scored.systems
    contenders, notes = _stored_of_test_set(test_set, given, references, systems)
    if given.metrics or not contenders:
        contenders = [*_computed_of_test_set(test_set, given, references, systems), *contenders]
    absent = [system for system in test_set.systems if system not in systems]
    told = [
        f"{len(systems)} systems, {test_set.segments:,} segments, scores of people: {name}",
        f"references: {', '.join(references)}",
    ]
    if absent:
        told.append(f"{LEFT_OUT}{', '.join(absent)}")
    return Evidence(people, _named_apart(contenders), [*told, *notes])


def _people_of_test_set(
    test_set: TestSet, given: MetaGiven, left_out: Collection[str]
) -> tuple[People, str]:
    names = test_set.human_names
    name = given.human_name or (names[0] if len(names) == 1 else USUAL_HUMAN_NAME)
    if given.human_name is None and name not in names:
        raise OptionError(
            f"{test_set.folder} has the human scores {', '.join(names) or 'none'} for "
            f"{test_set.language_pair}: choose with --human-name"
        )
    matrices = [test_set.human(name, level) for level in (SEGMENT, SYSTEM)]
    known = [matrix for matrix in matrices if matrix is not None]
    # At both levels, so that the two are about the same systems.
    systems = [
        system
        for system in known[0].systems
        if system not in left_out and all(_is_scored(matrix, system) for matrix in known)
    ]
    if len(systems) < 2:
        raise InputError(
            f"{test_set.folder}: people scored {len(systems)} of the systems of "
            f"{test_set.language_pair} that are not references; two or more are needed"
        )
    scores, whole = (matrix and matrix.select(systems) for matrix in matrices)
    return People(scores=scores, systems=whole), name


def _is_scored(matrix: ScoreMatrix, system: str) -> bool:
    if system not in matrix.systems:
        return False
    return matrix.select([system]).missing < matrix.segments


def _stored_of_test_set(
    test_set: TestSet, given: MetaGiven, references: Sequence[str], systems: Sequence[str]
) -> tuple[list[Contender], list[str]]:
    names = test_set.metric_names(references)
    if given.stored is not None:
        shown = [*names, *(base_name(name) for name in names)]
        check_known(given.stored, shown, "--stored")
        names = tuple(name for name in names if {name, base_name(name)} & set(given.stored))
    contenders, lacking = [], []
    for name in names:
        matrices = [test_set.metric(name, level) for level in (SEGMENT, SYSTEM)]
        known = [matrix for matrix in matrices if matrix is not None]
        if not known or not all(set(systems) <= set(matrix.systems) for matrix in known):
            lacking.append(name)
            continue
        segments, whole = (matrix and matrix.select(systems) for matrix in matrices)
        contenders.append(Contender(name, segments, whole))
    notes = [f"{LEFT_OUT}{', '.join(lacking)}, which lack scores of systems"] if lacking else []
    return contenders, notes


def _computed_of_test_set(
    test_set: TestSet, given: MetaGiven, references: Sequence[str], systems: Sequence[str]
) -> list[Contender]:
    texts = [test_set.reference(name) for name in references]
    return score_with(
        _metrics(given),
        systems,
        [test_set.output(system) for system in systems],
        texts[0] if len(texts) == 1 else [list(row) for row in zip(*texts, strict=True)],
        given.threads,
    )
