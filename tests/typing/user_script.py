"""What users write with the library: mypy --strict and pyright find nothing wrong in it."""

from __future__ import annotations

import statistics
from typing import Any, assert_type

import bleuet
from bleuet import (
    BLEU,
    CHRF,
    METEOR,
    ROUGE,
    TER,
    BLEUScore,
    Corpus,
    Metric,
    TERScore,
    Totals,
    compare,
    find_metric,
    make_metric,
)
from bleuet.significance import Evaluation, paired_test

hypotheses = ["The cat sat down.", "It rains."]
references: list[str | list[str]] = ["The cat sat up.", ["It is raining.", "It rains."]]

bleu = BLEU(smooth="floor", smooth_value=0.1, tokenize="intl", max_ngram_order=4)
model = "flores.model"
others: list[Metric[Any]] = [
    CHRF(word_order=2),
    TER(tokenize="tercom"),
    ROUGE(variant="Lsum", measure="recall"),
    METEOR(language="de", normalize="lower", resources="folder"),
    BLEU(tokenize=f"spm:{model}"),
]
score = bleu.corpus_score(hypotheses, references)
assert_type(score, BLEUScore)
number: float = score.score
ratio: float = score.ratio
precisions: tuple[float, ...] = score.precisions

scores = bleu.sentence_scores(hypotheses, references)
first: float = scores[0]
some: list[float] = scores[:1]
mean = statistics.mean(scores)
best: float = max(scores)
components: BLEUScore = scores.score(0)

matrix = bleu.matrix(hypotheses, ["a", "b"], dtype="float32")
row: tuple[float, ...] = matrix[0]
cell: float = matrix[0][1] + matrix[0, 1]
columns: list[list[float]] = matrix.tolist()
highest = [max(one) for one in matrix]

corpus = Corpus(hypotheses, references)
hypothesis: str = corpus[0][0]
part: Corpus = corpus[1:]
for text, entry in corpus:
    alone: BLEUScore = bleu.sentence_score(text, entry)

table = bleu.table(corpus)
totals: Totals = table[0] + table.totals()
made = make_metric("chrf++", beta=3).corpus_score(hypotheses, references)
value: float = made.score
of_class: float = find_metric("bleu")().corpus_score(hypotheses, references).score
edits: TERScore = TER().sentence_score("a b", "a c")

found = compare({"a": hypotheses, "b": hypotheses}, references, ["bleu", CHRF()])
frame = found.to_dataframe()
print(found, frame.shape, found.to_dict()["systems"], frame.columns)
results = paired_test(Evaluation.count([bleu], {"a": hypotheses, "b": hypotheses}, references))
print(results.comparison("a", "b").p_value, bleuet.load_tables("tables.parquet")[0].system)
