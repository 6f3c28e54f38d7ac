"""The imports of the package as a graph, read from its source."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A call of the function that imports optional libraries is recorded as an import of this.
OPTIONAL_CALL = "extras.optional:"
# For each module or folder, those it imports.
Graph = dict[str, set[str]]


class Import(NamedTuple):
    """One import, anywhere in a file; `from a import b` is an import of a.b."""

    module: str
    level: int
    line: int
    when_loaded: bool  # outside of functions, and not only for the type checker
    for_types: bool


class _Imports(ast.NodeVisitor):
    def __init__(self, sources_face: bool) -> None:
        self.found: list[Import] = []
        self._functions = 0
        self._for_types = 0
        self._sources_face = sources_face

    def _add(self, module: str, level: int, node: ast.expr | ast.stmt) -> None:
        for_types = bool(self._for_types)
        when_loaded = not self._functions and not for_types
        self.found.append(Import(module, level, node.lineno, when_loaded, for_types))

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, 0, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._add(f"{node.module or ''}.{alias.name}", node.level, node)

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        argument = node.args[0] if node.args else None
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            if name in ("import_module", "__import__", "importorskip"):
                self._add(argument.value, 0, node)
            if name == "optional" and not self._functions:
                self._add(f"{OPTIONAL_CALL} {argument.value}", 0, node)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        # Catalogues name what they import later, as in "bleuet.metrics.bleu.metric:BLEU".
        if not self._sources_face and isinstance(node.value, str):
            match = re.fullmatch(r"(bleuet(?:\.[a-z_]\w*)+)(?::\w+)?", node.value)
            if match:
                self._add(match[1], 0, node)

    def visit_If(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if test not in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            self.generic_visit(node)
            return
        self._for_types += 1
        for child in node.body:
            self.visit(child)
        self._for_types -= 1
        for child in node.orelse:
            self.visit(child)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._functions += 1
        self.generic_visit(node)
        self._functions -= 1

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815


def imports_of(file: Path, package: Path) -> list[Import]:
    reader = _Imports(sources_face=file == package / "__init__.py")
    reader.visit(ast.parse(file.read_text(encoding="utf-8")))
    return reader.found


def module_graph(package: Path) -> Graph:
    """Return which modules of a package each of them imports, type-only imports included.

    A folder's `__init__` is the module with the folder's name.
    """
    files = {module_name(file, package): file for file in package.rglob("*.py")}
    return {
        module: {
            found
            for one in imports_of(file, package)
            if (found := _module_of(one.module, files)) not in (None, module)
        }
        for module, file in files.items()
    }


def module_name(file: Path, package: Path) -> str:
    parts = file.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _module_of(imported: str, modules: dict[str, Path]) -> str | None:
    """The module that `imported` is, or that defines it."""
    while imported not in modules and "." in imported:
        imported = imported.rpartition(".")[0]
    return imported if imported in modules else None


def folder_graphs(modules: Graph) -> Iterator[tuple[str, Graph]]:
    """For each folder, which of the modules and folders in it import which others."""
    folders = {
        ".".join(module.split(".")[:depth])
        for module in modules
        for depth in range(1, module.count(".") + 1)
    }
    for folder in sorted(folders):
        inside: Graph = {}
        for module, imported in modules.items():
            child = _child(module, folder)
            if child is not None:
                others = {_child(other, folder) for other in imported} - {None, child}
                inside.setdefault(child, set()).update(other for other in others if other)
        yield folder, inside


def _child(module: str, folder: str) -> str | None:
    """What a module is part of, among the modules and folders in a folder."""
    if module == folder:
        return f"{folder}.__init__"
    if not module.startswith(f"{folder}."):
        return None
    depth = folder.count(".") + 2
    return ".".join(module.split(".")[:depth])


def circles(graph: Graph) -> list[str]:
    """Return each set of nodes that reach each other, its names joined by spaces."""
    reached = {node: _reached_from(node, graph) for node in graph}
    found = {
        " ".join(sorted(other for other in reached[node] if node in reached[other]))
        for node in graph
        if node in reached[node]
    }
    return sorted(found)


def _reached_from(node: str, graph: Graph) -> set[str]:
    reached: set[str] = set()
    ahead = list(graph.get(node, ()))
    while ahead:
        other = ahead.pop()
        if other not in reached:
            reached.add(other)
            ahead += graph.get(other, ())
    return reached
