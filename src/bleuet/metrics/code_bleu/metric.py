"""CodeBLEU (Ren et al. 2020): BLEU, keywords, syntax and data flow of source code."""

from __future__ import annotations

from math import exp, fsum, log

from bleuet.frozen import cached_property
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.option import Option
    from bleuet.metrics.base.row_limit import RowLimit

# The keys of `LANGUAGES`, whose module is imported when code is read.
LANGUAGE_NAMES = (
    *("c", "cpp", "c_sharp", "go", "java", "javascript", "php", "python", "ruby", "rust"),
)
NO_LANGUAGE = "none"
# The version of tree-sitter that codebleu 0.7.0 runs with.
CORE = "0.22"
PROGRAM, ORIGINAL, PAPER = "codebleu", "codexglue", "paper"
ORDERS = range(1, 5)
PARTS = 4
# What NLTK's first smoothing adds to an order without matches.
EPSILON = 0.1


class CodeBLEUScore(Score):
    """A CodeBLEU score and its four parts."""

    components = ("ngram_match", "weighted_ngram_match", "syntax_match", "dataflow_match")
    metric: CodeBLEU
    values: tuple[int, ...]

    @property
    def ngram_match(self) -> float:
        """BLEU of words, in percent."""
        return 100 * self._parts[0]

    @property
    def weighted_ngram_match(self) -> float:
        """The match of n-grams in which keywords have a greater weight, in percent."""
        return 100 * self._parts[1]

    @property
    def syntax_match(self) -> float:
        """The share of the references' subtrees that hypotheses have, in percent."""
        return 100 * self._parts[2]

    @property
    def dataflow_match(self) -> float:
        """The share of the edges of the references' data flow that hypotheses have, in percent.

        It is 0 where references have no data flow.
        """
        return 100 * self._parts[3]

    @property
    def _parts(self) -> tuple[float, float, float, float]:
        return self.metric.parts(self.values)

    def details(self) -> str:
        """Return the four parts as they are printed."""
        edges = self.values[-1]
        flow = f"{self.dataflow_match:.2f}" if edges else "none in the references"
        return (
            f"(n-grams = {self.ngram_match:.2f} weighted = {self.weighted_ngram_match:.2f} "
            f"syntax = {self.syntax_match:.2f} data flow = {flow})"
        )


