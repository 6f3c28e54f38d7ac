"""What users write by mistake: an ignored line without an error is one, for mypy --strict.

For pyright it is with `reportUnnecessaryTypeIgnoreComment`.
"""

# ruff: noqa: B018
from bleuet import BLEU, CHRF, ROUGE, TER, Corpus, compare, make_metric

texts = ["a cat"]
BLEU(smooth="flor")  # type: ignore[arg-type]
BLEU(smoothing="floor")  # type: ignore[call-arg]
BLEU(tokenize=13)  # type: ignore[arg-type]
BLEU("intl")  # type: ignore[call-arg, arg-type]
TER(tokenize="13a")  # type: ignore[arg-type]
ROUGE(variant="rouge-1")  # type: ignore[arg-type]
CHRF(word_order="2")  # type: ignore[arg-type]
bleu = BLEU()
bleu.smooth = "floor"  # type: ignore[misc]
bleu.corpus_scores(texts, texts)  # type: ignore[attr-defined]
bleu.corpus_score(texts, texts).precision  # type: ignore[attr-defined]
count: int = bleu.corpus_score(texts, texts).score  # type: ignore[assignment]
bleu.sentence_scores(texts, texts)[0].counts  # type: ignore[attr-defined]
bleu.matrix(texts, texts, dtype="double")  # type: ignore[arg-type]
row: list[str] = bleu.matrix(texts, texts)[0]  # type: ignore[assignment]
Corpus(texts, texts)["a"]  # type: ignore[call-overload]
make_metric("bleu").corpus_score(texts, texts).scores  # type: ignore[attr-defined]
compare({"a": texts}, texts).to_dataframe(library="numpy")  # type: ignore[call-overload]
