"""The key of a ``Tools``: a fixed key, or one that the caller's function returns. A refused key is replaced.

Errors: INVALID_KEY, WRONG_KEY_KIND; no message has the key.
"""

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable

from svc.errors import SvcError
from svc.protocol.environment import from_environment

KeyFunction = Callable[[], str | Awaitable[str]]

_OTHER_KIND = re.compile(r"svc_(toolkit|admin)_")
_AGENT_KEY = re.compile(r"svc_(agent|token)_[\x21-\x7e]+")


class ApiKey:
    """The key for the next request. Concurrent calls share one call of the function."""

    def __init__(self, option: str | KeyFunction | None) -> None:
        if option is not None and not isinstance(option, str) and not callable(option):
            raise SvcError("INVALID_KEY", f"api_key is a text or a function, not {type(option).__name__}")
        self._option = option
        self._given: asyncio.Task[str] | None = None

    async def current(self) -> str:
        """The fixed key, or the last key that the function returned."""
        if not callable(self._option):
            return _read_key(self._option)
        if self._given is None or _is_useless(self._given):
            self._given = asyncio.ensure_future(_ask(self._option))
        # A cancelled caller must not cancel the others.
        return await asyncio.shield(self._given)

    async def replacement(self, refused: str) -> str | None:
        """A replacement for a refused key; None if there is none."""
        if not callable(self._option):
            return None
        given = self._given
        # Another call may have replaced the key already.
        if given is not None and given.done() and not _is_useless(given) and given.result() == refused:
            self._given = None
        key = await self.current()
        return None if key == refused else key


def _is_useless(given: "asyncio.Task[str]") -> bool:
    """The call failed, or belongs to an event loop that has ended."""
    if given.done():
        return given.cancelled() or given.exception() is not None
    return given.get_loop() is not asyncio.get_running_loop()


async def _ask(give: KeyFunction) -> str:
    try:
        given = give()
        key: object = await given if inspect.isawaitable(given) else given
    except Exception as error:
        raise SvcError("INVALID_KEY", f"The api_key function failed: {error}") from error
    if not isinstance(key, str):
        raise SvcError("INVALID_KEY", f"The api_key function must return a text, not {type(key).__name__}")
    return _read_key(key)


def _read_key(option: str | None) -> str:
    """An agent key or an agent token, read with every request.

    ``get_tools()`` works without one, and ``dotenv`` may set the variable after the ``Tools`` was made.
    """
    key = ((from_environment("SVC_AGENT_API_KEY") if option is None else option) or "").strip()
    if key == "":
        raise SvcError(
            "INVALID_KEY",
            "No agent key. Set SVC_AGENT_API_KEY or pass api_key=…; the operator of the service makes one with "
            "`npx svc-service keys create`",
        )
    if kind := _OTHER_KIND.match(key):
        owner = "an administrator" if kind[1] == "admin" else "a toolkit"
        raise SvcError("WRONG_KEY_KIND", f"This is a key for {owner}; Tools needs an agent key, svc_agent_…")
    # The wrong variable may hold another vendor's secret, which must not be sent.
    if not _AGENT_KEY.fullmatch(key):
        raise SvcError(
            "INVALID_KEY",
            "This is not an agent key: an agent key begins with svc_agent_, an agent token with svc_token_",
        )
    return key
