"""What METEOR 1.5 runs, a Java program that scores what it reads from a pipe."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING

from benchmarks.timing import Runner

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

NAME = "METEOR 1.5"
# Its matchers and their weights, and whether bleuet gives the same number to the last digit.
VARIANTS = {
    "METEOR": ("exact stem", "1.0 0.6", True),
    "METEOR, all matchers": ("exact stem synonym paraphrase", "1.0 0.6 0.8 0.6", False),
}


def is_there() -> bool:
    return shutil.which("java") is not None and jar() is not None


def jar() -> str | None:
    """Its jar, which pycocoevalcap carries with the English table of paraphrases."""
    found = find_spec("pycocoevalcap")
    if found is None or not found.submodule_search_locations:
        return None
    return str(Path(found.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar")


def corpus_score(metric: str, pairs: Pairs) -> Runner:
    """A corpus score from lists of strings; the program has started before."""
    _, _, same = VARIANTS[metric]
    scored = [
        f"SCORE ||| {reference} ||| {hypothesis}\n"
        for hypothesis, reference in zip(pairs.hypotheses, pairs.references, strict=True)
    ]

    def run() -> list[float]:
        statistics = _answers(metric, scored, len(scored))
        evaluated = [" ||| ".join(["EVAL", *statistics]) + "\n"]
        return [100 * float(_answers(metric, evaluated, 1 + len(scored))[-1])]

    return Runner(NAME, run, expected=same)


@cache
def _program(metric: str) -> subprocess.Popen[str]:
    matchers, weights, _ = VARIANTS[metric]
    options = ["-stdio", "-norm", "-l", "en", "-m", matchers, "-w", weights]
    return subprocess.Popen(
        ["java", "-Dfile.encoding=UTF-8", "-Xmx2G", "-jar", str(jar()), "-", "-", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def _answers(metric: str, lines: list[str], count: int) -> list[str]:
    program = _program(metric)
    assert program.stdin is not None
    assert program.stdout is not None
    writing = Thread(target=_write, args=(program.stdin, lines))
    writing.start()
    answers = [program.stdout.readline().strip() for _ in range(count)]
    writing.join()
    return answers


def _write(stdin: IO[str], lines: list[str]) -> None:
    stdin.writelines(lines)
    stdin.flush()
