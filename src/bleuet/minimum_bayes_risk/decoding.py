"""`mbr`: choose a candidate for each source by its expected score against pseudo-references."""

from __future__ import annotations

from math import frexp, fsum, inf, isfinite, ldexp
from operator import mul
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError, OptionError
from bleuet.evaluation.system_scores import Scores
from bleuet.frozen import Value, checked
from bleuet.messages import plural, shown, wrong_type
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import headings
from bleuet.metrics.catalogue import parse_metric
from bleuet.minimum_bayes_risk.aggregation import aggregated_scores
from bleuet.minimum_bayes_risk.equal_utilities import first_of_best, rounding
from bleuet.minimum_bayes_risk.pruning import pruned_utilities
from bleuet.output.answer import Answer, names_or_number
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.text.segments import Segments, WithSource, sources_of
from bleuet.text.validation import check_hypotheses, check_references, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from bleuet.metrics.base.signature import Signature
    from bleuet.output.document import Record, SignatureText

    T = TypeVar("T")

WAYS = ("exact", "aggregated", "pruned")


class Choice(Value, Plain):
    """The candidates of one source, and the one with the highest utility.

    Args:
        candidates: the candidates.
        index: the chosen candidate, from 0; of utilities that are equal up to rounding the first.
        utilities: of each candidate the expected score, negative where a lower score is better.
            -inf for a candidate that was pruned.
        matrices: of each metric the scores of each candidate (row) against each pseudo-reference,
            where they are kept.
        references: the pseudo-references, where matrices are kept.
    """

    candidates: tuple[str, ...]
    index: int
    utilities: tuple[float, ...]
    matrices: tuple[Sequence[Sequence[float]], ...] = ()
    references: tuple[Any, ...] = ()
    plain_fields = ("index", "best", "utilities")

    @property
    def best(self) -> str:
        """The chosen candidate."""
        return self.candidates[self.index]

    @property
    def utility(self) -> float:
        """The utility of the chosen candidate."""
        return self.utilities[self.index]


