"""Stems of METEOR 1.5. It needs Java, and so tests read its figures.

    python -m tests.oracles.stem_goldens

draws words again, with endings from the strings of the stemmers of METEOR's jar, which
pycocoevalcap 1.2 carries, and writes their stems to `goldens/stems.txt.gz`. It runs, with OpenJDK
17.0.15:

    java -Dfile.encoding=UTF-8 -cp METEOR-1.5.jar Stemmer LANGUAGE
"""

from __future__ import annotations

import gzip
import random
import re
import subprocess
from typing import TYPE_CHECKING

from bleuet.text.stemmers import STEMMERS
from tests.evaluation_data import REPOSITORY
from tests.oracles.meteor_jar import jar

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "stems.txt.gz"
COUNT = 2000
VOWELS = "aeiouyаеиоуыэюяё"
LETTERS = {
    "da": "æøå", "de": "äöüß", "en": "'", "es": "áéíóúüñ", "fi": "äöå", "fr": "âàçëéêèïîôûù",
    "hu": "áéíóöőúüűõû", "it": "àèìòùáé", "nl": "äëïöüáéíóúè", "no": "æøå",
    "pt": "áéíóúâêôçãõ", "ro": "ăâîşţșț", "sv": "äöå", "tr": "çğıöşü",
}  # fmt: skip
LATIN, CYRILLIC = "abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюяё"


def endings_of(language: str) -> list[str]:
    """The strings of a stemmer: endings, what they become, and irregular words."""
    name = f"org.tartarus.snowball.ext.{STEMMERS[language]}Stemmer"
    command = ["javap", "-J-Dfile.encoding=UTF-8", "-v", "-p", "-cp", jar(), name]
    listing = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    strings = re.findall(r"= String +#\d+ +// (\w\S*)$", listing, re.MULTILINE)
    return sorted({one for one in strings if not one.startswith("r_")})


def drawn_words(language: str) -> list[str]:
    """Each ending after some letters, then several of them, of upper case too."""
    rng = random.Random(language)
    letters = CYRILLIC if language == "ru" else LATIN + LETTERS[language]
    vowels = [one for one in letters if one in VOWELS or (one > "z" and language != "ru")]
    endings = endings_of(language)
    words = dict.fromkeys(endings)

    def beginning() -> str:
        parts = (rng.choice(letters) + rng.choice(vowels) for _ in range(rng.randrange(1, 4)))
        return "".join(parts)[rng.randrange(2) :]

    for ending in endings:
        words.update(dict.fromkeys(beginning() + ending for _ in range(3)))
    while len(words) < COUNT:
        word = beginning() + "".join(rng.choices(endings, k=rng.randrange(4)))
        if rng.random() < 0.05:
            at = rng.randrange(len(word))
            word = word[:at] + word[at].upper() + word[at + 1 :]
        words[word] = None
    return list(words)


def stored() -> Iterator[tuple[str, str, str]]:
    """Languages, words and stems."""
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            language, word, stem = line.removesuffix("\n").split(" ")
            yield language, word, stem


def main() -> None:
    lines = []
    for language in STEMMERS:
        words = drawn_words(language)
        run = subprocess.run(
            ["java", "-Dfile.encoding=UTF-8", "-cp", jar(), "Stemmer", language],
            input="".join(f"{word}\n" for word in words),
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        stems = run.stdout.removesuffix("\n").split("\n")
        lines += [f"{language} {word} {stem}" for word, stem in zip(words, stems, strict=True)]
    content = "".join(f"{line}\n" for line in lines).encode()
    FILE.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    main()
