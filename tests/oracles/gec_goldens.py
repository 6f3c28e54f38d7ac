"""Scores of grammatical corrections by ERRANT, gec-metrics, gleu and compare-mt, on made sentences.

    python -m tests.oracles.gec_goldens

writes `goldens/gec.json` again. It needs errant 3.0.2, gec-metrics 0.1.1, which installs PyTorch,
gleu 1.1.0 and compare-mt 0.2.10.
"""

from __future__ import annotations

import json
import random
import runpy
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.metadata import distribution, version
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from tests.evaluation_data import REPOSITORY

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "gec.json"
SEED, SENTENCES = 23, 320
SYSTEMS = ("careful", "eager")
WORDS = [f"w{i}" for i in range(24)] + ["the", "a", "of", ".", ",", "été"]
TYPES = ["R:VERB", "R:NOUN", "M:DET", "U:DET", "R:PUNCT", "M:PUNCT", "R:SPELL", "UNK"]
# Flags of errant_compare, and the same options of ERRANT.
FLAGS: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("-cse", {"match": "type"}),
    ("-ds", {"match": "span"}),
    ("-dt", {"match": "token"}),
    ("-b 1", {"beta": 1}),
    ("-b 2 -dt", {"beta": 2, "match": "token"}),
    ("-single", {"edits": "single"}),
    ("-multi -ds", {"edits": "multi", "match": "span"}),
    ("-filt R:PUNCT M:PUNCT", {"ignored": "R:PUNCT/M:PUNCT"}),
    ("-filt UNK -cse -b 0.1", {"ignored": "UNK", "match": "type", "beta": 0.1}),
]
REFERENCES = (1, 2, 3, 4)
# Sources, references and hypotheses of corpora without 4-grams, and with empty texts.
SHORT = (
    (["he go"], ["he goes"], ["he goes"]),
    (["it late ."], ["it is late"], ["it late ."]),
    (["a dog bark", "yes"], ["a dog barks", "yes"], ["a dog barks", "yes"]),
    (["he go home now ."], ["he goes home now ."], [""]),
    (
        ["he go home now .", "so"],
        ["he goes home now .", "so it is late"],
        ["he goes home now .", ""],
    ),
    (["he go home now .", "so"], ["he goes home now .", ""], ["he goes home now .", "so"]),
)


class Made(NamedTuple):
    """A sentence and the edits of some annotators, and of each system."""

    words: list[str]
    annotators: list[list[tuple[int, int, str, str]]]
    systems: list[list[tuple[int, int, str, str]]]


def sentences() -> list[Made]:
    """Return sentences that up to five annotators correct, some of them in the same way."""
    rng = random.Random(SEED)
    made = []
    for _ in range(SENTENCES):
        words = rng.choices(WORDS, k=rng.randint(1, 16))
        first = _edits(rng, words)
        others = [_mixed(rng, first, words) for _ in range(rng.choice([0, 0, 1, 2, 4]))]
        annotators = [first, *others]
        careful = [edit for edit in _mixed(rng, first, words) if rng.random() < 0.6]
        eager = rng.choice([first, _mixed(rng, first, words), _edits(rng, words)])
        made.append(Made(words, annotators, [careful, eager]))
    return made


def _edits(rng: random.Random, words: list[str]) -> list[tuple[int, int, str, str]]:
    found, place = [], 0
    while place <= len(words):
        if rng.random() < 0.35:
            end = min(len(words), place + rng.choice([0, 1, 1, 1, 2, 3]))
            most = rng.choice([0, 1, 1, 2]) if end > place else rng.choice([1, 1, 2])
            correction = " ".join(rng.choices(WORDS, k=most))
            found.append((place, end, rng.choice(TYPES), correction))
            # Twice at one place: two insertions, or an insertion before a replacement.
            place = end if rng.random() < 0.3 and end > place else end + (end == place)
        else:
            place += 1
    return found


def _mixed(
    rng: random.Random, edits: list[tuple[int, int, str, str]], words: list[str]
) -> list[tuple[int, int, str, str]]:
    """Return some of the edits, some of them with another type or correction, or other edits."""
    if rng.random() < 0.2:
        return _edits(rng, words)
    kept, share = [], rng.choice([0.2, 0.5, 0.9])
    for start, end, kind, correction in edits:
        if rng.random() < share:
            kind = rng.choice(TYPES) if rng.random() < 0.2 else kind
            correction = rng.choice(WORDS) if rng.random() < 0.2 else correction
            kept.append((start, end, kind, correction))
            if rng.random() < 0.05:
                kept.append((start, start, "M:DET", "the"))
    return kept


