"""One connection to Discord's gateway: resumes a session or opens a new one, sends heartbeats, and passes on the
events.

Units: seconds.
Errors: none; ``ConnectionEnd`` says how the connection ended. Frames that are not JSON end it.
Source: https://discord.com/developers/docs/events/gateway, version 10.
"""

import asyncio
import json
import logging
import random
import sys
from asyncio import sleep
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from svc.client.discord.gateway_session import GatewaySession

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

#: Guild messages and direct messages: no privileged intent. Discord then omits the text of messages to others.
_INTENTS = (1 << 9) | (1 << 12)
#: Codes 1000 and 1001 would end the session.
_LEAVE_CODE = 4200
_ABNORMAL_CODE = 1006
#: The limit for the handshake, and for each frame until the session is established.
_SILENCE_TIME = 20.0
_LEAVE_TIME = 1.0
_MAX_FRAME_BYTES = 16 * 1024 * 1024


class _Op(IntEnum):
    """The operations of the gateway."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


#: An event of Discord, as JSON: ``t`` is its type, ``d`` its data.
GatewayEvent = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ConnectionEnd:
    """How a connection ended."""

    code: int
    #: None if Discord ended the session.
    session: GatewaySession | None
    #: The seconds that Discord asks to wait.
    wait: float | None = None


class GatewayConnection:
    """A single-use connection.

    Args:
        session: An earlier session, to be resumed.
        on_event: Called with each event, and the session that includes it.
        on_alive: Called when Discord answered a heartbeat.
    """

    def __init__(
        self,
        *,
        url: str,
        bot_token: str,
        session: GatewaySession | None,
        on_event: Callable[[GatewayEvent, GatewaySession], None],
        on_alive: Callable[[], None],
    ) -> None:
        self._url = urlsplit(url)._replace(query="v=10&encoding=json", fragment="").geturl()
        self._bot_token = bot_token
        self._session = session
        self._on_event = on_event
        self._on_alive = on_alive
        self._is_acknowledged = True
        self._is_established = False
        self._wait: float | None = None
        self._beating: asyncio.Task[None] | None = None

    async def run(self) -> ConnectionEnd:
        """Runs the connection from its opening to its end. After a cancellation Discord keeps the session for a
        while.
        """
        from websockets.exceptions import ConnectionClosed, WebSocketException

        try:
            socket = await self._open()
        except (OSError, TimeoutError, WebSocketException):
            return self._end(_ABNORMAL_CODE)
        try:
            await self._serve(socket)
            return self._end(_LEAVE_CODE)
        except ConnectionClosed as closed:
            return self._end(closed.rcvd.code if closed.rcvd else _ABNORMAL_CODE)
        except TimeoutError:
            socket.transport.abort()
            return self._end(_ABNORMAL_CODE)
        finally:
            await self._stop_beating()
            await socket.close(_LEAVE_CODE)

    async def _open(self) -> "ClientConnection":
        from websockets.asyncio.client import connect

        # The library's own log shows frames, and the first one has the token.
        silent = logging.Logger("svc.client.discord")
        silent.disabled = True
        return await connect(
            self._url,
            compression=None,
            max_size=_MAX_FRAME_BYTES,
            ping_interval=None,
            open_timeout=_SILENCE_TIME,
            close_timeout=_LEAVE_TIME,
            logger=silent,
        )

    async def _serve(self, socket: "ClientConnection") -> None:
        """Returns when the connection must be replaced."""
        clock = asyncio.get_running_loop()
        async with asyncio.timeout(_SILENCE_TIME) as silence:
            while True:
                frame = _parse(await socket.recv())
                if frame is None:
                    socket.transport.abort()
                    continue
                if await self._handle(frame, socket):
                    return
                silence.reschedule(None if self._is_established else clock.time() + _SILENCE_TIME)

    async def _handle(self, frame: dict[str, Any], socket: "ClientConnection") -> bool:
        """True if the connection must be replaced."""
        match frame.get("op"):
            case _Op.DISPATCH:
                self._dispatch(frame)
            case _Op.HEARTBEAT:
                await self._send_heartbeat(socket)
            case _Op.HEARTBEAT_ACK:
                self._is_acknowledged = True
                self._on_alive()
            case _Op.HELLO:
                await self._authenticate(socket)
                await self._stop_beating()
                self._beating = asyncio.create_task(self._beat(socket, frame["d"]["heartbeat_interval"] / 1000))
            case _Op.RECONNECT:
                return True
            case _Op.INVALID_SESSION:
                if not frame.get("d"):
                    self._session = None
                # Discord asks for a random wait of 1 to 5 seconds.
                self._wait = 1 + random.random() * 4
                return True
        return False

    async def _authenticate(self, socket: "ClientConnection") -> None:
        if self._session:
            resume = {"token": self._bot_token, "session_id": self._session.session, "seq": self._session.sequence}
            await _send(socket, _Op.RESUME, resume)
            return
        properties = {"os": sys.platform, "browser": "svc-sdk", "device": "svc-sdk"}
        await _send(socket, _Op.IDENTIFY, {"token": self._bot_token, "intents": _INTENTS, "properties": properties})

    def _dispatch(self, event: GatewayEvent) -> None:
        if event["t"] == "READY":
            data = event["d"]
            self._session = GatewaySession(data["session_id"], event["s"], data["resume_gateway_url"])
        elif self._session:
            self._session = replace(self._session, sequence=event["s"])
        if self._session is None:
            return
        if event["t"] in ("READY", "RESUMED"):
            self._is_established = True
        self._on_event(event, self._session)

    async def _beat(self, socket: "ClientConnection", interval: float) -> None:
        """The first heartbeat is sent at a random time, so that not all bots send at once after an outage."""
        from websockets.exceptions import ConnectionClosed

        await sleep(random.random() * interval)
        with suppress(ConnectionClosed):
            while self._is_acknowledged:
                self._is_acknowledged = False
                await self._send_heartbeat(socket)
                await sleep(interval)
        # A connection without answers is dead, so a close frame would not be answered either.
        socket.transport.abort()

    async def _send_heartbeat(self, socket: "ClientConnection") -> None:
        await _send(socket, _Op.HEARTBEAT, self._session.sequence if self._session else None)

    async def _stop_beating(self) -> None:
        if self._beating:
            self._beating.cancel()
            await asyncio.wait({self._beating})

    def _end(self, code: int) -> ConnectionEnd:
        return ConnectionEnd(code, self._session, self._wait)


async def _send(socket: "ClientConnection", operation: int, data: object) -> None:
    await socket.send(json.dumps({"op": operation, "d": data}))


def _parse(text: str | bytes) -> dict[str, object] | None:
    try:
        frame = json.loads(text)
    except ValueError:
        return None
    return frame if isinstance(frame, dict) else None
