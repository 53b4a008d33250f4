"""A chat of an agent in the records of the real service."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from svc import ActionContext, Toolkit
from svc.agent import ModelRequest
from svc.client.base import Message, message_text
from svc.testing import LocalService
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving as serving_agent
from tests.support.keys import admin_request, create_key
from tests.support.running import serving
from tests.support.waiting import PATIENCE, until


def call(name: str, **arguments: object) -> Message:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


async def model(request: ModelRequest) -> Message:
    """Searches and deletes; a later ``again`` deletes without a search."""
    last = request.messages[-1]
    text = message_text(last)
    if last["role"] == "tool":
        if "deleted" in text:
            return say(text)
        return call("invoke_service", action="sessions-orders__delete", payload={"id": 7})
    if text == "again":
        return call("invoke_service", action="sessions-orders__delete", payload={"id": 8})
    return call("search_services", query="deletes an order")


async def test_a_call_names_its_search_also_after_an_approval_and_in_a_later_turn_until_new(
    service: LocalService, tmp_path: Path
) -> None:
    toolkit = Toolkit(create_key(service, "toolkit", "sessions-orders"), base_url=service.url)

    @toolkit.action(
        action="delete",
        action_description="Deletes an order",
        payload_description={"id": {"type": "integer", "required": True}},
        annotations={"destructive": True},
    )
    def delete(ctx: ActionContext, payload: dict[str, Any]) -> str:
        return f"deleted {payload['id']}"

    client = PipeClient("sessions")
    key = create_key(service, "agent", "sessions")
    agent = TestedAgent(client, api_key=key, base_url=service.url, store=tmp_path / "agent.db", model=model)
    async with serving(toolkit), serving_agent(agent):
        for count, text in enumerate(("delete order 7", "yes", "again", "yes", "/new", "again", "yes"), 1):
            client.say(text)
            await until(lambda: len(client.texts) == count)  # noqa: B023 (awaited in the loop)
    assert [text for text in client.texts if text.startswith("deleted")] == ["deleted 7", "deleted 8", "deleted 8"]

    def searches_of_calls() -> list[object]:
        """Each call gives True for the one search of the chat; the records are written later."""
        entries = admin_request(service, "GET", f"/v1/sessions/{quote('sessions/chat', safe='')}")["entries"]
        (search,) = [each for each in entries if each["kind"] == "search"]
        assert (search["user"], search["shown"]) == ("sessions/ann", ["sessions-orders__delete"])
        named = [each["call"].get("search") for each in entries if each["kind"] == "call"]
        return [name and name == search["id"] for name in named]

    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(searches_of_calls) != [True, True, None]:
            await asyncio.sleep(0.05)