class Decisions(Answer, Value):
    """The chosen candidate of each source: a sequence of `Choice`.

    Args:
        choices: one for each source.
        metrics: the metrics whose mean is the utility.
        scores: corpus scores of the first candidates, of the chosen ones and of the best possible
            choice, where there are references.
        loss: what an approximation lost, where that was measured.
    """

    choices: tuple[Choice, ...]
    metrics: tuple[Metric[Any], ...]
    scores: Scores | None = None
    loss: Loss | None = None

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, source: int) -> Choice:
        return self.choices[source]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def _in_brief(self) -> str:
        metrics = names_or_number([metric.name for metric in self.metrics], "metric")
        return f"for {plural(len(self.choices), 'source')} by {metrics}"

    @property
    def best(self) -> list[str]:
        """The chosen texts."""
        return [choice.best for choice in self.choices]

    @property
    def signatures(self) -> list[tuple[str, Signature]]:
        """The heading and signature of each metric of the utility."""
        names = headings([metric.name for metric in self.metrics])
        return [(n, m.signature(1)) for n, m in zip(names, self.metrics, strict=True)]

    def scored(self, references: Any, metric: Any = None, *, threads: int = 1) -> Decisions:
        """Return the same with corpus scores against real references.

        Args:
            references: for each source a string, or a list of strings, or what `with_sources`
                returns.
            metric: the metrics of the scores, as of `mbr`; default those of the utility.
            threads: threads of the kernel, 0 for one per core.

        Raises:
            InputError: their number is not that of the sources.
        """
        metrics = self.metrics if metric is None else _metrics(metric)
        entries = Segments.references(references).tolist()
        oracle = mbr(
            [choice.candidates for choice in self.choices],
            list(self.metrics),
            references=[[entry] for entry in entries],
            sources=sources_of(entries),
            threads=threads,
        )
        systems = {
            "first candidates": [choice.candidates[0] for choice in self.choices],
            "chosen": self.best,
            "oracle": oracle.best,
        }
        scores = [
            [metric.corpus_score(texts, references, threads=threads) for metric in metrics]
            for texts in systems.values()
        ]
        return self.replace(scores=Scores(list(systems), scores))

    @checked
    def decided(
        self,
        metric: Any = None,
        *,
        weights: Sequence[Sequence[float]] | None = None,
        duplicates: bool = True,
    ) -> Decisions:
        """Return the choices by another rule, from the scores of pairs that were kept.

        Args:
            metric: some of the metrics, as of `mbr`; default all of them.
            weights: the weights of the pseudo-references, as of `mbr`.
            duplicates: whether equal pseudo-references all count, as of `mbr`.

        Raises:
            InputError: matrices were not kept, or there are other numbers of weights.
            OptionError: no scores by a metric were kept.

        >>> kept = mbr([["a b c d", "a b c e", "x"]], ["chrf", "ter"], keep_matrices=True)
        >>> kept.decided("chrf", weights=[[1, 5, 1]]).best
        ['a b c e']
        """
        metrics = self.metrics if metric is None else _metrics(metric)
        places = [self._place(one) for one in metrics]
        if not all(choice.matrices for choice in self.choices):
            raise InputError("the scores of pairs were not kept: call mbr with keep_matrices=True")
        rule = _Rule(metrics, duplicates, WAYS[0], True, 1)
        given = _for_each(len(self), weights=weights)["weights"]
        return Decisions(
            tuple(
                rule.of_pairs(
                    number, choice.replace(matrices=tuple(_at(places, choice.matrices))), shares
                )
                for number, (choice, shares) in enumerate(zip(self.choices, given, strict=True), 1)
            ),
            metrics,
        )

    def _place(self, metric: Metric[Any]) -> int:
        if metric in self.metrics:
            return self.metrics.index(metric)
        known = ", ".join(one.signature(1).full() for one in self.metrics)
        raise OptionError(
            f"no scores by {metric.signature(1).full()} were kept; there are those by {known}: "
            "choose one of them, or score all pairs again"
        )

    @checked
    def compared(self, exact: Decisions) -> Decisions:
        """Return the same with the loss against exact decisions of the same candidates.

        Raises:
            InputError: the candidates differ.
        """
        mine, others = ([one.candidates for one in side] for side in (self, exact))
        if mine != others:
            raise InputError(
                "these decisions have other candidates; expected exact decisions about the same "
                "candidates"
            )
        pairs = list(zip(self.choices, exact.choices, strict=True))
        lost = [right.utility - right.utilities[mine.index] for mine, right in pairs]
        worse = [
            one
            for one, (_, right) in zip(lost, pairs, strict=True)
            if one > rounding(right.utility)
        ]
        return self.replace(loss=Loss(fsum(worse) / len(lost), len(worse), len(lost)))

    def document(self) -> Document:
        """Return a table of choices, and one of corpus scores."""
        digits = max(metric.extra_digits for metric in self.metrics)
        columns = [
            Column("segment", kind="count"),
            Column("candidate", kind="count"),
            Column("utility", kind="score", extra_digits=digits),
            Column("utility_of_first", "utility of the first", kind="score", extra_digits=digits),
            Column("text", kind="long text"),
        ]
        rows = [
            (number, choice.index + 1, choice.utility, choice.utilities[0], choice.best)
            for number, choice in enumerate(self.choices, 1)
        ]
        tables = [DocumentTable("choices", "Chosen candidates", columns, rows)]
        signatures: dict[str, SignatureText] = dict(self.signatures)
        if self.scores is not None:
            scored = self.scores.document()
            (table,) = scored.tables
            tables.append(DocumentTable("scores", "Corpus scores", table.columns, table.rows))
            signatures = {**dict(scored.signatures), **signatures}
        return Document(
            tables=tables,
            notes=[str(self.loss)] if self.loss is not None else [],
            signatures=list(signatures.items()),
            data=self._data,
            records={"choices": self._records},
        )

    def _records(self) -> Iterator[Record]:
        for number, choice in enumerate(self.choices, 1):
            yield {"segment": number, **choice.to_dict()}

    def _data(self) -> Record:
        found: Record = {
            "signatures": {name: str(signature) for name, signature in self.signatures},
            "choices": list(self._records()),
        }
        if self.scores is not None:
            found["scores"] = self.scores.document().data
        if self.loss is not None:
            found["loss"] = self.loss.to_dict()
        return found


