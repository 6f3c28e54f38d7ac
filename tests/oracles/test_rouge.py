"""ROUGE against rouge-score 0.1.2, its stems against NLTK's, its words against Unicode's."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import ROUGE, MissingExtraError
from bleuet.statistics.backend import backend
from bleuet.text.porter import porter_stem
from bleuet.text.tokenizers.rouge_words import UNSPACED, unicode_words
from tests.oracles import fuzz, rouge155_goldens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.evaluation_data import EvaluationData

VARIANTS = [*"123456789", "L", "Lsum"]
MEASURES = ("precision", "recall", "fmeasure")
Row = tuple[float, float, float]


def theirs(
    hypotheses: Sequence[str], references: Sequence[Any], variants: Sequence[str], **options: Any
) -> dict[str, list[Row]]:
    """rouge-score's numbers of each segment, per variant."""
    names = {f"rouge{variant}": variant for variant in variants}
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer(list(names), **options)
    found: dict[str, list[Row]] = {variant: [] for variant in variants}
    for hypothesis, several in zip(hypotheses, references, strict=True):
        entry = [several] if isinstance(several, str) else several
        scores = scorer.score_multi([one for one in entry if one is not None], hypothesis)
        for name, variant in names.items():
            one = scores[name]
            found[variant].append((float(one.precision), float(one.recall), float(one.fmeasure)))
    return found


def ours(metric: ROUGE, hypotheses: Sequence[str], references: Sequence[Any]) -> list[Row]:
    table = metric.count(hypotheses, references)
    return list(zip(*(table.column(name) for name in MEASURES), strict=True))


def with_newlines(seed: int, texts: Sequence[Any]) -> list[Any]:
    """Texts with several sentences: some spaces become newlines."""
    rng = random.Random(seed)

    def divided(text: Any) -> Any:
        if not isinstance(text, str):
            return text and [divided(one) for one in text]
        return re.sub(" ", lambda _: rng.choice(["\n", "\n\n", " ", " "]), text)

    return [divided(text) for text in texts]


@pytest.mark.peers
@pytest.mark.parametrize("stemming", [False, True])
def test_texts_that_no_one_would_write(stemming: bool) -> None:
    """P, R and F of each segment, to the last bit.

    > **The same number** as rouge-score 0.1.2, to the last digit of P, R and F of each segment,
      with all its options:

    > | `RougeScorer(["rouge1"]).score(reference, hypothesis)` |
      `ROUGE(variant="1").sentence_score(hypothesis, reference)` |

    > | `use_stemmer=True` | `stemming=True` |
    """
    # rouge-score takes a tenth of a millisecond for each segment and variant, stems five times
    # that.
    pairs = fuzz.pairs() // (8 if stemming else 2)
    hypotheses, references = fuzz.segments(12 + stemming, pairs)
    hypotheses, references = with_newlines(1, hypotheses), with_newlines(2, references)
    expected = theirs(hypotheses, references, VARIANTS, use_stemmer=stemming)
    for variant in VARIANTS:
        found = ours(ROUGE(variant=variant, stemming=stemming), hypotheses, references)
        assert found == expected[variant], variant
        assert any(f > 0 for _, _, f in found)


@pytest.mark.peers
@pytest.mark.data
@pytest.mark.parametrize("stemming", [False, True])
def test_translations(evaluation_data: EvaluationData, stemming: bool) -> None:
    folder = "data/wmt13/de-en"
    hypotheses = evaluation_data.system(folder, evaluation_data.system_names(folder)[0])[:300]
    references = evaluation_data.reference(folder)[:300]
    expected = theirs(hypotheses, references, VARIANTS, use_stemmer=stemming)
    for variant in VARIANTS:
        metric = ROUGE(variant=variant, stemming=stemming)
        assert ours(metric, hypotheses, references) == expected[variant]
        mean = sum(f for _, _, f in expected[variant]) / 300
        assert metric.corpus_score(hypotheses, references).score == 100 * mean


