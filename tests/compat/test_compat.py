"""Every number, component and line of sacreBLEU's interface is sacreBLEU's own."""

from __future__ import annotations

import copy
import importlib
import inspect
import logging
import math
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import sacrebleu as theirs
import sacrebleu.metrics.base
import sacrebleu.metrics.helpers
import sacrebleu.utils
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.compat import sacrebleu as ours
from understudy.errors import InputError, InputTypeError, OptionError, UnderstudyError
from understudy.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

VERSION = f"understudy-{__version__}=sacrebleu-2.6.0"

TEXT = (
    'the The cat cats sat on a mat . , ; the. It\'s 3.5 1,000 2-3 state-of-the-art (well) "yes" '
    "&quot; &amp; <skipped> élan naïve ÉCLAIR straße 猫が 座った。 中文，测试 한국어 « oui » 10% "
    "$5 … a/b x_y ~ ' é ı İ 𝒳 👍🏽 e\u0301"
)
WORDS = TEXT.split()
segments = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.text("ab .,-'&中。\t\u3000\xa0É1", max_size=20),
)


@st.composite
def corpora(draw: st.DrawFn, absent: bool = True) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses, and one to three streams of references of which some are absent."""
    size = draw(st.integers(1, 5))
    hypotheses = draw(st.lists(segments, min_size=size, max_size=size))
    streams: list[list[str | None]] = [draw(st.lists(segments, min_size=size, max_size=size))]
    for _ in range(draw(st.integers(0, 2))):
        entries = st.one_of(st.none(), segments) if absent else segments
        streams.append(draw(st.lists(entries, min_size=size, max_size=size)))
    return hypotheses, streams


BLEU_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["13a", "none", "char", "intl", "zh"]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0.5, 1, 2]),
        "effective_order": st.booleans(),
        "max_ngram_order": st.integers(1, 6),
        "force": st.booleans(),
        "trg_lang": st.sampled_from(["", "de", "zh"]),
    },
)
CHRF_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.integers(1, 4),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)
TER_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in ("normalized", "no_punct", "asian_support", "case_sensitive")
    },
)
CONFIGURATIONS = st.one_of(
    st.tuples(st.just("BLEU"), BLEU_OPTIONS),
    st.tuples(st.just("CHRF"), CHRF_OPTIONS),
    st.tuples(st.just("TER"), TER_OPTIONS),
)


def both(name: str, options: dict[str, Any], **more: Any) -> tuple[Any, Any]:
    return getattr(ours.metrics, name)(**options, **more), getattr(theirs.metrics, name)(
        **options, **more
    )


def without_version(text: str) -> str:
    return text.replace(VERSION, "2.6.0")


def agree(mine: Any, other: Any) -> None:
    """Every attribute is the same and of the same type, and every way to print it too."""
    assert vars(mine) == vars(other)
    for name, value in vars(other).items():
        assert type(vars(mine)[name]) is type(value), name
    assert repr(mine) == repr(other)
    for width in 0, 2, 5:
        assert mine.format(width, True) == other.format(width, True)
        signature = "nrefs:1|case:lc"
        assert mine.format(width, False, signature, True) == other.format(
            width, False, signature, True
        )


def sign_alike(mine: Any, other: Any) -> None:
    """Signatures are the same but for the version, and for what sacreBLEU's leave out."""
    order = mine.info.pop("order", None)
    for short in False, True:
        assert without_version(mine.format(short)) == other.format(short)
    assert order is None or order != 4
    for name, value in other.info.items():
        if name != "version":
            assert (mine.info[name], type(mine.info[name])) == (value, type(value)), name


# --- Numbers --------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(CONFIGURATIONS, corpora())
def test_corpus_scores_agree(
    configuration: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[list[str | None]]]
) -> None:
    name, options = configuration
    mine, other = both(name, options)
    agree(mine.corpus_score(*corpus), other.corpus_score(*corpus))
    sign_alike(mine.get_signature(), other.get_signature())


@settings(max_examples=200)
@given(CONFIGURATIONS, corpora())
def test_sentence_scores_agree(
    configuration: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[list[str | None]]]
) -> None:
    name, options = configuration
    mine, other = both(name, options)
    hypotheses, streams = corpus
    rows = list(zip(*streams, strict=True))
    for hypothesis, references in zip(hypotheses, rows, strict=True):
        agree(
            mine.sentence_score(hypothesis, references),
            other.sentence_score(hypothesis, references),
        )
        sign_alike(mine.get_signature(), other.get_signature())
    for score, hypothesis, references in zip(
        mine._sentence_scores(hypotheses, streams), hypotheses, rows, strict=True
    ):
        agree(score, other.sentence_score(hypothesis, references))


