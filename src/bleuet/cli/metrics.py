"""`bleuet metrics`: the metrics by group, or what one metric is and its options."""

from __future__ import annotations

from bleuet.cli.options import Command, Flag
from bleuet.metrics.catalogue import (
    ALIASES,
    ALL_NAMES,
    CATALOGUE,
    GROUPS,
    NEURAL,
    PRESETS,
    SUITES,
    entry_of,
    find_preset,
    known_name,
    make_metric,
    summary_of,
)
from bleuet.metrics.neural.published_models import OF_METRICS
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.output.document import Record

NAME = Flag(
    "name", metavar="NAME", many="?", suggestions=ALL_NAMES,
    help="print this metric's formula, source and options",
)  # fmt: skip

COMMAND = Command(
    "metrics",
    "List the metrics, or print the formula, source and options of one metric.",
    ["[NAME] [option ...]"],
    {"metric": (NAME,)},
    examples="""\
examples:
  bleuet metrics
  bleuet metrics bleu
  bleuet score ref.txt -i system.txt -m bleu:smooth=floor,lowercase""",
)
COLUMNS = (
    Column("option"),
    Column("default"),
    Column("signature"),
    Column("help", "what it does", "long text"),
    Column("values", kind="long text"),
)


def answer(args: Arguments) -> MetricList | MetricOptions:
    """Return the list of metrics, or one metric with its options."""
    if args.name is None:
        return MetricList()
    return MetricOptions(args.name)


def names_by_group() -> list[str]:
    """Return the names of all metrics, group by group; presets follow the metric they are of."""
    return [
        name
        for group in GROUPS
        for base, entry in (*CATALOGUE.items(), *NEURAL.items())
        if entry.group == group
        for name in (base, *_presets_of(base))
    ]


def _presets_of(base: str) -> list[str]:
    """Return the names that stand for a metric with options set, or with a published model."""
    presets = [name for name, (of, _, _) in PRESETS.items() if of == base]
    return presets + [name for name, model in OF_METRICS.items() if model.metric == base]


class MetricList(Answer):
    """All metrics; the plain data has their options too."""

    def document(self) -> Document:
        """Return one table."""
        headings = ("metric", "group", "class", "better", "summary", "other names")
        metrics = [MetricOptions(name) for name in names_by_group()]
        rows = [
            [
                *(one.name, one.group, one.kind.__name__, one.better, one.summary),
                ", ".join(one.other_names),
            ]
            for one in metrics
        ]
        return Document(
            tables=[DocumentTable("metrics", "", [*map(Column, headings)], rows)],
            notes=[
                "bleuet metrics NAME prints the formula, source and options of a metric.",
                "Case, hyphens, underscores and spaces do not matter: ROUGE_L is rouge-l.",
                *(f"-m {suite} is -m {' '.join(names)}." for suite, names in SUITES.items()),
            ],
            data=lambda: [one.to_dict() for one in metrics],
        )


class MetricOptions(Answer):
    """What a metric is, and its options.

    Args:
        name: any name of it.
    """

    __slots__ = ("_known_as", "kind", "name", "preset")

    def __init__(self, name: str) -> None:
        self.kind, self.preset = find_preset(name)
        word = known_name(name) or name
        self._known_as, _, options = word.partition(":")
        # An alias that sets options has no other name.
        self.name = name if options else word

    @property
    def group(self) -> str:
        """The group of metrics that it belongs to."""
        return entry_of(self._base).group

    @property
    def better(self) -> str:
        """Which scores are better, "higher" or "lower"."""
        return "higher" if make_metric(self.name).higher_is_better else "lower"

    @property
    def summary(self) -> str:
        """What it is, in one line."""
        return summary_of(self._known_as)

    @property
    def other_names(self) -> list[str]:
        """Its aliases, with those that set options of it."""
        return [alias for alias, word in ALIASES.items() if word.partition(":")[0] == self.name]

    @property
    def word(self) -> str:
        """The metric and the options that its name sets, as after -m."""
        options = ",".join(f"{option}={value}" for option, value in self.preset.items())
        return f"{self._base}:{options}" if options else self._base

    @property
    def _base(self) -> str:
        if self._known_as in OF_METRICS:
            return OF_METRICS[self._known_as].metric
        return PRESETS[self._known_as][0] if self._known_as in PRESETS else self._known_as

    def document(self) -> Document:
        """Return one table of what it is, and one of its options."""
        about = [[what, text] for what, text in self._about().items() if text]
        options = [list(one.values()) for one in self._options()]
        columns = (Column("property"), Column("value", kind="long text"))
        return Document(
            f"{self.name}: {self.summary}",
            tables=[
                DocumentTable("about", "", columns, about),
                DocumentTable("options", "", COLUMNS, options),
            ],
            data=self.to_dict,
            records={"options": self._options},
        )

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain values."""
        return {
            "metric": self.name,
            "group": self.group,
            "class": self.kind.__name__,
            "summary": self.summary,
            **{what.replace(" ", "_"): text for what, text in self._about().items()},
            "other_names": self.other_names,
            "options": self._options(),
        }

    def _about(self) -> dict[str, str]:
        metric = make_metric(self.name)
        return {
            "same as": self.word if self.preset else "",
            "other names": ", ".join(self.other_names),
            "formula": metric.definition,
            "better": self.better,
            "source": metric.source,
            "needs": metric.needs,
            "same number": metric.same_number,
        }

    def _options(self) -> list[Record]:
        return [
            {
                "option": one.name,
                "default": one.default_text(),
                "signature": one.signature_text() or None,
                "help": one.help,
                "values": one.values_text(),
            }
            for one in self.kind.options
            if one.on_command_line
        ]
