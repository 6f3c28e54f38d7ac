"""One function per metric and level: sacreBLEU's interface before its version 2."""

from __future__ import annotations

from functools import lru_cache

from bleuet.compat.sacrebleu.metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Streams = Sequence[Sequence[str | None]]


# Programs call these for each sentence with the same options. The types of values matter: add-k
# with k=1 and k=1.0 gives counts of two types.
_bleu = lru_cache(maxsize=32, typed=True)(BLEU)
_ter = lru_cache(maxsize=32, typed=True)(TER)


@lru_cache(maxsize=32, typed=True)
def _chrf(
    char_order: int, word_order: int, beta: int, remove_whitespace: bool, eps_smoothing: bool
) -> CHRF:
    return CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        whitespace=not remove_whitespace,
        eps_smoothing=eps_smoothing,
    )


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Return the BLEU of a corpus.

    >>> corpus_bleu(["The cat sat down."], [["The cat sat up."], ["A cat sat down."]]).score
    84.08964152537145
    """
    metric = _bleu(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    score: BLEUScore = metric.corpus_score(hypotheses, references)
    return score


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Return the BLEU of a tokenized corpus, with floor smoothing."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Return the BLEU of one hypothesis, by default with effective order."""
    metric = _bleu(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    score: BLEUScore = metric.sentence_score(hypothesis, references)
    return score


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Streams,
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Return the chrF of a corpus; with `word_order=2`, chrF++."""
    metric = _chrf(char_order, word_order, beta, remove_whitespace, eps_smoothing)
    score: CHRFScore = metric.corpus_score(hypotheses, references)
    return score


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Return the chrF of one hypothesis; with `word_order=2`, chrF++."""
    metric = _chrf(char_order, word_order, beta, remove_whitespace, eps_smoothing)
    score: CHRFScore = metric.sentence_score(hypothesis, references)
    return score


def corpus_ter(
    hypotheses: Sequence[str],
    references: Streams,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Return the TER of a corpus."""
    metric = _ter(normalized, no_punct, asian_support, case_sensitive)
    score: TERScore = metric.corpus_score(hypotheses, references)
    return score


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Return the TER of one hypothesis."""
    metric = _ter(normalized, no_punct, asian_support, case_sensitive)
    score: TERScore = metric.sentence_score(hypothesis, references)
    return score