@settings(max_examples=60)
@given(CONFIGURATIONS, corpora())
def test_cached_references_agree(
    configuration: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[list[str | None]]]
) -> None:
    name, options = configuration
    hypotheses, streams = corpus
    mine, other = both(name, options, references=streams)
    sign_alike(mine.get_signature(), other.get_signature())
    for system in hypotheses, list(reversed(hypotheses)):
        agree(mine.corpus_score(system, None), other.corpus_score(system, None))
    sign_alike(mine.get_signature(), other.get_signature())


@settings(max_examples=40)
@given(CONFIGURATIONS, corpora(), st.sampled_from(["12345", "7", "0"]))
def test_confidence_intervals_agree_to_the_bit(
    configuration: tuple[str, dict[str, Any]],
    corpus: tuple[list[str], list[list[str | None]]],
    seed: str,
) -> None:
    name, options = configuration
    mine, other = both(name, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", seed)
        score = mine.corpus_score(*corpus, n_bootstrap=60)
        try:
            expected = other.corpus_score(*corpus, 60)
        except TypeError:
            # sacreBLEU cannot take the mean of draws of which some score a plain 0.0.
            assert score._mean >= 0
            return
    agree(score, expected)
    sign_alike(mine.get_signature(), other.get_signature())


@settings(max_examples=200)
@given(
    st.integers(1, 5).flatmap(
        lambda order: st.tuples(
            st.just(order),
            st.lists(
                st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=order, max_size=order
            ),
        )
    ),
    st.integers(0, 30),
    st.integers(0, 30),
    st.sampled_from(["exp", "floor", "add-k", "none"]),
    st.sampled_from([None, 0.0, 0.1, 1, 3]),
    st.booleans(),
)
def test_scores_of_counts_agree(
    counts: tuple[int, list[tuple[int, int]]],
    sys_len: int,
    ref_len: int,
    smooth: str,
    value: float | None,
    effective: bool,
) -> None:
    order, pairs = counts
    correct, total = [min(pair) for pair in pairs], [max(pair) for pair in pairs]
    arguments: Any = (sys_len, ref_len, smooth, value, effective, order)
    given_counts = list(correct), list(total)
    mine = ours.BLEU.compute_bleu(*given_counts, *arguments)
    assert given_counts == (correct, total)
    agree(mine, theirs.BLEU.compute_bleu(list(correct), list(total), *arguments))


FUNCTIONS: dict[str, list[dict[str, Any]]] = {
    "corpus_bleu": [
        {},
        {"smooth_method": "floor", "smooth_value": 0.2, "lowercase": True, "force": True},
        {"tokenize": "intl", "use_effective_order": True},
        {"tokenize": None},
    ],
    "raw_corpus_bleu": [{}, {"smooth_value": 0.5}, {"smooth_value": None}],
    "sentence_bleu": [{}, {"smooth_method": "add-k"}, {"use_effective_order": False}],
    "corpus_chrf": [{}, {"word_order": 2, "beta": 3}, {"remove_whitespace": False}],
    "sentence_chrf": [{}, {"char_order": 4, "eps_smoothing": True}],
    "corpus_ter": [{}, {"normalized": True, "asian_support": True}],
    "sentence_ter": [{}, {"no_punct": True, "case_sensitive": True}],
}
HYPOTHESES = ["The cat sat down.", "It's 3.5% of 中文，测试", "", "a b c d e f g"]
STREAMS = [["The cat sat up.", "It is 3.5 %", "x", "e f g a b c d"], ["A cat.", "中文", "", "a"]]


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, listed in FUNCTIONS.items() for options in listed],
)
def test_functions_agree(name: str, options: dict[str, Any]) -> None:
    mine, other = getattr(ours, name), getattr(theirs, name)
    if "corpus" in name:
        agree(mine(HYPOTHESES, STREAMS, **options), other(HYPOTHESES, STREAMS, **options))
        return
    for hypothesis, *references in zip(HYPOTHESES, *STREAMS, strict=True):
        agree(mine(hypothesis, references, **options), other(hypothesis, references, **options))


