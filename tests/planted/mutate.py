"""Draw small changes of Python code at random: `python -m tests.planted.mutate SEED FILE ...`.

It prints entries for the lists of faults. Whoever adds one to a list first makes sure that it
changes what the program does.
"""

from __future__ import annotations

import ast
import random
import sys
from typing import NamedTuple

from tests.planted.faults import ROOT

PER_FILE = 3
OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "True": "False", "False": "True"}


class Change(NamedTuple):
    """Text of a file that is replaced: where it begins and ends, and by what."""

    begin: int
    end: int
    now: str


def changes(source: str) -> list[Change]:
    """Return every change that is known, in the order of the file."""
    tree = ast.parse(source)
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    text = source.encode()

    def place(line: int, column: int) -> int:
        return len(text[: starts[line - 1] + column].decode())

    def begin(node: ast.expr) -> int:
        return place(node.lineno, node.col_offset)

    def end(node: ast.expr) -> int:
        return place(node.end_lineno or 0, node.end_col_offset or 0)

    found = []

    def between(left: ast.expr, operator: ast.AST, right: ast.expr) -> None:
        was, now = OPERATORS.get(type(operator), ("", ""))
        gap = source[end(left) : begin(right)]
        if was and gap.count(was) == 1:
            at = end(left) + gap.index(was)
            found.append(Change(at, at + len(was), now))

    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            between(node.left, node.ops[0], node.comparators[0])
        elif isinstance(node, ast.BinOp):
            between(node.left, node.op, node.right)
        elif isinstance(node, ast.BoolOp):
            between(node.values[0], node.op, node.values[1])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            found.append(Change(begin(node), begin(node.operand), ""))
        elif isinstance(node, ast.Name | ast.Constant):
            was = source[begin(node) : end(node)]
            if was in NAMES:
                found.append(Change(begin(node), end(node), NAMES[was]))
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                found.append(Change(begin(node), end(node), str(node.value + 1)))
    return sorted(found)


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
        source = (ROOT / file).read_text(encoding="utf-8")
        found = changes(source)
        for change in sorted(drawn.sample(found, min(PER_FILE, len(found)))):
            print(entry(file, source, change))


if __name__ == "__main__":
    main(*sys.argv[1:])
