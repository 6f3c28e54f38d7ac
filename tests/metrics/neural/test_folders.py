"""How a model is found on this computer or fetched from the hub, and the errors."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet import Corpus, InputError, MissingExtraError, score
from bleuet.metrics.catalogue import parse_metric
from bleuet.metrics.neural.folders import allow_downloads, model_folder
from bleuet.metrics.neural.published_models import PUBLISHED
from tests.metrics.neural.hub import GATED, Hub, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.neural

SMALL = {"config.json": b"{}", "tokenizer.json": b'{"a": 1}', "onnx/config.json": b"{ }"}
ENCODER = {
    **SMALL,
    "pytorch_model.bin": b"b" * 100,
    "model.safetensors": b"s" * 90,
    "tf_model.h5": b"t" * 200,
    "README.md": b"licence",
}
CHECKPOINT = {"hparams.yaml": b"a: 1", "checkpoints/model.ckpt": b"c" * 50, "README.md": b"-"}
REPOSITORIES = {
    "FacebookAI/roberta-base": ENCODER,
    "FacebookAI/xlm-roberta-large": ENCODER,
    "microsoft/deberta-base-mnli": {**SMALL, "pytorch_model.bin": b"b", "bpe_encoder.bin": b"e"},
    "Unbabel/XCOMET-XL": CHECKPOINT,
    "Unbabel/wmt22-comet-da": CHECKPOINT,
    "nobody/texts": {"config.json": b"{}"},
}

# Prints the folder of a model's configuration, as a process of its own finds it.
FIND = """
import sys
from bleuet.metrics.neural.folders import model_folder
print(model_folder(sys.argv[1], weights=False))
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Hub]:
    with serve(REPOSITORIES) as hub:
        yield hub


@pytest.fixture
def hub(server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """The server, with all its repositories and a new cache."""
    server.errors, server.status = {}, 0
    server.use(monkeypatch, tmp_path / "home")
    monkeypatch.chdir(tmp_path)
    return server


def find(*names: str, download: bool = True) -> tuple[dict[str, str], list[str]]:
    """Return the folder of each model, or the error; with a hyphen, without weights."""
    said: list[str] = []
    allow_downloads(said.append if download else None)
    found = {}
    for name in names:
        try:
            found[name] = str(model_folder(name.lstrip("-"), weights=not name.startswith("-")))
        except InputError as error:
            found[name] = str(error)
    allow_downloads(None)
    return found, said


def files_in(folder: str) -> set[str]:
    paths = (path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)) for path in paths if ".cache" not in path.parts}


@pytest.mark.usefixtures("hub")
def test_what_is_read_is_fetched() -> None:
    names = ("roberta-base", "deberta-base-mnli", "wmt22-comet-da", "-FacebookAI/xlm-roberta-large")
    found, said = find(*names)
    small = {"config.json", "tokenizer.json"}
    wanted = (
        {*small, "model.safetensors"},
        {*small, "pytorch_model.bin"},
        {"hparams.yaml", "checkpoints/model.ckpt"},
        small,
    )
    assert [files_in(found[name]) for name in names] == list(wanted)
    assert said == [
        "downloading the model FacebookAI/roberta-base, 0 MB; licence of its weights: MIT",
        "downloading the model microsoft/deberta-base-mnli, 0 MB; licence of its weights: MIT",
        "downloading the model Unbabel/wmt22-comet-da, 0 MB; licence of its weights: Apache-2.0",
    ]
    # The next run finds them, although a repository has its weights in other forms, too.
    again, _ = find(*names, download=False)
    assert again == found


