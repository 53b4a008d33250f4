"""One socket to the service, from its opening to its end: sends and receives frames, and matches answers to requests.

Units: seconds.
Errors: ``open_connection`` raises ConnectError; later the fault is the value of ``ended()``, after every open request
    was settled as lost.
Source: docs/protocol.md, section 6; JSON-RPC 2.0.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from svc.errors import SvcError
from svc.protocol.frames import (
    METHOD_NOT_FOUND,
    NORMAL,
    PROTOCOL_VIOLATED,
    ErrorFrame,
    FrameIn,
    Notification,
    Request,
    answer_frame,
    read_frame,
    request_frame,
)
from svc.protocol.json_text import quoted, to_json
from svc.toolkit.fault import ConnectError, Fault, closed_with, from_error_frame, network_fault, refused_upgrade

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

#: A service sends frames of at most 8 MiB; the library's own limit is 1 MiB.
_MAX_FRAME_BYTES = 16 * 1024 * 1024
_MAX_MALFORMED_FRAMES = 3
#: The limit for the upgrade and the registration together.
_OPEN_TIME = 20.0
#: The limit for the closing handshake, after which the socket is cut.
_CLOSE_TIME = 2.0
#: The frames of one write have at most this many characters and one more frame.
_MAX_GATHERED_CHARS = 64 * 1024
#: RFC 6455, section 7.1.5: the other side sent no close frame.
_ABNORMAL = 1006


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request of this side: a result, an error, or none because the connection is gone."""

    result: object = None
    error: SvcError | None = None
    is_lost: bool = False


#: Called once, before any later frame is handled.
Settle = Callable[[Answer], None]


class ConnectionListener(Protocol):
    """The frames of the service."""

    def invoke(self, invocation_id: str, params: object) -> None: ...

    def cancel(self, params: object) -> None: ...

    def warning(self, params: object) -> None: ...

    def reconnect(self, params: object) -> None: ...


