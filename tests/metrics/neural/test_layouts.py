"""Models load as they are published, with the numbers of the original programs."""

from __future__ import annotations

import json
import os
import shutil
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BleuetWarning, InputError, with_sources
from bleuet.metrics.neural.published_models import PUBLISHED
from tests.metrics.neural.conftest import TRIPLES, rows
from tests.metrics.neural.test_bleurt_and_metricx import NOISE_OF_METRICX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.neural

CLOSE, CLOSE_METRICX = 1e-5, NOISE_OF_METRICX
PAIRS = [one.hypothesis for one in TRIPLES[:6]], [one.reference for one in TRIPLES[:6]]


def layouts() -> Any:
    return import_module("tests.metrics.neural.layouts")


# As `TABLE` of layouts has them, which imports torch; a test compares them.
OTHERS = (
    *("xlm-roberta, before torch 1.6", "bert-base-uncased, before torch 1.6"),
    *("microsoft/deberta-base", "microsoft/deberta-v3-base", "microsoft/deberta-v3-large"),
    *("microsoft/mdeberta-v3-base", "distilbert-base-uncased", "albert-base-v2"),
    *("google/electra-base-discriminator", "facebook/bart-base", "facebook/bart-large-mnli"),
    *("xlnet-base-cased", "microsoft/mpnet-base", "camembert-base"),
    *("allenai/longformer-base-4096", "answerdotai/ModernBERT-base", "t5-small"),
    *("google/mt5-small", "google/byt5-small", "allenai/led-base-16384"),
    *("facebook/mbart-large-cc25", "facebook/mbart-large-50", "google/pegasus-large"),
    *("microsoft/deberta-v2-xlarge", "YituTech/conv-bert-base", "google/electra-base-generator"),
    *("google/pegasus-xsum", "google/pegasus-xsum, with positions", "google/bigbird-roberta-base"),
)
NAMES = [*PUBLISHED, *OTHERS]


def test_every_published_model_has_a_layout() -> None:
    assert set(layouts().TABLE) == set(NAMES)


@pytest.fixture(scope="module")
def scores_of() -> Callable[[str, Path], list[float]]:
    """A function from a name to our scores, which are computed once for each layout."""
    done: dict[tuple[str, str], list[float]] = {}

    def find(name: str, folder: Path) -> list[float]:
        module = layouts()
        key = module.TABLE[name].layout, module.metricx_way(name) if "metricx" in name else ""
        if key not in done:
            done[key] = module.ours(name, module.write(folder, name))
        return done[key]

    return find


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_the_original(
    name: str, scores_of: Callable[[str, Path], list[float]], tmp_path: Path
) -> None:
    found = scores_of(name, tmp_path / "model")
    close = CLOSE_METRICX if name.startswith("metricx") else CLOSE
    assert found == pytest.approx(layouts().original(name), abs=close)
    assert len({round(score, 3) for score in found}) > 15


UNREAD = (
    *("xlm-mlm-en-2048", "vinai/bertweet-base", "vinai/bertweet-base, no class"),
    "microsoft/prophetnet-large-uncased",
)


def test_every_unread_tokenizer_is_tested() -> None:
    assert set(layouts().UNREAD) == set(UNREAD)


