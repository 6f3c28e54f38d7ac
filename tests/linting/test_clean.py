"""Nothing is found where nothing is wrong."""

from __future__ import annotations

from typing import Any, Literal
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.errors import InputError
from bleuet.linting.linting import lint
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from tests.corpora.any_text import ANY_CHARACTER, corpora
from tests.corpora.scripts import SCRIPTS, make
from tests.effort import examples

# Their words are not between spaces, or only groups of them.
UNSPACED = {"han", "kana", "hangul"}


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
@examples(5)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 150), noise=st.sampled_from([0.2, 0.5, 0.9]))
def test_clean_text_gives_no_finding(script: str, seed: int, size: int, noise: float) -> None:
    source, references, hypotheses = make(seed, script, size, noise)
    other = make(seed + 1, script, size, noise).hypotheses
    metrics = [BLEU(tokenize="char" if script in UNSPACED else "13a"), CHRF()]
    found = lint({"a": hypotheses, "b": other}, references, source=source, metrics=metrics)
    # The second system belongs to another test set.
    assert {(one.check, one.file) for one in found.findings} <= {("unrelated", "b")}
    assert found.not_run == {"overlap": "training"}


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_one_normal_form_everywhere_is_no_fault(
    form: Literal["NFC", "NFD", "NFKC", "NFKD"],
) -> None:
    sides = [[normalize(form, text) for text in side] for side in make(1, "accented")]
    source, references, hypotheses = sides
    assert lint(hypotheses, references, source=source).findings == ()


HARMLESS = {
    "a name left as it is": ("Angela Merkel", "Angela Merkel", "Angela Merkel"),
    "a number": ("12 345,67 + 89", "12,345.67 + 89", "12 345,67 + 89"),
    "names and a date": (
        "Warner Bros. Records, Burbank 1998",
        "Warner Bros. Records (Burbank, 1998)",
        "Warner Bros. Records, Burbank 1998",
    ),
    "three times is speech": ("Nein, nein, nein!", "No, no, no!", "No, no, no, please, no, no!"),
    "a loop that was asked for": (
        "tick tack tick tack tick tack tick tack",
        "tick tock tick tock tick tock tick tock",
        "tick tock tick tock tick tock tick tock",
    ),
    "dots": (". . . . . . . . . . . .", "...", ". . . . . . . . . . . ."),
    "text about HTML": ("Schreib &amp; statt &.", "Write &amp; for &.", "Write &amp; for an &."),
    "an ampersand": ("A & B; C", "A & B; C", "R&D; A&B; &c;"),
    "a flag and a family": (
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 "
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ),
    "directions in Hebrew": ("Well", "\u05db\u05df\u200f!", "\u200f\u05db\u05df!"),
    "units and science": ("5 \u03bcs", "5 microseconds", "5 \u03bcs of TNF\u03b1 at 3 k\u03a9"),
    "a brand in Latin": (
        "Apple iPhone",
        "\u042d\u043f\u043f\u043b \u0410\u0439\u0444\u043e\u043d",
        "Apple iPhone",
    ),
    "upper-case Portuguese": (
        "MA\u00c7\u00c3",
        "MA\u00c7\u00c3",
        "\u00abMA\u00c7\u00c3\u00bb \u00df\u201c",
    ),
    "French spaces": ("Why? Yes!", "Pourquoi ? Oui !", "Pourquoi ? Mais oui !"),
    "a no-break space": ("Yes", "Oui\u00a0!", "Oui !"),
    "spaces around": ("Yes", "Yes", " Yes  "),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_harmless_lines_give_no_finding(case: str) -> None:
    source, reference, hypothesis = HARMLESS[case]
    clean = make(3, size=30)
    found = lint(
        [*clean.hypotheses, hypothesis],
        [*clean.references, reference],
        source=[*clean.source, source],
    )
    assert found.findings == ()


@pytest.mark.parametrize("size", [1, 14, 15, 16, 17, 18])
def test_corpora_around_the_length_of_the_shortest_shift(size: int) -> None:
    """With 15 segments no shift leaves 15 lines to compare."""
    source, references, hypotheses = make(8, "cyrillic", size)
    assert lint(hypotheses, references, source=source).findings == ()


def test_small_corpora_are_no_copies_of_each_other() -> None:
    texts = ["It rains.", "The cat sleeps on the chair."]
    assert lint({"a": texts, "b": texts}, texts).findings == ()


@pytest.mark.slow
@examples(80)
@given(corpus=corpora, source=st.text(ANY_CHARACTER, max_size=30))
def test_any_text_at_all_is_linted(corpus: tuple[Any, Any], source: str) -> None:
    """Whatever a file holds, there is an answer, and its lines are lines of the file."""
    hypotheses, references = corpus
    found = lint(hypotheses, references, source=[source] * len(hypotheses))
    for finding in found.findings:
        assert finding.sentence.startswith(finding.message)
        assert set(finding.lines) <= set(range(1, len(hypotheses) + 1))
        assert list(finding.lines) == sorted(finding.lines)
        assert finding.to_dict()["count"] == len(finding.lines)


def test_no_system_is_an_error() -> None:
    with pytest.raises(InputError, match="no system; expected at least one"):
        lint({}, ["a"])
