"""Draw small changes of code at random: `python -m tests.planted.mutate SEED FILE ...` prints them.

Each kind of change is drawn equally often, since a program has many more constants than conditions.
What it prints are entries for the lists of faults. Whoever adds an entry to a list first makes sure
that it changes what the program does.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tests.planted.faults import ROOT

PER_FILE = 3
OPERATORS: dict[type[ast.AST], tuple[str, str, str]] = {
    ast.Lt: ("boundary", "<", "<="),
    ast.LtE: ("boundary", "<=", "<"),
    ast.Gt: ("boundary", ">", ">="),
    ast.GtE: ("boundary", ">=", ">"),
    ast.Eq: ("comparison", "==", "!="),
    ast.NotEq: ("comparison", "!=", "=="),
    ast.Is: ("comparison", "is", "is not"),
    ast.IsNot: ("comparison", "is not", "is"),
    ast.In: ("comparison", "in", "not in"),
    ast.NotIn: ("comparison", "not in", "in"),
    ast.Add: ("operator", "+", "-"),
    ast.Sub: ("operator", "-", "+"),
    ast.Mult: ("operator", "*", "/"),
    ast.Div: ("operator", "/", "*"),
    ast.FloorDiv: ("operator", "//", "*"),
    ast.And: ("operator", "and", "or"),
    ast.Or: ("operator", "or", "and"),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "True": "False", "False": "True"}
# The same for JavaScript and C++, where a space on both sides tells an operator from other marks.
MARKS = {
    " < ": ("boundary", " <= "),
    " <= ": ("boundary", " < "),
    " > ": ("boundary", " >= "),
    " >= ": ("boundary", " > "),
    " == ": ("comparison", " != "),
    " != ": ("comparison", " == "),
    " === ": ("comparison", " !== "),
    " !== ": ("comparison", " === "),
    " + ": ("operator", " - "),
    " - ": ("operator", " + "),
    " * ": ("operator", " / "),
    " / ": ("operator", " * "),
    " && ": ("operator", " || "),
    " || ": ("operator", " && "),
    "min(": ("name", "max("),
    "max(": ("name", "min("),
    "true": ("name", "false"),
    "false": ("name", "true"),
    "if (": ("condition", "if (!"),
    "continue;": ("removed", ";"),
    "break;": ("removed", ";"),
}
# A comment, a string (both are left alone), a mark of the table, a number.
_TOKEN = re.compile(
    r"(?P<text>//[^\n]*|/\*.*?\*/|^\s*#[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|`(?:\\.|[^`\\])*`)"
    rf"|(?P<mark>{'|'.join(map(re.escape, sorted(MARKS, key=len, reverse=True)))})"
    r"|(?<![\w.])(?P<number>\d+)(?![\w.'])",
    re.DOTALL | re.MULTILINE,
)


class Change(NamedTuple):
    """Text of a file that is replaced: where it begins and ends, by what, and its kind."""

    begin: int
    end: int
    now: str
    kind: str
    # The path of the file, where changes of several files are drawn from.
    file: str = ""


def changes(source: str, ending: str = ".py") -> list[Change]:
    """Return every change that is known, in the order of the file."""
    return sorted(set(_python_changes(source) if ending == ".py" else _marked_changes(source)))


def draw(found: Iterable[Change], number: int, drawn: random.Random) -> list[Change]:
    """Draw some changes: first a kind, then one of this kind, no place twice."""
    kinds: dict[str, list[Change]] = defaultdict(list)
    for change in found:
        kinds[change.kind].append(change)
    for changes_of_kind in kinds.values():
        drawn.shuffle(changes_of_kind)
    chosen: list[Change] = []
    while kinds and len(chosen) < number:
        kind = drawn.choice(sorted(kinds))
        chosen.append(kinds[kind].pop())
        if not kinds[kind]:
            del kinds[kind]
    return chosen


def _marked_changes(source: str) -> Iterator[Change]:
    for match in _TOKEN.finditer(source):
        if match["mark"]:
            kind, now = MARKS[match["mark"]]
            if kind == "condition":
                end = _closing(source, match.end())
                if end is not None:
                    inside = source[match.end() : end]
                    yield Change(match.end(), end, f"!({inside})", kind)
            else:
                yield Change(*match.span(), now, kind)
        elif match["number"]:
            yield Change(*match.span(), str(int(match["number"]) + 1), "constant")


def _closing(source: str, begin: int) -> int | None:
    """Return where the parenthesis opened before `begin` ends; none if it declares something."""
    depth = 1
    for place in range(begin, len(source)):
        depth += {"(": 1, ")": -1}.get(source[place], 0)
        if depth == 0:
            inside = source[begin:place]
            return None if re.search(r"[^=!<>]=[^=]", inside) else place
    return None


def _python_changes(source: str) -> Iterator[Change]:
    text = source.encode()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(line: int, column: int) -> int:
        return len(text[: starts[line - 1] + column].decode())

    def begin(node: ast.expr | ast.stmt) -> int:
        return place(node.lineno, node.col_offset)

    def end(node: ast.expr | ast.stmt) -> int:
        return place(node.end_lineno or 0, node.end_col_offset or 0)

    def between(left: ast.expr, operator: ast.AST, right: ast.expr) -> Iterator[Change]:
        kind, was, now = OPERATORS.get(type(operator), ("", "", ""))
        gap = source[end(left) : begin(right)]
        if was and gap.count(was) == 1:
            at = end(left) + gap.index(was)
            yield Change(at, at + len(was), now, kind)

    def condition(test: ast.expr) -> Iterator[Change]:
        if not _is_never_true(test):
            inside = source[begin(test) : end(test)]
            yield Change(begin(test), end(test), f"not ({inside})", "condition")

    def in_call(call: ast.Call) -> Iterator[Change]:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        for keyword in call.keywords:
            index = arguments.index(keyword.value)
            first = end(arguments[index - 1]) if index else None
            if keyword.arg not in (None, "strict") and first is not None:
                yield Change(first, end(keyword.value), "", "dropped")
        for left, right in pairwise(call.args):
            if ast.dump(left) != ast.dump(right):
                was = source[begin(left) : end(right)]
                gap = source[end(left) : begin(right)]
                now = source[begin(right) : end(right)] + gap + source[begin(left) : end(left)]
                if was != now and "*" not in gap:
                    yield Change(begin(left), end(right), now, "exchanged")

    for node in _code(ast.parse(source)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from between(node.left, node.ops[0], node.comparators[0])
        elif isinstance(node, ast.BinOp):
            yield from between(node.left, node.op, node.right)
        elif isinstance(node, ast.BoolOp):
            yield from between(node.values[0], node.op, node.values[1])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield Change(begin(node), begin(node), "not ", "condition")
        elif isinstance(node, ast.Name | ast.Constant):
            was = source[begin(node) : end(node)]
            if was in NAMES:
                yield Change(begin(node), end(node), NAMES[was], "name")
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                yield Change(begin(node), end(node), str(node.value + 1), "constant")
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            yield from condition(node.test)
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield from condition(test)
        elif isinstance(node, ast.Call):
            yield from in_call(node)
        elif isinstance(node, ast.AugAssign | ast.Raise | ast.Break | ast.Continue) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            yield Change(begin(node), end(node), "pass", "removed")


def _is_never_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what is run: no annotations, and no parts of f-strings (Python 3.11 misplaces them).

    What is there for types and `strict=True` are left out, too: they state what holds already.
    """
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns") or isinstance(tree, ast.JoinedStr):
            continue
        if isinstance(tree, ast.keyword) and tree.arg == "strict":
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.If) and _is_never_true(node.test):
                continue
            if isinstance(node, ast.Assign) and _is_never_true(node.targets[0]):
                continue
            if isinstance(node, ast.AST):
                yield node
                yield from _code(node)


def entry(file: str, source: str, change: Change) -> str:
    """Return the entry of a change: its line, and lines before it until the text occurs once."""
    first = source.rfind("\n", 0, change.begin) + 1
    last = source.find("\n", change.end)
    while source.count(source[first:last]) > 1:
        first = source.rfind("\n", 0, first - 1) + 1
    was = source[first:last]
    now = source[first : change.begin] + change.now + source[change.end : last]
    changed = f"was = '''\n{was}'''\nnow = '''\n{now}'''"
    return f'[[fault]]\nname = ""\nfile = "{file}"\n{changed}\nby = "mutation"\n'


def main(seed: str, *files: str) -> None:
    """Print some changes of each file."""
    drawn = random.Random(seed)
    for file in files:
        path = ROOT / file
        source = path.read_text(encoding="utf-8")
        for change in sorted(draw(changes(source, path.suffix), PER_FILE, drawn)):
            print(entry(file, source, change))


if __name__ == "__main__":
    main(*sys.argv[1:])
