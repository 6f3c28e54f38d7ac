"""The published models of neural metrics: where they are, how large, and under which licence."""

from __future__ import annotations

from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

COMET, BLEURT, METRICX, BERTSCORE = "comet", "bleurt", "metricx", "bertscore"
APACHE, MIT = "Apache-2.0", "MIT"
NON_COMMERCIAL = "CC-BY-NC-SA-4.0, not for commercial use"


class PublishedModel(Value):
    """A model that its authors have published on a hub.

    Attributes:
        metric: the metric in the catalogue that it is for.
        repository: its name on the hub.
        gigabytes: about how much is downloaded.
        licence: the licence of its weights.
        encoder: the repository with the tokenizer and the configuration of its encoder, where its
            own does not have them; "" otherwise.
        summary: what it rates, in one line.
        inputs: what it reads beside the hypothesis, or in its place: "src" and "ref".
        joint: whether it reads them together, and can do without one of several.
    """

    metric: str
    repository: str
    gigabytes: float
    licence: str
    encoder: str
    summary: str
    inputs: tuple[str, ...] = ("ref",)
    joint: bool = False


XLMR, XLMR_XL = "FacebookAI/xlm-roberta-large", "facebook/xlm-roberta-xl"
XLMR_XXL, INFOXLM = "facebook/xlm-roberta-xxl", "microsoft/infoxlm-large"
RATING = "rating by a model that reads source and reference"
ESTIMATE = "rating by a model that reads the source alone"
EITHER = "rating by a model that reads source, reference or both"
WITH_SPANS = "rating by a model that also marks errors"
BESIDE = "rating by a model that reads the reference"
POINTS = "points off by a model that reads source and reference, or the source alone"
POINTS_23 = "points off by a model that reads the reference"
POINTS_QE = "points off by a model that reads the source alone"
SIMILAR = "similarity of the vectors of words"
ROBERTA, BERT, MICROSOFT = "FacebookAI", "google-bert", "microsoft"


def _comet() -> Iterator[tuple[str, PublishedModel]]:
    for name, size, licence, encoder, summary in (
        ("wmt20-comet-da", 2.3, APACHE, XLMR, RATING),
        ("wmt20-comet-qe-da", 2.3, APACHE, XLMR, ESTIMATE),
        ("wmt22-comet-da", 2.3, APACHE, XLMR, RATING),
        ("eamt22-cometinho-da", 0.5, APACHE, "microsoft/Multilingual-MiniLM-L12-H384", RATING),
        ("unite-mup", 2.3, APACHE, XLMR, EITHER),
        ("wmt22-unite-da", 2.3, NON_COMMERCIAL, XLMR, EITHER),
        ("wmt22-cometkiwi-da", 2.3, NON_COMMERCIAL, INFOXLM, ESTIMATE),
        ("wmt23-cometkiwi-da-xl", 14, NON_COMMERCIAL, XLMR_XL, ESTIMATE),
        ("wmt23-cometkiwi-da-xxl", 43, NON_COMMERCIAL, XLMR_XXL, ESTIMATE),
        ("XCOMET-XL", 14, NON_COMMERCIAL, XLMR_XL, WITH_SPANS),
        ("XCOMET-XXL", 43, NON_COMMERCIAL, XLMR_XXL, WITH_SPANS),
    ):
        inputs = ("src",) if summary == ESTIMATE else ("src", "ref")
        joint = summary in (EITHER, WITH_SPANS)
        repository = f"Unbabel/{name}"
        yield (
            name.lower(),
            PublishedModel(COMET, repository, size, licence, encoder, summary, inputs, joint),
        )


def _sentinels() -> Iterator[tuple[str, PublishedModel]]:
    for side, read in (("src", "source"), ("ref", "reference"), ("cand", "hypothesis")):
        for ratings in ("da", "mqm"):
            name = f"sentinel-{side}-{ratings}"
            summary = f"rating by a model that reads the {read} alone, as a test of metrics"
            repository = f"sapienzanlp/{name}"
            inputs = () if side == "cand" else (side,)
            yield (
                name,
                PublishedModel(COMET, repository, 2.3, NON_COMMERCIAL, XLMR, summary, inputs),
            )


def _bleurt() -> Iterator[tuple[str, PublishedModel]]:
    for name, size in (
        ("BLEURT-20", 2.3),
        ("BLEURT-20-D12", 0.7),
        ("BLEURT-20-D6", 0.4),
        ("BLEURT-20-D3", 0.3),
    ):
        repository = f"lucadiliello/{name}"
        yield name.lower(), PublishedModel(BLEURT, repository, size, APACHE, "", BESIDE)


def _metricx() -> Iterator[tuple[str, PublishedModel]]:
    sizes = {"large": 4.9, "xl": 15.0, "xxl": 52.0}
    for kind, version, summary in (
        ("23", "v2p0", POINTS_23),
        ("23-qe", "v2p0", POINTS_QE),
        ("24-hybrid", "v2p6", POINTS),
    ):
        for size, gigabytes in sizes.items():
            name = f"metricx-{kind}-{size}-{version}"
            tokenizer = f"google/mt5-{size}"
            found = PublishedModel(METRICX, f"google/{name}", gigabytes, APACHE, tokenizer, summary)
            yield name, found


def _bertscore() -> Iterator[tuple[str, PublishedModel]]:
    for name, owner, size, licence in (
        ("roberta-large", ROBERTA, 1.4, MIT),
        ("roberta-base", ROBERTA, 0.5, MIT),
        ("roberta-large-mnli", ROBERTA, 1.4, MIT),
        ("distilroberta-base", "distilbert", 0.3, APACHE),
        ("xlm-roberta-base", ROBERTA, 1.1, MIT),
        ("xlm-roberta-large", ROBERTA, 2.2, MIT),
        ("bert-base-uncased", BERT, 0.4, APACHE),
        ("bert-large-uncased", BERT, 1.3, APACHE),
        ("bert-base-cased", BERT, 0.4, APACHE),
        ("bert-large-cased", BERT, 1.3, APACHE),
        ("bert-base-multilingual-cased", BERT, 0.7, APACHE),
        ("bert-base-chinese", BERT, 0.4, APACHE),
        ("deberta-base-mnli", MICROSOFT, 0.6, MIT),
        ("deberta-large-mnli", MICROSOFT, 1.6, MIT),
        ("deberta-xlarge-mnli", MICROSOFT, 3.0, MIT),
    ):
        yield name, PublishedModel(BERTSCORE, f"{owner}/{name}", size, licence, "", SIMILAR)


# By the names that options and commands take.
PUBLISHED: dict[str, PublishedModel] = {
    name: found
    for models in (_comet, _sentinels, _bleurt, _metricx, _bertscore)
    for name, found in models()
}
# Those whose names stand for a metric; the encoders of BERTScore are for other uses, too.
OF_METRICS = {name: found for name, found in PUBLISHED.items() if found.metric != BERTSCORE}