def test_a_language_picks_the_tokenizer() -> None:
    for language in "zh", "ja", "ko", "de":
        mine, other = both("BLEU", {"trg_lang": language})
        texts = (["これは中文，测试 한국어를 보았다."], [["これは、中文测试 한국어를 보았다."]])
        agree(mine.corpus_score(*texts), other.corpus_score(*texts))
        sign_alike(mine.get_signature(), other.get_signature())


def test_infinitesimals_are_scored_alike() -> None:
    for smooth_value in (0.001, 1e-9):
        mine, other = both("BLEU", {"smooth_method": "floor", "smooth_value": smooth_value})
        agree(mine.corpus_score(["a b"], [["a c"]]), other.corpus_score(["a b"], [["a c"]]))
        assert f"floor[{smooth_value!r}]" in mine.get_signature().format()


# --- Tokenizers and n-grams -----------------------------------------------------------------------

TOKENIZERS = {
    "tokenizer_13a": "Tokenizer13a",
    "tokenizer_none": "NoneTokenizer",
    "tokenizer_zh": "TokenizerZh",
    "tokenizer_intl": "TokenizerV14International",
    "tokenizer_char": "TokenizerChar",
    "tokenizer_re": "TokenizerRegexp",
    "tokenizer_ja_mecab": "TokenizerJaMecab",
    "tokenizer_ko_mecab": "TokenizerKoMecab",
    "tokenizer_ter": "TercomTokenizer",
}


def tokenizer(package: Any, module: str, name: str) -> Any:
    found = importlib.import_module(f"{package.__name__}.tokenizers.{module}")
    return getattr(found, name)


@pytest.mark.parametrize(("module", "name"), TOKENIZERS.items())
@settings(max_examples=60)
@given(line=segments)
def test_tokenizers_agree(module: str, name: str, line: str) -> None:
    mine, other = (tokenizer(package, module, name)() for package in (ours, theirs))
    line = line.rstrip()
    assert mine(line) == other(line)
    assert mine.signature() == other.signature()


@settings(max_examples=100)
@given(TER_OPTIONS, segments)
def test_tercom_tokenizers_agree(options: dict[str, bool], line: str) -> None:
    mine, other = (
        tokenizer(package, "tokenizer_ter", "TercomTokenizer") for package in (ours, theirs)
    )
    assert mine(**options)(line) == other(**options)(line)
    assert (mine.ASIAN_PUNCT, mine.FULL_WIDTH_PUNCT) == (other.ASIAN_PUNCT, other.FULL_WIDTH_PUNCT)


@given(segments, st.integers(1, 3), st.booleans())
def test_ngrams_agree(line: str, n: int, whitespace: bool) -> None:
    mine, other = ours.metrics.helpers, theirs.metrics.helpers
    words = line.split()
    assert mine.extract_word_ngrams(words, n) == other.extract_word_ngrams(words, n)
    assert mine.extract_all_word_ngrams(line, 1, n) == other.extract_all_word_ngrams(line, 1, n)
    for name in "extract_char_ngrams", "extract_all_char_ngrams":
        assert getattr(mine, name)(line, n, whitespace) == getattr(other, name)(line, n, whitespace)


def test_metrics_have_their_tokenizers() -> None:
    for options in {}, {"tokenize": "char"}, {"tokenize": "ja-mecab"}:
        mine, other = both("BLEU", options)
        assert mine.tokenizer("It's 3.5%.") == other.tokenizer("It's 3.5%.")
        assert mine.tokenizer_signature == other.tokenizer_signature
    mine, other = both("TER", {"normalized": True})
    assert mine.tokenizer("It's 3.5%.") == other.tokenizer("It's 3.5%.")
    assert mine.tokenizer_signature == other.tokenizer_signature


class Halves:
    """A tokenizer of one's own."""

    def __call__(self, line: str) -> str:
        return f"{line[: len(line) // 2]} {line[len(line) // 2 :]}"

    def signature(self) -> str:
        return "halves"


def test_a_tokenizer_of_ones_own_takes_the_place() -> None:
    mine, other = both("BLEU", {"lowercase": True, "max_ngram_order": 2})
    for metric in mine, other:
        metric.tokenizer = Halves()
        metric.tokenizer_signature_ = "halves"
    hypotheses, streams = ["Abcd ", "abXY"], [["ABce", "abxy"], ["abde", None]]
    agree(mine.corpus_score(hypotheses, streams), other.corpus_score(hypotheses, streams))
    agree(mine.sentence_score("Abcd", ["abCE"]), other.sentence_score("Abcd", ["abCE"]))
    assert "tok:halves" in str(mine.get_signature())