@pytest.mark.usefixtures("hub")
def test_a_stopped_download_goes_on() -> None:
    """What another program has fetched of an encoder may be its configuration alone."""
    (folder,) = find("-xlm-roberta-large")[0].values()
    (Path(folder) / "tokenizer.json").unlink()
    (said,) = find("-xlm-roberta-large", download=False)[0].values()
    assert said.startswith(
        "the model FacebookAI/xlm-roberta-large is not on this computer: add --download"
    )
    find("-xlm-roberta-large")
    assert files_in(folder) == {"config.json", "tokenizer.json"}
    (Path(find("roberta-base")[0]["roberta-base"]) / "tokenizer.json").unlink()
    (said,) = find("roberta-base", download=False)[0].values()
    assert "is not on this computer" in said


@pytest.mark.parametrize("status", [401, 403])
def test_a_gated_model(hub: Hub, status: int) -> None:
    hub.errors["Unbabel/XCOMET-XL"] = status, GATED
    (said,) = find("xcomet-xl")[0].values()
    assert said == (
        f"the hub denies access to the model Unbabel/XCOMET-XL ({status}): accept its licence "
        f"on {hub.address}/Unbabel/XCOMET-XL, then run `hf auth login`, or set HF_TOKEN to a token "
        "of your account that may read gated repositories"
    )


def test_a_token_without_the_right_to_read(hub: Hub) -> None:
    hub.status = 403
    (said,) = find("xcomet-xl")[0].values()
    assert "(403): accept its licence on" in said
    hub.status = 401
    (said,) = find("xcomet-xl")[0].values()
    assert said.startswith("the hub does not accept your token (401): run `hf auth")


@pytest.mark.usefixtures("hub")
def test_a_name_that_the_hub_does_not_have() -> None:
    found, said = find("models/wmt22", "nobody/texts")
    assert found["models/wmt22"] == (
        "there is no folder models/wmt22, and the hub has no model of that name, or a "
        "private one: correct the name; for a private one run `hf auth login`, or set HF_TOKEN to "
        "a token of your account"
    )
    assert found["nobody/texts"].startswith("the repository nobody/texts has no weights")
    assert said == []


def test_a_hub_that_cannot_be_used(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    (said,) = find("roberta-base")[0].values()
    assert said == (
        "the model FacebookAI/roberta-base is not on this computer, and HF_HUB_OFFLINE "
        "is set, which forbids downloads: unset it"
    )
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    (said,) = find("roberta-base")[0].values()
    assert "could not be downloaded ([Errno 111] Connection refused): try again, or on a co" in said
    monkeypatch.setattr(constants, "ENDPOINT", hub.address)
    hub.status = 503
    (said,) = find("roberta-base")[0].values()
    assert "could not be downloaded (Server error '503 Service Unavailable'" in said


def test_a_disk_without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuet.metrics.neural import folders

    disk = shutil._ntuple_diskusage(10**12, 10**12, 10**9)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: disk)
    sizes = {"hparams.yaml": 900, "checkpoints/model.ckpt": 2_330_000_000}
    monkeypatch.setattr(folders, "_sizes", lambda _: sizes)
    said: list[str] = []
    allow_downloads(said.append)
    try:
        with pytest.raises(
            InputError,
            match=r"needs 2\.3 GB, but the disk of .* has 1\.0 GB: make room, or set HF_",
        ):
            model_folder("wmt22-comet-da")
    finally:
        allow_downloads(None)
    assert said == []


