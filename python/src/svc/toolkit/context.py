"""The handler's first argument: the call, and the methods to answer it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar
from urllib.parse import quote

from svc.protocol.content import ContentBlock
from svc.protocol.http import Payment, Progress
from svc.toolkit.action_connection import ActionConnection
from svc.toolkit.action_error import ActionError
from svc.toolkit.attachment import Attachment, Bytes, file_block, link_block, media_block, text_block
from svc.toolkit.cancellation import Cancellation
from svc.toolkit.charge import check_charge

Value = TypeVar("Value")


# Not frozen: a frozen dataclass sets each member through `object.__setattr__`.
@dataclass(slots=True, kw_only=True)
class Call:
    """The call as the service sent it. It does not change."""

    invocation_id: str
    action: str
    payload: object
    agent_id: str
    user_id: str | None
    idempotency_key: str
    attempt: int
    #: Seconds.
    timeout: float
    payment: Payment | None
    connection: ActionConnection | None
    traceparent: str | None
    tracestate: str | None


class HandlerOutcome(NamedTuple):
    """The meaning of a handler's return value."""

    result: object
    content: list[ContentBlock]
    #: An amount. None: the whole hold of the call.
    charged: str | None


class ActionContext:
    """One call of an action. All members may be used from any thread.

    Attributes:
        action: name of the action, without the toolkit id.
        invocation_id: a globally unique id.
        agent_id: the agent key's id: the same for all calls of one agent, never the key itself.
        user_id: the user of the call, named by the holder of its agent key. The id is unchanged for a token and for
            agents of this toolkit's owner; otherwise it is an id for this toolkit only. None if no user is named.
        idempotency_key: the name of the call, the same for every attempt: the caller's own key, or the invocation id.
            Unique among the calls of one agent, so pass ``f"{ctx.agent_id}/{ctx.idempotency_key}"`` to an API that must
            not have the same effect twice.
        attempt: 1; more if an earlier process was lost during the call, which only idempotent and read-only actions can
            see.
        deadline: when the caller stops waiting, with its time zone.
        cancelled: true when the handler should stop.
        payment: the most that the call may cost, which is held on the agent's key. None for a free call.
        connection: the account with which the call acts: ``ctx.connection.headers()``. None if the toolkit or the
            action needs none.
        traceparent: W3C Trace Context of the call, if caller or service sent one.
        tracestate: as ``traceparent``.
    """

    def __init__(
        self, call: Call, deadline: float, cancelled: Cancellation, send_progress: Callable[[Progress], None]
    ) -> None:
        """Args: deadline: seconds since the epoch."""
        self.action = call.action
        self.invocation_id = call.invocation_id
        self.agent_id = call.agent_id
        self.user_id = call.user_id
        self.idempotency_key = call.idempotency_key
        self.attempt = call.attempt
        self._deadline = deadline
        self.cancelled = cancelled
        self.payment = call.payment
        self.connection = call.connection
        self.traceparent = call.traceparent
        self.tracestate = call.tracestate
        self._send_progress = send_progress
        self._last_result: object = None
        self._attached: list[Attachment] = []
        self._charged: str | None = None
        self._ended = False

    @property
    def deadline(self) -> datetime:
        return datetime.fromtimestamp(self._deadline, UTC)

    def Result(self, value: Value, *, payment: dict[str, str] | None = None) -> Value:  # noqa: N802
        """Sets the result and returns it: ``return ctx.Result(value)`` and ``ctx.Result(value)`` alone are the same.

        The result is sent when the handler ends. The last call counts, and a returned value other than None replaces
        it. The value becomes plain JSON: dataclasses and pydantic models objects, sets arrays, dates texts, bytes
        base64.

        Args:
            value: a text or JSON.
            payment: the charge of the call, ``{"amount": "0.03"}``, as ``ctx.charge`` sets it.
        """
        if payment is not None:
            self.charge(payment.get("amount"))
        self._last_result = value
        return value

    result = Result

    def charge(self, amount: str | None) -> None:
        """Sets the cost of the call, once: ``ctx.charge("0.03")``.

        A call without a charge costs all of ``ctx.payment["amount"]``; a failed call costs nothing.

        Args:
            amount: a decimal text of at most ``ctx.payment["amount"]``, ``"0"`` for nothing.

        Raises:
            SvcError: INVALID_REQUEST
        """
        check_charge(amount, hold=self.payment, charged=self._charged, ended=self._ended)
        self._charged = amount

    def image(self, data: Bytes, media_type: str) -> Attachment:
        """An image beside the result, for models with vision: ``ctx.image(png, "image/png")``.

        Attachments are sent in the order of their creation, whether or not they are returned. ``return ctx.image(…)``
        and ``return [ctx.image(…), ctx.link(…)]`` leave the result as ``ctx.Result`` set it.
        """
        return self._attach(media_block("image", data, media_type))

    def audio(self, data: Bytes, media_type: str) -> Attachment:
        """A sound beside the result."""
        return self._attach(media_block("audio", data, media_type))

    def file(self, content: Bytes | str, media_type: str, name: str | None = None) -> Attachment:
        """A file beside the result. A text, or bytes of a text type such as ``text/csv``, is text for models."""
        file_name = quote(name if name is not None else f"file-{len(self._attached) + 1}", safe="!'()*")
        return self._attach(file_block(content, media_type, f"svc://{self.invocation_id}/{file_name}"))

    def link(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        media_type: str | None = None,
        size: int | None = None,
    ) -> Attachment:
        """An address beside the result; nothing is fetched.

        Args:
            uri: a whole address.
            name: default: the last part of the address.
            title: a text for people.
            description: a longer text.
            media_type: such as ``application/pdf``.
            size: bytes.
        """
        return self._attach(link_block(uri, name, title, description, media_type, size))

    def text(self, text: str) -> Attachment:
        """A text between attachments, such as a caption of the next image."""
        return self._attach(text_block(text))

    #: Makes an error to raise or return: ``raise ctx.error("CITY_UNKNOWN", "There is no city Atlantis")``.
    error = ActionError

    def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Reports progress to the waiting caller. Progress is lost while the connection is down.

        Progress that is not a finite number is dropped, with a line to ``on_warning``.
        """
        report = Progress({"progress": progress})
        if total is not None:
            report["total"] = total
        if message is not None:
            report["message"] = message
        self._send_progress(report)

    @asynccontextmanager
    async def cancel_scope(self) -> AsyncIterator[None]:
        """Cancels the block inside when the handler should stop: ``async with ctx.cancel_scope(): await slow()``.

        Raises:
            ActionError: INVOCATION_CANCELLED, INVOCATION_TIMEOUT or TOOLKIT_STOPPED, out of the block.
        """
        async with self.cancelled.scope():
            yield

    def outcome(self, returned: object) -> HandlerOutcome:
        """The meaning of the handler's return value: the result, all attachments, and the charge."""
        value = self._last_result if returned is None else returned
        listed = _attachments_in(value)
        if listed is None:
            return HandlerOutcome(value, [each.block for each in self._attached], self._charged)
        result = None if _attachments_in(self._last_result) else self._last_result
        # An attachment that another call created may be returned here too.
        every = dict.fromkeys([*self._attached, *listed])
        return HandlerOutcome(result, [each.block for each in every], self._charged)

    def end(self) -> None:
        """The handler has returned or raised: a later charge would be lost."""
        self._ended = True

    def _attach(self, block: ContentBlock) -> Attachment:
        attachment = Attachment(block)
        self._attached.append(attachment)
        return attachment


def _attachments_in(returned: object) -> list[Attachment] | None:
    """None for a value that is a result."""
    if isinstance(returned, Attachment):
        return [returned]
    listed = list(returned) if isinstance(returned, list | tuple) else []
    return listed if listed and all(isinstance(item, Attachment) for item in listed) else None