class Loss(Value, Plain):
    """What an approximation costs.

    Args:
        utility: the mean over sources of the exact utility of the exact choice less that of the
            approximate choice.
        changed: the sources whose choice is worse.
        sources: all sources.
    """

    utility: float
    changed: int
    sources: int
    plain_fields = ("utility", "changed")

    def __str__(self) -> str:
        return (
            f"The approximation chose a worse candidate for {self.changed} of {self.sources} "
            f"sources, and lost {self.utility:.4f} of utility on average."
        )


@checked
def mbr(
    candidates: Sequence[Sequence[str]],
    metric: Any = "bleu",
    *,
    references: Sequence[Sequence[Any]] | None = None,
    weights: Sequence[Sequence[float]] | None = None,
    duplicates: bool = True,
    way: str = "exact",
    keep_matrices: bool = False,
    sources: Sequence[str] | None = None,
    threads: int = 1,
    report: Callable[[float], object] | None = None,
) -> Decisions:
    """Choose for each source the candidate with the highest expected score.

    The expected score of a candidate is the mean of its scores against pseudo-references, which by
    default are the candidates themselves (Kumar and Byrne 2004, Minimum Bayes-Risk Decoding for
    Statistical Machine Translation, equation 3). Of utilities that differ only by rounding, 1e-10
    of a score in percent, the first is chosen.

    Args:
        candidates: for each source a list of texts.
        metric: a metric, its name as after `-m`, or a list of them, whose scores are averaged. Of
            a metric whose lower scores are better, utilities are negative scores.
        references: for each source a list of pseudo-references, each a string or a list of
            strings. With the real reference as the only one, the choice is the oracle's.
        weights: for each source the weight of each pseudo-reference; default equal weights.
        duplicates: whether a pseudo-reference that occurs twice counts twice; otherwise only
            the first of equals counts.
        way: "exact"; "aggregated" compares with the mean of the n-gram counts of all
            pseudo-references, for BLEU and chrF (Vamvas and Sennrich 2024, Linear-time Minimum
            Bayes Risk Decoding with Reference Aggregation); "pruned" gives up candidates that
            lose against few pseudo-references (Cheng and Vlachos 2023, Faster Minimum Bayes Risk
            Decoding with Confidence-based Pruning).
        keep_matrices: keep the scores of each pair, which only the exact way has.
        sources: the source texts, for metrics that read them.
        threads: threads of the kernel, 0 for one per core.
        report: is called with the share of the sources that are done.

    Raises:
        InputError: there is no source or candidate, or the numbers of texts do not fit.
        OptionError: there is no such metric or way, or a weight is negative.

    >>> found = mbr([["a b c d", "a b c e", "x"]], "chrf")
    >>> found[0].best, found[0].index, [round(u, 1) for u in found[0].utilities]
    ('a b c d', 0, [49.3, 49.3, 33.3])
    """
    metrics = _metrics(metric)
    if way not in WAYS:
        raise OptionError(f"way is {shown(way)}; expected {', '.join(WAYS)}")
    lists = listed(candidates, "candidates", "a list of texts for each source")
    if not lists:
        raise InputError("there is no source; expected a list of candidates for each")
    others = lists if references is None else references
    given = _for_each(len(lists), references=others, weights=weights, sources=sources)
    rule = _Rule(metrics, duplicates, way, keep_matrices, threads)
    choices: list[Choice] = []
    for text, *source in zip(
        given["sources"], lists, given["references"], given["weights"], strict=True
    ):
        own = rule if text is None else rule.replace(text=text)
        choices.append(own.choose(len(choices) + 1, *source))
        if report is not None:
            report(len(choices) / len(lists))
    return Decisions(tuple(choices), metrics)


