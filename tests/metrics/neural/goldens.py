"""What the original packages say of small models, which our own inference is compared with.

Each package needs an environment of its own, and the script is run with its Python from the root of
the repository:

    python3.11 -m venv comet && comet/bin/pip install torch==2.13.0
    comet/bin/pip install unbabel-comet==2.2.7 transformers==4.57.6 'setuptools<81'
    comet/bin/python -m tests.metrics.neural.goldens comet

    python3.11 -m venv bertscore && bertscore/bin/pip install torch==2.13.0
    bertscore/bin/pip install bert-score==0.3.13 transformers==4.57.6
    bertscore/bin/pip install sentencepiece protobuf tiktoken
    bertscore/bin/python -m tests.metrics.neural.goldens bertscore

With transformers 5 BERTScore has other numbers for RoBERTa only, where it means to put a space
before each text; `pip install transformers==5.10.4` and the same command store those apart.

    python3.11 -m venv bleurt && bleurt/bin/pip install torch==2.13.0
    bleurt/bin/pip install bleurt-pytorch==0.0.1 transformers==4.57.6
    bleurt/bin/pip install sentencepiece protobuf tiktoken
    bleurt/bin/python -m tests.metrics.neural.goldens bleurt
    bleurt/bin/python -m tests.metrics.neural.goldens metricx --source CHECKOUT

    comet/bin/python -m tests.metrics.neural.goldens sentinel

    comet/bin/pip install bert-score==0.3.13 sentencepiece 'protobuf>=5'
    comet/bin/python -m tests.metrics.neural.goldens layouts
    comet/bin/python -m tests.metrics.neural.goldens tokenizers

where CHECKOUT is one of github.com/google-research/metricx at any commit of 2024. Sentinel metrics
are put together from COMET's parts, in the way of github.com/SapienzaNLP/guardians-mt-eval.

It writes `goldens/NAME.json` beside it; `--only MODEL...` keeps what it has of others. A model's
weights are known by their hash, and texts by theirs. Scores are those of batches of one text; where
those of batches of eight differ by more than `NOISE`, they are stored too, and how much they differ
at most is always said. All is computed on
the CPU with one thread, in single precision but for one MetricX in bfloat16, whose numbers another
processor may round otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import logging
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tests.metrics.neural import checkpoints, layouts, texts

FOLDER = Path(__file__).parent / "goldens"
# Batches of other sizes add in another order: of scores up to 1, or in proportion.
NOISE = 5e-6
BATCHES = (1, 8)
# The models that are computed, all if there are none here.
ONLY: set[str] = set()


def chosen(models: dict[str, Any]) -> dict[str, Any]:
    """Those of some models that are computed."""
    return {name: write for name, write in models.items() if not ONLY or name in ONLY}


def written(name: str, packages: tuple[str, ...], found: dict[str, Any]) -> None:
    """Store what was found, with the versions of what found it."""
    packages = (*packages, "torch", "tokenizers", "transformers")
    versions = {package: importlib.metadata.version(package).split("+")[0] for package in packages}
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{name}.json"
    if ONLY and file.is_file() and "models" in found:
        found["models"] = json.loads(file.read_text("utf-8"))["models"] | found["models"]
    content = {"texts": texts.digest(), "versions": versions, **found}
    file.write_text(lines(content) + "\n", encoding="utf-8")


def lines(value: Any, indent: str = "") -> str:
    """JSON with keys in order: lists of numbers and texts have a line each, and so has a key."""
    deeper = indent + " "
    if isinstance(value, dict) and value:
        rows = [f"{json.dumps(key)}: {lines(value[key], deeper)}" for key in sorted(value)]
    elif isinstance(value, list) and any(isinstance(item, list) for item in value):
        rows = [lines(item, deeper) for item in value]
    else:
        return json.dumps(value, ensure_ascii=False)
    around = "{}" if isinstance(value, dict) else "[]"
    return around[0] + "\n" + ",\n".join(deeper + row for row in rows) + f"\n{indent}{around[1]}"


def short(value: float) -> float:
    """A number of single precision with as many digits as it needs."""
    return float(f"{value:.9g}")


def compared(single: list[float], batched: list[float]) -> dict[str, Any]:
    """How scores of larger batches differ from those of batches of one."""
    apart = [abs(one - other) for one, other in zip(single, batched, strict=True)]
    found: dict[str, Any] = {"apart": float(f"{max(apart):.2g}")}
    if max(apart) > NOISE * max(1, *map(abs, single)):
        found["batched"] = [short(value) for value in batched]
    return found


# COMET
# -----


def comet() -> None:
    """Scores and error spans of every class of COMET."""
    allow_older_checkpoints()
    models = {}
    for name, write in chosen(checkpoints.COMET).items():
        with tempfile.TemporaryDirectory() as folder:
            models[name] = comet_model(Path(folder), write)
            print(name, models[name]["weights"])
    written("comet", ("unbabel-comet", "entmax", "pytorch-lightning"), {"models": models})


def allow_older_checkpoints() -> None:
    """Allow the classes that older checkpoints name, which do not load otherwise."""
    from pytorch_lightning.callbacks import EarlyStopping, ModelCheckpoint

    torch.serialization.add_safe_globals([EarlyStopping, ModelCheckpoint])


def comet_model(folder: Path, write: Callable[[Path], str]) -> dict[str, Any]:
    """What a model of COMET says, with references and without, in all its ways."""
    from comet import load_from_checkpoint
    from comet.encoders import minilm

    found: dict[str, Any] = {"weights": write(folder)}
    # This encoder asks for the tokenizer of a published model.
    load = minilm.XLMRobertaTokenizerFast
    minilm.XLMRobertaTokenizerFast = argparse.Namespace(
        from_pretrained=lambda *_, **__: load.from_pretrained(folder / "encoder")
    )
    try:
        model = load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"))
    finally:
        minilm.XLMRobertaTokenizerFast = load
    known = set(torch.load(folder / "checkpoints" / "model.ckpt", weights_only=True)["state_dict"])
    assert known.issuperset(model.state_dict()), "the checkpoint lacks weights"
    kind = model.hparams.class_identifier
    segments = model.hparams.get("input_segments", ["mt", "src", "ref"])
    ways = {"scores": [side for side in ("src", "ref") if side in segments]}
    if kind == "referenceless_regression_metric":
        ways = {"scores": ["src"]}
    if kind in ("unified_metric", "xcomet_metric") and len(segments) == 3:
        ways["without references"] = ["src"]
    for way, sides in ways.items():
        found[way] = comet_scores(model, sides)
    if kind == "xcomet_metric":
        model.set_decoding_threshold(0.4)
        found["threshold 0.4"] = comet_scores(model, ["src", "ref"])
    if kind.endswith("regression_metric") and model.hparams.pool == "avg":
        model.enable_context()
        found["context"] = comet_scores(model, ways["scores"], texts.SPECIAL)
    return found


def comet_scores(
    model: Any, sides: list[str], triples: list[texts.Triple] | None = None
) -> dict[str, Any]:
    """Scores of the texts and of the special ones, and what is said besides."""
    known = {"src": "source", "ref": "reference"}
    parts = {"": texts.triples(), "special ": texts.SPECIAL} if triples is None else {"": triples}
    found: dict[str, Any] = {}
    for part, rows in parts.items():
        data = [
            {"mt": row.hypothesis, **{side: getattr(row, known[side]) for side in sides}}
            for row in rows
        ]
        single, batched = (
            model.predict(data, batch_size=size, gpus=0, num_workers=0, progress_bar=False)
            for size in BATCHES
        )
        found[f"{part}segments"] = [short(score) for score in single.scores]
        found[f"{part}system"] = short(single.system_score)
        found |= {
            part + key: value for key, value in compared(single.scores, batched.scores).items()
        }
        for key, value in single.get("metadata", {}).items():
            if key == "error_spans":
                found[f"{part}spans"] = [spans(row) for row in value]
                others = [spans(row) for row in batched.metadata[key]]
                if places(others) != places(found[f"{part}spans"]):
                    found[f"{part}batched spans"] = others
            else:
                found[f"{part}{key}"] = [short(score) for score in value]
    return found


def spans(row: list[dict[str, Any]]) -> list[list[Any]]:
    """Error spans in the order text, start, end, severity and confidence."""
    keys = ("text", "start", "end", "severity", "confidence")
    return [[short(span[key]) if key == keys[-1] else span[key] for key in keys] for span in row]


def places(rows: list[list[list[Any]]]) -> list[list[list[Any]]]:
    """Error spans without their confidences."""
    return [[span[:-1] for span in row] for row in rows]


# BERTScore
# ---------

# More than one reference: how many a hypothesis has goes round.
LAYERS = {"bert": 3, "roberta": 4, "xlmr": 2}


def bertscore() -> None:
    """Precision, recall and F of BERTScore with every option."""
    models = {}
    newest = importlib.metadata.version("transformers").startswith("5")
    for name, write in checkpoints.ENCODERS.items():
        if newest and name != "roberta":
            continue
        # The package takes a folder with "t5" in its path for a T5.
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            models[name] = bertscore_model(Path("encoder"), write, LAYERS[name])
            print(name, models[name]["weights"])
    written(f"bertscore{'-transformers5' if newest else ''}", ("bert-score",), {"models": models})


def bertscore_layers() -> None:
    """The default layer of each model."""
    from bert_score.utils import model2layers

    written("bertscore-layers", ("bert-score",), {"layers": model2layers})


def bertscore_model(folder: Path, write: Callable[[Path], str], layers: int) -> dict[str, Any]:
    """What BERTScore says with an encoder."""
    found: dict[str, Any] = {"layers": layers, "weights": write(folder)}
    rows = texts.triples()
    hypotheses = [row.hypothesis for row in rows]
    single = [row.reference for row in rows]
    baseline = folder / "baseline.tsv"
    checkpoints.write_baseline(baseline, 5)
    rescaled = {"rescale_with_baseline": True, "lang": "en", "baseline_path": str(baseline)}
    ways: dict[str, tuple[Any, dict[str, Any]]] = {
        "plain": (single, {}),
        "idf": (single, {"idf": True}),
        "references": (texts.references(), {}),
        "references idf": (texts.references(), {"idf": True}),
        "rescaled": (single, rescaled),
        "references rescaled": (texts.references(), rescaled),
        "all layers": (single, {"all_layers": True}),
        "all layers rescaled": (single[:3], {"all_layers": True, **rescaled}),
        "layer 1": (single[:12], {"num_layers": 1}),
        "layer 0": (single[:12], {"num_layers": 0}),
    }
    for way, (others, options) in ways.items():
        options = {"num_layers": layers, **options}
        found[way] = bertscore_scores(folder, hypotheses[: len(others)], others, options)
    for row in texts.SPECIAL:
        pair = [row.hypothesis], [row.reference]
        try:
            scores = bertscore_scores(folder, *pair, {"num_layers": layers})
        except Exception as error:
            scores = {"fails": type(error).__name__}
        values = [scores[key][0] for key in "PRF"] if "P" in scores else scores["fails"]
        found.setdefault("special", []).append(values)
    # No word of the hypothesis tells anything.
    known = ["the dog", "the cat"]
    found["idf of nothing"] = bertscore_scores(
        folder, ["the", "the dog"], known, {"num_layers": layers, "idf": True}
    )
    return found


def bertscore_scores(
    folder: Path, hypotheses: list[str], others: Any, options: dict[str, Any]
) -> dict[str, Any]:
    """P, R and F of pairs: of all layers, only of some pairs."""
    from bert_score import score

    def run(size: int) -> list[torch.Tensor]:
        everywhere = {"batch_size": size, "device": "cpu", "nthreads": 0}
        return list(score(hypotheses, others, str(folder), **everywhere, **options))

    found: dict[str, Any] = {}
    for key, single, batched in zip("PRF", run(1), run(8), strict=True):
        if single.dim() == 2:
            found[key] = [[short(value) for value in row] for row in single[:, :6].tolist()]
            continue
        found[key] = [short(value) if value == value else None for value in single.tolist()]
        apart = (single - batched).abs().nan_to_num()
        found[f"{key} apart"] = float(f"{apart.max():.2g}")
        if apart.max() > NOISE:
            changed = (apart > NOISE).nonzero().flatten().tolist()
            found[f"{key} batched"] = [[place, short(batched[place].item())] for place in changed]
    return found


# Layouts of published models
# ---------------------------


def published() -> None:
    """Scores of small models with the layouts of published ones: encoders and COMET."""
    allow_older_checkpoints()
    models: dict[str, Any] = {}
    rows = texts.triples()
    hypotheses, single = [row.hypothesis for row in rows], [row.reference for row in rows]
    for name, write in chosen(layouts.WRITERS).items():
        with tempfile.TemporaryDirectory() as parent, contextlib.chdir(parent):
            kind, _, layout = name.partition(" ")
            if kind == "comet":
                models[name] = comet_model(Path(parent, "model"), write)
            else:
                # The package takes a folder with "t5" in its path for a T5.
                is_t5 = layouts.ENCODERS[layout].kind in ("t5", "mt5")
                folder = Path("t5" if is_t5 else "encoder")
                found = {"weights": write(folder)}
                options = {"num_layers": layouts.LAYER}
                models[name] = found | bertscore_scores(folder, hypotheses, single, options)
            print(name, models[name]["weights"])
    written("layouts", ("bert-score", "unbabel-comet"), {"models": models})


# Tokenizers
# ----------


def tokenizers() -> None:
    """Tokens and their places, of the fast tokenizers that transformers makes of files."""
    from transformers import AutoTokenizer

    found: dict[str, Any] = {}
    for name in layouts.READ:
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent, "model")
            layouts.write_tokenizer(folder, name)
            tokenizer = AutoTokenizer.from_pretrained(str(folder), model_max_length=10**6)
        digests = []
        for text in texts.odd():
            # There is no fast one of ByT5, which has no places.
            places = {"return_offsets_mapping": True} if tokenizer.is_fast else {}
            encoded = tokenizer(text, add_special_tokens=False, **places)
            digests.append(texts.tokens_digest(encoded["input_ids"], encoded.get("offset_mapping")))
        found[name] = {
            "places": tokenizer.is_fast,
            "texts": " ".join(digests),
            "one": tokenizer("a")["input_ids"],
            "two": tokenizer("a", "b")["input_ids"],
        }
        print(name)
    content = {"odd": texts.odd_digest(), "tokenizers": found}
    written("tokenizers", ("sentencepiece", "protobuf"), content)


# BLEURT
# ------


def bleurt() -> None:
    """Scores of BLEURT with the activation of its port to torch, and with Google's."""
    models = {}
    for name, write in checkpoints.BLEURTS.items():
        with tempfile.TemporaryDirectory() as folder:
            found: dict[str, Any] = {"weights": write(Path(folder))}
            for activation in ("gelu", "gelu_new"):
                found[activation] = bleurt_scores(Path(folder), activation)
            models[name] = found
            print(name, found["weights"])
    written("bleurt", ("bleurt-pytorch", "sentencepiece"), {"models": models})


