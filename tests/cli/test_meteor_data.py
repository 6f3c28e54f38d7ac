"""`bleuet meteor-data`: what it stores and rejects, and that METEOR uses what is stored."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from bleuet import (
    METEOR,
    BleuetError,
    InputError,
    OptionError,
    SignatureError,
    metric_from_signature,
)
from bleuet.metrics.meteor import stored_files
from bleuet.metrics.meteor.parameters import DATA
from bleuet.metrics.meteor.stored_files import store_data
from bleuet.text import user_folders
from bleuet.text.user_folders import stored_folder
from tests.corpora.meteor_files import WORDS, jar_of, parts, table_of, tar_of, write_parts, zip_of
from tests.oracles import fuzz
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Outcome

Run: TypeAlias = "Callable[..., Outcome]"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "bleuet"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    file = tmp_path / "meteor-1.5.tar.gz"
    file.write_bytes(tar_of(parts()))
    return file


def stored(home: Path) -> dict[str, bytes]:
    files = (file for file in home.rglob("*") if file.is_file())
    return {file.relative_to(home / "meteor").as_posix(): file.read_bytes() for file in files}


WHOLE = {name.removeprefix("meteor-1.5/"): data for name, data in parts().items()}
del WHOLE["README"]


# --- Sources --------------------------------------------------------------------------------------


def write_source(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if kind in ("tar", "tar.gz", "tar.xz"):
        file = folder / f"meteor.{kind}"
        file.write_bytes(tar_of(parts(), f"w:{kind[4:]}"))
        return str(file)
    if kind == "wheel":
        file = folder / "pycocoevalcap-1.2-py3-none-any.whl"
        file.write_bytes(zip_of(parts("pycocoevalcap/meteor/")))
        return str(file)
    write_parts(folder, parts("caption/meteor/"))
    if kind == "package":
        (folder / "caption" / "__init__.py").write_text("raise SystemExit")
        monkeypatch.syspath_prepend(folder)
        return "caption"
    places = {"folder": "caption/meteor", "folder above": "caption"}
    return str(folder / places.get(kind, "caption/meteor/meteor-1.5.jar"))


@pytest.mark.parametrize(
    "kind", ["jar", "folder", "folder above", "tar", "tar.gz", "tar.xz", "wheel", "package"]
)
def test_every_source_stores_the_same_files(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "source").mkdir()
    source = write_source(kind, tmp_path / "source", monkeypatch)
    outcome = run("meteor-data", "--from", source, "-f", "json")
    assert (outcome.code, outcome.err) == (0, "")
    assert stored(home) == WHOLE
    assert outcome.out == run("meteor-data", "-f", "json").out
    found = json.loads(outcome.out)
    assert found["folder"] == str(home / "meteor")
    assert found["languages"] == [
        {
            "language": "en",
            "function_words": 3,
            "abbreviations": 2,
            "synonyms": 4,
            "paraphrase_bytes": len(table_of()),
        },
        {
            "language": "de",
            "function_words": 2,
            "abbreviations": 0,
            "synonyms": 0,
            "paraphrase_bytes": len(WHOLE["data/paraphrase-de.gz"]),
        },
    ]
    assert [one["file"] for one in found["files"]] == sorted(WHOLE)


def test_an_empty_folder_says_how_to_fill_it(run: Run) -> None:
    outcome = run("meteor-data")
    assert outcome.code == 0
    assert "No files of METEOR are stored." in outcome.out
    assert "bleuet meteor-data --from FILE stores them" in outcome.out
    empty: dict[str, Any] = {"folder": None, "languages": [], "files": []}
    assert json.loads(run("meteor-data", "-f", "json").out) == empty


def test_what_is_stored_replaces_what_was(home: Path, archive: Path, tmp_path: Path) -> None:
    store_data(str(archive))
    file = tmp_path / "meteor-2.jar"
    file.write_bytes(jar_of())
    store_data(str(file))
    assert list(stored(home)) == ["meteor-2.jar"]
    assert [one.name for one in home.iterdir()] == ["meteor"]


@pytest.mark.parametrize(
    ("home", "local", "system", "expected"),
    [
        ("/data", "", "linux", "/data/bleuet"),
        ("relative", "", "linux", "/home/me/.local/share/bleuet"),
        ("", "", "darwin", "/home/me/Library/Application Support/bleuet"),
        ("", "/local", "win32", "/local/bleuet"),
        ("", "", "win32", "/home/me/AppData/Local/bleuet"),
    ],
)
def test_the_folder_is_that_of_the_system(
    monkeypatch: pytest.MonkeyPatch, home: str, local: str, system: str, expected: str
) -> None:
    variables = {"XDG_DATA_HOME": home, "LOCALAPPDATA": local, "HOME": "/home/me"}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", system)
    assert user_folders.data_folder() == expected


# --- The metric -----------------------------------------------------------------------------------


def test_meteor_uses_what_is_stored(archive: Path, tmp_path: Path) -> None:
    without = METEOR()
    assert without.resources == "none"
    assert without == METEOR(resources="none")
    store_data(str(archive))
    metric = METEOR()
    assert metric.resources == "stored"
    assert repr(metric) == repr(METEOR(resources="stored"))
    assert str(metric.signature()) == str(METEOR(resources="stored").signature())
    assert metric.used_matchers == ("exact", "stem", "synonym", "paraphrase")
    write_parts(tmp_path, parts())
    named = METEOR(resources=str(tmp_path / "meteor-1.5" / "meteor-1.5.jar"))
    texts = ["the cars of the shore", "a car of the bank"]
    assert metric.sentence_score(*texts).score == named.sentence_score(*texts).score > 0
    assert str(metric.signature()) == str(named.signature())
    assert (
        METEOR(resources="none").sentence_score(*texts).score < named.sentence_score(*texts).score
    )
    assert str(METEOR(resources="none").signature()) == str(without.signature())


def test_a_language_has_the_paraphrases_that_are_stored(archive: Path) -> None:
    store_data(str(archive))
    assert METEOR(language="de").used_matchers == ("exact", "stem", "paraphrase")
    assert METEOR(language="fr").used_matchers == ("exact", "stem")
    assert METEOR().with_options(language="fr") == METEOR(language="fr")
    with pytest.raises(OptionError, match=r"paraphrase-fr\.gz, which is missing.*meteor-data"):
        METEOR(language="fr", matchers="exact+paraphrase")
    assert METEOR(version="2005").used_matchers == ("exact", "stem", "synonym")


@pytest.mark.parametrize(
    "options",
    [{}, {"language": "de"}, {"resources": "none"}, {"version": "2005"}, {"no_punct": True}],
)
def test_a_signature_rebuilds_the_metric(archive: Path, options: dict[str, object]) -> None:
    store_data(str(archive))
    metric = METEOR(**options)  # type: ignore[arg-type]
    assert metric_from_signature(metric.signature().full()) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric


def test_a_signature_of_other_files_is_rejected(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_data(str(archive))
    signature, pickled = METEOR().signature().full(), pickle.dumps(METEOR())
    archive.write_bytes(
        tar_of({**parts(), "meteor-1.5/meteor-1.5.jar": jar_of({**WORDS, "x": ""})})
    )
    store_data(str(archive))
    with pytest.raises(SignatureError, match=r"files are meteor-1\.5-\w{12} .* is stored: bleuet"):
        metric_from_signature(signature)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(SignatureError, match="and none are stored: bleuet meteor-data --from"):
        metric_from_signature(signature)
    with pytest.raises(OptionError, match="none are stored: bleuet meteor-data --from FILE"):
        pickle.loads(pickled)


def test_stored_files_that_are_damaged_are_an_error(run: Run, home: Path, archive: Path) -> None:
    store_data(str(archive))
    (home / "meteor" / "meteor-1.5.jar").write_bytes(b"no zip")
    with pytest.raises(OptionError, match=r"cannot be used: .*meteor-1\.5\.jar is not a jar file"):
        METEOR()
    outcome = run("score", "ref.txt", "-i", "a.txt", "-m", "meteor")
    assert outcome.code == 2
    assert len(outcome.err.splitlines()) == 1
    assert METEOR(resources="none").used_matchers == ("exact", "stem")
    # It can be stored again.
    store_data(str(archive))
    assert METEOR().resources == "stored"


def test_missing_files_name_the_command(run: Run) -> None:
    for options in ("matchers=exact+synonym", "resources=stored", "matchers=paraphrase"):
        outcome = run("score", "ref.txt", "-i", "a.txt", "-m", f"meteor:{options}")
        assert outcome.code == 2
        assert "bleuet meteor-data --from FILE stores METEOR's" in outcome.err
    assert "bleuet meteor-data" in run("metrics", "meteor").out


# --- What is rejected -----------------------------------------------------------------------------

BOMB = bytes(70 << 20)


def rejected() -> dict[str, tuple[str, bytes, str]]:
    """By a name: a file, its content, and what the error says."""
    whole = tar_of(parts())
    links = {**parts(), "meteor-1.5/meteor-1.5.jar": b""}
    unsafe = {f"../{name}": data for name, data in parts().items()}
    jar, two = parts()["meteor-1.5/meteor-1.5.jar"], {**parts(), "other/meteor-1.4.jar": jar_of()}
    apart = {**parts(), "x/data/paraphrase-fr.gz": table_of()}
    cut = {**parts(), "meteor-1.5/data/paraphrase-en.gz": table_of()[:-9]}
    plain = {**parts(), "meteor-1.5/data/paraphrase-en.gz": b"a table"}
    half = {**parts(), "meteor-1.5/data/paraphrase-en.gz": table_of([("a", "b\nc")])}
    other = {**parts(), "meteor-1.5/data/paraphrase-en.gz": gzip.compress(b"a\nb\nc\n")}
    no_words = {**parts(), "meteor-1.5/meteor-1.5.jar": jar_of({"function/english.words": "the\n"})}
    return {
        "text": ("a.txt", b"a text\n" * 100, "not an archive with METEOR's files"),
        "empty": ("a.jar", b"", "not an archive with METEOR's files"),
        "truncated": ("a.tar.gz", whole[: len(whole) // 2], "ends too early"),
        "truncated jar": ("meteor-1.5.jar", jar[: len(jar) // 2], "is damaged (File is not a zip"),
        "no jar": ("a.whl", zip_of({"a.txt": b"x"}), "no jar of METEOR"),
        "two jars": ("a.tar.gz", tar_of(two), "the jars meteor-1.5/meteor-1.5.jar and other/"),
        "table elsewhere": ("a.tar.gz", tar_of(apart), "which is not beside meteor-1.5/"),
        "tar traversal": ("a.tar.gz", tar_of(unsafe), "the unsafe name '../meteor-1.5/"),
        "zip traversal": ("a.whl", zip_of(unsafe), "the unsafe name '../meteor-1.5/"),
        "absolute": (
            "a.whl",
            zip_of({"/meteor-1.5.jar": jar}),
            "the unsafe name '/meteor-1.5.jar'",
        ),
        "backslashes": ("a.whl", zip_of({"..\\meteor-1.5.jar": jar}), "the unsafe name"),
        "link": ("a.tar.gz", tar_of(links), "is not a plain file"),
        "twice": ("a.whl", zip_of({**parts("a/"), "a\\meteor-1.5.jar": jar}), "several files"),
        "bomb": ("a.tar.gz", tar_of({"a": BOMB, "meteor-1.5.jar": jar}), "expands to far more"),
        "large jar": ("a.tar", tar_of({"meteor-1.5.jar": BOMB}, "w:"), "has more than 64 MiB"),
        "words bomb": ("meteor-1.5.jar", jar_of({**WORDS, **_large()}), "has more than 64 MiB"),
        "no words": ("a.tar.gz", tar_of(no_words), "its jar has no English words"),
        "other jar": ("meteor-1.5.jar", zip_of({"A.class": b"x"}), "no jar of METEOR"),
        "truncated table": ("a.tar.gz", tar_of(cut), "paraphrase-en.gz cannot be read"),
        "plain table": ("a.tar.gz", tar_of(plain), "paraphrase-en.gz cannot be read"),
        "half an entry": (
            "a.tar.gz",
            tar_of(half),
            "last entry of paraphrase-en.gz is not complete",
        ),
        "another gzip": ("a.tar.gz", tar_of(other), "does not begin with a probability"),
    }


def _large() -> dict[str, str]:
    return {"nonbreaking/english.prefixes": "a\n" * (40 << 20)}


@pytest.mark.slow
def test_what_is_rejected(run: Run, home: Path, archive: Path, tmp_path: Path) -> None:
    store_data(str(archive))
    before = stored(home)
    (tmp_path / "other").mkdir()
    for case, (name, content, reason) in rejected().items():
        file = tmp_path / "other" / name
        file.write_bytes(content)
        outcome = run("meteor-data", "--from", str(file))
        assert (outcome.code, outcome.out) == (1, ""), case
        assert len(outcome.err.splitlines()) == 1, case
        assert reason in outcome.err, (case, outcome.err)
        assert "expected" in outcome.err, case
        assert stored(home) == before, case
        assert [one.name for one in home.iterdir()] == ["meteor"], case
    assert not (tmp_path / "meteor-1.5").exists()


@pytest.mark.parametrize(
    "source", ["nothing", "os", "a.b", "", "nul\0", "/dev/null", "json.decoder"]
)
def test_a_source_that_is_none(source: str) -> None:
    with pytest.raises(InputError, match="expected METEOR's jar"):
        store_data(source)
    assert stored_folder(DATA) is None


def test_a_tar_with_a_long_name_or_very_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.tar"
    file.write_bytes(tar_of({"x" * (2 << 20): b"x", **parts()}, "w:"))
    with pytest.raises(InputError, match="has a name that is too long"):
        store_data(str(file))
    file.write_bytes(tar_of({**{f"{n}": b"x" for n in range(20)}, **parts()}, "w:"))
    monkeypatch.setattr(stored_files, "MOST_PARTS", 10)
    with pytest.raises(InputError, match="has more than 10 files"):
        store_data(str(file))


def test_a_folder_that_cannot_be_written(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(
        InputError, match=r"cannot be written .*: make room, or allow writing there"
    ):
        store_data(str(archive))


@pytest.mark.slow
def test_damaged_sources_are_errors_in_one_line(home: Path, tmp_path: Path) -> None:
    """Any bytes that are changed, cut out or doubled: an error in one line, or the same files."""
    rng = random.Random(11)
    sources = {
        "meteor-1.5.jar": jar_of(),
        "a.whl": zip_of(parts()),
        "a.tar.gz": tar_of(parts()),
        "a.tar": tar_of(parts(), "w:"),
        "a.tar.xz": tar_of(parts(), "w:xz"),
        "a.tar.bz2": tar_of(parts(), "w:bz2"),
    }
    (tmp_path / "damaged").mkdir()
    said = []
    cases = fuzz.pairs() // 2
    for _ in range(cases):
        name = rng.choice(list(sources))
        content = bytearray(sources[name])
        for _ in range(rng.choice([1, 1, 2, 8])):
            start = rng.randrange(len(content))
            end = start + rng.choice([1, 1, 2, 4, 40, 600])
            way = rng.randrange(4)
            if way == 0:
                content[start] = rng.randrange(256)
            elif way == 1:
                del content[start:end]
            elif way == 2:
                content[start:start] = content[start:end]
            else:
                content[start:end] = rng.randbytes(len(content[start:end]))
            content = content or bytearray(b"x")
        file = tmp_path / "damaged" / name
        file.write_bytes(content)
        try:
            store_data(str(file))
            METEOR().sentence_score("the car", "a car")
        except BleuetError as error:
            said.append(str(error))
    assert len(said) > cases // 2
    assert not any("\n" in one for one in said)
    assert {one.name for one in home.iterdir()} <= {"meteor"}


STORE = """
import os, sys
from bleuet.metrics.meteor import stored_files
from bleuet.cli.main import run

def wait(*_):
    print("copied", flush=True)
    import signal
    signal.pause()

stored_files._check = wait
run()
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_nothing_half_done(home: Path, archive: Path, number: int) -> None:
    store_data(str(archive))
    before = stored(home)
    words = ["meteor-data", "--from", str(archive)]
    program = subprocess.Popen([sys.executable, "-c", STORE, *words], stdout=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stdout.readline() == b"copied\n"
    assert len(list(home.iterdir())) == 2
    program.send_signal(number)
    assert program.wait(timeout=PATIENCE) != 0
    program.stdout.close()
    assert [one.name for one in home.iterdir()] == ["meteor"]
    assert stored(home) == before
