"""Agents whose model a test scripts, without a service."""

from pathlib import Path
from typing import Any

from svc.agent import Agent, AgentEvent, ModelRequest
from svc.client.base import BaseClient, Message, message_text


def say(content: str) -> Message:
    return {"role": "assistant", "content": content}


async def echo(request: ModelRequest) -> Message:
    return say(f"You: {message_text(request.messages[-1])}")


class TestedAgent(Agent):
    """An agent that keeps its events."""

    __test__ = False

    def __init__(self, *clients: BaseClient, store: Path | str = ":memory:", **options: Any) -> None:
        self.events: list[AgentEvent] = []
        defaults = {"api_key": "svc_agent_test", "model": echo, "on_event": self.events.append}
        super().__init__(clients=clients, store=store, **{**defaults, **options})

    def kinds(self, *names: str) -> list[AgentEvent]:
        return [event for event in self.events if event.type in names]

    def codes(self) -> list[str]:
        """The outcomes of the turns."""
        return [getattr(event, "code", "") for event in self.kinds("turn-end")]

    def states(self) -> list[str]:
        """The states of the clients."""
        return [getattr(event, "state", "") for event in self.kinds("client-state")]
