"""What a release consists of: the version, the numbers, the workflows, and what is built here."""

from __future__ import annotations

import copy
import email
import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import bleuet
from release import changelog, check, inspection, numbers, trial
from release.platforms import PLATFORMS, Python
from tests.evaluation_data import REPOSITORY
from tests.packaging.conftest import run

WORKFLOWS = sorted(check.WORKFLOWS.glob("*.yml"))
RELEASE = (check.WORKFLOWS / "release.yml").read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere() -> None:
    assert check.version() == bleuet.__version__
    assert check.version_faults() == []


def test_a_version_has_one_section_of_the_changelog(monkeypatch: pytest.MonkeyPatch) -> None:
    heading = f"## {bleuet.__version__}"
    monkeypatch.setattr(changelog, "_text", lambda: f"{heading} (x)\n\n- a\n\n{heading}\n\n- b\n")
    assert "two sections" in " ".join(check.version_faults())


def test_a_tag_needs_the_version_and_the_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "version", lambda: "7.0.0")
    monkeypatch.setattr(check, "version_faults", list)
    monkeypatch.setattr(check, "DOCUMENTS", [])
    texts = {"(2026-01-31)": [], "(unreleased)": ["the heading of 7.0.0"], "": ["the heading"]}
    for heading, faults in texts.items():
        monkeypatch.setattr(
            changelog, "_text", lambda heading=heading: f"# C\n\n## 7.0.0 {heading}\n"
        )
        found = check.tag_faults("v7.0.0")
        assert [fault[: len(start)] for fault, start in zip(found, faults, strict=True)] == faults
        assert "the tag is v7.0.1" in check.tag_faults("v7.0.1")[0]


def test_a_release_does_not_say_that_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "README.md"
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "version", lambda: "7.0.0")
    monkeypatch.setattr(check, "version_faults", list)
    monkeypatch.setattr(check, "DOCUMENTS", [page])
    monkeypatch.setattr(changelog, "_text", lambda: "## 7.0.0 (2026-01-31)\n")
    page.write_text("bleuet is not on the package\nindex yet.", encoding="utf-8")
    assert [fault.split()[0] for fault in check.tag_faults("v7.0.0")] == ["README.md"]
    page.write_text("pip install bleuet", encoding="utf-8")
    assert check.tag_faults("v7.0.0") == []


def test_the_notes_of_a_release_are_its_section(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# Changelog\n\n## 2.0 (x)\n\n- new\n\n## 1.10 (y)\n\n- old\n"
    monkeypatch.setattr(changelog, "_text", lambda: text)
    assert [changelog.section_of(name) for name in ("2.0", "1.10", "1.1")] == ["- new", "- old", ""]


def test_the_numbers_are_those_that_are_stored() -> None:
    assert numbers.faults() == []


def test_a_changed_number_needs_an_explanation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    current = numbers.stored()[max(numbers.stored())]
    older = copy.deepcopy(current)
    assert isinstance(older["ter"]["system-a"], float)
    older["ter"]["system-a"] += 1e-6
    older["chrf"]["system-b"] = float(older["chrf"]["system-b"]) * (1 + 1e-15)
    monkeypatch.setattr(bleuet, "__version__", "0.2.0")
    for version, scores in (("0.2.0", current), ("0.0.1", older)):
        (tmp_path / f"{version}.json").write_text(json.dumps(scores))
    monkeypatch.setattr(numbers, "FOLDER", tmp_path)
    monkeypatch.setattr(numbers, "compute", lambda: current)
    (fault,) = numbers.faults()
    assert fault.startswith("ter: not the number of the last release")
    text = f"## 0.2.0 (x)\n\n{changelog.CHANGED_NUMBERS}\n\n- **TER** of digits\n"
    monkeypatch.setattr(changelog, "_text", lambda: text)
    assert numbers.faults() == []
    monkeypatch.setattr(numbers, "compute", lambda: older)
    assert "ter: not the numbers of" in numbers.faults()[0]
    (tmp_path / "0.2.0.json").rename(tmp_path / "0.2.1.json")
    (tmp_path / "0.0.1.json").rename(tmp_path / "0.2.0.json")
    monkeypatch.setattr(bleuet, "__version__", "0.2.1")
    assert "a patch release changes no number" in " ".join(numbers.faults())


def test_no_wheel_of_a_release_is_forgotten() -> None:
    names = [
        f"bleuet-1.0-{python[:5]}-{python}-{system}_1_0_{machine}.whl".replace("win_1_0", "win")
        for python in inspection.PYTHONS
        for system, machine in inspection.PLATFORMS
    ]
    names += ["bleuet-1.0.tar.gz", "bleuet-1.0-py3-none-any.whl"]
    assert inspection.missing(names) == []
    for name in names:
        assert len(inspection.missing([other for other in names if other != name])) == 1


def test_each_platform_has_a_name_of_its_own() -> None:
    python = Python(
        "python",
        "3.14",
        True,
        ".cpython-314t-x86_64-linux-gnu.so",
        "headers",
        "pyconfig.h",
    )
    assert python.tag == "cp314-cp314t"
    assert [python.suffix_on(platform).partition("t-")[2] for platform in PLATFORMS] == [
        "x86_64-linux-gnu.so",
        "aarch64-linux-gnu.so",
        "x86_64-linux-musl.so",
        "aarch64-linux-musl.so",
    ]
    assert [python.runs(platform) for platform in PLATFORMS] == [True, False, False, False]


def test_the_tests_of_a_trial_exist() -> None:
    for name in (*trial.TESTS, *trial.BESIDE_TESTS):
        assert (trial.ROOT / name).exists(), name


@pytest.mark.parametrize(
    "file", [*WORKFLOWS, REPOSITORY / "action.yml"], ids=lambda file: file.name
)
def test_actions_are_pinned_and_nothing_is_allowed_by_default(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.+)", text)
    assert used
    assert [
        use for use in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use)
    ] == []
    # The action of users has the permissions of their workflow.
    assert ("\npermissions: {}\n" in text) is (file in WORKFLOWS)


