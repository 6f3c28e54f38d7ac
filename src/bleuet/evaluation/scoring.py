"""One call: texts are counted once by each metric, and scored as a corpus and by segment."""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Mapping

from bleuet.errors import OptionError
from bleuet.evaluation.evaluation import Evaluation
from bleuet.evaluation.names import check_names
from bleuet.evaluation.system_scores import Scores
from bleuet.frozen import checked
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import labels
from bleuet.metrics.catalogue import each_metric, parse_metric
from bleuet.text.languages import checked_language
from bleuet.text.row_index import shared_index
from bleuet.text.segments import Segments
from bleuet.text.source_texts import with_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.metrics.base.counting import Hypotheses, References


@checked
def score(
    hypotheses: Hypotheses | Mapping[str, Hypotheses],
    references: References = None,
    metrics: str | Metric[Any] | Sequence[str | Metric[Any]] = "bleu",
    *,
    sources: Iterable[str] | None = None,
    trg_lang: str = "",
    threads: int = 1,
) -> Scores:
    """Score one or more systems by one or more metrics.

    Texts are a list, or a column of a data frame of pandas, polars or pyarrow, or of a data set of
    Hugging Face. Columns of pandas have an index: it has to be the same, and data frames of the
    scores have it, too.

    Args:
        hypotheses: one string per segment; of several systems a dictionary from their names to
            their hypotheses.
        references: per segment a string or a list of strings; None for metrics that read sources
            alone.
        metrics: metrics, or names of metrics, with options after a colon as on the command line:
            "rougeL", "chrf:word_order=2".
        sources: one string per segment, for metrics that read what was translated or simplified.
        trg_lang: the code of the target language, such as "ja"; it chooses the tokenizer of
            metrics that `metrics` names.
        threads: threads of the kernel, 0 for one per core.

    Returns:
        The scores of the corpus by the names of the metrics, and those of the segments, which are
        computed when they are requested.

    Raises:
        InputError: the texts cannot be scored; the message says how to fix it.
        OptionError: there is no metric or option of a name, or a metric is named twice.

    >>> hypotheses, references = ["The cat sat down."], ["The cat sat up."]
    >>> scores = score(hypotheses, references, ["bleu", "rougeL"])
    >>> scores["rougeL"]
    <ROUGE-L = 75.00 (P = 75.00 R = 75.00 F = 75.00)>
    >>> print(scores)
     BLEU  ROUGE-L
    42.73    75.00
    <BLANKLINE>
    BLEU: 80.0/50.0/33.3/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)
    ROUGE-L: (P = 75.00 R = 75.00 F = 75.00)
    <BLANKLINE>
    BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:bleuet-0.2.0=sacrebleu-2.6.0
    ROUGE-L|nrefs:1|rouge:L|stem:no|tok:rouge|version:bleuet-0.2.0
    >>> score({"mine": hypotheses}, references)["bleu"]["mine"].score  # doctest: +ELLIPSIS
    42.72...
    """
    try:
        language = checked_language(trg_lang)
    except ValueError as error:
        raise OptionError(str(error), option="trg_lang") from None
    listed = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    words = [one for given in listed for one in _each(given)]
    made = [parse_metric(one, language=language) if isinstance(one, str) else one for one in words]
    if isinstance(hypotheses, Mapping):
        check_names(hypotheses)
        systems = hypotheses
    else:
        systems = {"": hypotheses}
    index = shared_index(hypotheses=hypotheses, references=references, sources=sources)
    if sources is not None:
        references = with_sources(references, sources)
    # Checked here, since what can be read only once is needed again for the fingerprint.
    references = Segments.references(references, made[0].counted_kind) if made else references
    evaluation = Evaluation.count(made, systems, references, threads=threads)
    return Scores(
        evaluation.systems,
        list(evaluation.scores.values()),
        keys=[
            one if isinstance(one, str) else label
            for one, label in zip(words, labels(made), strict=True)
        ],
        evaluation=evaluation,
        test_set=LaterFingerprint(references),
        index=index,
    )


class LaterFingerprint:
    """The fingerprint of references, which is taken when scores are written.

    Args:
        references: the references.

    >>> print(LaterFingerprint(["It rains."]))
    segments:1|references:60f20c018b2f558250acc50db122d51e
    """

    __slots__ = ("_references",)

    def __init__(self, references: Any) -> None:
        # Lists may change before it is taken; lines and arrays are not changed.
        if isinstance(references, Segments) and not references.files:
            from copy import copy

            rows = [row if type(row) is str else copy(row) for row in references.tolist()]
            references = Segments(references.kind, rows)
        self._references = references

    def __str__(self) -> str:
        from bleuet.text.fingerprint import fingerprint_of

        return fingerprint_of(self._references)

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str(self),)


def _each(metric: str | Metric[Any]) -> Sequence[str | Metric[Any]]:
    return each_metric([metric]) if isinstance(metric, str) else [metric]
