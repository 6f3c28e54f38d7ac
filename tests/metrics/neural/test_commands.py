"""Every command takes a neural metric as it takes BLEU."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from bleuet import (
    BLEU,
    Corpus,
    InputError,
    compare,
    load_tables,
    save_tables,
    score,
    with_sources,
)
from bleuet.cli.main import main
from bleuet.report import Report
from bleuet.rewards import Reward, trl_reward
from tests.metrics.neural.conftest import TRIPLES

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.neural, pytest.mark.libraries]

SOURCES, HYPOTHESES, REFERENCES = (
    [" ".join(getattr(one, side).split()) for one in TRIPLES]
    for side in ("source", "hypothesis", "reference")
)
OTHERS = [" ".join(reversed(line.split())) for line in HYPOTHESES]
SYSTEMS = {"one": HYPOTHESES, "two": OTHERS}
FILES = ("ref.txt", "-i", "one.txt", "two.txt", "--source", "src.txt")


@pytest.fixture
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder_of: Callable[[str], Path]
) -> Path:
    """The working folder, with texts and models."""
    monkeypatch.chdir(tmp_path)
    for name, lines in (("ref", REFERENCES), ("src", SOURCES), *SYSTEMS.items()):
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name, model in (("da", "regression-sparsemax"), ("qe", "kiwi"), ("xcomet", "xcomet")):
        Path(name).symlink_to(folder_of(model))
    return tmp_path


@pytest.fixture
def run(folder: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command, and return what it printed."""

    def run_here(*arguments: str, code: int = 0) -> str:
        capfd.readouterr()
        found = main(arguments)
        out, err = capfd.readouterr()
        assert found == code, err
        assert "Traceback" not in err
        return out + (err if code else "")

    return run_here


def in_json(run: Callable[..., str], *arguments: str) -> Any:
    return json.loads(run(*arguments, "-f", "json", "-q"))


def expected(folder: Path, model: str = "da") -> dict[str, list[float]]:
    from bleuet.metrics.neural.comet.metric import COMET

    metric = COMET(model=str(folder / model))
    references = with_sources(REFERENCES, SOURCES)
    return {
        name: list(metric.sentence_scores(texts, references).values)
        for name, texts in SYSTEMS.items()
    }


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def test_score(run: Callable[..., str], folder: Path) -> None:
    found = in_json(run, "score", *FILES, "-m", "comet:model=da", "bleu")
    wanted = expected(folder)
    for name, own in wanted.items():
        one = {row["name"]: row["score"] for row in found if row["system"] == name}
        assert one["COMET"] == pytest.approx(mean(own), abs=1e-6)
        assert one["BLEU"] == BLEU().corpus_score(SYSTEMS[name], REFERENCES).score
    word = f"comet:model={folder / 'da'}"
    by_name = score(SYSTEMS, REFERENCES, word, sources=SOURCES)[word]
    for name, own in wanted.items():
        assert by_name[name].score == pytest.approx(mean(own), abs=1e-6)


def test_score_without_references(run: Callable[..., str], folder: Path) -> None:
    files = ("-i", "one.txt", "two.txt", "--source", "src.txt")
    found = in_json(run, "score", *files, "-m", "comet:model=qe")
    wanted = expected(folder, "qe")
    assert [row["score"] for row in found] == pytest.approx(
        [mean(wanted[name]) for name in SYSTEMS], abs=1e-6
    )
    from bleuet.metrics.neural.comet.metric import COMET

    corpus = Corpus(HYPOTHESES, None, SOURCES)
    assert corpus.sources == SOURCES
    alone = COMET(model="qe").corpus_score(corpus)
    assert alone.score == pytest.approx(mean(wanted["one"]), abs=1e-6)
    said = run("score", *files, "-m", "bleu", code=1)
    assert "BLEU compares hypotheses with references, but there are sources alone" in said
    assert "reads sources" in run(
        "score", "ref.txt", "-i", "one.txt", "-m", "comet:model=qe", code=1
    )


