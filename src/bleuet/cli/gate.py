"""`bleuet gate`: fail where a new system is worse than its baseline."""

from __future__ import annotations

import os

from bleuet.cli.documents import read_documents, warn_of_documents
from bleuet.cli.metric_selection import make_metrics
from bleuet.cli.options import (
    ALLOW_MISMATCH,
    DOCUMENTS,
    DOWNLOAD,
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    SEED,
    SOURCE_TEXTS,
    SYSTEMS,
    THREADS,
    Command,
    Flag,
    FlagRule,
    seed_of,
    settings_of,
)
from bleuet.cli.significance_options import ALPHA, CORRECTION, TEST_DRAWS, TEST_OF_ONE_RUN
from bleuet.cli.text_input import TextFiles, count_texts, sources, text_files
from bleuet.errors import InputError, OptionError
from bleuet.evaluation.evaluation import Evaluation
from bleuet.evaluation.names import files_of, known_systems, named_file, shown_names
from bleuet.evaluation.system_scores import Scores
from bleuet.frozen import Value
from bleuet.gate import RULES, Limits, gate_limits, gate_scores, gate_systems
from bleuet.gate.commit_label import commit, short_label
from bleuet.gate.history import History
from bleuet.gate.history_file import append_run, check_history, read_history
from bleuet.gate.metric_limits import parse_limits
from bleuet.gate.runs import check_label, now, run_of, shown_time
from bleuet.gate.stored_scores import StoredScores, best_run
from bleuet.gate.verdict import MOST_CHANGES, PLANNED_CHANGES
from bleuet.messages import nearest, plural
from bleuet.output.destination import STDOUT, Destination, check_destination
from bleuet.output.escaping import well_formed
from bleuet.output.settings import Settings
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.settings import TestSettings
from bleuet.study_settings import IntervalSettings
from bleuet.tablefile.saved_files import SavedFile, select_metrics
from bleuet.tablefile.saved_tables import SavedTable, save_tables
from bleuet.tablefile.writer import check_table_file
from bleuet.text.files import STDIN
from bleuet.text.fingerprint import Fingerprint, check_same_test_set, same_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.gate import GateResult
    from bleuet.metrics.base.metric import Metric
    from bleuet.tablefile.saved_files import Selection
    from bleuet.text.source import Source

BASELINE = Flag(
    "--baseline", metavar="OLD", reads=True, paths=files_of,
    help="the baseline system: hypotheses, a saved table (.parquet) or scores (.json, .jsonl)",
)  # fmt: skip
BASELINE_SYSTEM = Flag(
    "--baseline-system", metavar="NAME",
    help="the system to read from a saved table or scores of several systems",
)  # fmt: skip
RELEASE = Flag(
    "--release", metavar="OLDER", reads=True, paths=files_of,
    help="an older system that stays the same, such as the last release: the new system is "
    "compared with it, too, so that many small drops add up",
)  # fmt: skip
INPUT_SYSTEM = Flag(
    "--input-system",
    metavar="NAME",
    help="the system to read from a saved table of several systems after -i",
)
INIT = Flag(
    "--init", kind="switch",
    help="a first run: if the baseline (.parquet, .json, .jsonl) does not exist, write it from the "
    "new system",
)  # fmt: skip
MAX_DROP = Flag(
    "--max-drop", many="+", metavar="POINTS",
    help="a drop that is larger than this is too large; METRIC=POINTS is for one metric (default: "
    "no drop is too large)",
)  # fmt: skip
MIN = Flag(
    "--min", many="+", metavar="METRIC=SCORE",
    help="the least allowed score of a metric, such as bleu=30; needs no baseline",
)  # fmt: skip
MAX = Flag(
    "--max", many="+", metavar="METRIC=SCORE",
    help="the largest allowed score of a metric whose lower scores are better, such as ter=60",
)  # fmt: skip
FAIL_ON = Flag(
    "--fail-on", metavar="RULE", choices=tuple(RULES),
    help="; ".join(f"{name}: {rule.summary}" for name, rule in RULES.items())
    + " (default: both, where a metric without --max-drop fails on a significant drop; drop where "
    "the baseline has scores only)",
)  # fmt: skip
CHANGES = Flag(
    "--changes", kind="whole", metavar="N", least=1, most=MOST_CHANGES,
    help="the number of changes to check: each spends an equal share of alpha (default: "
    f"{PLANNED_CHANGES} with --history, which a gate of every change has, else 1)",
)  # fmt: skip
SUMMARY = Flag(
    "--summary", metavar="FILE", writes=True,
    help='append the result to FILE as Markdown, such as to "$GITHUB_STEP_SUMMARY"',
)  # fmt: skip
HISTORY = Flag(
    "--history", metavar="FILE", writes=True,
    help="append the run to FILE, a history in JSON Lines, which bleuet history shows",
)  # fmt: skip
LABEL = Flag(
    "--label", metavar="TEXT",
    help="the name of the run in the history (default: the commit of GitHub, GitLab or the "
    "working folder, or the time)",
)  # fmt: skip

