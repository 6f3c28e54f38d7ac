"""BLEU (Papineni et al. 2002), with sacreBLEU's tokenizers, smoothings and numbers."""

from __future__ import annotations

import sys
from itertools import accumulate, pairwise
from math import exp, isclose, log

from bleuet.errors import InputError
from bleuet.frozen import cached_property, checked
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.words import WORDS
from bleuet.metrics.bleu.options import BLEUOptions
from bleuet.metrics.bleu.smoothing import SMOOTHINGS
from bleuet.statistics.backend import backend, check_threads, is_native
from bleuet.statistics.table import Table
from bleuet.text.segments import Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, ClassVar

    from bleuet.metrics.base.composition import Composition
    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.prepared import PreparedReferences
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.metrics.bleu.smoothing import Smoothing
    from bleuet.statistics.table import Totals

# On a corpus these read n-grams of the last sentence, whichever that is.
NLTKS_OF_THE_LAST_SENTENCE = ("nltk-5", "nltk-6", "nltk-7")


class BLEUScore(Score):
    """A BLEU score and its components."""

    components = (
        "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "cumulative",
    )  # fmt: skip
    metric: BLEU

    @property
    def sys_len(self) -> int:
        """Tokens in the hypotheses."""
        return self.metric.parts(self.values)[0]  # type: ignore[return-value]

    @property
    def ref_len(self) -> int | float:
        """Tokens in the closest references; an average may be fractional."""
        return self.metric.parts(self.values)[1]

    @property
    def counts(self) -> tuple[int, ...]:
        """Clipped matches of order 1..N."""
        counts = self.metric.parts(self.values)[2]
        return tuple(counts[: self.metric.max_ngram_order])  # type: ignore[arg-type]

    @property
    def totals(self) -> tuple[int, ...]:
        """N-grams of the hypotheses of order 1..N."""
        totals = self.metric.parts(self.values)[3]
        return tuple(totals[: self.metric.max_ngram_order])  # type: ignore[arg-type]

    @property
    def precisions(self) -> tuple[float, ...]:
        """Modified precisions after smoothing, in percent; 0 for an order without any."""
        return tuple(self.metric.precisions(self.values)[0])

    @property
    def bp(self) -> float:
        """The brevity penalty."""
        return brevity_penalty(self.sys_len, self.ref_len)

    @property
    def ratio(self) -> float:
        """Hypothesis length over reference length."""
        return self.sys_len / self.ref_len if self.ref_len else 0.0

    @property
    def cumulative(self) -> tuple[float, ...]:
        """BLEU-1 to BLEU-N; with weights, the first ones are divided by their sum."""
        weights = self.metric.weights
        precisions, orders = self.metric.precisions(self.values)
        scores = []
        for n in range(1, len(precisions) + 1):
            used = min(n, orders)
            some: Sequence[float] | None = weights
            if weights is not None and used < len(weights):
                some = _normalised(weights[:used])
            scores.append(self.bp * geometric_mean(precisions[:used], some))
        return tuple(scores)

    def composition(self) -> Composition | None:
        """Return precisions and brevity penalty, whose product is the score."""
        from bleuet.metrics.base.composition import PRODUCT, Composition, Factor

        precisions, orders = self.metric.precisions(self.values)
        if not orders:
            return None
        weights = _normalised((self.metric.weights or [1.0] * orders)[:orders])
        parts = enumerate(zip(precisions, weights, strict=False), 1)
        factors = [Factor(f"{n}-gram precision", *part) for n, part in parts]
        return Composition(
            PRODUCT,
            (*factors, Factor("brevity penalty", self.bp)),
            (Factor("length ratio", self.ratio),),
        )

    def details(self) -> str:
        """Return precisions, brevity penalty and lengths as sacreBLEU prints them."""
        precisions = "/".join(f"{p:.1f}" for p in self.precisions)
        reference = f"{self.ref_len:d}" if isinstance(self.ref_len, int) else f"{self.ref_len:.1f}"
        return (
            f"{precisions} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {reference})"
        )


