"""Where the guides say that another program gives another number, by that program.

Docstrings quote the guides, after `> `; `test_quotations.py` compares the quotations.
"""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import subprocess
import sys
import unicodedata
from collections import Counter
from functools import cache
from hashlib import sha256
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from bleuet import (
    BLEU,
    CHRF,
    GECGLEU,
    METEOR,
    NIST,
    RIBES,
    ROUGE,
    TER,
    MeanCHRF,
    make_metric,
    with_sources,
)
from bleuet.text.english_speech import normalized_speech
from bleuet.text.porter import porter_stem
from bleuet.text.stemmers import find_stemmer
from bleuet.text.tokenizers import find_tokenizer
from tests.oracles import difference_goldens as made
from tests.oracles import fuzz
from tests.oracles.meteor_goldens import run_jar
from tests.oracles.meteor_jar import jar
from tests.oracles.sacrebleu_peer import peer_tokenizer

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

peers = pytest.mark.peers
needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")


def metrics_of_sacrebleu() -> Any:
    return import_module("sacrebleu.metrics")


def nltk(name: str) -> Any:
    return import_module(f"nltk.translate.{name}_score")


@cache
def stored(program: str) -> Any:
    return json.loads(made.FILE.read_text(encoding="ascii"))[program]["figures"]


# --- sacreBLEU ------------------------------------------------------------------------------------


@peers
def test_signatures_of_sacrebleu() -> None:
    """What they leave out.

    > sacreBLEU's signatures do not contain the n-gram order, although its Python class has this
      option, and they show small smoothing values as 0.00.

    > In sacreBLEU, only the name contains β, so a signature without the name does not show it.

    > | `unmatched`, `order`, `weights`, `reflen`, `beta`, `reftok` | the same | options that
      the pages of metrics list; not in signatures of sacreBLEU;
    """
    options = {"max_ngram_order": 2, "smooth_method": "floor", "smooth_value": 0.001}
    bleu = metrics_of_sacrebleu().BLEU(**options)
    bleu.corpus_score(["a b"], [["a c"]])
    assert str(bleu.get_signature()) == (
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.00]|version:2.6.0"
    )
    by_beta = [metrics_of_sacrebleu().CHRF(beta=beta) for beta in (2, 3)]
    scores = [one.corpus_score(["ab"], [["abcd"]]) for one in by_beta]
    assert [one.name for one in scores] == ["chrF2", "chrF3"]
    assert scores[0].score != scores[1].score
    assert str(by_beta[0].get_signature()) == str(by_beta[1].get_signature())


@peers
@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("smooth", ["none", "floor", "add-k", "exp"])
def test_special_cases_of_bleu(smooth: Any, effective: bool) -> None:
    """The cases, with every smoothing.

    > sacreBLEU behaves the same in all cases below.

    > If no order has a match, the score is 0 with every smoothing of sacreBLEU.
    """
    theirs = metrics_of_sacrebleu().BLEU(smooth_method=smooth, effective_order=effective)
    ours = BLEU(smooth=smooth, effective_order=effective)
    segments: list[tuple[str, list[str | None]]] = [
        ("a b c d", ["a b c d"]),
        ("x y z w", ["a b c d"]),
        ("cat", ["cat"]),
        ("the cat", ["the cat"]),
        ("a b c d", ["a b c d e", "a b c"]),
        ("a b c d", ["", "a b c d e f g h i"]),
        ("a b c d ", ["a b c d", None]),
        ("a b c d", ["", "a"]),
        ("", ["a"]),
    ]
    for hypothesis, references in segments:
        other = theirs.sentence_score(hypothesis, references)
        score = ours.sentence_score(hypothesis, references)
        assert str(score) == str(other)
        assert score.score == other.score
    assert ours.sentence_score("a b c d", "a b c d").score == 100.00000000000004
    assert theirs.sentence_score("x y z w", ["a b c d"]).score == 0


@peers
@pytest.mark.parametrize("value", [None, 0.25, 3])
def test_counts_with_add_k(value: float | None) -> None:
    """Ours are what was counted; the class with sacreBLEU's interface adds k, as sacreBLEU does.

    > With `add-k`, sacreBLEU adds k to the `counts` and `totals` that it reports, from the second
      order on, and so does
    """
    compat = import_module("bleuet.compat.sacrebleu.metrics")
    options = {"smooth_method": "add-k", "smooth_value": value}
    theirs = metrics_of_sacrebleu().BLEU(**options)
    hypotheses, several = fuzz.segments(51, 500)
    compared = 0
    for hypothesis, one in zip(hypotheses, fuzz.all_references(several), strict=True):
        ours = BLEU(smooth="add-k", smooth_value=value).sentence_score(hypothesis, one)
        plain = BLEU().sentence_score(hypothesis, one)
        other = theirs.sentence_score(hypothesis, one)
        same = compat.BLEU(**options).sentence_score(hypothesis, one)
        assert (ours.counts, ours.totals) == (plain.counts, plain.totals)
        assert (same.counts, same.totals) == (other.counts, other.totals)
        assert ours.score == same.score == other.score
        if any(plain.counts):
            k = 1 if value is None else value
            assert other.counts == [plain.counts[0], *(n + k for n in plain.counts[1:])]
            assert other.totals == [plain.totals[0], *(n + k for n in plain.totals[1:])]
            compared += 1
    assert compared > 200