# docs/gate.md has the table of these numbers, and tests/test_gate_rates.py computes them.
_ASK_FOR_CHANGES = (
    "For a gate of every change, add --history FILE or --changes N: by default, as many as 40% of "
    "sequences of 20 changes without effect fail at least once; with --changes 20, about 2.5% do."
)
# The word after --baseline for the best run of the history.
BEST = "best"

COMMAND = Command(
    "gate",
    """\
Compare a new system with a baseline system, and fail if it is worse.

The baseline is a file of hypotheses, a table saved by bleuet score
--save-table (.parquet), or scores written by bleuet score --format json
(.json), which cannot be tested for significance. A saved table or scores also
provide the metrics, unless -m names them. The word best is the best run of
--history.

A drop is how much worse the new system is: a lower BLEU, but a higher TER. By
default the gate fails if the drop of at least one metric is significant and
larger than --max-drop. It also fails if a score is below --min or above --max,
which need no baseline.""",
    [
        "REF [REF ...] --baseline OLD -i NEW [option ...]",
        "REF [REF ...] -i NEW --min METRIC=SCORE [option ...]",
    ],
    {
        "input": (
            REFERENCES,
            SOURCE_TEXTS,
            BASELINE,
            RELEASE,
            SYSTEMS.but(metavar="NEW", help="the new system: hypotheses or a saved table"),
            BASELINE_SYSTEM,
            INPUT_SYSTEM,
            INIT,
            ALLOW_MISMATCH,
            *READING,
        ),
        "metrics": (
            METRICS.but(help="metrics, as in bleuet score (default: bleu, or the baseline's)"),
            LANGUAGE_PAIR,
            DOWNLOAD,
        ),
        "limits": (MAX_DROP, MIN, MAX, FAIL_ON),
        "test": (
            TEST_OF_ONE_RUN.but(
                help=f"{TEST_OF_ONE_RUN.help} (default: bootstrap, or randomization below "
                f"{ENOUGH} segments or documents)"
            ),
            CORRECTION,
            ALPHA,
            CHANGES,
            TEST_DRAWS,
            SEED,
            DOCUMENTS,
        ),
        "computing": (THREADS,),
        "output": (SUMMARY, HISTORY, LABEL),
    },
    rules=(
        FlagRule((RELEASE, INIT, BASELINE_SYSTEM, MAX_DROP, FAIL_ON, CHANGES), needs=(BASELINE,)),
        FlagRule((INIT,), excludes=(RELEASE,), reason="a first run compares nothing"),
        FlagRule((INIT,), excludes=(BASELINE_SYSTEM,), reason="it writes one system"),
        FlagRule((LABEL,), needs=(HISTORY,)),
    ),
    examples="""\
examples:
  bleuet gate ref.txt --baseline old.txt -i new.txt --max-drop 0.3
  bleuet gate ref.txt --baseline old.parquet -i new.txt --fail-on either --max-drop 0.5
  bleuet gate ref.txt --baseline scores.json -i new.txt --max-drop 0.3 --init
  bleuet gate ref.txt --baseline old.txt -i new.txt -m bleu chrf --max-drop bleu=0.3 chrf=0.2
  bleuet gate ref.txt --baseline old.txt --release v1.parquet -i new.txt --changes 20
  bleuet gate ref.txt -i new.txt -m bleu ter --min bleu=30 --max ter=60
  bleuet gate ref.txt --baseline old.txt -i new.txt --history history.jsonl
  bleuet gate ref.txt --baseline best -i new.txt --history history.jsonl --max-drop 0.3

exit codes: 0 passed, 3 failed, 1 input that cannot be scored, 2 wrong usage,
130 Ctrl-C""",
    stray="write the references first, as in bleuet gate REF --baseline OLD -i NEW",
)


