"""Calls that a person has to approve: the call waits for the decision, or the application asks its own user.

Rule: a call that the service refuses with APPROVAL_REQUIRED is made again with the same idempotency key, so it runs
    once.
Errors: APPROVAL_REQUIRED when there is no decision in time; APPROVAL_DENIED.
Source: docs/protocol.md, section 12.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, TypeVar, cast, overload

from svc.errors import SvcError
from svc.protocol.approvals import ApprovalDecider, ApprovalDecision, ApprovalStatus, RequiredApproval
from svc.protocol.http import InvokeResponse, UnfinishedInvocation
from svc.tools.questions import Questions
from svc.tools.unfinished import how_to_read, is_undecided

Answer = TypeVar("Answer")

#: Seconds of one request that waits for a decision. Proxies end a request that is silent for a minute.
_MAX_ROUND = 45
#: Seconds between two requests about one question.
_PAUSE = 0.25
#: The questions of one call to the application, whose rules may change each time.
_MAX_QUESTIONS = 3

#: ``report``: the error says what to do next. ``wait``: the call waits for the decision.
ApprovalMode = Literal["report", "wait"]


class ApprovalQuestion(RequiredApproval):
    """The argument of ``on_approval_required``: a call that waits for the application's user."""

    #: Action id.
    action: str
    #: The payload that would run.
    payload: dict[str, Any]
    #: The user of the call.
    user_id: str | None

    if TYPE_CHECKING:

        @overload  # type: ignore[override] # The keys of the former class, and more.
        def __getitem__(self, key: Literal["id", "expiresAt", "url", "reason", "action"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> ApprovalStatus: ...
        @overload
        def __getitem__(self, key: Literal["decidedBy"], /) -> ApprovalDecider: ...
        @overload
        def __getitem__(self, key: Literal["isNew"], /) -> Literal[True]: ...
        @overload
        def __getitem__(self, key: Literal["payload"], /) -> dict[str, Any]: ...
        @overload
        def __getitem__(self, key: Literal["userId"], /) -> str | None: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ApprovalAnswer(TypedDict):
    """A decision with its reason."""

    decision: ApprovalDecision
    #: The model reads it.
    reason: NotRequired[str]
    #: Seconds during which later calls of the action in this session need no further approval, with ``approve``.
    sessionSeconds: NotRequired[int]


Decided = ApprovalDecision | ApprovalAnswer | None
#: Asks the application's user. None: there is no decision yet.
ApprovalRequiredCallback = Callable[[ApprovalQuestion], Decided | Awaitable[Decided]]
#: True for a question that the application's user has approved before the call.
ApprovalTest = Callable[[RequiredApproval], bool]


class ApprovedCall(TypedDict):
    """A call as the application's user reads it."""

    action: str
    payload: dict[str, object]
    userId: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnapprovedCall:
    """A call that may need an approval, and the requests to the service about it."""

    #: Seconds of the call, and those to wait for a decision.
    timeout: float
    #: A model reads the error.
    for_model: bool
    #: True for a question that the application's user has approved.
    is_approved: ApprovalTest | None
    #: Returns what the application's user reads.
    describe: Callable[[], Awaitable[ApprovedCall]]
    #: Stores the decision about the approval with an id.
    decide: Callable[[str, ApprovalAnswer], Awaitable[object]]
    #: Returns the result of a handle after some seconds, within a time limit in seconds.
    follow: Callable[[str, int, float], Awaitable[InvokeResponse | UnfinishedInvocation]]


class CallerApprovals:
    """The options of a ``Tools`` for approvals.

    Args:
        mode: ``report`` or ``wait``.
        on_required: asks the application's user.

    Raises:
        SvcError: INVALID_REQUEST
    """

    def __init__(self, mode: object, on_required: object) -> None:
        if mode not in ("report", "wait"):
            raise SvcError("INVALID_REQUEST", f'approvals is "report" or "wait", not {mode!r}')
        if on_required is not None and not callable(on_required):
            raise SvcError("INVALID_REQUEST", f"on_approval_required is a function, not {type(on_required).__name__}")
        self._mode: ApprovalMode = mode
        self._on_required: ApprovalRequiredCallback | None = on_required
        self._questions: Questions[bool] = Questions()

    def changed(self, *, mode: object, on_required: object) -> "CallerApprovals":
        """The same with other options. None: unchanged."""
        return CallerApprovals(
            self._mode if mode is None else mode, self._on_required if on_required is None else on_required
        )

    @property
    def waits(self) -> bool:
        """Calls wait for a person who decides elsewhere."""
        return self._mode == "wait"

    @property
    def asks_user(self) -> bool:
        """The application asks its user itself."""
        return self._on_required is not None

    async def call(self, call: UnapprovedCall, send: Callable[[float], Awaitable[Answer]]) -> Answer:
        """The answer to a call.

        Args:
            call: what is known about it.
            send: makes the call, which may take some seconds.
        """
        ends_at = time.monotonic() + call.timeout
        left = call.timeout
        seen: set[str] = set()
        while True:
            try:
                return await send(left)
            except SvcError as error:
                required = _required_by(error)
                if required is None:
                    raise
                is_new = required["id"] not in seen
                seen.add(required["id"])
                if not is_new:
                    await asyncio.sleep(_PAUSE)
                elif len(seen) <= _MAX_QUESTIONS and await self.decides(required, call):
                    # The time of the user is not the time of the call.
                    left = call.timeout
                    continue
                if self._mode == "wait" and await _is_decided(call, required["id"], ends_at):
                    left = max(ends_at - time.monotonic(), 0.001)
                    continue
                if not call.for_model:
                    raise
                asks_user = self.asks_user and required["decidedBy"] == "app"
                raise (_user_was_asked(required) if asks_user else _person_decides(error, required)) from None

    async def decides(self, required: RequiredApproval, call: UnapprovedCall) -> bool:
        """Asks the application. False if others decide, or if nothing is decided yet."""
        if required["decidedBy"] != "app":
            return False
        if call.is_approved is not None and call.is_approved(required):
            await _decide(call, required, {"decision": "approve"})
            return True
        if self._on_required is None:
            return False
        return await self._questions.ask(required["id"], _ask(self._on_required, required, call))


async def _ask(on_required: ApprovalRequiredCallback, required: RequiredApproval, call: UnapprovedCall) -> bool:
    question = ApprovalQuestion({**required, **await call.describe()})
    answer = await _from_application(on_required, question)
    if answer is not None:
        await _decide(call, required, answer)
    return answer is not None


async def _decide(call: UnapprovedCall, required: RequiredApproval, answer: ApprovalAnswer) -> None:
    try:
        await call.decide(required["id"], answer)
    except SvcError as error:
        # Another decision was first: the same call gets its effect.
        if error.code != "CONFLICT":
            raise


async def _is_decided(call: UnapprovedCall, approval_id: str, ends_at: float) -> bool:
    """False if there is no decision in time."""
    while (left := ends_at - time.monotonic()) >= 1:
        try:
            found = await call.follow(approval_id, min(int(left), _MAX_ROUND), left)
            is_pending = is_undecided(found)
        except SvcError as error:
            # A node restarts, and the question is in the store. The call itself gets any other error.
            is_pending = error.retryable
        if not is_pending:
            # The service may have answered nothing at all.
            return time.monotonic() < ends_at
        await asyncio.sleep(_PAUSE)
    return False


async def _from_application(on_required: ApprovalRequiredCallback, question: ApprovalQuestion) -> ApprovalAnswer | None:
    """The model reads neither the reason of a failure, which may have secrets of the application, nor the link."""
    try:
        value = on_required(question)
        decided = await value if inspect.isawaitable(value) else value
    except Exception as error:
        message = (
            "A person has to approve this call first, and the application could not ask: on_approval_required failed"
        )
        raise SvcError("APPROVAL_REQUIRED", message) from error
    if decided is None:
        return None
    answer: object = {"decision": decided} if isinstance(decided, str) else decided
    if not isinstance(answer, dict) or answer.get("decision") not in ("approve", "deny"):
        raise SvcError("INVALID_REQUEST", f'on_approval_required returns "approve", "deny" or None, not {decided!r}')
    return cast(ApprovalAnswer, answer)


def _required_by(error: SvcError) -> RequiredApproval | None:
    required = error.details.get("approval")
    if error.code != "APPROVAL_REQUIRED" or not isinstance(required, dict) or not isinstance(required.get("id"), str):
        return None
    return RequiredApproval(required)


def _person_decides(error: SvcError, required: RequiredApproval) -> SvcError:
    link = ", with the link" if "url" in required else ""
    return SvcError(
        error.code,
        f"A person has to approve this call first. Tell the user{link}. When it is approved, make the same call again, "
        f"or read its result: {how_to_read(required['id'])}",
        error.details,
    )


def _user_was_asked(required: RequiredApproval) -> SvcError:
    """The link is the application's, which has asked the user."""
    return SvcError(
        "APPROVAL_REQUIRED",
        "The user was asked to approve this call. Say so, and make the same call again when they have done it",
        {"approval": {name: value for name, value in required.items() if name != "url"}},
    )