@peers
def test_intl_of_sacrebleu() -> None:
    """Entities, and a full stop behind a number.

    > `intl` does not replace entities such as `&quot;`, and does not split a full stop from a
      number at the end of a segment.
    """
    theirs = peer_tokenizer("tokenizer_intl")()
    for line, tokens in (("&quot;a&quot;", "& quot ; a & quot ;"), ("It is 5.", "It is 5.")):
        assert theirs(line) == find_tokenizer("intl").tokenize(line) == tokens


@peers
def test_zh_of_sacrebleu() -> None:
    """Signs and rare ideographs.

    > So dashes, curly quotes, €, arrows and mathematical signs become tokens, and rare ideographs
      do not. `zh` does the same.

    > | `zh-fixed` | as `zh`, with the intended ranges of characters | Chinese; not in sacreBLEU |

    > **`zh`**: sacreBLEU's list of Chinese characters should contain the ideographs U+20000–2A6D6
      and U+2F800–2FA1D, but a mistake in the notation adds U+2001–2A6D instead.
    """
    theirs = peer_tokenizer("tokenizer_zh")()
    for character in "–“€→∑":
        assert theirs(f"a{character}b") == f"a {character} b"
        assert find_tokenizer("zh").tokenize(f"a{character}b") == f"a {character} b"
    for character in "\U00020000\U0002a6d6\U0002f800":
        assert theirs(f"a{character}b") == find_tokenizer("zh").tokenize(f"a{character}b")
        assert theirs(f"a{character}b") == f"a{character}b"
        assert find_tokenizer("zh-fixed").tokenize(f"a{character}b") == f"a {character} b"
    # From U+2001 to U+2A6D, which is the notation that was meant to be of one digit more.
    for character, is_listed in (("\u2010", True), ("\u2a6d", True), ("\u2a6e", False)):
        assert (theirs(f"a{character}b") == f"a {character} b") is is_listed
    with pytest.raises(KeyError):
        metrics_of_sacrebleu().BLEU(tokenize="zh-fixed")


@peers
def test_ter_of_sacrebleu_normalizes_references_twice() -> None:
    """A perfect hypothesis, and kana.

    > With `normalized`, the second pass splits references further, but not hypotheses, so even a
      perfect hypothesis can need edits.

    > `asian_support`** does not split sequences of kana, because sacreBLEU's rules for kana never
      apply.

    > **sacreBLEU tokenizes references twice.**
    """
    theirs, dog = metrics_of_sacrebleu().TER(normalized=True), "the dog's."
    assert theirs.sentence_score(dog, [dog]).score == 50
    assert TER(normalized=True).sentence_score(dog, dog).score == 50
    tokenize = peer_tokenizer("tokenizer_ter")(normalized=True, asian_support=True)
    for text in ("かきくけこ", "カキクケコ"):
        assert tokenize(text) == text
    assert tokenize("㈀\u3f22").split() == ["㈀", "\u3f22"]


@peers
def test_the_mean_of_sentence_scores_of_sacrebleu() -> None:
    """Its chrF of sentences.

    > `MeanCHRF(eps_smoothing=False)` is the mean of sacreBLEU's sentence scores.
    """
    hypotheses, several = fuzz.segments(52, 400)
    references = fuzz.all_references(several)
    theirs = metrics_of_sacrebleu().CHRF()
    scores = [
        theirs.sentence_score(*pair).score for pair in zip(hypotheses, references, strict=True)
    ]
    ours = MeanCHRF(eps_smoothing=False).corpus_score(hypotheses, references).score
    assert ours == pytest.approx(sum(scores) / len(scores), rel=1e-12)


@peers
def test_transposed_references_of_sacrebleu() -> None:
    """The same lists, read as streams.

    > sacreBLEU expects *streams*: one list with the first reference of every segment, one with the
      second, and so on.
    """
    hypotheses = ["the cat sat on the mat", "it is raining today"]
    streams = [
        ["the cat sat on the mat", "it is raining now"],
        ["a cat was on the mat", "it rains today"],
    ]
    theirs = metrics_of_sacrebleu().BLEU().corpus_score(hypotheses, streams)
    assert round(theirs.score, 2) == 85.99
    assert round(BLEU().corpus_score(hypotheses, streams).score, 2) == 70.71