def _for_each(lists: int, /, **given: Any) -> dict[str, list[Any]]:
    """Return arguments that have one list for each source; None for all sources where absent."""
    found = {}
    for name, value in given.items():
        found[name] = [None] * lists if value is None else listed(value, name, "a list a source")
        if len(found[name]) != lists:
            raise InputError(
                f"{lists} lists of candidates but {len(found[name])} of {name}; expected one of "
                "each for every source"
            )
    return found


class _Rule(Value):
    """How one source is decided; arguments as of `mbr`, and the source's text where it is known."""

    metrics: tuple[Metric[Any], ...]
    duplicates: bool
    way: str
    keep_matrices: bool
    threads: int
    text: str | None = None

    def choose(self, source: int, candidates: Any, references: Any, weights: Any) -> Choice:
        texts = check_hypotheses(candidates)
        if not texts or not len(references):
            raise InputError(f"source {source} has no candidate or no pseudo-reference")
        pseudo = check_references(references)
        if self.way == WAYS[0]:
            matrices = tuple(self._matrices(texts, pseudo))
            pairs = Choice(tuple(texts), 0, (), matrices, tuple(pseudo))
            return self.of_pairs(source, pairs, weights)
        places, shares = self._counted(source, pseudo, weights)
        rule = self if self.way == "aggregated" else self._taught(pseudo)
        approximate = rule._aggregated if self.way == "aggregated" else rule._pruned
        pseudo = _at(places, pseudo)
        return _chosen(tuple(texts), approximate(texts, pseudo, shares))

    def of_pairs(self, source: int, pairs: Choice, weights: Any) -> Choice:
        """Choose by the matrices of a choice."""
        places, shares = self._counted(source, pairs.references, weights)
        rows = [_at(places, row) for row in self._pairs(pairs.matrices)]
        kept = (pairs.matrices, pairs.references) if self.keep_matrices else ((), ())
        return _chosen(pairs.candidates, [_mean(row, shares) for row in rows], *kept)

    def _counted(
        self, source: int, pseudo: Sequence[Any], weights: Any
    ) -> tuple[Sequence[int], list[float] | None]:
        """Return the places of the pseudo-references that count, and their weights."""
        places = range(len(pseudo)) if self.duplicates else _first_places(pseudo)
        if weights is None:
            return places, None
        numbers = _at(places, _numbers(source, len(pseudo), weights))
        if not any(numbers):
            raise OptionError(f"all weights of source {source} are 0; expected one above 0")
        # So that no sum overflows; a power of 2 changes no digit.
        _, exponent = frexp(max(numbers))
        return places, [ldexp(number, -exponent) for number in numbers]

    def _matrices(self, texts: list[str], pseudo: list[Any]) -> list[list[list[float]]]:
        """Return by each metric the scores of each pair; equal texts are scored once."""
        hypotheses, rows = _different(texts)
        references, columns = _different(pseudo)
        if self.text is not None:
            references = [WithSource(self.text, one) for one in references]
        matrices: list[Any] = [
            metric.matrix(hypotheses, references, threads=self.threads).tolist()
            for metric in self.metrics
        ]
        return [[[matrix[i][j] for j in columns] for i in rows] for matrix in matrices]

    def _pairs(self, matrices: Sequence[Sequence[Sequence[float]]]) -> list[list[float]]:
        """Return the utility of each text by each pseudo-reference: the mean of the metrics."""
        signs = [1.0 if metric.higher_is_better else -1.0 for metric in self.metrics]
        return [
            [fsum(map(mul, signs, cells)) / len(signs) for cells in zip(*rows, strict=True)]
            for rows in zip(*matrices, strict=True)
        ]

    def _taught(self, pseudo: list[Any]) -> _Rule:
        """Return the rule after its metrics learned from all pseudo-references, as `matrix` does.

        Parts of them would teach other weights of n-grams.
        """
        different, _ = _different(pseudo)
        taught = [
            metric.with_learned(metric.learn(different, threads=self.threads))
            if metric.learns and metric.learned is None
            else metric
            for metric in self.metrics
        ]
        return self.replace(metrics=tuple(taught))

    def _pruned(
        self, texts: list[str], pseudo: list[Any], shares: list[float] | None
    ) -> list[float]:
        if shares is not None:
            # Those that decide come first, and equal ones stay in their order.
            by_weight = sorted(range(len(pseudo)), key=shares.__getitem__, reverse=True)
            places = [place for place in by_weight if shares[place]]
            pseudo, shares = _at(places, pseudo), _at(places, shares)

        def some(candidates: list[int], begin: int, end: int) -> list[list[float]]:
            left = [texts[candidate] for candidate in candidates]
            return self._pairs(self._matrices(left, pseudo[begin:end]))

        rows = pruned_utilities(some, len(texts), len(pseudo), shares)
        return [_mean(rows[n], shares) if n in rows else -inf for n in range(len(texts))]

    def _aggregated(
        self, texts: list[str], pseudo: list[Any], shares: list[float] | None
    ) -> list[float]:
        scores = [aggregated_scores(metric, texts, pseudo, shares) for metric in self.metrics]
        return [fsum(cells) / len(cells) for cells in zip(*scores, strict=True)]