def bleurt_scores(folder: Path, activation: str) -> dict[str, Any]:
    """Scores of the texts and of the special ones with an activation."""
    import bleurt_pytorch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    stock = json.loads((folder / "config.json").read_text())["model_type"] == "bert"
    kinds = (
        (AutoModelForSequenceClassification, AutoTokenizer)
        if stock
        else (bleurt_pytorch.BleurtForSequenceClassification, bleurt_pytorch.BleurtTokenizer)
    )
    model = kinds[0].from_pretrained(str(folder), hidden_act=activation).eval()
    tokenizer = kinds[1].from_pretrained(str(folder))

    def run(rows: list[texts.Triple], size: int) -> list[float]:
        scores: list[float] = []
        for place in range(0, len(rows), size):
            batch = rows[place : place + size]
            pairs = [row.reference for row in batch], [row.hypothesis for row in batch]
            most = model.config.max_position_embeddings
            inputs = tokenizer(
                *pairs, padding="longest", truncation=True, max_length=most, return_tensors="pt"
            )
            with torch.no_grad():
                scores += model(**inputs).logits.flatten().tolist()
        return scores

    found: dict[str, Any] = {}
    for part, rows in {"": texts.triples(), "special ": texts.SPECIAL}.items():
        single, batched = (run(rows, size) for size in BATCHES)
        found[f"{part}segments"] = [short(score) for score in single]
        found |= {part + key: value for key, value in compared(single, batched).items()}
    return found


