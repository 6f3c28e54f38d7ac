"""Assistants find the operations as tools, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bleuet import BLEU
from bleuet.web.operations import OPERATIONS
from tests.web.conftest import start
from tests.web.test_server import ask

pytestmark = [pytest.mark.slow, pytest.mark.libraries]
TEXTS = {"hypotheses": ["The cat sat down."], "references": ["The cat sat up."]}


async def use(address: str) -> tuple[list[str], Any, Any]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async with (
        streamable_http_client(f"{address}mcp") as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        scored = await session.call_tool("score", {"request": TEXTS})
        wrong = await session.call_tool("score", {"request": {**TEXTS, "metrics": ["nothing"]}})
        return tools, scored, wrong


def test_tools_answer_as_the_api_does() -> None:
    server, address = start("--mcp")
    try:
        # In a thread of its own, for the driver of the browser has a loop in this one.
        with ThreadPoolExecutor(1) as pool:
            tools, scored, wrong = pool.submit(asyncio.run, use(address)).result()
        assert tools == list(OPERATIONS)
        found = json.loads(scored.content[0].text)[0]["score"]
        assert found == BLEU().corpus_score(*TEXTS.values()).score
        assert wrong.is_error
        assert "there is no metric 'nothing'" in wrong.content[0].text
        assert ask(address, "/mcp", {}, Origin="http://evil.example")[0] == 403
    finally:
        server.terminate()
        server.wait(10)
