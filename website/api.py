"""Pages of the Python interface, made of signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from functools import cache
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from griffe import Docstring, DocstringSectionKind, Parser

import bleuet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = "reference/python"
ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = "https://github.com/bleuet/bleuet/blob"
LINE = 88


class Page(NamedTuple):
    """Names that are explained on one page.

    Args:
        title: its title.
        text: a sentence above the names.
        module: where users import the names from.
        names: the names; () for all of the module.
    """

    title: str
    text: str
    module: str = "bleuet"
    names: tuple[str, ...] = ()


SCORING = ("score", "Scores", "SegmentScores", "score_shards", "ShardSettings")
BASE = (
    *("Metric", "Score", "Signature", "PreparedReferences"),
    *("find_metric", "make_metric", "metric_from_signature"),
)
TEXTS = ("Corpus", "with_sources", "Table", "Totals", "SavedTable", "load_tables", "save_tables")
STUDIES = (
    *("compare", "Comparison", "explain", "Explanation", "lint", "mbr", "Decisions", "align"),
    *("Alignment", "tune", "Tuning", "rerank", "Reranking", "self_bleu"),
)
ERRORS = tuple(name for name in bleuet.__all__ if name.endswith(("Error", "Warning")))
PAGES = {
    "scoring": Page("Scoring", "Score texts in one call.", names=SCORING),
    "metrics": Page(
        "Metrics",
        "A metric is a value with options. Its scores have components and a signature.",
        names=tuple(
            name
            for name in bleuet.__all__
            if name not in {*SCORING, *BASE, *TEXTS, *STUDIES, *ERRORS, "__version__"}
        ),
    ),
    "base": Page("What metrics share", "The methods of every metric.", names=BASE),
    "texts": Page("Texts and tables", "Texts go in, and rows that add come out.", names=TEXTS),
    "studies": Page("Studies", "What else can be learned from texts and scores.", names=STUDIES),
    "significance": Page("Significance", "Intervals and tests.", "bleuet.significance"),
    "comparison": Page("Comparison", "Where two systems differ.", "bleuet.comparison"),
    "gate": Page("Gate", "Whether a system may replace its baseline.", "bleuet.gate"),
    "meta-evaluation": Page(
        "Meta-evaluation", "How well metrics agree with human scores.", "bleuet.meta_evaluation"
    ),
    "report": Page("Report", "A comparison as a page or as pictures.", "bleuet.report"),
    "rewards": Page("Rewards", "Metrics as rewards of reinforcement learning.", "bleuet.rewards"),
    "torch": Page("PyTorch", "Metrics of tensors, and losses.", "bleuet.torch"),
    "errors": Page("Errors", "All derive from `BleuetError`.", names=ERRORS),
}


def pages() -> dict[str, str]:
    """Return the Markdown of each page by its path in the documentation."""
    own = {f"{FOLDER}/{name}.md": _page(page) for name, page in PAGES.items()}
    return {f"{FOLDER}/index.md": _index(), **own}


def _names(page: Page) -> tuple[str, ...]:
    module = import_module(page.module)
    return page.names or tuple(name for name in module.__all__ if not name.startswith("_"))


@cache
def _places() -> dict[str, str]:
    """Return the address of each name from a page of this folder."""
    found: dict[str, str] = {}
    for file, page in PAGES.items():
        for name in _names(page):
            found.setdefault(name, f"{file}.md#{anchor(page.module, name)}")
    return found


def anchor(module: str, name: str) -> str:
    """Return the anchor of a name, which stays the same.

    >>> anchor("bleuet", "BLEU")
    'bleuet.BLEU'
    """
    return f"{module}.{name}"


def _index() -> str:
    lines = ["# Python", "", "| page | names |", "|---|---|"]
    for file, page in PAGES.items():
        names = ", ".join(
            f"[`{name}`]({file}.md#{anchor(page.module, name)})" for name in _names(page)
        )
        lines.append(f"| [{page.title}]({file}.md) | {names} |")
    return "\n".join(
        [*lines, "", "[The guide to Python](../../python.md) shows how they are used.", ""]
    )


def _page(page: Page) -> str:
    lines = [f"# {page.title}", "", page.text, ""]
    module = import_module(page.module)
    for name in _names(page):
        lines += _name(page.module, name, getattr(module, name))
    return "\n".join(lines)


def _name(module: str, name: str, value: Any) -> Iterator[str]:
    yield from (f"## `{name}` {{ #{anchor(module, name)} }}", "")
    if not callable(value):
        yield from (f"`{name} = {value!r}`", "")
        return
    yield from (f"```python\nfrom {module} import {name}\n\n{_signature(name, value)}\n```", "")
    yield from _documented(value, _annotations(value))
    if inspect.isclass(value):
        yield from _members(module, name, value)
    yield from (_source(value), "")


def _members(module: str, owner: str, kind: type) -> Iterator[str]:
    """Yield the public methods and properties that a class defines itself."""
    for name, member in vars(kind).items():
        function = getattr(member, "__func__", getattr(member, "fget", member))
        if name.startswith("_") or not inspect.isfunction(inspect.unwrap(function)):
            continue
        yield from (f"### `{owner}.{name}` {{ #{anchor(module, owner)}.{name} }}", "")
        if not isinstance(member, property):
            yield from (f"```python\n{_signature(name, function)}\n```", "")
        yield from _documented(function, _annotations(function))
    bases = [base for base in kind.__mro__[1:] if base.__name__ in _places()]
    if bases:
        links = ", ".join(f"[`{base.__name__}`]({_places()[base.__name__]})" for base in bases)
        yield from (f"It has the methods of {links}, too.", "")


def _signature(name: str, value: Any) -> str:
    """Return how a function is called, on several lines where one is too long."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return f"{name}(...)"
    if inspect.isclass(value):
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    text = f"{name}{_unquoted(signature)}"
    if len(text) <= LINE:
        return text
    parts = _parts(signature)
    returned = signature.return_annotation
    end = "" if returned is inspect.Signature.empty else f" -> {_type(returned)}"
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){end}"])


