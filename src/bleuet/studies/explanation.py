"""Why two settings of a metric give different scores: the difference, taken apart step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bleuet.errors import InputTypeError, OptionError
from bleuet.metrics.bleu import BLEU
from bleuet.metrics.catalogue import metric_from_text
from bleuet.metrics.mean_bleu import MeanBLEU
from bleuet.metrics.metric import Metric
from bleuet.metrics.score import Score
from bleuet.metrics.signature import Signature
from bleuet.statistics.table import Table
from bleuet.text.corpus import Corpus

# The way from text to score, and the options that act at each step of it. An option that is not
# here is a step of its own, after these.
STEPS: dict[str, tuple[str, ...]] = {
    "tokens": (
        "tokenize",
        "lowercase",
        "case_sensitive",
        "normalized",
        "no_punct",
        "asian_support",
        "tokenize_references_once",
        "whitespace",
    ),
    "clipping": ("max_ngram_order", "char_order", "word_order"),
    "reference length": ("reference_length",),
    "smoothing": ("smooth", "smooth_value", "smooth_unmatched", "eps_smoothing"),
    "averaging": ("effective_order", "weights", "beta", "weighting"),
}
# Steps that leave the rows of BLEU as they are. chrF's choose among references by the score.
AFTER_COUNTING: dict[type[Any], tuple[str, ...]] = {BLEU: ("smoothing", "averaging")}
# What `weighting` is where sentences are not averaged: their counts are added first.
CORPUS = "corpus"

Options = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way from one metric to another.

    Args:
        name: a name of `STEPS`, or several where one cannot be taken without the other.
        metric: the metric after the step.
        changes: each option that the step changes, with its values before and after; `weighting`
            is "corpus" where sentences are not averaged.
        before: the score before the step, in percent.
        after: the score after it.
        alone: what this step alone makes of the first metric's score, in points; None where it
            cannot be taken alone.
    """

    name: str
    metric: Metric[Any]
    changes: Mapping[str, tuple[Any, Any]]
    before: float
    after: float
    alone: float | None

    @property
    def difference(self) -> float:
        """How many points the step moves the score, after the steps before it."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Explanation:
    """Two scores of one corpus, and the steps that lead from one to the other.

    `print` shows it as a table.

    Args:
        a: the first metric's score.
        b: the second metric's.
        steps: in the order of the way from text to score. The first begins at `a.score`, each
            begins where the one before it ended, and the last ends at `b.score`.
    """

    a: Score
    b: Score
    steps: tuple[Step, ...]

    @property
    def difference(self) -> float:
        """How many points the second score is above the first."""
        return self.b.score - self.a.score

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "from": self.a.to_dict(),
            "to": self.b.to_dict(),
            "difference": self.difference,
            "steps": [
                {
                    "step": step.name,
                    "before": step.before,
                    "after": step.after,
                    "difference": step.difference,
                    "alone": step.alone,
                    "changes": {name: list(pair) for name, pair in step.changes.items()},
                }
                for step in self.steps
            ],
        }

    def format(self, width: int = 2) -> str:
        """Return the table of steps, with the signatures below it.

        Args:
            width: digits after the decimal point.
        """
        rows = [
            ["step", "score", "change", "alone", "what changes"],
            ["from", f"{self.a.score:.{width}f}", "", "", self.a.name],
            *(_cells(step, width) for step in self.steps),
            ["to", f"{self.b.score:.{width}f}", _signed(self.difference, width), "", self.b.name],
        ]
        signatures = [f"from {self.a.signature.full()}", f"to   {self.b.signature.full()}"]
        return "\n".join([*_aligned(rows), "", _reading(self.steps), "", *signatures])

    def __str__(self) -> str:
        return self.format()


def explain(
    a: Metric[Any] | Signature | str,
    b: Metric[Any] | Signature | str,
    hypotheses: Any,
    references: Any = None,
    *,
    threads: int = 1,
) -> Explanation:
    """Say which step moves a score by how much between two settings of one metric.

    The options in which the two differ are changed from the first's to the second's, one step at a
    time, in the order in which a score comes about: tokens, clipping, reference length, smoothing,
    averaging. What a step moves depends on those before it, so each is also taken alone. BLEU
    and `MeanBLEU` differ in averaging: counts are added, or sentences' scores are. A corpus of one
    segment explains a sentence.

    An option that nobody chose, on neither side, goes with the one it follows.

    Args:
        a: a metric, or what makes one: a signature, sacreBLEU's too, or a name with options, such
            as "bleu:smooth=floor".
        b: another setting of the same metric.
        hypotheses: one string per segment, or a whole corpus.
        references: per segment a string or a list of strings.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: the two have no step in common, as BLEU and chrF.
        SignatureError: no metric signs so.
        InputError: the input cannot be scored as it is; the message says how to mend it.

    >>> from bleuet.metrics.bleu import BLEU
    >>> found = explain(BLEU(), BLEU(smooth="floor", lowercase=True), ["the cat"], ["The cat"])
    >>> [(step.name, step.changes) for step in found.steps]
    [('tokens', {'lowercase': (False, True)}), ('smoothing', {'smooth': ('exp', 'floor'), \
'smooth_value': (None, 0.1)})]
    """
    first, second = _metric(a), _metric(b)
    make = _maker(first, second)
    scored = _Scored(_corpus(first, hypotheses, references), threads)
    return Explanation(
        scored.score(first), scored.score(second), tuple(_walk(first, second, make, scored))
    )


def _metric(given: Metric[Any] | Signature | str) -> Metric[Any]:
    if isinstance(given, Metric):
        return given
    if not isinstance(given, str | Signature):
        raise InputTypeError(
            f"{given!r} is neither a metric nor a signature; expected one of those, as BLEU() is"
        )
    return metric_from_text(given.full() if isinstance(given, Signature) else given)


def _corpus(metric: Metric[Any], hypotheses: Any, references: Any) -> Corpus:
    if isinstance(hypotheses, Corpus):
        if references is not None:
            raise InputTypeError("a corpus brings its own references; leave the second out")
        return hypotheses
    if metric.counts_token_ids:
        return Corpus.from_token_ids(hypotheses, references)
    return Corpus(hypotheses, references)


# --- Metrics between the two ----------------------------------------------------------------------


def _maker(a: Metric[Any], b: Metric[Any]) -> Callable[[Options], Metric[Any]]:
    """What makes the metrics between the two.

    Raises:
        OptionError: there are none.
    """
    kind, theirs = (_averaged(type(metric)) for metric in (a, b))
    if kind is not theirs:
        raise OptionError(
            f"{a.name} and {b.name} have no step in common: explain takes two settings of one "
            "metric, or BLEU and a mean of sentences' BLEU"
        )

    def make(options: Options) -> Metric[Any]:
        options = dict(options)
        if options.get("weighting", CORPUS) != CORPUS:
            return MeanBLEU(**options)
        options.pop("weighting", None)
        return kind(**options)

    return make


def _averaged(kind: type[Metric[Any]]) -> type[Metric[Any]]:
    return MeanBLEU.averages if issubclass(kind, MeanBLEU) else kind


def _options(metric: Metric[Any]) -> Options:
    options = dict(zip(metric._fields, metric._values(), strict=True))
    if type(metric) is MeanBLEU.averages:
        options["weighting"] = CORPUS
    return options


def _is_chosen(metric: Metric[Any], name: str, make: Callable[[Options], Metric[Any]]) -> bool:
    """Whether an option has another value than it gets by itself, the others being as they are."""
    options = _options(metric)
    if options.pop(name) == CORPUS or name == "weighting":
        return True
    try:
        return make(options) != metric
    except OptionError:
        return True


def _step_of(option: str) -> str:
    return next((step for step, options in STEPS.items() if option in options), option)


def _in_order(options: Options) -> list[tuple[str, Options]]:
    """Group options by step, in the order of steps."""
    found: dict[str, Options] = {step: {} for step in STEPS}
    for name, value in options.items():
        found.setdefault(_step_of(name), {})[name] = value
    return [(step, some) for step, some in found.items() if some]


# --- The way --------------------------------------------------------------------------------------


def _walk(
    a: Metric[Any], b: Metric[Any], make: Callable[[Options], Metric[Any]], scored: _Scored
) -> list[Step]:
    start, goal = _without_followers(a, b, make)
    options, before, steps = dict(start), a, []
    waiting: list[str] = []
    changed: Options = {}
    for name, some in _in_order({k: v for k, v in goal.items() if start[k] != v}):
        waiting.append(name)
        changed.update(some)
        options.update(some)
        after = scored.made(make, options)
        # What cannot be by itself, as weights of another order, goes along with the next step.
        if after is None:
            continue
        alone = scored.made(make, {**start, **changed})
        steps.append(_step(", ".join(waiting), (a, alone), (before, after), scored))
        before, waiting, changed = after, [], {}
    return steps


def _without_followers(
    a: Metric[Any], b: Metric[Any], make: Callable[[Options], Metric[Any]]
) -> tuple[Options, Options]:
    """Both metrics' options, but for those that follow from others on both sides."""
    ours, theirs = _options(a), _options(b)
    for name in list(theirs):
        differs = ours[name] != theirs[name]
        if differs and not (_is_chosen(a, name, make) or _is_chosen(b, name, make)):
            del ours[name], theirs[name]
    return ours, theirs


