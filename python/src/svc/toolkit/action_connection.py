"""``ctx.connection``: the account with which a call acts at the API behind the toolkit.

Its secrets are in no representation, copy or pickle of the object.
Source: docs/protocol.md, section 11.
"""

import base64
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Literal, NoReturn, Self

from svc.toolkit.action_error import ActionError

_VALUES = ("id", "type", "token", "username", "password", "api_key", "expires_at", "account", "_place", "_name")


class ActionConnection:
    """The account with which a call acts. Prints as ``[connection]``.

    ```python
    answer = await client.get(url, headers=ctx.connection.headers())
    ```

    Attributes:
        id: the same for all tokens of one account that the service keeps, until it is connected again. None for a
            credential of the caller, whose account is not known.
        type: ``bearer``, ``basic`` or ``apiKey``.
        token: the access token of a ``bearer`` connection.
        username: of a ``basic`` connection.
        password: of a ``basic`` connection.
        api_key: of an ``apiKey`` connection.
        expires_at: the end of the token, with its time zone. None if it is not known.
        account: the name of the account at the provider, such as ``octocat``. None if it is not known.
    """

    __slots__ = (*_VALUES, "renew")

    def __init__(
        self,
        type: Literal["bearer", "basic", "apiKey"],  # noqa: A002
        *,
        token: str | None = None,
        username: str | None = None,
        password: str | None = None,
        api_key: str | None = None,
        place: Literal["header", "query"] = "header",
        name: str = "",
        expires_at: datetime | None = None,
        account: str | None = None,
        id: str | None = None,  # noqa: A002
    ) -> None:
        self.id = id
        self.type = type
        self.token = token
        self.username = username
        self.password = password
        self.api_key = api_key
        self.expires_at = expires_at
        self.account = account
        self._place = place
        self._name = name
        #: Asks the service for another connection, in any event loop. Set by the invocation.
        self.renew: Callable[[], Awaitable[ActionConnection]] | None = None

    def headers(self) -> dict[str, str]:
        """The headers of a request to the API. Empty for an API key that goes into the query."""
        if self.type == "bearer":
            return {"Authorization": f"Bearer {self.token}"}
        if self.type == "basic":
            pair = f"{self.username}:{self.password}".encode()
            return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
        return {self._name: self.api_key or ""} if self._place == "header" else {}

    async def refused(self) -> None:
        """Replaces a token that the API refused: after an answer 401, ``await ctx.connection.refused()``, then repeat
        the request with the new ``headers()``.

        Can be awaited in any event loop; a plain handler calls ``run_blocking(ctx.connection.refused())``.

        Raises:
            ActionError: CONNECTION_REQUIRED if there is no other token. A handler that does not catch it ends the call
                with that code, which asks the user to connect again.
            SvcError: CONNECTION_CLOSED if the socket to the service closes before the answer; SERVICE_UNAVAILABLE.
        """
        if self.renew is None:
            raise ActionError("CONNECTION_REQUIRED", "This connection belongs to no call")
        renewed = await self.renew()
        for name in _VALUES:
            setattr(self, name, getattr(renewed, name))

    def __repr__(self) -> str:
        return "[connection]"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("A connection stays in the process of its call: it is not pickled")


def read_connection(value: object) -> ActionConnection | None:
    """The ``connection`` of a frame. None if it is missing, malformed, or of an unknown type."""
    if not isinstance(value, dict):
        return None
    texts: dict[str, str] = {name: text for name, text in value.items() if isinstance(text, str)}
    about: dict[str, Any] = {
        "expires_at": _read_time(texts.get("expiresAt")),
        "account": texts.get("account"),
        "id": texts.get("id"),
    }
    match texts:
        case {"type": "bearer", "token": token}:
            return ActionConnection("bearer", token=token, **about)
        case {"type": "basic", "username": username, "password": password}:
            return ActionConnection("basic", username=username, password=password, **about)
        case {"type": "apiKey", "apiKey": api_key, "in": "header" | "query" as place, "name": name}:
            return ActionConnection("apiKey", api_key=api_key, place=place, name=name, **about)
    return None


def _read_time(text: str | None) -> datetime | None:
    try:
        time = datetime.fromisoformat(text) if text is not None else None
    except ValueError:
        return None
    return time.replace(tzinfo=UTC) if time is not None and time.tzinfo is None else time
