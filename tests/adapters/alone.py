"""`python -m tests.adapters.alone NAME`: checks of frameworks in environments of their own.

lighteval needs an older NLTK and mbrs an older numpy than other tests. The environments have no
pytest, so that these are plain functions.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bleuet import make_metric
from tests.adapters.texts import HYPOTHESES, REFERENCES, SEVERAL

CLOSE = 1e-9


def check(found: float, expected: float, what: str) -> None:
    """Raise an error unless two numbers are equal."""
    if abs(found - expected) > CLOSE * max(1.0, abs(expected)):
        raise AssertionError(f"{what} is {found}, not {expected}")


def lighteval() -> None:
    """Score a corpus with two references of each text, with metrics of both programs."""
    from lighteval.metrics import apply_metric
    from lighteval.metrics.metrics import Metrics
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from bleuet.adapters.lighteval import corpus_metric

    answers = [ModelResponse(text=[one]) for one in HYPOTHESES]

    def scored(metric: Any, references: list[list[str]]) -> float:
        documents = [
            Doc(query="q", choices=own, gold_index=list(range(len(own)))) for own in references
        ]
        (name,) = metric.get_corpus_aggregations()
        rows = [one[name] for one in apply_metric(answers, documents, [metric])]
        return float(metric.get_corpus_aggregations()[name](rows))

    single = [[one] for one in REFERENCES]
    for name in ("bleu", "bleu:lowercase", "chrf", "chrf:word_order=2"):
        if list(corpus_metric(name).get_corpus_aggregations()) != [name]:
            raise AssertionError(f"{name} has another name")
        for references in (single, SEVERAL):
            expected = make_metric(name).corpus_score(HYPOTHESES, references).score
            check(scored(corpus_metric(name), references), expected, f"{name} by bleuet")
    # lighteval's own BLEU is right with one reference, and drops the second. Its chrF scores the
    # first text alone, with all references as its own.
    bleu, chrf, ter = Metrics.bleu.value, Metrics.chrf.value, Metrics.ter.value
    check(scored(bleu, single), scored(corpus_metric("bleu"), single), "BLEU by lighteval")
    check(scored(bleu, SEVERAL), scored(bleu, single), "BLEU with two references")
    first = make_metric("chrf").sentence_score(HYPOTHESES[0], REFERENCES).score
    check(scored(chrf, single), first, "chrF by lighteval")
    page = Path("docs/how-to/lighteval.md").read_text(encoding="utf-8")
    for name, own in (("BLEU", bleu), ("chrF", chrf), ("TER", ter)):
        right = make_metric(name.lower()).corpus_score(HYPOTHESES, SEVERAL).score
        row = f"| {name} | {scored(own, SEVERAL):.2f} | {right:.2f} |"
        if row not in page:
            raise AssertionError(f"{row} is not in the guide")


def mbrs() -> None:
    """Score all pairs of some texts, and choose one of them."""
    from mbrs.decoders import DecoderMBR
    from mbrs.metrics.chrf import MetricChrF

    from bleuet.adapters.mbrs import BleuetMetric

    texts, against = HYPOTHESES[:6], REFERENCES[:6]
    for name in ("bleu", "ter", "chrf"):
        metric = BleuetMetric(BleuetMetric.Config(metric=name))
        scores = metric.pairwise_scores(texts, against)
        for row, hypothesis in enumerate(texts):
            for column, reference in enumerate(against):
                expected = metric.metric.sentence_score(hypothesis, reference).score
                check(float(scores[row, column]), expected, f"{name} of {row} and {column}")
                check(metric.score(hypothesis, reference), expected, f"{name} of one pair")
        means = metric.pairwise_scores(texts, texts).mean(dim=1)
        best = int(means.argmax() if metric.HIGHER_IS_BETTER else means.argmin())
        found = DecoderMBR(DecoderMBR.Config(), metric).decode(texts, texts, nbest=1)
        check(found.idx[0], best, f"the choice by {name}")
    theirs = MetricChrF(MetricChrF.Config()).pairwise_scores(texts, against)
    # mbrs has single precision.
    apart = float((scores - theirs).abs().max())
    if apart > 1e-4:
        raise AssertionError(f"chrF differs by {apart}")
    with TemporaryDirectory() as folder:
        # What the guide says.
        (Path(folder) / "plugins").mkdir()
        (Path(folder) / "plugins" / "__init__.py").write_text("import bleuet.adapters.mbrs\n")
        (Path(folder) / "samples.txt").write_text("".join(f"{one}\n" for one in texts))
        program = Path(sys.executable).parent / "mbrs-decode"
        words = "samples.txt -n 6 --plugin_dir plugins --metric bleuet --metric.metric chrf"
        command = [str(program), *words.split(), "--output", "chosen.txt"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        means = BleuetMetric(BleuetMetric.Config(metric="chrf")).pairwise_scores(texts, texts)
        chosen = (Path(folder) / "chosen.txt").read_text(encoding="utf-8").strip()
        if chosen != texts[int(means.mean(dim=1).argmax())]:
            raise AssertionError(f"mbrs-decode chose {chosen!r}")


if __name__ == "__main__":
    {"lighteval": lighteval, "mbrs": mbrs}[sys.argv[1]]()
    print(f"{sys.argv[1]}: all checks passed")