@pytest.mark.peers
@pytest.mark.data
def test_many_references(evaluation_data: EvaluationData) -> None:
    """Up to 45.

    > | `score_multi(references, hypothesis)` | the same, with a list of references |
    """
    references = evaluation_data.e2e_references()[:60]
    # The first reference of the segment before, so that no hypothesis is its own reference.
    hypotheses = [several[0] for several in references[-1:] + references[:-1]]
    expected = theirs(hypotheses, references, VARIANTS)
    for variant in VARIANTS:
        assert ours(ROUGE(variant=variant), hypotheses, references) == expected[variant]


def long_texts(seed: int, tokens: int, vocabulary: int, sentences: int) -> tuple[str, str]:
    (hypothesis,), (reference,) = fuzz.long_segments(seed, tokens, vocabulary, 1)
    rng = random.Random(seed)

    def divided(text: str) -> str:
        words = text.split()
        cuts = sorted(rng.sample(range(len(words)), sentences - 1))
        ends = zip([0, *cuts], [*cuts, len(words)], strict=True)
        return "\n".join(" ".join(words[start:end]) for start, end in ends)

    return divided(hypothesis), divided(reference)


@pytest.mark.peers
@pytest.mark.parametrize(
    # Around 64 and 128 tokens the kernel goes from one way of counting to another, and at 4096
    # words of masks to lists of positions.
    ("tokens", "vocabulary", "sentences"),
    [*[(n, 20, 3) for n in (63, 64, 65, 127, 128, 129)], (700, 500, 4)],
)
def test_long_texts(tokens: int, vocabulary: int, sentences: int) -> None:
    hypothesis, reference = long_texts(tokens, tokens, vocabulary, sentences)
    expected = theirs([hypothesis], [reference], ["2", "L", "Lsum"])
    variant: Any
    for variant, rows in expected.items():
        assert ours(ROUGE(variant=variant), [hypothesis], [reference]) == rows


@pytest.mark.peers
def test_a_sentence_so_long_that_columns_are_computed_twice() -> None:
    rng = random.Random(11)
    words = [f"w{rng.randrange(40)}" for _ in range(2800)]
    other = [word for word in words if rng.random() < 0.5]
    hypothesis = " ".join(words) + "\n" + " ".join(rng.choices(words, k=60))
    expected = theirs([hypothesis], [" ".join(other)], ["Lsum"])["Lsum"]
    assert len(other) // 64 * len(words) > 1 << 15
    assert ours(ROUGE(variant="Lsum"), [hypothesis], [" ".join(other)]) == expected


@pytest.mark.peers
def test_the_subsequence_of_sentences_is_theirs() -> None:
    """Few different words, so that there are many longest common subsequences."""
    rng = random.Random(5)

    def text() -> str:
        size = rng.choice([2, 3, 6])
        return "\n".join(
            " ".join(rng.choices("abcdef"[:size], k=rng.choice([0, 1, 4, 15, 70])))
            for _ in range(rng.choice([1, 2, 4]))
        )

    hypotheses = [text() for _ in range(300)]
    references = [[text() for _ in range(rng.choice([1, 1, 3]))] for _ in range(300)]
    expected = theirs(hypotheses, references, ["L", "Lsum"])
    variant: Any
    for variant, rows in expected.items():
        assert ours(ROUGE(variant=variant), hypotheses, references) == rows
    marked = [one.replace("\n", "<n>") for one in hypotheses]
    by_mark = ROUGE(variant="Lsum", sentences="<n>")
    several = [[one.replace("\n", "<n>") for one in entry] for entry in references]
    assert ours(by_mark, marked, several) == expected["Lsum"]


