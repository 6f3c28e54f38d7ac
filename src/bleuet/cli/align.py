"""`bleuet align`: cuts a hypothesis into the segments of the references."""

from __future__ import annotations

from bleuet.cli.options import DOCUMENTS, READING, REFERENCES, SYSTEMS, Command, Flag, FlagRule
from bleuet.cli.progress import share_bar
from bleuet.cli.text_input import sources, text_files
from bleuet.errors import OptionError
from bleuet.resegmentation import BY_TIME, align, align_by_time
from bleuet.text.parallel import read_references, read_texts
from bleuet.text.source import SUBTITLES, TextsInMemory
from bleuet.text.subtitles import without_repeats, without_speaker, without_speakers
from bleuet.text.tokenizers import TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.cli.text_input import TextFiles
    from bleuet.resegmentation import Alignment
    from bleuet.text.source import Source
    from bleuet.text.subtitles import Cue

TOKENIZE = Flag(
    "--tokenize", metavar="NAME", default="none", suggestions=tuple(TOKENIZERS),
    help="what an edit changes: none for words between white space, char for characters, as in "
    "Chinese and Japanese, or another tokenizer, such as spm:FILE (default: {default})",
)  # fmt: skip
CASE_SENSITIVE = Flag("--case-sensitive", kind="switch", help="match case")
OF_SEGMENTS = DOCUMENTS.but(
    help="the name of the document of each reference, one per line, or a column such as "
    "data.tsv:document; documents are cut separately"
)
HYPOTHESIS_DOCUMENTS = Flag(
    "--hypothesis-documents", metavar="FILE", reads=True,
    help="the name of the document of each line of the hypothesis (default: one line for each "
    "document, or for each reference)",
)  # fmt: skip

CUT_BY_TIME = Flag(
    "--by-time", kind="switch",
    help="cut subtitles (.srt, .vtt) where those of the reference begin and end",
)  # fmt: skip

WITHOUT_SPEAKERS = Flag(
    "--without-speakers", kind="switch",
    help="leave out labels of speakers at the beginning of a line, such as JOHN: and - and >>, on "
    "both sides",
)  # fmt: skip
WITHOUT_REPEATS = Flag(
    "--without-repeats", kind="switch",
    help="leave out lines of rolling captions (.srt, .vtt) that repeat the end of the previous "
    "segment, on both sides",
)  # fmt: skip

COMMAND = Command(
    "align",
    """\
Cut a hypothesis into the segments of the references.

The hypothesis may have other lines than the references, or one line. It is cut
where its segments fit the references with the fewest edits of words. Each line
of the output belongs to a line of the references, so it can be scored.""",
    ["REF [REF ...] -i HYP [-o OUT] [option ...]"],
    {
        "input": (REFERENCES, SYSTEMS.but(help="a file of hypotheses"), *READING),
        "alignment": (
            TOKENIZE,
            CASE_SENSITIVE,
            OF_SEGMENTS,
            HYPOTHESIS_DOCUMENTS,
            CUT_BY_TIME,
            WITHOUT_SPEAKERS,
            WITHOUT_REPEATS,
        ),
    },
    rules=(
        FlagRule((HYPOTHESIS_DOCUMENTS,), needs=(DOCUMENTS,)),
        FlagRule((CUT_BY_TIME,), excludes=(TOKENIZE, CASE_SENSITIVE, DOCUMENTS)),
    ),
    examples="""\
examples:
  bleuet align ref.txt -i speech.txt -o aligned.txt
  bleuet align ref1.txt ref2.txt -i speech.txt --documents documents.txt
  bleuet align ref.ja.txt -i speech.ja.txt --tokenize char -o aligned.txt
  bleuet align ref.srt -i speech.srt --by-time""",
    stray="write the references first, and one system after -i",
)


def answer(args: Arguments) -> Alignment:
    """Return the segments.

    Raises:
        OptionError: there are several systems, or no tokenizer of that name.
        InputError: a file cannot be read, or documents do not fit.
    """
    files = text_files(args)
    if len(files.systems) > 1:
        raise OptionError(
            f"-i took {len(files.systems)} files ({' '.join(args.input)}), but align takes one "
            "system: write the references before -i"
        )
    read = (*files.systems, *files.references)
    if args.without_repeats and not any(one.kind == SUBTITLES for one in read):
        raise OptionError(f"{WITHOUT_REPEATS.name} needs subtitles, .srt or .vtt: remove it")
    if args.by_time:
        return _by_time(args, files)
    references = read_references([_cleaned(args, one) for one in files.references])
    hypotheses = read_texts(_cleaned(args, files.systems[0]))
    of_hypotheses = _documents(args, args.hypothesis_documents)
    with share_bar(args) as report:
        return align(
            hypotheses,
            references,
            documents=_documents(args, args.documents),
            hypothesis_documents=of_hypotheses,
            tokenize=args.tokenize,
            case_sensitive=args.case_sensitive,
            report=report,
        )


def _by_time(args: Arguments, files: TextFiles) -> Alignment:
    reference = _timed_reference(files)
    return align_by_time(_cues(args, files.systems[0]), _cues(args, reference))


def _timed_reference(files: TextFiles) -> Source:
    if len(files.references) > 1:
        raise OptionError("only one reference can be compared by time: remove the others")
    return files.references[0]


def _cues(args: Arguments, source: Source) -> list[Cue]:
    """Return the timed segments of a file without what the arguments leave out."""
    cues = source.cues()
    if args.without_repeats:
        cues = without_repeats(cues)
    return without_speakers(cues) if args.without_speakers else cues


def _cleaned(args: Arguments, source: Source) -> Source:
    """Return a file without what the arguments leave out."""
    if not (args.without_repeats or args.without_speakers):
        return source
    if source.kind == SUBTITLES:
        return TextsInMemory(source, [cue.text for cue in _cues(args, source)])
    if not args.without_speakers:
        return source
    return TextsInMemory(source, [_unlabelled(text) for text in source.read(several=True)])


def _unlabelled(text: Any) -> Any:
    """Return a text, or each text of a list of references, without the label of a speaker."""
    if isinstance(text, list):
        return [_unlabelled(one) for one in text]
    return None if text is None else without_speaker(text)


def aligned(files: TextFiles, args: Arguments, tokenize: str) -> tuple[TextFiles, str]:
    """Return files whose systems have the segments of the references, and how they were cut.

    Args:
        files: the files.
        args: the arguments, with `documents` and `quiet`.
        tokenize: the name of a tokenizer, or `BY_TIME`.

    Raises:
        OptionError: there is no such tokenizer.
        InputError: a file cannot be read, or documents do not fit.
    """
    references: list[Any] = read_references(files.references)
    systems = []
    signature = ""
    for system in files.systems:
        if tokenize == BY_TIME:
            found = align_by_time(system.cues(), _timed_reference(files).cues())
        else:
            documents = _documents(args, args.documents)
            with share_bar(args) as report:
                found = align(
                    system.read(),
                    references,
                    documents=documents,
                    tokenize=tokenize,
                    report=report,
                )
        systems.append(TextsInMemory(system, list(found.segments)))
        signature = found.signature
    return files.with_texts([*systems], [TextsInMemory(files.references[0], references)]), signature


def _documents(args: Arguments, word: str | None) -> list[str] | None:
    return sources(args, [word])[0].read() if word else None
