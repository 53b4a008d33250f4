"""Questions to the user of a client with a handshake: requests of this server.

Source: MCP, revision 2025-11-25, "Elicitation".
"""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from svc.mcp.message import ClientAnswer

#: A person answers.
_TIMEOUT_SECONDS = 600
_CANCEL: dict[str, object] = {"action": "cancel"}


class ClientQuestions:
    """Sends requests and waits for their answers."""

    def __init__(self, send: Callable[[dict[str, object]], None]) -> None:
        self._send = send
        self._waiting: dict[object, asyncio.Future[dict[str, object]]] = {}

    async def ask(self, questions: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
        """The answers by name. A question without an answer counts as cancelled."""
        return {name: await self._ask(question) for name, question in questions.items()}

    def answered(self, answer: ClientAnswer) -> None:
        waiting = self._waiting.get(answer.id)
        if waiting and not waiting.done():
            waiting.set_result(_CANCEL if answer.result is None else answer.result)

    async def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        request = str(uuid4())
        waiting = self._waiting[request] = asyncio.get_running_loop().create_future()
        params = question["params"]
        if params["mode"] == "url":
            params = {**params, "elicitationId": str(uuid4())}
        self._send({"jsonrpc": "2.0", "id": request, "method": question["method"], "params": params})
        try:
            return await asyncio.wait_for(waiting, _TIMEOUT_SECONDS)
        except TimeoutError:
            return _CANCEL
        finally:
            del self._waiting[request]