def _step(
    name: str,
    alone: tuple[Metric[Any], Metric[Any] | None],
    after: tuple[Metric[Any], Metric[Any]],
    scored: _Scored,
) -> Step:
    first, changed = alone
    begin, end = (scored.score(metric).score for metric in after)
    return Step(
        name=name,
        metric=after[1],
        changes=_changes(*after),
        before=begin,
        after=end,
        alone=scored.score(changed).score - scored.score(first).score if changed else None,
    )


def _changes(before: Metric[Any], after: Metric[Any]) -> dict[str, tuple[Any, Any]]:
    old, new = _options(before), _options(after)
    return {name: (old[name], new[name]) for name in new if old[name] != new[name]}


class _Scored:
    """Scores one corpus, counting only where no table of a metric before serves."""

    def __init__(self, corpus: Corpus, threads: int) -> None:
        self._corpus = corpus
        self._threads = threads
        self._tables: dict[object, Table] = {}
        self._scores: dict[Metric[Any], Score] = {}

    def made(self, make: Callable[[Options], Metric[Any]], options: Options) -> Metric[Any] | None:
        """Make a metric and score with it; None where there is none or the corpus is not for it."""
        try:
            metric = make(options)
            self.score(metric)
        except OptionError:
            return None
        return metric

    def score(self, metric: Metric[Any]) -> Score:
        if metric not in self._scores:
            self._scores[metric] = metric.score(self._table(metric).totals())
        return self._scores[metric]

    def _table(self, metric: Metric[Any]) -> Table:
        if isinstance(metric, MeanBLEU):
            return metric.table_of(self._table(metric.bleu))
        key = _what_is_counted(metric)
        if key not in self._tables:
            self._tables[key] = metric.count(self._corpus, threads=self._threads)
        return self._tables[key]