# --- Names ----------------------------------------------------------------------------------------

MODULES = (
    "",
    ".compat",
    ".dataset",
    ".metrics",
    ".metrics.base",
    ".metrics.bleu",
    ".metrics.chrf",
    ".metrics.helpers",
    ".metrics.ter",
    ".tokenizers",
    ".tokenizers.tokenizer_spm",
    ".utils",
    ".version",
    *(f".tokenizers.{module}" for module in TOKENIZERS),
)
# Constants of its own machinery, and what typing's imports leave behind.
NOT_PUBLIC = {
    "Any",
    "COMMIT_ID",
    "FAIL_MESSAGE",
    "Optional",
    "SACREBLEU_DIR",
    "TYPE_CHECKING",
    "VERSION_TUPLE",
}


def public_names(module: Any) -> set[str]:
    """What a module defines: its own classes and functions, and constants."""
    found = {name: value for name, value in vars(module).items() if name[0] != "_"}
    return {
        name
        for name, value in found.items()
        if getattr(value, "__module__", module.__name__) == module.__name__
        and not inspect.ismodule(value)
    } - NOT_PUBLIC


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_there(module: str) -> None:
    other = importlib.import_module(f"sacrebleu{module}")
    mine = importlib.import_module(f"understudy.compat.sacrebleu{module}")
    wanted = public_names(other)
    assert wanted or module in ("", ".tokenizers", ".metrics")
    assert {name for name in wanted if not hasattr(mine, name)} == set()
    with pytest.raises(AttributeError):
        mine.no_such_name  # noqa: B018


def test_everything_sacrebleu_exports_is_exported() -> None:
    assert set(theirs.__all__) <= set(ours.__all__)
    assert all(hasattr(ours, name) for name in ours.__all__)
    assert ours.__version__ == theirs.__version__ == "2.6.0"


def parameters(function: Any) -> list[tuple[str, Any]]:
    return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER", "BLEUScore", "CHRFScore", "TERScore"])
def test_constructors_and_methods_take_the_same_arguments(name: str) -> None:
    mine, other = getattr(ours.metrics, name), getattr(theirs.metrics, name)
    assert parameters(mine) == parameters(other)
    for method in dir(other):
        if not method.startswith("_") and callable(getattr(other, method)):
            assert parameters(getattr(mine, method)) == parameters(getattr(other, method)), method


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_the_same_arguments(name: str) -> None:
    assert parameters(getattr(ours, name)) == parameters(getattr(theirs, name))


def test_class_attributes_are_the_same() -> None:
    assert list(ours.BLEU.TOKENIZERS) == list(theirs.BLEU.TOKENIZERS)
    assert ours.BLEU.SMOOTH_DEFAULTS == theirs.BLEU.SMOOTH_DEFAULTS
    assert ours.BLEU.TOKENIZER_DEFAULT == theirs.BLEU.TOKENIZER_DEFAULT
    for name in "CHAR_ORDER", "WORD_ORDER", "BETA":
        assert getattr(ours.CHRF, name) == getattr(theirs.CHRF, name)
    assert ours.metrics.METRICS.keys() == theirs.metrics.METRICS.keys()


def test_test_sets_are_sacrebleus_own() -> None:
    assert ours.DATASETS is theirs.DATASETS
    assert ours.get_available_testsets() == theirs.get_available_testsets()
    assert ours.get_langpairs_for_testset("wmt17") == theirs.get_langpairs_for_testset("wmt17")