class CodeBLEU(Metric[CodeBLEUScore]):
    r"""How similar source code is to a reference: its words, keywords, syntax and data flow.

    CodeBLEU = a * BLEU + b * BLEU_weight + c * Match_ast + d * Match_df, in percent, with the
    weights a, b, c and d (Ren et al. 2020, section 3). Words are what is between white space.
    Subtrees and edges of the data flow are counted in the references; of several, all count. It
    needs `pip install 'bleuet[code]'`.

    >>> metric = CodeBLEU(language="python")
    >>> print(metric.sentence_score("def f(a):\n    return a + 1", "def f(x):\n    return x + 1"))
    CodeBLEU = 55.30 (n-grams = 10.27 weighted = 10.93 syntax = 100.00 data flow = 100.00)
    """

    language: Literal[
        "none",
        "c",
        "cpp",
        "c_sharp",
        "go",
        "java",
        "javascript",
        "php",
        "python",
        "ruby",
        "rust",
    ] = option(
        default="none",
        help="the programming language, which must be chosen to count code",
        key="code",
        choices=(NO_LANGUAGE, *LANGUAGE_NAMES),
    )
    rules: Literal["codebleu", "codexglue", "paper"] = option(
        default="codebleu",
        help="those of the program codebleu 0.7.0; codexglue: the same, but no match of data flow "
        "counts 0 and not 100; paper: weights of precision and not of recall, subtrees that match "
        "once each, and no part for data flow that references do not have",
        key="rules",
        choices=(PROGRAM, ORIGINAL, PAPER),
    )
    weights: Sequence[float] = option(
        default=(0.25, 0.25, 0.25, 0.25),
        help="the weights of n-grams, weighted n-grams, syntax and data flow, with sum 1",
        key="parts",
        least=0,
        most=1,
        scoring=True,
    )
    score_type = CodeBLEUScore
    definition = (
        "100 * (a * BLEU + b * BLEU_weight + c * subtrees of references that match / subtrees + d "
        "* edges of their data flow that match / edges)"
    )
    source = (
        "Ren, Guo, Lu, Zhou, Liu, Tang, Sundaresan, Zhou, Blanco and Ma (2020), CodeBLEU: a Method "
        "for Automatic Evaluation of Code Synthesis, arXiv:2009.10297, section 3"
    )
    needs = "the language of the code: codebleu:language=python; pip install 'bleuet[code]'"
    same_number = (
        "codebleu 0.7.0, times 100, with the same grammars, and with lists of variables in the "
        "order of the code, where the program has the order of a set"
    )

    def check_options(self) -> None:
        """Reject weights that are not four with sum 1."""
        if len(self.weights) != PARTS:
            raise self.rejected(
                "weights",
                "needs four numbers, for n-grams, weighted n-grams, syntax and data flow, but "
                f"{len(self.weights)} came",
            )
        total = sum(self.weights)
        if abs(total - 1) > 1e-6:
            raise self.rejected(
                "weights", f"must add up to 1, but add up to {total:g}: divide each by their sum"
            )

    # --- Signature --------------------------------------------------------------------------------

    def _sign(self, one: Option) -> str:
        if one.name == "language":
            version = _grammar_version(self.language)
            return f"{self.language}-{version}" if version else self.language
        return super()._sign(one)

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        if one.name == "language":
            language, _, version = text.partition("-")
            found = _grammar_version(language) if language in LANGUAGE_NAMES else ""
            if version and found and version != found:
                raise ValueError(
                    f"is {text}, but the grammar that is installed is {language}-{found}"
                )
            return super()._unsign(one, language)
        return super()._unsign(one, text)

    # --- Counting ---------------------------------------------------------------------------------

    @cached_property
    def integer_columns(self) -> tuple[str, ...]:
        """Matches and numbers of n-grams, lengths, and the same of weighted n-grams and trees."""
        weighted = ORDERS[:1] if self.rules == PAPER else ORDERS
        return (
            *(f"matches_{n}" for n in ORDERS),
            *(f"totals_{n}" for n in ORDERS),
            *("sys_len", "ref_len", "weighted_ref_len"),
            *(f"weighted_matches_{n}" for n in weighted),
            *(f"weighted_totals_{n}" for n in weighted),
            *("subtree_matches", "subtree_totals", "flow_matches", "flow_totals"),
        )

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return that no more can match than there is."""
        from bleuet.metrics.base.row_limit import RowLimit

        limits = [
            RowLimit(f"totals_{n}", "sys_len", less=n - 1, least=1, exact=True) for n in ORDERS
        ]
        pairs = [name for name in self.integer_columns if "matches" in name]
        return limits + [RowLimit(name, name.replace("matches", "totals")) for name in pairs]

    def _make_counter(self) -> Any:
        if self.language == NO_LANGUAGE:
            raise self.rejected(
                "language", f"must be chosen, that of the code: {', '.join(LANGUAGE_NAMES)}"
            )
        from bleuet.metrics.code_bleu.definition import CodeCounter

        return CodeCounter(language=self.language, rules=self.rules)

    # --- Scoring ----------------------------------------------------------------------------------

    def parts(self, values: Sequence[int | float]) -> tuple[float, float, float, float]:
        """Return the matches of n-grams, weighted n-grams, subtrees and edges, from 0 to 1.

        Args:
            values: sums in the order of `columns`.
        """
        size, reference, weighted_reference = values[8:11]
        weighted, (syntax, subtrees, flow, edges) = values[11:-4], values[-4:]
        orders = len(weighted) // 2
        penalty = _brevity_penalty(size, weighted_reference)
        return (
            _mean_share(values[:4], values[4:8], _brevity_penalty(size, reference)),
            _mean_share(weighted[:orders], weighted[orders:], penalty),
            syntax / subtrees if subtrees else 0.0,
            flow / edges if edges else 0.0,
        )

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the weighted sum of the parts, in percent; 0 without segments."""
        if not values[-3]:
            return 0.0
        weights, parts = self._weighted_parts(values)
        terms = [weight * part for weight, part in zip(weights, parts, strict=True)]
        return 100 * (terms[0] + terms[1] + terms[2] + terms[3])

    def _weighted_parts(
        self, values: Sequence[int | float]
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return the weights and parts that are added, which the rules can change."""
        weights, parts = self.weights, self.parts(values)
        if self.rules == PROGRAM:
            # The program's `dataflow_match_score or 1`.
            return weights, (*parts[:3], parts[3] or 1.0)
        if self.rules == PAPER and not values[-1]:
            rest = fsum(weights[:3])
            return [weight / rest if rest else 0.0 for weight in weights[:3]] + [0.0], parts
        return weights, parts

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the four parts, and their weighted sum."""
        weights, (ngrams, weighted, syntax, flow) = self._weighted_parts(row)
        steps.count("ngrams", "match of n-grams: BLEU", ngrams, whole=1)
        steps.count("weighted", "match of n-grams with weights", weighted, whole=1)
        steps.count("syntax", "subtrees of the references that match", syntax, whole=1)
        steps.count("flow", "edges of their data flow that match, as it counts", flow, whole=1)
        steps.score(
            self.name,
            "100 * (a * ngrams + b * weighted + c * syntax + d * flow)",
            **dict(zip("abcd", weights, strict=True)),
        )


def _mean_share(matches: Sequence[float], totals: Sequence[float], penalty: float) -> float:
    """Return the geometric mean of shares times a penalty, as NLTK's BLEU smooths it.

    Args:
        matches: matches by order.
        totals: n-grams by order.
        penalty: the brevity penalty.
    """
    if not matches[0]:
        return 0.0
    weight = 1 / len(matches)
    shares = zip(matches, totals, strict=True)
    return penalty * exp(fsum(weight * log((hits or EPSILON) / all_) for hits, all_ in shares))


def _brevity_penalty(size: float, reference: float) -> float:
    if size > reference:
        return 1.0
    return exp(1 - reference / size) if size else 0.0


def _grammar_version(language: str) -> str:
    """Return the version of a language's grammar, or "" if it is not installed.

    The version of tree-sitter follows if it is not the one of codebleu: trees of code with errors
    can differ.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        grammar = version(f"tree-sitter-{language.replace('_', '-')}")
        core = ".".join(version("tree-sitter").split(".")[:2])
        return grammar if core == CORE else f"{grammar}+{core}"
    except PackageNotFoundError:
        return ""