# --- What is said before a model is fetched -------------------------------------------------------


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model may be looked for."""

    def look(*_: object, **__: object) -> None:
        raise AssertionError("a model is looked for, and would be fetched")

    for module in ("comet.metric", "metricx"):
        monkeypatch.setattr(f"bleuet.metrics.neural.{module}.model_folder", look)


@pytest.mark.usefixtures("no_model")
def test_what_a_model_reads_is_checked_before_it_is_fetched() -> None:
    for name, model in PUBLISHED.items():
        if model.metric == "comet" and "src" in model.inputs and not model.joint:
            with pytest.raises(InputError, match=f"the model {name} reads sources, but the texts"):
                score(["a"], ["b"], f"comet:model={name}")
    with pytest.raises(InputError, match="reads sources, but the texts came without"):
        score(["a"], ["b"], "metricx-24-hybrid-large-v2p6")
    with pytest.raises(InputError, match="there are sources alone: add the references"):
        parse_metric("wmt22-comet-da").corpus_score(Corpus(["a"], None, ["s"]))
    several = [["b", "c"]]
    for name in ("wmt22-comet-da", "xcomet-xl", "metricx-24-hybrid-large-v2p6"):
        with pytest.raises(InputError, match=f"with the model {name} reads one reference, but a"):
            score(["a"], several, ["bleu", name], sources=["s"])


def test_the_list_of_models_says_what_they_read(folder_of: Callable[[str], Path]) -> None:
    """As their checkpoints do: small ones of the same kinds have the same inputs."""
    from bleuet.metrics.neural.comet.metric import COMET

    kinds = {
        "regression-sparsemax": "wmt22-comet-da",
        "referenceless": "wmt20-comet-qe-da",
        "kiwi": "wmt22-cometkiwi-da",
        "xcomet": "xcomet-xl",
        "sentinel-src": "sentinel-src-da",
        "sentinel-cand": "sentinel-cand-da",
        "sentinel-ref": "sentinel-ref-da",
    }
    for small, name in kinds.items():
        loaded = COMET(model=str(folder_of(small)))
        assert loaded.network is not None
        published = COMET(model=name)
        for what in ("reads_sources", "reads_references", "needs_sources", "needs_references"):
            assert getattr(published, what) == getattr(loaded, what), (name, what)


@pytest.mark.parametrize("library", ["torch", "transformers", "sentencepiece"])
@pytest.mark.usefixtures("hub")
def test_libraries_are_looked_for_before_a_model_is_fetched(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    said: list[str] = []
    missing = rf"^a neural metric needs the library {library}, .* install 'bleuet\[neural\]'$"
    allow_downloads(said.append)
    try:
        with pytest.raises(MissingExtraError, match=missing):
            score(["a"], ["b"], "wmt22-comet-da", sources=["s"])
    finally:
        allow_downloads(None)
    assert said == []


# --- The command for another computer -------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "folders"),
    [
        (
            "wmt22-comet-da",
            {"wmt22-comet-da": {*CHECKPOINT, "config.json", "tokenizer.json"} - {"README.md"}},
        ),
        ("roberta-base", {"roberta-base": {"config.json", "tokenizer.json", "model.safetensors"}}),
        ("-xlm-roberta-large", {"xlm-roberta-large": {"config.json", "tokenizer.json"}}),
    ],
)
def test_the_printed_command_fetches_what_is_read(
    hub: Hub, tmp_path: Path, name: str, folders: dict[str, set[str]]
) -> None:
    (said,) = find(name, download=False)[0].values()
    (command,) = re.findall("`(.*)`", said)
    program, *arguments = shlex.split(command)
    assert program == "python"
    environment = {**os.environ, **hub.environment(tmp_path / "home")}
    subprocess.run([sys.executable, *arguments], env=environment, cwd=tmp_path, check=True)
    for folder, files in folders.items():
        fetched = files_in(str(tmp_path / folder))
        assert {file for file in fetched if not file.startswith("onnx/")} == files
        if not name.startswith("-"):
            assert f"model={folder}" in said
            assert model_folder(str(tmp_path / folder)) == tmp_path / folder


def test_the_printed_command_is_read_alike_everywhere() -> None:
    """Two patterns are one list of Python, which all versions of the hub's library take.

    Clients before 1.0 keep the last of several `--include`, later ones take the second word behind
    one as the name of a file.
    """
    for name in ("xcomet-xl", "metricx-24-hybrid-xl-v2p6", "roberta-large", "nobody/model"):
        with pytest.raises(InputError) as caught:
            model_folder(name)
        said = str(caught.value)
        assert "--include" not in said
        (command,) = re.findall("`python -c (.*?)`", said)
        # Double quotes around it and single ones in it suit all shells.
        assert command.count('"') == 2
        code = ast.parse(command.strip('"'))
        calls = [node for node in ast.walk(code) if isinstance(node, ast.Call)]
        for call in calls:
            assert {word.arg for word in call.keywords} == {"allow_patterns", "local_dir"}
        patterns = {
            pattern
            for call in calls
            for word in call.keywords
            if word.arg == "allow_patterns"
            for pattern in ast.literal_eval(word.value)
        }
        assert not {"*.bin", "pytorch_model*.bin"} & patterns
    with pytest.raises(InputError, match=r"copy both folders here, .*-xl-v2p6,tokenizer=mt5-xl$"):
        model_folder("metricx-24-hybrid-xl-v2p6")


# --- Names that are no name of the hub ------------------------------------------------------------


def test_a_mistyped_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        InputError, match=r"^there is no folder models/wmt22, and no model of that "
    ):
        model_folder("models/wmt22")
    Path("models", "wmt22-comet-da").mkdir(parents=True)
    said = (
        r"^there is no folder models/wmt22-comet-db \(did you mean models/wmt22-comet-da\?\), but"
    )
    for report in (None, print):
        allow_downloads(report)
        try:
            with pytest.raises(InputError, match=said):
                model_folder("models/wmt22-comet-db")
        finally:
            allow_downloads(None)
    with pytest.raises(InputError, match=r"'./models/wmt22-comet-db' \(did you mean models/wmt22"):
        model_folder("./models/wmt22-comet-db")
    # A published name is one, whatever is here.
    Path("Unbabel").mkdir()
    with pytest.raises(
        InputError, match=r"^the model Unbabel/XCOMET-XL is not on this computer: add"
    ):
        model_folder("Unbabel/XCOMET-XL")


# --- In caches of other programs ------------------------------------------------------------------


def cached(cache: Path, repository: str, files: dict[str, bytes]) -> Path:
    """Write a repository into a cache, as the hub's library does."""
    folder = cache / f"models--{repository.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("a" * 40)
    for name, content in files.items():
        path = folder / "snapshots" / ("a" * 40) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


