"""What contributors and citing authors read is true, and what GitHub and tools read is valid."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import bleuet
from bleuet import SignatureError, metric_from_signature
from bleuet.gate import runs
from bleuet.shards import folder
from bleuet.tablefile import schema
from tests.documents import FOR_CONTRIBUTORS
from tests.evaluation_data import REPOSITORY
from tests.test_architecture import FLOORS
from website import architecture_picture

FORMS = REPOSITORY / ".github" / "ISSUE_TEMPLATE"
CHANGES = REPOSITORY / "changes"
VERSIONS = REPOSITORY / "docs" / "versioning.md"
FRAGMENTS = [file for file in CHANGES.glob("*.md") if file.name != "README.md"]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


def text_of(*path: str) -> str:
    return REPOSITORY.joinpath(*path).read_text(encoding="utf-8")


def yaml_of(file: Path) -> Any:
    import yaml

    return yaml.safe_load(file.read_text(encoding="utf-8"))


# --- Issue forms: GitHub's rules, which it reports only on the page of the form -------------------

WORDS = (str, True)
TYPES: dict[str, dict[str, tuple[type, bool]]] = {
    "markdown": {"value": WORDS},
    "input": {"label": WORDS, "description": (str, False), "placeholder": (str, False)},
    "textarea": {
        "label": WORDS,
        "description": (str, False),
        "placeholder": (str, False),
        "render": (str, False),
    },
    "dropdown": {"label": WORDS, "description": (str, False), "options": (list, True)},
    "checkboxes": {"label": WORDS, "description": (str, False), "options": (list, True)},
}
TOP: dict[str, tuple[type, bool]] = {
    "name": WORDS,
    "description": WORDS,
    "title": (str, False),
    "labels": (list, False),
    "body": (list, True),
}


def faults_of(values: Any, rules: dict[str, tuple[type, bool]], place: str) -> list[str]:
    """Return keys that are unknown, missing, empty or of another type."""
    if not isinstance(values, dict):
        return [f"{place} has no keys"]
    found = [f"{place}: {key} is unknown" for key in values if key not in rules]
    for key, (kind, needed) in rules.items():
        if key in values and not (isinstance(values[key], kind) and values[key]):
            found.append(f"{place}: {key} is empty or not a {kind.__name__}")
        elif needed and key not in values:
            found.append(f"{place}: {key} is missing")
    return found


def faults_of_field(field: Any, place: str) -> list[str]:
    kind = field.get("type")
    if kind not in TYPES:
        return [f"{place}: there is no type {kind}"]
    found = faults_of(field.get("attributes"), TYPES[kind], place)
    keys = {"type", "attributes", *(() if kind == "markdown" else ("id", "validations"))}
    found += [f"{place}: {key} is unknown" for key in field if key not in keys]
    if kind != "markdown" and not re.fullmatch(r"[\w-]+", str(field.get("id", ""))):
        found.append(f"{place}: the id is missing or has other characters")
    required = field.get("validations", {"required": False})
    if set(required) != {"required"} or not isinstance(required["required"], bool):
        found.append(f"{place}: validations has something else than required, true or false")
    return found


def faults_of_form(form: Any) -> list[str]:
    """Return what GitHub would not accept in an issue form."""
    found = faults_of(form, TOP, "form")
    if found:
        return found
    fields = form["body"]
    for number, field in enumerate(fields):
        found += faults_of_field(field, f"body[{number}]")
    asked = [field for field in fields if field.get("type") != "markdown"]
    for what, values in (
        ("id", [field.get("id") for field in asked]),
        ("label", [field.get("attributes", {}).get("label") for field in asked]),
    ):
        found += [f"the {what} {one} is not unique" for one in values if values.count(one) > 1]
    return found if asked else [*found, "nothing can be filled in"]


@pytest.mark.libraries
def test_issue_forms_are_valid_and_need_what_helps() -> None:
    forms = {file.stem: yaml_of(file) for file in FORMS.glob("*.yml") if file.stem != "config"}
    assert sorted(forms) == ["documentation", "error", "idea", "speed", "wrong-number"]
    names = [form["name"] for form in forms.values()]
    assert len(set(names)) == len(names)
    for name, form in forms.items():
        assert faults_of_form(form) == [], name
        doctor = {field.get("id"): field for field in form["body"]}["doctor"]
        assert "`bleuet doctor`" in doctor["attributes"]["label"]
    needed = {
        field["id"]
        for field in forms["wrong-number"]["body"]
        if field.get("validations", {}).get("required")
    }
    assert needed == {"texts", "command", "signature", "expected", "source", "doctor"}
    config = yaml_of(FORMS / "config.yml")
    assert config.pop("blank_issues_enabled") is False
    assert [set(link) for link in config.pop("contact_links")] == [{"name", "url", "about"}] * 2
    assert config == {}


@pytest.mark.libraries
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": ""}, "form: name is empty or not a str"),
        ({"about": "x"}, "form: about is unknown"),
        ({"body": []}, "form: body is empty or not a list"),
        ({"body": [{"type": "text"}]}, "body[0]: there is no type text"),
        ({"body": [{"type": "markdown", "attributes": {"value": "x"}}]}, "nothing can be filled"),
        ({"body": [{"type": "input", "attributes": {"label": "a"}}]}, "the id is missing"),
        ({"body": [{"type": "input", "id": "a"}]}, "body[0] has no keys"),
        ({"body": [{"type": "input", "id": "a", "attributes": {"label": True}}]}, "not a str"),
        ({"body": [{"type": "input", "id": "a", "attributes": {"label": "a"}}] * 2}, "not unique"),
    ],
)
def test_a_planted_fault_of_a_form_is_found(change: dict[str, Any], said: str) -> None:
    form = yaml_of(FORMS / "error.yml")
    assert any(said in fault for fault in faults_of_form({**form, **change}))


# --- Files of tools -------------------------------------------------------------------------------


@pytest.mark.libraries
def test_the_citation_has_the_version_and_the_licence() -> None:
    citation = yaml_of(REPOSITORY / "CITATION.cff")
    assert citation["version"] == bleuet.__version__
    assert citation["license"] == PROJECT["project"]["license"]
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)


@pytest.mark.libraries
def test_updates_are_of_files_that_are_there() -> None:
    updates = {
        one["package-ecosystem"]: one for one in yaml_of(FORMS.parent / "dependabot.yml")["updates"]
    }
    assert set(updates) == {"pip", "github-actions", "devcontainers"}
    assert all({"directory", "schedule"} <= set(one) for one in updates.values())


@pytest.mark.libraries
def test_hooks_run_the_tools_of_make_check() -> None:
    (local,) = yaml_of(REPOSITORY / ".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"
    entries = [hook["entry"] for hook in local["hooks"]]
    recipe = text_of("Makefile").partition("\ncheck: ")[2].partition("\n\n")[0]
    tools = re.findall(r"\$\(BIN\)/([\w-]+)", recipe)
    assert [re.match(r"\.venv/bin/([\w-]+)", entry)[1] for entry in entries] == [  # type: ignore[index]
        "ruff",
        "ruff",
        "clang-format",
        "mypy",
    ]
    assert {"ruff", "clang-format", "mypy"} <= set(tools)
    assert {hook["language"] for hook in local["hooks"]} == {"system"}


def test_the_container_has_what_the_tests_need_from_the_system() -> None:
    container = json.loads(text_of(".devcontainer", "devcontainer.json"))
    assert container["postCreateCommand"] == "make demo"
    installed = set(container["onCreateCommand"].partition("recommends ")[2].split())
    features = " ".join(container["features"])
    script = text_of(".ci", "run")
    needed = set(" ".join(re.findall(r"packages\+=\(([^)]+)\)", script)).split())
    # The image has Python; features have Node.js and Java.
    assert needed - installed == {
        *("nodejs", "npm", "openjdk-17-jre-headless", "python3", "python3-venv"),
    }
    assert "/node:" in features
    assert "/java:" in features


# --- Changes --------------------------------------------------------------------------------------

KINDS = [one["directory"] for one in PROJECT["tool"]["towncrier"]["type"]]


def faults_of_change(name: str, text: str) -> list[str]:
    """Return what is wrong with a file of `changes/`."""
    match = re.fullmatch(r"(?:\d+|\+[\w-]+)\.(\w+)\.md", name)
    if match is None or match[1] not in KINDS:
        return [f"{name} is not NAME.TYPE.md with a type of {', '.join(KINDS)}"]
    if match[1] != "numbers":
        return [] if text.strip() else [f"{name} is empty"]
    parts = {
        "a metric in bold type": r"\A\*\*[^*]+\*\*",
        "the number": r"\d",
        "the number before": r"\(before: [^)]*\d",
        "Reason:": r"Reason: \S",
        "Compared with:": r"Compared with: \S",
    }
    return [f"{name} lacks {part}" for part, form in parts.items() if not re.search(form, text)]


def test_changes_have_a_type_and_their_parts() -> None:
    texts = {file.name: file.read_text("utf-8") for file in FRAGMENTS}
    guide = text_of("changes", "README.md")
    assert [fault for name in texts for fault in faults_of_change(name, texts[name])] == []
    assert re.findall(r"(?m)^\| `(\w+)` \|", guide) == KINDS
    example = " ".join(re.findall(r"(?m)^> (.*)$", guide))
    assert faults_of_change("+example.numbers.md", example) == []


def test_a_planted_fault_of_a_change_is_found() -> None:
    assert faults_of_change("notes.md", "a")
    assert faults_of_change("1.better.md", "a")
    assert faults_of_change("1.fixed.md", "\n")
    assert faults_of_change("1.numbers.md", "**TER**: 3.10 (before: 3.20). Reason: a.") == [
        "1.numbers.md lacks Compared with:"
    ]


@pytest.mark.site
def test_a_release_makes_a_section_of_the_changelog(tmp_path: Path) -> None:
    pytest.importorskip("towncrier")
    for name in (
        "pyproject.toml",
        "CHANGELOG.md",
        "changes/README.md",
        "changes/template.md.jinja",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text_of(name), encoding="utf-8")
    (tmp_path / "changes" / "+a.added.md").write_text("One thing,\nand another.\n")
    (tmp_path / "changes" / "12.numbers.md").write_text("**TER** is higher.\n")
    words = "-m towncrier build --draft --date 2030-01-02 --version 9.8.7"
    command = [sys.executable, *words.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == (
        "## 9.8.7 (2030-01-02)\n\n### Numbers that changed\n\n- **TER** is higher. (#12)\n\n"
        "### Added\n\n- One thing,\n  and another."
    )


# --- Promises -------------------------------------------------------------------------------------


def test_security_names_code_and_tests_that_are_there() -> None:
    names = re.findall(r"`((?:src|tests|kernel)/[\w/.]*|[\w]+\.yml)`", text_of("SECURITY.md"))
    assert len(names) > 20
    assert [name for name in names if not (REPOSITORY / name).exists()] == []


# Calls that can run what a file holds. Spark's workers and driver exchange values by pickle.
RUNS_CODE = re.compile(
    r"eval|exec|compile|os\.system|(pickle|marshal|shelve|dill|joblib)\.(load|loads|open)|yaml\.load"
)
ALLOWED = {"shards/launchers.py: pickle.loads"}


def calls_in(source: str) -> list[str]:
    nodes = ast.walk(ast.parse(source))
    return [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]


@pytest.mark.slow
def test_no_file_is_run_or_unpickled() -> None:
    package = Path(str(bleuet.__file__)).parent
    found = {
        f"{file.relative_to(package).as_posix()}: {call}"
        for file in package.rglob("*.py")
        for call in calls_in(file.read_text(encoding="utf-8"))
        if RUNS_CODE.fullmatch(call)
    }
    assert found == ALLOWED
    (planted,) = calls_in("yaml.load(file)")
    assert RUNS_CODE.fullmatch(planted)


def test_a_signature_opens_no_file(tmp_path: Path) -> None:
    model = tmp_path / "own.model"
    model.write_text("text")
    opened: list[object] = []
    watching = [True]

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if watching and event == "open":
            opened.append(arguments[0])

    sys.addaudithook(watch)
    for name in (f"spm-{model}", f"spm:{model}"):
        with pytest.raises(SignatureError):
            metric_from_signature(f"BLEU|nrefs:1|case:mixed|eff:no|tok:{name}|smooth:exp|version:1")
    open(model).close()
    watching.clear()
    assert opened.count(str(model)) + opened.count(model) == 1


def test_versions_are_those_of_the_code() -> None:
    text = VERSIONS.read_text(encoding="utf-8")
    formats = [int(one) for one in re.findall(r"`format` (\d+)", text)]
    assert formats == [schema.FORMAT, runs.FORMAT, folder.FORMAT]
    pythons = re.findall(r"(?m)^\| (3\.\d+) \|", text)
    assert PROJECT["project"]["requires-python"] == f">={pythons[0]}"
    for name in re.findall(r"`(bleuet\.[a-z]\w*(?:\.[a-z]+)?)`", text):
        if name not in ("bleuet.duckdb", "bleuet.polars", "bleuet.torch"):
            import_module(name)


# --- Words and pictures ---------------------------------------------------------------------------


def test_no_address_is_invented() -> None:
    for file in (*FOR_CONTRIBUTORS, VERSIONS):
        assert not re.search(r"[\w.]+@[\w-]+\.\w+", file.read_text(encoding="utf-8")), file


def test_the_picture_of_the_floors_is_that_of_the_table() -> None:
    assert architecture_picture.PICTURE.read_text("utf-8") == architecture_picture.picture()
    page = text_of("docs", "architecture.md")
    table = page.partition("| floor |")[2].partition("\n\n")[0]
    described = {
        name.strip("/"): int(floor)
        for floor, names in re.findall(r"(?m)^\| (\d) \| ([^|]*) \|", table)
        for name in re.findall(r"`([\w/]+)`", names)
    }
    assert described == FLOORS
    assert re.search(r"!\[[^\]]{80,}\]\(pictures/architecture\.svg\)", page)


def test_values_of_the_picture_are_classes_of_their_folders() -> None:
    package = Path(str(bleuet.__file__)).parent
    for name, room in (*architecture_picture.RISING, *architecture_picture.FALLING):
        sources = [file.read_text("utf-8") for file in (package / room).rglob("*.py")]
        assert any(re.search(rf"(?m)^class {name}\b", source) for source in sources), name


def test_folders_of_the_picture_do_not_overlap() -> None:
    for _, names in architecture_picture.floors():
        for row in architecture_picture.rows_of(names):
            ends = [box.x + box.width for box in row]
            assert all(end < box.x for end, box in zip(ends, row[1:], strict=False))
            assert ends[-1] < architecture_picture.RISE - architecture_picture.VALUE_WIDTH / 2