def outcome(call: Any) -> str:
    """Return the score, or the name of the exception."""
    try:
        return f"{call().score:.2f}"
    except Exception as error:
        return type(error).__name__


@peers
def test_misuse_of_sacrebleu() -> None:
    """Each line of the table of differences in the guide to sacreBLEU, in Python.

    > | different numbers of hypotheses and references | ignores the rest of the longer list |

    > | references in a list per segment | a wrong score, often 100 |

    > | a string instead of a list | scores its characters |

    > | a segment whose references are all `None` | an exception that depends on the metric |

    > | an unknown smoothing or tokenizer | `AssertionError`, `KeyError` |

    > | `compute_bleu` with `add-k` | changes the lists of the caller |
    """
    peer = metrics_of_sacrebleu()
    several = [peer.BLEU(), peer.CHRF(), peer.TER()]
    perfect = ["100.00", "100.00", "0.00"]
    text, others = "a b c d e", ["x y z w v", "q r s t u"]
    for given in (([text, *others], [[text]]), ([text], [[text, *others]])):
        assert [outcome(lambda m=m, g=given: m.corpus_score(*g)) for m in several] == perfect
    of_segments = [[text], ["f g h i j"], ["k l m n o"]]
    assert [
        outcome(lambda m=m: m.corpus_score([text, *others], of_segments)) for m in several
    ] == perfect
    score = peer.BLEU().corpus_score("abcd", [list("abcd")])
    assert (score.sys_len, score.ref_len) == (4, 4)
    found = {outcome(lambda m=m: m.corpus_score(["a", "b"], [["a", None]])) for m in several}
    assert found == {"TypeError", "IndexError", "ZeroDivisionError"}
    assert outcome(lambda: peer.BLEU(tokenize="13")) == "KeyError"
    assert outcome(lambda: peer.BLEU(smooth_method="expp")) == "AssertionError"
    counts, totals = [2, 1, 0, 0], [4, 3, 2, 1]
    peer.BLEU.compute_bleu(counts, totals, 4, 4, smooth_method="add-k")
    assert (counts, totals) == ([2, 2, 1, 1], [4, 4, 3, 2])


# --- White space that is no space -----------------------------------------------------------------


@peers
@pytest.mark.parametrize("space", ["\t", "\x85", "\xa0", "\u1680", "\u2028", "\u3000"])
def test_chrf_removes_all_white_space(space: str) -> None:
    """sacreBLEU and NLTK; `test_torchmetrics.py` has the other half.

    > It removes only U+0020, so every other white space, such as a no-break space, is a
      character, where sacreBLEU, NLTK and bleuet remove all.
    """
    text, plain = f"a cat{space}sat", "a cat sat"
    assert metrics_of_sacrebleu().CHRF().sentence_score(text, [plain]).score == 100
    assert nltk("chrf").sentence_chrf(plain, text) == 1
    assert CHRF().sentence_score(text, plain).score == 100
    assert MeanCHRF().corpus_score([text], [plain]).score == pytest.approx(100, rel=1e-12)


@peers
@pytest.mark.parametrize("separator", ["\x1c", "\x1d", "\x1e", "\x1f"])
def test_separators_are_characters_for_nltk(separator: str) -> None:
    """The mean of chrF.

    > With one reference, `MeanCHRF(beta=3)` is 100 times NLTK's `corpus_chrf`, which is a macro
      average too, except that NLTK counts U+001C to U+001F as characters.
    """
    text, plain = f"a cat{separator}sat", "a cat sat"
    assert nltk("chrf").corpus_chrf([plain], [text]) < 0.5
    metric = MeanCHRF(beta=3)
    assert metric.corpus_score([text], [plain]).score == pytest.approx(100, rel=1e-12)
    shorter = metric.corpus_score(["a cats"], [plain]).score
    assert shorter == pytest.approx(100 * nltk("chrf").corpus_chrf([plain], ["a cats"]), rel=1e-12)


# --- NLTK -----------------------------------------------------------------------------------------


@peers
def test_a_short_segment_of_nltk() -> None:
    """A corpus of copies, of which one has two words.

    > a hypothesis that is too short for an order still has one n-gram of it: a corpus of exact
      copies with one segment of two words scores below 1
    """
    copies = [["a", "b", "c", "d"], ["a", "b"]]
    assert nltk("bleu").corpus_bleu([[one] for one in copies], copies) == pytest.approx(
        (1 * 1 * 2 / 3 * 1 / 2) ** 0.25
    )
    texts = [" ".join(one) for one in copies]
    assert BLEU(tokenize="none").corpus_score(texts, texts).score == pytest.approx(100)