@pytest.mark.usefixtures("hub")
def test_names_without_their_owner_are_found(tmp_path: Path) -> None:
    """Caches that unbabel-comet and bert-score have filled have names from before 2024."""
    cache = tmp_path / "home" / "hub"
    names = ("xlm-roberta-large", "roberta-large", "bert-base-uncased", "distilroberta-base")
    for name in names:
        cached(cache, name, ENCODER)
    cached(cache, "albert/albert-base-v2", ENCODER)
    wanted = [*names, "FacebookAI/roberta-large", "-FacebookAI/xlm-roberta-large", "albert-base-v2"]
    found, _ = find(*wanted, download=False)
    for name, folder in found.items():
        assert Path(folder).parent.parent.name.endswith(name.rpartition("/")[2].lstrip("-")), folder
        assert Path(folder).parent.parent.parent == cache


@pytest.mark.parametrize("variable", ["HF_HUB_CACHE", "TRANSFORMERS_CACHE"])
def test_caches_that_variables_name(variable: str, tmp_path: Path) -> None:
    """Each is a variable of the hub's library, or of an earlier version of transformers."""
    cache = tmp_path / "cache"
    cached(cache, "xlm-roberta-large", SMALL)
    command = [sys.executable, "-c", FIND, "FacebookAI/xlm-roberta-large"]
    environment = {**os.environ, variable: str(cache)}
    printed = subprocess.check_output(command, env=environment, text=True)
    assert Path(printed.strip()).is_relative_to(cache)


def test_a_folder_in_a_cache_is_its_snapshot(tmp_path: Path) -> None:
    """Where unbabel-comet was told to keep its models, as with --model_storage_path."""
    folder = cached(tmp_path, "Unbabel/wmt22-comet-da", CHECKPOINT)
    assert model_folder(str(folder)) == folder / "snapshots" / ("a" * 40)
    plain = tmp_path / "plain"
    plain.mkdir()
    assert model_folder(str(plain)) == plain
