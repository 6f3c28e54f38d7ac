"""The command line prints what metrics warn of in Python, in the same words and once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet import make_metric
from tests.corpora import write_lines
from tests.metrics.test_text_warnings import (
    BY_TOKENIZER,
    CHINESE,
    CHINESE_OUTPUT,
    HINDI,
    told_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from tests.cli.conftest import Outcome

    Run: TypeAlias = Callable[..., Outcome]


@pytest.mark.parametrize("metric", ["bleu", "gleu", "wer", "ter", "meteor", "token-f1", "rouge-l"])
def test_the_command_line_prints_the_same_once(
    run: Run,
    tmp_path: Path,
    metric: str,
) -> None:
    for references, outputs in ((CHINESE, CHINESE_OUTPUT), (HINDI, HINDI[::-1])):
        ref, hyp = tmp_path / "ref", tmp_path / "hyp"
        write_lines(ref, references)
        write_lines(hyp, outputs)
        wanted = [
            f"bleuet: warning: {one.replace('the hypotheses', 'hyp')} (--quiet hides this)\n"
            for one in told_of(make_metric(metric), outputs, references)
        ]
        assert len(wanted) == (1 if references is CHINESE else 2 * (metric == "rouge-l"))
        for command, more in (
            ("score", ()), ("score", ("-s",)), ("compare", ("--show", "scores")),
        ):  # fmt: skip
            found = run(command, str(ref), "-i", str(hyp), "-m", metric, *more)
            assert (found.code, found.err) == (0, "".join(wanted))
            assert run(command, str(ref), "-i", str(hyp), "-m", metric, *more, "-q").err == ""


def test_commands_without_quick_checks_print_it(
    run: Run,
    tmp_path: Path,
) -> None:
    ref, hyp = tmp_path / "ref", tmp_path / "hyp"
    write_lines(ref, CHINESE)
    write_lines(hyp, CHINESE_OUTPUT)
    for words in (
        ("explain", str(ref), "-i", str(hyp), "--segment", "1"),
        ("matrix", str(ref), "-i", str(hyp)),
    ):
        found = run(*words)
        assert found.code == 0
        assert found.err == f"bleuet: warning: {BY_TOKENIZER} (--quiet hides this)\n"
