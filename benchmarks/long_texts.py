"""What one segment of 100,000 words costs: seconds, megabytes, and seconds until Ctrl-C works.

python -m benchmarks.long_texts [--words N] [--metric NAME ...] [--text KIND ...]
    [--marked]

A metric's process is started twice: once it finishes, or rejects the segment; once it is
interrupted while it scores.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bleuet.metrics.catalogue import CATALOGUE

TEXTS = ("natural", "repeated", "distinct", "unspaced")
# What takes longer than the metric of the catalogue does by default.
VARIANTS = (
    "cer",
    "cder",
    "wer:moves=free",
    "wer:normalize=english",
    "rouge1",
    "rougeLsum",
    "meteor:version=2005",
    "meteor:version=2007",
    "ter:normalized=yes",
    "bleu:tokenize=none",
    "bleu:tokenize=zh",
    "bleu:tokenize=intl",
    "bleu:tokenize=char",
    "bleu:tokenize=mteval-v14",
    "bleu:tokenize=ja-mecab",
    "bleu:tokenize=ko-mecab",
)
# Scores or marks a segment, and prints the score, the seconds and the megabytes that were added.
SCORE = """
import json, resource, sys, time
from bleuet import with_sources
from bleuet.errors import InputError
from bleuet.metrics.catalogue import parse_metric
metric, call = parse_metric(sys.argv[1]), sys.argv[3]
hypothesis, reference = json.load(open(sys.argv[2], encoding="utf-8"))
(warm,) = with_sources(["the cat"], ["a dog"])
metric.sentence_score("a cat", warm)
(carrying,) = with_sources([reference], [reference.replace(" the", "")])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print("ready", flush=True)
start = time.perf_counter()
try:
    score = getattr(metric, call)(hypothesis, carrying)
except KeyboardInterrupt:
    sys.exit(130)
except InputError:
    score = None
seconds = time.perf_counter() - start
added = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
value = score and getattr(score, "score", None)
print(json.dumps([getattr(value, "score", value), seconds, added / 1024]))
"""


def texts(kind: str, words: int) -> tuple[str, str]:
    """Return a hypothesis and a reference with so many words.

    In natural ones the frequency of a word falls with its rank, and the hypothesis is an edited
    reference: words are replaced, left out and added, and blocks change places. In distinct ones no
    word occurs twice. Unspaced ones are natural ones without spaces.
    """
    if kind == "unspaced":
        ours, theirs = texts("natural", words)
        return ours.replace(" ", ""), theirs.replace(" ", "")
    if kind == "distinct":
        # A tenth of the words is replaced, and blocks of 128 words change places.
        moved = [f"w{n ^ 128}" if n % 10 else f"v{n}" for n in range(words)]
        return " ".join(moved), " ".join(f"w{n}" for n in range(words))
    if kind == "repeated":
        return "the " * words, "the cat sat on mat " * (words // 5)
    drawn = random.Random(words)
    lexicon = ["".join(drawn.choices("etaoinshrdlu", k=2 + rank % 9)) for rank in range(20_000)]
    weights = [1 / (rank + 3) for rank in range(len(lexicon))]
    reference = drawn.choices(lexicon, weights, k=words)
    edited = []
    for word in reference:
        chance = drawn.random()
        if chance > 0.1:
            edited.append(word)
        if chance < 0.05 or chance > 0.95:
            edited += drawn.choices(lexicon, weights)
    for _ in range(words // 50):
        start = drawn.randrange(max(1, len(edited) - 20))
        length, distance = drawn.randint(1, 8), drawn.randint(1, 10)
        block = edited[start : start + length]
        del edited[start : start + length]
        edited[start + distance : start + distance] = block
    return " ".join(edited), " ".join(reference)


def measured(metric: str, file: Path, limit: float, call: str) -> tuple[float | None, float, float]:
    """Return the score, seconds and megabytes; no score for an error or where the limit came."""
    command = [sys.executable, "-c", SCORE, metric, str(file), call]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None, limit, 0.0
    if done.returncode != 0:
        print(f"{metric}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None, 0.0, 0.0
    score, seconds, megabytes = json.loads(done.stdout.splitlines()[-1])
    return score, seconds, megabytes


def until_interrupted(metric: str, file: Path, after: float, call: str) -> float:
    """Return the seconds from Ctrl-C to the end, 0 where the score came first."""
    command = [sys.executable, "-c", SCORE, metric, str(file), call]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        code = process.wait()
    return time.perf_counter() - start if code == 130 else 0.0


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--metric", nargs="+", default=[*CATALOGUE, *VARIANTS])
    parser.add_argument("--text", nargs="+", choices=TEXTS, default=TEXTS)
    parser.add_argument("--marked", action="store_true", help="explain the score, not only score")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one metric")
    args = parser.parse_args()
    call = "marked" if args.marked else "sentence_score"
    print(
        "| metric | text | score | s | MB | s until Ctrl-C |", "|---|---|--:|--:|--:|--:|", sep="\n"
    )
    with TemporaryDirectory() as folder:
        for kind in args.text:
            file = Path(folder) / kind
            file.write_text(json.dumps(texts(kind, args.words)), encoding="utf-8")
            for metric in args.metric:
                score, seconds, megabytes = measured(metric, file, args.limit, call)
                waited = until_interrupted(metric, file, min(seconds / 2, 3), call)
                too_long = "error" if seconds < args.limit else "-"
                shown = too_long if score is None else f"{score:.2f}"
                print(
                    f"| {metric} | {kind} | {shown} | {seconds:.2f} | {megabytes:.0f} | "
                    f"{waited:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
