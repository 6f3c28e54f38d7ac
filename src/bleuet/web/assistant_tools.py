"""The operations as tools of assistants, over the Model Context Protocol (MCP).

An assistant reads the list of tools before each conversation, so the list is short: descriptions
that say what to pass and what comes back, and the fields of requests without their limits. The
processes that answer check all of them.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import NamedTuple

from bleuet.extras import optional
from bleuet.messages import nearest, shown
from bleuet.version import __version__
from bleuet.web.answering import REQUEST_TYPES
from bleuet.web.operations import OPERATIONS
from bleuet.web.workers import BusyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import mcp.server as protocol
    from mcp import types

    from bleuet.web.workers import Workers
else:
    protocol = optional("mcp.server")
    types = optional("mcp.types")

INSTRUCTIONS = (
    "Scores of machine translation and any generated text against references. Call metrics to "
    "find a metric and its options. Compare two scores only if their signatures are equal, and "
    "report the signature with a score."
)
# What an assistant needs to know of a schema; limits are checked anyway.
KEYS = (
    "type",
    "description",
    "properties",
    "required",
    "items",
    "anyOf",
    "additionalProperties",
    "default",
)


class Guide(NamedTuple):
    """How an assistant uses a tool.

    Args:
        title: its name for readers.
        text: what to pass, what comes back, and when to use another tool.
    """

    title: str
    text: str


GUIDES = {
    "metrics": Guide(
        "Find metrics and options",
        "Without name: all metrics, a line each. With name: that metric's formula, source and "
        "options (help, default, choices, range). Call it before you set options.",
    ),
    "calculate": Guide(
        "Explain the score of one text",
        "Score one hypothesis and show why: each metric's score, tokens, matches (marks) and steps "
        "of the computation. A long answer: for scores alone, use sentences.",
    ),
    "score": Guide(
        "Score whole test sets",
        "Corpus scores: pass hypotheses (one system) or systems (several), never both. Returns "
        "system, name, score and signature for each system and metric. To see which system is "
        "better, use compare; a corpus score is not the mean of sentences.",
    ),
    "sentences": Guide(
        "Score each segment",
        "The score of each segment, in their order, with options that suit single sentences. Pass "
        "hypotheses or systems, as to score. Use it to find good and bad segments.",
    ),
    "explain": Guide(
        "Explain why two scores differ",
        "Why two settings of one metric give different scores on the same texts: the score after "
        "each option changes from a to b, one at a time.",
    ),
    "compare": Guide(
        "Compare systems",
        "Compare two or more systems: scores, what differs between them, and segments where they "
        "differ most. A long answer: for scores alone, use score.",
    ),
}


def make_tools(workers: Workers) -> protocol.Server[Any]:
    """Return a server of the tools, one for each operation.

    Args:
        workers: the processes that compute the answers.
    """
    listed = types.ListToolsResult(tools=[_tool(name) for name in OPERATIONS])

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        return listed

    async def call_tool(_: Any, called: types.CallToolRequestParams) -> types.CallToolResult:
        said, failed = await _answer(workers, called.name, called.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=said)], is_error=failed
        )

    return protocol.Server(
        "bleuet",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _answer(workers: Workers, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    """Return the answer to a call, and whether it is an error."""
    if name not in OPERATIONS:
        known = f"{nearest(name, OPERATIONS)}: use {', '.join(OPERATIONS)}"
        return f"there is no tool {shown(name)}{known}", True
    try:
        status, content = await workers.answer(name, json.dumps(arguments).encode())
    except BusyError as error:
        return str(error), True
    return content.decode(), status != HTTPStatus.OK


def _tool(name: str) -> types.Tool:
    title, text = GUIDES[name]
    return types.Tool(
        name=name,
        title=title,
        description=text,
        input_schema=_schema(name),
        annotations=types.ToolAnnotations(
            read_only_hint=True, idempotent_hint=True, open_world_hint=False
        ),
    )


def _schema(name: str) -> dict[str, Any]:
    """Return the fields of a tool's requests, from the type of the operation's requests."""
    whole = REQUEST_TYPES[name].model_json_schema()
    return _short(whole, whole.get("$defs", {}))


def _short(schema: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without limits, titles, names of types, and null for a missing value."""
    if "$ref" in schema:
        schema = named[schema["$ref"].rpartition("/")[2]]
    found = {key: schema[key] for key in KEYS if schema.get(key) not in (None, {})}
    if "properties" in found:
        fields = found["properties"]
        found["properties"] = {key: _short(one, named) for key, one in fields.items()}
        # That of the Python class.
        del found["description"]
    if "items" in found:
        found["items"] = _short(found["items"], named)
    if found.pop("additionalProperties", None):
        # Any values where they may have several types, as those of options.
        values = _short(schema["additionalProperties"], named)
        found |= {} if "anyOf" in values else {"additionalProperties": values}
    if "anyOf" in found:
        kinds = [_short(one, named) for one in found.pop("anyOf")]
        kinds = [one for one in kinds if one.get("type") != "null"]
        found = {**kinds[0], **found} if len(kinds) == 1 else {**found, "anyOf": kinds}
    return found