@pytest.mark.peers
def test_split_summaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """NLTK's tokenizer without the data that it learned from English news.

    > | `split_summaries=True` | `sentences="nltk"` |
    """
    nltk = import_module("nltk")
    split = nltk.tokenize.punkt.PunktSentenceTokenizer().tokenize
    monkeypatch.setattr(nltk, "sent_tokenize", split)
    rng = random.Random(7)

    def text() -> str:
        return " ".join(rng.choice(["A cat", "sat.", "It", "rained!", "No\nend", "cats. it"])
                        for _ in range(rng.randrange(12)))  # fmt: skip

    hypotheses, references = [text() for _ in range(300)], [text() for _ in range(300)]
    for stemming in (False, True):
        options = {"split_summaries": True, "use_stemmer": stemming}
        expected = theirs(hypotheses, references, ["Lsum"], **options)["Lsum"]
        metric = ROUGE(variant="Lsum", sentences="nltk", stemming=stemming)
        assert ours(metric, hypotheses, references) == expected
        assert ours(ROUGE(variant="Lsum"), hypotheses, references) != expected


@pytest.mark.libraries
def test_missing_data_of_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error names it.

    > `sentences="nltk"` needs `pip install 'bleuet[nltk]'` and NLTK's data `punkt_tab`.
    """

    def missing(text: str) -> list[str]:
        raise LookupError("a page of advice")

    monkeypatch.setattr("nltk.sent_tokenize", missing)
    with pytest.raises(MissingExtraError, match=r"python -m nltk.downloader punkt_tab"):
        ROUGE(variant="Lsum", sentences="nltk").sentence_score("A cat.", "A cat.")


@pytest.mark.peers
def test_own_tokens() -> None:
    """rouge-score takes any tokenizer; ours divides at white space.

    > | `tokenizer=...` | `tokenize="none"`, and words with spaces between them |
    """

    class AtSpaces:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    hypotheses, references = fuzz.segments(14, 500)
    expected = theirs(hypotheses, references, ["1", "2", "L", "Lsum"], tokenizer=AtSpaces())
    variant: Any
    for variant, rows in expected.items():
        assert ours(ROUGE(variant=variant, tokenize="none"), hypotheses, references) == rows


SUFFIXES = """
al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize icate ative alize
iciti ical ful ness ational tional enci anci izer bli abli alli entli eli ousli ization ation ator
alism iveness fulness ousness aliti iviti biliti fulli logi ed ing ied ies s ss sses eed y ey e ll
at bl iz tt
"""


def words_of_english(evaluation_data: EvaluationData) -> set[str]:
    lines = evaluation_data.reference("data/wmt13/de-en")
    return set(re.findall("[a-z0-9]+", " ".join(lines).lower()))


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # Of Porter (1980), step 1b, and more words with a doubled consonant.
        *(("hopping", "hop"), ("tanned", "tan"), ("falling", "fall"), ("hissing", "hiss")),
        *(("fizzed", "fizz"), ("failing", "fail"), ("filing", "file"), ("sitting", "sit")),
        *(("planned", "plan"), ("begged", "beg"), ("stirring", "stir"), ("hummed", "hum")),
    ],
)
def test_doubled_consonants(word: str, stem: str) -> None:
    assert porter_stem(word) == stem
    if backend().NATIVE:
        assert backend().tokenize("rouge-stems", word) == [stem]


@pytest.mark.peers
@pytest.mark.data
def test_stems(evaluation_data: EvaluationData) -> None:
    rng, suffixes = random.Random(9), SUFFIXES.split()
    words = words_of_english(evaluation_data)
    for _ in range(5 * fuzz.pairs()):
        stem = "".join(rng.choices("aeiouybcdfglmnstzwx1", k=rng.randint(0, 5)))
        words.add(stem + "".join(rng.choices(suffixes, k=rng.randint(0, 3))))
    words |= {"skies", "dying", "news", "innings", "outing", "canning", "howe", "succeed"}
    stemmer = import_module("nltk.stem.porter").PorterStemmer()
    ordered = sorted(words - {""})
    expected = [stemmer.stem(word) for word in ordered]
    assert [porter_stem(word) for word in ordered] == expected
    kept = [stem if len(word) > 3 else word for word, stem in zip(ordered, expected, strict=True)]
    if backend().NATIVE:
        assert backend().tokenize("rouge-stems", " ".join(ordered)) == kept


@pytest.mark.slow
def test_words_of_every_script() -> None:
    """One character between two letters: part of the word, alone, or nothing."""
    unspaced = {code for first, last in UNSPACED for code in range(first, last + 1)}
    checked = 0
    # Of the ideographs and private characters beyond, a few.
    for code in [*range(0x20000), *range(0x20000, 0x110000, 97)]:
        character = chr(code)
        category = unicodedata.category(character)
        words = unicode_words(f"a{character}b")
        if backend().NATIVE:
            assert backend().tokenize("unicode", f"a{character}b") == words, hex(code)
        # The tables are of a newer Unicode, in which more characters are assigned.
        if category == "Cn":
            continue
        checked += 1
        if category[0] in "PSZ" or category == "Cc" or character in "\u200b\ufeff":
            assert words == ["a", "b"], hex(code)
        elif code in unspaced:
            assert words == ["a", character, "b"], hex(code)
        else:
            assert words == [f"a{character}b"], hex(code)
    assert checked > 80_000


def test_equal_texts_of_any_script_are_equal() -> None:
    for text in ("ข้อความภาษาไทย", "你好，世界。", "Привет, мир!", "नमस्ते दुनिया", "안녕 세계"):
        assert ROUGE(tokenize="unicode").sentence_score(text, text).score == 100
        assert ROUGE().sentence_score(text, text).score == 0
    metric = ROUGE(variant="1", tokenize="unicode")
    assert metric.sentence_score("你好世界", "你好").recall == 100
    assert metric.sentence_score("你好世界", "你好").precision == 50


# --- ROUGE-1.5.5, the Perl program ----------------------------------------------------------------

# The names of its measures in each stored run, and ours.
PERL: list[tuple[str, str, dict[str, Any]]] = [
    ("one reference", "ROUGE-1", {"variant": "1"}),
    ("one reference", "ROUGE-2", {"variant": "2"}),
    ("one reference", "ROUGE-L", {"variant": "L"}),
    ("one reference", "ROUGE-W-1.2", {"variant": "W"}),
    ("one reference", "ROUGE-S4", {"variant": "S"}),
    ("one reference", "ROUGE-SU4", {"variant": "SU"}),
    ("any distance", "ROUGE-W-2", {"variant": "W", "weight": 2}),
    ("any distance", "ROUGE-S*", {"variant": "S", "skip_distance": 1000}),
    ("any distance", "ROUGE-SU*", {"variant": "SU", "skip_distance": 1000}),
    ("distance 0", "ROUGE-W-1.5", {"variant": "W", "weight": 1.5}),
    ("distance 0", "ROUGE-S0", {"variant": "S", "skip_distance": 0}),
    ("distance 0", "ROUGE-SU0", {"variant": "SU", "skip_distance": 0}),
    ("average", "ROUGE-1", {"variant": "1", "several": "average"}),
    ("average", "ROUGE-2", {"variant": "2", "several": "average"}),
    ("average", "ROUGE-L", {"variant": "L", "several": "average"}),
    ("average", "ROUGE-W-1.2", {"variant": "W", "several": "average"}),
    ("average", "ROUGE-S4", {"variant": "S", "several": "average"}),
    ("average", "ROUGE-SU4", {"variant": "SU", "several": "average"}),
]


@pytest.mark.parametrize(("run", "name", "options"), PERL)
def test_the_perl_program(run: str, name: str, options: dict[str, Any]) -> None:
    """Five digits of each segment.

    > `several=average` divides the sum of what the hypothesis shares with each reference by the
      sums of what they have, as ROUGE-1.5.5 does by default (`-f A`).

    > In ROUGE-W, the program traces the subsequence back through the paper's table and adds the
      runs of the reference alone,

    > `skip_distance=1000000` sets no limit, as `-2 -1` of ROUGE-1.5.5.

    > **The same number** as ROUGE-1.5.5 for W, S and SU, and with `several=average` for N and L
      too, of texts in one line that have only letters and digits: P and R in all five digits that
      the program prints.
    """
    hypotheses, references = rouge155_goldens.texts()
    several = [one[: rouge155_goldens.RUNS[run][1]] for one in references]
    stored = json.loads(rouge155_goldens.FILE.read_text(encoding="utf-8"))["figures"][run][name]
    for mine, theirs in zip(ours(ROUGE(**options), hypotheses, several), stored, strict=True):
        # It prints five digits, and F of precision and recall as printed.
        assert mine[:2] == pytest.approx(tuple(theirs[:2]), abs=5.1e-6)
        assert mine[2] == pytest.approx(theirs[2], abs=1e-5 + 5.1e-6)
    assert len({row[2] for row in ours(ROUGE(**options), hypotheses, several)}) > 20


def test_stems_of_the_perl_program() -> None:
    """Which words are the same with its -m, and with `stemming`.

    > `stemming` is that of rouge-score, and not `-m` of ROUGE-1.5.5, which also has WordNet's list
      of irregular forms: it takes "feet" for "foot", and "dies" not for "die".
    """
    stored = json.loads(rouge155_goldens.FILE.read_text(encoding="utf-8"))["figures"]["stems"]
    words, stems = rouge155_goldens.WORDS, rouge155_goldens.STEMS
    same = [word for word, row in zip(words, stored["ROUGE-1"], strict=True) if row[2] == 1]
    assert same == ["feet", "went", "better", "news", "running", "agreed"]
    scores = ROUGE(variant="1", stemming=True).sentence_scores(words, stems)
    ours = [word for word, score in zip(words, scores, strict=True) if score == 100]
    assert ours == ["dies", "skies", "running", "agreed"]


def test_identical_texts_by_the_perl_program() -> None:
    """Its formula, which the test above compares.

    > the length of the reference has the exponent `weight` twice, so that identical texts score
      less than 100.
    """
    text = "a b c d e"
    assert ROUGE(variant="W").sentence_score(text, text).score < 100
    assert ROUGE(variant="W", rules="paper").sentence_score(text, text).score == 100


def test_the_examples_of_the_paper() -> None:
    """Lin (2004), sections 4 and 5.

    Of SU, the section has one number: a text in the reverse order scores more than 0.
    """
    weighted = ROUGE(variant="W", weight=2, rules="paper", tokenize="none")
    texts = ["A B C D H I K", "A H B K C I D"]
    found = weighted.sentence_scores(texts, ["A B C D E F G"] * 2)
    assert [round(one / 100, 3) for one in found.values] == [0.571, 0.286]
    texts = ["police kill the gunman", "the gunman kill police", "the gunman police killed"]
    right = "police killed the gunman"
    pairs = ROUGE(variant="S", skip_distance=1000)
    found = pairs.sentence_scores(texts, [right] * 3)
    assert [round(one / 100, 3) for one in found.values] == [0.5, 0.167, 0.333]
    backwards = "gunman the killed police"
    assert pairs.sentence_score(backwards, right).score == 0
    assert ROUGE(variant="SU", rules="paper").sentence_score(backwards, right).score > 0


@pytest.mark.parametrize("variant", ["1", "2", "L", "W", "S", "SU"])
def test_jackknifing(variant: Any) -> None:
    """Lin (2004), section 2.1: the mean of the best scores against all references but one."""
    hypotheses, references = rouge155_goldens.texts()
    metric = ROUGE(variant=variant, several="jackknife")
    best = ROUGE(variant=variant)
    for hypothesis, several in zip(hypotheses[:40], references, strict=False):
        (found,) = ours(metric, [hypothesis], [several])
        (one, two, three) = several
        pairs = [[two, three], [one, three], [one, two]]
        rows = ours(best, [hypothesis] * 3, pairs)
        assert found == pytest.approx([sum(column) / 3 for column in zip(*rows, strict=True)])
        assert ours(metric, [hypothesis], [[one]]) == ours(best, [hypothesis], [[one]])