def answer(args: Arguments) -> GateResult:
    """Return the verdict, and append it to the files of --summary and --history."""
    limits = _limits(args)
    if args.summary == STDOUT:
        raise OptionError("--summary needs a file: for standard output, use -f markdown")
    _check_history(args)
    gated = _result(args, limits)
    result = gated.result
    if args.summary is not None:
        with Destination(args.summary, append=True) as out:
            out.write(result.to_markdown(width=args.width, short=args.short) + "\n")
    if args.history is not None:
        _append(args, gated)
    return result


class _Gated(Value):
    """The verdict, and what a history needs beside it.

    Attributes:
        result: the verdict.
        tables: the counts of the new system, one table by each metric.
        system: the name of the new system, whatever it is compared with.
        documents: the document of each segment, None where segments are drawn.
    """

    result: GateResult
    tables: list[SavedTable]
    system: str
    documents: Sequence[str] | None = None


def _check_history(args: Arguments) -> None:
    """Check the history and the label before anything is counted."""
    if args.history is None:
        return
    if args.history == STDOUT:
        raise OptionError("--history needs a file: name one, such as history.jsonl")
    check_history(args.history)
    if args.label is not None:
        check_label(args.label)
    if os.path.exists(args.history):
        read_history(args.history, max_segment_bytes=args.max_segment_bytes)


def _append(args: Arguments, gated: _Gated) -> None:
    """Add the run to the history."""
    time = now()
    label = args.label or commit(os.environ, os.curdir) or shown_time(time)
    run = run_of(
        gated.result,
        gated.tables,
        label=label,
        time=time,
        system=gated.system,
        settings=IntervalSettings(seed=seed_of(args)),
        documents=gated.documents,
        threads=args.threads,
    )
    append_run(args.history, run)


def _limits(args: Arguments) -> Limits:
    max_drop, max_drops = parse_limits(args.max_drop or (), "max_drop", for_all=True)
    (_, least), (_, most) = parse_limits(args.min or (), "min"), parse_limits(args.max or (), "max")
    # A gate with a history checks one change after the other.
    planned = args.baseline is not None and args.history is not None
    changes = args.changes or (PLANNED_CHANGES if planned else 1)
    return Limits(max_drop, args.alpha, args.fail_on, max_drops, least, most, changes)


def _result(args: Arguments, limits: Limits) -> _Gated:
    if args.baseline is None:
        if not (limits.min or limits.max):
            raise OptionError(
                "no baseline; expected --baseline with a file, or the limits --min or --max"
            )
        return _alone(args, limits)
    if _is_best(args):
        return _compare_with_best(args, limits)
    _, path = named_file(args.baseline)
    (source,) = sources(args, [path])
    if source.path == STDIN or os.path.exists(source.path):
        return _compare(args, limits)
    if args.init:
        return _first_run(args, limits, source)
    try:
        return _compare(args, limits)
    except InputError as error:
        if _is_stored(source):
            raise InputError(f"{error}; in a first run, --init writes it") from None
        raise