def test_without_the_package_the_test_sets_say_how_to_get_them() -> None:
    program = (
        "import sys; sys.modules['sacrebleu'] = None\n"
        "from understudy.compat import sacrebleu\n"
        "print(sacrebleu.corpus_bleu(['a b c d'], [['a b c d']]).score)\n"
        "try: sacrebleu.DATASETS\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    score, message = done.stdout.splitlines()
    assert score == "100.00000000000004"
    assert message.endswith("pip install 'understudy[sacrebleu]'")


def test_scoring_imports_next_to_nothing() -> None:
    program = (
        "import sys; before = set(sys.modules)\n"
        "from understudy.compat import sacrebleu\n"
        "for metric in sacrebleu.BLEU(), sacrebleu.CHRF(), sacrebleu.TER():\n"
        "    str(metric.corpus_score(['a b'], [['a c']])), str(metric.get_signature())\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    heavy = {"argparse", "json", "logging", "numpy", "regex", "sacrebleu", "tabulate", "typing"}
    assert "understudy" in done.stdout.split(), done.stderr
    assert not heavy & set(done.stdout.split())


# --- Behaviour ------------------------------------------------------------------------------------


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

    with caplog.at_level(logging.INFO):
        mine, other = list(heard(ours)), list(heard(theirs))
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


def test_metrics_can_be_copied_and_sent_to_processes() -> None:
    for name in "BLEU", "CHRF", "TER":
        metric = getattr(ours, name)(references=STREAMS)
        score = metric.corpus_score(HYPOTHESES, None)
        for twin in pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric):
            agree(twin.corpus_score(HYPOTHESES, None), score)
        agree(pickle.loads(pickle.dumps(score)), score)


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


def test_a_metric_of_ones_own_works_as_on_sacrebleus_base() -> None:
    mine, other = same_words(ours.metrics.base), same_words(theirs.metrics.base)
    texts = ["A b c", "d e"], [["a b x", "D"], ["c", None]]
    agree(mine.corpus_score(*texts, n_bootstrap=50), other.corpus_score(*texts, 50))
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


def test_a_program_that_imports_sacrebleu_can_be_given_ours() -> None:
    program = (
        "import sys\n"
        "from understudy.compat import sacrebleu as ours\n"
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
    assert lines[0] == repr(theirs.corpus_chrf(["a b"], [["a c"]])), done.stderr
    assert lines[1].endswith(
        "use understudy.compat.sacrebleu.DATASETS once before putting understudy in its place"
    )


def test_a_score_of_one_s_own_prints_without_a_signature() -> None:
    assert ours.metrics.BLEUScore(1.0, [1], [1], [1.0], 1.0, 1, 1).format(is_json=True) == (
        '{\n "name": "BLEU",\n "score": 1.0,\n "signature": "",\n '
        '"verbose_score": "1.0 (BP = 1.000 ratio = 1.000 hyp_len = 1 ref_len = 1)"\n}'
    )


def test_files_open_alike(tmp_path: Path) -> None:
    import gzip

    plain, packed = tmp_path / "a.txt", tmp_path / "a.gz"
    plain.write_bytes("é\r\nb\rc\n".encode())
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    packages: tuple[Any, Any] = ours, theirs
    for path in plain, packed:
        mine, other = (package.smart_open(str(path)) for package in packages)
        with mine, other:
            assert list(mine) == list(other) == ["é\r\n", "b\rc\n"]


def test_odds_and_ends_agree() -> None:
    mine: Any = ours.utils
    other: Any = theirs.utils
    for lists in [[1, 2], [3, 4]], [[1, 0.1], [2, 0.2], [3, 0.3]], [[5]]:
        assert mine.sum_of_lists(lists) == other.sum_of_lists(lists)
    for number in 0.0, 1.0, 2.5:
        assert mine.my_log(number) == other.my_log(number)
    for colour in "red", "cyan", "Yellow", "no such colour":
        assert mine.Color.format("a", colour) == other.Color.format("a", colour)
    mine.sanity_check_lengths(["a"], [["b"], ["c"]])
    with pytest.raises(InputError, match="2 segments, but reference stream 0 has 1"):
        mine.sanity_check_lengths(["a", "b"], [["b"]])


# --- Misuse ---------------------------------------------------------------------------------------

NOT_ONE = "expected a list of streams"
MISUSE: dict[str, tuple[Any, type[Exception], str]] = {
    "fewer references": (
        lambda m: m.corpus_score(["a", "b"], [["a"]]),
        InputError,
        "2 hypotheses but 1 reference in each stream",
    ),
    "more references": (
        lambda m: m.corpus_score(["a"], [["a", "b"]]),
        InputError,
        "1 hypothesis but 2 references in each stream",
    ),
    "references per segment": (
        lambda m: m.corpus_score(["a", "b", "c"], [["a"], ["b"], ["c"]]),
        InputError,
        r"pass list\(zip\(\*references\)\)",
    ),
    "streams of two lengths": (
        lambda m: m.corpus_score(["a", "b"], [["a", "b"], ["c"]]),
        InputError,
        r"references\[0\] has 2 segments but references\[1\] has 1;",
    ),
    "a bare string": (lambda m: m.corpus_score("abc", [["a"]]), InputTypeError, "bare string"),
    "a bare string of references": (
        lambda m: m.corpus_score(["a"], "a"),
        InputTypeError,
        NOT_ONE,
    ),
    "one bare stream": (
        lambda m: m.corpus_score(["a"], ["a"]),
        InputTypeError,
        r"wrap a single stream, \[references\]",
    ),
    "no hypotheses": (lambda m: m.corpus_score([], [[]]), InputError, "no segment"),
    "no streams": (lambda m: m.corpus_score(["a"], []), InputError, "references is empty"),
    "no references": (lambda m: m.corpus_score(["a"], None), InputError, "has no references"),
    "all absent": (
        lambda m: m.corpus_score(["a", "b"], [["a", None], ["b", None]]),
        InputError,
        "segment 1 has no reference",
    ),
    "absent in the only stream": (
        lambda m: m.corpus_score(["a"], [[None]]),
        InputError,
        "segment 0 has no reference",
    ),
    "an absent hypothesis": (
        lambda m: m.corpus_score(["a", None], [["a", "b"]]),
        InputTypeError,
        r"hypotheses\[1\] is None",
    ),
    "a number": (
        lambda m: m.corpus_score(["a"], [[3.5]]),
        InputTypeError,
        r"references\[0\]\[0\] is of the type float",
    ),
    "a list for a string": (
        lambda m: m.corpus_score(["a"], [[["a"]]]),
        InputTypeError,
        r"references\[0\]\[0\] is of the type list",
    ),
    "bytes": (lambda m: m.corpus_score([b"a"], [["a"]]), InputTypeError, "decode"),
    "a dictionary": (lambda m: m.corpus_score(["a"], {"a": 1}), InputTypeError, NOT_ONE),
    "a list as a sentence": (
        lambda m: m.sentence_score(["a"], ["a"]),
        InputTypeError,
        "expected a string",
    ),
    "a sentence's bare reference": (
        lambda m: m.sentence_score("a", "a"),
        InputTypeError,
        "wrap it in a list",
    ),
    "a sentence's references in streams": (
        lambda m: m.sentence_score("a", [["a"]]),
        InputTypeError,
        "expected a list of strings",
    ),
    "a sentence without references": (
        lambda m: m.sentence_score("a", []),
        InputError,
        "no reference",
    ),
    "a sentence with absent references": (
        lambda m: m.sentence_score("a", [None, None]),
        InputError,
        "no reference",
    ),
    "a signature before a score": (
        lambda m: m.get_signature(),
        ValueError,
        "before the first score",
    ),
    "cached references of another length": (
        lambda m: type(m)(references=[["a", "b"]]).corpus_score(["a"], None),
        InputError,
        "1 hypothesis but 2 references",
    ),
}


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@pytest.mark.parametrize("misuse", MISUSE)
def test_misuse_is_told_in_one_sentence(misuse: str, name: str) -> None:
    call, kind, words = MISUSE[misuse]
    with pytest.raises(UnderstudyError, match=words) as caught:
        call(getattr(ours, name)())
    assert isinstance(caught.value, kind)
    assert "\n" not in str(caught.value)


OPTIONS_THAT_ARE_NONE: list[tuple[str, dict[str, Any]]] = [
    ("BLEU", {"smooth_method": "epx"}),
    ("BLEU", {"tokenize": "13b"}),
    ("BLEU", {"tokenize": "ids"}),
    ("BLEU", {"max_ngram_order": 0}),
    ("BLEU", {"smooth_method": "floor", "smooth_value": -1}),
    ("CHRF", {"char_order": 0}),
    ("CHRF", {"beta": -1}),
    ("CHRF", {"word_order": "2"}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS_THAT_ARE_NONE)
def test_options_that_cannot_be_are_refused_at_once(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        getattr(ours, name)(**options)


def test_a_seed_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "tomorrow")
    with pytest.raises(OptionError, match="SACREBLEU_SEED"):
        ours.BLEU().corpus_score(["a"], [["a"]], n_bootstrap=2)
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = ours.BLEU()
    assert math.isfinite(metric.corpus_score(["a"], [["a"]], n_bootstrap=2).score)
    assert "seed:none" in str(metric.get_signature())


def test_counts_of_another_number_than_orders_are_refused() -> None:
    with pytest.raises(InputError, match="one count per order, 4"):
        ours.BLEU.compute_bleu([1], [1], 1, 1)
