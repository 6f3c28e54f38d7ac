"""An option is declared once; constructor, errors, signature and text forms follow from that."""

from __future__ import annotations

import ast
import inspect
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import bleuet
from bleuet import BLEU, CHRF, TER, MeanBLEU, Metric, OptionError, Score
from bleuet.metrics.base.declared import Declared
from bleuet.metrics.base.matrix import _TYPES
from bleuet.metrics.base.option import Option, option
from bleuet.metrics.base.signature import ParsedSignature
from bleuet.metrics.bleu.options import BLEUOptions
from bleuet.metrics.catalogue import (
    CATALOGUE,
    WITHOUT_REFERENCES,
    parse_metric,
    parse_options,
    spelled,
)
from bleuet.metrics.self_bleu import AVERAGES, self_bleu
from bleuet.tuning.expected_score import ExpectedScore
from bleuet.tuning.mert import MERT
from tests.patience import PATIENCE


def _even(number: int) -> int:
    if number % 2:
        raise ValueError(f"must be even, not {number}")
    return number


class Toy(Metric[Score]):
    """A metric with an option of each type."""

    lowercase: bool = option(default=False, help="lower-case", key="case", short_key="c")
    order: int = option(default=2, help="an order", key="n", least=1, most=8, check=_even)
    rate: float = option(default=1, help="a rate", key="rate", sign_default=False, scoring=True)
    kind: str = option(default="a", help="a kind", key="kind", choices=("a", "b"))
    size: int = option(
        default=1,
        help="a size",
        key="size",
        follows="kind",
        default_for=lambda kind: 1 if kind == "a" else 5,
    )
    strict: bool = option(
        default=True, help="strict", follows="kind", default_for=lambda _: True, carried=False
    )
    shares: Sequence[float] | None = option(default=None, help="shares", least=0)
    hint: str = option(default="", help="chooses nothing", init_only=True)


class Other(Toy):
    """The same with another default, and one option more."""

    kind: str = option(default="b", key="sort", like=Toy.kind)
    more: bool = option(default=False, help="more", key="more")


def test_the_declarations_are_collected_in_order() -> None:
    names = ["lowercase", "order", "rate", "kind", "size", "strict", "shares"]
    assert [one.name for one in Toy.options] == names == list(Toy().option_values())
    assert [one.name for one in Other.options] == [*names, "more"]
    assert list(inspect.signature(Toy).parameters) == [*names, "hint"]
    assert Toy.option_named("kind").help == Other.option_named("kind").help
    assert (Other().kind, Other().size, Toy().kind) == ("b", 5, "a")
    assert "        rate: a rate\n" in (Toy.__doc__ or "")


def test_what_only_the_constructor_has_is_not_kept() -> None:
    assert Toy(hint="x") == Toy()
    with pytest.raises(AttributeError):
        _ = Toy(hint="x").hint
    assert BLEU(trg_lang="ja_JP", tokenize="13a") == BLEU()
    assert BLEU(trg_lang="zh").tokenize == "zh"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lowercase": 1}, "Toy: lowercase must be True or False, not 1"),
        ({"order": 9}, "Toy: order must be a whole number from 1 to 8, not 9"),
        ({"order": 3}, "Toy: order must be even, not 3"),
        ({"rate": "x"}, "Toy: rate must be a finite number, not 'x'"),
        ({"kind": "c"}, "Toy: kind must be one of a, b, not 'c'"),
        ({"shares": [1, -1]}, "must be a finite number of at least 0, not -1"),
        ({"shares": 1}, "Toy: shares must be a list of numbers, not 1"),
        ({"colour": 1}, "Toy: colour is not an option; the options are lowercase, order, rate,"),
        ({"sise": 1}, "Toy: sise is not an option (did you mean size?)"),
    ],
)
def test_an_error_carries_option_value_and_reason(options: dict[str, Any], message: str) -> None:
    (name,) = options
    with pytest.raises(OptionError) as raised:
        Toy(**options)
    error = raised.value
    assert message in str(error)
    assert (error.metric, error.option) == ("Toy", name)
    assert error.value == (None if "not an option" in message else options[name])
    assert error.naming(f"--{name}") == f"--{name} {error.reason}"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.option, again.reason) == (str(error), error.option, error.reason)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chrf:beta=-1", "chrf:beta must be a finite number from 0 to 1000, not -1"),
        ("mean-bleu:weighting=x", "mean-bleu:weighting must be one of reference-length, plain"),
        ("bleu:smooth_value=1", "bleu:smooth_value belongs to floor"),
        ("bleu:lower", "bleu:lower is not an option (did you mean lowercase?)"),
        ("bleu:tokenize=14a", "there is no tokenizer '14a'"),
    ],
)
def test_a_command_line_spells_the_option_in_its_way(text: str, message: str) -> None:
    with pytest.raises(OptionError) as raised:
        parse_metric(text)
    assert spelled(raised.value).startswith(message)


