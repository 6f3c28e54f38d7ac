"""Checks what can be checked before a release.

`make release-check` also runs `make check` and `make docs`.

python -m release.check                the version, the changelog, the workflows, and what is built
python -m release.check --tag v0.2.0   only whether the checkout is what the tag says
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

from release import changelog

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "build" / "release" / "dist"
WORKFLOWS = ROOT / ".github" / "workflows"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# What documents say before the first release.
UNRELEASED = "on the package index yet"


def version() -> str:
    """Return the version of the checkout."""
    text = (ROOT / "src" / "bleuet" / "version.py").read_text(encoding="utf-8")
    (found,) = re.findall(r'^__version__ = "(.+)"$', text, re.M)
    return str(found)


def version_faults() -> list[str]:
    """Return which files do not have the version of the checkout."""
    expected = version()
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    said = {"CHANGELOG.md": first[1] if first else "nothing"}
    citation = ROOT / "CITATION.cff"
    if citation.is_file():
        (said["CITATION.cff"],) = re.findall(
            r"^version: ['\"]?([^'\"\n]+)", citation.read_text(encoding="utf-8"), re.M
        ) or ["nothing"]
    faults = [
        f"{file} has {found}, but version.py has {expected}"
        for file, found in said.items()
        if found != expected
    ]
    for file in DOCUMENTS:
        named = set(re.findall(r"bleuet-(\d[\d.]*)=", file.read_text(encoding="utf-8")))
        faults += [
            f"{file.relative_to(ROOT)} has signatures of {other}"
            for other in sorted(named - {expected})
        ]
    if not changelog.section_of(expected):
        faults.append(f"CHANGELOG.md says nothing of {expected}")
    if changelog.sections(expected) > 1:
        faults.append(f"CHANGELOG.md has two sections of {expected}: make one of them")
    return faults


def tag_faults(tag: str) -> list[str]:
    """Return why a tag cannot be a release of this checkout."""
    expected = version()
    faults = version_faults()
    if tag != f"v{expected}":
        faults.append(f"the tag is {tag}, but version.py has {expected}")
    if not re.fullmatch(r"\(\d{4}-\d\d-\d\d\)", changelog.heading_of(expected)):
        faults.append(
            f"the heading of {expected} in CHANGELOG.md needs the date, as in (2026-01-31)"
        )
    faults += [
        f"{file.relative_to(ROOT)} says that bleuet is not {UNRELEASED}"
        for file in DOCUMENTS
        if UNRELEASED in " ".join(file.read_text(encoding="utf-8").split())
    ]
    return faults


def check_workflows() -> None:
    """Check the workflows: their form, and what an attacker could use."""
    files = sorted(map(str, WORKFLOWS.glob("*.yml")))
    programs = Path(sys.executable).parent
    form = [programs / "check-jsonschema", "--builtin-schema", "vendor.github-workflows"]
    risks = [programs / "zizmor", "--offline", "--quiet", "--no-progress"]
    for command in (form, risks):
        subprocess.run([*map(str, command), *files], check=True)


def check_builds() -> None:
    """Build the sdist, the wheel without the kernel and the one for this machine, and try them."""
    from release.platforms import GLIBC, PLATFORMS, find_python
    from release.wheels import make_all

    python = find_python(sys.executable)
    assert python is not None
    here = [place for place in PLATFORMS if place.kind == GLIBC and python.runs(place)]
    shutil.rmtree(DIST, ignore_errors=True)
    make_all([python], here, DIST)


def main() -> None:
    """Check a tag, or everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tag")
    options = parser.parse_args()
    faults = tag_faults(options.tag) if options.tag else version_faults()
    if faults:
        raise SystemExit("\n".join(faults))
    if not options.tag:
        check_workflows()
        check_builds()
        print(f"bleuet {version()} can be released.")


if __name__ == "__main__":
    main()
