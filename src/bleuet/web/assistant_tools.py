"""The operations as tools of assistants, over the Model Context Protocol (MCP)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from bleuet.extras import optional
from bleuet.version import __version__
from bleuet.web.models import REQUESTS
from bleuet.web.operations import OPERATIONS, call
from bleuet.web.workers import BusyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mcp.server as protocol
    import mcp.server.mcpserver.exceptions as errors

    from bleuet.web.workers import Workers
else:
    protocol = optional("mcp.server")
    errors = optional("mcp.server.mcpserver.exceptions")

PATH = "/mcp"
INSTRUCTIONS = (
    "Scores of machine translation and any generated text against references. Compare scores only "
    "if their signatures are the same."
)


def make_tools(workers: Workers) -> protocol.MCPServer:
    """Return a server of the tools, one for each operation.

    Args:
        workers: the processes that compute the answers.
    """
    server: protocol.MCPServer = protocol.MCPServer(
        "bleuet", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for name, operation in OPERATIONS.items():
        tool = _tool(workers, name)
        server.add_tool(tool, name=name, description=f"Return {operation.summary}.")
    return server


def _tool(workers: Workers, name: str) -> Any:
    """Return the function that a tool calls; its annotations describe what it takes."""
    if name not in REQUESTS:
        return lambda: json.dumps(call(name, {}))

    async def answer(request: Any) -> str:
        body = request.model_dump_json(exclude_unset=True).encode()
        try:
            status, content = await workers.answer(name, body)
        except BusyError as error:
            raise errors.ToolError(str(error)) from None
        if status != HTTPStatus.OK:
            raise errors.ToolError(content.decode())
        return content.decode()

    answer.__annotations__["request"] = REQUESTS[name]
    return answer