@peers
def test_smoothings_of_nltk() -> None:
    """What they do with perfect and with bad matches.

    > average precisions, where the paper averages match counts: an exact copy of 8 tokens scores
      1.1167

    > averages precisions instead of matches: a perfect match of eight tokens scores 111.67

    > | `nltk-0` | uses 2.2·10⁻³⁰⁸ for a precision of 0 |

    > uses ln(len) / (K · 2ᵏ) instead of (ln(len) / K)ᵏ

    > raises an error if order 3 has no match; bleuet applies the formula
    """
    bleu = nltk("bleu")
    methods = bleu.SmoothingFunction()
    copy = ["a", "b", "c", "d", "e", "f", "g", "h"]
    for name in ("5", "7"):
        method = getattr(methods, f"method{name}")
        score = bleu.sentence_bleu([copy], copy, smoothing_function=method)
        assert round(score, 4) == 1.1167
        ours: Any = BLEU(tokenize="none", smooth=f"nltk-{name}")  # type: ignore[arg-type]
        assert round(ours.sentence_score(" ".join(copy), " ".join(copy)).score, 2) == 111.67
    # Two of three words match, one of two bigrams, and no trigram.
    words, reference = ["a", "b", "c"], ["a", "b", "d"]
    third = (1 / 3,) * 3
    score = bleu.sentence_bleu([reference], words, third, methods.method0)
    assert score == pytest.approx((2 / 3 * 1 / 2 * sys.float_info.min) ** (1 / 3))
    score = bleu.sentence_bleu([reference], words, third, methods.method4)
    assert score == pytest.approx((2 / 3 * 1 / 2 * math.log(3) / (5 * 2)) ** (1 / 3))
    with pytest.raises(AssertionError):
        bleu.sentence_bleu([list("abxcdy")], list("abzcdw"), (0.25,) * 4, methods.method6)
    assert BLEU(tokenize="none", smooth="nltk-6").sentence_score("a b z c d w", "a b x c d y").score


@peers
def test_chrf_of_nltk() -> None:
    """Three characters, as `eps_smoothing` scores them.

    > averages F over all orders, scores from 0 to 1, and uses β = 3 by default

    > chrF++.py, NLTK and Moses average over all orders, as `eps_smoothing` does: an identical
      segment of three characters then scores 50
    """
    chrf = nltk("chrf")
    assert chrf.sentence_chrf("cat", "cat") == 0.5
    assert signature(chrf.sentence_chrf).parameters["beta"].default == 3
    assert metrics_of_sacrebleu().CHRF(eps_smoothing=True).sentence_score("cat", ["cat"]).score == (
        pytest.approx(50)
    )


@peers
def test_nist_of_a_sentence_by_nltk() -> None:
    """It knows no other segments.

    > `sentence_nist` learns from the references of one segment.
    """
    hypothesis, reference = "a b c d e f", "a b c e d f"
    theirs = nltk("nist").sentence_nist([reference.split()], hypothesis.split())
    ours = NIST(tokenize="none", information="paper").sentence_score(hypothesis, reference).score
    assert ours == pytest.approx(theirs, rel=1e-12)


@peers
def test_ribes_of_long_segments_by_nltk() -> None:
    """The limit of its alignment.

    > NLTK 3.10 rejects segments of more than 2,000 words.
    """
    words = [f"w{n}" for n in range(2001)]
    with pytest.raises(ValueError, match="2000"):
        nltk("ribes").sentence_ribes([words], words)
    assert nltk("ribes").sentence_ribes([words[:2000]], words[:2000]) == 1
    assert RIBES(tokenize="none").sentence_score(" ".join(words), " ".join(words)).score == 100


def test_ribes_of_nltk_before_3_10() -> None:
    """Stored figures of NLTK 3.9.1.

    > **NLTK before 3.10** counts only pairs of words within runs of words that follow each other
      directly in the reference, and mostly scores lower.
    """
    metric = RIBES(tokenize="none", left_first=False)
    passive, moved = (
        (metric.sentence_score(*pair).score, 100 * stored("nltk")[" | ".join(pair)])
        for pair in made.RIBES_PAIRS[:2]
    )
    assert passive[0] == pytest.approx(passive[1], rel=1e-12)
    # "the cat sat" and "on a mat" have 3 pairs each, of 21; 18 pairs are in order.
    assert moved == pytest.approx((100 * 18 / 21, 100 * 6 / 21), rel=1e-12)


