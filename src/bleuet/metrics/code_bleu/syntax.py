"""Syntax trees of code, read once into lists."""

from __future__ import annotations

import warnings
from functools import cache

from bleuet.errors import TooLongError
from bleuet.extras import optional
from bleuet.metrics.code_bleu.languages import LANGUAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Nodes that are one token, whatever they consist of.
WHOLE_TOKENS = ("string_literal", "string", "character_literal")
COMMENT, IDENTIFIER = "comment", "identifier"
MISSING = "(MISSING "
# tree-sitter writes the text of a tree with recursion, which would end the process in a deep one.
MAX_DEPTH_OF_TEXT = 400
# The most bytes of a text: tree-sitter needs a minute for the worst texts of this length, such as
# "a<" again and again in C#, and four times as long for twice the length.
MAX_BYTES = 50_000


@cache
def grammar(language: str) -> Any:
    """Return tree-sitter's grammar of a language.

    Raises:
        MissingExtraError: tree-sitter or the grammar is not installed.
    """
    tree_sitter = optional("tree_sitter")
    module = optional(LANGUAGES[language].grammar)
    pointer = (getattr(module, "language", None) or module.language_php)()
    with warnings.catch_warnings():
        # Grammars of the versions that codebleu 0.7.0 needs return a number, which is deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        return tree_sitter.Language(pointer)


@cache
def _kinds(language: str) -> dict[int, tuple[str, str]]:
    """Return the type and the label of nodes by the numbers of their kinds, as they are found."""
    return {}


class Token:
    """A token of code.

    Attributes:
        number: its place among all tokens.
        text: its text.
        is_variable: whether its text is not fixed by its type, as it is for `if` and `+`.
        is_name: whether it can be the name of a variable.
    """

    __slots__ = ("is_name", "is_variable", "number", "text")

    def __init__(self, number: int, text: str, kind: str) -> None:
        self.number = number
        self.text = text
        self.is_variable = kind != text
        self.is_name = kind == IDENTIFIER


