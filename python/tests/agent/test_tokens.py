"""The tokens of an agent's model, in the records of the real service."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import quote

from svc.agent import CountedMessage, ModelRequest, TokenCount
from svc.client.base import Message
from svc.testing import LocalService
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving
from tests.support.keys import admin_request, create_key
from tests.support.waiting import PATIENCE, until

SEARCH: Message = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "call_1",
            "type": "function",
            "function": {"name": "search_services", "arguments": '{"query": "tell the time"}'},
        }
    ],
}


async def search_then_answer(request: ModelRequest) -> CountedMessage:
    if request.messages[-1]["role"] == "tool":
        return CountedMessage(say("Noon"), TokenCount(20, 2))
    return CountedMessage(SEARCH, TokenCount(10, 1))


async def test_each_answer_is_counted_for_its_conversation_the_last_one_too(
    service: LocalService, tmp_path: Path
) -> None:
    client = PipeClient("counted")
    key = create_key(service, "agent", "counted")
    agent = TestedAgent(
        client, api_key=key, base_url=service.url, store=tmp_path / "agent.db", model=search_then_answer
    )
    agent.set_model("default", "big/model")
    async with serving(agent):
        client.say("What time is it?")
        await until(lambda: client.texts == ["Noon"])

    def tokens() -> Any:
        found = admin_request(service, "GET", f"/v1/sessions/{quote('counted/chat', safe='')}")
        return [each["tokens"] for each in found["sums"]]

    async with asyncio.timeout(PATIENCE):
        while (counted := await asyncio.to_thread(tokens)) != [{"input": 30, "cached": 0, "output": 3}]:
            assert len(counted) <= 1
            await asyncio.sleep(0.05)