@pytest.mark.parametrize("name", UNREAD)
def test_a_tokenizer_that_is_not_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an error before the weights are read."""
    layouts().write_unread(tmp_path / "model", name)
    monkeypatch.setattr("bleuet.metrics.neural.bertscore.weights_of", None)
    said = r"model is of a kind that bleuet does not read \('\w+'\), .* choose another model$"
    with pytest.raises(InputError, match=said):
        bertscore(tmp_path / "model")


@pytest.mark.parametrize("layout", ["mbart", "mbart-50", "pegasus", "big-bird", "byt5"])
def test_a_whole_tokenizer_gives_the_same_score(layout: str, tmp_path: Path) -> None:
    """Which tokens are no words does not depend on the files."""
    from bleuet.metrics.neural.tokenizer_files import read_tokenizer

    folder = tmp_path / "model"
    layouts().write_encoder(folder, layouts().ENCODERS[layout])
    expected = bertscore(folder)
    read_tokenizer(folder).backend.save(str(folder / "tokenizer.json"))
    assert bertscore(folder) == expected


def test_the_language_of_texts(tmp_path: Path) -> None:
    """A token of the language of tokenizer_config.json is beside each text."""
    from bleuet.metrics.neural.encoder import TextTokens

    for layout, other in (("mbart", "de_DE"), ("mbart-50", "sv_SE")):
        folder = tmp_path / layout
        layouts().TOKENIZERS[layout](folder)
        (folder / "config.json").write_text('{"model_type": "mbart"}', "utf-8")
        settings = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
        for language in (None, other):
            changed = json.dumps({**settings, "src_lang": language})
            (folder / "tokenizer_config.json").write_text(changed, "utf-8")
            tokens = TextTokens(folder, None)
            (number,) = tokens.languages
            assert tokens.text_of([number]) == (language or "en_XX")
            around = [*tokens.begin, "text", *tokens.end]
            assert around == ([number, "text", 2] if "50" in layout else ["text", 2, number])


def test_long_texts_of_big_bird(tmp_path: Path) -> None:
    """A score does not depend on the texts beside it, as with attention to some blocks."""
    from bleuet.metrics.neural.bertscore import BERTScore
    from bleuet.metrics.neural.metric import forget_models

    layout = layouts().ENCODERS["big-bird"]
    layouts().write_encoder(tmp_path / "model", layout)
    config = json.loads((tmp_path / "model" / "config.json").read_text("utf-8"))
    # So that blocks would begin with 29 tokens.
    config |= {"block_size": 4, "num_random_blocks": 1}
    (tmp_path / "model" / "config.json").write_text(json.dumps(config), "utf-8")
    long = " ".join(one.reference for one in TRIPLES[:6])
    texts = ["the dog sleeps", long, "a cat"], ["the cat sleeps", f"{long[:99]} not", "the cat"]

    def scores(order: slice) -> Any:
        forget_models()
        metric = BERTScore(model=str(tmp_path / "model"), layer=2, cache=False)
        return metric.sentence_scores(texts[0][order], texts[1][order]).values

    together = scores(slice(None))
    alone = [score for place in range(3) for score in scores(slice(place, place + 1))]
    assert list(together) == pytest.approx(alone, abs=CLOSE)


def test_the_libraries_are_silent(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for layout in ("longformer", "led", "big-bird"):
        layouts().write_encoder(tmp_path / layout, layouts().ENCODERS[layout])
        assert bertscore(tmp_path / layout) > 0
    assert capfd.readouterr() == ("", "")


def test_a_model_that_always_pools(tmp_path: Path) -> None:
    """Bert-score fails for it, so that its vectors are compared with those of transformers."""
    import torch
    import transformers

    from bleuet.metrics.neural.bertscore import BERTScore

    folder = tmp_path / "model"
    encoder = layouts().Encoder("squeezebert", "words", "transformer.", pooler=True)
    layouts().write_encoder(folder, encoder)
    network = BERTScore(model=str(folder), layer=2, cache=False).network
    ((tokens, vectors),) = network._encoded(["the dog sleeps"], 2)
    whole = transformers.AutoModel.from_pretrained(str(folder)).eval()
    with torch.no_grad():
        states = whole(torch.tensor([tokens]), output_hidden_states=True).hidden_states[2][0]
    expected = (states / states.norm(dim=-1, keepdim=True)).tolist()
    assert vectors.tolist() == [pytest.approx(row, abs=CLOSE) for row in expected]


def test_relative_positions_are_not_ignored(tmp_path: Path) -> None:
    relative = {"position_embedding_type": "relative_key_query"}
    encoder = layouts().Encoder("bert", "words", "bert.", more=relative)
    layouts().write_encoder(tmp_path / "model", encoder)
    with pytest.raises(InputError, match=r"has relative positions .* choose another model$"):
        bertscore(tmp_path / "model")


def test_positions_of_led(tmp_path: Path) -> None:
    """Its configuration has another name for how many tokens it reads."""
    layouts().write_encoder(tmp_path / "model", layouts().ENCODERS["led"])
    (tmp_path / "model" / "tokenizer_config.json").unlink()
    from bleuet.metrics.neural.bertscore import BERTScore

    metric = BERTScore(model=str(tmp_path / "model"), layer=2, cache=False)
    with pytest.warns(BleuetWarning, match="the first 96 tokens"):
        assert metric.corpus_score(["a dog " * 200], ["a dog " * 200]).score > 0.99


def copy_of(folder: Path, target: Path) -> Path:
    shutil.copytree(folder, target)
    return target


def bertscore(folder: Path) -> float:
    from bleuet.metrics.neural.bertscore import BERTScore

    metric = BERTScore(model=str(folder), layer=2, cache=False)
    found: float = metric.corpus_score(*PAIRS).score
    return found


def comet(folder: Path, **options: Any) -> float:
    from bleuet.metrics.neural.comet.metric import COMET

    metric = COMET(model=str(folder), cache=False, **options)
    found: list[tuple[Any, ...]] = rows(metric, TRIPLES[:6])
    return float(sum(row[1] for row in found))


# Weights
# -------


def test_a_missing_tensor_of_the_encoder_is_named(
    folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    folder = copy_of(folder_of("bert"), tmp_path / "bert")
    file = folder / "model.safetensors"
    tensors = load_file(file)
    whole = dict(tensors)
    del tensors["bert.encoder.layer.1.output.dense.weight"]
    save_file(tensors, file)
    said = "^the weights have no tensors for encoder.layer.1.output.dense.weight: "
    with pytest.raises(InputError, match=said):
        bertscore(folder)
    # A configuration with fewer layers than the weights is that of another model.
    save_file(whole, file)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(InputError, match=r"unknown tensors encoder.layer.3.* in their layers"):
        bertscore(folder)


def test_numbers_of_numpy_in_a_checkpoint(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    import numpy as np
    import torch

    expected = comet(folder_of("regression-sparsemax"))
    folder = copy_of(folder_of("regression-sparsemax"), tmp_path / "comet")
    file = folder / "checkpoints" / "model.ckpt"
    content = torch.load(file, weights_only=True)
    content["callbacks"] = {
        "stopping": {"best": np.float32(0.5), "place": tmp_path, "all": np.zeros(3)}
    }
    content["hyper_parameters"]["hidden_sizes"] = [np.int64(20), np.int64(8)]
    content["hyper_parameters"]["dropout"] = np.float64(0.1)
    content["state_dict"]["train_corr.preds"] = torch.ones(4)
    for zipped in (True, False):
        torch.save(content, file, _use_new_zipfile_serialization=zipped)
        assert comet(folder) == expected
    # What decides numbers must be readable.
    content["hyper_parameters"]["hidden_sizes"] = np.array([20, 8])
    torch.save(content, file)
    with pytest.raises(InputError, match="the hyperparameter hidden_sizes in a form"):
        comet(folder)


def test_numbers_of_numpy_are_read_as_they_are() -> None:
    import numpy as np
    import torch

    from bleuet.metrics.neural.checkpoints import checkpoint_of

    numbers: list[Any] = [
        np.float64(0.1),
        np.float32(-2.5),
        np.int64(-7),
        np.uint8(9),
        np.bool_(True),
    ]
    big = np.float64(0.25).astype(">f8")
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as parent:
        file = Path(parent, "numbers.ckpt")
        torch.save({"numbers": [*numbers, big]}, file)
        assert checkpoint_of(file)["numbers"] == [*(one.item() for one in numbers), 0.25]


def test_what_python_wrote_into_hparams_is_not_run(
    folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    expected = comet(folder_of("regression-sparsemax"))
    folder = copy_of(folder_of("regression-sparsemax"), tmp_path / "comet")
    described = folder / "hparams.yaml"
    trace = tmp_path / "ran"
    more = [
        "betas: !!python/tuple\n- 0.9\n- 0.99",
        f"a: !!python/object/apply:os.system ['touch {trace}']",
        "b: !!python/object/apply:numpy.core.multiarray.scalar\n- !!binary AAAA",
    ]
    described.write_text(described.read_text("utf-8") + "\n".join(more) + "\n", "utf-8")
    assert comet(folder) == expected
    assert not trace.exists()


@pytest.mark.parametrize("name", ["shared", "encoder.embed_tokens", "decoder.embed_tokens"])
def test_metricx_with_one_name_of_its_embeddings(
    name: str, folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    import torch

    from bleuet.metrics.neural.metricx import MetricX

    def score(folder: Path) -> float:
        tokens = str(folder / "tokenizer")
        metric = MetricX(model=str(folder), tokenizer=tokens, version="24", cache=False)
        found: float = metric.corpus_score(["a dog"], with_sources(["the dog"], ["Hund"])).score
        return found

    expected = score(folder_of("metricx"))
    folder = copy_of(folder_of("metricx"), tmp_path / "metricx")
    file = folder / "pytorch_model.bin"
    tensors = torch.load(file, weights_only=True)
    shared = tensors["shared.weight"]
    for other in ("shared", "encoder.embed_tokens", "decoder.embed_tokens"):
        tensors.pop(f"{other}.weight", None)
    torch.save({**tensors, f"{name}.weight": shared}, file)
    assert score(folder) == expected


# Tokenizers
# ----------


def test_a_folder_without_a_tokenizer(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    folder = folder_of("regression-sparsemax")
    encoder = tmp_path / "encoder"
    encoder.mkdir()
    shutil.copy(folder / "encoder" / "config.json", encoder)
    said = "has no tokenizer; expected tokenizer.json, or sentencepiece.bpe.model: copy it"
    with pytest.raises(InputError, match=said):
        comet(folder, encoder=str(encoder))
    for name, files, said in (
        ("bert", ("vocab.txt",), "has no tokenizer; expected tokenizer.json, or vocab.txt: copy"),
        ("roberta", ("merges.txt",), "has no merges.txt for its tokenizer; expected tokenizer.j"),
        ("roberta", ("merges.txt", "vocab.json"), "has no tokenizer; expected tokenizer.json, or"),
    ):
        copy = copy_of(folder_of(name), tmp_path / f"{name}-{len(files)}")
        for file in ("tokenizer.json", *files):
            (copy / file).unlink()
        with pytest.raises(InputError, match=said):
            bertscore(copy)


def test_a_tokenizer_of_another_model(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    from tests.metrics.neural import vocabularies

    folder = copy_of(folder_of("bert"), tmp_path / "bert")
    (folder / "tokenizer.json").unlink()
    words = (folder / "vocab.txt").read_text("utf-8").split("\n")
    (folder / "vocab.txt").write_text("\n".join(words[:60]) + "\n", "utf-8")
    said = r"has 60 tokens, but the model knows \d+ \(vocab_size in config.json\): it belongs to"
    with pytest.raises(InputError, match=said):
        bertscore(folder)
    (folder / "vocab.txt").write_text("\n".join([*words[:-1], "one", "more"]) + "\n", "utf-8")
    with pytest.raises(InputError, match="it belongs to another model"):
        bertscore(folder)
    # A file of pieces that was cut off.
    pieces = tmp_path / "pieces" / "sentencepiece.bpe.model"
    vocabularies.write_xlmr(pieces.parent, 96)
    (pieces.parent / "tokenizer.json").unlink()
    pieces.write_bytes(pieces.read_bytes()[:500])
    shutil.copy(folder_of("xlmr") / "config.json", pieces.parent)
    shutil.copy(folder_of("xlmr") / "model.safetensors", pieces.parent)
    with pytest.raises(InputError, match=r"sentencepiece\.bpe\.model is no"):
        bertscore(pieces.parent)


def test_spans_are_the_same_from_pieces_alone(
    folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    from bleuet.metrics.neural.comet.metric import COMET

    def spans(folder: Path) -> Any:
        metric = COMET(model=str(folder), cache=False)
        references = with_sources(
            [one.reference for one in TRIPLES], [one.source for one in TRIPLES]
        )
        return metric.errors_in([one.hypothesis for one in TRIPLES], [*references])

    for name in ("xcomet", "xcomet-xl"):
        folder = copy_of(folder_of(name), tmp_path / name)
        content = spans(folder_of(name))
        assert sum(map(len, content)) > 20
        (folder / "encoder" / "tokenizer.json").unlink()
        assert spans(folder) == content


# Models that change
# ------------------


def test_a_replaced_model_has_its_own_numbers(
    folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    from tests.metrics.neural.checkpoints import REGRESSION, write_comet

    folder, other = tmp_path / "model", tmp_path / "other"
    copy_of(folder_of("regression-sparsemax"), folder)
    write_comet(other, hparams=REGRESSION, seed=99)
    first, second = comet(folder), comet(other)
    assert first != second
    file = folder / "checkpoints" / "model.ckpt"
    before = file.stat()
    # In place, of the same size, and with the time of the old one.
    with file.open("r+b") as opened:
        opened.write((other / "checkpoints" / "model.ckpt").read_bytes())
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_ino == before.st_ino
    assert comet(folder) == second
    shutil.rmtree(folder)
    copy_of(folder_of("regression-sparsemax"), folder)
    assert comet(folder) == first


@pytest.mark.parametrize("name", ["regression-sparsemax", "xlmr", "bleurt-20"])
def test_a_model_in_memory_does_not_need_its_file(
    name: str, folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """A file that is cut short while it is mapped into memory would end the process."""
    from bleuet.metrics.neural.bertscore import BERTScore
    from bleuet.metrics.neural.bleurt import BLEURT
    from bleuet.metrics.neural.comet.metric import COMET

    folder = copy_of(folder_of(name), tmp_path / "model")
    made: Any = {"xlmr": lambda **given: BERTScore(layer=2, **given), "bleurt-20": BLEURT}
    metric = made.get(name, COMET)(model=str(folder), cache=False)
    expected = rows(metric, TRIPLES[:3])
    again = made.get(name, COMET)(model=str(folder), cache=False)
    assert again.network is metric.network
    for file in [*folder.glob("*.safetensors"), *folder.glob("*.bin"), *folder.glob("*/*.ckpt")]:
        with file.open("wb") as opened:
            opened.write(b"cut")
    from bleuet.metrics.neural.remembered import Remembered

    metric.network._remembered = Remembered("none", on_disk=False)
    assert rows(metric, TRIPLES[:3]) == expected


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("regression-sparsemax", "unified_metric", "takes 96 numbers .* that of a unified_metric"),
        ("regression-sparsemax", "sentinel_regression_metric", "sent_to_use"),
        ("regression-sparsemax", "referenceless_regression_metric", "takes 96 numbers"),
        ("kiwi", "regression_metric", "takes 16 numbers .* a regression_metric takes 96"),
        ("kiwi", "xcomet_metric", "does not find errors: correct it"),
        ("sentinel-src", "unified_metric", "no weights layerwise_attention, but the sent_layer"),
        ("kiwi", "sentinel_regression_metric", "sent_to_use"),
    ],
)
def test_a_wrong_class(
    name: str, kind: str, said: str, folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = copy_of(folder_of(name), tmp_path / "model")
    described = folder / "hparams.yaml"
    lines = described.read_text("utf-8").split("\n")
    changed = [
        f"class_identifier: {kind}" if line.startswith("class_identifier") else line
        for line in lines
    ]
    described.write_text("\n".join(changed), "utf-8")
    with pytest.raises(InputError, match=said):
        comet(folder)
