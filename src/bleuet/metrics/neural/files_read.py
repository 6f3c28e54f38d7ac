"""The files that a model was read from, by which a changed model is noticed."""

from __future__ import annotations

import os

from bleuet.metrics.neural.folders import hash_without_weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

# The endings of files that decide what a model computes.
ENDINGS = (".json", ".ckpt", ".safetensors", ".bin", ".model", ".txt", ".yaml")


class FilesRead:
    """The folders that a model is read from, and what their files were before.

    Whether a file is another one is seen by its place on the disk, its size and its times.
    """

    def __init__(self) -> None:
        self._before: dict[Path, list[tuple[object, ...]]] = {}

    def add(self, folder: Path) -> Path:
        """Take down the files of a folder that will be read, and return the folder."""
        self._before.setdefault(folder, _files_in(folder))
        return folder

    @property
    def unchanged(self) -> bool:
        """Whether all files are still what they were."""
        return all(_files_in(folder) == before for folder, before in self._before.items())

    @property
    def described(self) -> str:
        """The hashes of configurations and tokenizers."""
        return "|".join(map(hash_without_weights, self._before))


def _files_in(folder: Path) -> list[tuple[object, ...]]:
    entries: list[tuple[object, ...]] = []
    for place in (folder, folder / "checkpoints"):
        if not place.is_dir():
            continue
        for entry in os.scandir(place):
            if entry.name.endswith(ENDINGS) and entry.is_file():
                known = entry.stat()
                times = known.st_mtime_ns, known.st_ctime_ns
                entries.append((entry.path, known.st_dev, known.st_ino, known.st_size, *times))
    return sorted(entries)
