"""GLEU of grammatical error correction (Napoles et al. 2015 and 2016)."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from random import Random

from bleuet.frozen import cached_property
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.statistics.definitions.learned_ngrams import ngrams_up_to
from bleuet.text.segments import WithSource
from bleuet.text.source_texts import source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.row_limit import RowLimit

PYTHON_3, PYTHON_2, TURNS, MEAN = "python3", "python2", "turns", "mean"
NO_SMOOTHING, ONE = "none", "one"
# The seed of each draw of compute_gleu is so many times its number.
_SEED = 101


class GECGLEUScore(Score):
    """A GLEU score of grammatical error correction, and the number of words."""

    components = ("hyp_length",)

    @property
    def hyp_length(self) -> int:
        """The words of the hypotheses."""
        return int(self.values[0])


class GECGLEU(Metric[GECGLEUScore]):
    """GLEU of grammatical error correction: n-gram precision that fears the source's errors.

    A match with the reference counts 1, and an n-gram that stands in the source and not in the
    reference counts -1; a segment has at least 0. GLEU = BP * exp(mean of ln p_n), where BP is
    BLEU's brevity penalty. With several references it is the mean over draws of one reference for
    each segment. It reads the source of each segment, and texts are split into words at spaces.

    >>> from bleuet import with_sources
    >>> references = with_sources([["The cat sits on it ."]], ["The cat sit in it ."])
    >>> print(GECGLEU(max_ngram_order=2).corpus_score(["The cat sits in it ."], references))
    GEC-GLEU = 51.64
    """

    max_ngram_order: int = option(
        default=4, help="number of words in the longest n-grams", key="gecgleu", least=1, most=10
    )
    sampling: Literal["python3", "python2", "turns", "mean"] = option(
        default="python3",
        help="the reference of a segment in each draw: by the random numbers of Python 3 or 2, or "
        "one after the other; or all of them at once, by the mean of their counts",
        key="sampling",
        choices=(PYTHON_3, PYTHON_2, TURNS, MEAN),
    )
    draws: int = option(
        default=500,
        help="the number of draws; sampling=mean has none",
        key="draws",
        least=1,
        most=1000,
    )
    smooth: Literal["none", "one"] = option(
        default="none",
        help="whether a count of 0 becomes 1, as compute_gleu has it for segments",
        key="smooth",
        choices=(NO_SMOOTHING, ONE),
        scoring=True,
    )
    score_type = GECGLEUScore
    splits_at_spaces = True
    reads_sources = True
    definition = (
        "100 * BP * exp(mean over n of ln(matches_n / totals_n)), BP = min(1, exp(1 - ref_length / "
        "hyp_length)); matches_n are those with the reference, less n-grams of the source that the "
        "reference lacks"
    )
    source = (
        "Napoles, Sakaguchi, Post and Tetreault (2015), Ground Truth for Grammatical Error "
        "Correction Metrics, ACL; and (2016), GLEU Without Tuning, arXiv:1605.02592"
    )
    needs = "the source of each segment: --source FILE, or M2 files as references"
    same_number = "gec-metrics' GLEUOfficial where no sum is 0, and with sampling=python2 gleu -f"

    @property
    def name(self) -> str:
        """The printed name."""
        return "GEC-GLEU"

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return for single segments that they are smoothed, as compute_gleu prints them."""
        return {"smooth": ONE} if sentences else {}

    @cached_property
    def _fixed_columns(self) -> tuple[str, ...]:
        return "hyp_length", *(f"totals_{n}" for n in self._orders)

    @cached_property
    def _orders(self) -> range:
        return range(1, self.max_ngram_order + 1)

    @cached_property
    def _drawn_columns(self) -> tuple[str, ...]:
        return "ref_length", *(f"matches_{n}" for n in self._orders)

    @cached_property
    def integer_columns(self) -> tuple[str, ...]:
        """The words and n-grams of hypotheses, and what each draw counts."""
        if self.sampling == MEAN:
            return self._fixed_columns
        drawn = (f"{name}_of_{d}" for d in range(self.draws) for name in self._drawn_columns)
        return *self._fixed_columns, *drawn

    @cached_property
    def real_columns(self) -> tuple[str, ...]:
        """What references count in the mean, without draws."""
        return self._drawn_columns if self.sampling == MEAN else ()

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the number of n-grams, and the most that match in the first draw."""
        from bleuet.metrics.base.row_limit import RowLimit

        limits = [
            RowLimit(f"totals_{n}", "hyp_length", less=n - 1, exact=True) for n in self._orders
        ]
        end = "" if self.sampling == MEAN else "_of_0"
        factor = 1 + 1e-9 if self.sampling == MEAN else 1
        limits += [
            RowLimit(f"matches_{n}{end}", f"totals_{n}", factor=factor) for n in self._orders
        ]
        return limits

    @cached_property
    def _draws(self) -> ReferenceDraws:
        return ReferenceDraws(self.draws, self.sampling)

    def count_segment(self, hypothesis: str, references: list[str]) -> Sequence[int | float]:
        """Return the n-grams of the hypothesis, and what each draw counts.

        Args:
            hypothesis: the correction.
            references: corrections by others, with the source.

        Raises:
            InputError: the references came without a source.
        """
        source, ours = source_of(references, self.name).split(), hypothesis.split()
        texts = [reference.split() for reference in references]
        order = self.max_ngram_order
        matches = matches_with_each(source, ours, texts, order)
        counted = [[len(text), *of_text] for text, of_text in zip(texts, matches, strict=True)]
        row = [len(ours), *(max(len(ours) + 1 - n, 0) for n in self._orders)]
        if self.sampling == MEAN:
            return [*row, *(sum(column) / len(counted) for column in zip(*counted, strict=True))]
        if len(counted) == 1:
            return row + counted[0] * self.draws
        place = references.place if isinstance(references, WithSource) else 0
        for one in self._draws.references(place, len(counted)):
            row += counted[one]
        return row

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the mean of the draws, in percent."""
        width = len(self._drawn_columns)
        fixed, drawn = values[:width], values[width:]
        known: dict[tuple[int | float, ...], float] = {}
        scores = []
        for start in range(0, len(drawn), width):
            one = tuple(drawn[start : start + width])
            if one not in known:
                known[one] = self._score_of_draw(fixed, one)
            scores.append(known[one])
        # The mean of equal numbers is that number, which a sum could round.
        return 100 * (scores[0] if len(known) == 1 else sum(scores) / len(scores))

    def _score_of_draw(self, fixed: Sequence[int | float], drawn: Sequence[int | float]) -> float:
        if self.smooth == ONE:
            fixed, drawn = _without_zeros(fixed), _without_zeros(drawn)
        if not (all(fixed) and all(drawn)):
            return 0.0
        logs = [log(match / total) for match, total in zip(drawn[1:], fixed[1:], strict=True)]
        return exp(min(0, 1 - drawn[0] / fixed[0]) + sum(logs) / len(logs))

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the counts with each reference, its score, and the mean of the draws."""
        width = len(self._drawn_columns)
        fixed, drawn = list(row[:width]), row[width:]
        rows = [tuple(drawn[start : start + width]) for start in range(0, len(drawn), width)]
        if self.smooth == ONE:
            fixed, rows = _without_zeros(fixed), [tuple(_without_zeros(one)) for one in rows]
        steps.count("c", "words of the hypothesis", fixed[0])
        for n, total in zip(self._orders, fixed[1:], strict=True):
            steps.count(f"t{n}", f"{n}-grams of the hypothesis", total)
        times = Counter(rows)
        for number, one in enumerate(times, 1):
            self._derive_draw(steps, number, one, whole=all(fixed) and all(one))
        terms = " + ".join(f"{count} * G{number}" for number, count in enumerate(times.values(), 1))
        formula = "100 * G1" if len(times) == 1 else f"100 * ({terms}) / {len(rows)}"
        steps.score(self.name, formula)

    def _derive_draw(
        self, steps: Derivation, number: int, counts: tuple[int | float, ...], whole: bool
    ) -> None:
        """Add the counts with one reference, and its score, which is 0 where a count is."""
        length, *matches = counts
        steps.count(f"r{number}", f"words of reference {number}", length)
        for n, count in zip(self._orders, matches, strict=True):
            title = f"{n}-grams that match reference {number}, less errors"
            steps.count(f"m{number}_{n}", title, count)
        logs = " + ".join(f"ln(m{number}_{n} / t{n})" for n in self._orders)
        formula = f"exp(min(0, 1 - r{number} / c) + ({logs}) / {len(self._orders)})"
        steps.compute(f"G{number}", f"GLEU by reference {number}", formula if whole else "0")


def _without_zeros(counts: Sequence[int | float]) -> list[int | float]:
    return [one or 1 for one in counts]


def matches_with_each(
    source: Sequence[str],
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    max_ngram_order: int,
) -> list[list[int]]:
    """Return the n-grams that match each reference, less those of the source that it lacks.

    Args:
        source: the words of the source.
        hypothesis: the words of the hypothesis.
        references: the words of each reference.
        max_ngram_order: the longest n-grams.

    Returns:
        For each reference a number for each order.

    Source: Napoles et al. (2016), equation 3. An n-gram of the source is an error only if the
    reference does not have it at all, as compute_gleu counts.

    >>> matches_with_each("a b b".split(), "a b b d".split(), ["a c d".split()], 2)
    [[0, 0]]
    """
    ours, before = (Counter(ngrams_up_to(text, max_ngram_order)) for text in (hypothesis, source))
    repeated = {gram: min(ours[gram], before[gram]) for gram in ours.keys() & before.keys()}
    of_references = []
    for reference in references:
        theirs = Counter(ngrams_up_to(reference, max_ngram_order))
        matches = [0] * max_ngram_order
        for gram in ours.keys() & theirs.keys():
            matches[len(gram) - 1] += min(ours[gram], theirs[gram])
        for gram in repeated.keys() - theirs.keys():
            matches[len(gram) - 1] -= repeated[gram]
        of_references.append([max(number, 0) for number in matches])
    return of_references


class ReferenceDraws:
    """Which reference each draw takes for the segments of a corpus.

    The random numbers of a draw begin with a seed of its own, 101 times its number, and each
    segment takes the next one.

    Args:
        count: the number of draws.
        sampling: the random numbers, "python3" or "python2", or "turns".

    >>> ReferenceDraws(4, "turns").references(0, 3)
    (0, 1, 2, 0)
    >>> ReferenceDraws(4, "python3").references(2, 2)
    (0, 1, 1, 0)
    """

    def __init__(self, count: int, sampling: str) -> None:
        self._count = count
        self._next: Callable[[Random, int], int] = _NEXT.get(sampling, _next_of_python_3)
        self._turns = sampling == TURNS
        # For each number of references the generators, and what was drawn for each segment.
        self._random: dict[int, list[Random]] = {}
        self._drawn: dict[int, list[tuple[int, ...]]] = {}

    def references(self, place: int, count: int) -> tuple[int, ...]:
        """Return the number of a reference, from 0, for each draw.

        Args:
            place: the number of the segment in its corpus, from 0.
            count: how many references it has; the others before it count as having as many.
        """
        if self._turns:
            return tuple(d % count for d in range(self._count))
        drawn = self._drawn.setdefault(count, [])
        if len(drawn) <= place:
            if count not in self._random:
                self._random[count] = [Random(_SEED * d) for d in range(self._count)]
            generators = self._random[count]
            while len(drawn) <= place:
                drawn.append(tuple(self._next(one, count) for one in generators))
        return drawn[place]


def _next_of_python_3(random: Random, count: int) -> int:
    # What `randint(0, count - 1)` does, in half the time.
    bits = count.bit_length()
    while (number := random.getrandbits(bits)) >= count:
        pass
    return number


def _next_of_python_2(random: Random, count: int) -> int:
    return int(random.random() * count)


_NEXT = {PYTHON_3: _next_of_python_3, PYTHON_2: _next_of_python_2}