class BLEU(BLEUOptions[BLEUScore]):
    """Bilingual evaluation understudy: clipped n-gram precisions times a brevity penalty.

    BLEU = BP * exp(sum of w_n log p_n), in percent (Papineni et al. 2002, section 2.3). Defaults
    give sacreBLEU's numbers.

    >>> print(BLEU().corpus_score(["The cat sat down."], ["The cat sat up."]))
    BLEU = 42.73 80.0/50.0/33.3/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)
    """

    counter = CounterClass(
        "bleuet.metrics.bleu.definition:BleuCounter",
        **WORDS,
        max_ngram_order=lambda metric: metric._counted_orders,
        phantom_ngrams=lambda metric: SMOOTHINGS[metric.smooth].phantom_ngrams,
    )
    score_type = BLEUScore
    in_sacrebleu = True
    # Whether the score is 0 if no word matches, even if a longer n-gram does.
    needs_words: ClassVar[bool] = False
    definition = "BP * exp(sum of w_n * ln p_n), where BP = min(1, exp(1 - ref_len / sys_len))"
    source = (
        "Papineni, Roukos, Ward and Zhu (2002), BLEU: a Method for Automatic Evaluation of Machine "
        "Translation, ACL, section 2"
    )
    same_number = "sacreBLEU 2.6.0; mteval-v13a and NLTK by options"

    @cached_property
    def integer_columns(self) -> tuple[str, ...]:
        """Lengths, clipped matches per order, n-grams of the hypothesis per order."""
        lengths = ("sys_len",) if self.real_columns else ("sys_len", "ref_len")
        orders = range(1, self._counted_orders + 1)
        totals = "nltk_totals" if SMOOTHINGS[self.smooth].phantom_ngrams else "totals"
        counts = [f"matches_{n}" for n in orders] + [f"{totals}_{n}" for n in orders]
        return (*lengths, *counts)

    @cached_property
    def real_columns(self) -> tuple[str, ...]:
        """The reference length, if it is an average; otherwise it is an integer column."""
        return ("ref_len",) if self.reference_length == "average" else ()

    @property
    def _counted_orders(self) -> int:
        """The number of orders in its table; some smoothings need one more than BLEU has."""
        return SMOOTHINGS[self.smooth].orders(self.max_ngram_order)

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the numbers of n-grams by lengths, and the most that can match."""
        from bleuet.metrics.base.row_limit import RowLimit

        order = self._counted_orders
        # NLTK counts an n-gram of every order that a hypothesis is too short for.
        least = int(SMOOTHINGS[self.smooth].phantom_ngrams)
        limits = []
        for less, total in enumerate(self.integer_columns[-order:]):
            limits.append(RowLimit(total, "sys_len", less, least, exact=True))
            limits.append(
                RowLimit(f"matches_{less + 1}", "sys_len" if least else total, less * least)
            )
        if n_references == 1:
            # With several references, all can give matches, but only one gives the length.
            longer = ["ref_len", *[f"matches_{n}" for n in range(1, order + 1)]]
            limits += [RowLimit(name, most) for most, name in pairwise(longer)]
        return limits

    # --- Scoring ----------------------------------------------------------------------------------

    def score(self, totals: Totals, references: None = None) -> BLEUScore:
        """Return the score of a sum of rows; arguments as of `Metric.score`.

        Raises:
            InputTypeError: texts came instead of totals.
            TableError: columns of this metric are missing.
            OptionError: the sum is that of a corpus, for which this smoothing has no formula.
        """
        if self.smooth in NLTKS_OF_THE_LAST_SENTENCE and getattr(totals, "rows", 0) > 1:
            raise self.rejected(
                "smooth",
                f"is {self.smooth}, which is for sentences: on a corpus NLTK smooths with n-grams "
                "of the last sentence only; score sentence by sentence, or use "
                f"{self.smooth.replace('nltk', 'chen-cherry')}",
            )
        return super().score(totals, references)

    def formula(self, values: Sequence[int | float]) -> float:
        """Return BP * exp(sum of w_n log p_n) in percent (Papineni et al. 2002, section 2.3)."""
        sys_len, ref_len = self.parts(values)[:2]
        precisions, orders = self.precisions(values)
        return brevity_penalty(sys_len, ref_len) * geometric_mean(precisions[:orders], self.weights)

    def parts(
        self, values: Sequence[int | float]
    ) -> tuple[int | float, int | float, Sequence[int | float], Sequence[int | float]]:
        """Return hypothesis length, reference length, matches and totals of sums of rows.

        Matches and totals are those of all orders that were counted.
        """
        order = self._counted_orders
        if self.real_columns:
            return values[0], values[-1], values[1 : 1 + order], values[1 + order : -1]
        return values[0], values[1], values[2 : 2 + order], values[2 + order :]

    def precisions(self, values: Sequence[int | float]) -> tuple[list[float], int]:
        """Return the smoothed precision of every order in percent, and how many orders count."""
        length, _, counts, totals = self.parts(values)
        used: list[float] = []
        if any(counts[:1] if self.needs_words else counts) or self.smooth_unmatched:
            smoothing = SMOOTHINGS[self.smooth]
            used = smoothing.precisions(
                self._orders_for(smoothing, counts),
                self._orders_for(smoothing, totals),
                length,
                self.smooth_value or 0.0,
            )
        precisions = used + [0.0] * (self.max_ngram_order - len(used))
        return precisions, len(used) if self.effective_order else self.max_ngram_order

    def _orders_for(
        self, smoothing: Smoothing, counted: Sequence[int | float]
    ) -> Sequence[int | float]:
        """Return the orders that a smoothing needs: 1 to N, and the one that it averages with."""
        if smoothing.averages == "fifth":
            return [*counted[: self.max_ngram_order], counted[4]]
        return counted

    # --- Explaining -------------------------------------------------------------------------------

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add lengths, the precision of each order, the brevity penalty, and the mean."""
        length, ref_len, counts, totals = self.parts(row)
        precisions, orders = self.precisions(row)
        steps.count("c", "tokens of the hypothesis", length)
        steps.count("r", f"reference length ({self.reference_length})", ref_len)
        for n, pair in enumerate(zip(counts, totals, precisions[:orders], strict=False), 1):
            self._derive_precision(steps, n, *pair)
        self._derive_mean(steps, orders)
        if length >= ref_len:
            steps.compute("BP", "brevity penalty: c is not shorter than r", "1", whole=1)
        elif length:
            steps.compute("BP", "brevity penalty", "exp(1 - r / c)", whole=1)
        else:
            steps.count("BP", "brevity penalty: the hypothesis is empty", 0, whole=1)
        steps.score(self.name, "100 * BP * M", whole=100)

    def _derive_precision(
        self, steps: Derivation, order: int, count: float, total: float, precision: float
    ) -> None:
        title, share = f"precision of {order}-grams", precision / 100
        if total and isclose(count / total, share):
            steps.compute(f"p{order}", title, f"{count} / {total}", whole=1)
            return
        title += f", {count}/{total} smoothed by {self.smooth}" if share else ": there are none"
        if total and share:
            # Most smoothings put another number in place of the matches.
            steps.compute(f"p{order}", title, f"m / {total}", m=share * total, whole=1)
        else:
            steps.count(f"p{order}", title, share, whole=1)

    def _derive_mean(self, steps: Derivation, orders: int) -> None:
        title = "geometric mean of the precisions"
        if 0 < orders < self.max_ngram_order and self.effective_order:
            title += f": the hypothesis has no {orders + 1}-grams"
        weights = (self.weights or [1.0] * orders)[:orders]
        used = [n for n, weight in enumerate(weights, 1) if weight]
        if not used:
            steps.count("M", title, 0, whole=1)
            return
        if self.weights is None:
            product = " * ".join(f"p{n}" for n in used)
            formula = f"({product})^(1 / {orders})" if orders > 1 else product
            steps.compute("M", title, formula, whole=1)
            return
        names = {f"w{n}": weights[n - 1] for n in used}
        product = " * ".join(f"p{n}^w{n}" for n in used)
        if orders < len(self.weights):
            product = f"({product})^(1 / ({' + '.join(names)}))"
        steps.compute("M", title, product, whole=1, **names)

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        integers, reals = table.blocks()
        self._scorer.scores(integers, reals, table.rows, scores)

    def _fill_matrix(
        self,
        texts: Segments,
        references: PreparedReferences,
        scores: memoryview[float],
        threads: int,
    ) -> None:
        if not is_native():
            super()._fill_matrix(texts, references, scores, threads)
            return
        self._counter.score_pairs(
            texts.kind, texts.content, references.prepared, self._scorer, scores, threads=threads
        )

    def _number_of_row(self, row: tuple[int | float, ...]) -> float:
        if not is_native():
            return self.formula(row)
        number: float = self._scorer.score(row)
        return number

    @cached_property
    def _scorer(self) -> Any:
        """The kernel's `formula`, for thousands of rows."""
        return backend().BleuScorer(
            max_ngram_order=self.max_ngram_order,
            smooth=self.smooth,
            smooth_value=self.smooth_value or 0.0,
            smooth_unmatched=self.smooth_unmatched,
            effective_order=self.effective_order,
            weights=list(self.weights or ()),
            real_length=bool(self.real_columns),
            # From 3.12 on, Python's sum() of floats is compensated, and so is that of sacreBLEU.
            compensated_sum=sys.version_info >= (3, 12),
            needs_words=self.needs_words,
        )

    # --- Counting ---------------------------------------------------------------------------------

    @checked
    def table_of_others(
        self,
        texts: Any,
        *,
        chosen: Sequence[int] | None = None,
        itself: bool = False,
        threads: int = 1,
    ) -> tuple[Table, list[int]]:
        """Count one row per text, with all other texts as its references.

        The rows equal those of `table`, but all n-grams are counted once: with twice as many texts
        it takes twice as long, not four times.

        Args:
            texts: at least two strings, or sequences of token ids.
            chosen: the places of the texts that are references; default all.
            itself: whether a text is also compared with itself.
            threads: threads of the kernel, 0 for one per core; the rows are the same.

        Returns:
            The table, and how many different n-grams of each order the texts have.

        Raises:
            InputError: a text has no reference, or this metric cannot count it.

        >>> table, different = BLEU().table_of_others(["a b c", "a b d", "a b"])
        >>> table.row(0)["matches_2"], different
        (1, [4, 3, 2, 0])
        """
        segments = self._as_counted(Segments.hypotheses(texts, self.counted_kind))
        rows = len(segments)
        places = range(rows) if chosen is None else frozenset(chosen)
        is_chosen = bytes([place in places for place in range(rows)])
        if sum(is_chosen) < (1 if itself else 2):
            raise InputError(
                f"each text needs another one to compare it with, but {sum(is_chosen)} of {rows} "
                "texts is a reference: pass more texts, or a larger sample"
            )
        integers = backend().unwritten(len(self.integer_columns) * rows)
        reals = backend().unwritten(len(self.real_columns) * rows)
        different: list[int] = self._counter.self_table(
            segments.kind,
            segments.content,
            is_chosen,
            itself,
            integers,
            reals,
            threads=check_threads(threads),
        )
        every = itself or sum(is_chosen) == rows
        n_references = sum(is_chosen) - (not itself) if every else None
        columns = self.integer_columns, self.real_columns
        return Table(*columns, rows, integers, reals, n_references), different