class SyntaxTree:
    """A syntax tree as lists by the number of a node, in the order in which the code begins them.

    Args:
        code: the code.
        language: one of `LANGUAGES`.
        exact: cut tokens out of the code rightly; without it, as codebleu 0.7.0 does, which takes
            places in bytes for places in characters.

    Attributes:
        types: the type of each node.
        fields: the field of its parent in which it is, or None.
        children: its children.
        last_node: the number of the last node in it.
        tokens: the tokens of the code.
        first_token: the number in `tokens` of the first token in the node.
        last_token: that after the last.
        is_token: whether it is a token itself.

    Raises:
        TooLongError: the code is too long.
        MissingExtraError: tree-sitter or the grammar is not installed.
    """

    def __init__(self, code: str, language: str, *, exact: bool = False) -> None:
        content = code.encode("utf-8", "surrogatepass")
        if len(content) > MAX_BYTES:
            raise TooLongError(
                f"a segment of {len(content)} bytes is too long for CodeBLEU, at most {MAX_BYTES}: "
                "divide the code into functions"
            )
        parser = optional("tree_sitter").Parser(grammar(language))
        self._tree = parser.parse(content)
        self._language = language
        self.types: list[str] = []
        self.fields: list[str | None] = []
        self.children: list[list[int]] = []
        self.labels: list[str] = []
        self._spans: list[tuple[int, int]] = []
        self._read()
        if "ERROR" in self.types:
            # An error can have another type than its parent, and the cursor, has for it.
            self.types = [node.type for node in _nodes(self._tree.root_node)]
        self._read_tokens(code, content, exact)

    def _read(self) -> None:
        cursor = self._tree.walk()
        broken = self._tree.root_node.has_error
        kinds = _kinds(self._language)
        ancestors: list[int] = []
        while True:
            node = cursor.node
            number = len(self.types)
            if ancestors:
                self.children[ancestors[-1]].append(number)
            number_of_kind, start, end = node.kind_id, node.start_byte, node.end_byte
            if number_of_kind not in kinds:
                kind = node.type
                kinds[number_of_kind] = kind, f"({kind})" if node.is_named else ""
            kind, label = kinds[number_of_kind]
            self.types.append(kind)
            self.fields.append(cursor.field_name)
            self.children.append([])
            self._spans.append((start, end))
            # What is missing or unexpected may stand in a part that is no node. In Go, the end of
            # the code ends a statement: it is empty too, but it is not missing.
            odd = broken and (kind == "ERROR" or (start == end and node.is_missing))
            odd = odd and not node.child_count
            self.labels.append(str(node) if odd else label)
            if cursor.goto_first_child():
                ancestors.append(number)
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                ancestors.pop()

    def _read_tokens(self, code: str, content: bytes, exact: bool) -> None:
        """Find the tokens; what is inside of one is none, and a comment is none."""
        size = len(self.types)
        self.is_token = [False] * size
        self.first_token = [0] * size
        self.last_token = [0] * size
        text_of = _text_of(code, content, exact)
        spans: list[tuple[int, int]] = []
        kinds: list[str] = []
        inside_until = -1
        self.last_node = last = self._last_nodes()
        for node, kind in enumerate(self.types):
            self.first_token[node] = len(spans)
            if node <= inside_until or kind == COMMENT:
                continue
            if not self.children[node] or kind in WHOLE_TOKENS:
                self.is_token[node] = True
                inside_until = last[node]
                spans.append(self._spans[node])
                kinds.append(kind)
        # Where several tokens have the same place, as missing ones have, all are the last of them.
        numbers = {span: number for number, span in enumerate(spans)}
        self.tokens = [
            Token(numbers[span], text_of(*span), kind)
            for span, kind in zip(spans, kinds, strict=True)
        ]
        for node, end in enumerate(last):
            self.last_token[node] = (
                self.first_token[end + 1] if end + 1 < size else len(self.tokens)
            )

    def _last_nodes(self) -> list[int]:
        """Return the number of the last node in each node."""
        last = list(range(len(self.types)))
        for node in range(len(last) - 1, -1, -1):
            if self.children[node]:
                last[node] = last[self.children[node][-1]]
        return last

    def variables(self, node: int) -> list[Token]:
        """Return the tokens in a node whose text is not fixed by their type."""
        inside = self.tokens[self.first_token[node] : self.last_token[node]]
        return [token for token in inside if token.is_variable]

    def child_in(self, node: int, field: str) -> int | None:
        """Return the child in a field, or None."""
        return next((one for one in self.children[node] if self.fields[one] == field), None)

    def subtrees(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield each node that counts as a subtree, and what is in it, children first.

        A subtree is a node with children, or the root. What is in it are the parts that
        tree-sitter's text of the node shows: named nodes with their fields, without their text. A
        part is a label, or a pair of the field and the number of a node with children.
        """
        size = len(self.types)
        inner: list[tuple[Any, ...]] = [()] * size
        unseen = self._texts_with_unseen()
        for node in range(size - 1, -1, -1):
            children = self.children[node]
            if not children and node:
                continue
            parts: list[Any] = []
            for child in children:
                field, label = self.fields[child], self.labels[child]
                if label:
                    parts.append((field, child if inner[child] else label))
                else:
                    # A node without a name is not shown, but its parts are.
                    parts += [(one or field, rest) for one, rest in inner[child]]
            if node in unseen:
                parts = [(None, unseen[node])]
            inner[node] = (*parts,)
            yield node, (self.types[node], bool(self.labels[node]), *parts)

    def _texts_with_unseen(self) -> dict[int, str]:
        """Return tree-sitter's text of each node in which something is missing that is no node."""
        root = self._tree.root_node
        if not root.has_error or self._depth() > MAX_DEPTH_OF_TEXT:
            return {}
        shown = sum(label.count(MISSING) for label in self.labels)
        if str(root).count(MISSING) == shown:
            return {}
        texts = {}
        # Of each node, what is missing in it as its text has it.
        missing = [label.count(MISSING) for label in self.labels]
        nodes = _nodes(root)
        for number in range(len(self.types) - 1, -1, -1):
            children = self.children[number]
            if not children:
                continue
            seen = sum(missing[child] for child in children)
            node = nodes[number]
            text = str(node) if node.has_error else ""
            missing[number] = text.count(MISSING)
            if missing[number] > seen and node.type == self.types[number]:
                texts[number] = text
        return texts

    def _depth(self) -> int:
        depths = [1] * len(self.types)
        for node, children in enumerate(self.children):
            for child in children:
                depths[child] = depths[node] + 1
        return max(depths)


def _nodes(root: Any) -> list[Any]:
    """Return the nodes of a tree in the order in which the code begins them."""
    nodes, stack = [], [root]
    while stack:
        node = stack.pop()
        nodes.append(node)
        stack += reversed(node.children)
    return nodes


def _text_of(code: str, content: bytes, exact: bool) -> Any:
    """Return a function from a place in bytes to the text there, without ends of lines."""
    if code.isascii():
        return lambda start, end: code[start:end].replace("\n", "")
    if exact:
        return lambda start, end: (
            content[start:end].decode("utf-8", "surrogatepass").replace("\n", "")
        )
    from bisect import bisect_right

    lines = code.split("\n")
    starts = [0]
    for line in content.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)

    def cut(start: int, end: int) -> str:
        first, last = (bisect_right(starts, one) - 1 for one in (start, end))
        if first == last:
            return lines[first][start - starts[first] : end - starts[first]]
        between = lines[first + 1 : last]
        return "".join(
            [lines[first][start - starts[first] :], *between, lines[last][: end - starts[last]]]
        )

    return cut