@peers
def test_meteor_of_nltk() -> None:
    """Its parameters, and what it lacks.

    > Its documentation names the paper of 2007, but its default parameters come from 2005. It has
      no score of a corpus.
    """
    meteor = import_module("nltk.translate.meteor_score")
    parameters = signature(meteor.meteor_score).parameters
    assert [parameters[name].default for name in ("alpha", "beta", "gamma")] == [0.9, 3.0, 0.5]
    assert "Lavie and" in meteor.meteor_score.__doc__
    assert "2007" in meteor.meteor_score.__doc__
    assert not [name for name in dir(meteor) if "corpus" in name and "meteor" in name]


# --- Programs in Java, with pycocoevalcap ---------------------------------------------------------


@peers
@needs_java
def test_words_with_the_same_hash_code_in_meteor(tmp_path: Path) -> None:
    """They match in METEOR's program, and not here.

    > **METEOR compares words by hash codes** of 32 bits, so that a few different short words match
      there: French `je` and `l'`, `le` and `n'`.
    """
    pairs = [("je", "l'"), ("le", "n'"), ("les", "chat")]
    for name, words in zip(("ours", "theirs"), zip(*pairs, strict=True), strict=True):
        (tmp_path / name).write_text("".join(f"{word}\n" for word in words))
    flags = ["-l", "fr", "-m", "exact", "-lower"]
    found = subprocess.run(
        ["java", "-Xmx800m", "-jar", jar(), "ours", "theirs", *flags],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    scores = re.findall(r"(?m)^Segment \d+ score:\s+([\d.]+)$", found.stdout)
    assert list(map(float, scores)) == [1, 1, 0]
    metric = METEOR(language="fr", matchers="exact", normalize="lower")
    assert [metric.sentence_score(*pair).score for pair in pairs] == [0, 0, 0]


# What stands between words: white space of Unicode, control characters, and marks that Java's
# rules divide in their own way.
BETWEEN = "\x01\x08\x0b\x0c\x0e\x1b\x1c\x1f\x7f\x85\xa0\u1680\u2003\u200b\u2028\u202f\u3000\ufeff\t"
NEAR_MARKS = ["cat", "The", "mat.", "U.S.", "Mr.", "5", "1,000", "it's", "re-use", "...", "5're"]


@peers
@needs_java
@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_white_space_and_marks_of_meteor(
    language: Literal["en", "fr", "de"], tmp_path: Path
) -> None:
    rng = random.Random(language)

    def text() -> str:
        words = rng.choices(NEAR_MARKS, k=rng.randint(1, 9))
        drawn = "".join(word + rng.choice(["", " ", rng.choice(BETWEEN)]) for word in words)
        return rng.choice(["", "", rng.choice(BETWEEN)]) + drawn

    references = [text() for _ in range(600)]
    hypotheses = []
    for reference in references:
        place = rng.randrange(len(reference) + 1)
        added = rng.choice(["", rng.choice(BETWEEN), rng.choice(NEAR_MARKS)])
        hypotheses.append(reference[:place] + added + reference[place:])
    (tmp_path / "meteor.jar").write_bytes(Path(jar()).read_bytes())
    options = ["-l", language, "-norm", "-m", "exact"]
    theirs = run_jar(tmp_path, (hypotheses, references), options)["segments"]
    metric = METEOR(language=language, matchers="exact", resources=jar())
    scores = metric.sentence_scores(hypotheses, references)
    assert [*scores] == pytest.approx([100 * score for score in theirs], abs=1e-7)
    assert len(set(theirs)) > 100


@peers
@needs_java
def test_tokens_of_pycocoevalcap() -> None:
    """Its script prepares texts.

    > Its evaluation script first tokenizes with Stanford's Penn Treebank tokenizer in Java,
      lower-cases and removes punctuation.
    """
    tokenizer = import_module("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    captions = {0: [{"caption": "The cats, don't sit on 3.5 mats."}]}
    assert tokenizer.tokenize(captions) == {0: ["the cats do n't sit on 3.5 mats"]}


# --- CrystalBLEU ----------------------------------------------------------------------------------


@peers
def test_smoothing_6_of_crystalbleu() -> None:
    """The package and ours agree without ignored n-grams, and not with them.

    > Its smoothing 6 counts the ignored n-grams in one place; `nltk-6` and `nltk-7` do not.
    """
    peer = import_module("crystalbleu")
    smoothing = peer.SmoothingFunction().method6
    hypothesis, reference = "a ( b ) c ( d ) ;", "a ( b ) c ( e ) ;"
    metric: Any = make_metric("crystal-bleu", tokenize="none", smooth="nltk-6")
    for corpus, same in ("x", True), ("( b ) c ( b ) c", False):
        taught = metric.with_learned(metric.learn([corpus]))
        theirs = 100 * peer.sentence_bleu(
            [reference.split()],
            hypothesis.split(),
            (0.25,) * 4,
            smoothing,
            False,
            dict.fromkeys(taught.common),
        )
        score = taught.sentence_score(hypothesis, reference).score
        assert (score == pytest.approx(theirs, rel=1e-12)) is same


# --- jiwer ----------------------------------------------------------------------------------------


@peers
def test_white_space_and_punctuation_of_jiwer() -> None:
    """Its transforms.

    > jiwer's `RemoveWhiteSpace` knows ASCII white space only.

    > jiwer removes what the installed Python knows.

    > jiwer has one reference for each segment.
    """
    jiwer = import_module("jiwer")
    remove = jiwer.RemoveWhiteSpace()
    assert [remove(f"a{space}b") for space in " \t\n\x0b\x0c\r"] == ["ab"] * 6
    for space in "\xa0\u2003\u3000\x85":
        assert space.isspace()
        assert remove(f"a{space}b") == f"a{space}b"
    marks = [chr(code) for code in range(0x30000) if unicodedata.category(chr(code))[0] == "P"]
    assert len(marks) > 800
    assert jiwer.RemovePunctuation()("a" + "".join(marks) + "b") == "ab"
    with pytest.raises(TypeError):
        jiwer.wer([["a", "b"]], ["a"])


# --- rouge-score ----------------------------------------------------------------------------------


@peers
def test_words_of_rouge_score() -> None:
    """Other scripts and letters.

    > keeps only a to z and digits, so that a text in another script has no words: two identical
      Thai texts score 0, and `déjà` becomes `d` and `j`.
    """
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer(["rouge1", "rougeL"])
    assert scorer.score("ข้อความภาษาไทย", "ข้อความภาษาไทย")["rougeL"].fmeasure == 0
    tokenize = import_module("rouge_score.tokenize").tokenize
    assert tokenize("déjà", None) == ["d", "j"]
    for hypothesis, reference in (("déjà", "d j"), ("vu déjà", "déjà")):
        theirs = scorer.score(reference, hypothesis)["rouge1"].fmeasure
        assert ROUGE(variant="1").sentence_score(hypothesis, reference).score == 100 * theirs > 0


@peers
def test_stems_of_nltk_and_of_porter() -> None:
    """Snowball's stemmer porter is the published one.

    > `plays` and `playing` become `play`, where the published algorithm, which is Snowball's
      `porter`, makes `plai` of both.
    """
    porter = import_module("Stemmer").Stemmer("porter")
    nltks = import_module("nltk.stem.porter").PorterStemmer()
    words = ["plays", "playing"]
    assert list(map(porter_stem, words)) == list(map(nltks.stem, words)) == ["play", "play"]
    assert porter.stemWords(words) == ["plai", "plai"]


@peers
@pytest.mark.data
def test_how_many_stems_differ(evaluation_data: EvaluationData) -> None:
    """Of the words of WMT 2013, 152 of 8,705.

    > The two differ in one English word of sixty
    """
    lines = evaluation_data.reference("data/wmt13/de-en")
    words = set(re.findall("[a-z0-9]+", " ".join(lines).lower()))
    porter = import_module("Stemmer").Stemmer("porter")
    # Shorter words are not stemmed.
    different = [w for w in words if len(w) > 3 and porter_stem(w) != porter.stemWord(w)]
    assert 55 < len(words) / len(different) < 65


@peers
@pytest.mark.data
def test_how_many_german_stems_differ(evaluation_data: EvaluationData) -> None:
    """PyStemmer 2.2 live, and the stored figure of 3.0.

    > Later versions of Snowball, which PyStemmer has, differ: of 11,975 German words of WMT 2013,
      PyStemmer 3 has another stem of 373, and PyStemmer 2 of 20 (`Ergebnisse`).
    """
    assert stored("PyStemmer") == {"words": 11_975, "different": 373}
    words = made.german_words(evaluation_data)
    stem, snowball = find_stemmer("de"), import_module("Stemmer").Stemmer("german", 0)
    different = {word for word in words if stem(word) != snowball.stemWord(word)}
    assert (len(words), len(different), "ergebnisse" in different) == (11_975, 20, True)


@peers
def test_the_aggregator_of_rouge_score() -> None:
    """Two runs of it differ.

    > rouge-score's `BootstrapAggregator` prints the median of random samples instead.
    """
    scoring = import_module("rouge_score.scoring")
    numpy = import_module("numpy")
    values = [0.0] * 9 + [1.0, 0.3, 0.7]
    medians = []
    for seed in range(3):
        numpy.random.seed(seed)
        aggregator = scoring.BootstrapAggregator(n_samples=50)
        for value in values:
            aggregator.add_scores({"rouge1": scoring.Score(value, value, value)})
        medians.append(aggregator.aggregate()["rouge1"].mid.fmeasure)
    assert len(set(medians)) > 1
    assert all(abs(one - sum(values) / len(values)) < 0.1 for one in medians)


# --- Hugging Face evaluate ------------------------------------------------------------------------


@pytest.mark.parametrize("smooth", [True, False])
def test_bleu_of_evaluate(smooth: bool) -> None:
    """Stored figures of its program.

    > It gives the number of the metric `bleu` of Hugging Face evaluate with `smooth=True`, which
      comes from bleu.py of tensorflow/nmt.

    > uses the length of the shortest reference; its `smooth=True` adds 1 at every order, including
      the first

    > evaluate's `bleu` takes the length of the shortest reference,
    """
    hypotheses, references = made.segments()
    figures = stored("evaluate")[f"smooth={smooth}"]
    plain = BLEU(smooth="none", reference_length="shortest")
    metric = make_metric("bleuberi") if smooth else plain
    found = list(metric.sentence_scores(hypotheses, references).values)
    theirs = [100 * one for one in figures["segments"]]
    assert found == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    assert len(set(theirs)) > 15
    score = metric.corpus_score(hypotheses, references).score
    assert score == pytest.approx(100 * figures["corpus"], rel=1e-12)


def test_ends_and_empty_texts_of_evaluate() -> None:
    """Stored figures.

    > evaluate gives a fraction instead of percent, gives 0 or (in older versions) an error if the
      hypothesis or the shortest reference is empty, and removes a hyphen and a line feed at the
      end of a text; sacreBLEU and bleuet remove white space at the end first.
    """
    figures = stored("evaluate")
    assert figures["empty hypothesis"] == figures["empty reference"] == 0
    assert figures["hyphen and line feed at the end"] == 1
    metric = make_metric("bleuberi")
    assert metric.sentence_score("", "a b c d").score == 0
    assert metric.sentence_score("a b c d", "").score > 0
    assert metric.sentence_score("a b c d-\n", "a b c d").score < 100


# --- fast-bleu ------------------------------------------------------------------------------------


def test_words_with_spaces_of_fast_bleu() -> None:
    """The bigrams of "a b", "c" and of "a", "b c" are one for it.

    > fast-bleu joins the words of an n-gram with spaces, so words that contain spaces collide
      there.
    """
    # One of three words and one of two bigrams; without the collision 0.1 of two bigrams.
    found = stored("fast-bleu")["words with spaces"]
    assert found == pytest.approx([(1 / 3 * 1 / 2) ** 0.5] * 2, rel=1e-6)
    ids = [[1, 2, 3], [1, 4, 5]]
    metric = BLEU(tokenize="ids", smooth="nltk-1", max_ngram_order=2)
    scores = metric.segment_scores(metric.table_of_others(ids)[0]).values
    assert list(scores) == pytest.approx([100 * (1 / 3 * 0.1 / 2) ** 0.5] * 2)


def test_lengths_of_fast_bleu() -> None:
    """Figures of drawn sets of texts, up to bigrams.

    > fast-bleu 0.0.90 sometimes takes a length for the closest one that no other text has, mostly
      the text's own, and then sets no brevity penalty. Of 704 drawn texts, this happens to about
      40, and to others in each run. Nearly always, the text is at most half as long as the next
      longer one. For `a b c d`, `a b c d e f` and `a b` up to bigrams, the third has 1 there and
      0.368 here, which is exp(1 − 4/2).
    """
    assert stored("fast-bleu")["short"] == pytest.approx([1, 0.6324555320336759, 1])
    metric = BLEU(tokenize="none", smooth="nltk-1", max_ngram_order=2)
    short = metric.segment_scores(metric.table_of_others(made.SHORT)[0]).values
    assert round(short[2], 1) == 36.8
    equal = different = own = half = 0
    for texts, theirs in zip(made.sets_of_texts(), stored("fast-bleu")["sets"], strict=True):
        table = metric.table_of_others(texts)[0]
        lengths = [len(text.split()) for text in texts]
        scores = metric.segment_scores(table).values
        for place, (score, other) in enumerate(zip(scores, theirs, strict=True)):
            if score == pytest.approx(100 * other, rel=1e-6):
                equal += 1
                continue
            one = metric.score(table.select([place]).totals())
            penalty = 100 * other * one.bp / score
            # The length that it has taken.
            length = lengths[place] * (1 - math.log(penalty))
            others = lengths[:place] + lengths[place + 1 :]
            assert all(abs(length - n) > 0.01 for n in others)
            different += 1
            own += penalty == pytest.approx(1, rel=1e-6)
            half += min((n for n in others if n > lengths[place]), default=0) >= 2 * lengths[place]
    assert equal + different == 704
    assert 30 < different < 50
    assert own >= 0.9 * different
    assert half >= 0.9 * different


@pytest.mark.data
def test_lines_of_wmt_by_fast_bleu(evaluation_data: EvaluationData) -> None:
    """Stored figures.

    > On 300 lines of WMT 2013 its numbers are equal to 9 digits.
    """
    texts = evaluation_data.reference("data/wmt13/de-en")[: made.LINES]
    metric = BLEU(tokenize="none", smooth="nltk-1")
    scores = metric.segment_scores(metric.table_of_others(texts)[0]).values
    theirs = [100 * one for one in stored("fast-bleu")["wmt13"]]
    assert list(scores) == pytest.approx(theirs, rel=5e-9)
    assert len(set(theirs)) > 200


# --- compare-mt and Whisper -----------------------------------------------------------------------


def test_ribes_of_compare_mt() -> None:
    """Where it has another number; `test_peer_goldens.py` has where they are equal.

    > **The same number** as compare-mt 0.2.10, except where a reference has one word, which scores
      0 there, or none, which is an error there.

    > By default the n-gram on the left decides, as in the authors' program and in compare-mt;
    """
    metric = RIBES(tokenize="none")
    figures, different = stored("compare-mt"), 0
    for hypothesis, reference in made.RIBES_PAIRS:
        score = metric.sentence_score(hypothesis, reference).score
        other = figures[f"{hypothesis} | {reference}"]
        if len(reference.split()) > 1:
            assert score == pytest.approx(other, rel=1e-12)
            by_right = metric.with_options(left_first=False)
            different += by_right.sentence_score(hypothesis, reference).score != score
        elif reference:
            assert (other, score > 0) == (0, True)
        else:
            assert (other, score) == ("KeyError", 0)
    assert different == 3


@pytest.mark.parametrize(("source", "reference"), made.REPEATED)
def test_repeated_words_of_compare_mt(source: str, reference: str) -> None:
    """Its figure by its rule, and ours; the hypothesis is the source.

    > gec-metrics' `GLEU` and compare-mt's GLEU also subtract n-grams that the reference has less
      often than the source;
    """
    shares = []
    for n in range(1, 5):
        words, right = (
            Counter(zip(*(text.split()[i:] for i in range(n)), strict=False))
            for text in (source, reference)
        )
        matches = (words & right).total() - (words - right).total()
        shares.append(max(matches, 1) / words.total())
    theirs = stored("compare-mt")[f"GLEU of {source}"]
    assert theirs == pytest.approx(100 * math.prod(shares) ** 0.25)
    metric = GECGLEU(smooth="one")
    # A word that the reference has is no error here, however often it comes.
    assert metric.sentence_score(source, with_sources([reference], [source])[0]).score > theirs + 1


def test_numbers_of_whisper() -> None:
    """Sentences with number words, and two numbers, by whisper-normalizer 0.1.15.

    > of 4,000 generated sentences with number words, 98.5%.

    > "1,985 million" is 1985000000 here and 985001000 there, and "one point five" is 1.5 here and
      one.5 there.

    > Whisper also writes British spellings as American ones
    """
    figures = stored("whisper-normalizer")
    ours = [normalized_speech(text) for text in made.SPOKEN]
    assert figures["examples"] == ["985001000", "one.5", "the color of the theater"]
    assert ours == ["1985000000", "1.5", "the colour of the theatre"]
    different = figures["different"]
    found = [normalized_speech(text) for text in made.spoken()]
    assert all(found[int(n)] != text for n, text in different.items())
    texts = [different.get(str(n), text) for n, text in enumerate(found)]
    assert sha256("\n".join(texts).encode()).hexdigest() == figures["sha256"]
    assert int(1000 * (1 - len(different) / made.SENTENCES)) == 985


@pytest.mark.data
def test_lines_of_wmt_by_whisper(evaluation_data: EvaluationData) -> None:
    """Digests of its texts, with its list of spellings and without.

    > Of 6,000 lines of English news (WMT 2012 and 2013), 92.0% come out equal to Whisper's
      (whisper-normalizer 0.1.15), and 98.5% if its spelling step is left out;
    """
    lines = made.news(evaluation_data)
    ours = made.digests(map(normalized_speech, lines))
    shares = []
    for name in ("news", "news without spelling"):
        theirs, places = stored("whisper-normalizer")[name], range(0, len(ours), made.DIGITS)
        assert len(theirs) == len(ours)
        equal = [theirs[i : i + made.DIGITS] == ours[i : i + made.DIGITS] for i in places]
        shares.append(round(100 * sum(equal) / len(lines), 1))
    assert shares == [92.0, 98.5]