def brevity_penalty(sys_len: float, ref_len: float) -> float:
    """Return 1 for hypotheses at least as long as the references, else exp(1 - r/c).

    Source: Papineni et al. 2002, section 2.3.

    >>> brevity_penalty(12, 12), brevity_penalty(0, 3)
    (1.0, 0.0)
    """
    if sys_len >= ref_len:
        return 1.0
    return exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0


def geometric_mean(precisions: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """Return exp(sum of w_n log p_n), 0 where a precision of some weight is 0.

    >>> round(geometric_mean([50.0, 12.5]), 9)
    25.0
    """
    if not precisions:
        return 0.0
    if weights is None:
        if 0.0 in precisions:
            return 0.0
        return exp(sum(map(log, precisions)) / len(precisions))
    pairs = [(w, p) for w, p in zip(weights, precisions, strict=False) if w]
    if not pairs or any(p == 0.0 for _, p in pairs):
        return 0.0
    logs = sum([w * log(p) for w, p in pairs])
    # The weights of the orders that an effective order leaves out go to the other orders.
    return exp(
        logs if len(precisions) == len(weights) else logs / _total(weights[: len(precisions)])
    )


def _total(weights: Sequence[float]) -> float:
    return list(accumulate(weights, initial=0.0))[-1]


def _normalised(weights: Sequence[float]) -> list[float]:
    total = _total(weights)
    return [w / total for w in weights] if total else list(weights)
