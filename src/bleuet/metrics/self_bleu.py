"""Self-BLEU (Zhu et al. 2018): how much the texts of a set repeat each other."""

from __future__ import annotations

from math import fsum
from random import Random

from bleuet.errors import InputError, InputTypeError
from bleuet.frozen import cached_property, checked
from bleuet.messages import wrong_type
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.text_checks import warn_of_texts
from bleuet.metrics.bleu.metric import BLEU, NLTKS_OF_THE_LAST_SENTENCE
from bleuet.metrics.bleu.options import BLEUOptions
from bleuet.statistics.seed import SEED
from bleuet.text.segments import Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Literal, NoReturn

    from bleuet.metrics.base.option import Option
    from bleuet.statistics.table import Table, Totals

# All scores of pairs need not be in memory together.
ROWS_AT_ONCE = 64
MOST_TEXTS, MOST_SEED = 2**31 - 1, 2**64 - 1
SENTENCES, CORPUS, PAIRS = AVERAGES = "sentences", "corpus", "pairs"


class SelfBLEUScore(Score):
    """A Self-BLEU score, and how many of the n-grams are different."""

    components = ("texts", "distinct")
    metric: SelfBLEU

    @property
    def texts(self) -> int:
        """The number of texts."""
        return int(self.values[0])

    @property
    def distinct(self) -> tuple[float, ...]:
        """Distinct-1 to distinct-N: different n-grams per n-gram, in percent (Li et al. 2016)."""
        order = self.metric.max_ngram_order
        different, ngrams = self.values[3 : 3 + order], self.values[3 + order : 3 + 2 * order]
        pairs = zip(different, ngrams, strict=True)
        return tuple(
            [100 * one / all_of_them if all_of_them else 0.0 for one, all_of_them in pairs]
        )

    def details(self) -> str:
        """Return the number of texts, and distinct-1 to distinct-N."""
        distinct = "/".join(f"{one:.1f}" for one in self.distinct)
        return f"(texts = {self.texts:d} distinct = {distinct})"