def _compare(args: Arguments, limits: Limits) -> _Gated:
    old, release, new = _baseline(args), _release(args), _new(args)
    sides = (old, new) if release is None else (old, release, new)
    if release is not None and (old.stored or release.stored):
        raise OptionError(
            "--release needs hypotheses or saved tables, also as the baseline: run a gate for each "
            "file of scores"
        )
    _, tables, documents = _tables(args, limits, *sides)
    names = _shown(*sides)
    if old.stored:
        (own,) = tables
        scores = [saved.score() for saved in own]
        stored = old.stored.scores(
            old.system, scores, own[0].references, names[1], allow_mismatch=args.allow_mismatch
        )
        old.stored.warn_of_version(old.system)
        result = gate_scores(names[0], names[1], stored, scores, limits)
        return _Gated(_allowing(args, result), own, _shown_alone(new), documents)
    _warn_of_unknown(sides, tables)
    evaluation = Evaluation.from_saved(
        [
            SavedTable(name, saved.metric, saved.table, saved.references)
            for name, own in zip(names, tables, strict=True)
            for saved in own
        ],
        allow_mismatch=args.allow_mismatch,
    )
    if limits.fail_on != "drop":
        texts = [side.texts for side in sides if side.texts]
        warn_of_documents(args, [*sources(args, args.references), *texts])
    result = gate_systems(
        evaluation.replace(documents=documents),
        limits,
        settings_of(args, TestSettings),
        threads=args.threads,
    )
    return _Gated(_allowing(args, result), tables[-1], _shown_alone(new), documents)


def _allowing(args: Arguments, result: GateResult) -> GateResult:
    """Return a result that says in its note what `--allow-mismatch` may have allowed."""
    if not args.allow_mismatch:
        return result
    note = "Other test sets and settings of stored scores were allowed."
    return result.replace(note=" ".join(filter(None, (result.note, note))))


def _is_best(args: Arguments) -> bool:
    return args.baseline == BEST and not os.path.exists(BEST)


def _compare_with_best(args: Arguments, limits: Limits) -> _Gated:
    """Return the verdict of a comparison with the best run of the history."""
    path = args.history
    if path is None:
        raise OptionError("--baseline best is the best run of a history: name it with --history")
    if args.release is not None:
        raise OptionError("--release needs hypotheses or saved tables, also as the baseline")
    history = History(())
    if os.path.exists(path):
        history = read_history(path, max_segment_bytes=args.max_segment_bytes)
    new, runs = _new(args), history.runs
    # The metrics are those of the newest run, unless -m names others.
    newest = StoredScores.of_run(path, runs[-1]) if runs else None
    sides = [new]
    if newest is not None:
        sides.append(_Side("baseline", runs[-1].label, "", stored=newest))
    metrics, (own,), documents = _tables(args, limits, *sides)
    limits.check_untested(metrics)
    name, scores = _shown_alone(new), [saved.score() for saved in own]
    if not runs and args.init:
        result = gate_limits(name, scores, limits, first_run=well_formed(path))
        return _Gated(result.replace(written=True), own, name, documents)
    run, stored, count = best_run(
        path, history, scores, own[0].references, name, allow_mismatch=args.allow_mismatch
    )
    StoredScores.of_run(path, run).warn_of_version(run.label)
    result = gate_scores(short_label(run.label), name, stored, scores, limits)
    best = f"the best of {plural(count, 'run that', 'runs that')} passed, by {scores[0].name}"
    note = f"{short_label(run.label)} is {best}."
    if count > 1:
        note += (
            " The best of several scores is partly luck, so a system that is as good is expected "
            "to score less."
        )
    return _Gated(result.replace(note=note), own, name, documents)


def _warn_of_unknown(sides: Sequence[_Side], tables: Sequence[Sequence[SavedTable]]) -> None:
    """Warn of saved tables whose test set cannot be compared with that of another side."""
    known = [own[0].references for own in tables]
    for side, found in zip(sides, known, strict=True):
        others = [one for one in known if one and not same_form(one, found)]
        if side.saved and others:
            check_same_test_set(side.saved.path, found, "", others[0])


def _alone(args: Arguments, limits: Limits) -> _Gated:
    """Return the verdict of limits that need no baseline."""
    new = _new(args)
    _, (own,), documents = _tables(args, limits, new)
    name = _shown_alone(new)
    result = gate_limits(name, [saved.score() for saved in own], limits)
    return _Gated(result, own, name, documents)


