"""`bleuet serve`: the page and its HTTP API on this computer."""

from __future__ import annotations

import os
import sys

from bleuet.cli.options import METRICS, READING, REFERENCES, SYSTEMS, Command, Flag
from bleuet.cli.text_input import sources
from bleuet.errors import InputError, OptionError
from bleuet.evaluation.names import named_file, shown_names
from bleuet.output.answer import Answer
from bleuet.output.document import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.text.source import Source

DEFAULT_METRICS = ("bleu", "chrf")
HOST = Flag(
    "--host", metavar="ADDRESS", default="127.0.0.1",
    help="the address to serve at; another than that of this computer needs the token that is "
    "printed at the start",
)  # fmt: skip
PORT = Flag(
    "--port", kind="whole", metavar="N", default=8321, least=0, most=65535,
    help="the port to serve at; 0 for a free one",
)  # fmt: skip
MAX_REQUEST_BYTES = Flag(
    "--max-request-bytes", kind="whole", metavar="N", least=1,
    help="the most bytes of a request with texts (default: 64 MiB, and 1 MiB for one sentence)",
)  # fmt: skip
TOOLS = Flag(
    "--mcp", kind="switch",
    help="also offer score, explain, compare and the others as tools to assistants, at /mcp",
)  # fmt: skip

COMMAND = Command(
    "serve",
    """\
Serve a page on this computer: a calculator that explains the score of a
sentence, and the HTTP API that it uses. Nothing of what is scored is kept or
logged. Ctrl-C ends it.""",
    [
        "[option ...]",
        "REF SYSTEM [SYSTEM ...] [option ...]",
        "REF [REF ...] -i SYSTEM [SYSTEM ...]",
    ],
    {
        "input": (
            REFERENCES.but(help="files to compare: references, or with no -i one and then systems"),
            SYSTEMS,
            METRICS.but(help=f"{METRICS.help} (default: bleu and chrf)"),
            *READING,
        ),
        "server": (HOST, PORT, MAX_REQUEST_BYTES, TOOLS),
    },
    examples="""\
examples:
  bleuet serve
  bleuet serve ref.txt a.txt b.txt
  bleuet serve --port 8000""",
)


class Served(Answer):
    """What remains to be said when the server has ended: nothing."""

    def document(self) -> Document:
        """Return an empty document."""
        return Document()


def answer(args: Arguments) -> Served:
    """Serve until the process is interrupted.

    Raises:
        MissingExtraError: the libraries of the server are not installed.
        OptionError: the address cannot be served at.
    """
    from bleuet.web.server import Server

    references, systems = _files(args)
    try:
        server = Server(
            args.host, args.port, tools=args.mcp, max_request_bytes=args.max_request_bytes
        )
    except OSError as error:
        raise OptionError(
            f"--host {args.host} --port {args.port} cannot be served at "
            f"({os.strerror(error.errno) if error.errno else error}): choose another port, or 0"
        ) from error
    with server:
        if systems:
            server.compare(references, systems, args.metrics or list(DEFAULT_METRICS))
        print(server.invitation, file=sys.stderr, flush=True)
        server.run()
    return Served()


def _files(args: Arguments) -> tuple[list[Source], dict[str, Source]]:
    """Return the files of references, and those of systems by name."""
    words, systems = list(args.references or ()), list(args.input or ())
    if not systems and words:
        words, systems = words[:1], words[1:]
        if not systems:
            raise OptionError(
                f"{words[0]} is a file of references; name the systems after it, as in "
                f"bleuet serve {words[0]} HYP HYP"
            )
    named = [named_file(word) for word in systems]
    references = sources(args, words)
    files = sources(args, [word for _, word in named])
    for source in (*references, *files):
        # Another process reads it.
        if not os.path.isfile(source.path):
            raise InputError(f"there is no file {source.path}: name a file, not a pipe")
    names = shown_names([name for name, _ in named], [source.name for source in files])
    return references, dict(zip(names, files, strict=True))
