"""Modules for `evaluate`: the keys of its own, and the numbers of the packages that it calls."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import METEOR, InputError, OptionError
from tests.adapters.texts import HYPOTHESES, REFERENCES, SEVERAL

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.adapters, pytest.mark.libraries, pytest.mark.peers]


@pytest.fixture(autouse=True, scope="module")
def own_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is fetched, and nothing of the user is read or written."""
    folder = tmp_path_factory.mktemp("evaluate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setattr("evaluate.config.HF_MODULES_CACHE", str(folder / "modules"))
        patch.setattr("evaluate.config.HF_METRICS_CACHE", str(folder / "metrics"))
        yield


def compute(name: str, references: Any = REFERENCES, **options: Any) -> Any:
    from bleuet.adapters.evaluate import load

    return load(name).compute(predictions=HYPOTHESES, references=references, **options)


@pytest.mark.parametrize("references", [REFERENCES, SEVERAL], ids=["one", "two"])
def test_sacrebleu_chrf_and_ter(references: Any) -> None:
    import sacrebleu

    streams = [REFERENCES] if references is REFERENCES else list(zip(*SEVERAL, strict=True))
    bleu = sacrebleu.corpus_bleu(HYPOTHESES, streams, lowercase=True, smooth_method="floor")
    found = compute("sacrebleu", references, lowercase=True, smooth_method="floor")
    assert found["score"] == pytest.approx(bleu.score, abs=1e-9)
    for key in ("counts", "totals", "sys_len", "ref_len"):
        assert found[key] == getattr(bleu, key)
    assert found["precisions"] == pytest.approx(bleu.precisions)
    assert list(found) == ["score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"]
    chrf = sacrebleu.corpus_chrf(HYPOTHESES, streams, word_order=2)
    found = compute("chrf", references, word_order=2)
    assert found == {
        "score": pytest.approx(chrf.score), "char_order": 6, "word_order": 2, "beta": 2
    }  # fmt: skip
    ter = sacrebleu.corpus_ter(HYPOTHESES, streams, case_sensitive=True)
    found = compute("ter", references, case_sensitive=True)
    assert found == {
        "score": pytest.approx(ter.score), "num_edits": ter.num_edits, "ref_length": ter.ref_length
    }  # fmt: skip


def test_bleu() -> None:
    """Its own formula: the shortest reference, and no smoothing or 1 more of everything."""
    from nltk import ngrams
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize = Tokenizer13a()
    hypotheses = [tokenize(one).split() for one in HYPOTHESES]
    references = [[tokenize(one).split() for one in own] for own in SEVERAL]
    length = sum(map(len, hypotheses))
    shortest = sum(min(map(len, own)) for own in references)
    for smooth in (False, True):
        precisions = []
        for order in range(1, 5):
            matches = total = 0
            for words, own in zip(hypotheses, references, strict=True):
                most: Counter[Any] = Counter()
                for one in own:
                    most |= Counter(ngrams(one, order))
                matches += sum((Counter(ngrams(words, order)) & most).values())
                total += max(len(words) - order + 1, 0)
            precisions.append((matches + smooth) / (total + smooth))
        penalty = 1.0 if length > shortest else exp(1 - shortest / length)
        found = compute("bleu", SEVERAL, smooth=smooth)
        assert found["precisions"] == pytest.approx(precisions)
        assert found["bleu"] == pytest.approx(penalty * exp(sum(map(log, precisions)) / 4))
        assert found["brevity_penalty"] == penalty
        assert (found["translation_length"], found["reference_length"]) == (length, shortest)
        assert found["length_ratio"] == length / shortest
    # A function in place of the tokenizer.
    by_space = compute("bleu", tokenizer=str.split, max_order=2)
    assert by_space == compute("bleu", tokenizer_name="whitespace", max_order=2)


def test_google_bleu_nist_and_meteor() -> None:
    from nltk.translate.gleu_score import corpus_gleu
    from nltk.translate.nist_score import corpus_nist

    split = [one.split() for one in HYPOTHESES]
    several = [[one.split() for one in own] for own in SEVERAL]
    found = compute("google_bleu", SEVERAL, tokenizer=str.split, min_len=2)
    assert found["google_bleu"] == pytest.approx(corpus_gleu(several, split, min_len=2))
    from bleuet import NIST

    nist = NIST(information="paper", several="nltk").corpus_score(HYPOTHESES, SEVERAL).score
    assert compute("nist_mt", SEVERAL)["nist_mt"] == nist
    assert corpus_nist(several, split) == pytest.approx(nist, rel=0.05)
    meteor = METEOR(version="2005", alpha=0.8, beta=2.0, gamma=0.4)
    expected = sum(meteor.sentence_scores(HYPOTHESES, SEVERAL)) / len(HYPOTHESES) / 100
    options = {"alpha": 0.8, "beta": 2, "gamma": 0.4}
    assert compute("meteor", SEVERAL, wordnet="none", **options)["meteor"] == expected


def test_meteor_without_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])
    with pytest.raises(InputError, match=r"nltk\.downloader wordnet"):
        compute("meteor")


def test_rouge_wer_and_cer() -> None:
    import jiwer
    from rouge_score.rouge_scorer import RougeScorer

    names = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = RougeScorer(names, use_stemmer=True)
    expected = [scorer.score(*pair) for pair in zip(REFERENCES, HYPOTHESES, strict=True)]
    found = compute("rouge", use_stemmer=True)
    each = compute("rouge", use_stemmer=True, use_aggregator=False)
    assert list(found) == names
    for name in names:
        measures = [one[name].fmeasure for one in expected]
        assert each[name] == pytest.approx(measures)
        assert found[name] == pytest.approx(sum(measures) / len(measures))
    assert list(compute("rouge", SEVERAL, rouge_types=["rougeL"])) == ["rougeL"]
    assert compute("wer") == pytest.approx(jiwer.wer(REFERENCES, HYPOTHESES))
    assert compute("cer") == pytest.approx(jiwer.cer(REFERENCES, HYPOTHESES))
    joined = jiwer.wer(" ".join(REFERENCES), " ".join(HYPOTHESES))
    assert compute("wer", concatenate_texts=True) == pytest.approx(joined)


def test_batches_and_names() -> None:
    from bleuet.adapters.evaluate import NAMES, folder, load

    metric = load("chrf")
    for first in range(0, len(HYPOTHESES), 7):
        rows = slice(first, first + 7)
        metric.add_batch(predictions=HYPOTHESES[rows], references=REFERENCES[rows])
    assert metric.compute() == compute("chrf")
    assert len(NAMES) == 10
    with pytest.raises(OptionError, match=r"no module 'sacrebleuu' .did you mean sacrebleu"):
        folder("sacrebleuu")
