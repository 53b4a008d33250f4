"""Accounts that calls need. A call is refused with a link to the page on which its person connects the account. The
person gets the link in the chat, and the model never reads it. The page ends with a code, which the person sends in the
chat.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from svc.agent.clock import now_ms
from svc.agent.store.agent_turn import AgentTurn, Connecting
from svc.agent.turns.error_result import error_result
from svc.client.message import Message

#: Milliseconds for the page, whose link is good for ten minutes, and for the code, which is so too.
_CONNECT_WITHIN_MS = 20 * 60 * 1000
_MAX_WRONG_CODES = 5


@dataclass(frozen=True)
class CallToConnect:
    """A call that needs an account.

    Attributes:
        call: the model's.
        connect: ``connect`` of its error, with the link of the page.
    """

    call: dict[str, object]
    connect: Mapping[str, object]

    @property
    def toolkit(self) -> str:
        return str(self.connect["toolkit"])

    @property
    def link(self) -> str:
        return str(self.connect["url"])

    @property
    def has_code(self) -> bool:
        """True if the page ends with a code."""
        return self.connect.get("confirm") is True


def is_askable(needed: CallToConnect, turn: AgentTurn) -> bool:
    """True if the turn asks the person of its message, in the chat where it came from."""
    has_ended = turn.connecting is not None and "ended" in turn.connecting
    return needed.has_code and turn.ctx.is_private and not has_ended


def to_connecting(needed: CallToConnect, earlier: Connecting | None) -> Connecting:
    """The wait for the account. It keeps the number of wrong codes."""
    connecting: Connecting = {"toolkit": needed.toolkit, "until": now_ms() + _CONNECT_WITHIN_MS}
    if earlier and earlier["toolkit"] == needed.toolkit:
        if "wrong" in earlier:
            connecting["wrong"] = earlier["wrong"]
        if "note" in earlier:
            connecting["note"] = earlier["note"]
    return connecting


def waiting_for(turn: AgentTurn) -> Connecting | None:
    """The wait of a turn for an account; None if it does not wait for one."""
    connecting = turn.connecting
    return connecting if turn.state == "asking" and connecting and "ended" not in connecting else None


def connect_due(connecting: Connecting) -> int:
    """The deadline of the wait. It does not move when the clock is set back."""
    return min(connecting["until"], now_ms() + _CONNECT_WITHIN_MS)


def after_wrong_code(connecting: Connecting) -> Connecting:
    """After a wrong code the same calls run again, which give another link, until the codes are too many."""
    wrong = connecting.get("wrong", 0) + 1
    after: Connecting = {"toolkit": connecting["toolkit"], "until": connecting["until"], "wrong": wrong}
    if wrong < _MAX_WRONG_CODES:
        after["note"] = "reply.connect.wrong"
    else:
        after["ended"] = "declined"
    return after


def not_connected(needed: CallToConnect, turn: AgentTurn) -> Message:
    """The result for the model, without the link."""
    may_repeat = turn.ctx.is_private and needed.has_code
    advice = ". Make the call again only if they ask for it" if may_repeat else ""
    return error_result(
        needed.call, {"code": "CONNECTION_REQUIRED", "message": f"{_reason(needed, turn.connecting)}{advice}"}
    )


def _reason(needed: CallToConnect, connecting: Connecting | None) -> str:
    toolkit = f'"{needed.toolkit}"'
    ended = connecting.get("ended") if connecting else None
    if not needed.has_code:
        return f"The account for {toolkit} is missing, and only the operator of this agent can connect it"
    if ended == "expired":
        return f"The person did not connect an account for {toolkit} in time"
    if ended:
        return f"The person did not connect an account for {toolkit}"
    return (
        f"The person has to connect an account for {toolkit}, which needs a private chat: ask them to write to you in "
        "private, and to ask for it there"
    )
