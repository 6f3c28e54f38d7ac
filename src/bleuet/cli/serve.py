"""`bleuet serve`: the page and its HTTP API on this computer."""

from __future__ import annotations

import os
import re
import sys

from bleuet.cli.options import (
    METRICS,
    READING,
    REFERENCES,
    SOURCE_TEXTS,
    SYSTEMS,
    Command,
    Flag,
)
from bleuet.cli.text_input import text_files
from bleuet.errors import InputError, OptionError
from bleuet.output.answer import Answer
from bleuet.output.document import Document
from bleuet.text.addresses import is_address
from bleuet.text.parallel import Parallel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.cli.text_input import TextFiles

# A site, as browsers write it in the header Origin.
ORIGIN = re.compile(
    r"(?P<site>(?P<scheme>[a-z][a-z0-9+.-]*)://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]))(?::(?P<port>[0-9]{1,5}))?"
)
USUAL_PORTS = {"http": "80", "https": "443"}
DEFAULT_METRICS = ("bleu", "chrf")
HOST = Flag(
    "--host", metavar="ADDRESS", default="127.0.0.1",
    help="address to listen on; any other than localhost requires the printed token",
)  # fmt: skip
PORT = Flag(
    "--port", kind="whole", metavar="N", default=8321, least=0, most=65535,
    help="port to listen on; 0 takes a free one (default: {default})",
)  # fmt: skip
MAX_REQUEST_BYTES = Flag(
    "--max-request-bytes", kind="whole", metavar="N", least=1,
    help="size limit of a request (default: 64 MiB, and 1 MiB for one sentence)",
)  # fmt: skip
ALLOW_ORIGIN = Flag(
    "--allow-origin", metavar="ORIGIN", many="+",
    help="site whose pages may use the API, such as https://example.org (default: none)",
)  # fmt: skip
TOOLS = Flag(
    "--mcp", kind="switch",
    help="also offer the API to AI assistants as tools, at /mcp (Model Context Protocol)",
)  # fmt: skip

BESIDE = "the source text: the page shows it beside the sentences, and some metrics read it"

COMMAND = Command(
    "serve",
    """\
Serve a page on this computer: a calculator that explains the score of a
sentence, and the HTTP API that it uses. With files, it also compares systems.
No text is kept or logged. Ctrl-C ends it.""",
    ["[option ...]", "REF [REF ...] -i HYP [HYP ...] [option ...]"],
    {
        "input": (
            REFERENCES,
            SYSTEMS,
            SOURCE_TEXTS.but(help=BESIDE),
            METRICS.but(help=f"{METRICS.help} (default: bleu and chrf)"),
            *READING,
        ),
        "server": (HOST, PORT, ALLOW_ORIGIN, MAX_REQUEST_BYTES, TOOLS),
    },
    common=False,
    examples="""\
examples:
  bleuet serve
  bleuet serve ref.txt -i a.txt b.txt
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
        OptionError: the server cannot listen on the address, a text is not an origin, or there are
            no systems.
        InputError: a file does not exist, or its first segments cannot be read.
    """
    from bleuet.web.requested_metrics import requested_metrics
    from bleuet.web.server import Server

    metrics = args.metrics or list(DEFAULT_METRICS)
    # What the page would report when it is open is reported at once.
    requested_metrics(metrics)
    files = _files(args)
    if files is not None:
        with Parallel(files.systems, files.references, source=files.source) as reader:
            next(reader)
    try:
        server = Server(
            args.host,
            args.port,
            origins=map(_origin, args.allow_origin or ()),
            tools=args.mcp,
            max_request_bytes=args.max_request_bytes,
        )
    except OSError as error:
        raise OptionError(
            f"the server cannot listen on --host {args.host} --port {args.port} "
            f"({os.strerror(error.errno) if error.errno else error}): choose another port, or 0"
        ) from error
    with server:
        if files is not None:
            systems = dict(zip(files.shown, files.systems, strict=True))
            server.compare(files.references, systems, metrics, files.source)
        print(server.invitation, file=sys.stderr, flush=True)
        server.run()
    return Served()


def _origin(text: str) -> str:
    """Return an origin as browsers send it.

    Raises:
        OptionError: it is not an origin, or stands for every site.

    >>> _origin("https://Example.org:443")
    'https://example.org'
    """
    if text == "*":
        raise OptionError(
            "--allow-origin * would let every page that you open read and use this server: name "
            "the sites that may, such as https://example.org"
        )
    found = ORIGIN.fullmatch(text.lower())
    if found is None:
        raise OptionError(
            f"--allow-origin {text} is not an origin: write the scheme, the host and, if it is not "
            "the usual one, the port, without a path, such as https://example.org or "
            "http://localhost:3000"
        )
    usual = USUAL_PORTS.get(found["scheme"])
    return found["site"] if found["port"] == usual else found[0]


def _files(args: Arguments) -> TextFiles | None:
    """Return the files to compare, None if there are none."""
    if not args.references and not args.input:
        return None
    files = text_files(args)
    own = () if files.source is None else (files.source,)
    for source in (*files.references, *files.systems, *own):
        # Another process reads it.
        if is_address(source.path):
            raise InputError(
                f"{source.path} is an address, and the server reads files of this computer: copy "
                "it here, and name the copy"
            )
        if not os.path.isfile(source.path):
            raise InputError(f"there is no file {source.path}: name a file, not a pipe")
    return files
