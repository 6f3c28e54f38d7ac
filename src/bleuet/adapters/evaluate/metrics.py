"""The classes that `evaluate` loads: each gets the arguments of the metric of its name there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError, MissingExtraError
from bleuet.extras import optional
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.metrics.gleu.metric import GLEU
from bleuet.metrics.meteor.metric import METEOR
from bleuet.metrics.nist.metric import NIST
from bleuet.metrics.rouge.metric import ROUGE
from bleuet.metrics.ter.metric import TER
from bleuet.metrics.wer.metric import WER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Tokenize = Callable[[str], Sequence[str]]

datasets, evaluate = optional("datasets"), optional("evaluate")
_BASE: Any = evaluate.Metric
TEXT = datasets.Value("string")
PERCENT = 100.0


class _Module(_BASE):  # type: ignore[misc]
    """The base of all: a hypothesis and one or several references for each segment."""

    def _info(self) -> Any:
        several = {"predictions": TEXT, "references": datasets.Sequence(TEXT)}
        single = {"predictions": TEXT, "references": TEXT}
        return evaluate.MetricInfo(
            description=self.__doc__ or "",
            citation="",
            inputs_description=type(self)._compute.__doc__ or "",
            features=[datasets.Features(one) for one in (several, single)],
        )


def _tokenized(
    predictions: Sequence[str], references: Sequence[Any], tokenizer: str | Tokenize | None
) -> tuple[str, Sequence[str], Sequence[Any]]:
    """Return the name of a tokenizer, and the texts that it gets.

    Args:
        predictions: the hypotheses.
        references: the references.
        tokenizer: the name of a tokenizer, or a function from a text to tokens; default 13a.
    """
    if tokenizer is None or isinstance(tokenizer, str):
        return tokenizer or "13a", predictions, references

    def joined(text: str) -> str:
        return " ".join(tokenizer(text))

    return (
        "none",
        list(map(joined, predictions)),
        [joined(one) if isinstance(one, str) else list(map(joined, one)) for one in references],
    )


class Sacrebleu(_Module):
    """BLEU as sacreBLEU computes it, in percent."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        force: bool = False,
        lowercase: bool = False,
        tokenize: str | None = None,
        use_effective_order: bool = False,
    ) -> dict[str, Any]:
        """Return score, counts, totals, precisions, bp, sys_len and ref_len."""
        metric = BLEU(
            smooth=smooth_method,  # type: ignore[arg-type]  # checked by the option
            smooth_value=smooth_value,
            lowercase=lowercase,
            tokenize=tokenize or "13a",
            effective_order=use_effective_order,
        )
        found = metric.corpus_score(predictions, references)
        return {
            "score": found.score,
            "counts": list(found.counts),
            "totals": list(found.totals),
            "precisions": list(found.precisions),
            "bp": found.bp,
            "sys_len": found.sys_len,
            "ref_len": found.ref_len,
        }


class Bleu(_Module):
    """BLEU without smoothing, or smoothed as by Lin and Och (2004), from 0 to 1."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        tokenizer: str | Tokenize | None = None,
        max_order: int = 4,
        smooth: bool = False,
        tokenizer_name: str | None = None,
    ) -> dict[str, Any]:
        """Return bleu, precisions, brevity_penalty, length_ratio and both lengths."""
        name = "none" if tokenizer_name == "whitespace" else tokenizer_name
        tokenize, predictions, references = _tokenized(predictions, references, name or tokenizer)
        metric = BLEU(
            tokenize=tokenize,
            max_ngram_order=max_order,
            smooth="nmt" if smooth else "none",
            reference_length="shortest",
        )
        found = metric.corpus_score(predictions, references)
        return {
            "bleu": found.score / PERCENT,
            "precisions": [one / PERCENT for one in found.precisions],
            "brevity_penalty": found.bp,
            "length_ratio": found.ratio,
            "translation_length": found.sys_len,
            "reference_length": found.ref_len,
        }


class GoogleBleu(_Module):
    """Google BLEU, from 0 to 1."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        tokenizer: str | Tokenize | None = None,
        min_len: int = 1,
        max_len: int = 4,
    ) -> dict[str, Any]:
        """Return google_bleu."""
        tokenize, predictions, references = _tokenized(predictions, references, tokenizer)
        metric = GLEU(tokenize=tokenize, min_ngram_order=min_len, max_ngram_order=max_len)
        found = metric.corpus_score(predictions, references)
        return {"google_bleu": found.score / PERCENT}