# MetricX
# -------

# The longest input of the goldens: some are longer.
MOST = 120


def metricx() -> None:
    """Scores of MetricX-23 and MetricX-24, with references and without."""
    from metricx24.models import MT5ForRegression
    from transformers import AutoTokenizer

    models = {}
    for name, write in checkpoints.METRICX.items():
        with tempfile.TemporaryDirectory() as folder:
            found: dict[str, Any] = {"weights": write(Path(folder))}
            model = MT5ForRegression.from_pretrained(folder, torch_dtype="auto").eval()
            tokenizer = AutoTokenizer.from_pretrained(f"{folder}/tokenizer")
            for way, prompt in PROMPTS.items():
                found[way] = metricx_scores(model, tokenizer, prompt)
            models[name] = {"most": MOST, "precision": str(model.dtype), **found}
            print(name, found["weights"])
    written("metricx", ("sentencepiece",), {"models": models})


PROMPTS = {
    "24": "source: {0.source} candidate: {0.hypothesis} reference: {0.reference}",
    "24 without references": "source: {0.source} candidate: {0.hypothesis}",
    "23": "candidate: {0.hypothesis} reference: {0.reference}",
    "23 without references": "candidate: {0.hypothesis} source: {0.source}",
}


def metricx_scores(model: Any, tokenizer: Any, prompt: str) -> dict[str, Any]:
    """Scores of the texts and of the special ones, whose last token is taken away."""

    def run(rows: list[texts.Triple], size: int) -> list[float]:
        scores: list[float] = []
        for place in range(0, len(rows), size):
            inputs = [
                tokenizer(prompt.format(row), max_length=MOST, truncation=True)
                for row in rows[place : place + size]
            ]
            inputs = [{key: value[:-1] for key, value in entry.items()} for entry in inputs]
            batch = tokenizer.pad(inputs, return_tensors="pt")
            with torch.no_grad():
                scores += model(**batch, use_cache=False).predictions.tolist()
        return scores

    found: dict[str, Any] = {}
    for part, rows in {"": texts.triples(), "special ": texts.SPECIAL}.items():
        single, batched = (run(rows, size) for size in BATCHES)
        found[f"{part}segments"] = [short(score) for score in single]
        found |= {part + key: value for key, value in compared(single, batched).items()}
    return found


