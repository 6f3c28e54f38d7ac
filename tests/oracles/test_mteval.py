"""mteval v13a and v14, NIST's scripts: scores of systems and segments, and what they print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, NIST
from bleuet.text.tokenizers import find_tokenizer

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

RUNS = [
    "e2e/exactly6 sheff2",
    "e2e/exactly6 tgen",
    "e2e/first2 sheff2",
    "e2e/first2 tgen",
    "wmt12/cs-en uedin-wmt12",
    "wmt12/de-en onlineB",
    "wmt12/es-en jhu-hiero",
    "wmt12/fr-en cmu-avenue",
]
# Their options and ours; without -c they lower-case.
OPTIONS: dict[str, dict[str, Any]] = {
    "-c": {},
    "default": {"lowercase": True},
    "-c --no-smoothing": {"smooth": "none"},
    "-c --international-tokenization": {"tokenize": "mteval-v14"},
    "--brevity-penalty shortest": {"lowercase": True, "reference_length": "shortest"},
}
PRINTED = 5e-5


def segments(data: EvaluationData, run: str) -> tuple[list[str], list[list[str]]]:
    place, _, system = run.partition(" ")
    if place.startswith("wmt12"):
        folder = f"data/{place}"
        return data.system(folder, system), [[line] for line in data.reference(folder)]
    subset = place.partition("/")[2]
    chosen = data.oracle_meta("mteval.json.gz")["subset segments"][subset]
    references, hypotheses = data.e2e_references(), data.system("data/e2e", system)
    count = {"exactly6": 6, "first2": 2}[subset]
    return [hypotheses[i] for i in chosen], [references[i][:count] for i in chosen]


def bleu(options: str, order: int = 4) -> BLEU:
    chosen = {"tokenize": "mteval-v13a", "smooth": "mteval", **OPTIONS[options]}
    return BLEU(max_ngram_order=order, **chosen)


@pytest.mark.data
@pytest.mark.parametrize("run", RUNS)
def test_system_scores(evaluation_data: EvaluationData, run: str) -> None:
    """Both versions, with all options.

    > These options reproduce a report of mteval-v13a or -v14 whole, for systems and for segments:

    > | none | `tokenize="mteval-v13a", smooth="mteval", lowercase=True` |

    > | `-c` | `tokenize="mteval-v13a", smooth="mteval"` |

    > | `--international-tokenization` | `tokenize="mteval-v14"` in place of `"mteval-v13a"` |

    > | `--no-smoothing` | `smooth="none"` in place of `"mteval"` |

    > | `--brevity-penalty shortest` | `reference_length="shortest"` |

    > Both versions of the script give the same numbers.

    > | `mteval-v13a`, `mteval-v14` | as `13a` and `intl`, but lower-cases and replaces entities
      [as mteval does](smoothing.md#smoothing-and-tokens-of-mteval) | the numbers of NIST's mteval |
    """
    hypotheses, references = segments(evaluation_data, run)
    versions = evaluation_data.oracle("mteval.json.gz")[run]
    compared = 0
    for version in versions.values():
        for options, golden in version.items():
            ours = bleu(options).corpus_score(hypotheses, references)
            assert ours.score == pytest.approx(100 * golden["BLEU"], rel=1e-12)
            printed = golden["printed"]
            if "ref_words" in printed:
                assert ours.ref_len == printed["ref_words"]
                assert ours.sys_len == printed["tst_words"]
            compared += 1
    assert compared >= 4


@pytest.mark.data
@pytest.mark.parametrize("run", RUNS)
def test_segments(evaluation_data: EvaluationData, run: str) -> None:
    hypotheses, references = segments(evaluation_data, run)
    for version in evaluation_data.oracle("mteval.json.gz")[run].values():
        for options, golden in version.items():
            ours = bleu(options).sentence_scores(hypotheses, references).values
            theirs = [100 * score for score in golden["BLEU_segments"]]
            assert list(ours) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@pytest.mark.data
@pytest.mark.parametrize("run", RUNS)
def test_every_order_they_print(evaluation_data: EvaluationData, run: str) -> None:
    """Nine orders, as fractions.

    > mteval prints a fraction, and orders 1 to 9.
    """
    hypotheses, references = segments(evaluation_data, run)
    for options, golden in evaluation_data.oracle("mteval.json.gz")[run]["v13a"].items():
        nine = bleu(options, 9).corpus_score(hypotheses, references)
        printed = golden["printed"]
        assert [p / 100 for p in nine.precisions] == pytest.approx(
            printed["BLEU_individual"], abs=PRINTED
        )
        assert [c / 100 for c in nine.cumulative] == pytest.approx(
            printed["BLEU_cumulative"], abs=PRINTED
        )


def nist(options: str, order: int = 5) -> NIST:
    chosen = {"tokenize": "mteval-v13a", **OPTIONS[options]}
    words = {name: chosen[name] for name in ("tokenize", "lowercase") if name in chosen}
    return NIST(max_ngram_order=order, **words)


@pytest.mark.data
@pytest.mark.parametrize("run", RUNS)
def test_nist(evaluation_data: EvaluationData, run: str) -> None:
    """The system, every segment, and every order they print; both versions print the same.

    > `NIST()` gives the numbers of mteval-v13a and mteval-v14, for systems and for every segment.

    > for a bigram that begins with the token `0`, mteval treats this token as missing

    > `lowercase`: mteval lower-cases without `-c`. Its numbers are those of
      `NIST(tokenize="mteval-v13a", lowercase=True)`; with `-c` those of `NIST()`.

    > `max_ngram_order=9` gives all orders that mteval prints; its score is `cumulative[4]`.
    """
    hypotheses, references = segments(evaluation_data, run)
    versions = evaluation_data.oracle("mteval.json.gz")[run]
    for options in versions["v13a"]:
        table = nist(options, 9).count(hypotheses, references)
        nine = nist(options, 9).score(table.totals())
        five = nist(options).score(table.totals())
        assert five.score == nine.cumulative[4] == five.cumulative[4]
        ours = list(nist(options).segment_scores(table).values)
        for version in versions.values():
            if options not in version:
                continue
            golden = version[options]
            assert five.score == pytest.approx(golden["NIST"], rel=1e-13)
            if options == "-c":
                plain = NIST().corpus_score(hypotheses, references).score
                assert plain == pytest.approx(golden["NIST"], rel=1e-13)
            assert ours == pytest.approx(golden["NIST_segments"], rel=1e-12, abs=1e-12)
            printed = golden["printed"]
            assert list(nine.cumulative) == pytest.approx(printed["NIST_cumulative"], abs=PRINTED)
            assert list(nine.individual) == pytest.approx(printed["NIST_individual"], abs=PRINTED)


# --- sacreBLEU's tokenizers and smoothing beside mteval's -----------------------------------------


@pytest.mark.data
@pytest.mark.parametrize("run", RUNS)
def test_the_smoothing_of_sacrebleu(evaluation_data: EvaluationData, run: str) -> None:
    """Systems, by sacreBLEU's tokenizers too; segments differ where they are short.

    > `exp` gives the system scores of mteval, NIST's script, but not all of its segment scores.

    > | `"exp"` | 100 / (2ᵏ · totals_n) at the k-th order without matches, as in mteval-v13a |

    > | `13a` | mteval-v13a: replaces `&quot; &amp; &lt; &gt;` by the characters, splits ASCII
      punctuation except within numbers | the default; languages with spaces |

    > | `intl` | mteval-v14: splits all punctuation and symbols of Unicode | languages with spaces
      and non-ASCII punctuation |
    """
    hypotheses, references = segments(evaluation_data, run)
    golden = evaluation_data.oracle("mteval.json.gz")[run]["v13a"]
    named = {"13a": "-c", "intl": "-c --international-tokenization"}
    for name, options in named.items():
        if options not in golden:
            continue
        theirs = golden[options]
        ours = BLEU(tokenize=name).corpus_score(hypotheses, references)
        assert ours.score == pytest.approx(100 * theirs["BLEU"], rel=1e-12)
        scores = BLEU(tokenize=name).sentence_scores(hypotheses, references).values
        pairs = zip(hypotheses, scores, theirs["BLEU_segments"], strict=True)
        other = [text for text, a, b in pairs if a != pytest.approx(100 * b, rel=1e-12, abs=1e-12)]
        # Those without matches, and those that are too short for an order.
        assert bool(other) == run.startswith("wmt12")
        sentences = NIST(tokenize=name).sentence_scores(hypotheses, references).values
        assert list(sentences) == pytest.approx(theirs["NIST_segments"], rel=1e-12, abs=1e-12)


@pytest.mark.data
def test_capital_letters_beyond_ascii(evaluation_data: EvaluationData) -> None:
    """Only of this system do some matter.

    > | `lowercase` | ASCII letters only: `É` stays | all letters |
    """
    run = "wmt12/es-en jhu-hiero"
    hypotheses, references = segments(evaluation_data, run)
    golden = evaluation_data.oracle("mteval.json.gz")[run]["v13a"]["default"]
    scores = {
        name: BLEU(tokenize=name, smooth="mteval", lowercase=True).sentence_scores(
            hypotheses, references
        )
        for name in ("13a", "mteval-v13a")
    }
    theirs = [100 * score for score in golden["BLEU_segments"]]
    assert list(scores["mteval-v13a"].values) == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    pairs = zip(scores["13a"].values, theirs, hypotheses, references, strict=True)
    other = [(a + b[0]) for one, two, a, b in pairs if one != pytest.approx(two, rel=1e-12)]
    assert len(other) == 13
    assert all(any(c.isupper() and not c.isascii() for c in text) for text in other)


@pytest.mark.data
def test_short_segments_of_systems(evaluation_data: EvaluationData) -> None:
    """The script's scores of segments without n-grams of an order, or without matches.

    > | an order without n-grams | precision 1, so the score is always a fourth root | the score is
      0, or `effective_order` leaves the order out |

    > | no match at any order | smoothed like any other; `smooth_unmatched=False` gives 0 | the
      score is 0 |
    """
    short = unmatched = 0
    for run in RUNS[4:]:
        hypotheses, references = segments(evaluation_data, run)
        golden = evaluation_data.oracle("mteval.json.gz")[run]["v13a"]["-c"]["BLEU_segments"]
        table = BLEU().count(hypotheses, references)
        for row, theirs in zip(table, golden, strict=True):
            score = BLEU(smooth="none").score(row)
            missing, expected = 0, 1.0
            for m, n in zip(score.counts, score.totals, strict=True):
                missing += n > 0 and m == 0
                expected *= m / n if m else 1 / (2**missing * n) if n else 1
            if 0 in score.totals or not any(score.counts):
                assert theirs == pytest.approx(expected**0.25 * score.bp, rel=1e-12, abs=1e-14)
                assert BLEU().score(row).score == 0
                short += 0 in score.totals
                unmatched += not any(score.counts) and score.sys_len > 0
                without = BLEU(smooth="mteval", smooth_unmatched=False).score(row).score
                assert bool(without) == any(score.counts)
    assert short > 150
    assert unmatched > 10


@pytest.mark.data
def test_every_version_has_the_options_of_the_other(evaluation_data: EvaluationData) -> None:
    for versions in evaluation_data.oracle("mteval.json.gz").values():
        assert versions["v14"].keys() <= versions["v13a"].keys()


# --- What no system output above has --------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("", "a b c", 0.0),
        ("a", "a", 1.0),  # orders without n-grams have precision 1
        ("a b", "a b", 1.0),
        ("x", "a", 0.5**0.25),
        ("x y", "a b", (1 / 4 * 1 / 4) ** 0.25),  # 1/2 of 2, then 1/4 of 1
    ],
)
def test_short_segments(hypothesis: str, reference: str, expected: float) -> None:
    for options in ("-c", "default"):
        ours = bleu(options).sentence_score(hypothesis, reference).score
        assert ours == pytest.approx(100 * expected, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "text", "as_it_is", "lower"),
    [
        ("mteval-v13a", "ÀB &QUOT;&amp;<skipped>", "ÀB & QUOT ; &", "Àb & quot ; &"),
        ("mteval-v13a", "&quot;3.5&lt;-İ", '" 3.5 < -İ', '" 3.5 < -İ'),
        ("mteval-v14", "ÀB &QUOT;&apos; 5.", "ÀB & QUOT ; ' 5.", "àb & quot ; ' 5."),
        ("mteval-v14", "ΣΑΣ İ, 5.<skipped>", "ΣΑΣ İ , 5.", "σασ i\u0307 , 5."),
    ],
)
def test_tokens(name: str, text: str, as_it_is: str, lower: str) -> None:
    tokenizer = find_tokenizer(name)
    assert tokenizer.tokenize(text) == as_it_is
    assert tokenizer.lower_tokens(text) == lower
    for lowercase, tokens in ((False, as_it_is), (True, lower)):
        metric = BLEU(tokenize=name, lowercase=lowercase, effective_order=True)
        split = BLEU(tokenize="none").count([tokens], [tokens])
        assert metric.count([text], [text]) == split
