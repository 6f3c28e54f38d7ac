"""The table of docs/metrics/meteor.md that compares METEOR with METEOR 1.5. It needs Java.

    python -m tests.oracles.meteor_table [LANGUAGE ...]

prints it, for all languages by default. It needs pycocoevalcap 1.2 and the evaluation data, takes
minutes, and so runs by hand. English hypotheses are a system's of WMT 2013. In the other languages
they are changed copies of source sentences of WMT 2013 and 2012: words are left out, replaced and
moved.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bleuet import METEOR
from tests.evaluation_data import EvaluationData
from tests.oracles.meteor_goldens import run_jar, write_function_words
from tests.oracles.meteor_jar import jar

SEGMENTS = 3000
# Scores in percent that differ by more than this are different.
EQUAL = 1e-7
OPTIONS: dict[str, dict[str, Any]] = {
    "-norm": {},
    "-lower": {"normalize": "lower"},
    "-noPunct": {"no_punct": True},
    "-ch": {"characters": True},
    "-s": {"function_words": "language"},
    "util": {"task": "util"},
    "-t": {},
}


class Row(NamedTuple):
    """One row of the table: a language, matchers, and METEOR's options."""

    language: Any
    matchers: str
    options: str


def rows() -> list[Row]:
    """All rows."""
    found = []
    english = (
        *("-norm", "-norm -noPunct", "-norm -ch", "-norm -noPunct -ch"),
        *("-norm -t util", "-norm -t util -ch"),
    )
    for matchers in ("exact", "exact stem", "exact stem synonym", "all"):
        found += [Row("en", matchers, options) for options in english]
    others = ("-norm", "-norm -s", "-norm -noPunct", "-norm -ch", "-norm -noPunct -ch", "-lower")
    for language in ("de", "es", "fr", "cs"):
        for matchers in ("exact",) if language == "cs" else ("exact", "exact stem"):
            found += [Row(language, matchers, options) for options in others]
    return found


def texts(data: EvaluationData, language: str) -> tuple[list[str], list[str]]:
    """Hypotheses and references."""
    if language == "en":
        folder = "data/wmt13/de-en"
        whole = data.system(folder, "uedin-wmt13"), data.reference(folder)
        return whole[0][:SEGMENTS], whole[1][:SEGMENTS]
    references: list[str] = []
    for year in ("wmt13", "wmt12"):
        references += data.lines(f"data/{year}/{language}-en/src.{language}.txt.gz")
    references = references[:SEGMENTS]
    rng = random.Random(language)
    words = " ".join(references).split(" ")
    return [_changed(line, words, rng) for line in references], references


def _changed(line: str, words: list[str], rng: random.Random) -> str:
    kept = []
    for word in line.split(" "):
        drawn = rng.random()
        if drawn > 0.1:
            kept.append(rng.choice(words) if drawn < 0.2 else word)
    start, end = sorted(rng.randrange(len(kept) + 1) for _ in range(2))
    moved = kept[start:end]
    rest = kept[:start] + kept[end:]
    place = rng.randrange(len(rest) + 1)
    return " ".join(rest[:place] + moved + rest[place:])


def compared(row: Row, folder: Path, lines: tuple[list[str], list[str]]) -> tuple[int, float]:
    """How many segments differ, and by how much the system does."""
    code = "cz" if row.language == "cs" else row.language
    options = ["-l", code, *row.options.split(" ")]
    if row.matchers != "all":
        options += ["-m", row.matchers]
    if "-s" in options:
        write_function_words(folder / "words", row.language)
        options.insert(options.index("-s") + 1, "words")
    theirs = run_jar(folder, lines, options)
    metric = METEOR(
        language=row.language,
        matchers=row.matchers.replace(" ", "+"),
        resources=jar(),
        **{name: value for one in row.options.split(" ") for name, value in OPTIONS[one].items()},
    )
    table = metric.count(*lines)
    ours = metric.segment_scores(table).values
    pairs = zip(ours, theirs["segments"], strict=True)
    different = sum(abs(one - 100 * other) > EQUAL for one, other in pairs)
    return different, abs(metric.score(table.totals()).score - 100 * theirs["system"])


def main(languages: list[str]) -> None:
    data = EvaluationData.find()
    print(
        "| language | matchers | METEOR's options | segments | differ by more than 10⁻⁷ | system |"
    )
    print("|---|---|---|---:|---:|---:|")
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "meteor.jar").write_bytes(Path(jar()).read_bytes())
        (folder / "data").symlink_to(Path(jar()).parent / "data")
        for language in dict.fromkeys(row.language for row in rows()):
            if languages and language not in languages:
                continue
            lines = texts(data, language)
            for row in rows():
                if row.language == language:
                    start = time.time()
                    different, system = compared(row, folder, lines)
                    cells = (
                        *row[:2],
                        f"`{row.options}`",
                        f"{len(lines[0]):,}",
                        different,
                        f"{system:.2g}",
                    )
                    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
                    print(f"{time.time() - start:.0f} seconds", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
