"""`bleuet.score`: the scores of a corpus and its segments from one call."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest

import bleuet
from bleuet import BLEU, CHRF, ROUGE, InputError, InputTypeError, Metric, OptionError, Scores, score
from bleuet.cli.main import main
from bleuet.text.fingerprint import fingerprint_of

if TYPE_CHECKING:
    from pathlib import Path

HYPOTHESES = ["The cat sat down.", "It rains today."]
REFERENCES = ["The cat sat up.", ["It is raining today.", "Today it rains."]]
SYSTEMS = {"a": HYPOTHESES, "b": ["A cat sat.", "Rain today."]}
METRICS: list[str | Metric[Any]] = ["bleu", "rougeL", "chrF2++"]


def made() -> list[Metric[Any]]:
    return [BLEU(), ROUGE(variant="L"), CHRF(word_order=2)]


def test_one_system() -> None:
    found = score(HYPOTHESES, REFERENCES, METRICS)
    assert list(found) == ["bleu", "rougeL", "chrF2++"]
    assert list(found.values()) == [one.corpus_score(HYPOTHESES, REFERENCES) for one in made()]
    assert found.scores == [tuple(found.values())]
    for other in ("BLEU", "sacrebleu", BLEU()):
        assert found[other] == found["bleu"]
    assert found.to_dict()["rougeL"] == found["rougeL"].to_dict()
    assert "ter" not in found
    with pytest.raises(KeyError, match="'ter' is none of the metrics bleu, rougeL, chrF2\\+\\+"):
        _ = found["ter"]
    assert score(HYPOTHESES, REFERENCES)["bleu"] == found["bleu"]


def test_several_systems() -> None:
    found = score(SYSTEMS, REFERENCES, METRICS)
    for key, metric in zip(found, made(), strict=True):
        expected = {n: metric.corpus_score(texts, REFERENCES) for n, texts in SYSTEMS.items()}
        assert found[key] == expected
        assert found.to_dict()[key] == {name: one.to_dict() for name, one in expected.items()}


def test_segments_are_scored_as_sentences() -> None:
    found = score(SYSTEMS, REFERENCES, METRICS).segment_scores("bleu")
    bleu = BLEU(effective_order=True)
    for name, texts in SYSTEMS.items():
        assert list(found[name]) == list(bleu.sentence_scores(texts, REFERENCES))
    with pytest.raises(bleuet.TableError, match=r"bleuet\.score keeps both"):
        Scores([""], [[BLEU().corpus_score(HYPOTHESES, REFERENCES)]]).segment_scores("bleu")


def test_texts_and_metrics_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    fill = BLEU._fill

    def counting(*args: Any) -> Any:
        counted.append(args)
        return fill(*args)

    monkeypatch.setattr(BLEU, "_fill", counting)
    found = score(SYSTEMS, REFERENCES, ["bleu", "bleu:smooth=floor"])
    assert len(counted) == len(SYSTEMS)
    found.segment_scores("bleu")
    assert len(counted) == len(SYSTEMS)


def test_the_language_chooses_the_tokenizer() -> None:
    found = score(["你好吗"], ["你好啊"], ["bleu", BLEU()], trg_lang="zh")
    assert found["bleu"] == BLEU(tokenize="zh").corpus_score(["你好吗"], ["你好啊"])
    assert found["BLEU"] == BLEU().corpus_score(["你好吗"], ["你好啊"])
    assert score(["你"], ["你"], trg_lang="zho_Hant")["bleu"].metric == BLEU(tokenize="zh")
    with pytest.raises(OptionError, match="trg_lang must be the target language alone"):
        score(["你"], ["你"], trg_lang="en-zh")


def test_printed_as_the_table_of_the_command() -> None:
    lines = str(score(SYSTEMS, REFERENCES, ["bleu", "ter"])).splitlines()
    assert lines[0].split() == ["system", "BLEU", "TER"]
    assert lines[1].split()[0] == "a"
    alone = score(HYPOTHESES, REFERENCES)
    assert str(alone).splitlines()[:2] == [" BLEU", "33.57"]
    assert repr(alone) == "<scores: BLEU = 33.57>"
    assert '<th scope="col" class="number">BLEU</th>' in alone._repr_html_()
    assert "system" not in alone.to_csv().splitlines()[0]


@pytest.mark.libraries
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_wide_data_frame(library: str) -> None:
    def columns(frame: Any) -> dict[str, list[Any]]:
        if library == "pandas":
            return dict(frame.to_dict("list"))
        return dict(frame.to_dict(as_series=False) if library == "polars" else frame.to_pydict())

    several = score(SYSTEMS, REFERENCES, METRICS)
    found = columns(several.to_dataframe(library=library))
    assert list(found) == ["system", "segment", "bleu", "rougeL", "chrF2++"]
    assert found["system"] == ["a", "a", "b", "b"]
    assert found["segment"] == [1, 2, 1, 2]
    segments = several.segment_scores("rougeL")
    assert found["rougeL"] == [*segments["a"].values, *segments["b"].values]
    assert len(columns(several.to_dataframe("scores", library=library))["score"]) == 6
    alone = columns(score(HYPOTHESES, REFERENCES, METRICS).to_dataframe(library=library))
    assert list(alone) == ["segment", "bleu", "rougeL", "chrF2++"]


@pytest.mark.libraries
def test_parquet(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    found = score(SYSTEMS, REFERENCES, METRICS)
    found.to_parquet(tmp_path / "scores.parquet")
    table = pq.read_table(tmp_path / "scores.parquet")
    assert table.drop_columns(["test_set"]) == found.to_dataframe(library="pyarrow")


@pytest.mark.libraries
def test_columns_of_data_frames() -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    data = {"hyp": HYPOTHESES, "ref": ["The cat sat up.", "Today it rains."]}
    expected = score(data["hyp"], data["ref"])["bleu"]
    for frame in (pd.DataFrame(data), pl.DataFrame(data), pa.table(data)):
        assert score(frame["hyp"], frame["ref"])["bleu"] == expected
        assert score({"mine": frame["hyp"]}, frame["ref"])["bleu"]["mine"] == expected
        with pytest.raises(InputTypeError, match=r"frame\['hyp'\] \(its columns are hyp, ref\)"):
            score(frame, frame["ref"])


def test_columns_of_a_data_set() -> None:
    class Dataset:
        """Yields dictionaries, as those of Hugging Face do."""

        column_names = ("hyp", "ref")

        def __iter__(self) -> Any:
            yield {"hyp": "a", "ref": "b"}

    with pytest.raises(InputTypeError, match="hypotheses is a Dataset, which has columns"):
        score(Dataset(), ["b"])


@pytest.mark.parametrize(
    ("hypotheses", "metrics", "error", "message"),
    [
        ("a b", "bleu", InputTypeError, "hypotheses is a bare string"),
        ({"a": "a b"}, "bleu", InputTypeError, "system a: hypotheses is a bare string"),
        ({"a": ["a"], "b": ["a", "b"]}, "bleu", InputError, "system b: 2 hypotheses but 1 refere"),
        ({"": ["a"]}, "bleu", InputTypeError, "the name of a system must be a text, not ''"),
        ({}, "bleu", bleuet.TableError, "there is no system"),
        (["a"], [], OptionError, "metrics must be a list of metrics"),
        (["a"], ["bleu", "sacrebleu"], OptionError, "metrics has a duplicate"),
        (["a"], "blue", OptionError, "did you mean bleu?"),
    ],
)
def test_misuse(hypotheses: Any, metrics: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        score(hypotheses, ["a"], metrics)
    assert message in str(caught.value)


def test_a_suite_is_its_metrics() -> None:
    assert list(score(["a b"], ["a c"], "text-similarity"))[:4] == [
        "bleu",
        "gleu",
        "meteor",
        "rouge-1",
    ]


def test_metrics_of_one_name_have_their_options_as_keys() -> None:
    metrics = [BLEU(), BLEU(lowercase=True), BLEU(tokenize="char"), CHRF()]
    scores = score(["the cat"], ["The cat"], metrics)
    assert list(scores) == ["BLEU", "BLEU lowercase", "BLEU tokenize=char", "chrF2"]
    for key, metric in zip(scores, metrics, strict=True):
        assert scores[key] == scores[metric] == metric.corpus_score(["the cat"], ["The cat"])


@pytest.mark.libraries
def test_written_scores_have_the_fingerprint_of_the_test_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the command writes it, whatever references are, and only when it is needed."""
    texts, others = ["The cat sat up.", "It rained today."], ["A dog sat.", "It rained today."]
    for given, own in ((REFERENCES, REFERENCES), (iter(texts), texts)):
        scores = score({"a.txt": HYPOTHESES}, given, ["bleu", "chrf"])
        wanted = fingerprint_of(own)
        assert {row["test_set"] for row in json.loads(scores.to_json())} == {wanted}
        assert pickle.loads(pickle.dumps(scores)).test_set == wanted
    for name, lines in (("r", texts), ("other", others), ("a", HYPOTHESES)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    scores.to_parquet(tmp_path / "a.parquet")
    (tmp_path / "a.json").write_text(scores.to_json(), encoding="utf-8")
    files = {path.name: str(path) for path in tmp_path.iterdir()}

    def run(command: str, references: str, *words: str) -> tuple[int, str]:
        code = main([command, files[references], "-i", files["a.txt"], *words])
        return code, capsys.readouterr().err

    gate = ("--baseline", files["a.json"], "-m", "bleu", "chrf", "--max-drop", "1")
    assert run("gate", "r.txt", *gate) == (0, "")
    assert "a.json was scored on another test set" in run("gate", "other.txt", *gate)[1]
    external = ("--scores", f"OTHER={files['a.parquet']}:chrf", "-m", "OTHER", "-q")
    assert run("compare", "r.txt", *external) == (0, "")
    code, err = run("compare", "other.txt", *external)
    assert (code, "a.parquet was scored on another test set" in err) == (1, True), err
    assert "a.parquet:chrf" in run("compare", "r.txt", "--scores", f"X={files['a.parquet']}")[1]


def test_plain_values_do_not_depend_on_what_was_asked_before() -> None:
    scores = score(["it rains"], ["it snows"], ["chrf"])
    before = scores.to_dict()
    assert scores.test_set
    scores.to_json()
    assert scores.to_dict() == before


def test_the_fingerprint_is_that_of_what_was_scored() -> None:
    """Whatever programs do to their lists afterwards."""
    several: list[list[Any]] = [["it rains", "it snows"], [["it rains"], ["it snows", "snow"]]]
    for references in several:
        hypotheses = ["it rains", "it snowed"]
        expected = json.loads(score(hypotheses, references, ["chrf"]).to_json())[0]["test_set"]
        scores = score(hypotheses, references, ["chrf"])
        if isinstance(references[0], list):
            references[0][0] = "it hails"
        references.append("another")
        assert json.loads(scores.to_json())[0]["test_set"] == expected