def _first_run(args: Arguments, limits: Limits, source: Source) -> _Gated:
    """Return the verdict without a baseline, and write the baseline unless the new system fails.

    Args:
        args: the arguments.
        limits: the limits.
        source: the file of the baseline.
    """
    path = source.path
    if not _is_stored(source):
        raise OptionError(
            f"--init writes a saved table (.parquet) or scores (.json, .jsonl), not {path}: use "
            "such a name after --baseline"
        )
    check_destination(path, [], "--init")
    if source.kind == "parquet":
        check_table_file(path, "--init")
    new = _new(args)
    metrics, (own,), documents = _tables(args, limits, new)
    if _has_scores(source):
        limits.check_untested(metrics)
    name, scores = _shown_alone(new), [saved.score() for saved in own]
    result = gate_limits(name, scores, limits, first_run=well_formed(path))
    if source.kind == "parquet" and args.changes is None and args.history is None:
        result = result.replace(note=_ASK_FOR_CHANGES)
    if not result.passed:
        return _Gated(result, own, name, documents)
    if source.kind == "parquet":
        save_tables(path, [saved._replace(system=name) for saved in own])
    else:
        with Destination(path) as out:
            form = "jsonl" if source.kind == "jsonl" else "json"
            Scores([name], [scores], test_set=own[0].references).write(out, form, Settings())
    return _Gated(result.replace(written=True), own, name, documents)


# --- Files ----------------------------------------------------------------------------------------


class _Side(Value):
    """The baseline system, the release or the new system, and what it is read from.

    Attributes:
        role: what it is in the comparison.
        system: the name of the system in the file, or that of the file.
        given: the name of the system on the command line, "" for none.
        texts: the file of its hypotheses.
        saved: its saved tables.
        stored: its scores, for a baseline.
    """

    role: str
    system: str
    given: str
    texts: Source | None = None
    saved: SavedFile | None = None
    stored: StoredScores | None = None


def _shown(*sides: _Side) -> list[str]:
    """Return the names of the systems in output, with their roles if two have the same name."""
    names = [side.given or side.system for side in sides]
    if len(set(names)) < len(names):
        return [f"{name} ({side.role})" for name, side in zip(names, sides, strict=True)]
    return shown_names([side.given for side in sides], names)


def _shown_alone(new: _Side) -> str:
    """Return the name in output of a system without a baseline."""
    (name,) = shown_names([new.given], [new.given or new.system])
    return name


def _baseline(args: Arguments) -> _Side:
    """Return the baseline system."""
    return _side(args, "baseline", args.baseline, BASELINE_SYSTEM, args.baseline_system)


def _release(args: Arguments) -> _Side | None:
    """Return the older system, None for none."""
    if args.release is None:
        return None
    return _side(args, "release", args.release, BASELINE_SYSTEM, args.baseline_system)


def _new(args: Arguments) -> _Side:
    """Return the new system."""
    if not args.input:
        raise OptionError("no new system; expected -i with a file")
    if len(args.input) > 1:
        raise OptionError(
            f"a gate tests one new system, but -i has {len(args.input)} files: run it for each"
        )
    new = _side(args, "new", args.input[0], INPUT_SYSTEM, args.input_system)
    if new.stored:
        raise OptionError(f"{new.stored.path} has scores, but -i needs hypotheses or a saved table")
    return new


def _is_stored(source: Source) -> bool:
    """Return whether a file has saved tables or scores, by its name."""
    return source.column is None and (source.kind == "parquet" or _has_scores(source))


def _has_scores(source: Source) -> bool:
    return source.column is None and (source.kind == "jsonl" or source.path.endswith(".json"))


def _side(args: Arguments, role: str, word: str, selects: Flag, name: str | None) -> _Side:
    """Return one side.

    Args:
        args: the arguments.
        role: what it is in the comparison.
        word: the file, or NAME=FILE.
        selects: the flag that selects a system in it.
        name: the selected system, None for the only one.
    """
    given, path = named_file(word)
    (source,) = sources(args, [path])
    if source.column is None and source.kind == "parquet":
        saved = SavedFile(source.path)
        system = _selected(path, role, saved.systems, selects, name)
        return _Side(role, system, given, saved=saved)
    if _has_scores(source):
        stored = StoredScores.read(source)
        system = _selected(path, role, stored.systems, selects, name)
        return _Side(role, system, given, stored=stored)
    # The name may be that of the baseline, whose file is another one.
    if name is not None and role != "release":
        raise OptionError(f"{selects.name} selects from a saved table or scores: remove it")
    return _Side(role, well_formed(source.name), given, texts=source)


