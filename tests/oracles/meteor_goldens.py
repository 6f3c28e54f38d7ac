"""Scores of METEOR 1.5. It needs Java, and so tests read its figures.

    python -m tests.oracles.meteor_goldens

computes them again and writes `goldens/meteor.json` and `goldens/meteor-languages.json`. For the
first it copies the jar of pycocoevalcap 1.2, empties the lists of function words and of words that
keep their full stop, and runs, with OpenJDK 17.0.15:

    java -Dfile.encoding=UTF-8 -Xmx2G -jar COPY HYP REF -l en -norm -m 'exact stem' -vOut

For the second it runs the jar as it is, with other languages and `-norm`, `-lower` or neither.
For `goldens/meteor-options.json` it runs it with `-noPunct`, `-ch` and `-t util`.
For `goldens/meteor-table.json` and `meteor-ties.json` it runs the copy with `-a` and a table of
drawn paraphrases, in the second so many of the same words that most alignments are equally good.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bleuet.text.meteor_resources import MeteorResources
from tests.evaluation_data import REPOSITORY, EvaluationData
from tests.oracles.meteor_jar import jar

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "meteor.json"
EMPTIED = ("function/english.words", "nonbreaking/english.prefixes")
SETS = ("exact", "exact stem")
OF_LANGUAGES = REPOSITORY / "tests" / "oracles" / "goldens" / "meteor-languages.json"
OF_OPTIONS = REPOSITORY / "tests" / "oracles" / "goldens" / "meteor-options.json"
OF_TIES = REPOSITORY / "tests" / "oracles" / "goldens" / "meteor-ties.json"
OF_TABLE = REPOSITORY / "tests" / "oracles" / "goldens" / "meteor-table.json"
NORMALIZATIONS = {"full": ["-norm"], "lower": ["-lower"], "none": []}
# Function words, words with one stem, and what normalization changes; "own" has the language's list
# of function words.
LANGUAGES = {
    "en": "the The of and house houses housing walked walks to 17–21 no\xa0break don't U.S. a–b ,",
    "de": "der Die und Haus Häuser gehen geht ging the of mit 17–21 z.\xa0B. Straße nicht , .",
    "fr": "la Les et maison maisons l'eau parler parlait the of dans 17–21 3\xa0000 aujourd'hui ,",
    "es": "el La y casa casas hablar habla hablaba the of en 17–21 3\xa0000 ¿Qué niños , .",
    "cs": "a je na dům domu mluvit mluví the of The se 17–21 3\xa0000 město , .",
    "ru": "и в на дом дома говорить говорит the of 17–21 3\xa0000 ёлка елка , .",
}
# METEOR's options, and those of `METEOR`. Only English has parameters of `util`.
OPTIONS: dict[str, dict[str, Any]] = {
    "-norm -noPunct": {"no_punct": True},
    "-norm -ch": {"characters": True},
    "-norm -noPunct -ch": {"no_punct": True, "characters": True},
    "-lower -ch": {"normalize": "lower", "characters": True},
    "-norm -t util": {"task": "util"},
    "-norm -t util -ch": {"task": "util", "characters": True},
}
# What punctuation is, and characters that are two numbers of 16 bits.
MARKED = "İ.S. 😀 «q» a_b 3.5 3,500 ... x-y-z don't -- 'tis ẞ 𝔸𝔹c é e\u0301 # *a* №5 日本語 ١٢"
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


def language_cases(language: str, marked: str = "") -> tuple[list[str], list[str]]:
    """Hypotheses, and references of which they have most words."""
    rng = random.Random(language)
    words = f"{LANGUAGES[language]} {marked}".rstrip().split(" ")
    references = [rng.choices(words, k=rng.randrange(1, 15)) for _ in range(REAL // 3)]
    hypotheses = []
    for reference in references:
        kept = [rng.choice(words) if rng.random() < 0.3 else word for word in reference]
        start = rng.randrange(len(kept))
        hypotheses.append([*kept[start:], *kept[:start]])
    return [" ".join(one) for one in hypotheses], [" ".join(one) for one in references]


def table_case() -> tuple[list[tuple[str, str]], tuple[list[str], list[str]]]:
    """Paraphrases in the order of their table, which is not sorted, and texts that have some."""
    rng = random.Random(71)
    entries = []
    for number in range(20):
        one, other = (f"{side}{number}" for side in "ab")
        ways = [f"{other} x", f"y {other} x", f"y {other}", f"{other} x z", f"{other} z"]
        entries += [(f"{one} x", way) for way in rng.sample(ways, 4)]
    lines: tuple[list[str], list[str]] = ([], [])
    for _ in range(DRAWN):
        numbers = rng.sample(range(20), 3)
        lines[0].append(" ".join(f"y b{number} x z" for number in numbers))
        lines[1].append(" ".join(rng.choice("wy") + f" a{number} x" for number in numbers))
    return entries, lines


# METEOR's options, and those of `METEOR`.
TIES: dict[str, dict[str, Any]] = {
    "-norm": {},
    "-norm -noPunct -ch": {"no_punct": True, "characters": True},
    "-norm -t util -ch": {"task": "util", "characters": True},
    "-lower -x 3": {"normalize": "lower", "beam": 3},
}


def ties_case() -> tuple[list[tuple[str, str]], tuple[list[str], list[str]]]:
    """Paraphrases in both directions, and texts of few words that match in several ways."""
    rng = random.Random(97)
    stems = ["blork", "vimp", "trunk", "glip"]
    words = [f"{stem}{ending}" for stem in stems for ending in ("ed", "ing", "s")]
    drawn_pairs = (rng.sample(words, 2) for _ in range(12))
    pairs = [(one, other) for one, other in drawn_pairs]
    pairs += [(one, f"{other} x") for one, other in pairs[:4]]
    pairs += [(f"{one} y", f"{other} x") for one, other in pairs[4:8]]
    pairs += [(f"{one}, y", f"{other} x z") for one, other in pairs[8:12]]
    # No table has a pair twice.
    entries = list(dict.fromkeys([*pairs, *[(other, one) for one, other in pairs]]))
    rng.shuffle(entries)
    drawn = [*words, *"xyz,."]
    lines: tuple[list[str], list[str]] = ([], [])
    for _ in range(DRAWN):
        for side in lines:
            side.append(" ".join(rng.choices(drawn, k=rng.randrange(2, 20))))
    return entries, lines


def ties_figures(folder: Path) -> dict[str, Any]:
    """The scores with this table and several options, and without lists."""
    entries, texts = ties_case()
    write_jar(folder / "meteor.jar")
    write_table(folder / "table.gz", entries)
    given = ["-l", "en", "-m", "exact stem paraphrase", "-w", "1 .6 .6", "-a", "table.gz"]
    return {options: run_jar(folder, texts, [*given, *options.split(" ")]) for options in TIES}


def write_table(file: Path, entries: list[tuple[str, str]]) -> None:
    """Write paraphrases as METEOR reads them."""
    with gzip.open(file, "wt", encoding="utf-8") as table:
        table.writelines(f"0.5\n{one}\n{other}\n" for one, other in entries)


def table_figures(folder: Path) -> dict[str, Any]:
    """The scores with a table of paraphrases, and without lists."""
    entries, texts = table_case()
    write_jar(folder / "meteor.jar")
    write_table(folder / "table.gz", entries)
    options = ["-l", "en", "-norm", "-m", "exact stem paraphrase", "-w", "1 .6 .6"]
    return run_jar(folder, texts, [*options, "-a", "table.gz"])


def language_figures(folder: Path, language: str) -> dict[str, Any]:
    """The scores by normalization, and with the language's own function words."""
    (folder / "meteor.jar").write_bytes(Path(jar()).read_bytes())
    matchers = ["-m", "exact" if language == "cs" else "exact stem"]
    code = ["-l", "cz" if language == "cs" else language]
    texts = language_cases(language)
    found = {
        name: run_jar(folder, texts, [*code, *matchers, *option])
        for name, option in NORMALIZATIONS.items()
    }
    write_function_words(folder / "words", language)
    found["own"] = run_jar(folder, texts, [*code, *matchers, "-norm", "-s", "words"])
    return found


