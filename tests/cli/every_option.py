"""A folder of files for every command, and a way to run commands on them in this process."""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import chdir
from functools import cache
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import pytest

from bleuet.cli.main import main
from tests.corpora import write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
SEGMENTS = 18
SUBJECTS = "The old farmer|My neighbour|A small child|Nobody here|The tall nurse|Our teacher"
VERBS = "sold|found|painted|forgot|carried|washed"
OBJECTS = "the green boat|three apples|a letter, at last,|her blue coat|an empty box"
ENDINGS = "near the river.|in the evening!|before it rained.|on Sunday.|with great care."
OTHER_WORDS = ("The", "boat", "it", "never", "Green", "of", "slowly", "river.")
# How good humans find each system.
QUALITY = {"a": 80, "b": 60, "c": 40}


class Said(NamedTuple):
    """What a command did.

    Attributes:
        code: its exit code.
        out: its standard output.
        err: its standard error.
        files: the bytes of each file that it wrote or changed, by its name.
    """

    code: int
    out: str
    err: str
    files: dict[str, bytes]

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        assert self.code in (0, 3), self.err
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()

    def file(self, name: str) -> str:
        """Return the text of a file that the command wrote."""
        return self.files[name].decode()


class Folder:
    """A folder with the files of `texts` and what commands make of them, in which commands run.

    Args:
        path: an empty folder.
    """

    def __init__(self, path: Path) -> None:
        assert not list(path.iterdir())
        self.path = path
        (path / "zh").mkdir()
        for name, lines in texts().items():
            write_lines(path / name, lines)
            if name.endswith(".txt"):
                write_lines(path / "zh" / name, [line.replace(" the ", "这只") for line in lines])
        (path / "mark").mkdir()
        self._before: dict[str, tuple[int, int]] = {}
        self._contents: dict[str, bytes] = {}
        self.know_files()
        self._known: dict[str, Said] = {}
        _write_derived(self)

    def run(self, line: str) -> Said:
        """Run a command, unless the same has run; what it wrote is kept in the result alone."""
        if line not in self._known:
            self._known[line] = self.run_again(line)
        return self._known[line]

    def keep(self, line: str) -> Said:
        """Run a command whose files stay for others."""
        said = self.run_again(line)
        assert said.code in (0, 3), said.err
        for name, content in said.files.items():
            (self.path / name).write_bytes(content)
            self._contents[name] = content
        self.know_files()
        return said

    def know_files(self) -> None:
        """Remember the files, which commands find again."""
        self._before = dict(self._present())
        for name in self._before.keys() - self._contents.keys():
            self._contents[name] = (self.path / name).read_bytes()

    def run_again(self, line: str) -> Said:
        """Run a command, and take away what it wrote."""
        with (
            chdir(self.path),
            TextIOWrapper(BytesIO(), encoding="utf-8", newline="") as out,
            TextIOWrapper(BytesIO(), encoding="utf-8", newline="") as err,
            patch.object(sys, "stdout", out),
            patch.object(sys, "stderr", err),
        ):
            code = main(shlex.split(line))
            said = []
            for stream in (out, err):
                stream.flush()
                said.append(stream.buffer.getvalue().decode())
        now = dict(self._present())
        written = {}
        for name in [name for name, state in now.items() if self._before.get(name) != state]:
            written[name] = (self.path / name).read_bytes()
            if name in self._before:
                (self.path / name).write_bytes(self._contents[name])
                self._before[name] = _state(self.path / name)
            else:
                (self.path / name).unlink()
        return Said(code, said[0], said[1], written)

    def _present(self) -> Iterator[tuple[str, tuple[int, int]]]:
        for place, _, names in os.walk(self.path):
            for name in names:
                path = os.path.join(place, name)
                yield os.path.relpath(path, self.path), _state(path)


def _state(path: str | Path) -> tuple[int, int]:
    """Return what differs after a file was written: the time and the size."""
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size


# --- Texts ----------------------------------------------------------------------------------------


