"""What other programs do that the guides describe, from programs that the tests do not install.

    python -m tests.oracles.difference_goldens [FOLDER]

asks the programs again and writes `goldens/differences.json`. Those that are not installed in the
stated version keep their figures. fast-bleu, PyStemmer and whisper-normalizer read the evaluation
data. FOLDER has `nmt_bleu.py` and `tokenizer_13a.py` of
huggingface/evaluate, metrics/bleu, at commit 4c312afb6b4d2db20be5bdfa0f48483957562db2: evaluate
itself downloads them.
"""

from __future__ import annotations

import json
import random
import re
import sys
import warnings
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from tests.evaluation_data import REPOSITORY, EvaluationData
from tests.oracles import fuzz

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "differences.json"
SENTENCES, LINES, DIGITS = 4000, 300, 3
# Texts of fast-bleu whose words contain spaces.
SPACED = [["x", "a b", "c"], ["x", "a", "b c"]]
SHORT = ["a b c d", "a b c d e f", "a b"]
RIBES_PAIRS = [
    ("the book was read by the boy", "the boy read the book"),
    ("the cat sat quietly on a mat", "quietly the cat sat on a mat"),
    ("yes", "yes"),
    ("yes we do", "yes"),
    ("a b", "a b"),
    ("yes", ""),
    # The words on the left and on the right of a word decide differently.
    ("b d b b a d", "b b d b d"),
    ("d b c e e", "b c c c e d b"),
    ("a c a c b b c", "b c a b b e e"),
]
# Sources and hypotheses that have a word more often than the reference.
REPEATED = [
    ("the the cat sat on the mat", "the cat sat on the mat"),
    ("the cat sat on the the mat .", "the cat sat on the mat ."),
]
UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen"
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SPOKEN = ["1,985 million", "one point five", "the colour of the theatre"]


# --- Texts ----------------------------------------------------------------------------------------


def sets_of_texts() -> list[list[str]]:
    """Return small sets of texts of very different lengths, for Self-BLEU."""
    rng = random.Random(1)
    return [
        [" ".join(rng.choices("abcd", k=rng.randint(1, 14))) for _ in range(rng.randint(3, 6))]
        for _ in range(150)
    ]


def segments() -> tuple[list[str], list[list[str]]]:
    """Return hypotheses and references without white space at their ends."""
    hypotheses, references = fuzz.segments(61, 200)
    pairs = zip(hypotheses, fuzz.all_references(references), strict=True)
    stripped = [(one.rstrip(), [text.rstrip() for text in several]) for one, several in pairs]
    kept = [pair for pair in stripped if all(text.replace("<skipped>", "") for text in pair[1])]
    return [one for one, _ in kept], [several for _, several in kept]


def german_words(data: EvaluationData) -> list[str]:
    """Return the German words of WMT 2013."""
    text = " ".join(data.lines("data/wmt13/de-en/src.de.txt.gz"))
    return sorted(set(re.findall(r"\w+", text.lower())))


def spoken() -> list[str]:
    """Return sentences with number words."""
    rng = random.Random(3)
    units, ordinals, tens = map(str.split, (UNITS, ORDINALS, TENS))

    def below_hundred() -> str:
        if rng.random() < 0.4:
            return rng.choice(units)
        return rng.choice(tens) + rng.choice(["", f"-{rng.choice(units[1:10])}"])

    def number() -> str:
        words = below_hundred()
        if rng.random() < 0.4:
            words = f"{rng.choice(units[1:10])} hundred{rng.choice([' ', ' and '])}{words}"
        if rng.random() < 0.3:
            words = f"{rng.choice(units[1:])} {rng.choice(['thousand', 'million'])} {words}"
        return words

    def sentence() -> str:
        few = rng.choice(units[1:10])
        frames = [
            "about {} people came",
            "it cost {} dollars",
            "minus {} percent",
            "the {} houses and the {} trees",
            "in nineteen {}",
            f"{few} and a half million, or {{}}",
            "she's {} years old, isn't she?",
            "{} point five",
            "{} euros",
            "chapter {}, page {}",
            f"{{}} dollars and {below_hundred()} cents",
            f"room {few} oh {rng.choice(units)}, the twenty-{rng.choice(ordinals)} door",
            f"the {rng.choice(ordinals)} of {{}} or {few} thousand and {below_hundred()}",
            f"{few} one {rng.choice(units)} double {few}",
            f"in the {rng.choice(tens)[:-1]}ies or twenty {below_hundred()}",
            f"{few} hundred thousand and a half",
        ]
        return rng.choice(frames).format(number(), number())

    return [sentence() for _ in range(SENTENCES)]


# --- Programs -------------------------------------------------------------------------------------