def test_dependent_defaults_follow() -> None:
    assert Toy(kind="b").size == 5
    assert Toy().with_options(kind="b").size == 5
    assert Toy(size=7).with_options(kind="b").size == 7
    assert Toy(strict=False).with_options(kind="b").strict is True
    assert Toy(strict=False).with_options(kind="a").strict is False
    assert Toy(strict=False).with_options(kind="b", strict=False).strict is False
    nothing: dict[str, Any] = {"size": None}
    assert Toy(**nothing) == Toy()
    assert TER(tokenize="ids").case_sensitive is True


def test_signature_and_its_inverse_follow() -> None:
    metric = Toy(lowercase=True, rate=2.0, kind="b", size=3)
    text = str(metric.signature())
    assert text.startswith("nrefs:1|case:yes|n:2|rate:2|kind:b|size:3|version:")
    assert metric.signature().short().startswith("#:1|c:yes|n:2|rate:2|kind:b|size:3|v:")
    assert "rate" not in str(Toy().signature())
    assert Toy.from_signature(ParsedSignature(text)) == metric
    assert Other(more=True).signature().to_dict()["sort"] == "b"


def test_text_forms_follow() -> None:
    text = "lowercase,order=4,rate=0.5,kind=b,shares=0.5/0.25"
    assert Toy(**parse_options(Toy, text)) == Toy(
        lowercase=True, order=4, rate=0.5, kind="b", shares=(0.5, 0.25)
    )
    for metric in (BLEU(), CHRF(beta=0.5), TER(), MeanBLEU(weights=[0.1, 0.2, 0.3, 0.4]), Toy()):
        for one in metric.options:
            value = getattr(metric, one.name)
            if value is not None:
                assert one.checked(one.read(one.spell(value)), "") == value


def test_scoring_options_follow() -> None:
    assert Toy.rescoring_options(1) == {"rate"}
    assert CHRF.rescoring_options(None) == set()
    assert CHRF.rescoring_options(1) == {"eps_smoothing", "char_order", "word_order", "beta"}
    assert MeanBLEU.rescoring_options(1) == set()


def test_an_annotation_may_be_a_type() -> None:
    made = type(
        "Made",
        (Metric,),
        {"__annotations__": {"n": int}, "n": option(default=1, help="a number", least=0)},
    )
    with pytest.raises(OptionError, match="Made: n must be a whole number of at least 0, not -1"):
        made(n=-1)


# --- Pickles --------------------------------------------------------------------------------------

PICKLES = """
import hashlib, pickle, sys
from bleuet import BLEU, CHRF, TER, MeanBLEU
from bleuet.metrics.catalogue import parse_metric
values = [BLEU(tokenize="none", smooth="none"), CHRF(), TER(no_punct=True), MeanBLEU()]
values += [parse_metric("bleu:smooth=add-k,weights=0.5/0.5,max_ngram_order=2")]
values += [BLEU().corpus_score(["a b"], ["a b"]), BLEU().signature()]
for value in values:
    print(hashlib.sha256(pickle.dumps(value)).hexdigest())
"""


