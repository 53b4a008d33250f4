"""A service whose only action needs an account of each user: scripted answers on a real socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.support.wire_server import Received, Reply, wire_server

ACTION = "account__whoami"
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class AccountService:
    """Links, codes and accounts by user."""

    def __init__(self) -> None:
        self.url = ""
        #: Users in the order of their calls that ran.
        self.ran: list[str] = []
        #: Calls that were refused or ran: their idempotency keys.
        self.keys: list[str] = []
        #: True: no code can be checked.
        self.is_down = False
        #: The members of ``connect`` beside toolkit and url.
        self.connect: dict[str, Any] = {"confirm": True}
        self._users: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        self._connected: set[str] = set()

    def connect_at(self, link: str) -> str:
        """Connects an account on the page of the link, and returns the code that the page shows."""
        number = len(self._codes)
        code = f"7KQ2M-9XWP{_LETTERS[number]}"
        self._codes[code] = self._users[link]
        return code

    def answer(self, request: Received) -> Reply:
        if request.path == "/v1/resolve":
            action = {"action": ACTION, "description": "Names the account", "payloadSchema": {}}
            return Reply(body={"action": action, "payload": {}, "version": "v1"})
        if request.path == "/v1/connections/confirm":
            return self._confirm(request.body["code"], request.body["userId"])
        user = request.headers["svc-user-id"]
        self.keys.append(request.headers["idempotency-key"])
        if request.body["action"] != ACTION:
            return Reply(body={"invocationId": "inv_2", "result": "other"})
        if user not in self._connected:
            return self._refuse(user)
        self.ran.append(user)
        return Reply(body={"invocationId": "inv_1", "result": "octocat"})

    def _refuse(self, user: str) -> Reply:
        link = f"{self.url}/connections/connect/l{len(self._users)}"
        self._users[link] = user
        connect = {"toolkit": "account", "url": link, **self.connect}
        return Reply(403, {"code": "CONNECTION_REQUIRED", "detail": f"Connect at {link}", "connect": connect})

    def _confirm(self, code: str, user: str) -> Reply:
        if self.is_down:
            return Reply(503, {"code": "SERVICE_UNAVAILABLE", "detail": "Not now"})
        if self._codes.get(code) != user:
            return Reply(404, {"code": "NOT_FOUND", "detail": "There is no such code"})
        self._connected.add(user)
        return Reply(body={"toolkit": "account", "name": "default"})


@asynccontextmanager
async def account_service() -> AsyncIterator[AccountService]:
    service = AccountService()
    async with wire_server(service.answer) as server:
        service.url = server.url
        yield service
