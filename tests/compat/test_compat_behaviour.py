"""Metrics keep sacreBLEU's manners: notices, caches, changed options, copies, subclasses."""

from __future__ import annotations

import copy
import logging
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.compat import sacrebleu as ours
from bleuet.errors import InputError, OptionError
from tests.compat.agreement import (
    HYPOTHESES,
    STREAMS,
    agree,
    agree_on_draws,
    both,
    sign_alike,
    theirs,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.peers
def test_notices_go_through_sacrebleus_logger(caplog: pytest.LogCaptureFixture) -> None:
    def heard(package: Any) -> list[tuple[str, int, str]]:
        caplog.clear()
        tokenized = ["a b ."] * 100
        package.corpus_bleu(tokenized, [tokenized])
        package.corpus_bleu(tokenized, [tokenized], force=True)
        package.corpus_bleu(tokenized[1:], [tokenized[1:]])
        package.corpus_chrf(tokenized, [tokenized])
        package.BLEU().sentence_score("a b", ["a c"])
        package.BLEU(effective_order=True).sentence_score("a b", ["a c"])
        for language in "zh", "ja", "ko", "de":
            package.BLEU(tokenize="13a", trg_lang=language)
        return caplog.record_tuples

    # Whatever other tests have done to the logger.
    logging.getLogger("sacrebleu").disabled = False
    with caplog.at_level(logging.INFO, logger="sacrebleu"):
        mine, other = list(heard(ours)), list(heard(theirs()))
    assert [record[:2] for record in mine] == [record[:2] for record in other]
    # The second and third line of the notice on tokenized text are in our own words.
    assert mine[0] == other[0]
    assert mine[3:] == other[3:]


def test_signatures_are_never_stale() -> None:
    metric = ours.CHRF(references=[["a"], ["b"]])
    assert "nrefs:2" in str(metric.get_signature())
    metric.corpus_score(["a"], [["a"]], n_bootstrap=10)
    assert str(metric.get_signature()).startswith("nrefs:1|bs:10|seed:12345|case")
    metric.corpus_score(["a"], None)
    assert str(metric.get_signature()).startswith("nrefs:2|case")
    metric.lowercase = True
    assert "case:lc" in str(metric.get_signature())


def test_options_can_be_changed_between_scores() -> None:
    texts = ["The Cat sat."], [["the cat sat down ."]]
    by_metric: dict[str, dict[str, Any]] = {
        "BLEU": {"lowercase": True, "smooth_method": "add-k", "effective_order": True},
        "CHRF": {"lowercase": True, "beta": 1, "whitespace": True},
        "TER": {"case_sensitive": True},
    }
    for name, changes in by_metric.items():
        changed, fresh = getattr(ours, name)(references=texts[1]), getattr(ours, name)(**changes)
        changed.corpus_score(texts[0], None)
        for option, value in changes.items():
            setattr(changed, option, value)
        assert vars(changed.corpus_score(texts[0], None)) == vars(fresh.corpus_score(*texts))


def test_what_add_k_adds_keeps_its_type() -> None:
    """Also where the same number of another type came before."""
    text, references = "the cat sat down", ["the cat sat up"]
    for value in (1, 1.0, 2.0, 2, 1, 0.5, None):
        options: dict[str, Any] = {"smooth_method": "add-k", "smooth_value": value}
        metric = ours.BLEU(**options)
        for score in (
            ours.sentence_bleu(text, references, **options),
            ours.corpus_bleu([text], [references], **options),
            metric.corpus_score([text], [references]),
            metric.sentence_score(text, references),
            ours.BLEU.compute_bleu([3, 2, 1, 0], [4, 3, 2, 1], 4, 4, **options),
        ):
            added = 1 if value is None else value
            expected = [3, 2 + added, 1 + added, added], [4, 3 + added, 2 + added, 1 + added]
            for counts, wanted in zip((score.counts, score.totals), expected, strict=True):
                assert list(map(repr, counts)) == list(map(repr, wanted)), (value, counts)


def test_metrics_can_be_copied_and_sent_to_processes() -> None:
    for name in "BLEU", "CHRF", "TER":
        metric = getattr(ours, name)(references=STREAMS)
        score = metric.corpus_score(HYPOTHESES, None)
        for copied in pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric):
            agree(copied.corpus_score(HYPOTHESES, None), score)
        agree(pickle.loads(pickle.dumps(score)), score)


@pytest.mark.peers
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_statistics_can_be_taken_and_scored_apart(name: str) -> None:
    mine, other = both(name, {})
    rows = [list(row) for row in mine._extract_corpus_statistics(HYPOTHESES, STREAMS)]
    assert rows == other._extract_corpus_statistics(HYPOTHESES, STREAMS)
    agree(mine._aggregate_and_compute(rows), other._aggregate_and_compute(rows))
    agree(mine._compute_score_from_stats(rows[0]), other._compute_score_from_stats(rows[0]))
    for text in "It's Ã\t", "":
        assert mine._preprocess_segment(text) == other._preprocess_segment(text)


