"""`bleuet history`: the scores of a gate over time."""

from __future__ import annotations

from bleuet.cli.options import READING, Command, Flag, FlagRule
from bleuet.cli.picture_options import PICTURE, THEME, check_pictures, write_picture
from bleuet.cli.text_input import sources
from bleuet.errors import InputError, OptionError
from bleuet.gate.history_file import read_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.gate import History

FILE = Flag("file", metavar="FILE", reads=True, help="the history, in JSON Lines")
LAST = Flag(
    "--last", kind="whole", metavar="N", least=1,
    help="show only the newest N commits or other labels (default: all)",
)  # fmt: skip

COMMAND = Command(
    "history",
    """\
Show the scores of a gate over time.

Reads the file that bleuet gate --history writes: one line for each run. Each
metric has a table with the score of each run, its confidence interval, and
whether it differs significantly from the baseline. Where the options of a
metric or the test set change, a new part begins, and its scores are not
compared with those before.""",
    ["FILE [option ...]"],
    {
        "input": (FILE, *READING),
        "output": (
            LAST,
            PICTURE.but(
                help="draw the scores over time, one panel for each metric: .svg, .png, .html or "
                ".json (Vega-Lite)"
            ),
            THEME,
        ),
    },
    rules=(FlagRule((THEME,), needs=(PICTURE,)),),
    examples="""\
examples:
  bleuet gate ref.txt --baseline old.txt -i new.txt --history history.jsonl
  bleuet history history.jsonl
  bleuet history history.jsonl --last 20 --picture history.html
  bleuet history history.jsonl -f markdown -o history.md

exit codes: 0 success, 1 a file that cannot be read, 2 wrong usage, 130 Ctrl-C""",
    stray="name one file",
)


def answer(args: Arguments) -> History:
    """Return the history, and write the picture."""
    check_pictures(args.picture)
    (source,) = sources(args, [args.file])
    if source.column is not None:
        raise OptionError(f"{args.file} names a column; expected a history: remove it")
    history = read_history(source.path, max_segment_bytes=args.max_segment_bytes)
    if not history.runs:
        raise InputError(f"{source.path} has no runs: bleuet gate --history adds them")
    if args.last is not None:
        history = history.newest(args.last)
    if args.picture is not None:
        from bleuet.report.charts.history_charts import history_chart

        write_picture(args.picture, history_chart(history), args.theme)
    return history
