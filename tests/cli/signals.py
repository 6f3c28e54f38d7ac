"""Signals at random moments of every command: `python -m tests.cli.signals 10`.

Each command first runs undisturbed; then it is ended by SIGINT and by SIGTERM at moments between
its start and its end. A line for each says how long it worked after one, and what went wrong:
a file that is neither as it was nor complete, a file or process that was left, another exit status.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.cli.conftest import command, environment
from tests.corpora import write_lines
from tests.gate_runs import five_runs, lines_of
from tests.patience import PATIENCE, seconds_of_children, seconds_used

WORDS = ["the", "cat", "sat", "on", "mat", "it", "rains", "today", "again", "down", "a", "dog"]
BOTH = "ref.txt -i a.txt b.txt"
# Every command but `serve`, with options that let it work for a while.
COMMANDS = {
    "score": f"{BOTH} -m bleu chrf ter meteor --save-table x.parquet -o out",
    "score -s": f"{BOTH} -m chrf ter -o out",
    "compare": f"{BOTH} -m bleu chrf --test bootstrap --html page.html -o out",
    "significance": f"{BOTH} -m bleu ter --draws 20000 --confidence -o out",
    "meta": f"{BOTH} --human human.tsv --test --confidence --draws 20 -o out",
    "gate": "ref.txt --baseline a.txt -i b.txt -m bleu eed -o out",
    "history": "history.jsonl --picture page.html -o out",
    "align": "part.txt -i few.txt -o out",
    "diversity": "part.txt -o out",
    "matrix": "part.txt -i few.txt -f csv -o out",
    "mbr": "-i a.txt b.txt ref.txt -m chrf -o out",
    "tune": "few.txt --nbest nbest.txt --save-weights w.json -o out",
    "explain": "long.txt -i other.txt --segment 1 -m eed -o out",
    "sacrebleu": "ref.txt -i a.txt b.txt --paired-bs -m bleu ter",
    "lint": f"{BOTH} --source ref.txt --training a.txt -o out",
    "metrics": "-o out",
    "tokenizers": "-o out",
    "meteor-data": "-o out",
    "completion": "bash",
    "doctor": "-o out",
}
# Seconds of work after a signal.
MOST_SECONDS = 0.5
OUTPUTS = ("out", "page.html", "x.parquet", "w.json")
PROCESSES = Path("/proc")
# A signal that comes while Python itself starts ends it without a word of ours.
INTERRUPTED, SAID = 130, b"bleuet: interrupted\n"
ENDED = {
    signal.SIGINT: {INTERRUPTED, -signal.SIGINT},
    signal.SIGTERM: {-signal.SIGTERM},
}


class Ending(NamedTuple):
    """How a command ended."""

    # How long it took, and how long it worked after the signal.
    seconds: float
    worked: float
    status: int
    said: bytes
    faults: list[str]


def write_inputs(segments: int) -> None:
    """Write the files that the commands read into the working folder."""
    chance = random.Random(1)

    def texts(number: int, words: int = 20) -> list[str]:
        return [" ".join(chance.choices(WORDS, k=words)) for _ in range(number)]

    for name in ("ref.txt", "a.txt", "b.txt"):
        write_lines(Path(name), texts(segments))
    few = texts(300)
    write_lines(Path("few.txt"), few)
    write_lines(Path("part.txt"), texts(segments // 10))
    write_lines(Path("long.txt"), texts(1, 8000))
    write_lines(Path("other.txt"), texts(1, 8000))
    rows = [f"{n}\t{name}\t{chance.random()}" for n in range(segments) for name in "ab"]
    write_lines(Path("human.tsv"), ["segment\tsystem\tscore", *rows])
    listed = []
    for segment in range(len(few)):
        for text in texts(30):
            features = " ".join(str(chance.gauss(0, 1)) for _ in range(6))
            listed.append(f"{segment} ||| {text} ||| f= {features} ||| 0")
    write_lines(Path("nbest.txt"), listed)
    write_lines(Path("history.jsonl"), lines_of(20 * five_runs()))


class Trials:
    """One command, which is run again and again.

    Args:
        name: its key in `COMMANDS`.
    """

    def __init__(self, name: str) -> None:
        self._words = f"{name} {COMMANDS[name]}".split()
        self._before = contents()
        whole = self._run(None)
        self._status, self.seconds = whole.status, whole.seconds
        self._whole = contents()
        restore(self._before)
        # The gate fails, as it should, where the new system is worse.
        if self._status not in (0, 1) or b"error" in whole.said:
            raise AssertionError(f"{name}: {whole}")

    def end(self, number: signal.Signals, after: float) -> Ending:
        """Send the signal so many seconds after the start."""
        ending = self._run((number, after))
        status, said, faults = ending.status, ending.said, ending.faults
        if status not in ENDED[number] | {self._status} and not is_before_main(said):
            faults.append(f"exit status {status}: {said.decode()[-200:]}")
        if status == INTERRUPTED and (not said.endswith(SAID) or b"Traceback" in said):
            faults.append(f"it said {said.decode()[-200:]!r}")
        for path, content in contents().items():
            if content not in (self._before.get(path), self._whole.get(path)):
                faults.append(f"{path} is neither as it was nor complete")
        restore(self._before)
        return ending

    def _run(self, interruption: tuple[signal.Signals, float] | None) -> Ending:
        """Run the command, and send a signal so many seconds after its start."""
        with tempfile.TemporaryFile() as said, tempfile.TemporaryDirectory() as spool:
            process = subprocess.Popen(
                command(*self._words),
                env=environment(TMPDIR=spool),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,
            )
            begin, earlier, before = time.monotonic(), seconds_of_children(), 0.0
            if interruption is not None:
                number, after = interruption
                time.sleep(after)
                before = seconds_used(process.pid)
                process.send_signal(number)
            status = process.wait(PATIENCE)
            seconds = time.monotonic() - begin
            worked = seconds_of_children() - earlier - before
            left = [f"it left {name}" for name in os.listdir(spool)]
            if not has_ended(process.pid):
                left.append("it left a process")
            said.seek(0)
            return Ending(seconds, worked, status, said.read(), left)


def is_before_main(said: bytes) -> bool:
    """Return whether Python was interrupted before it came to the command."""
    return said.endswith(b"\nKeyboardInterrupt\n") and b"bleuet/cli/" not in said


def has_ended(group: int) -> bool:
    """Return whether all processes of a group end without more work; end them."""
    begin = seconds_of(running(group))
    late = time.monotonic() + PATIENCE
    while left := running(group):
        if seconds_of(left) > begin + MOST_SECONDS or time.monotonic() > late:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
            return False
        time.sleep(0.01)
    return True


def running(group: int) -> list[int]:
    """Return the processes of a group, without those that wait to be reaped."""
    numbers = [one for one in PROCESSES.iterdir() if one.name.isdecimal()]
    return [int(one.name) for one in numbers if is_running(one, group)]


def seconds_of(processes: list[int]) -> float:
    """Return the processor time of processes, some of which may have ended."""
    found = 0.0
    for one in processes:
        with contextlib.suppress(OSError):
            found += seconds_used(one)
    return found


def is_running(process: Path, group: int) -> bool:
    """Return whether a process is of the group, and not one that waits to be reaped."""
    try:
        state, _, own = (process / "stat").read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return int(own) == group and state != "Z"


def contents() -> dict[str, bytes]:
    """Return the content of each file of the working folder."""
    return {name: Path(name).read_bytes() for name in sorted(os.listdir())}


def restore(files: dict[str, bytes]) -> None:
    """Make the working folder as it was."""
    for name in os.listdir():
        if name not in files:
            Path(name).unlink()
    for name, content in files.items():
        if Path(name).read_bytes() != content:
            Path(name).write_bytes(content)


def run(moments: int, segments: int, names: list[str]) -> tuple[list[str], float]:
    """Try the commands in the working folder; return faults, and the most work after a signal."""
    write_inputs(segments)
    for name in OUTPUTS:
        Path(name).write_text("old")
    chance = random.Random(time.time_ns())
    faults, most = [], 0.0
    for name in names:
        trials = Trials(name)
        endings = [
            trials.end(number, chance.uniform(0, trials.seconds))
            for number in ENDED
            for _ in range(moments)
        ]
        longest = max(one.worked for one in endings)
        stopped = sum(one.status not in (0, 1) for one in endings)
        found = [f"{name}: {fault}" for one in endings for fault in one.faults]
        print(
            f"{name:14} {trials.seconds:6.2f} s, {stopped:3} of {len(endings):3} were stopped, "
            f"and worked for {longest:5.2f} s at most, {len(found)} faults",
            flush=True,
        )
        print("".join(f"  {one}\n" for one in found), end="", flush=True)
        faults += found
        most = max(most, longest)
    return faults, most


def main() -> int:
    """Print a line for each command; fail where one worked for too long or left something."""
    # Shells start background jobs with SIGINT ignored; the commands would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    moments = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        faults, most = run(moments, 20_000, sys.argv[2:] or list(COMMANDS))
    return int(bool(faults) or most > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
