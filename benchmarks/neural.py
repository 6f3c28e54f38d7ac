"""`python -m benchmarks.neural PEER`: COMET on an encoder of XLM-R-base size beside unbabel-comet.

PEER is the Python of an environment with unbabel-comet 2.2.7. The weights are random, and the
tokenizer is trained on the texts, so that it cuts them into as many tokens as that of XLM-R; the
size of the vocabulary changes neither program's time. Both score five systems of a test set, each
in a process of its own, in turns, with the same number of threads; before, their scores are checked
to be equal. Times are seconds of the scoring, without the loading of the model.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.corpora import WMT_FOLDER, evaluation_data

if TYPE_CHECKING:
    from collections.abc import Sequence

SYSTEMS, SEGMENTS, ROUNDS = 5, 500, 3
BASE = {
    "hidden_size": 768,
    "intermediate_size": 3072,
    "max_position_embeddings": 514,
    "num_attention_heads": 12,
    "num_hidden_layers": 12,
}
TOKENS = 8000
CLOSE = 1e-4
OURS = """
import json, resource, sys, time
import torch
from bleuet import with_sources
from bleuet.evaluation.evaluation import Evaluation
from bleuet.metrics.neural.comet.metric import COMET

folder, texts, threads, dtype, cache = sys.argv[1:]
torch.set_num_threads(int(threads))
found = json.load(open(texts))
metric = COMET(model=folder, dtype=dtype, cache=cache == "yes")
metric.network
begin = time.perf_counter()
references = with_sources(found["references"], found["sources"])
counted = Evaluation.count([metric], found["systems"], references)
seconds = time.perf_counter() - begin
scores = [list(counted.tables[name][0].column("comet")) for name in found["systems"]]
"""
THEIRS = """
import json, logging, resource, sys, time, warnings
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
import torch
from comet import load_from_checkpoint

folder, texts, threads, _, _ = sys.argv[1:]
torch.set_num_threads(int(threads))
found = json.load(open(texts))
model = load_from_checkpoint(folder + "/checkpoints/model.ckpt")
begin = time.perf_counter()
scores = []
for name, lines in found["systems"].items():
    rows = [
        {"src": source, "mt": text, "ref": reference}
        for source, text, reference in zip(found["sources"], lines, found["references"])
    ]
    settings = {"batch_size": 16, "gpus": 0, "num_workers": 0, "progress_bar": False}
    scores.append(model.predict(rows, **settings).scores)
seconds = time.perf_counter() - begin
"""
PRINT = """
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print("RESULT", json.dumps({"seconds": seconds, "memory": memory, "scores": scores}))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table; 1 if scores differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neural", description=__doc__)
    parser.add_argument("peer", help="the Python of an environment with unbabel-comet")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--segments", type=int, default=SEGMENTS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        texts = Path(folder, "texts.json")
        texts.write_text(json.dumps(test_set(args.segments)), encoding="utf-8")
        model = Path(folder, "model")
        write_model(model, json.loads(texts.read_text("utf-8")))
        measure(args, str(model), str(texts))
    return 0


def test_set(segments: int) -> dict[str, Any]:
    """Return five systems of newstest2013 de-en."""
    folder = evaluation_data() / WMT_FOLDER

    def lines(path: Path) -> list[str]:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return [line.rstrip("\n") for line in file][:segments]

    systems = sorted((folder / "systems").iterdir())[:SYSTEMS]
    return {
        "sources": lines(folder / "src.de.txt.gz"),
        "references": lines(folder / "ref.en.txt.gz"),
        "systems": {path.name.split(".")[0]: lines(path) for path in systems},
    }


def write_model(folder: Path, texts: dict[str, Any]) -> None:
    """Write a model of COMET of XLM-R-base size, with a tokenizer for the texts."""
    from tests.metrics.neural import checkpoints, vocabularies

    def write_tokenizer(folder: Path, most: int) -> int:
        return trained_tokenizer(folder, texts)

    original, vocabularies.write_xlmr = vocabularies.write_xlmr, write_tokenizer
    try:
        checkpoints.write_comet(
            folder,
            hparams=checkpoints.REGRESSION | {"hidden_sizes": [3072, 1024]},
            config=checkpoints.XLMR | BASE,
        )
    finally:
        vocabularies.write_xlmr = original


def trained_tokenizer(folder: Path, texts: dict[str, Any]) -> int:
    """Write a tokenizer of the kind of XLM-R's, and return the size of its vocabulary."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=TOKENS, special_tokens=special, unk_token="<unk>", show_progress=False
    )
    outputs = [line for lines in texts["systems"].values() for line in lines]
    every = [*texts["sources"], *texts["references"], *outputs]
    tokenizer.train_from_iterator(every, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    described = {
        "tokenizer_class": "XLMRobertaTokenizer", "model_max_length": 512, "bos_token": "<s>",
        "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "pad_token": "<pad>",
        "unk_token": "<unk>", "mask_token": "<mask>",
    }  # fmt: skip
    (folder / "tokenizer_config.json").write_text(json.dumps(described), encoding="utf-8")
    return int(tokenizer.get_vocab_size())


def measure(args: argparse.Namespace, model: str, texts: str) -> None:
    """Print a row for each program."""
    given = (model, texts, str(args.threads))
    runs: dict[str, tuple[str, str, tuple[str, str]]] = {
        "unbabel-comet, float32": (args.peer, THEIRS, ("", "")),
        "bleuet, float32": (sys.executable, OURS, ("float32", "no")),
        "bleuet, bfloat16": (sys.executable, OURS, ("bfloat16", "no")),
        "bleuet, int8": (sys.executable, OURS, ("int8", "no")),
        "bleuet, float32, first run with a cache": (sys.executable, OURS, ("float32", "yes")),
        "bleuet, float32, from the cache": (sys.executable, OURS, ("float32", "yes")),
    }
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in runs}
    cache = os.environ["XDG_CACHE_HOME"]
    for round_ in range(args.rounds):
        # The first run with a cache finds nothing in it.
        os.environ["XDG_CACHE_HOME"] = f"{cache}-{round_}"
        for name, (python, program, more) in runs.items():
            found[name].append(run([python, "-c", program + PRINT, *given, *more]))
            print(name, f"{found[name][-1]['seconds']:.1f} s", file=sys.stderr)
    (peer, *_) = found.values()
    print("| program | seconds | times | megabytes | largest difference of a segment |")
    print("| --- | ---: | ---: | ---: | ---: |")
    base = median(one["seconds"] for one in peer)
    for name, several in found.items():
        seconds = median(one["seconds"] for one in several)
        memory = median(one["memory"] for one in several)
        apart = max(
            abs(ours - theirs)
            for own, other in zip(several[0]["scores"], peer[0]["scores"], strict=True)
            for ours, theirs in zip(own, other, strict=True)
        )
        if "float32" in name and apart > CLOSE:
            raise SystemExit(f"{name} differs by {apart}")
        print(f"| {name} | {seconds:.1f} | {base / seconds:.1f} | {memory:.0f} | {apart:.1e} |")


def run(command: Sequence[str]) -> dict[str, Any]:
    """Run a program, and return what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        raise SystemExit(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(lines[-1].removeprefix("RESULT "))
    return found


if __name__ == "__main__":
    sys.exit(main())