# Sentinel metrics
# ----------------


def sentinel() -> None:
    """Scores of sentinel metrics: of the first token of the last layer, cut at the tokenizer's."""
    from comet.encoders.xlmr import XLMREncoder
    from comet.modules import FeedForward

    models = {}
    for name, write in checkpoints.SENTINELS.items():
        with tempfile.TemporaryDirectory() as folder:
            found: dict[str, Any] = {"weights": write(Path(folder))}
            file = f"{folder}/checkpoints/model.ckpt"
            content = torch.load(file, weights_only=True)
            hparams = content["hyper_parameters"]
            parts = torch.nn.Module()
            parts.encoder = XLMREncoder(hparams["pretrained_model"], False, True)
            parts.estimator = FeedForward(
                in_dim=parts.encoder.output_units,
                hidden_sizes=hparams["hidden_sizes"],
                activations=hparams["activations"],
                final_activation=hparams["final_activation"],
            )
            parts.load_state_dict(content["state_dict"])
            side = {"src": "source", "mt": "hypothesis", "ref": "reference"}[hparams["sent_to_use"]]
            found |= sentinel_scores(parts.eval(), side)
            models[name] = found
            print(name, found["weights"])
    written("sentinel", ("unbabel-comet",), {"models": models})


def sentinel_scores(parts: torch.nn.Module, side: str) -> dict[str, Any]:
    """Scores of one side of the texts and of the special ones."""

    def run(rows: list[texts.Triple], size: int) -> list[float]:
        scores: list[float] = []
        for place in range(0, len(rows), size):
            batch = [getattr(row, side) for row in rows[place : place + size]]
            inputs = parts.encoder.tokenizer(
                batch, return_tensors="pt", padding=True, truncation=True
            )
            with torch.no_grad():
                scores += parts.estimator(parts.encoder(**inputs)["sentemb"]).view(-1).tolist()
        return scores

    found: dict[str, Any] = {}
    for part, rows in {"": texts.triples(), "special ": texts.SPECIAL}.items():
        single, batched = (run(rows, size) for size in BATCHES)
        found[f"{part}segments"] = [short(score) for score in single]
        found[f"{part}system"] = short(sum(single) / len(single))
        found |= {part + key: value for key, value in compared(single, batched).items()}
    return found


ORACLES: dict[str, Callable[[], None]] = {
    "bertscore": bertscore,
    "bertscore-layers": bertscore_layers,
    "bleurt": bleurt,
    "comet": comet,
    "layouts": published,
    "metricx": metricx,
    "sentinel": sentinel,
    "tokenizers": tokenizers,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Store what an original package says.")
    parser.add_argument("package", choices=sorted(ORACLES))
    parser.add_argument("--only", nargs="+", default=[], help="the models that are computed")
    parser.add_argument(
        "--source", type=Path, help="a folder which has the package, if it needs one"
    )
    arguments = parser.parse_args()
    ONLY.update(arguments.only)
    if arguments.source:
        sys.path.append(str(arguments.source))
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
    ORACLES[arguments.package]()


if __name__ == "__main__":
    main()