def of_evaluate() -> dict[str, Any]:
    compute = import_module("nmt_bleu").compute_bleu
    tokenize = import_module("tokenizer_13a").Tokenizer13a()

    def bleu(hypotheses: list[str], references: list[list[str]], smooth: bool) -> float:
        words = [[tokenize(text) for text in several] for several in references]
        return float(compute(words, [tokenize(text) for text in hypotheses], 4, smooth)[0])

    hypotheses, references = segments()
    pairs = list(zip(hypotheses, references, strict=True))
    return {
        **{
            f"smooth={smooth}": {
                "corpus": bleu(hypotheses, references, smooth),
                "segments": [bleu([one], [several], smooth) for one, several in pairs],
            }
            for smooth in (True, False)
        },
        "empty hypothesis": bleu([""], [["a b c d"]], True),
        "empty reference": bleu(["a b c d"], [[""]], True),
        "hyphen and line feed at the end": bleu(["a b c d-\n"], [["a b c d"]], True),
    }


def of_fast_bleu() -> dict[str, Any]:
    kind = import_module("fast_bleu").SelfBLEU

    def scores(texts: list[list[str]], order: int = 2) -> list[float]:
        return list(map(float, kind(texts, {"": [1 / order] * order}).get_score()[""]))

    lines = EvaluationData.find().reference("data/wmt13/de-en")[:LINES]
    return {
        "wmt13": scores([line.split() for line in lines], 4),
        "sets": [scores([text.split() for text in texts]) for texts in sets_of_texts()],
        "short": scores([text.split() for text in SHORT]),
        "words with spaces": scores(SPACED),
    }


def of_compare_mt() -> dict[str, Any]:
    scorer = import_module("compare_mt.scorers").RibesScorer()
    found: dict[str, Any] = {}
    for hypothesis, reference in RIBES_PAIRS:
        try:
            score = scorer.score_sentence(reference.split(), hypothesis.split())[0]
        except KeyError as error:
            score = type(error).__name__
        found[f"{hypothesis} | {reference}"] = score
    gleu = import_module("compare_mt.scorers").GleuScorer()
    for source, reference in REPEATED:
        found[f"GLEU of {source}"] = gleu.score_sentence(
            reference.split(), source.split(), source.split()
        )[0]
    return found


def of_nltk() -> dict[str, Any]:
    ribes = import_module("nltk.translate.ribes_score").sentence_ribes
    return {
        f"{hypothesis} | {reference}": ribes([reference.split()], hypothesis.split())
        for hypothesis, reference in RIBES_PAIRS[:2]
    }


def news(data: EvaluationData) -> list[str]:
    """Return some 6,000 lines of English news."""
    return [line for year in ("12", "13") for line in data.reference(f"data/wmt{year}/de-en")]


def digests(texts: Iterable[str]) -> str:
    """Return three digits of each text, for texts that are not ours to store."""
    return "".join(sha256(text.encode()).hexdigest()[:DIGITS] for text in texts)


def of_whisper() -> dict[str, Any]:
    """Whisper's texts where ours differ, and what all its texts are together."""
    from bleuet.text.english_speech import normalized_speech

    normalize = import_module("whisper_normalizer.english").EnglishTextNormalizer()
    texts = list(map(normalize, spoken()))
    pairs = enumerate(zip(spoken(), texts, strict=True))
    lines = news(EvaluationData.find())
    without_spelling: Any = import_module("whisper_normalizer.english").EnglishTextNormalizer()
    without_spelling.standardize_spellings = str
    return {
        "news": digests(map(normalize, lines)),
        "news without spelling": digests(map(without_spelling, lines)),
        "examples": [normalize(text) for text in SPOKEN],
        "sha256": sha256("\n".join(texts).encode()).hexdigest(),
        "different": {str(n): text for n, (one, text) in pairs if normalized_speech(one) != text},
    }


def of_pystemmer() -> dict[str, Any]:
    """How many German words have another stem than ours."""
    from bleuet.text.stemmers import find_stemmer

    stem, snowball = find_stemmer("de"), import_module("Stemmer").Stemmer("german", 0)
    words = german_words(EvaluationData.find())
    different = [word for word in words if stem(word) != snowball.stemWord(word)]
    return {"words": len(words), "different": len(different)}


PROGRAMS: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
    "fast-bleu": ("0.0.90", of_fast_bleu),
    "compare-mt": ("0.2.10", of_compare_mt),
    "nltk": ("3.9.1", of_nltk),
    "whisper-normalizer": ("0.1.15", of_whisper),
    "PyStemmer": ("3.0.0", of_pystemmer),
}


def is_installed(name: str, wanted: str) -> bool:
    try:
        return version(name) == wanted
    except PackageNotFoundError:
        return False


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")
    found = json.loads(FILE.read_text(encoding="ascii")) if FILE.exists() else {}
    for name, (wanted, ask) in PROGRAMS.items():
        if is_installed(name, wanted):
            found[name] = {"version": wanted, "figures": ask()}
    if sys.argv[1:]:
        sys.path.insert(0, sys.argv[1])
        found["evaluate"] = {"version": "4c312afb", "figures": of_evaluate()}
    text = json.dumps(found, separators=(",", ":"), sort_keys=True)
    FILE.write_text(text + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