def _what_is_counted(metric: Metric[Any]) -> object:
    """Equal for metrics of one kind that count the same rows."""
    idle = AFTER_COUNTING.get(type(metric), ())
    counting = tuple(
        (name, value) for name, value in _options(metric).items() if _step_of(name) not in idle
    )
    return type(metric), metric.columns, counting


# --- In print -------------------------------------------------------------------------------------


def _cells(step: Step, width: int) -> list[str]:
    changes = [f"{name} {_told(old)} -> {_told(new)}" for name, (old, new) in step.changes.items()]
    alone = "-" if step.alone is None else _signed(step.alone, width)
    score, change = f"{step.after:.{width}f}", _signed(step.difference, width)
    return [step.name, score, change, alone, ", ".join(changes)]


def _signed(points: float, width: int) -> str:
    """Return a difference with its sign, which a difference of nothing has none of.

    >>> _signed(1.5, 2), _signed(-0.001, 2)
    ('+1.50', '0.00')
    """
    number = f"{points:+.{width}f}"
    return number if float(number) else number[1:]


def _told(value: object) -> str:
    """Return an option's value as the table tells it.

    >>> [_told(value) for value in (True, None, 0.1, (0.5, 0.5), "exp")]
    ['yes', 'none', '0.1', '0.5/0.5', 'exp']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(map(_told, value))
    return "none" if value is None else str(value)


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *numbers, last in rows:
        cells = [cell.rjust(w) for cell, w in zip(numbers, widths[1:-1], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells, last]).rstrip())
    return lines


def _reading(steps: tuple[Step, ...]) -> str:
    if not steps:
        return "The two are the same metric."
    if len(steps) == 1:
        return "One step makes the whole difference."
    return (
        'Each step is taken after those above it; "alone" is the step taken by itself, from the\n'
        "first metric. Where the two differ, what a step moves depends on the others."
    )