def same_words(base: Any) -> Any:
    """A metric of one's own, on either base class: the share of words that the references have."""

    class SameWords(base.Metric):  # type: ignore[misc]
        def _aggregate_and_compute(self, stats: Any) -> Any:
            return self._compute_score_from_stats([sum(column) for column in zip(*stats)])  # noqa: B905

        def _compute_score_from_stats(self, stats: Any) -> Any:
            return base.Score("words", 100 * float(stats[0]) / float(stats[1]))

        def _preprocess_segment(self, sent: str) -> str:
            return sent.lower()

        def _extract_reference_info(self, refs: Any) -> dict[str, Any]:
            return {"words": {word for ref in refs for word in ref.split()}}

        def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[int]:
            words = hypothesis.split()
            return [sum(word in ref_kwargs["words"] for word in words), len(words)]

    return SameWords()


@pytest.mark.peers
def test_a_metric_of_ones_own_works_as_on_sacrebleus_base() -> None:
    mine, other = same_words(ours.metrics.base), same_words(theirs().metrics.base)
    texts = ["A b c", "d e"], [["a b x", "D"], ["c", None]]
    agree_on_draws(mine.corpus_score(*texts, n_bootstrap=50), other.corpus_score(*texts, 50))
    sign_alike(mine.get_signature(), other.get_signature())
    agree(mine.sentence_score("A b", ["a c"]), other.sentence_score("A b", ["a c"]))
    with pytest.raises(InputError):
        mine.corpus_score(["a"], texts[1])
    base: Any = ours.metrics.base
    with pytest.raises(TypeError, match="abstract"):
        base.Metric()


def test_a_hook_that_would_not_be_called_is_refused() -> None:
    class Named(ours.BLEU):
        pass

    assert Named().corpus_score(["a b c d"], [["a b c d"]]).bp == 1
    with pytest.raises(OptionError, match="Stripped overrides _preprocess_segment"):

        class Stripped(ours.BLEU):
            def _preprocess_segment(self, sent: str) -> str:
                return sent.strip()


@pytest.mark.peers
def test_a_program_that_imports_sacrebleu_can_be_given_ours() -> None:
    program = (
        "import sys\n"
        "from bleuet.compat import sacrebleu as ours\n"
        "sys.modules['sacrebleu'] = ours\n"
        "import sacrebleu, sacrebleu.tokenizers.tokenizer_ter\n"
        "from sacrebleu.metrics import BLEU\n"
        "from sacrebleu.metrics.chrf import CHRF\n"
        "from sacrebleu.utils import smart_open\n"
        "assert BLEU is ours.BLEU and sacrebleu.__version__ == '2.6.0'\n"
        "print(CHRF().corpus_score(['a b'], [['a c']]))\n"
        "try: sacrebleu.DATASETS\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[0] == repr(theirs().corpus_chrf(["a b"], [["a c"]])), done.stderr
    assert lines[1].endswith(
        "use bleuet.compat.sacrebleu.DATASETS once before replacing sys.modules['sacrebleu']"
    )


def test_a_score_of_one_s_own_prints_without_a_signature() -> None:
    assert ours.metrics.BLEUScore(1.0, [1], [1], [1.0], 1.0, 1, 1).format(is_json=True) == (
        '{\n "name": "BLEU",\n "score": 1.0,\n "signature": "",\n '
        '"verbose_score": "1.0 (BP = 1.000 ratio = 1.000 hyp_len = 1 ref_len = 1)"\n}'
    )


@pytest.mark.peers
def test_files_open_alike(tmp_path: Path) -> None:
    import gzip

    plain, packed = tmp_path / "a.txt", tmp_path / "a.gz"
    plain.write_bytes("é\r\nb\rc\n".encode())
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    packages: tuple[Any, Any] = ours, theirs()
    for path in plain, packed:
        mine, other = (package.smart_open(str(path)) for package in packages)
        with mine, other:
            assert list(mine) == list(other) == ["é\r\n", "b\rc\n"]


@pytest.mark.peers
def test_a_chrf_that_counts_nothing_is_an_error_and_no_score() -> None:
    """Of no n-grams at all, sacreBLEU has 0 or fails, by the texts."""
    assert theirs().metrics.CHRF(0, 0).corpus_score(["a"], [["a"]]).score == 0
    with pytest.raises(IndexError):
        theirs().metrics.CHRF(0, 0).corpus_score(["a", ""], [["a", "b"]])
    with pytest.raises(OptionError, match="both 0, so nothing would count"):
        ours.CHRF(0, 0)


@pytest.mark.peers
def test_odds_and_ends_agree() -> None:
    mine: Any = ours.utils
    other: Any = theirs().utils
    for lists in [[1, 2], [3, 4]], [[1, 0.1], [2, 0.2], [3, 0.3]], [[5]]:
        assert mine.sum_of_lists(lists) == other.sum_of_lists(lists)
    for number in 0.0, 1.0, 2.5:
        assert mine.my_log(number) == other.my_log(number)
    for colour in "red", "cyan", "Yellow", "no such colour":
        assert mine.Color.format("a", colour) == other.Color.format("a", colour)
    mine.sanity_check_lengths(["a"], [["b"], ["c"]])
    with pytest.raises(InputError, match="2 segments, but reference stream 0 has 1"):
        mine.sanity_check_lengths(["a", "b"], [["b"]])
