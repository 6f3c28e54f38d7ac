"""`bleuet sacrebleu` prints, byte for byte but for the version, what `sacrebleu` prints."""

from __future__ import annotations

import gzip
import json
import os
import pty
import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet.compat.sacrebleu import sacrebleu as program
from bleuet.compat.sacrebleu.flags import parser
from bleuet.version import __version__
from tests.compat.forked_program import ForkedProgram, Printed
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.evaluation_data import EvaluationData

OURS = [sys.executable, "-m", "bleuet.compat.sacrebleu"]
THEIRS = [sys.executable, "-m", "sacrebleu"]
VERSION = f"bleuet-{__version__}=sacrebleu-2.6.0"

TEXT = (
    "the cat sat on a mat and it's 3.5% of 1,000 &quot;facts&quot; . , (well) state-of-the-art "
    "élan Größe naïve «oui» The Dog barks"
)
WORDS = TEXT.split()


@cache
def their_program() -> ForkedProgram:
    return ForkedProgram("sacrebleu.sacrebleu")


@pytest.fixture(scope="module", autouse=True)
def _ends_their_program() -> Iterator[None]:
    yield
    if their_program.cache_info().currsize:
        their_program().close()
        their_program.cache_clear()


def run(
    command: list[str], folder: Path, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> Printed:
    """Run a command in a folder, in an environment without what changes its output."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("SACREBLEU", "NO_COLOR"))}
    plain["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    variables = {**plain, **(environment or {})}
    # sacreBLEU takes a third of a second to start.
    if command[: len(THEIRS)] == THEIRS:
        return their_program().run(command[len(THEIRS) :], folder, stdin, variables)
    done = subprocess.run(
        command,
        cwd=folder,
        input=stdin,
        env=variables,
        capture_output=True,
        timeout=PATIENCE,
    )
    return Printed(done.returncode, done.stdout.decode(), done.stderr.decode())


def noisy(rng: random.Random, line: str) -> str:
    """A system's output for a reference: words dropped, doubled, changed and moved."""
    words = [w for w in line.split() if rng.random() > 0.1]
    words = [rng.choice(WORDS) if rng.random() < 0.15 else word for word in words]
    if len(words) > 4 and rng.random() < 0.4:
        start = rng.randrange(len(words) - 2)
        words = words[start:] + words[:start]
    return " ".join(words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three references, three systems and Chinese, Japanese and Korean, as files."""
    rng = random.Random(20)
    here = tmp_path_factory.mktemp("files")
    reference = [" ".join(rng.choices(WORDS, k=rng.randint(1, 14))) for _ in range(60)]
    reference[7] = ""
    files: dict[str, list[str]] = {
        "ref1": reference,
        "ref2": [noisy(rng, line) for line in reference],
        "ref3": [line.upper() for line in reference],
        "sys_a&b": [noisy(rng, line) for line in reference],
        "sys-b.txt": [noisy(rng, noisy(rng, line)) for line in reference],
        "perfect": reference,
        "nothing": [""] * len(reference),
        "tokenized": [f"{line} ." for line in reference] * 2,
        "tokenized.ref": reference * 2,
        "zh.ref": ["他们坐在垫子上，2018年。", "猫说:“你好”"],
        "zh.sys": ["他坐在垫子上, 2018年", "猫说：“您好”"],
        "ja.ref": ["猫はマットの上に座った。", "彼は学生です"],
        "ja.sys": ["猫がマットに座った。", "彼は先生です"],
        "ko.ref": ["고양이가 매트 위에 앉았다.", "그는 학생이다"],
        "ko.sys": ["고양이는 매트에 앉았다.", "그는 선생님이다"],
    }
    files["tabs.ref"] = [
        "\t".join(three)
        for three in zip(files["ref1"], files["ref2"], files["ref3"], strict=True)
        if all(three)
    ]
    kept = [
        i for i, three in enumerate(zip(files["ref1"], files["ref2"], strict=True)) if all(three)
    ]
    files["tabs.sys"] = [files["sys-b.txt"][i] for i in kept]
    for name, lines in files.items():
        (here / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
    (here / "crlf").write_bytes("".join(f"{line} \t\r\n" for line in files["sys_a&b"]).encode())
    (here / "noend").write_bytes("\n".join(files["perfect"]).encode())
    (here / "ref1.gz").write_bytes(gzip.compress((here / "ref1").read_bytes()))
    for name in "ref1", "sys-b.txt":
        text = (here / name).read_bytes().decode()
        (here / f"{name}.latin1").write_bytes(text.encode("latin-1"))
    return here


# flags, to be run on the files above
SAME = [
    "ref1 -i sys-b.txt",
    "ref1 -i sys-b.txt -f text",
    "ref1 -i sys-b.txt -f latex",
    "ref1 -i sys-b.txt -b",
    "ref1 -i sys-b.txt -b -w 4 -f text",
    "ref1 -i sys-b.txt -w 0",
    "ref1 -i sys-b.txt --short -f text",
    "ref1 -i sys-b.txt --short",
    "ref1 ref2 ref3 -i sys_a&b -m bleu chrf ter",
    "ref1 ref2 ref3 -i sys_a&b -m ter chrf bleu -f text -w 3",
    "ref1 ref2 -i sys_a&b -m chrf ter -b",
    "ref1 ref2 -i sys_a&b -m chrf ter -b -f text",
    "ref1 -i sys_a&b -m bleu chrf ter -f text -sh -q",
    "ref1 -i sys-b.txt -s floor -sv 0.25 -lc",
    "ref1 -i sys-b.txt -s add-k -f text",
    "ref1 -i sys-b.txt -s none --tokenize none -f text",
    "ref1 -i sys-b.txt -s exp -sv 0.5",
    "ref1 -i sys-b.txt -tok intl -f text",
    "ref1 -i sys-b.txt -tok char --force",
    "ref1 -i sys-b.txt -m chrf --chrf-word-order 2 --chrf-beta 3 --chrf-lowercase -f text",
    "ref1 -i sys-b.txt -m chrf -cc 4 -cw 1 --chrf-whitespace --chrf-eps-smoothing",
    "ref1 -i sys-b.txt -m ter --ter-normalized --ter-no-punct --ter-case-sensitive",
    "zh.ref -i zh.sys -m ter bleu --ter-asian-support --ter-normalized -l en-zh -f text",
    "zh.ref -i zh.sys -l en-zh -tok 13a",
    "ja.ref -i ja.sys -l en-ja",
    "ko.ref -i ko.sys -l en-ko -f text",
    "ref1 -i sys-b.txt -l en-de",
    "ref1 -i perfect -m bleu chrf ter",
    "ref1 -i nothing -m bleu chrf ter -f text",
    "ref1 -i crlf -m bleu chrf ter --chrf-whitespace",
    "ref1.gz -i noend -m bleu ter",
    "ref1.latin1 -i sys-b.txt.latin1 -e latin-1 -m bleu chrf",
    "ref1 -i sys_a&b sys-b.txt perfect -f text -m bleu chrf ter",
    "ref1 -i sys_a&b sys-b.txt perfect -m bleu chrf ter -w 2",
    "ref1 -i sys_a&b sys-b.txt perfect -f latex -m chrf ter --short",
    "ref1 -i sys_a&b nothing -f text -w 0 -q",
    "ref1 -i nothing perfect -f text -w 6 -m bleu ter",
    "ref1 ref2 -i sys-b.txt -sl",
    "ref1 ref2 -i sys-b.txt -sl -m chrf -w 3 -sh",
    "ref1 -i sys-b.txt -sl -m ter -b -w 2",
    "ref1 -i sys-b.txt -sl -f text -s add-k",
    "ref1 -i sys-b.txt -ci",
    "ref1 ref2 -i sys_a&b -ci -m bleu chrf ter -f text -w 3",
    "ref1 ref2 -i sys_a&b -ci -cin 200 -m ter -b",
    "ref1 -i nothing -ci -m bleu ter -f text",
    "tabs.ref -nr 3 -i tabs.sys -m bleu chrf ter",
    "tabs.ref --num-refs 3 -i tabs.sys -sl -f text",
    "tokenized.ref -i tokenized",
    "ref1 -i sys-b.txt -d",
    "ref1 -i sys-b.txt --detail -m chrf ter",
    "--short --width 3 --metrics ter --input sys-b.txt --format text -- ref1",
]


def test_the_help_says_what_every_flag_does() -> None:
    assert [one.dest for one in parser()._actions if not one.help] == []


@pytest.mark.peers
@pytest.mark.parametrize("flags", SAME)
def test_the_same_bytes_are_printed(flags: str, folder: Path) -> None:
    mine = run([*OURS, *flags.split()], folder)
    other = run([*THEIRS, *flags.split()], folder)
    assert mine.stdout.replace(VERSION, "2.6.0") == other.stdout
    assert (mine.code, other.code) == (0, 0), mine.stderr
    assert other.stdout
    # Notices are sacreBLEU's too, but for two lines on tokenized text in our own words.
    if "tokenized" not in flags:
        assert mine.stderr == other.stderr


@pytest.mark.data
@pytest.mark.peers
@pytest.mark.parametrize("flags", ["-m bleu chrf", "-sl", "-sl -m chrf -cw 2 -b"])
def test_a_real_system_is_scored_alike(
    flags: str, evaluation_data: EvaluationData, tmp_path: Path
) -> None:
    for name, path in {"ref": "ref.de.txt.gz", "sys": "systems/FBK.de.txt.gz"}.items():
        lines = evaluation_data.lines(f"data/wmt17-ende/{path}")[::3]
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = ["ref", "-i", "sys", *flags.split()]
    mine, other = run([*OURS, *command], tmp_path), run([*THEIRS, *command], tmp_path)
    assert mine.stdout.replace(VERSION, "2.6.0") == other.stdout
    assert mine.code == other.code == 0


ENVIRONMENTS = [
    ("ref1 -i sys-b.txt", {"SACREBLEU_FORMAT": "text"}),
    ("ref1 -i sys-b.txt -f json", {"SACREBLEU_FORMAT": "TEXT"}),
    ("ref1 -i sys-b.txt -f text", {"SACREBLEU_FORMAT": "no such format"}),
    ("ref1 -i sys_a&b sys-b.txt", {"SACREBLEU_FORMAT": "latex"}),
    ("ref1 -i sys-b.txt -ci -m bleu chrf -f text", {"SACREBLEU_SEED": "7"}),
    ("ref1 -i sys_a&b sys-b.txt -f text", {"NO_COLOR": "1"}),
    ("ref1 -i sys-b.txt -ci -f text -nc", {}),
]


@pytest.mark.peers
@pytest.mark.parametrize(("flags", "environment"), ENVIRONMENTS)
def test_the_environment_counts_alike(
    flags: str, environment: dict[str, str], folder: Path
) -> None:
    mine = run([*OURS, *flags.split()], folder, environment=environment)
    other = run([*THEIRS, *flags.split()], folder, environment=environment)
    assert mine.stdout.replace(VERSION, "2.6.0") == other.stdout
    assert mine.code == other.code == 0


STDIN = [
    ("ref1 -m bleu chrf", "sys-b.txt"),
    ("ref1 ref2 -sl", "sys-b.txt"),
    ("ref1 -m bleu ter -f text", "sys_a&b\tsys-b.txt\tperfect"),
    ("ref1 -f json", "perfect\tsys-b.txt"),
]


@pytest.mark.peers
@pytest.mark.parametrize(("flags", "columns"), STDIN)
def test_standard_input_is_read_alike(flags: str, columns: str, folder: Path) -> None:
    files = [(folder / name).read_text().split("\n")[:-1] for name in columns.split("\t")]
    # sacreBLEU cannot read an empty last column, so it gets a word there.
    rows = ["\t".join((*row[:-1], row[-1] or "x")) for row in zip(*files, strict=True)]
    stdin = "".join(f"{row}\n" for row in rows).encode()
    mine = run([*OURS, *flags.split()], folder, stdin)
    other = run([*THEIRS, *flags.split()], folder, stdin)
    assert mine.stdout.replace(VERSION, "2.6.0") == other.stdout
    assert mine.code == other.code == 0


@pytest.mark.peers
def test_empty_last_columns_are_read(folder: Path) -> None:
    stdin = b"a b c d\te f g h\nb b b b\t\n"
    (folder / "two").write_text("a b c d\nb b b b\n")
    mine = run([*OURS, "two", "-m", "ter", "-f", "text"], folder, stdin)
    assert "100.0 " not in mine.stdout.split("System 1")[1].split("\n")[0]
    assert mine.code == 0
    assert run([*THEIRS, "two", "-m", "ter"], folder, stdin).code != 0
    (folder / "tabs").write_bytes(b"a b\tc\nb b b b\t\n")
    printed = run([*OURS, "tabs", "-nr", "2", "-i", "two", "-m", "ter"], folder)
    assert printed.code == 0


def on_a_terminal(command: list[str], folder: Path) -> bytes:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL
    ) as process:
        os.close(theirs)
        written = bytearray()
        while True:
            try:
                block = os.read(ours, 4096)
            except OSError:  # the other end was closed
                break
            if not block:
                break
            written += block
        process.wait(60)
    os.close(ours)
    return bytes(written)


@pytest.mark.peers
@pytest.mark.parametrize(
    "flags",
    [
        "ref1 -i sys_a&b sys-b.txt -f text -m bleu chrf",
        "ref1 -i sys_a&b sys-b.txt -f latex -m bleu",
        "ref1 -i sys-b.txt -ci -cin 50 -f text -m bleu chrf",
        "ref1 -i sys-b.txt -ci -cin 50 -f text --no-color",
        "ref1 -i sys_a&b sys-b.txt perfect -pbs -pbsn 50 -f text -m ter bleu",
        "ref1 -i sys_a&b sys-b.txt perfect -par -parn 50 -f text",
        "ref1 -i sys_a&b sys-b.txt perfect -par -parn 50 -f latex -m bleu chrf",
    ],
)
def test_colours_on_a_terminal_are_the_same(flags: str, folder: Path) -> None:
    mine = on_a_terminal([*OURS, *flags.split()], folder)
    other = on_a_terminal([*THEIRS, *flags.split()], folder)
    # Colours are set back once more when sacreBLEU ends, which nobody sees.
    assert mine.replace(VERSION.encode(), b"2.6.0") == other.removesuffix(b"\x1b[0m")
    assert (b"\x1b[36m" in mine) == ("--no-color" not in flags)


@pytest.mark.slow
@pytest.mark.usefixtures("needs_kernel")
def test_a_reader_that_leaves_is_no_error(folder: Path) -> None:
    (folder / "long").write_text("a b c d\n" * 20_000)
    command = f"{sys.executable} -m bleuet.compat.sacrebleu long -i long -sl -b | head -1"
    printed = run(["bash", "-c", command], folder)
    assert printed == (0, "100.0\n", "")


@pytest.mark.slow
def test_bleuets_command_has_it(folder: Path) -> None:
    flags = ["ref1", "-i", "sys-b.txt"]
    mine = run([sys.executable, "-m", "bleuet", "sacrebleu", *flags], folder)
    assert mine == run([*OURS, *flags], folder)
    wrong = run([sys.executable, "-m", "bleuet", "sacrebleu"], folder)
    assert (wrong.code, wrong.stderr.count("\n")) == (2, 1)


# --- Paired tests ---------------------------------------------------------------------------------

PAIRED = [
    "ref1 -i sys_a&b sys-b.txt --paired-bs --paired-bs-n 50 -f text",
    "ref1 -i sys_a&b sys-b.txt -par -parn 50 -m bleu -f text",
    "ref1 ref2 -i sys_a&b sys-b.txt perfect -pbs -m ter bleu -f text -w 3",
    "ref1 -i sys_a&b sys-b.txt perfect nothing -pbs -m ter chrf -f latex -sh",
    "ref1 -i sys_a&b sys-b.txt perfect -par -parn 200 -m ter bleu chrf -f latex",
    "ref1 -i sys_a&b sys_a&b perfect -par -parn 300 -f json -m ter bleu chrf -q",
    "ref1 -i sys-b.txt sys_a&b sys-b.txt -par -parn 300 -m chrf --chrf-word-order 2 -f text",
    "ref1 -i sys-b.txt sys_a&b -par -parn 100 -j 2 -f text -q",
]


@pytest.mark.peers
@pytest.mark.parametrize(("flags", "seed"), [*zip(PAIRED, ["12345", "7"] * 4, strict=True)])
def test_paired_tests_print_what_sacrebleus_do(flags: str, seed: str, folder: Path) -> None:
    environment = {"SACREBLEU_SEED": seed}
    mine, other = (
        run([*command, *flags.split()], folder, environment=environment)
        for command in (OURS, THEIRS)
    )
    assert mine.stdout.replace(VERSION, "2.6.0") == other.stdout
    assert (mine.code, mine.stderr) == (other.code, other.stderr)


@pytest.mark.peers
def test_a_paired_bootstrap_as_json(folder: Path) -> None:
    """sacreBLEU draws in single precision, which shows where all digits do."""
    flags = ["ref1", "-i", "sys_a&b", "sys-b.txt", "-pbs", "-pbsn", "80", "-q"]
    mine, other = (json.loads(run([*c, *flags], folder).stdout) for c in (OURS, THEIRS))
    for ours, theirs in zip(mine, other, strict=True):
        assert ours["system"] == theirs["system"]
        mine_found, other_found = ours["BLEU"], theirs["BLEU"]
        assert list(mine_found) == list(other_found)
        for name in "score", "p_value":
            assert mine_found[name] == other_found[name]
        for name in "mean", "ci":
            assert mine_found[name] == pytest.approx(other_found[name], rel=1e-6)


@pytest.mark.peers
def test_what_sacrebleu_fails_at(folder: Path) -> None:
    """chrF as JSON ends sacreBLEU with a TypeError, and seed 0 draws anew each time."""
    flags = ["ref1", "-i", "sys_a&b", "sys-b.txt", "-pbs", "-pbsn", "60", "-m", "chrf"]
    assert "not JSON serializable" in run([*THEIRS, *flags], folder).stderr
    first, again = (run([*OURS, *flags], folder, environment={"SACREBLEU_SEED": "0"}) for _ in "ab")
    assert first == again
    assert json.loads(first.stdout)[1]["chrF2"]["p_value"] > 0


@pytest.mark.peers
def test_systems_in_columns_are_compared(folder: Path) -> None:
    lines = zip(
        *(
            [f"{line} x" for line in (folder / name).read_text().splitlines()]
            for name in ("sys_a&b", "sys-b.txt")
        ),
        strict=True,
    )
    columns = "".join("\t".join(two) + "\n" for two in lines).encode()
    flags = ["ref1", "-par", "-parn", "60", "-f", "json"]
    mine, other = (run([*command, *flags], folder, stdin=columns) for command in (OURS, THEIRS))
    assert mine == other
    assert [row["system"] for row in json.loads(mine.stdout)] == ["Baseline", "System 1"]


# --- What needs the sacrebleu package ---


@pytest.mark.peers
@pytest.mark.parametrize(
    "flags",
    [
        "--list",
        "--list -l en-de",
        "-t no-such-set -l en-de",
    ],
)
def test_commands_are_handed_over_whole(flags: str, folder: Path) -> None:
    mine, other = (run([*command, *flags.split()], folder) for command in (OURS, THEIRS))
    assert mine == other
    assert mine.code == (1 if "no-such-set" in flags else 0)


@pytest.mark.peers
def test_citations_are_printed(folder: Path) -> None:
    printed = run([*OURS, "--cite", "-t", "mtnt1.1/test,mtedx/test"], folder)
    assert printed.code == 0
    assert printed.stdout.count("@") >= 2
    assert run([*OURS, "--cite", "-t", "none"], folder).code == 2


@pytest.mark.slow
def test_without_the_package_the_error_says_how_to_install_it(folder: Path) -> None:
    program = (
        "import sys; sys.modules['sacrebleu'] = None\n"
        "from bleuet.compat.sacrebleu.sacrebleu import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    for flags, flag in ("-t wmt17 -l en-de", "-t"), ("--list", "--list"):
        printed = run([sys.executable, "-c", program, *flags.split()], folder)
        assert printed == (
            1,
            "",
            f"bleuet: error: {flag} needs the sacrebleu package, which is not "
            "installed: pip install 'bleuet[sacrebleu]'\n",
        )
    assert run([sys.executable, "-c", program, "ref1", "-i", "sys-b.txt"], folder).code == 0


# --- What is deliberately different ---------------------------------------------------------------


@pytest.mark.slow
def test_sentences_are_json_where_that_is_asked_for(folder: Path) -> None:
    from json import loads

    printed = run([*OURS, "ref1", "-i", "sys-b.txt", "-sl", "-f", "json"], folder)
    lines = run([*OURS, "ref1", "-i", "sys-b.txt", "-sl"], folder).stdout.splitlines()
    scores = loads(printed.stdout)
    assert len(scores) == len(lines) == 60
    for score, line in zip(scores, lines, strict=True):
        assert line == (
            f"{score['name']}|{score['signature']} = {score['score']} {score['verbose_score']}"
        )


@pytest.mark.peers
def test_signatures_hide_no_digits(folder: Path) -> None:
    flags = "ref1 -i sys-b.txt -s floor -sv 0.001 -f text"
    mine, other = (run([*command, *flags.split()], folder).stdout for command in (OURS, THEIRS))
    assert "floor[0.00]" in other
    assert mine.replace(VERSION, "2.6.0") == other.replace("floor[0.00]", "floor[0.001]")


@pytest.mark.peers
def test_what_its_command_does_with_mistakes(folder: Path) -> None:
    """The lines of the table of differences about the command.

    > | `-sl -f json` | ignores `-f json` |

    > | `--cite` | an exception |

    > | an empty last column on standard input or with `--num-refs` | stops with an error |

    > | files of different lengths | an error |

    > | text that is not UTF-8 | an exception |
    """

    def theirs(flags: str) -> Printed:
        return run([*THEIRS, *flags.split()], folder)

    (folder / "two.ref").write_bytes(b"a b c d\te\nb b b b\t\n")
    (folder / "two.sys").write_bytes(b"a b c d\nb b b b\n")
    sentences = theirs("ref1 -i sys-b.txt -sl -f json")
    assert (sentences.code, sentences.stdout[:13]) == (0, "BLEU|nrefs:1|")
    assert "TypeError" in theirs("--cite -t wmt17").stderr
    assert "expected 2 fields, but found 1" in theirs("two.ref --num-refs 2 -i two.sys").stderr
    assert "different lengths" in theirs("ref1 -i two.sys").stderr
    assert "UnicodeDecodeError" in theirs("ref1 -i sys-b.txt.latin1").stderr


@pytest.mark.slow
def test_the_version_names_both(folder: Path) -> None:
    assert run([*OURS, "--version"], folder).stdout == (f"sacrebleu 2.6.0 (bleuet {__version__})\n")


@pytest.mark.peers
def test_every_flag_is_there(folder: Path) -> None:
    def flags(command: list[str]) -> set[str]:
        return set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", run([*command, "-h"], folder).stdout))

    # Words of sacreBLEU's explanations and flags cut by a line's end, not flags of its own.
    wanted = {flag for flag in flags(THEIRS) if not flag.endswith("-")}
    assert wanted - {"--paired", "-based"} <= flags(OURS)
    assert len(wanted) > 60


# --- Wrong usage ----------------------------------------------------------------------------------

WRONG = {
    "no references": ("", 2, "there are no references"),
    "an unknown flag": ("ref1 --tokenise zh", 2, "--tokenise"),
    "an unknown metric": ("ref1 -i sys-b.txt -m meteor", 2, "'meteor'"),
    "an unknown tokenizer": ("ref1 -i sys-b.txt -tok 14a", 2, "'14a'"),
    "a width that is none": ("ref1 -i sys-b.txt -w wide", 2, "'wide'"),
    "a negative width": ("ref1 -i sys-b.txt -w -1", 2, "--width"),
    "two metrics per sentence": ("ref1 -i sys-b.txt -sl -m bleu ter", 2, "one metric"),
    "two systems per sentence": ("ref1 -i sys-b.txt perfect -sl", 2, "one system"),
    "an interval per sentence": ("ref1 -i sys-b.txt -sl -ci", 2, "remove -sl"),
    "an interval of two systems": ("ref1 -i sys-b.txt perfect -ci", 2, "one system"),
    "a system twice": ("ref1 -i perfect perfect", 2, "occurs twice"),
    "no system": ("ref1 -i", 2, "-i has no file"),
    "both paired tests": ("ref1 -i perfect -par -pbs", 2, "not allowed with"),
    "references in two ways": ("ref1 -t wmt17 -l en-de", 2, "remove one"),
    "a language alone": ("ref1 -i sys-b.txt -l de", 2, "en-de"),
    "a subset of files": ("ref1 -i sys-b.txt --origlang en", 2, "add -t and -l"),
    "an echo without a test set": ("--echo src", 2, "add -t and -l"),
    "a citation of nothing": ("--cite", 2, "add -t"),
    "columns in several files": ("ref1 ref2 -nr 2 -i perfect", 2, "one file"),
    "no column": ("ref1 -nr 0 -i perfect", 2, "1 or more"),
    "one draw": ("ref1 -i perfect -ci -cin 1", 2, "2 or more"),
    "an encoding that is none": ("ref1 -i perfect -e utf-9", 2, "'utf-9'"),
    "an order that is none": ("ref1 -i perfect -m chrf -cc 0", 2, "char_order"),
    "a file that is not there": ("ref9 -i perfect", 1, "ref9"),
    "a folder": (". -i perfect", 1, "."),
    "a file of another length": (
        "ref1 zh.ref -i perfect",
        1,
        "perfect has 60 lines but zh.ref has 2",
    ),
    "an empty file": ("empty -i empty", 1, "empty"),
    "too few columns": ("ref1 -nr 2 -i perfect", 1, "ref1:1: expected 2 references"),
    "another encoding": ("sys-b.txt.latin1 -i perfect", 1, "UTF-8"),
    "another encoding than said": ("ref1 -i perfect -e ascii", 1, "ref1 is not ascii"),
    "a missing file in another encoding": ("ref9 -i perfect -e ascii", 1, "ref9"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_usage_is_one_line_and_an_exit_code(
    wrong: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flags, code, words = WRONG[wrong]
    monkeypatch.chdir(folder)
    Path("empty").touch()
    assert program.main([*flags.split(), "-q"]) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("bleuet: error: ")
    assert words in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.slow
def test_columns_that_differ_are_told_with_the_line(folder: Path) -> None:
    printed = run([*OURS, "ref1", "-q"], folder, b"a\tb\nc\n")
    assert printed.code == 1
    assert printed.stderr.startswith("bleuet: error: <stdin>:2: 1 columns, but the first line")


@pytest.mark.slow
def test_empty_standard_input_is_told(folder: Path) -> None:
    printed = run([*OURS, "ref1", "-q"], folder, b"")
    assert (printed.code, printed.stdout) == (1, "")
    assert "<stdin> has 0 lines but ref1 has 60 lines" in printed.stderr
