"""The operations as tools of assistants, over the Model Context Protocol (MCP)."""

from __future__ import annotations

import json
from typing import Any

from bleuet.errors import BleuetError
from bleuet.extras import optional
from bleuet.version import __version__
from bleuet.web.models import REQUESTS
from bleuet.web.operations import OPERATIONS, call

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mcp.server as protocol
    import mcp.server.mcpserver.exceptions as errors
else:
    protocol = optional("mcp.server")
    errors = optional("mcp.server.mcpserver.exceptions")

PATH = "/mcp"
INSTRUCTIONS = (
    "Scores of machine translation and any generated text against references. Compare scores only "
    "if their signatures are the same."
)


def make_tools() -> protocol.MCPServer:
    """Return a server of the tools, one for each operation."""
    server: protocol.MCPServer = protocol.MCPServer(
        "bleuet", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for name, operation in OPERATIONS.items():
        tool = _tool(name)
        server.add_tool(tool, name=name, description=f"Return {operation.summary}.")
    return server


def _tool(name: str) -> Any:
    """Return the function that a tool calls; its annotations describe what it takes."""
    if name not in REQUESTS:
        return lambda: _answer(name, {})

    def answer(request: Any) -> str:
        return _answer(name, request.plain())

    answer.__annotations__["request"] = REQUESTS[name]
    return answer


def _answer(name: str, request: dict[str, Any]) -> str:
    try:
        return json.dumps(call(name, request))
    except BleuetError as error:
        raise errors.ToolError(str(error)) from None