def _metrics(metric: Any) -> tuple[Metric[Any], ...]:
    several = metric if isinstance(metric, list | tuple) else [metric]
    found = [parse_metric(m, sentences=True) if isinstance(m, str) else m for m in several]
    for one in found:
        if not isinstance(one, Metric):
            raise wrong_type("metric", "a metric, its name, or a list of them", one)
    if not found:
        raise OptionError("metric is an empty list; expected at least one metric")
    return tuple(found)


def _mean(row: list[float], shares: list[float] | None) -> float:
    if shares is None:
        return fsum(row) / len(row)
    return fsum(map(mul, row, shares)) / fsum(shares)


def _chosen(
    texts: tuple[str, ...],
    utilities: list[float],
    matrices: tuple[Any, ...] = (),
    references: tuple[Any, ...] = (),
) -> Choice:
    return Choice(texts, first_of_best(utilities), tuple(utilities), matrices, references)


def _numbers(source: int, references: int, weights: Any) -> list[float]:
    found = listed(weights, "weights", "a list of numbers for each source")
    if len(found) != references:
        raise InputError(
            f"source {source} has {len(found)} weights but {references} pseudo-references; "
            "expected one weight for each"
        )
    return [_weight(source, weight) for weight in found]


def _weight(source: int, weight: Any) -> float:
    try:
        number = inf if isinstance(weight, bool | str) else float(weight)
    except (TypeError, ValueError, OverflowError):
        number = inf
    if not isfinite(number) or number < 0:
        raise OptionError(
            f"a weight of source {source} is {shown(weight)}; expected a finite number, 0 or more"
        )
    return number


def _key(entry: Any) -> Any:
    return entry if isinstance(entry, str) else tuple(entry)


def _first_places(entries: Sequence[Any]) -> list[int]:
    """Return the places of the different entries, the first of equal ones.

    >>> _first_places(["a", "b", "a"])
    [0, 1]
    """
    places: dict[Any, int] = {}
    for at, entry in enumerate(entries):
        places.setdefault(_key(entry), at)
    return list(places.values())


def _at(places: Sequence[int], values: Sequence[T]) -> list[T]:
    return [values[place] for place in places]


def _different(entries: list[Any]) -> tuple[list[Any], list[int]]:
    """Return the different entries, and of each entry which of them it is.

    >>> _different(["a", "b", "a"])
    (['a', 'b'], [0, 1, 0])
    """
    numbers: dict[Any, int] = {}
    places = [numbers.setdefault(_key(entry), len(numbers)) for entry in entries]
    return list(numbers), places
