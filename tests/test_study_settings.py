"""Settings of studies: each is declared once, and its check and its flag follow."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from bleuet import OptionError
from bleuet.cli import gate, meta, significance
from bleuet.cli.main import read_arguments
from bleuet.cli.options import flag_of, settings_of
from bleuet.meta_evaluation import AgreementSettings
from bleuet.significance import IntervalSettings, TestSettings
from bleuet.significance.interval import DRAWS
from bleuet.significance.testing import default_draws
from bleuet.study_settings import StudySettings

KINDS = (IntervalSettings, TestSettings, AgreementSettings)


@pytest.mark.parametrize("kind", KINDS)
def test_a_declaration_is_the_default_and_the_help(kind: type[StudySettings]) -> None:
    made = kind()
    assert pickle.loads(pickle.dumps(made)) == made == made.replace()
    for name, one in kind.declared.items():
        assert getattr(made, name) == one.default
        assert f"        {name}: {one.help}\n" in str(kind.__doc__)
        assert len(one.help.splitlines()) == 1
    with pytest.raises(AttributeError, match="is frozen: seed cannot be set"):
        made.seed = 1
    with pytest.raises(TypeError, match="once each, not a value after 0"):
        kind(10)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"test": "boostrap"}, "test must be one of .*bootstrap"),
        ({"alpha": 5}, "alpha must be between 0 and 1, such as 0.05, not 5"),
        ({"alpha": 1e-13}, "alpha must be between 0 and 1"),
        ({"confidence": 1}, "confidence must be between 0 and 1, such as 0.95, not 1"),
        ({"draws": True}, "draws must be a whole number or None, not True"),
        ({"draws": 1}, "draws must be a whole number of at least 2, not 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"all_pairs": 1}, "all_pairs must be True or False, not 1"),
        ({"baseline": 1}, "baseline must be a text or None, not 1"),
    ],
)
def test_a_wrong_value_is_rejected(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        TestSettings(**wrong)
    with pytest.raises(OptionError, match=message):
        TestSettings().replace(**wrong)


def test_a_flag_has_the_values_of_its_setting() -> None:
    assert flag_of(TestSettings, "alpha").between == (1e-12, 1)
    assert flag_of(TestSettings, "draws").least == 2
    assert flag_of(TestSettings, "all_pairs").kind == "switch"
    assert flag_of(TestSettings, "correction").choices[-1] == "none"
    assert flag_of(AgreementSettings, "grouping").choices == ("none", "item", "system")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", TestSettings()),
        ("--correction none --draws 9", TestSettings(correction=None, draws=9)),
        ("--test bootstrap --all-pairs", TestSettings(test="bootstrap", all_pairs=True)),
        ("--seed 0 --alpha 0.1 --confidence", TestSettings(seed=0, alpha=0.1)),
    ],
)
def test_flags_make_settings(words: str, expected: TestSettings) -> None:
    args = read_arguments(significance.COMMAND, ["ref", "-i", "a", "b", *words.split()])
    assert settings_of(args, TestSettings) == expected


def test_only_the_flag_of_a_setting_sets_it() -> None:
    """The baseline of a gate is a file, and no grouping differs from the grouping none."""
    args = read_arguments(gate.COMMAND, ["ref", "--baseline", "old.txt", "-i", "new.txt"])
    assert settings_of(args, TestSettings).baseline is None
    args = read_arguments(meta.COMMAND, ["--grouping", "none"])
    assert settings_of(args, AgreementSettings, seed=1).grouping == "none"


def test_the_environment_has_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, seed in (("7", 7), ("none", None)):
        monkeypatch.setenv("SACREBLEU_SEED", text)
        args = read_arguments(significance.COMMAND, ["ref", "-i", "a", "b"])
        assert settings_of(args, TestSettings).seed == seed
    with pytest.raises(AttributeError, match="is frozen"):
        args.seed = 1


def test_the_help_of_draws_names_the_default_of_each_study() -> None:
    """A randomization makes more trials than a bootstrap draws."""
    of_tests = TestSettings.declared["draws"].help
    for test in ("bootstrap", "randomization"):
        assert str(default_draws(test, 1)) in re.findall(r"\d+", of_tests)
    assert f"default {DRAWS:,}" in IntervalSettings.declared["draws"].help
