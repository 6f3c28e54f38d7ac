from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from bleuet import (
    BLEU,
    CHRF,
    TER,
    Metric,
    SignatureError,
    __version__,
    metric_from_signature,
)
from bleuet.metrics.catalogue import parse_metric, signed_references

if TYPE_CHECKING:
    from collections.abc import Callable

SAME = f"bleuet-{__version__}=sacrebleu-2.6.0"
OWN = f"bleuet-{__version__}"


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (BLEU, f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{SAME}"),
        (
            partial(BLEU, lowercase=True, effective_order=True, tokenize="intl"),
            f"nrefs:1|case:lc|eff:yes|tok:intl|smooth:exp|version:{SAME}",
        ),
        (
            partial(BLEU, smooth="floor"),
            f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.10]|version:{SAME}",
        ),
        # sacreBLEU prints this value as 0.00.
        (
            partial(BLEU, smooth="floor", smooth_value=0.001),
            f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.001]|version:{SAME}",
        ),
        (
            partial(BLEU, max_ngram_order=2),
            f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:2|version:{SAME}",
        ),
        (
            partial(BLEU, weights=(0.4, 0.3, 0.2, 0.1)),
            f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|weights:0.4/0.3/0.2/0.1|version:{OWN}",
        ),
        (
            partial(BLEU, reference_length="average"),
            f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|reflen:average|version:{OWN}",
        ),
        (
            partial(BLEU, tokenize="zh-fixed"),
            f"nrefs:1|case:mixed|eff:no|tok:zh-fixed|smooth:exp|version:{OWN}",
        ),
        (
            partial(BLEU, tokenize="ids"),
            f"nrefs:1|case:mixed|eff:no|tok:ids|smooth:exp|version:{OWN}",
        ),
        (CHRF, f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:{SAME}"),
        (
            partial(CHRF, word_order=2, whitespace=True, lowercase=True, eps_smoothing=True),
            f"nrefs:1|case:lc|eff:no|nc:6|nw:2|space:yes|version:{SAME}",
        ),
        (
            partial(CHRF, beta=3),
            f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|beta:3|version:{SAME}",
        ),
        (TER, f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{SAME}"),
        (
            partial(TER, case_sensitive=True, normalized=True, no_punct=True, asian_support=True),
            f"nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:{SAME}",
        ),
        (
            partial(TER, tokenize_references_once=True),
            f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|reftok:once|version:{OWN}",
        ),
    ],
)
def test_long(make: Callable[[], Metric], expected: str) -> None:
    assert str(make().signature()) == expected


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (BLEU, f"#:1|c:mixed|e:no|tok:13a|s:exp|v:{SAME}"),
        (CHRF, f"#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:{SAME}"),
        (TER, f"#:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:{SAME}"),
    ],
)
def test_short(make: Callable[[], Metric], expected: str) -> None:
    assert make().signature().short() == expected


def test_a_score_signs_with_its_number_of_references() -> None:
    metric = BLEU()
    for references, expected in (
        (["a", "b"], "1"),
        ([["a"], ["b"]], "1"),
        ([["a", "b"], ["c", None, "d"]], "2"),
        (["a", ["b", "c"]], "var"),
    ):
        score = metric.corpus_score(["a", "b"], references)
        assert score.signature.to_dict()["nrefs"] == expected
        prepared = metric.prepare_references(references)
        assert metric.corpus_score(["a", "b"], prepared).signature == score.signature
    assert metric.sentence_score("a", ["a", "b", "c"]).signature.to_dict()["nrefs"] == "3"


@pytest.mark.parametrize(
    ("signature", "make"),
    [
        ("BLEU|nrefs:2|case:lc|eff:no|tok:intl|smooth:add-k[2.00]|version:2.6.0",
         partial(BLEU, lowercase=True, tokenize="intl", smooth="add-k", smooth_value=2)),
        ("nrefs:var|case:mixed|eff:yes|tok:char|smooth:none|version:2.0.0",
         partial(BLEU, tokenize="char", smooth="none", effective_order=True)),
        # What sacreBLEU adds for its tests says nothing about the metric.
        ("nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", BLEU),
        ("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0",
         partial(CHRF, word_order=2)),
        # sacreBLEU tells beta in the name alone.
        ("chrF3|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0",
         partial(CHRF, beta=3)),
        ("TER|nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:2.6.0",
         partial(TER, case_sensitive=True, normalized=True, no_punct=True, asian_support=True)),
    ],
)  # fmt: skip
def test_sacrebleus_own(signature: str, make: Callable[[], Metric]) -> None:
    assert metric_from_signature(signature) == make()


@pytest.mark.parametrize(
    ("signature", "make"),
    [
        ("BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt14+tok.13a+version.1.5.1", BLEU),
        ("BLEU+c.lc+#.1+s.floor[0.20]+tok.intl+v.1.5.1",
         partial(BLEU, lowercase=True, smooth="floor", smooth_value=0.2, tokenize="intl")),
        ("BLEU+case.mixed+numrefs.?+smooth.add-k[1.00]+tok.none+version.1.5.0",
         partial(BLEU, smooth="add-k", smooth_value=1, tokenize="none")),
        ("chrF2+numchars.6+space.false+version.1.5.1", CHRF),
        ("chrF3+case.lc+numchars.5+numrefs.1+space.False+version.1.4.14",
         partial(CHRF, beta=3, char_order=5, lowercase=True)),
        ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1", TER),
        ("TER+tok.tercom-norm-nopunct-asian-cased+version.1.5.1",
         partial(TER, case_sensitive=True, normalized=True, no_punct=True, asian_support=True)),
    ],
)  # fmt: skip
def test_those_of_sacrebleu_1(signature: str, make: Callable[[], Metric]) -> None:
    assert metric_from_signature(signature) == parse_metric(signature) == make()
    one = {"numrefs.1", "#.1"} & set(signature.split("+"))
    assert signed_references(signature) == ("1" if one else "")


@pytest.mark.parametrize(
    ("signature", "says"),
    [
        ("BLEU+case.mixed+tok.13a+version.1.0.3", "no key smooth"),
        ("BLEU+case.mixed+numrefs.1+smooth.floor+tok.13a+version.1.4.1", "smooth must be exp,"),
        ("BLEU+case.mixed+order.3+smooth.exp+tok.13a+version.1.5.1", "has the key order, which"),
        ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.13z+version.1.5.1", "13z"),
        ("chrF2+numchars.6+space.true+version.1.5.1", "space is true"),
        ("chrF2+numchars.6+space.perhaps+version.1.5.1", "space must be true or false"),
        ("TER+tok.tercom-norm+version.1.5.1", "tok must be"),
    ],
)
def test_what_is_not_sure_of_sacrebleu_1(signature: str, says: str) -> None:
    with pytest.raises(SignatureError, match=says):
        metric_from_signature(signature)


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "BLEU",
        "BLEU|nonsense",
        "nrefs:1|version:2.6.0",
        "nrefs:1|case:mixed|eff:no|tok:13z|smooth:exp|version:2.6.0",
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:expo|version:2.6.0",
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[x]|version:2.6.0",
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:many|version:2.6.0",
        "nrefs:1|case:mixed|eff:yes|nc:six|nw:0|space:no|version:2.6.0",
        "nrefs:1|case:lc|tok:13a|norm:no|punct:yes|asian:no|version:2.6.0",
    ],
)
def test_what_no_metric_signs_with(signature: str) -> None:
    with pytest.raises(SignatureError) as caught:
        metric_from_signature(signature)
    assert len(str(caught.value)) > 20
