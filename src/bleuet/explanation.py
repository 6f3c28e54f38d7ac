"""Why two settings of a metric give different scores: the difference, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bleuet.errors import InputTypeError, OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import plural
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.signature import Signature
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.catalogue import parse_metric
from bleuet.metrics.mean_bleu import MeanBLEU
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.output.document import Cell, Record
    from bleuet.statistics.table import Table as Statistics
    from bleuet.text.corpus import Corpus

# The steps from text to score, and the options of each. An option that is not here is a step of its
# own, after these.
STEPS: dict[str, tuple[str, ...]] = {
    # Text is lower-cased before it is tokenized.
    "case": ("lowercase", "case_sensitive"),
    "tokens": (
        "tokenize",
        "normalized",
        "no_punct",
        "asian_support",
        "tokenize_references_once",
        "whitespace",
        "normalize",
        "replacements",
    ),
    "clipping": ("min_ngram_order", "max_ngram_order", "char_order", "word_order", "left_first"),
    "reference length": ("reference_length",),
    "smoothing": ("smooth", "smooth_value", "smooth_unmatched", "eps_smoothing"),
    "averaging": (
        "effective_order",
        "weights",
        "information",
        "alpha",
        "beta",
        "weighting",
        "rules",
    ),
}
# Steps that do not change the rows of BLEU. Those of chrF do: it selects a reference by its score.
AFTER_COUNTING: dict[type[Any], tuple[str, ...]] = {BLEU: ("smoothing", "averaging")}
# The value of `weighting` for a metric that adds counts instead of averaging sentences.
CORPUS = "corpus"

Options = dict[str, Any]


class Step(Value, Plain):
    """One step from one metric to another.

    Args:
        name: a name of `STEPS`, or several for steps that are only possible together.
        metric: the metric after the step.
        changes: each option that the step changes, with its values before and after; `weighting`
            is "corpus" for a metric that does not average sentences.
        before: the score before the step, in percent.
        after: the score after it.
        alone: the difference that this step alone makes to the first metric's score, in points;
            None if it is not possible alone.
    """

    name: str
    metric: Metric[Any]
    changes: Mapping[str, tuple[Any, Any]]
    before: float
    after: float
    alone: float | None
    plain_fields = ("step=name", "before", "after", "difference", "alone", "changes")

    @property
    def difference(self) -> float:
        """The points by which the step changes the score, after the steps before it."""
        return self.after - self.before

    @property
    def change_texts(self) -> str:
        """The changed options with their values before and after, as text."""
        return ", ".join(
            f"{name} {_value_text(old)} -> {_value_text(new)}"
            for name, (old, new) in self.changes.items()
        )


class Explanation(Answer, Value):
    """Two scores of one corpus, and the steps from one to the other.

    `print` shows it as a table.

    Args:
        a: the first metric's score.
        b: the second metric's score.
        steps: the steps, from text to score. The first begins at `a.score`, each begins where the
            one before it ends, and the last ends at `b.score`.
    """

    a: Score
    b: Score
    steps: tuple[Step, ...]

    @property
    def difference(self) -> float:
        """The second score minus the first, in points."""
        return self.b.score - self.a.score

    def document(self) -> Document:
        """Return a table of steps; the records are the steps."""
        digits = self.a.metric.extra_digits
        columns = [
            Column("step"),
            Column("score", kind="score", extra_digits=digits),
            Column("change", kind="difference", extra_digits=digits),
            Column("alone", kind="difference", extra_digits=digits),
            Column("changes", "what changes"),
        ]
        rows: list[list[Cell]] = [["from", self.a.score, None, None, self.a.name]]
        rows += [
            [step.name, step.after, step.difference, step.alone, step.change_texts]
            for step in self.steps
        ]
        rows.append(["to", self.b.score, self.difference, None, self.b.name])
        return Document(
            tables=[DocumentTable("steps", "", columns, rows)],
            notes=_notes(self.steps),
            signatures=[
                (f"from {self.a.name}", self.a.signature),
                (f"to {self.b.name}", self.b.signature),
            ],
            data=self.to_dict,
            records={"steps": self._records},
        )

    def _records(self) -> Iterator[Record]:
        for step in self.steps:
            yield {**step.to_dict(), "changes": step.change_texts}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "from": self.a.to_dict(),
            "to": self.b.to_dict(),
            "difference": self.difference,
            "steps": [step.to_dict() for step in self.steps],
        }

    def _in_brief(self) -> str:
        digits = 2 + self.a.metric.extra_digits
        scores = f"{self.a.score:.{digits}f} to {self.b.score:.{digits}f}"
        return f"of {self.a.name} {scores} in {plural(len(self.steps), 'step')}"


@checked
def explain(
    a: Metric[Any] | Signature | str,
    b: Metric[Any] | Signature | str,
    hypotheses: Any,
    references: Any = None,
    *,
    threads: int = 1,
) -> Explanation:
    """Return the steps between two settings of one metric, with the effect of each on the score.

    The options in which the two differ are changed from the first's value to the second's, one step
    at a time, in the order of computing a score: case, tokens, clipping, reference length,
    smoothing, averaging. The effect of a step depends on those before it, so each step is also
    scored alone. BLEU and `MeanBLEU` differ in averaging: one adds counts, the other averages
    sentence scores. A corpus of one segment explains a sentence.

    An option that has its default on both sides belongs to the step of the option that it follows.

    Args:
        a: a metric, a signature (sacreBLEU's too), or a name with options, such as
            "bleu:smooth=floor".
        b: another setting of the same metric.
        hypotheses: one string per segment, or a whole corpus.
        references: per segment a string or a list of strings.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: the two have no step in common, such as BLEU and chrF.
        SignatureError: no metric has such a signature.
        InputError: the input cannot be scored; the message says how to fix it.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> found = explain(BLEU(), BLEU(smooth="floor", lowercase=True), ["the cat"], ["The cat"])
    >>> [(step.name, step.changes) for step in found.steps]
    [('case', {'lowercase': (False, True)}), ('smoothing', {'smooth': ('exp', 'floor'), \
'smooth_value': (None, 0.1)})]
    """
    first, second = _metric(a), _metric(b)
    make = _maker(first, second)
    scored = _Scored(first.corpus(hypotheses, references), threads)
    return Explanation(
        scored.score(first), scored.score(second), tuple(_walk(first, second, make, scored))
    )


def _metric(value: Metric[Any] | Signature | str) -> Metric[Any]:
    if isinstance(value, Metric):
        return value
    if not isinstance(value, str | Signature):
        raise InputTypeError(
            f"{value!r} is neither a metric nor a signature; expected one, such as BLEU()"
        )
    return parse_metric(value.full() if isinstance(value, Signature) else value)


# --- Metrics between the two ----------------------------------------------------------------------


def _maker(a: Metric[Any], b: Metric[Any]) -> Callable[[Options], Metric[Any]]:
    """Return the function that makes the metrics between the two from their options.

    Raises:
        OptionError: there are no metrics between them.
    """
    kind, theirs = (_averaged(type(metric)) for metric in (a, b))
    if kind is not theirs:
        raise OptionError(
            f"{a.name} and {b.name} have no step in common: explain takes two settings of one "
            "metric, or BLEU and a mean of sentence BLEU"
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
    options = metric.option_values()
    if type(metric) is MeanBLEU.averages:
        options["weighting"] = CORPUS
    return options


def _is_chosen(metric: Metric[Any], name: str, make: Callable[[Options], Metric[Any]]) -> bool:
    """Return whether an option differs from its default, given the other options."""
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
    """Return the options of each step, in the order of steps."""
    found: dict[str, Options] = {step: {} for step in STEPS}
    for name, value in options.items():
        found.setdefault(_step_of(name), {})[name] = value
    return [(step, some) for step, some in found.items() if some]


# --- The steps -----------------------------------------------------------------------------------


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
        # A step that is not possible by itself, such as weights for another order, joins the next.
        if after is None:
            continue
        if after == before:  # the smoothing decides this option
            waiting, changed = [], {}
            continue
        alone = scored.made(make, {**start, **changed})
        steps.append(_step(", ".join(waiting), (a, alone), (before, after), scored))
        before, waiting, changed = after, [], {}
    return steps


def _without_followers(
    a: Metric[Any], b: Metric[Any], make: Callable[[Options], Metric[Any]]
) -> tuple[Options, Options]:
    """Return both metrics' options, without those that follow from others on both sides."""
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
    """Scores one corpus, and counts only if the table of no earlier metric can be used."""

    def __init__(self, corpus: Corpus, threads: int) -> None:
        self._corpus = corpus
        self._threads = threads
        self._tables: dict[object, Statistics] = {}
        self._scores: dict[Metric[Any], Score] = {}

    def made(self, make: Callable[[Options], Metric[Any]], options: Options) -> Metric[Any] | None:
        """Return a metric that can score the corpus, or None."""
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

    def _table(self, metric: Metric[Any]) -> Statistics:
        if isinstance(metric, MeanBLEU):
            return metric.table_from(self._table(metric.bleu))
        key = _what_is_counted(metric)
        if key not in self._tables:
            self._tables[key] = metric.count(self._corpus, threads=self._threads)
        return self._tables[key]


def _what_is_counted(metric: Metric[Any]) -> object:
    """Return a key that is equal for metrics that count the same rows."""
    idle = AFTER_COUNTING.get(type(metric), ())
    counting = tuple(
        (name, value) for name, value in _options(metric).items() if _step_of(name) not in idle
    )
    return type(metric), metric.columns, counting


# --- As text --------------------------------------------------------------------------------------


def _value_text(value: object) -> str:
    """Return the value of an option as text.

    >>> [_value_text(value) for value in (True, None, 0.1, (0.5, 0.5), "exp")]
    ['yes', 'none', '0.1', '0.5/0.5', 'exp']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(map(_value_text, value))
    return "none" if value is None else str(value)


def _notes(steps: tuple[Step, ...]) -> list[str]:
    if not steps:
        return ["The two are the same metric."]
    if len(steps) == 1:
        return ["One step makes the whole difference."]
    return [
        '"change" is the effect of a step after the steps above it, "alone" its effect on the '
        "score of the first metric.",
        "If they differ, the effect of the step depends on the steps above it.",
    ]