def test_matrix(run: Callable[..., str], folder: Path) -> None:
    """A source belongs to the references of its segment."""
    files = ("ref.txt", "-i", "one.txt", "--source", "src.txt")
    matrix = in_json(run, "matrix", *files, "-m", "comet:model=da")["matrix"]
    diagonal = [row[place] for place, row in enumerate(matrix)]
    assert diagonal == pytest.approx(expected(folder)["one"], abs=1e-6)
    assert "add --source FILE" in run(
        "matrix", "ref.txt", "-i", "one.txt", "-m", "comet:model=da", code=1
    )


def test_confidence_and_significance(run: Callable[..., str], folder: Path) -> None:
    wanted = expected(folder)
    (one, _) = in_json(
        run, "score", *FILES, "-m", "comet:model=da", "--confidence", "--draws", "300"
    )
    assert one["low"] < mean(wanted["one"]) < one["high"]
    found = in_json(run, "significance", *FILES, "-m", "comet:model=da", "chrf")
    (comet, _) = found["comparisons"]
    difference = mean(wanted["two"]) - mean(wanted["one"])
    assert comet["difference"] == pytest.approx(difference, abs=1e-6)
    assert 0 < comet["p_value"] <= 1


def test_compare_and_its_page(run: Callable[..., str], folder: Path) -> None:
    found = in_json(run, "compare", *FILES, "-m", "comet:model=da", "bleu", "--html", "page.html")
    assert found["metrics"][0]["name"] == "COMET"
    page = Path("page.html").read_text("utf-8")
    assert "|comet:da|weights:" in page
    comparison = compare(SYSTEMS, REFERENCES, [f"comet:model={folder / 'da'}"], sources=SOURCES)
    assert {"scores-COMET", "histogram-COMET"} <= Report(comparison).charts().keys()
    (spread,) = comparison.histograms
    assert sum(spread.counts[0]) == len(SOURCES)
    assert spread.edges[-1] - spread.edges[0] < 10


def test_the_page_has_the_errors(run: Callable[..., str], folder: Path) -> None:
    from tests.report.page_contents import read_page

    run("compare", *FILES, "-m", "bleu", "comet:model=xcomet", "--html", "page.html", "-q")
    errors = read_page(Path("page.html").read_text("utf-8"))["errors"]
    from bleuet.metrics.neural.comet.metric import COMET

    metric = COMET(model="xcomet")
    references = with_sources(REFERENCES, SOURCES).tolist()
    for row, entry in enumerate(references):
        for number, texts in enumerate(SYSTEMS.values()):
            expected = [
                [utf16(texts[row][: one.start]), utf16(texts[row][: one.end]), one.severity]
                for one in metric.error_spans(texts[row], entry)
            ]
            assert errors.get(str(row), {}).get("1", {}).get(str(number), []) == expected
    assert errors


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


COMETS = ("comet:model=da", "comet:model=qe", "comet:model=sentinel", "comet:model=xcomet")
OTHER_MODELS = (
    "bertscore:model=bert,layer=2",
    "bertscore:model=bert,layer=2,idf=yes",
    "bleurt:model=bleurt",
    "metricx:model=metricx,tokenizer=metricx/tokenizer,version=24",
)