async def open_connection(url: str, api_key: str, listener: ConnectionListener) -> "SocketConnection":
    """An open connection, which reads its first frame in the next turn of the event loop."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus, WebSocketException

    class ConnectHere(connect):
        def process_redirect(self, exc: Exception) -> Exception:
            """No redirects: the key is not sent to another address."""
            return exc

    # The library's own log shows headers and frames, with the key and the connections of calls.
    silent = logging.Logger("svc.toolkit")
    silent.disabled = True
    begun = asyncio.get_running_loop().time()
    try:
        socket = await ConnectHere(
            url,
            additional_headers={"authorization": f"Bearer {api_key}"},
            # No compression, which takes ten times the memory per socket.
            compression=None,
            max_size=_MAX_FRAME_BYTES,
            open_timeout=_OPEN_TIME,
            close_timeout=_CLOSE_TIME,
            # No pings: the protocol has its own heartbeats.
            ping_interval=None,
            logger=silent,
        )
    except InvalidStatus as error:
        body = bytes(error.response.body or b"").decode(errors="replace")
        raise ConnectError(refused_upgrade(error.response.status_code, body, url)) from None
    except (OSError, ValueError, WebSocketException) as error:
        raise ConnectError(network_fault(error, url)) from error
    left = _OPEN_TIME - (asyncio.get_running_loop().time() - begun)
    return SocketConnection(socket, url, listener, left)


class SocketConnection:
    """A socket after its opening, open or closed."""

    def __init__(
        self, socket: "ClientConnection", url: str, listener: ConnectionListener, registration_time: float
    ) -> None:
        self._socket = socket
        self._url = url
        self._listener = listener
        self._requests: dict[int, Settle] = {}
        self._last_request_id = 0
        self._malformed_frames = 0
        self._fault: Fault | None = None
        #: Frames may still arrive after the close was requested, and are ignored.
        self._listens = True
        self._outbox: deque[str] = deque()
        self._has_mail = asyncio.Event()
        self._timer = asyncio.get_running_loop().call_later(
            registration_time, self.cut_off, f"no registration within {_OPEN_TIME:g} s"
        )
        self._writer = asyncio.create_task(self._write())
        self._reader = asyncio.create_task(self._read())
        self._closer: asyncio.Task[None] | None = None

    async def ended(self) -> Fault:
        """Waits for the end of the connection and returns its reason."""
        return await asyncio.shield(self._reader)

    async def closed(self) -> None:
        """Waits until the connection and its closing handshake have ended."""
        await asyncio.wait({self._reader} if self._closer is None else {self._reader, self._closer})

    def settled(self) -> None:
        """Starts the heartbeats after the registration."""
        self._timer.cancel()

    def send(self, frame: str) -> None:
        if self._listens:
            self._outbox.append(frame)
            self._has_mail.set()

    def request(self, method: str, params_json: str, settle: Settle) -> None:
        if not self._listens:
            settle(Answer(is_lost=True))
            return
        self._last_request_id += 1
        self._requests[self._last_request_id] = settle
        self.send(request_frame(self._last_request_id, method, params_json))

    def close(self, code: int = NORMAL) -> None:
        """Sends the queued frames, then closes."""
        self._listens = False
        if self._closer is None:
            self._closer = asyncio.create_task(self._close(code))

    def retire(self) -> None:
        """Retires this connection, because another is in use: later frames here are ignored."""
        self.close()
        self._lose_requests()

    def leave(self, error: SvcError) -> None:
        """Closes with an answer of the service as the fault."""
        self._fault = self._fault or Fault(error)
        self.close()

    def break_off(self, reason: str) -> None:
        """Closes because the service violates the protocol."""
        self._fault = self._fault or Fault(
            SvcError("CONNECTION_CLOSED", f"Closed the connection to {self._url}: {reason}")
        )
        self.close(PROTOCOL_VIOLATED)

    def cut_off(self, reason: str) -> None:
        """Closes without a closing handshake, because the other side is silent."""
        self._fault = self._fault or Fault(
            SvcError("CONNECTION_CLOSED", f"Cut the connection to {self._url}: {reason}")
        )
        self._listens = False
        self._socket.transport.abort()

    async def _write(self) -> None:
        from websockets.exceptions import ConnectionClosed
        from websockets.protocol import State

        protocol = self._socket.protocol
        try:
            while True:
                await self._has_mail.wait()
                self._has_mail.clear()
                while self._outbox:
                    if protocol.state is not State.OPEN:
                        # Waits for the end of the connection, and raises its error.
                        await self._socket.send(self._outbox.popleft())
                    await self._write_gathered()
                if not self._listens:
                    return
        except (ConnectionClosed, OSError):
            return  # The reader reports the failure.

    async def _write_gathered(self) -> None:
        """Writes queued frames at once: a write for each frame takes a sixth of a call's processor time."""
        protocol = self._socket.protocol
        chars = 0
        while self._outbox and chars < _MAX_GATHERED_CHARS:
            frame = self._outbox.popleft()
            chars += len(frame)
            protocol.send_text(frame.encode())
        self._socket.transport.write(b"".join(protocol.data_to_send()))
        await self._socket.drain()

    async def _read(self) -> Fault:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                message = await self._socket.recv()
                if self._listens:
                    self._on_message(message)
        except ConnectionClosed as closed:
            code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (_ABNORMAL, "")
            return self._fault or closed_with(code, reason)
        except asyncio.CancelledError:
            self._close_at_once()
            raise
        finally:
            self._listens = False
            self._timer.cancel()
            self._writer.cancel()
            self._lose_requests()

    async def _close(self, code: int) -> None:
        self._has_mail.set()
        await asyncio.wait({self._writer}, timeout=_CLOSE_TIME)
        await self._socket.close(code)

    def _close_at_once(self) -> None:
        """The event loop ends without waiting. Without a close frame the service would wait for this process."""
        from websockets.protocol import State

        if self._socket.state is State.OPEN:
            self._socket.protocol.send_close(NORMAL)
            self._socket.send_data()
        self._socket.transport.close()

    def _on_message(self, message: str | bytes) -> None:
        frame = read_frame(message) if isinstance(message, str) else None
        if frame is not None:
            self._on_frame(frame)
            return
        self._malformed_frames += 1
        if self._malformed_frames == _MAX_MALFORMED_FRAMES:
            self.break_off("frames that are not JSON-RPC came")

    def _on_frame(self, frame: FrameIn) -> None:
        if isinstance(frame, Request):
            self._on_request(frame)
        elif isinstance(frame, Notification):
            self._on_notification(frame)
        elif isinstance(frame, ErrorFrame):
            self._settle(frame.id, Answer(error=from_error_frame(frame)))
        else:
            self._settle(frame.id, Answer(frame.result))

    def _on_request(self, frame: Request) -> None:
        if frame.method == "invoke" and isinstance(frame.id, str):
            self._listener.invoke(frame.id, frame.params)
            return
        message = f"A toolkit has no method {quoted(frame.method)} with such an id"
        error = to_json({"code": METHOD_NOT_FOUND, "message": message})
        self.send(answer_frame(frame.id, f'"error":{error}'))

    def _on_notification(self, frame: Notification) -> None:
        if frame.method == "cancel":
            self._listener.cancel(frame.params)
        elif frame.method == "warning":
            self._listener.warning(frame.params)
        elif frame.method == "reconnect":
            self._listener.reconnect(frame.params)

    def _settle(self, frame_id: object, answer: Answer) -> None:
        """An answer without a request is ignored: its id does not identify the invalid frame."""
        settle = self._requests.pop(frame_id, None) if type(frame_id) is int else None
        if settle:
            settle(answer)

    def _lose_requests(self) -> None:
        requests, self._requests = self._requests, {}
        for settle in requests.values():
            settle(Answer(is_lost=True))