def test_jobs_that_publish_run_nothing_else() -> None:
    jobs = dict(
        re.findall(r"(?ms)^  (\w+):\n(.*?)(?=^  \w+:\n|\Z)", RELEASE.partition("\njobs:\n")[2])
    )
    places = {"publish": "pypi", "pages": "github-pages"}
    assert {name for name, job in jobs.items() if "id-token: write" in job} == {*places}
    assert [name for name, job in jobs.items() if "pages: write" in job] == ["pages"]
    assert [name for name, job in jobs.items() if "contents: write" in job] == ["notes"]
    for name, place in places.items():
        assert f"name: {place}\n" in jobs[name]
        assert "run:" not in jobs[name]
        assert "checkout" not in jobs[name]


@pytest.mark.packaging
def test_a_wheel_that_lacks_a_file_is_found(wheel: Path, tmp_path: Path) -> None:
    pytest.importorskip("auditwheel", reason="auditwheel, of the group `release`, is not here")
    for lost, said in (
        ("bleuet/py.typed", "lacks"),
        ("bleuet/examples/system-b.txt", "lacks"),
        ("dist-info/licenses/LICENSE", "has no LICENSE"),
    ):
        changed = tmp_path / wheel.name
        with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(changed, "w") as new:
            for name in old.namelist():
                if not name.endswith(lost):
                    new.writestr(name, old.read(name))
        with pytest.raises(inspection.ReleaseError, match=said):
            inspection.check_wheel(changed)


@pytest.mark.packaging
def test_links_of_the_description_lead_to_files_of_the_release(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("dist-info/METADATA")]
        described = email.message_from_string(archive.read(name).decode())
    text = str(described.get_payload())
    files = f"(https://github.com/bleuet/bleuet/blob/v{bleuet.__version__}/"
    original = text.replace(f"{files}README.md#", "(#").replace(files, "(")
    assert original == (REPOSITORY / "README.md").read_text(encoding="utf-8")
    # A picture would need its own address, not that of a page about it.
    assert "![" not in text
    assert [
        link for link in re.findall(r"\]\((.*?)\)", text) if not link.startswith("https:")
    ] == []
    assert described["Description-Content-Type"] == "text/markdown"


@pytest.mark.packaging
def test_the_wheel_lists_what_is_compiled_into_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (name,) = [name for name in names if "/sboms/" in name]
        bom = json.loads(archive.read(name))
        licences = {
            name.split("/")[-2]: archive.read(name).decode()
            for name in names
            if re.search(r"/licenses/[\w-]+/LICENSE$", name)
        }
    assert set(licences) == set(inspection.COMPILED_IN)
    assert "Redistributions in binary form" in licences["nanobind"]
    assert "Copyright (c) 2017 Thibaut" in licences["robin-map"]
    assert "*" not in licences["robin-map"]
    assert bom["metadata"]["component"]["version"] == bleuet.__version__
    versions = {part["name"]: part["version"] for part in bom["components"]}
    assert set(versions) == set(inspection.COMPILED_IN)
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions.values())


RUNNERS = {
    "uvx": ["uvx", "--offline", "--no-index", "--find-links", "{folder}", "bleuet"],
    "pipx": [
        "pipx",
        "run",
        "--no-cache",
        "--spec",
        "{wheel}",
        "--pip-args",
        "--no-index --find-links {folder}",
        "bleuet",
    ],
}


@pytest.mark.packaging
@pytest.mark.parametrize("runner", RUNNERS)
def test_the_command_runs_without_being_installed(runner: str, wheel: Path, tmp_path: Path) -> None:
    program = shutil.which(runner) or shutil.which(str(Path(sys.executable).parent / runner))
    if program is None:
        pytest.skip(f"{runner}, of the group `release`, is not here")
    folder = tmp_path / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:"]
    run([*command, "--dest", str(folder), "narwhals", "rich"], dict(os.environ))
    shutil.copy(wheel, folder)
    places = {"folder": folder, "wheel": folder / wheel.name}
    words = [word.format(**places) for word in RUNNERS[runner][1:]]
    # Nothing of this user's programs, and nothing that stays.
    home = {
        name: str(tmp_path / name) for name in ("HOME", "UV_CACHE_DIR", "UV_TOOL_DIR", "PIPX_HOME")
    }
    environment = (
        dict(os.environ) | home | {"UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never"}
    )
    score = trial.score_command()
    here = run([sys.executable, "-m", "bleuet", *score], dict(os.environ))
    assert json.loads(run([program, *words, *score], environment, tmp_path)) == json.loads(here)