@pytest.mark.parametrize("models", [COMETS, OTHER_MODELS])
def test_what_is_stored_needs_no_model(
    models: tuple[str, ...],
    run: Callable[..., str],
    folder: Path,
    folder_of: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from bleuet.metrics.neural.metric import NeuralMetric, forget_models

    for name, model in (
        ("sentinel", "sentinel-ref"),
        ("bert", "bert"),
        ("bleurt", "bleurt-20"),
        ("metricx", "metricx-sharded"),
    ):
        Path(name).symlink_to(folder_of(model))
    before = in_json(run, "score", *FILES, "-m", *models, "--save-table", "t.parquet")
    Path("old.json").write_text(json.dumps(before), "utf-8")
    files = ("ref.txt", "-i", "two.txt", "--source", "src.txt")
    in_json(run, "score", *files, "-m", *models, "--save-table", "new.parquet")

    # As on another computer, where a folder of the same name has something else.
    forget_models()
    for link in [link for link in folder.iterdir() if link.is_symlink()]:
        link.unlink()
    for name in ("qe", "bleurt"):
        Path(name).mkdir()
    monkeypatch.setattr(NeuralMetric, "network", property(lambda metric: pytest.fail("it loads")))

    def scores(rows: Any) -> list[tuple[str, float]]:
        return [(row["signature"], row["score"]) for row in rows]

    assert scores(in_json(run, "score", "--from-table", "t.parquet")) == scores(before)
    signature = before[0]["signature"]
    by_name = in_json(run, "score", "--from-table", "t.parquet", "-m", signature)
    assert by_name[0]["score"] == before[0]["score"]
    assert in_json(run, "score", "--from-table", "t.parquet", "--segments", "1-9")
    assert in_json(run, "significance", "--from-table", "t.parquet")["comparisons"]
    gate = ("gate", "-i", "new.parquet", "--max-drop", "100", "--history", "runs.jsonl")
    for name, system in (("t.parquet", "two.txt"), ("old.json", "two")):
        found = in_json(run, *gate, "--baseline", name, "--baseline-system", system)
        assert {check["drop"] for check in found["checks"]} == {0}
    assert in_json(run, *gate, "--baseline", "new.json", "--init")["passed"]
    assert in_json(run, "history", "runs.jsonl")
    tables = load_tables("t.parquet")
    save_tables("again.parquet", tables, references=with_sources(REFERENCES, SOURCES))
    assert str(load_tables("again.parquet")) == str(tables)


def test_a_signature_reads_what_its_model_reads(
    run: Callable[..., str], folder: Path, folder_of: Callable[[str], Path]
) -> None:
    """The signature of a model that is here counts texts, and lacks nothing in silence."""
    from bleuet.metrics.neural.metric import forget_models

    (row,) = in_json(run, "score", "-i", "one.txt", "--source", "src.txt", "-m", "comet:model=qe")
    forget_models()
    words = ("-m", row["signature"])
    (again,) = in_json(run, "score", "-i", "one.txt", "--source", "src.txt", *words)
    assert again == row
    forget_models()
    assert "reads sources" in run("score", "ref.txt", "-i", "one.txt", *words, code=1)
    Path("qe").unlink()
    forget_models()
    said = run("score", "-i", "one.txt", "--source", "src.txt", *words, code=1)
    assert "there is no model 'qe'" in said


def test_gate(run: Callable[..., str]) -> None:
    files = ("ref.txt", "--baseline", "one.txt", "-i", "two.txt", "--source", "src.txt")
    found = in_json(run, "gate", *files, "-m", "comet:model=da", "--max-drop", "100")
    assert found["checks"][0]["metric"] == "COMET"
    assert found["passed"] is True
    said = run("gate", *files, "-m", "comet:model=da", "--min", "comet=99", code=3)
    assert "COMET" in said


def test_mbr_encodes_each_text_once(
    run: Callable[..., str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bleuet.metrics.neural import encoder
    from bleuet.metrics.neural.comet.metric import COMET

    encoded: list[int] = []
    encode = encoder.encode

    def counting(models: Any, inputs: Any, *others: Any) -> None:
        encoded.append(len(inputs))
        encode(models, inputs, *others)

    monkeypatch.setattr("bleuet.metrics.neural.comet.metric.encode", counting)
    files = ("-i", "one.txt", "two.txt", "ref.txt", "--source", "src.txt")
    found = in_json(run, "mbr", *files, "-m", "comet:model=da,cache=no")["choices"]
    different = {*HYPOTHESES, *OTHERS, *REFERENCES, *SOURCES}
    assert sum(encoded) == len(different)
    metric = COMET(model="da", cache=False)
    for place in (0, 7, 30):
        texts = [HYPOTHESES[place], OTHERS[place], REFERENCES[place]]
        utilities = [
            mean(
                [
                    metric.sentence_score(one, with_sources([other], [SOURCES[place]])[0]).score
                    for other in texts
                ]
            )
            for one in texts
        ]
        assert found[place]["utilities"] == pytest.approx(utilities, abs=1e-6)
        assert found[place]["index"] == utilities.index(max(utilities))


def test_meta(run: Callable[..., str], folder: Path) -> None:
    human = [
        f"{name}\t{segment}\t{len(line) % 7 + (name == 'one')}"
        for name, lines in SYSTEMS.items()
        for segment, line in enumerate(lines)
    ]
    Path("human.tsv").write_text("system\tsegment\tscore\n" + "\n".join(human) + "\n", "utf-8")
    found = run("meta", *FILES, "-m", "comet:model=da", "bleu", "--human", "human.tsv", "-q")
    assert "COMET" in found
    assert "BLEU" in found


def test_explain_shows_error_spans(run: Callable[..., str], folder: Path) -> None:
    from bleuet.metrics.neural.comet.metric import COMET

    metric = COMET(model="xcomet")
    seen = 0
    triples = zip(HYPOTHESES, REFERENCES, SOURCES, strict=True)
    for number, (hypothesis, reference, source) in enumerate(triples, start=1):
        entry = with_sources([reference], [source])[0]
        _, _, marks = metric.mark_segment(hypothesis, entry)
        # Without the source the model finds other errors.
        if not marks or metric.mark_segment(hypothesis, [reference])[2] == marks:
            continue
        spans = metric.error_spans(hypothesis, entry)
        assert {mark.kind for mark in marks} <= {f"{span.severity} error" for span in spans}
        found = in_json(
            run, "explain", "ref.txt", "-i", "one.txt", "--source", "src.txt",
            "--segment", str(number), "-m", "comet:model=xcomet",
        )  # fmt: skip
        (view,) = found if isinstance(found, list) else (found,)
        shown = [(mark["mark"], tuple(mark["hypothesis"])) for mark in view["marks"]]
        assert shown == [(mark.kind, tuple(mark.hypothesis)) for mark in marks]
        seen += 1
        if seen == 3:
            break
    assert seen


@pytest.mark.parametrize("model", ["da", "qe"])
def test_explain_of_a_model_that_needs_sources(
    run: Callable[..., str], folder: Path, model: str
) -> None:
    references = ["ref.txt"] if model == "da" else []
    command = [
        "explain", *references, "-i", "one.txt", "--source", "src.txt", "--segment", "2",
        "-m", f"comet:model={model}",
    ]  # fmt: skip
    found = in_json(run, *command)
    (view,) = found if isinstance(found, list) else (found,)
    assert view["score"] == pytest.approx(expected(folder, model)["one"][1], abs=1e-6)
    # Without references no word is one that no reference has.
    assert ("Words between spaces" in run(*command)) == bool(references)


def test_rewards(folder: Path) -> None:
    wanted = expected(folder)["one"]
    reward = Reward(f"comet:model={folder / 'da'}", preprocess=())
    found = reward(HYPOTHESES, with_sources(REFERENCES, SOURCES).tolist())
    assert found == pytest.approx(wanted, abs=1e-6)
    function = trl_reward(f"comet:model={folder / 'da'}", source="src", preprocess=())
    columns = {"reference": REFERENCES, "src": SOURCES}
    assert function(["?"] * len(SOURCES), HYPOTHESES, **columns) == pytest.approx(wanted, abs=1e-6)
    without = trl_reward(f"comet:model={folder / 'qe'}", reference="", source="src", preprocess=())
    alone = expected(folder, "qe")["one"]
    found = without(["?"] * len(SOURCES), HYPOTHESES, src=SOURCES)
    assert found == pytest.approx(alone, abs=1e-6)
    with pytest.raises(InputError, match="reads sources"):
        reward(["a"], ["b"])


def test_a_run_from_the_cache_encodes_nothing(
    run: Callable[..., str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bleuet.metrics.neural.metric import forget_models

    first = in_json(run, "score", *FILES, "-m", "comet:model=da", "comet:model=xcomet")
    forget_models()

    def nothing(*_: Any) -> None:
        raise AssertionError("a text was encoded again")

    monkeypatch.setattr("bleuet.metrics.neural.comet.metric.encode", nothing)
    assert in_json(run, "score", *FILES, "-m", "comet:model=da", "comet:model=xcomet") == first


def test_a_metric_and_scores_of_its_own_program(run: Callable[..., str], folder: Path) -> None:
    """Scores of another program may have the name of a neural metric."""
    for name, own in expected(folder).items():
        Path(f"{name}.scores").write_text("".join(f"{one}\n" for one in own), "utf-8")
    found = in_json(
        run, "significance", *FILES, "-m", "bleu", "--scores", "COMET=one.scores,two.scores"
    )
    assert [one["metric"] for one in found["comparisons"]] == ["BLEU", "COMET"]


def test_the_list_of_metrics_has_the_models(run: Callable[..., str]) -> None:
    found = run("metrics", "xcomet-xl")
    assert "comet:model=xcomet-xl" in found
    assert "wmt22-cometkiwi-da" in run("metrics")
    said = run("score", *FILES, "-m", "wmt22-comet-da", code=1)
    assert "Unbabel/wmt22-comet-da is not on this computer: add --download" in said


def test_the_folders_are_left_as_they_were(
    run: Callable[..., str], folder: Path, folder_of: Callable[[str], Path]
) -> None:
    before = sorted(path.name for path in folder_of("regression-sparsemax").rglob("*"))
    run("score", *FILES, "-m", "comet:model=da", "-q")
    assert sorted(path.name for path in folder_of("regression-sparsemax").rglob("*")) == before
    shutil.rmtree(folder / "cache", ignore_errors=True)


def test_copies_of_the_source_are_named(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What a neural metric does not notice: lines that are not translated."""
    some = [
        source if place in (3, 5) else line
        for place, (line, source) in enumerate(zip(HYPOTHESES, SOURCES, strict=True))
    ]
    assert all(len(SOURCES[place].split()) >= 4 for place in (3, 5))
    Path("one.txt").write_text("".join(f"{line}\n" for line in some), encoding="utf-8")
    said = "equal their source: a neural metric may give them a good score"
    assert main(["score", *FILES, "-m", "comet:model=da"]) == 0
    assert said in capfd.readouterr().err
    assert main(["score", *FILES, "-m", "chrf"]) == 0
    assert "their source" not in capfd.readouterr().err


def test_a_bar_shows_the_texts_and_their_rate(
    run: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bar:
        task_ids: ClassVar[list[int]] = [0]

        def __init__(self, *columns: Any) -> None:
            self.shown: list[dict[str, Any]] = []
            bars.append(self)

        def add_task(self, text: str, **fields: Any) -> None:
            self.shown.append(fields)

        def update(self, task: int, **fields: Any) -> None:
            self.shown.append(fields)

        def stop(self) -> None:
            self.shown.append({"stopped": True})

    bars: list[Bar] = []
    monkeypatch.setattr("bleuet.cli.progress.PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr("bleuet.cli.progress.is_shown", lambda args: True)
    monkeypatch.setattr("bleuet.cli.progress._drawn", Bar)
    run("score", *FILES, "-m", "comet:model=da")
    (bar,) = bars
    *updates, ended = bar.shown
    assert ended == {"stopped": True}
    different = len({*SOURCES, *REFERENCES, *HYPOTHESES})
    assert {"completed": different, "total": different} in [
        {name: one.get(name) for name in ("completed", "total")} for one in updates
    ]
    assert updates[-1]["rate"] > 0


def test_small_scores_have_as_many_digits_everywhere(run: Callable[..., str], folder: Path) -> None:
    files = ("-i", "one.txt", "two.txt", "--source", "src.txt", "-m", "comet:model=da")
    for command in (("mbr", *files, "bleu"), ("mbr", *files), ("score", "ref.txt", *files)):
        line = run(*command, "-q").splitlines()[2]
        assert re.search(r"-?\d\.\d{4}\b", line), line
    shown = repr(score(HYPOTHESES, REFERENCES, f"comet:model={folder / 'da'}", sources=SOURCES))
    assert re.search(r"COMET = -?\d\.\d{4}>", shown), shown


def test_explain_takes_a_sentence_as_source(run: Callable[..., str], folder: Path) -> None:
    found = in_json(
        run, "explain", "--hypothesis", HYPOTHESES[0], "--reference", REFERENCES[0],
        "--source", SOURCES[0], "-m", "comet:model=da",
    )  # fmt: skip
    (view,) = found if isinstance(found, list) else (found,)
    assert view["score"] == pytest.approx(expected(folder)["one"][0], abs=1e-6)


@pytest.mark.parametrize("word", ["comet", "wmt22-comet-da", "bertscore"])
def test_serve_rejects_models_before_it_starts(
    run: Callable[..., str], monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setattr("bleuet.web.server.Server", None)
    for files in ((), ("ref.txt", "-i", "one.txt")):
        said = run("serve", *files, "-m", "bleu", word, code=2)
        assert "needs a model, which a server does not load for a request: use the command" in said


def test_texts_that_are_cut_have_the_name_of_their_system(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from bleuet.errors import BleuetWarning

    long = "dog sleeps " * 5_000
    for name, systems in SYSTEMS.items():
        texts = [long, *systems[1:]] if name == "two" else systems
        Path(f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    said = "reads the first [0-9]+ tokens .*: {} hypotheses, .* of [0-9]+ segments of {}"
    gate = ("gate", "ref.txt", "-i", "one.txt", "--baseline", "two.txt", *FILES[-2:])
    for command in (
        ("score", *FILES),
        ("compare", *FILES),
        ("score", *FILES, "--confidence"),
        gate,
    ):
        capfd.readouterr()
        main([*command, "-m", "comet:model=da"])
        err = capfd.readouterr().err
        assert err.count("tokens") == 2, err
        assert re.search(said.format(2, "one"), err)
        assert re.search(said.format(3, "two"), err)
    in_memory: dict[str, list[str]] = {**SYSTEMS, "two": [long, *OTHERS[1:]]}
    with pytest.warns(BleuetWarning, match=said.format(3, "two$")):
        score(in_memory, REFERENCES, "comet:model=da", sources=SOURCES)


def test_a_model_of_one_reference_rejects_two_files_of_references(
    run: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it runs, in one sentence, whatever the other metrics take."""
    from bleuet.metrics.neural.metric import NeuralMetric

    def measures(metric: NeuralMetric, items: Any) -> None:
        raise AssertionError("it runs")

    both = ("ref.txt", "two.txt")
    source, metrics = ("--source", "src.txt"), ("-m", "bleu", "comet:model=da")
    said = (
        "bleuet: error: COMET with the model da reads one reference, but a segment has 2: score "
        "with it alone against one file of references at a time, and leave it out where the other "
        "metrics take several\n"
    )
    segment = ("--hypothesis", "It rains.", "--reference", "It rained.", "It is raining.")
    for command in (
        ("score", *both, "-i", "one.txt", *source, *metrics),
        ("score", *both, "-i", "one.txt", *source, *metrics, "--confidence"),
        ("compare", *both, "-i", "one.txt", *source, *metrics),
        ("compare", *both, "-i", "one.txt", *source, *metrics, "--html", "page.html"),
        ("gate", *both, "-i", "one.txt", "--baseline", "src.txt", *source, *metrics),
        ("explain", *both, "-i", "one.txt", "--segment", "2", *source, *metrics),
        ("explain", *segment, "--source", "Es regnet.", *metrics),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(NeuralMetric, "measures", measures)
            assert run(*command, code=1) == said
    assert not Path("page.html").exists()
    # Each candidate is one reference of the others.
    assert "COMET|nrefs:1" in run("mbr", "-i", "one.txt", "two.txt", *source, *metrics[::2])
