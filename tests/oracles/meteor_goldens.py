"""Scores of METEOR 1.5 with empty lists of words. It needs Java, and so tests read its figures.

    python -m tests.oracles.meteor_goldens

computes them again and writes `goldens/meteor.json`. It copies the jar of pycocoevalcap 1.2,
empties the lists of function words and of words that keep their full stop, and runs, with OpenJDK
17.0.15:

    java -Dfile.encoding=UTF-8 -Xmx2G -jar COPY HYP REF -l en -norm -m 'exact stem' -vOut
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.evaluation_data import REPOSITORY, EvaluationData
from tests.oracles.meteor_jar import jar

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "meteor.json"
EMPTIED = ("function/english.words", "nonbreaking/english.prefixes")
SETS = ("exact", "exact stem")
REAL, DRAWN = 300, 300
WORDS = ["the", "a", "of", "Mr.", "No. 5", "U.S.", "walk", "walks", "walked", "house", "houses"]
WORDS += ["housing", "nation", "national", "e-mail", "don't", ",", "."]


def cases(data: EvaluationData | None = None) -> dict[str, tuple[list[str], list[str]]]:
    """Hypotheses and references by a name; without data, only what is drawn."""
    rng = random.Random(43)
    lines = [" ".join(rng.choices(WORDS, k=rng.randrange(1, 15))) for _ in range(2 * DRAWN)]
    found = {"drawn": (lines[:DRAWN], lines[DRAWN:])}
    if data is not None:
        folder = "data/wmt13/de-en"
        found["wmt13"] = data.system(folder, "uedin-wmt13")[:REAL], data.reference(folder)[:REAL]
    return found


def write_jar(file: Path) -> None:
    """Write the jar without the lists."""
    with zipfile.ZipFile(jar()) as original, zipfile.ZipFile(file, "w") as copy:
        for entry in original.infolist():
            copy.writestr(entry, b"" if entry.filename in EMPTIED else original.read(entry))


def computed(folder: Path, texts: tuple[list[str], list[str]], matchers: str) -> dict[str, Any]:
    """The score of each segment and of the system."""
    files = [folder / "hypotheses", folder / "references"]
    for file, lines in zip(files, texts, strict=True):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    options = ["-l", "en", "-norm", "-m", matchers, "-vOut"]
    java = ["java", "-Dfile.encoding=UTF-8", "-Xmx2G", "-jar", "meteor.jar"]
    command = [*java, *(file.name for file in files), *options]
    run = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    segments = re.findall(r"^Segment \d+ score:\t(.*)$", run.stdout, re.MULTILINE)
    (system,) = re.findall(r"^Final score:\s+(\S+)$", run.stdout, re.MULTILINE)
    return {
        "segments": [float(line.split("\t")[-1]) for line in segments],
        "system": float(system),
    }


def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_jar(folder / "meteor.jar")
        goldens = {
            name: {matchers: computed(folder, texts, matchers) for matchers in SETS}
            for name, texts in cases(EvaluationData.find()).items()
        }
    FILE.write_text(json.dumps(goldens, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
