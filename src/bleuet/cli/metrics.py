"""`bleuet metrics`: the metrics, or the options of one metric."""

from __future__ import annotations

from bleuet.cli.options import Command, Flag
from bleuet.metrics.catalogue import CATALOGUE, NAMES, PRESETS, find_preset
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.output.document import Record

NAME = Flag("name", metavar="NAME", many="?", suggestions=NAMES, help="print this metric's options")

COMMAND = Command(
    "metrics",
    "List the metrics, or the options of one metric.",
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
    """Return the list of metrics, or of one metric's options."""
    if args.name is None:
        return MetricList()
    find_preset(args.name)  # raises for an unknown name
    return MetricOptions(args.name.lower())


class MetricList(Answer):
    """All metrics; the plain data has their options too."""

    def document(self) -> Document:
        """Return one table."""
        columns = [Column("metric"), Column("summary")]
        rows = [[name, _summary(name)] for name in NAMES]
        return Document(
            tables=[Table("metrics", "", columns, rows)],
            notes=["bleuet metrics NAME prints the options of a metric."],
            data=lambda: [MetricOptions(name).to_dict() for name in NAMES],
        )


class MetricOptions(Answer):
    """The options of a metric.

    Args:
        name: its name in the catalogue, or that of a metric with some options set.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def document(self) -> Document:
        """Return one table."""
        rows = [list(one.values()) for one in self._options()]
        table = Table("options", f"{self.name}: {_summary(self.name)}", COLUMNS, rows)
        return Document(tables=[table], data=self.to_dict)

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain values."""
        return {"metric": self.name, "summary": _summary(self.name), "options": self._options()}

    def _options(self) -> list[Record]:
        return [
            {
                "option": one.name,
                "default": one.default_text(),
                "signature": one.signature_text() or None,
                "help": one.help,
                "values": one.values_text(),
            }
            for one in find_preset(self.name)[0].options
            if one.on_command_line
        ]


def _summary(name: str) -> str:
    if name in CATALOGUE:
        return CATALOGUE[name].summary
    base, options = PRESETS[name]
    return f"{base}:{','.join(f'{option}={value}' for option, value in options.items())}"