@pytest.mark.slow
def test_equal_metrics_have_equal_pickles_in_every_process() -> None:
    """Caches of data sets name their files by pickles."""
    package = str(Path(bleuet.__file__).parents[1])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PICKLES],
            env={**os.environ, "PYTHONPATH": package, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("kind", "options", "text"),
    [
        (BLEU, {"tokenize": "none", "smooth": "none"}, "bleu:smooth=none,tokenize=none"),
        (BLEU, {"smooth": "add-k", "smooth_value": 1}, "bleu:smooth_value=1.0,smooth=add-k"),
        (CHRF, {"beta": 2.0}, "chrf:beta=2"),
        (MeanBLEU, {"weighting": "plain"}, "mean-bleu:weighting=plain"),
    ],
)
def test_equal_metrics_have_equal_pickles_however_they_were_made(
    kind: type[Metric[Any]], options: dict[str, Any], text: str
) -> None:
    made = kind(**options)
    for other in (parse_metric(text), parse_metric(str(made.signature()))):
        assert pickle.dumps(other) == pickle.dumps(made)


# --- Type checkers --------------------------------------------------------------------------------

TYPED = """\
from bleuet import BLEU, CHRF, TER, MeanBLEU

BLEU(lowercase=True, weights=[0.5, 0.5], max_ngram_order=2, trg_lang="ja")
MeanBLEU(weighting="plain", smooth="floor", smooth_value=0.5)
CHRF(beta=0.5)
TER(no_punct=True).no_punct.bit_length()
BLEU(lowercase="x")
BLEU(True)
CHRF(char_order=1.5)
TER(punct=True)
MeanBLEU(weighting=1)
BLEU().smooth = "floor"
BLEU().weights.append(1.0)
"""


@pytest.mark.libraries
@pytest.mark.slow
def test_type_checkers_know_the_constructors(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy comes with the development tools")
    file = tmp_path / "typed.py"
    file.write_text(TYPED, encoding="utf-8")
    package = str(Path(bleuet.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "typed.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": package},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    wrong = {line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line}
    assert wrong == {"7", "8", "9", "10", "11", "12", "13"}, done.stdout + done.stderr


# --- What type checkers and editors see ---------------------------------------------------------


def names_of(annotation: str, module: object) -> tuple[str, ...] | None:
    """Return the texts of a `Literal`, or of the name that a module has for one; None without."""
    tree: ast.AST = ast.parse(annotation)
    if "Literal" not in annotation:
        wanted = annotation.partition(" ")[0]
        aliases = ast.walk(ast.parse(inspect.getsource(module)))  # type: ignore[arg-type]
        found = [
            one.value
            for one in aliases
            if isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == wanted and one.value
        ]
        if not found:
            return None
        (tree,) = found
    return tuple(one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))  # type: ignore[misc]


def declared_choices() -> Iterator[tuple[type[Declared], Option]]:
    entries = (*CATALOGUE.values(), *WITHOUT_REFERENCES.values())
    kinds = dict.fromkeys(kind for one in entries for kind in one.load().__mro__)
    for kind in [*kinds, MERT, ExpectedScore]:
        for one in vars(kind).values():
            if isinstance(one, Option) and one.choices:
                yield kind, one


def test_type_checkers_see_the_choices() -> None:
    seen = 0
    for kind, one in declared_choices():
        annotation = kind.__annotations__[one.name]
        module: Any = sys.modules[kind.__module__]
        if annotation == "SmoothingName":
            module = sys.modules[BLEUOptions.__module__]
        if one.also and annotation == "str":
            continue
        assert names_of(annotation, module) == one.choices, (kind, one.name)
        assert annotation.endswith(" | str") == bool(one.also), (kind, one.name)
        seen += 1
    assert seen > 25
    assert names_of(Metric.matrix.__annotations__["dtype"], None) == tuple(_TYPES)
    assert names_of(self_bleu.__annotations__["average"], None) == AVERAGES


@pytest.mark.parametrize("name", [*CATALOGUE, *WITHOUT_REFERENCES])
def test_completion_offers_what_users_need(name: str) -> None:
    metric = {**CATALOGUE, **WITHOUT_REFERENCES}[name].load()()
    offered = [one for one in dir(metric) if not one.startswith("_")]
    assert {"name", "signature", "with_options", *metric.option_values()} < set(offered)
    # METEOR has the most options, 15.
    assert len(offered) <= 34
    assert all(hasattr(metric, one) for one in offered)
    assert {"__init__", "_counter", "__eq__"} < set(dir(metric))


def test_completion_offers_what_a_metric_of_ones_own_adds() -> None:
    class Own(Toy):
        def advice(self) -> str:
            return "none"

    assert {"advice", "order", "corpus_score"} < set(dir(Own()))