def m2_text(made: list[Made], system: int | None = None) -> str:
    """Return the M2 file of the annotators, or of a system."""
    blocks = []
    for one in made:
        lines = [f"S {' '.join(one.words)}"]
        annotators = one.annotators if system is None else [one.systems[system]]
        for number, edits in enumerate(annotators):
            for start, end, kind, correction in edits:
                fields = [f"{start} {end}", kind, correction, "REQUIRED", "-NONE-", str(number)]
                lines.append(f"A {'|||'.join(fields)}")
            # A sentence with one annotator needs no line, and a sentence with more does.
            if not edits and (len(annotators) > 1 or len(one.words) % 2):
                lines.append(f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{number}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def corrections(references: int) -> tuple[list[str], list[list[str]], list[str]]:
    """Return sources, references of each sentence, and corrections of a system, without gaps."""
    rng = random.Random(SEED + references)
    sources, several, hypotheses = [], [], []
    for _ in range(150):
        words = rng.choices(WORDS[:12], k=rng.randint(4, 18))
        found = [_rewritten(rng, words) for _ in range(references + 1)]
        # Some systems correct as an annotator does, and some repeat the source.
        found[0] = rng.choice([found[0], found[1], words])
        sources.append(" ".join(words))
        hypotheses.append(" ".join(found[0]))
        several.append([" ".join(one) for one in found[1:]])
    return sources, several, hypotheses


def _rewritten(rng: random.Random, words: list[str]) -> list[str]:
    kept = [rng.choice(WORDS) if rng.random() < 0.12 else word for word in words]
    # The programs differ in the 4-grams of shorter ones.
    return [*kept[:3], *(word for word in kept[3:] if rng.random() < 0.95), "."]


def without_repeats() -> tuple[list[str], list[str], list[str]]:
    """Return sources, references and corrections in which no word occurs twice.

    compare-mt takes an n-gram for an error that a text has more often than its reference.
    """
    sources, several, hypotheses = corrections(1)
    sides = sources, [one for (one,) in several], hypotheses
    sources, references, hypotheses = (
        [" ".join(dict.fromkeys(text.split())) for text in side] for side in sides
    )
    return sources, references, hypotheses


def errant_rows(flags: str, running: bool) -> list[list[list[int]]]:
    """Return TP, FP and FN of each sentence of each system."""
    file = distribution("errant").locate_file("errant/commands/compare_m2.py")
    program: Any = SimpleNamespace(**runpy.run_path(str(file)))
    sys.argv = ["errant_compare", "-hyp", "", "-ref", "", *flags.split()]
    args = program.parse_args()
    made, found = sentences(), []
    theirs = m2_text(made).strip().split("\n\n")
    for system in range(len(SYSTEMS)):
        ours = m2_text(made, system).strip().split("\n\n")
        before = program.Counter({"tp": 0, "fp": 0, "fn": 0})
        rows = []
        for pair in zip(ours, theirs, strict=True):
            edits = [program.process_edits(program.simplify_edits(one), args) for one in pair]
            counts, _ = program.evaluate_edits(*edits, before, 0, "", args)
            rows.append(list(counts.values()))
            if running:
                before += program.Counter(counts)
        found.append(rows)
    return found


def gec_metrics_scores() -> dict[str, Any]:
    """Return the scores of a corpus and of its segments with each number of references."""
    gleu: Any = import_module("gec_metrics.metrics.gleu")
    found = {}
    for references in REFERENCES:
        sources, several, hypotheses = corrections(references)
        streams = [list(one) for one in zip(*several, strict=True)]
        scorer = gleu.GLEUOfficial()
        found[str(references)] = {
            "corpus": scorer.score_corpus(sources, hypotheses, streams),
            "segments": scorer.score_sentence(sources, hypotheses, streams),
        }
    return found


def short_scores() -> list[float]:
    """Return the scores of the short corpora by gec-metrics."""
    gleu: Any = import_module("gec_metrics.metrics.gleu")
    return [
        gleu.GLEUOfficial().score_corpus(sources, hypotheses, [references])
        for sources, references, hypotheses in SHORT
    ]


def gleu_scores() -> dict[str, float]:
    """Return the scores of a corpus in percent by gleu, with the draws of Python 2."""
    found = {}
    for references in REFERENCES:
        sources, several, hypotheses = corrections(references)
        with tempfile.TemporaryDirectory() as folder:
            names = ["s", *(f"r{i}" for i in range(references)), "o"]
            texts = [sources, *zip(*several, strict=True), hypotheses]
            for name, lines in zip(names, texts, strict=True):
                text = "".join(f"{line}\n" for line in lines)
                (Path(folder) / name).write_text(text, encoding="utf-8")
            flags = ["-s", "s", "-r", *names[1:-1], "-o", "o", "-f", "-d", "12"]
            command = [sys.executable, "-c", "from gleu.main import gleu; gleu()", *flags]
            printed = subprocess.check_output(command, cwd=folder, text=True)
        found[str(references)] = float(printed.split("\t")[1])
    return found


def compare_mt_scores() -> list[float]:
    """Return the smoothed scores of segments with one reference, from 0 to 1."""
    scorer: Any = import_module("compare_mt.scorers").GleuScorer()
    sides = without_repeats()
    return [
        float(scorer.score_sentence(reference.split(), ours.split(), source.split())[0])
        for source, reference, ours in zip(*sides, strict=True)
    ]


def main() -> None:
    packages = ("errant", "gec-metrics", "gleu", "compare-mt")
    stored = {
        "made_with": ", ".join(f"{name} {version(name)}" for name in packages),
        "errant": {flags: errant_rows(flags, running=True) for flags, _ in FLAGS},
        "errant_alone": {flags: errant_rows(flags, running=False) for flags, _ in FLAGS},
        "gec_metrics": gec_metrics_scores(),
        "short": short_scores(),
        "gleu": gleu_scores(),
        "compare_mt": compare_mt_scores(),
    }
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