@cache
def texts() -> dict[str, list[str]]:
    """Return the lines of each file that no command writes."""
    random = Random(41)
    refs = _sentences()
    systems = {
        "a.txt": _changed(refs, 0.1, random),
        "b.txt": _changed(refs, 0.3, random),
        "c.txt": _changed(refs, 0.5, random),
    }
    files = {"ref.txt": refs, "ref2.txt": _changed(refs, 0.25, random), **systems}
    files["src.txt"] = [" ".join(reversed(text.split())) for text in refs]
    # Nearly a.txt, so that a test finds little.
    files["near.txt"] = [*systems["a.txt"][:3], *refs[3:5], *systems["a.txt"][5:]]
    for name in ("ref.txt", "a.txt", "b.txt"):
        files[f"head-{name}"], files[f"tail-{name}"] = files[name][:9], files[name][9:]
        files[f"some-{name}"] = [*files[name][1:5], files[name][-1]]
        files[f"low-{name}"] = [text.lower() for text in files[name]]
        files[f"line-{name}"] = [" ".join(files[name])]
        files[f"said-{name}"] = [f"ANN: {text}" for text in files[name]]
    files["docs.txt"] = [f"d{i // 3}" for i in range(SEGMENTS)]
    files["some-docs.txt"] = [*files["docs.txt"][1:5], files["docs.txt"][-1]]
    files["each.txt"] = [f"s{i}" for i in range(SEGMENTS)]
    files["labels.txt"] = ["news" if i % 3 else "talk" for i in range(SEGMENTS)]
    files["first.txt"] = [*refs[:2], "the boat"]
    files["foreign-words.txt"] = ["xxxx"]
    files["words.txt"] = ["boat", "letter,"]
    files["training.txt"] = ["the river", "the boat the boat", *refs[:4]]
    # Segments without 4-grams, without a shared 4-gram, and without a shared word.
    files["three-ref.txt"] = ["He ran home", "We sat down"]
    files["three.txt"] = ["He ran away", "We sat here"]
    files["far-ref.txt"] = ["She never saw the old house again"]
    files["far.txt"] = ["She never saw an old house here"]
    files["none.txt"] = ["xx yy zz ww vv"]
    files["line-low-ref.txt"] = [" ".join(files["low-ref.txt"])]
    files["halves.txt"] = ["first" if i < 9 else "second" for i in range(SEGMENTS)]
    files["swapped.txt"] = [*refs[9:], *refs[:9]]
    files["swapped-halves.txt"] = [*files["halves.txt"][9:], *files["halves.txt"][:9]]
    files["foreign.txt"] = [f"xxxx yyyyy zzzzz wwwww vvvv{i}" for i in range(SEGMENTS)]
    files["copied.txt"] = [*files["b.txt"][:4], files["foreign.txt"][4], *files["b.txt"][5:]]
    for part, chosen in (("1", range(7)), ("2", range(7, SEGMENTS))):
        files[f"shard-{part}.tsv"] = [
            "id\tlabel\tref\ta\tb",
            *(
                "\t".join(
                    files[name][i]
                    for name in ("each.txt", "labels.txt", "ref.txt", "a.txt", "b.txt")
                )
                for i in chosen
            ),
        ]
    files |= _subtitles()
    files |= _judgments(random)
    for name in ("a.num", "b.num"):
        files[f"some-{name}"] = [*files[name][1:5], files[name][-1]]
    files |= _lists([*systems.values()])
    return files


def _sentences() -> list[str]:
    random = Random(7)
    parts = [some.split("|") for some in (SUBJECTS, VERBS, OBJECTS, ENDINGS)]
    found: dict[str, None] = {}
    while len(found) < SEGMENTS:
        chosen = [random.choice(some) for some in parts]
        found[" ".join([*chosen, *(["Then she left"] * random.randint(0, 2))])] = None
    return list(found)


def _changed(lines: list[str], rate: float, random: Random) -> list[str]:
    """Return texts of which about so many words are others, in other case, or left out."""
    found = []
    for text in lines:
        words = text.split()
        for place, word in enumerate(words):
            if random.random() < rate:
                words[place] = random.choice(["", word.upper(), random.choice(OTHER_WORDS)])
        found.append(" ".join(filter(None, words)) or "Nothing.")
    return found


def _subtitles() -> dict[str, list[str]]:
    """Return subtitles whose times do not fit their words, and captions that repeat lines."""

    def timed(*cues: str) -> list[str]:
        lines = []
        for number, cue in enumerate(cues):
            times = f"00:00:0{2 * number},000 --> 00:00:0{2 * number + 1},900"
            lines += [str(number + 1), times, *cue.split("|"), ""]
        return lines

    return {
        "r.srt": timed("one two", "three four"),
        "h.srt": timed("one", "two three four"),
        "rolling.srt": timed("one two|three", "three|four five"),
    }


