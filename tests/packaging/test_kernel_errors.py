"""Errors that the kernel throws reach Python as exceptions, whatever compiler built it.

`tests/contract/test_lines.py` has the one of bytes that are not UTF-8.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

import bleuet
from bleuet.errors import TooLongError
from tests.backends import kernel
from tests.patience import wait_for_work_of

# Counts until it is interrupted: the words of two long texts, a hundred times over.
LONG_COUNT = """
import signal, sys
import bleuet
signal.signal(signal.SIGINT, signal.default_int_handler)
words = [str(number * 7919 % 100003) for number in range(30_000)]
print("counting", flush=True)
try:
    bleuet.WER().corpus_score([" ".join(words)] * 100, [" ".join(reversed(words))] * 100)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_a_text_that_is_too_long_is_an_error_of_bleuet() -> None:
    kernel()
    text = "a b " * 60_000
    with pytest.raises(TooLongError, match="too long"):
        bleuet.EED().sentence_score(text, text[::-1])


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no /proc")
def test_a_signal_ends_a_count_on_every_thread() -> None:
    kernel()
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_COUNT], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == "counting\n"
        wait_for_work_of(process.pid)
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
