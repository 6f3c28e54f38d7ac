"""METEOR against METEOR 1.5 and the definition; docs/metrics/meteor.md lists what remains."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import METEOR, InputError, OptionError
from bleuet.metrics.meteor import alignment, words
from bleuet.metrics.meteor.alignment import EXACT, Word
from bleuet.statistics.definitions import plain_python
from bleuet.text.meteor_normalizer import MeteorNormalizer
from bleuet.text.meteor_resources import Synonyms
from tests.backends import counted_by, kernel
from tests.oracles import fuzz, meteor_goldens
from tests.oracles.meteor_goldens import run_jar
from tests.oracles.meteor_jar import jar
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

SETS = {
    "exact": "exact",
    "exact_stem": "exact+stem",
    "exact_stem_synonym": "exact+stem+synonym",
    "all": "all",
}


def corpus(data: EvaluationData, name: str) -> tuple[list[str], list[Any]]:
    folder, system, *_ = name.split(" ")
    if folder == "e2e":
        return data.system("data/e2e", system)[:200], data.e2e_references()[:200]
    folder = f"data/{folder}"
    return data.system(folder, system)[:500], data.reference(folder)[:500]


@pytest.mark.peers
@pytest.mark.data
@pytest.mark.parametrize("matchers", SETS)
def test_meteor_1_5(evaluation_data: EvaluationData, matchers: str) -> None:
    """Every matcher, with the jar.

    > With the jar, the scores are those of METEOR 1.5.
    """
    metric = METEOR(matchers=SETS[matchers], resources=jar())
    for name, sets in evaluation_data.oracle("meteor.json.gz").items():
        if matchers not in sets:
            continue
        table = metric.count(*corpus(evaluation_data, name))
        ours = metric.segment_scores(table).values
        theirs = [100 * segment[-1] for segment in sets[matchers]["segments"]]
        equal = sum(abs(a - b) < 1e-4 for a, b in zip(ours, theirs, strict=True))
        assert equal == len(theirs), name
        system = 100 * sets[matchers]["system"]["Final score"]
        assert abs(metric.score(table.totals()).score - system) < 1e-2, name


def check_without_lists(name: str, texts: tuple[list[str], list[str]], matchers: str) -> None:
    goldens = json.loads(meteor_goldens.FILE.read_text(encoding="utf-8"))[name]
    metric = METEOR(matchers=matchers.replace(" ", "+"))
    table = metric.count(*texts)
    theirs = [100 * score for score in goldens[matchers]["segments"]]
    assert list(metric.segment_scores(table).values) == pytest.approx(theirs, abs=1e-10)
    system = metric.score(table.totals()).score
    assert system == pytest.approx(100 * goldens[matchers]["system"], abs=1e-10)


def test_without_resources_on_drawn_texts() -> None:
    check_without_lists("drawn", meteor_goldens.cases()["drawn"], "exact")


def test_stems_without_resources_on_drawn_texts() -> None:
    check_without_lists("drawn", meteor_goldens.cases()["drawn"], "exact stem")


@pytest.mark.data
@pytest.mark.parametrize("matchers", meteor_goldens.SETS)
def test_without_resources(evaluation_data: EvaluationData, matchers: str) -> None:
    """The other half of the 600 segments is drawn.

    > `METEOR(resources="none")` is METEOR 1.5 with `-m 'exact stem'` and empty lists, to 1e-10 in
      all of 600 segments.
    """
    check_without_lists("wmt13", meteor_goldens.cases(evaluation_data)["wmt13"], matchers)


def test_paraphrases_come_in_the_order_of_their_table(tmp_path: Path) -> None:
    entries, texts = meteor_goldens.table_case()
    for name in ("function/english.words", "data/paraphrase-en.gz"):
        (tmp_path / name).parent.mkdir()
    (tmp_path / "function" / "english.words").write_text("", encoding="utf-8")
    meteor_goldens.write_table(tmp_path / "data" / "paraphrase-en.gz", entries)
    goldens = json.loads(meteor_goldens.OF_TABLE.read_text(encoding="utf-8"))
    metric = METEOR(matchers="exact+stem+paraphrase", resources=str(tmp_path))
    ours = metric.segment_scores(metric.count(*texts)).values
    assert list(ours) == pytest.approx([100 * score for score in goldens["segments"]], abs=1e-10)


@pytest.mark.parametrize("options", meteor_goldens.TIES)
def test_equally_good_alignments(tmp_path: Path, options: str) -> None:
    """Scores of its program, where most alignments tie.

    > METEOR takes it if it is the only match of its words, or if it costs no chunk.
    """
    entries, texts = meteor_goldens.ties_case()
    for name in ("function/english.words", "data/paraphrase-en.gz"):
        (tmp_path / name).parent.mkdir()
    (tmp_path / "function" / "english.words").write_text("", encoding="utf-8")
    meteor_goldens.write_table(tmp_path / "data" / "paraphrase-en.gz", entries)
    goldens = json.loads(meteor_goldens.OF_TIES.read_text(encoding="utf-8"))[options]
    for program in (kernel(), plain_python):
        with counted_by(program):
            metric = METEOR(
                matchers="exact+stem+paraphrase",
                resources=str(tmp_path),
                weights=(1, 0.6, 0.6),
                **meteor_goldens.TIES[options],
            )
            table = metric.count(*texts)
        ours = metric.segment_scores(table).values
        assert list(ours) == pytest.approx([100 * one for one in goldens["segments"]], abs=1e-10)
        system = metric.score(table.totals()).score
        assert system == pytest.approx(100 * goldens["system"], abs=1e-10)


@pytest.mark.parametrize(
    ("word", "numbers"),
    [
        ("cars", (7,)),
        ("ves", (1,)),
        ("king", (2,)),
        ("vs", ()),
        ("lionesss", ()),
        ("lionesses", (3,)),
        ("her", (4,)),
    ],
)
def test_the_words_that_a_form_is_of(word: str, numbers: tuple[int, ...]) -> None:
    """As METEOR 1.5 has it: 86,220 pairs of forms and words match there and here alike."""
    sets: dict[str, tuple[int, ...]] = {
        "car": (7,),
        "v": (1,),
        "k": (2,),
        "lioness": (3,),
        "h": (4,),
        "he": (5,),
    }
    assert Synonyms(sets, {}).of(word) == numbers


@pytest.mark.peers
@pytest.mark.parametrize("case", ["full", "lower", "none", "own"])
@pytest.mark.parametrize("language", meteor_goldens.LANGUAGES)
def test_languages(language: str, case: str) -> None:
    """Each way to normalize, and the lists of function words.

    > METEOR 1.5 reads the English list with every `-l`, unless its option `-s` names another
      file,

    > **normalize=full** is METEOR's `-norm`: it splits punctuation and hyphens, removes the full
      stops of abbreviations and lower-cases.

    > METEOR without `-norm` is `normalize=none`, with `-lower` it is `lower`; then words end at
      spaces, tabs and form feeds alone, so a no-break space is part of a word.
    """
    goldens = json.loads(meteor_goldens.OF_LANGUAGES.read_text(encoding="utf-8"))[language][case]
    options: dict[str, Any] = {
        "language": language,
        "matchers": "exact" if language == "cs" else "exact+stem",
        "normalize": "full" if case == "own" else case,
        "function_words": "language" if case == "own" else "english",
    }
    metric = METEOR(resources=jar(), **options)
    table = metric.count(*meteor_goldens.language_cases(language))
    theirs = [100 * score for score in goldens["segments"]]
    assert list(metric.segment_scores(table).values) == pytest.approx(theirs, abs=1e-10)
    assert metric.score(table.totals()).score == pytest.approx(100 * goldens["system"], abs=1e-10)


OPTIONS = [
    (language, options)
    for language in meteor_goldens.LANGUAGES
    for options in meteor_goldens.OPTIONS
    if language == "en" or "util" not in options
]


def check_options(language: Any, options: str, goldens: Any, texts: Any, resources: str) -> None:
    metric = METEOR(
        language=language,
        matchers="exact" if language == "cs" else "exact+stem",
        resources=resources,
        **meteor_goldens.OPTIONS[options],
    )
    table = metric.count(*texts)
    theirs = [100 * score for score in goldens["segments"]]
    assert list(metric.segment_scores(table).values) == pytest.approx(theirs, abs=1e-10)
    assert metric.score(table.totals()).score == pytest.approx(100 * goldens["system"], abs=1e-10)


@pytest.mark.peers
@pytest.mark.parametrize(("language", "options"), OPTIONS)
def test_options(language: str, options: str) -> None:
    """Scores of its program with each option.

    > **no_punct=yes** is METEOR's `-noPunct`: a space replaces each character that is no letter
      or digit of METEOR's, after the rest of `normalize=full` and before letters become small.

    > **characters=yes** is METEOR's `-ch`: the lengths of both texts, their function words and
      the matches count the characters of words, in UTF-16, where an emoji has two.

    > **task=util** has METEOR's parameters for translators.

    > `task=util,characters=yes` is `-t util -ch`.
    """
    goldens = json.loads(meteor_goldens.OF_OPTIONS.read_text(encoding="utf-8"))
    texts = meteor_goldens.language_cases(language, meteor_goldens.MARKED)
    check_options(language, options, goldens[language][options], texts, jar())


@pytest.mark.peers
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="METEOR's program needs Java")
@pytest.mark.parametrize(("language", "options"), [one for one in OPTIONS if one[0] == "en"])
def test_options_live(tmp_path: Path, language: str, options: str) -> None:
    rng = random.Random(f"{options} live")
    (tmp_path / "meteor.jar").write_bytes(Path(jar()).read_bytes())
    words = f"{meteor_goldens.LANGUAGES[language]} {meteor_goldens.MARKED}".split(" ")
    words += [chr(rng.choice([rng.randrange(0x21, 0x3000), 0x1F600])) for _ in range(60)]
    words = [word for word in words if word.strip()]
    lines = [" ".join(rng.choices(words, k=rng.randrange(1, 25))) for _ in range(800)]
    texts = lines[:400], lines[400:]
    given = ["-l", language, "-m", "exact stem", *options.split(" ")]
    check_options(language, options, run_jar(tmp_path, texts, given), texts, jar())


# --- The two backends -----------------------------------------------------------------------------

FILES = {
    "function/english.words": "the\na\nof\n",
    "synonym/english.synsets": "car\n1 2\nautomobile\n1\nbank\n3\nshore\n3 4\n",
    "synonym/english.exceptions": "shore\nshoar\n",
    "nonbreaking/english.prefixes": "# titles\nMr\nNo #NUMERIC_ONLY#\n",
}
PARAPHRASES = [("the bank", "shore"), ("shore", "the bank"), ("car of", "a car"), ("cars", "car x")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "data").mkdir()
    with gzip.open(tmp_path / "data" / "paraphrase-en.gz", "wt", encoding="utf-8") as table:
        table.writelines(f"0.5\n{one}\n{other}\n" for one, other in PARAPHRASES)
    return tmp_path


def texts(count: int) -> list[str]:
    words = ["the", "bank", "shore", "car", "cars", "of", "a", "automobile", "x", "shoar"]
    rng = random.Random(7)
    return [" ".join(rng.choices(words, k=rng.randrange(12))) for _ in range(count)]


@pytest.mark.parametrize(
    "options",
    [{}, {"beam": 3}, {"normalize": "none"}, {"task": "adq"}, {"characters": True, "task": "util"}],
)
def test_backends_agree(folder: Path, options: dict[str, Any]) -> None:
    count = fuzz.pairs() // 10
    several = texts(3 * count)
    others = zip(several[count : 2 * count], several[2 * count :], strict=True)
    hypotheses, references = several[:count], list(others)
    rows = []
    for program in (kernel(), plain_python):
        with counted_by(program):
            metric = METEOR(resources=str(folder), **options)
            table = metric.count(hypotheses, [list(group) for group in references])
            pairs = zip(hypotheses, references, strict=True)
            marks = [metric.mark_segment(ours, [group[0]]) for ours, group in pairs]
            rows.append((table, marks))
    assert rows[0] == rows[1]


# --- The definition -------------------------------------------------------------------------------


def test_the_alignment_is_the_best() -> None:
    """With a wide beam, exact matches are as many as can be, in the fewest chunks."""
    metric = METEOR(matchers="exact", normalize="none", beam=10_000)
    rng = random.Random(3)
    for _ in range(300):
        ours, theirs = (rng.choices("abc", k=rng.randrange(1, 6)) for _ in range(2))
        score = metric.sentence_score(" ".join(ours), " ".join(theirs))
        matches, chunks = max(
            (len(pairs), -count_chunks(pairs)) for pairs in alignments(ours, theirs)
        )
        assert score.matches == matches
        assert score.chunks == (0 if chunks == -1 and ours == theirs else -chunks)


def alignments(ours: list[str], theirs: list[str], j: int = 0) -> list[list[tuple[int, int]]]:
    if j == len(theirs):
        return [[]]
    rest = alignments(ours, theirs, j + 1)
    return rest + [
        [(i, j), *pairs]
        for i, word in enumerate(ours)
        if word == theirs[j]
        for pairs in rest
        if all(i != other for other, _ in pairs)
    ]


def count_chunks(pairs: list[tuple[int, int]]) -> int:
    return sum(
        k == 0 or pair != (pairs[k - 1][0] + 1, pairs[k - 1][1] + 1) for k, pair in enumerate(pairs)
    )


# --- Normalization and files ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("U.S. and U.K. are 3.5 or 3,500.00, ok?", "us and uk are 3.5 or 3,500.00 , ok ?"),
        ("don't I'm dogs' 1990's", "don 't i 'm dogs ' 1990 's"),
        ("e-mail -- a – b — c x-y-z", "e mail - a - b — c x y-z"),
        ("17–21 17-21 a–b 5.–6 –", "17 - 21 17 21 a - b 5 . - 6 -"),
        ("“x” ‘y’ «z» … ... ``q''", '" x " \' y \' « z » … ... " q "'),
        ("No. 5 No. five No. Five Mr. X.", "no. 5 no. five no . five mr. x ."),
        ("No. ² No. ٣", "no . ² no . ٣"),
        ("日本語 naïve İ", "日 本 語 naïve i̇"),
        ("www.kpks.cz. x@y.com", "wwwkpkscz x @ y.com"),
    ],
)
def test_normalization(text: str, tokens: str) -> None:
    for normalizer in (kernel().MeteorNormalizer, MeteorNormalizer):
        assert normalizer({"Mr": False, "No": True}, "en")(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Mr. X said: 3.5 or 3,500, U.S. a.b.c", "mr x said 3 5 or 3 500 us a b c"),
        ("e-mail -- x-y-z don't 'tis a_b #1", "e mail x y z don t tis a b 1"),
        # Letters that METEOR does not know are punctuation, before small letters are written.
        ("ẞa \u212aa İs ßſ \u0130.\u0307 日本", "a a i̇s ß i̇"),
        ("... !? 😀 ", ""),
    ],
)
def test_no_punctuation(text: str, tokens: str) -> None:
    for normalizer in (kernel().MeteorNormalizer, MeteorNormalizer):
        assert normalizer({}, "en", True)(text) == tokens


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_normalizers_agree(language: str) -> None:
    prefixes = {"Mr": False, "No": True, "Ü": False, "a.b": True}
    programs = (kernel().MeteorNormalizer, MeteorNormalizer)
    pairs = [[one(prefixes, language, no) for one in programs] for no in (False, True)]
    rng = random.Random(5)
    parts = [
        *"abzAZÀ×÷žſЀԧᴀᵿꙀꚗ.',-“”‘’`–09５²٣\t\n\x0b\x01\x1c\x85\u1680\u2028\u3000\xa0ΣİßÐ%$日\ud800\0",
        *"  ''..--",
    ]
    parts += ["Mr.", "No.", "No. 5", "Ü. ", "a.b.", "U.S.", "'s", "9's", "a'b", "..", "x-y-z"]
    for _ in range(fuzz.pairs()):
        text = "".join(rng.choices(parts, k=rng.randrange(14)))
        for ours, theirs in pairs:
            assert ours(text) == theirs(text)


def test_missing_and_damaged_files(folder: Path) -> None:
    with pytest.raises(OptionError, match=r"nowhere' does not exist; download METEOR"):
        METEOR(resources="nowhere")
    table = folder / "data" / "paraphrase-en.gz"
    table.write_bytes(b"no gzip")
    with pytest.raises(InputError, match=r"paraphrase-en\.gz cannot be read"):
        METEOR(resources=str(folder)).sentence_score("a", "a")
    table.write_bytes(gzip.compress(b"0.5\na\n"))
    with pytest.raises(InputError, match=r"the last entry is not complete"):
        METEOR(resources=str(folder)).sentence_score("a", "a")
    table.unlink()
    with pytest.raises(OptionError, match=r"paraphrase-en\.gz, which is missing"):
        METEOR(resources=str(folder))
    (folder / "synonym" / "english.exceptions").unlink()
    with pytest.raises(OptionError, match=r"no file synonym/english\.exceptions"):
        METEOR(resources=str(folder), matchers="synonym")
    file = folder / "meteor-1.jar"
    file.write_bytes(b"no zip")
    with pytest.raises(OptionError, match="is not a jar file"):
        METEOR(resources=str(file))
    with pytest.raises(OptionError, match="synonym, which needs resources"):
        METEOR(matchers="exact+synonym")


def test_of_too_many_matches_those_near_the_diagonal_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same, metric = "a " * 20, METEOR(matchers="exact")
    with counted_by(plain_python):
        before = metric.sentence_score(same, same)
        few = metric.sentence_score(f"{same}b", f"b {same}")
        # Of 20 words with 20, at most 2 words away: 94 pairs.
        monkeypatch.setattr(alignment, "MOST_MATCHES", 94)
        words = [Word("a", "a", False)] * 20
        found = alignment.find_matches(words, words, [EXACT], {}, 0)
        assert [[match.hypothesis for match in some] for some in found] == [
            list(range(max(0, j - 2), min(20, j + 3))) for j in range(20)
        ]
        assert metric.sentence_score(same, same) == before
        # The word at the other end is too far away.
        assert metric.sentence_score(f"{same}b", f"b {same}").matches == few.matches - 1 == 20
        monkeypatch.setattr(alignment, "MOST_MATCHES", 0)
        assert metric.sentence_score(same, same) == before


@pytest.mark.slow
@pytest.mark.parametrize("version", [pytest.param("1.5", marks=pytest.mark.long), "2005"])
def test_a_million_matches_are_scored(version: Any) -> None:
    drawn = random.Random(3)
    texts = [
        " ".join("the" if drawn.random() < 0.98 else drawn.choice("xyz") for _ in range(n))
        for n in (1060, 1020)
    ]
    rows = []
    for program in (kernel(), plain_python):
        with counted_by(program):
            metric = METEOR(matchers="exact", version=version, beam=1)
            rows.append(metric.count(texts[:1], texts[1:]))
    assert rows[0] == rows[1]
    assert rows[0].row(0).values[:2] == (1060, 1020)


@pytest.mark.slow
def test_nothing_is_too_repetitive() -> None:
    with counted_by(kernel()):
        version: Any
        for version, size in (("1.5", 1010), ("2005", 400)):
            metric = METEOR(matchers="exact", version=version, beam=2)
            for n, m in ((size, size), (5000, 7), (3, 5000)):
                score = metric.sentence_score("a " * n, "a " * m)
                assert score.matches == min(n, m), (version, n, m)


def test_words_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MOST_WORDS", 3)
    for program in (kernel(), plain_python):
        with counted_by(program):
            metric = METEOR(matchers="exact")
            references = metric.prepare_references(["a cat", "the dog"])
            for n in range(5):
                assert metric.sentence_score(f"w{n} cat", [f"w{n} cat", "a"]).score == 100
                assert len(metric._counter._numbering.lexicon) <= 6
            # These words have the numbers that they had.
            scores = metric.sentence_scores(["a cat", "the cat"], references)
            same, other = scores.values
            assert same == 100 > other > 0


TWO_THREADS = """
import threading
from bleuet import METEOR

metric = METEOR(matchers="exact")
done = threading.Event()

def read_new_words():
    number = 0
    while not done.is_set():
        number += 1
        metric.sentence_score(f"w{number}", [f"w{number}"])

other = threading.Thread(target=read_new_words)
other.start()
metric.sentence_score("a b " * 600, ["b a " * 600])
done.set()
other.join()
"""


@pytest.mark.slow
@pytest.mark.usefixtures("needs_kernel")
def test_a_long_search_and_new_words_do_not_wait_for_each_other() -> None:
    subprocess.run([sys.executable, "-c", TWO_THREADS], timeout=PATIENCE, check=True)