class SelfBLEU(BLEUOptions[SelfBLEUScore]):
    """The BLEU of each text of a set with all others as its references; high if they are alike.

    Self-BLEU = mean of BLEU(text, all other texts), in percent (Zhu et al. 2018, section 3.3).
    The papers that use it differ in what they compute, so each way is an option.

    >>> print(SelfBLEU(smooth="floor").score_texts(["a b c d", "a b c e", "f g h i"]))
    Self-BLEU = 26.51 (texts = 3 distinct = 75.0/77.8/83.3/100.0)
    """

    _for_users = (
        *("score_texts", "name", "definition", "source", "higher_is_better"),
        *("signature", "options", "option_values", "with_options"),
    )
    average: Literal["sentences", "corpus", "pairs"] = option(
        default="sentences",
        help="the mean of the sentence scores of each text against all others, the score of all "
        "as one corpus, or the mean of the sentence scores of each pair of texts (pairwise BLEU)",
        key="selfbleu",
        choices=AVERAGES,
    )
    itself: bool = option(default=False, help="also compare each text with itself", key="itself")
    sample: int = option(
        default=0,
        help="number of texts, chosen at random, that are the references of every text; 0 for all "
        "texts",
        key="sample",
        sign_default=False,
        least=0,
        most=MOST_TEXTS,
    )
    seed: int = option(
        default=SEED, help="the random seed of the sample", key="", least=0, most=MOST_SEED
    )
    score_type = SelfBLEUScore
    definition = "mean over texts of BLEU(text, all other texts)"
    source = (
        "Zhu, Lu, Zheng, Guo, Zhang, Wang and Yu (2018), Texygen: A Benchmarking Platform for Text "
        "Generation Models, SIGIR, section 3.3"
    )

    @property
    def name(self) -> str:
        """The printed name, Self-BLEU or pairwise BLEU."""
        return "pairwise-BLEU" if self.average == PAIRS else "Self-BLEU"

    @cached_property
    def bleu(self) -> BLEU:
        """The BLEU of each text."""
        return BLEU(**{one.name: getattr(self, one.name) for one in BLEU.options})

    def check_options(self) -> None:
        """Reject a round trip, and with a corpus the smoothings that are for sentences."""
        super().check_options()
        if self.average == CORPUS and self.smooth in NLTKS_OF_THE_LAST_SENTENCE:
            raise self.rejected(
                "smooth", f"is {self.smooth}, which is for sentences: use average='sentences'"
            )
        if self.round_trip:
            raise self.rejected("round_trip", "must be off: the references are texts of the set")

    def _sign(self, one: Option) -> str:
        if one.name == "sample":
            return f"{self.sample}[{self.seed}]"
        return super()._sign(one)

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        if one.name != "sample":
            return super()._unsign(one, text)
        sample, _, seed = text.rstrip("]").partition("[")
        return {"sample": one.unsign(sample), "seed": cls.option_named("seed").unsign(seed)}

    # --- Scoring ----------------------------------------------------------------------------------

    def score_texts(
        self, texts: Iterable[str | Sequence[int]] | Segments, *, threads: int = 1
    ) -> SelfBLEUScore:
        """Return the score of a set of texts.

        Args:
            texts: at least two.
            threads: threads of the kernel, 0 for one per core; the score is the same.

        Raises:
            InputError: there are too few texts, or they are not valid.
        """
        segments = Segments.hypotheses(texts, self.bleu.counted_kind)
        warn_of_texts((self.bleu,), ((segments.system or "the texts", segments),), None)
        chosen = self._chosen(len(segments))
        table, different = self.bleu.table_of_others(
            segments, chosen=chosen, itself=self.itself, threads=threads
        )
        order = self.max_ngram_order
        total, number = self._sum_of_scores(segments, table, chosen, threads)
        # The smoothings of NLTK count n-grams that are not there.
        ngrams = [sum([max(0, size - n) for size in table.column("sys_len")]) for n in range(order)]
        values = [len(segments), total, number, *different[:order], *ngrams]
        n_references = 1 if self.average == PAIRS else table.n_references
        return self.score_values([*values, *table.totals().values], n_references)

    def _chosen(self, texts: int) -> Sequence[int]:
        """Return the places of the references."""
        if not self.sample:
            return range(texts)
        if self.sample > texts:
            raise InputError(
                f"the sample has {self.sample} references, but there are {texts} texts: use a "
                "smaller one"
            )
        # Of Python's generators, only random() promises the same numbers in every version.
        generator = Random(self.seed)
        order = sorted([(generator.random(), place) for place in range(texts)])
        return sorted([place for _, place in order[: self.sample]])

    def _sum_of_scores(
        self, segments: Segments, table: Table, chosen: Sequence[int], threads: int
    ) -> tuple[float, int]:
        """Return the sum of the sentence scores, and how many there are."""
        if self.average != PAIRS:
            return fsum(self.bleu.segment_scores(table).values), table.rows
        number = len(chosen) * (len(segments) if self.itself else len(segments) - 1)
        return fsum(self._each_pair(segments.tolist(), chosen, threads)), number

    def _each_pair(self, texts: list[Any], chosen: Sequence[int], threads: int) -> Iterator[float]:
        """Yield the score of each text against each reference, without those against itself."""
        references = [texts[place] for place in chosen]
        prepared = self.bleu.prepare_references(references, threads=threads)
        for start in range(0, len(texts), ROWS_AT_ONCE):
            block = self.bleu.matrix(texts[start : start + ROWS_AT_ONCE], prepared, threads=threads)
            rows: Sequence[Any] = block.tolist()
            for place, row in enumerate(rows, start):
                for other, score in zip(chosen, row, strict=True):
                    if self.itself or other != place:
                        yield score

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the mean, or the score of the corpus (Zhu et al. 2018, section 3.3)."""
        if self.average == CORPUS:
            return self.bleu.formula(values[3 + 2 * self.max_ngram_order :])
        return values[1] / values[2]

    def score(self, totals: Totals, references: None = None) -> NoReturn:
        """Raise an error: sums of rows do not have the score of each text."""
        self._fill(totals)

    def _fill(self, *_: object) -> NoReturn:
        raise InputTypeError("Self-BLEU has no references: call score_texts, or bleuet.self_bleu")

    def _make_counter(self) -> NoReturn:
        self._fill()


@checked
def self_bleu(
    texts: Iterable[str | Sequence[int]],
    metric: BLEU | None = None,
    *,
    average: Literal["sentences", "corpus", "pairs"] = "sentences",
    itself: bool = False,
    sample: int = 0,
    seed: int = SEED,
    threads: int = 1,
) -> SelfBLEUScore:
    """Return the Self-BLEU of a set of texts: the BLEU of each with all others as references.

    Args:
        texts: at least two.
        metric: a `BLEU`, whose options decide; default `BLEU()`.
        average: "sentences", the mean of the sentence scores; "corpus", the score of all texts as
            one corpus; or "pairs", the mean of the sentence scores of each pair of texts.
        itself: whether a text is also compared with itself.
        sample: how many texts, chosen at random, are the references; 0 for all.
        seed: the random seed of the sample.
        threads: threads of the kernel, 0 for one per core; the score is the same.

    Raises:
        InputError: there are too few texts, or they are not valid.
        OptionError: `metric` is no BLEU, or an option does not accept its value.

    Source: Zhu et al. (2018), Texygen: A Benchmarking Platform for Text Generation Models.

    >>> score = self_bleu(["a b c d", "a b c d", "e f g h"], BLEU(max_ngram_order=2))
    >>> print(score)
    Self-BLEU = 66.67 (texts = 3 distinct = 66.7/66.7)
    >>> score.signature.to_dict()["selfbleu"]
    'sentences'
    """
    chosen = BLEU() if metric is None else metric
    if type(chosen) is not BLEU:
        raise wrong_type("metric", "a BLEU", metric)
    made = SelfBLEU(
        **chosen.option_values(), average=average, itself=itself, sample=sample, seed=seed
    )
    return made.score_texts(texts, threads=threads)
