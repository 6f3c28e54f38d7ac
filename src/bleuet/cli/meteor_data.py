"""`bleuet meteor-data`: stores METEOR's files for later, or lists what is stored."""

from __future__ import annotations

from bleuet.cli.options import Command, Flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.metrics.meteor.stored_files import MeteorData

SOURCE = Flag(
    "--from", metavar="FILE", suggestions=("pycocoevalcap",),
    help="store the files of METEOR's jar, its folder, its archive meteor-1.5.tar.gz, or the "
    "package pycocoevalcap: a wheel, or its name if it is installed",
)  # fmt: skip

COMMAND = Command(
    "meteor-data",
    "Store METEOR's function words, synonyms and paraphrases for the metric meteor, or without "
    "--from list what is stored.",
    ["[--from FILE] [option ...]"],
    {"files": (SOURCE,)},
    examples="""\
examples:
  pip install pycocoevalcap
  bleuet meteor-data --from pycocoevalcap
  bleuet score ref.txt -i system.txt -m meteor""",
)


def answer(args: Arguments) -> MeteorData:
    """Store files, if a source is named, and return what is stored."""
    # Archives are read by modules that other commands do not need.
    from bleuet.metrics.meteor.stored_files import store_data, stored_data

    source = getattr(args, SOURCE.dest)
    return stored_data() if source is None else store_data(source)