def _parts(signature: inspect.Signature) -> Iterator[str]:
    star = False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not star:
            yield "*"
        star = star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        yield _unquoted(one)


def _unquoted(thing: object) -> str:
    """Return a signature without the quotes of annotations that are strings."""
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(thing))
    return re.sub(r"<[\w.]+\.(\w+) object at 0x\w+>", r"\1()", text)


def _type(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _annotations(value: Any) -> dict[str, str]:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return {}
    return {name: _type(one.annotation) for name, one in signature.parameters.items()}


def _documented(value: Any, types: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts of a docstring as Markdown."""
    text = inspect.getdoc(value) or ""
    for section in Docstring(text, parser=Parser.google).parse(warnings=False):
        kind, found = section.kind, section.value
        if kind is DocstringSectionKind.text:
            yield from (_prose(found), "")
        elif kind is DocstringSectionKind.examples:
            examples = "\n\n".join(one for _, one in found)
            yield from (f"```pycon\n{examples}\n```", "")
        elif kind is DocstringSectionKind.parameters:
            yield from ("| argument | type | |", "|---|---|---|")
            for one in found:
                kind_of = _linked(types.get(one.name, ""))
                yield f"| `{one.name}` | {kind_of} | {_cell(one.description)} |"
            yield ""
        elif kind is DocstringSectionKind.returns:
            yield from (f"**Returns**: {_cell(' '.join(_returned(one) for one in found))}", "")
        elif kind is DocstringSectionKind.raises:
            yield from ("| error | when |", "|---|---|")
            yield from (
                f"| {_linked(str(one.annotation))} | {_cell(one.description)} |" for one in found
            )
            yield ""


def _returned(one: Any) -> str:
    # A sentence with a colon looks like a type and its description.
    parts = [str(part) for part in (one.name, one.annotation, one.description) if part]
    return ": ".join(parts)


def _prose(text: str) -> str:
    """Return text with its doctests as blocks of code."""
    blocks = re.split(
        r"((?:^ *(?:>>>|\.\.\.)[^\n]*\n?(?:^ *(?!>>>)\S[^\n]*\n?)*)+)", text, flags=re.M
    )
    parts = []
    for block in blocks:
        if block.lstrip().startswith(">>>"):
            parts.append(f"\n```pycon\n{inspect.cleandoc(block)}\n```\n")
        else:
            parts.append(_escaped(block))
    return "".join(parts).strip()


def _escaped(text: str) -> str:
    """Return text in which only code between backticks is markup."""
    parts = re.split(r"(`[^`\n]+`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([*_<\[\]])", r"\\\1", parts[i])
    return "".join(parts)


def _cell(text: str) -> str:
    return _escaped(" ".join(text.split())).replace("|", "\\|")


def _linked(annotation: str) -> str:
    """Return a type as code, in which the public names are links."""
    if not annotation:
        return ""
    words = [
        f"[{word}]({_places()[word]})" if word in _places() else escape(word).replace("|", "&#124;")
        for word in re.split(r"(\b[A-Za-z]\w+\b)", annotation)
    ]
    return f"<code>{''.join(words)}</code>"


def _source(value: Any) -> str:
    try:
        value = inspect.unwrap(value)
        file = Path(inspect.getsourcefile(value) or "").resolve().relative_to(ROOT)
        line = inspect.getsourcelines(value)[1]
    except (OSError, TypeError, ValueError):
        return ""
    return f"[Source]({REPOSITORY}/v{bleuet.__version__}/{file.as_posix()}#L{line})"