class ChrF(_Module):
    """chrF, or with word_order=2 chrF++, in percent."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        char_order: int = 6,
        word_order: int = 0,
        beta: int = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> dict[str, Any]:
        """Return score, char_order, word_order and beta."""
        metric = CHRF(
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            lowercase=lowercase,
            whitespace=whitespace,
            eps_smoothing=eps_smoothing,
        )
        found = metric.corpus_score(predictions, references)
        orders = {"char_order": char_order, "word_order": word_order, "beta": beta}
        return {"score": found.score, **orders}


class Ter(_Module):
    """TER, in percent of the words of the references."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        normalized: bool = False,
        ignore_punct: bool = False,
        support_zh_ja_chars: bool = False,
        case_sensitive: bool = False,
    ) -> dict[str, Any]:
        """Return score, num_edits and ref_length."""
        metric = TER(
            normalized=normalized,
            no_punct=ignore_punct,
            asian_support=support_zh_ja_chars,
            case_sensitive=case_sensitive,
        )
        found = metric.corpus_score(predictions, references)
        return {
            "score": found.score,
            "num_edits": found.num_edits,
            "ref_length": float(found.ref_length),
        }


class Rouge(_Module):
    """ROUGE-1, -2, -L and -Lsum, from 0 to 1."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        rouge_types: Sequence[str] | None = None,
        use_aggregator: bool = True,
        use_stemmer: bool = False,
        tokenizer: Tokenize | None = None,
    ) -> dict[str, Any]:
        """Return the mean of each type, or without use_aggregator a list of its scores."""
        tokenize = "rouge"
        if tokenizer is not None:
            tokenize, predictions, references = _tokenized(predictions, references, tokenizer)
        found: dict[str, Any] = {}
        for name in rouge_types or ("rouge1", "rouge2", "rougeL", "rougeLsum"):
            chosen: dict[str, Any] = {"variant": name.removeprefix("rouge"), "tokenize": tokenize}
            metric = ROUGE(stemming=use_stemmer, **chosen)
            scores = metric.sentence_scores(predictions, references)
            if use_aggregator:
                found[name] = metric.score(scores.table.totals()).score / PERCENT
            else:
                found[name] = [score / PERCENT for score in scores]
        return found


class Meteor(_Module):
    """METEOR of 2005 with the words' stems and WordNet's synonyms, from 0 to 1."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        alpha: float = 0.9,
        beta: float = 3,
        gamma: float = 0.5,
        wordnet: str | None = None,
    ) -> dict[str, Any]:
        """Return meteor.

        Args:
            predictions: the hypotheses.
            references: the references.
            alpha: the weight of recall.
            beta: the exponent of the fragmentation.
            gamma: the most that fragmentation can cost.
            wordnet: WordNet's folder; default that of NLTK; "none" for no synonyms.
        """
        metric = METEOR(
            version="2005",
            alpha=alpha,
            beta=float(beta),
            gamma=gamma,
            resources=_nltk_wordnet() if wordnet is None else wordnet,
        )
        scores = metric.sentence_scores(predictions, references)
        return {"meteor": sum(scores) / len(scores) / PERCENT}


def _nltk_wordnet() -> str:
    try:
        return str(optional("nltk").data.find("corpora/wordnet"))
    except (MissingExtraError, LookupError):
        raise InputError(
            "METEOR compares synonyms with WordNet, which is not on this computer: run "
            "`python -m nltk.downloader wordnet`, unpack the file, or pass wordnet=FOLDER, or "
            'wordnet="none" for words and stems alone'
        ) from None


class _ErrorRate(_Module):
    rate: str

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[str],
        concatenate_texts: bool = False,
    ) -> float:
        """Return the error rate, as a number that is 1 for as many errors as words."""
        if concatenate_texts:
            predictions, references = [" ".join(predictions)], [" ".join(references)]
        metric = WER(tokenize="words" if self.rate == "wer" else "char")
        return float(metric.corpus_score(predictions, references).score / PERCENT)


class Wer(_ErrorRate):
    """Word error rate: 1 is as many errors as words in the references."""

    rate = "wer"


class Cer(_ErrorRate):
    """Character error rate: 1 is as many errors as characters in the references."""

    rate = "cer"


class NistMt(_Module):
    """NIST, with the reference of each order that NLTK takes."""

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Any],
        n: int = 5,
        lowercase: bool = False,
        western_lang: bool = True,
    ) -> dict[str, Any]:
        """Return nist_mt."""
        tokenize = "13a" if western_lang else "intl"
        metric = NIST(
            max_ngram_order=n,
            lowercase=lowercase and western_lang,
            tokenize=tokenize,
            information="paper",
            several="nltk",
        )
        return {"nist_mt": metric.corpus_score(predictions, references).score}