def _judgments(random: Random) -> dict[str, list[str]]:
    """Return human scores of three systems, by two raters and as errors, and other scores."""
    rows = [
        (system, segment, best + random.randrange(-25, 25))
        for segment in range(SEGMENTS)
        for system, best in QUALITY.items()
    ]
    human = [f"{system}\t{segment}\t{score}" for system, segment, score in rows]
    again = [f"{system}\t{segment}\t{score + 10}" for system, segment, score in rows]
    heading = "system\tsegment\tscore"
    raters = [
        f"{system}\t{segment}\t{rater}\t{score + more * (segment % 3)}"
        for system, segment, score in rows
        for rater, more in (("x", 1), ("y", 9))
    ]
    errors = [
        f"{system}\t{segment + 1}\tx\t{category}\t{severity}"
        for segment in range(SEGMENTS)
        for system, category, severity in (
            ("a", "Style", "Minor"),
            ("b", "Accuracy", ("Minor", "Major")[segment % 2]),
            ("c", ("Accuracy", "Style")[segment % 2], "Major"),
        )
    ]
    numbers = {
        f"{name}.num": [f"{score / 7:.3f}" for system, _, score in rows if system == name]
        for name in QUALITY
    }
    return {
        "human.tsv": [heading, *human],
        "half.tsv": [heading, *human[: 3 * (SEGMENTS // 2)]],
        "from-one.tsv": [heading, *(f"{name}\t{i + 1}\t{score}" for name, i, score in rows)],
        "named.tsv": ["who\tsegment\tscore", *human],
        "both-named.tsv": ["who\twhere\tscore", *human],
        "no-c.tsv": [heading, *(line for line in human if not line.startswith("c"))],
        "four.tsv": [heading, *human, *(f"d\t{i}\t{i}" for i in range(SEGMENTS))],
        "twice.tsv": [heading, *human, *again],
        "raters.tsv": ["system\tsegment\trater\tscore", *raters],
        "mqm.tsv": ["system\tseg_id\trater\tcategory\tseverity", *errors],
        "weights.tsv": [
            "severity\tcategory\tweight", "Major\tAccuracy\t50", "Major\t\t2", "Minor\t\t1",
        ],
        **numbers,
    }  # fmt: skip


def _lists(systems: list[list[str]]) -> dict[str, list[str]]:
    """Return n-best lists of the texts of systems, with two features and a score."""
    random = Random(3)
    lists = [
        f"{i} ||| {lines[i]} ||| F= {random.random():.4f} G= {random.random():.4f} ||| "
        f"{random.uniform(-5, 0):.4f}"
        for i in range(SEGMENTS)
        for lines in systems
    ]
    return {
        "nbest.txt": lists,
        "more-nbest.txt": [line.replace(" the ", " a ") for line in lists],
        "head-nbest.txt": lists[: 3 * 9],
        "weights.json": ['{"F": [1], "G": [0.25]}'],
        "other-weights.json": ['{"F": [-1], "G": [2]}'],
    }


def _from_zero(line: str) -> str:
    """Return a row of scores whose segments are counted from 0, without the test set."""
    system, segment, score, _ = line.split(",")
    return f"{system},{int(segment) - 1 if segment.isdecimal() else segment},{score}"


def _write_derived(folder: Folder) -> None:
    """Write what commands make of the files: saved tables and scores."""
    for name, words in {
        "a": "ref.txt -i a.txt",
        "b": "ref.txt -i b.txt",
        "c": "ref.txt -i c.txt",
        "two": "ref.txt -i a.txt b.txt",
        "head": "head-ref.txt -i a=head-a.txt",
        "tail": "tail-ref.txt -i a=tail-a.txt",
        "head-two": "head-ref.txt -i a=head-a.txt b=head-b.txt",
        "tail-two": "tail-ref.txt -i a=tail-a.txt b=tail-b.txt",
        "other": "ref2.txt -i b.txt",
    }.items():
        saved = f"--save-table {name}.parquet" if find_spec("pyarrow") else ""
        folder.keep(f"score {words} {saved} -f json -o {name}.json")
    folder.keep("mbr -i a.txt b.txt c.txt -m bleu chrf --save-matrix matrix.jsonl")
    folder.keep("mbr -i nbest.txt -m bleu chrf --save-matrix list-matrix.jsonl")
    folder.keep("mbr -i x=a.txt y=a.txt z=near.txt -m bleu chrf --save-matrix twice-matrix.jsonl")
    folder.keep(
        "score ref2.txt -i a.txt b.txt c.txt -m ter --save-scores other.csv -f json -o x.json"
    )
    # The same scores, without the name of their test set.
    lines = (folder.path / "other.csv").read_text(encoding="utf-8").splitlines()
    write_lines(folder.path / "other-scores.csv", [_from_zero(line) for line in lines])
    for number, words in enumerate(["a.txt -i near.txt", "a.txt -i b.txt", "b.txt -i a.txt"]):
        folder.keep(f"gate ref.txt -q --baseline {words} --history h.jsonl --label run-{number}")
        if number == 0:
            (folder.path / "short.jsonl").write_bytes((folder.path / "h.jsonl").read_bytes())
    for path in [*folder.path.iterdir()]:
        if path.suffix not in (".parquet", "") and path.is_file():
            text = path.read_text(encoding="utf-8").removesuffix("\n")
            (folder.path / "mark" / path.name).write_text(MARK + text, encoding="utf-8")
    folder.know_files()


@pytest.fixture(scope="module")
def command_line_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    """A folder with every file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield Folder(tmp_path_factory.mktemp("options"))


# What names things, and so differs between commands that say the same.
NAMES = {
    "system", "name", "signature", "signatures", "sentence_signature", "test_set", "file", "notes",
    "baseline", "settings", "new", "release", "baseline_system", "message", "left", "right",
    "better",
}  # fmt: skip


def bare(value: Any) -> Any:
    """Return JSON without the names of files, systems and settings."""
    if isinstance(value, dict):
        return [bare(own) for key, own in value.items() if key not in NAMES and not is_names(own)]
    return [bare(own) for own in value] if isinstance(value, list) else value


def is_names(value: Any) -> bool:
    """Whether a value is a list of names."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)