def option_figures(folder: Path, language: str) -> dict[str, Any]:
    """The scores with each option that the language has."""
    (folder / "meteor.jar").write_bytes(Path(jar()).read_bytes())
    texts = language_cases(language, MARKED)
    matchers = ["-m", "exact" if language == "cs" else "exact stem"]
    code = ["-l", "cz" if language == "cs" else language]
    return {
        options: run_jar(folder, texts, [*code, *matchers, *options.split(" ")])
        for options in OPTIONS
        if language == "en" or "util" not in options
    }


def write_function_words(file: Path, language: str) -> None:
    """Write the language's own list."""
    name = MeteorResources(jar(), language).language
    with zipfile.ZipFile(jar()) as archive:
        file.write_bytes(archive.read(f"function/{name}.words"))


def write_jar(file: Path) -> None:
    """Write the jar without the lists."""
    with zipfile.ZipFile(jar()) as original, zipfile.ZipFile(file, "w") as copy:
        for entry in original.infolist():
            copy.writestr(entry, b"" if entry.filename in EMPTIED else original.read(entry))


def computed(folder: Path, texts: tuple[list[str], list[str]], matchers: str) -> dict[str, Any]:
    """The scores without the lists."""
    return run_jar(folder, texts, ["-l", "en", "-norm", "-m", matchers])


def run_jar(folder: Path, texts: tuple[list[str], list[str]], options: list[str]) -> dict[str, Any]:
    """The score of each segment and of the system."""
    files = [folder / "hypotheses", folder / "references"]
    for file, lines in zip(files, texts, strict=True):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    java = ["java", "-Dfile.encoding=UTF-8", "-Xmx2G", "-jar", "meteor.jar"]
    command = [*java, *(file.name for file in files), *options, "-vOut"]
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
        table = table_figures(folder)
        ties = ties_figures(folder)
        languages = {language: language_figures(folder, language) for language in LANGUAGES}
        options = {language: option_figures(folder, language) for language in LANGUAGES}
    FILE.write_text(json.dumps(goldens, indent=0) + "\n", encoding="utf-8")
    OF_TIES.write_text(json.dumps(ties, indent=0) + "\n", encoding="utf-8")
    OF_TABLE.write_text(json.dumps(table, indent=0) + "\n", encoding="utf-8")
    OF_OPTIONS.write_text(json.dumps(options, indent=0) + "\n", encoding="utf-8")
    OF_LANGUAGES.write_text(json.dumps(languages, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
