"""The options of an agent, checked."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from svc.agent.approvers.approvers import Approvers
from svc.agent.events import AgentEvent
from svc.agent.model.ask_model import AskModel
from svc.client.message_context import MessageContext
from svc.errors import SvcError
from svc.protocol.amount import to_millionths
from svc.protocol.http import ActionInfo
from svc.protocol.json_text import quoted
from svc.tools.settings import check_whole_number

_MAX_TIMEOUT = 24 * 60 * 60
_OWNER = re.compile(r".+/.+", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class CallToApprove:
    """A call that needs approval.

    Attributes:
        action: The action's id.
        payload: The decoded payload that would run.
        info: The action as agents see it, with its annotations and its price.
    """

    action: str
    payload: dict[str, Any]
    info: ActionInfo


#: Decides about a call that needs approval. An error counts as no.
ApproveCall = Callable[[MessageContext, CallToApprove], bool | Awaitable[bool]]
#: Decides who may talk to the agent, by the message and the id of the client. An error counts as no.
AcceptMessage = Callable[[MessageContext, str], bool | Awaitable[bool]]
Approve = Literal["ask", "never"] | ApproveCall


@dataclass(frozen=True, kw_only=True)
class AgentOptions:
    """The options of ``Agent``, which has their descriptions."""

    api_key: str | None
    base_url: str | None
    agent_id: str
    tool_call_concurrency: int
    store: str
    model: AskModel | None
    accept: AcceptMessage | None
    approve: Approve
    ask_above: str | None
    owners: Sequence[str]
    approvals: Approvers | None
    edit: bool
    on_event: Callable[[AgentEvent], object] | None
    max_steps: int
    max_calls_per_step: int
    turn_timeout: float
    history_tokens: int
    max_concurrent_turns: int
    retention_days: int

    def __post_init__(self) -> None:
        """Raises SvcError INVALID_REQUEST for an option that is wrong."""
        if self.ask_above is not None and to_millionths(self.ask_above) is None:
            raise _invalid(f'ask_above must be an amount as a text, such as "0.50", not {self.ask_above!r}')
        if self.approve not in ("ask", "never") and not callable(self.approve):
            raise _invalid(f"approve is 'ask', 'never' or a function, not {self.approve!r}")
        if isinstance(self.owners, str):
            raise _invalid("owners is a list of texts")
        for owner in self.owners:
            if not _OWNER.fullmatch(owner):
                raise _invalid(f"owners are written <client id>/<user id>, such as telegram-42/7, not {quoted(owner)}")
        timeout: object = self.turn_timeout
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= _MAX_TIMEOUT:
            raise _invalid(
                f"turn_timeout must be a number of seconds above 0 and at most {_MAX_TIMEOUT}, not {timeout!r}"
            )
        check_whole_number("tool_call_concurrency", self.tool_call_concurrency, 1_000)
        check_whole_number("max_steps", self.max_steps, 100)
        check_whole_number("max_calls_per_step", self.max_calls_per_step, 1_000)
        check_whole_number("history_tokens", self.history_tokens, 10_000_000)
        check_whole_number("max_concurrent_turns", self.max_concurrent_turns, 10_000)
        check_whole_number("retention_days", self.retention_days, 36_500)


def _invalid(message: str) -> SvcError:
    return SvcError("INVALID_REQUEST", message)
