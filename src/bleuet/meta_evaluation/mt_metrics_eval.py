"""A test set in the folders of mt-metrics-eval, version 2: texts, human scores and metric scores.

Its documentation describes the layout: "File organization and naming convention".
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.messages import nearest
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    import numpy as np
else:
    np = deferred("numpy")

NO_SCORE = "None"
SEGMENT, SYSTEM = "seg", "sys"
SOURCE_ALONE, ALL_REFERENCES = "src", "all"


class TestSet(Value):
    """One language pair of a test set; each file is read when it is needed.

    Args:
        folder: the folder of the test set, such as mt-metrics-eval-v2/wmt22.
        language_pair: such as en-de.
        reading: `max_segment_bytes` and `bom`, as of `Source`.

    Raises:
        InputError: there is no such folder or language pair; the message names the existing ones.
    """

    folder: Path
    language_pair: str
    reading: Mapping[str, Any] = {}

    def _complete(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))
        if not os.path.isdir(self.folder / "system-outputs"):
            raise InputError(
                f"{self.folder} has no folder system-outputs; expected one test set in the layout "
                "of mt-metrics-eval, such as mt-metrics-eval-v2/wmt22"
            )
        pairs = sorted(path.name for path in (self.folder / "system-outputs").iterdir())
        if self.language_pair not in pairs:
            raise InputError(
                f"{self.folder} has no language pair {self.language_pair}"
                f"{nearest(self.language_pair, pairs)}; it has {', '.join(pairs)}"
            )

    @property
    def _outputs(self) -> Path:
        return self.folder / "system-outputs" / self.language_pair

    @property
    def _documents(self) -> Path:
        return self.folder / "documents" / f"{self.language_pair}.docs"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems with an output, human translations among them."""
        return tuple(sorted(path.name.removesuffix(".txt") for path in self._outputs.glob("*.txt")))

    @cached_property
    def references(self) -> tuple[str, ...]:
        """The names of the references."""
        files = (self.folder / "references").glob(f"{self.language_pair}.*.txt")
        return tuple(sorted(path.name.split(".")[-2] for path in files))

    @cached_property
    def segments(self) -> int:
        """The number of segments of the source."""
        return len(self.source)

    @cached_property
    def source(self) -> list[str]:
        """The source of each segment."""
        return self._read(self.folder / "sources" / f"{self.language_pair}.txt")

    @cached_property
    def documents(self) -> tuple[tuple[str, str], ...]:
        """The domain and document of each segment.

        Raises:
            InputError: there are more or fewer lines than segments, or a line has not two words.
        """
        path = self._documents
        found = []
        for number, line in enumerate(self._lines(path), 1):
            words = line.split()
            if len(words) != 2:
                raise InputError(f"{path}:{number} is {line!r}; expected a domain and a document")
            found.append((words[0], words[1]))
        return tuple(found)

    @property
    def document_names(self) -> list[str] | None:
        """The document of each segment with its domain; None without the file of documents."""
        if not self._documents.is_file():
            return None
        return [" ".join(words) for words in self.documents]

    def output(self, system: str) -> list[str]:
        """Return a system's output, one text per segment."""
        return self._lines(self._outputs / f"{system}.txt")

    def reference(self, name: str) -> list[str]:
        """Return a reference, one text per segment.

        Raises:
            InputError: there is no reference of that name.
        """
        if name not in self.references:
            raise InputError(
                f"{self.folder} has no reference {name}{nearest(name, self.references)} for "
                f"{self.language_pair}; it has {', '.join(self.references) or 'none'}"
            )
        return self._lines(self.folder / "references" / f"{self.language_pair}.{name}.txt")

    def _read(self, path: Path) -> list[str]:
        return Source(path, **self.reading).read()

    def _lines(self, path: Path) -> list[str]:
        lines = self._read(path)
        if len(lines) != self.segments:
            raise InputError(
                f"{path} has {len(lines)} lines, but the source has {self.segments}: expected one "
                "for each segment"
            )
        return lines

    # --- Scores -----------------------------------------------------------------------------------

    @cached_property
    def human_names(self) -> tuple[str, ...]:
        """The names of the human scores, such as mqm or wmt-z."""
        names = {self._human_name(path) for path in self._human_files()}
        return tuple(sorted(names - {""}))

    def _human_files(self) -> list[Path]:
        return list((self.folder / "human-scores").glob(f"{self.language_pair}.*.score"))

    def _human_name(self, path: Path) -> str:
        # SRC-TRG.NAME.LEVEL.score, where NAME may hold dots.
        name, level = (
            path.name.removeprefix(f"{self.language_pair}.").split(".score")[0].rsplit(".", 1)
        )
        return name if level in (SEGMENT, SYSTEM) else ""

    def human(self, name: str, level: str) -> ScoreMatrix | None:
        """Return the human scores of a name, or None if there are none at this level.

        Args:
            name: one of `human_names`.
            level: "seg", or "sys" for one score per system.

        Raises:
            InputError: there are no scores of that name, or their file is not well-formed; the
                message names the line.
        """
        if name not in self.human_names:
            raise InputError(
                f"{self.folder} has no human scores {name}{nearest(name, self.human_names)} for "
                f"{self.language_pair}; it has {', '.join(self.human_names) or 'none'}"
            )
        return self._scores(
            self.folder / "human-scores" / f"{self.language_pair}.{name}.{level}.score", level
        )

    def metric_names(self, references: Collection[str]) -> tuple[str, ...]:
        """Return the stored metrics that used exactly these references, or none.

        Names include the references, as in COMET-22-refA and COMETKiwi-src.
        """
        files = (self.folder / "metric-scores" / self.language_pair).glob("*.score")
        names = {path.name.removesuffix(".score").rpartition(".")[0] for path in files}
        return tuple(sorted(name for name in names if self._used(name, set(references))))

    def _used(self, metric: str, references: set[str]) -> bool:
        used = metric.rpartition("-")[2]
        if used == ALL_REFERENCES:
            return references == set(self.references)
        return used == SOURCE_ALONE or set(used.split(".")) == references

    def metric(self, name: str, level: str) -> ScoreMatrix | None:
        """Return the stored scores of a metric, or None if there are none at this level.

        Raises:
            InputError: the file is not well-formed; the message names the line.
        """
        folder = self.folder / "metric-scores" / self.language_pair
        return self._scores(folder / f"{name}.{level}.score", level)

    def _scores(self, path: Path, level: str) -> ScoreMatrix | None:
        """Read lines of a system and a score; the lines of each system are in segment order."""
        if not os.path.exists(path):
            return None
        wanted = self.segments if level == SEGMENT else 1
        scores: dict[str, list[float]] = {}
        for number, line in enumerate(self._read(path), 1):
            words = line.split()
            if len(words) != 2:
                raise InputError(f"{path}:{number} is {line!r}; expected a system and a score")
            if words[0] not in self.systems:
                raise InputError(
                    f"{path}:{number}: there is no output of the system {words[0]}"
                    f"{nearest(words[0], self.systems)}"
                )
            scores.setdefault(words[0], []).append(_number(words[1], f"{path}:{number}"))
        for system, listed in scores.items():
            if len(listed) != wanted:
                raise InputError(
                    f"{path} has {len(listed)} scores of {system}; expected {wanted}, one for "
                    f"{'each segment' if level == SEGMENT else 'the system'}"
                )
        if not scores:
            raise InputError(f"{path} is empty; expected lines of a system and a score")
        return ScoreMatrix(tuple(scores), np.array(list(scores.values())))


def _number(text: str, place: str) -> float:
    if text == NO_SCORE:
        return float("nan")
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"{place}: the score is {text!r}; expected a number, or {NO_SCORE} for no score"
        ) from None


def base_name(metric: str) -> str:
    """Return the name of a metric without its references.

    >>> base_name("COMET-22-refA")
    'COMET-22'
    """
    return metric.rpartition("-")[0] or metric


def choose_references(test_set: TestSet, names: Sequence[str]) -> tuple[str, ...]:
    """Return the references to use: the named ones, or else the only one.

    Args:
        test_set: the test set.
        names: the names of references.

    Raises:
        InputError: no reference is named and there are several, or one does not exist.
    """
    if not names:
        if len(test_set.references) == 1:
            return test_set.references
        raise InputError(
            f"{test_set.folder} has the references {', '.join(test_set.references) or 'none'} for "
            f"{test_set.language_pair}: name the ones to use, as in bleuet meta "
            f"{(*test_set.references, 'refA')[0]} --mt-metrics-eval {test_set.folder} -l "
            f"{test_set.language_pair}"
        )
    for name in names:
        test_set.reference(name)
    return tuple(names)
