"""The data flow of code: where each variable gets its value from (Ren et al. 2020, section 3.3)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

from bleuet.errors import TooLongError
from bleuet.metrics.code_bleu.flow_rules import (
    Assignment,
    Branches,
    ConditionLoop,
    CountingLoop,
    Definition,
    Increment,
    LoopOver,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.code_bleu.flow_rules import FlowRules, Place
    from bleuet.metrics.code_bleu.syntax import SyntaxTree, Token

    # A variable, what it has from the others, and these; all by number.
    Edge: TypeAlias = tuple[int, str, tuple[int, ...]]
    # The number of a token, its text, the relation, and texts and numbers of what it comes from.
    Item: TypeAlias = tuple[int, str, str, tuple[str, ...], tuple[int, ...]]
    # It yields nodes that are to be read next.
    Reading: TypeAlias = Generator[int, None, None]

COMES, COMPUTED = "comesFrom", "computedFrom"
# Loops are read twice, and so are loops in them: code with loops in loops in loops takes very long.
MAX_STEPS = 3_000_000


class MissingPartError(Exception):
    """A statement lacks a part, as in incomplete code: the code has no data flow then."""


def data_flow(tree: SyntaxTree, rules: FlowRules) -> Counter[Edge]:
    """Return the edges of the data flow, and how often each occurs.

    Variables are numbered in the order in which they occur, so that their names do not count. As in
    codebleu 0.7.0, code has no data flow if a statement lacks a part.

    Args:
        tree: the syntax tree of the code.
        rules: the rules of its language.

    Raises:
        TooLongError: reading it would take very long.
    """
    try:
        items = _Flow(tree, rules).items()
    except MissingPartError:
        return Counter()
    sources = {number for item in items for number in item[4]}
    linked: dict[int, tuple[str, str, tuple[str, ...]]] = {}
    with_sources = {item[0] for item in items if item[4]}
    for number, text, relation, names, _ in items:
        if number in sources or number in with_sources:
            before = linked.get(number)
            joined = names if before is None else unique((*before[2], *names))
            linked[number] = text, relation, joined
    return _numbered(linked.values())


def unique(names: Iterable[Any]) -> tuple[Any, ...]:
    """Return names in the order in which they first occur.

    codebleu 0.7.0 has the order of a set of Python, which is another in each process.

    >>> unique("abab")
    ('a', 'b')
    """
    return tuple(dict.fromkeys(names))


def _numbered(linked: Iterable[tuple[str, str, tuple[str, ...]]]) -> Counter[Edge]:
    numbers: dict[str, int] = {}
    edges: Counter[Edge] = Counter()
    for text, relation, names in linked:
        several = tuple([numbers.setdefault(name, len(numbers)) for name in names])
        edges[numbers.setdefault(text, len(numbers)), relation, several] += 1
    return edges


class _Flow:
    """Reads a tree once, in the order of execution, with a stack in place of recursion."""

    def __init__(self, tree: SyntaxTree, rules: FlowRules) -> None:
        self.tree = tree
        self.rules = rules
        self.found: list[Item] = []
        # The numbers of the tokens from which each variable can have its value.
        self.values: dict[str, tuple[int, ...]] = {}
        self.steps = 0
        self.ruled = [node for node, kind in enumerate(tree.types) if kind in rules]

    def items(self) -> list[Item]:
        """Return what was found, in the order of the code."""
        tree = self.tree
        stack = [iter((0,))]
        while stack:
            node = next(stack[-1], None)
            if node is None:
                stack.pop()
                continue
            self._count(1)
            if tree.is_token[node] or not self._has_rule(node):
                for token in tree.variables(node):
                    self._variable(token)
            else:
                stack.append(self._read(node))
        return sorted(self.found, key=lambda item: item[0])

    def _read(self, node: int) -> Any:
        rule = self.rules.get(self.tree.types[node])
        return self._others(node) if rule is None else _READERS[type(rule)](self, node, rule)

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise TooLongError(
                f"the data flow of a segment takes more than {MAX_STEPS} steps, as each loop in a "
                "loop doubles them: divide the code into functions, or leave the segment out"
            )

    def _has_rule(self, node: int) -> bool:
        """Return whether there is a rule for a node or for one in it."""
        place = bisect_left(self.ruled, node)
        return place < len(self.ruled) and self.ruled[place] <= self.tree.last_node[node]

    def _variable(self, token: Token) -> None:
        sources = self.values.get(token.text)
        if sources is not None:
            self._add(token, COMES, (token.text,), sources)
            return
        if token.is_name:
            self.values[token.text] = (token.number,)
        self._add(token, COMES, (), ())

    def _add(
        self, token: Token, relation: str, names: tuple[str, ...], sources: tuple[int, ...]
    ) -> None:
        self._count(1 + len(names) + len(sources))
        self.found.append((token.number, token.text, relation, names, sources))

    # --- Parts of nodes ---------------------------------------------------------------------------

    def _find(self, node: int, place: Place) -> int | None:
        """Return the part of a node at a place, or None."""
        tree = self.tree
        if place.field:
            return tree.child_in(node, place.field)
        children = tree.children[node]
        if place.of and len(children) != place.of:
            return None
        if place.type and place.child >= 0:
            children = [one for one in children if tree.types[one] == place.type]
        if not -1 <= place.child < len(children):
            return None
        found = children[place.child]
        return found if tree.types[found] == place.type or not place.type else None

    def _part(self, node: int, place: Place) -> int:
        found = self._find(node, place)
        if found is None:
            raise MissingPartError
        return found

    # --- Rules ------------------------------------------------------------------------------------

    def _others(self, node: int) -> Iterable[int]:
        """Read children in order, after those that act first."""
        children = self.tree.children[node]
        first = [one for one in children if self._acts_first(one)]
        if not first:
            return iter(children)
        return iter(first + [one for one in children if not self._acts_first(one)])

    def _acts_first(self, node: int) -> bool:
        return getattr(self.rules.get(self.tree.types[node]), "first", False)

    def _definition(self, node: int, rule: Definition) -> Reading:
        name, value = self._part(node, rule.name), self._find(node, rule.value)
        if value is None:
            for token in self.tree.variables(name):
                self._add(token, COMES, (), ())
                self.values[token.text] = (token.number,)
            return
        yield value
        self._set(name, value, COMES, one_by_one=True)

    def _set(self, left: int, right: int, relation: str, *, one_by_one: bool) -> None:
        """Give the variables on the left their values from those on the right."""
        theirs = self.tree.variables(right)
        names = tuple([token.text for token in theirs])
        sources = tuple([token.number for token in theirs])
        if one_by_one:
            names = unique(names)
        for token in self.tree.variables(left):
            if names or not one_by_one:
                self._add(token, relation, names, sources)
            self.values[token.text] = (token.number,)

    def _assignment(self, node: int, rule: Assignment) -> Reading:
        if rule.can_lack_value and self._find(node, rule.right) is None:
            return
        pairs = self._pairs(node, rule)
        for _, right in pairs:
            yield right
        for left, right in pairs:
            self._set(left, right, COMPUTED, one_by_one=rule.one_by_one)

    def _pairs(self, node: int, rule: Assignment) -> Sequence[tuple[int, int]]:
        left, right = self._part(node, rule.left), self._part(node, rule.right)
        if rule.in_pairs:
            sides = [
                [one for one in self.tree.children[side] if self.tree.types[one] != ","]
                for side in (left, right)
            ]
            if len(sides[0]) == len(sides[1]) > 0:
                # As if `a.b = "c"` had three variables on each side, the parts of the text are
                # looked up, which are no tokens.
                if self.tree.is_token[left] or self.tree.is_token[right]:
                    raise MissingPartError
                return [*zip(*sides, strict=True)]
        return [(left, right)]

    def _increment(self, node: int, rule: Increment) -> Iterable[int]:
        self._set(node, node, COMPUTED, one_by_one=True)
        return iter(())

    def _branches(self, node: int, rule: Branches) -> Reading:
        before, after = self.values, dict(self.values)
        ends = []
        alternative = False
        types = self.tree.types
        for child in self.tree.children[node]:
            alternative = types[child] in rule.alternatives or (alternative and rule.from_first_on)
            self._count(len(before))
            self.values = dict(before) if alternative else after
            yield child
            if alternative:
                ends.append(self.values)
            else:
                after = self.values
        has_else = any("else" in types[one] for one in (node, *self.tree.children[node]))
        keeps = rule.keeps_values or not has_else
        self.values = self._joined([*ends, after, before] if keeps else [*ends, after])

    def _joined(self, ends: Sequence[dict[str, tuple[int, ...]]]) -> dict[str, tuple[int, ...]]:
        """Return the values that each variable can have at one of several ends."""
        joined: dict[str, tuple[int, ...]] = {}
        for values in ends:
            for name, sources in values.items():
                known = joined.get(name)
                if known is None:
                    joined[name] = sources
                elif known != sources:
                    self._count(len(known) + len(sources))
                    joined[name] = unique(known + sources)
        return joined

    def _counting_loop(self, node: int, rule: CountingLoop) -> Reading:
        start = len(self.found)
        children = self.tree.children[node]
        yield from children
        repeated = False
        for child in children:
            if repeated:
                yield child
            elif self.tree.types[child] == rule.head:
                repeated = True
                update = self.tree.child_in(child, rule.update) if rule.update else None
                if update is not None:
                    yield update
        self._merge(start)

    def _condition_loop(self, node: int, rule: ConditionLoop) -> Reading:
        start = len(self.found)
        for _ in range(2):
            yield from self.tree.children[node]
        self._merge(start)

    def _loop_over(self, node: int, rule: LoopOver) -> Reading:
        start = len(self.found)
        for _ in range(2):
            yield from self._assignment(node, rule.assignment)
            body = self._find(node, rule.body)
            if body is not None:
                yield body
            elif not rule.can_lack_body:
                raise MissingPartError
        self._merge(start)

    def _merge(self, start: int) -> None:
        """Join what was found of each token since a start, with each variable once."""
        merged: dict[tuple[int, str, str], tuple[tuple[str, ...], tuple[int, ...]]] = {}
        for number, text, relation, names, sources in self.found[start:]:
            key = number, text, relation
            before = merged.get(key)
            if before is not None:
                self._count(len(before[0]) + len(before[1]))
                names, sources = unique(before[0] + names), unique(before[1] + sources)
            merged[key] = names, sources
        self.found[start:] = [(*key, *parts) for key, parts in merged.items()]


_READERS: dict[type[Any], Callable[..., Any]] = {
    Definition: _Flow._definition,
    Assignment: _Flow._assignment,
    Increment: _Flow._increment,
    Branches: _Flow._branches,
    CountingLoop: _Flow._counting_loop,
    ConditionLoop: _Flow._condition_loop,
    LoopOver: _Flow._loop_over,
}