def _selected(path: str, role: str, names: Sequence[str], selects: Flag, name: str | None) -> str:
    """Return the selected one of the systems in a file."""
    if role == "release" and len(names) == 1:
        return names[0]
    known = ", ".join(names)
    if name is None and len(names) > 1:
        raise OptionError(f"{path} has the systems {known}: select one with {selects.name}")
    systems = known_systems(names)
    if name is not None and name not in systems:
        raise OptionError(
            f"{path} has no system {name}{nearest(name, names)}; its systems are {known}"
        )
    return names[0] if name is None else systems[name]


# --- Counting -------------------------------------------------------------------------------------


def _tables(
    args: Arguments, limits: Limits, *sides: _Side
) -> tuple[list[Metric[Any]], list[list[SavedTable]], Sequence[str] | None]:
    """Return the metrics, the tables of each side that is not one of scores, and the documents."""
    texts = [side for side in sides if side.texts]
    if args.references and not texts:
        whose = "both systems are" if len(sides) > 1 else "the system is"
        raise OptionError(f"{whose} counted already: remove the references")
    metrics, selections = _metrics(args, *sides)
    # A limit of a metric that does not exist is an error before anything is counted.
    limits.of_metrics(metrics)
    counted = _count(args, metrics, texts)
    tables = [
        _saved(side.system, selections[side.saved.path]) if side.saved else next(counted)
        for side in sides
        if side.stored is None
    ]
    return metrics, tables, read_documents(args, tables[0][0].table.rows)


def _metrics(args: Arguments, *sides: _Side) -> tuple[list[Metric[Any]], dict[str, Selection]]:
    """Return the metrics, and what is selected from each saved table, by its path."""
    saved = [side.saved for side in sides if side.saved]
    scored = [side for side in sides if side.stored and args.metrics is None]
    if (saved or scored) and args.language_pair is not None:
        raise OptionError(
            "--language-pair selects a tokenizer, but the metrics are those of a file: remove it"
        )
    if saved:
        selections = select_metrics(args.metrics, saved)
        return selections[0].metrics, {one.file.path: one for one in selections}
    for side in scored:
        assert side.stored is not None
        return side.stored.metrics(side.system), {}
    return make_metrics(args), {}


def _count(
    args: Arguments, metrics: Sequence[Metric[Any]], sides: Sequence[_Side]
) -> Iterator[list[SavedTable]]:
    """Yield the tables of each side that is read from texts, one table per metric."""
    texts = [side.texts for side in sides if side.texts]
    cut = next((metric.align for metric in metrics if metric.align), None)
    if cut is not None:
        raise OptionError(
            f"the other system was cut before it was scored (align:{cut}), and {texts[0]} is not: "
            "save its table with bleuet score --align --save-table, and name that"
        )
    files = text_files(args, [("", str(texts[-1]))])
    names = [side.given or side.system for side in sides]
    if len(set(names)) < len(names):
        names = list(_shown(*sides))
    fingerprint = Fingerprint(any(metric.reads_sources for metric in metrics))
    stream = count_texts(
        TextFiles.named(texts, files.references, names, files.source), metrics, args, fingerprint
    )
    for name, tables in stream.evaluation().tables.items():
        pairs = zip(metrics, tables, strict=True)
        yield [SavedTable(name, metric, table, str(fingerprint)) for metric, table in pairs]


def _saved(system: str, selection: Selection) -> list[SavedTable]:
    """Return the tables of a system that is read from a saved table, one table per metric."""
    references = selection.file.references
    pairs = zip(selection.metrics, selection.tables(system), strict=True)
    return [SavedTable(system, metric, table, references) for metric, table in pairs]
