"""A file name occurs once in the package, so that a name says which file is meant."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import bleuet

PACKAGE = Path(bleuet.__file__).parent
# Python's own names for the module of a folder and the program of a package.
PYTHONS_NAMES = {"__init__.py", "__main__.py"}
# The modules have sacreBLEU's names, which its users import.
MIRROR = "compat/sacrebleu"

# File names used more than once, with the reason.
ALLOWED = {
    "score.py": "cli/ has a file for each command; metrics/score.py has the class Score",
}
# File names that are still to be changed. A name that is used once must leave this list.
KNOWN: set[str] = set()


def names_used_again(package: Path) -> dict[str, list[str]]:
    places = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        folder = file.parent.relative_to(package).as_posix()
        mirrored = folder == MIRROR or folder.startswith(f"{MIRROR}/")
        if file.name not in PYTHONS_NAMES and not mirrored:
            places[file.name].append(folder)
    return {name: sorted(folders) for name, folders in places.items() if len(folders) > 1}


def test_a_file_name_is_used_once() -> None:
    assert set(names_used_again(PACKAGE)) == KNOWN | set(ALLOWED)


def test_a_name_used_again_is_found(tmp_path: Path) -> None:
    for path in ("text/lines.py", "text/inner/lines.py", "text/a.py", "compat/sacrebleu/a.py"):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert names_used_again(tmp_path) == {"lines.py": ["text", "text/inner"]}
