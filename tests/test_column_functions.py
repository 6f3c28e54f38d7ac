"""Functions of SQL and expressions compute what the metrics compute of lists."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, CHRF, OptionError, make_metric
from bleuet.column_functions import functions_of
from bleuet.errors import InputError, InputTypeError
from bleuet.text.columns import segments_of

pytestmark = pytest.mark.libraries

WORDS = ("the", "cat", "Ä", "ΣΟΦΟΣ", "日本", "sat", "a\nΣ", "")
COLUMNS = ["bleu", "chrf", "ter", "wer", "gleu", "rouge", "eed", "mean_bleu", "token_f1"]


def texts(seed: int, count: int = 50) -> tuple[list[str], list[str], list[str]]:
    """Return hypotheses, references and groups."""
    drawn = random.Random(seed)
    references = [" ".join(drawn.choices(WORDS, k=drawn.randint(1, 12))) for _ in range(count)]
    hypotheses = [
        " ".join(one if drawn.random() < 0.7 else drawn.choice(WORDS) for one in line.split(" "))
        for line in references
    ]
    return hypotheses, references, [drawn.choice(("de", "fr")) for _ in range(count)]


@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=1, max_size=8),
    st.sampled_from(["string", "large_string", "string_view"]),
    st.integers(0, 3),
)
def test_texts_of_arrow_count_as_lists_do(
    pairs: list[tuple[str, str]], kind: str, before: int
) -> None:
    import pyarrow

    # Arrow has no surrogates.
    pairs = [
        tuple(one.encode("utf-8", "ignore").decode() for one in pair)  # type: ignore[misc]
        for pair in pairs
    ]
    hypotheses, references = (list(side) for side in zip(*pairs, strict=True))
    made = getattr(pyarrow, kind)()
    skipped = ["before"] * before
    columns = [
        pyarrow.chunked_array(
            [pyarrow.array([*skipped, *side[:3]], made)[before:], pyarrow.array(side[3:], made)]
        )
        for side in (hypotheses, references)
    ]
    assert segments_of(columns[0]).tolist() == hypotheses
    for metric in (BLEU(), BLEU(lowercase=True), CHRF()):
        expected = metric.count(hypotheses, references)
        assert metric.count(*map(segments_of, columns)) == expected
        several = metric.count(segments_of(columns[0]), segments_of(columns[1], columns[0]))
        assert several == metric.count(hypotheses, list(zip(references, hypotheses, strict=True)))


def test_wrong_arrays() -> None:
    import pyarrow

    with pytest.raises(InputError, match=r"row 2 of hypotheses is absent"):
        segments_of(pyarrow.array(["a", None]))
    with pytest.raises(InputTypeError, match="must be a column of texts, not of int64"):
        segments_of(pyarrow.array([1]))
    with pytest.raises(InputError, match="row 1 of references has no text"):
        segments_of(pyarrow.array([[None]], pyarrow.list_(pyarrow.string())), what="references")
    # Arrays whose places lie outside their texts are not read.
    for middle in (b"\xff\xff\0\0", b"\xff\xff\xff\xff"):
        offsets = pyarrow.py_buffer(b"\0\0\0\0" + middle + b"\x02\0\0\0")
        buffers = [None, offsets, pyarrow.py_buffer(b"ab")]
        broken = pyarrow.Array.from_buffers(pyarrow.string(), 2, buffers)
        with pytest.raises(ValueError, match="outside its texts"):
            BLEU().count(segments_of(broken), segments_of(pyarrow.array(["a", "b"])))


@pytest.mark.parametrize("name", COLUMNS)
def test_sql(name: str) -> None:
    import duckdb

    from bleuet.duckdb import register

    hypotheses, references, groups = texts(1, 5000)
    connection = duckdb.connect()
    metric = make_metric(name)
    assert register(connection, {name: metric}) == [name]
    connection.execute("CREATE TABLE t (hyp VARCHAR, ref VARCHAR, lang VARCHAR)")
    connection.executemany(
        "INSERT INTO t VALUES (?, ?, ?)", list(zip(hypotheses, references, groups, strict=True))
    )
    query = f"SELECT lang, {name}_score({name}_stats_sum({name}_stats(hyp, ref))) FROM t"
    for lang, score in connection.execute(f"{query} GROUP BY lang").fetchall():
        own = [place for place, one in enumerate(groups) if one == lang]
        expected = metric.corpus_score(
            [hypotheses[place] for place in own], [references[place] for place in own]
        )
        assert score == pytest.approx(expected.score, rel=1e-12)
    (one,) = functions_of({name: metric})
    sentences = connection.execute(f"SELECT sentence_{name}(hyp, ref) FROM t").fetchall()
    expected_scores = one.sentences.sentence_scores(hypotheses, references).tolist()
    assert [score for (score,) in sentences] == expected_scores
    several = connection.execute(f"SELECT sentence_{name}_list(hyp, [ref, hyp]) FROM t").fetchall()
    pairs: list[Any] = list(zip(references, hypotheses, strict=True))
    assert [score for (score,) in several] == one.sentences.sentence_scores(
        hypotheses, pairs
    ).tolist()
    absent = f"SELECT {name}_stats('a', NULL), sentence_{name}(NULL, 'a')"
    assert connection.execute(absent).fetchall() == [(None, None)]


@pytest.mark.parametrize("name", COLUMNS)
def test_expressions(name: str) -> None:
    import polars

    import bleuet.polars as functions

    hypotheses, references, groups = texts(2, 300)
    frame = polars.DataFrame({"hyp": hypotheses, "ref": references, "lang": groups})
    stats, total, score, sentence = (
        getattr(functions, one)
        for one in (f"{name}_stats", f"{name}_stats_sum", f"{name}_score", f"sentence_{name}")
    )
    metric = make_metric(name)
    expected = metric.corpus_score(hypotheses, references).score
    assert frame.select(score(total(stats("hyp", "ref")))).item() == pytest.approx(expected)
    by_group = (
        frame.lazy()
        .group_by("lang")
        .agg(total(stats("hyp", "ref")).alias("sum"))
        .with_columns(score(polars.col("sum")).alias("score"))
        .collect()
    )
    for lang, _, found in by_group.rows():
        own = [place for place, one in enumerate(groups) if one == lang]
        wanted = metric.corpus_score(
            [hypotheses[place] for place in own], [references[place] for place in own]
        )
        assert found == pytest.approx(wanted.score, rel=1e-12)
    (one,) = functions_of({name: metric})
    scores = frame.select(sentence("hyp", polars.col("ref"))).to_series().to_list()
    assert scores == one.sentences.sentence_scores(hypotheses, references).tolist()


GROUPS = [
    ("some", "a b", "a c"),
    ("some", None, "x"),
    ("some", "d", None),
    ("none", None, None),
    ("none", "e", None),
]


def test_absent_texts_of_sql() -> None:
    """A group whose texts are all absent has no score, and does not end the query."""
    import duckdb

    from bleuet.duckdb import register

    connection = duckdb.connect()
    register(connection, {"ter": "ter"})
    connection.execute("CREATE TABLE t (g VARCHAR, hyp VARCHAR, ref VARCHAR)")

    def found(query: str) -> list[Any]:
        rows: list[Any] = connection.execute(query).fetchall()
        return rows

    score = "ter_score(ter_stats_sum(ter_stats(hyp, ref)))"
    assert found(f"SELECT {score} FROM t") == [(None,)]
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", GROUPS)
    assert found(f"SELECT g, {score} FROM t GROUP BY g ORDER BY g") == [
        ("none", None),
        ("some", 50.0),
    ]
    assert found(f"SELECT {score} FROM t WHERE g = 'other'") == [(None,)]
    assert found("SELECT sentence_ter(hyp, ref) FROM t") == [(50.0,), *[(None,)] * 4]
    lists = "NULL", "[]", "[NULL]", "[NULL, 'a b']"
    scores = ", ".join(f"sentence_ter_list('a', {one})" for one in lists)
    assert found(f"SELECT {scores}") == [(None, None, None, 50.0)]
    assert found("SELECT ter_score(NULL)") == [(None,)]


def test_functions_of_sql_are_registered_again() -> None:
    import duckdb

    from bleuet.duckdb import register

    connection = duckdb.connect()
    for name in ("ter", "ter:case_sensitive", "ter"):
        register(connection, {"ter": name})
        ((score,),) = connection.execute("SELECT sentence_ter('A', 'a')").fetchall()
        assert score == make_metric(name).sentence_score("A", "a").score
    cursor = connection.cursor()
    register(cursor, {"ter": "ter"})
    query = "SELECT ter_score(ter_stats_sum(ter_stats('a', 'a b'))), ter_metric()"
    assert cursor.execute(query).fetchall() == [(50.0, repr(make_metric("ter")))]
    with pytest.raises(OptionError, match=r"has ter_score of TER\(.*use another name"):
        register(cursor, {"ter": "ter:case_sensitive"})


def test_absent_texts_in_expressions() -> None:
    import polars

    from bleuet.polars import sentence_ter, ter_score, ter_stats, ter_stats_sum

    frame = polars.DataFrame(GROUPS, schema=["g", "hyp", "ref"], orient="row")
    pair = "hyp", "ref"
    scores = frame.select(sentence_ter(*pair))
    assert scores.to_dict(as_series=False) == {"sentence_ter": [50.0, *[None] * 4]}
    score = ter_score(ter_stats_sum(ter_stats(*pair)))
    expected = [("none", None), ("some", 50.0)]
    assert frame.group_by("g").agg(score).sort("g").rows() == expected
    assert frame.select("g", score.over("g")).unique().sort("g").rows() == expected
    assert frame.filter(polars.col("g") == "other").select(score).rows() == [(None,)]
    whole = polars.concat([frame] * 3, rechunk=False).lazy()
    found = whole.select(sentence_ter(*pair)).collect(engine="streaming")
    assert found.to_series().to_list() == [50.0, *[None] * 4] * 3
    lists = polars.DataFrame({"hyp": ["a"] * 4, "ref": [None, [], [None], [None, "a b"]]})
    assert lists.select(sentence_ter(*pair)).to_series().to_list() == [None, None, None, 50.0]
    categories = frame.with_columns(polars.col("ref").cast(polars.Categorical))
    assert categories.select(sentence_ter(*pair)).rows() == scores.rows()


def test_names_of_columns_in_expressions() -> None:
    """Functions take names, and no column of texts is replaced by its scores."""
    import polars

    from bleuet.polars import expressions, sentence_bleu, sentence_ter, ter_score, ter_stats
    from bleuet.polars import ter_stats_sum as total

    frame = polars.DataFrame({"hyp": ["a b", "a"], "ref": ["a c", "a"]})
    rows = frame.with_columns(ter_stats("hyp", "ref"))
    assert rows.columns == ["hyp", "ref", "ter_stats"]
    sums = rows.select(total("ter_stats"))
    assert sums.select(ter_score("ter_stats_sum").round(2)).to_dict(as_series=False) == {
        "ter_score": [33.33]
    }
    lowercase = expressions("bleu:lowercase").sentence("hyp", "ref")
    found = frame.select(sentence_ter("hyp", "ref"), sentence_bleu("hyp", "ref"), lowercase)
    assert found.columns == ["sentence_ter", "sentence_bleu", "sentence_bleu:lowercase"]


def test_which_metrics_have_functions() -> None:
    names = [one.name for one in functions_of()]
    assert {"bleu", "chrf", "ter", "rouge"} <= set(names)
    assert not {"nist", "cider", "sari", "errant", "comet"} & set(names)
    for name, why in (("nist", "learns"), ("sari", "reads sources"), ("errant", "before it")):
        with pytest.raises(OptionError, match=why):
            functions_of({name: name})
    import bleuet.polars as functions

    with pytest.raises(AttributeError, match="no metric 'blue'"):
        functions.blue_score  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute nothing"):
        functions.nothing  # noqa: B018
