"""The option ``approvals`` of an agent, checked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from svc.errors import SvcError
from svc.protocol.environment import from_environment

_ADMIN_KEY = re.compile(r"svc_admin_[\x21-\x7e]+")
_MAX_POLL_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, kw_only=True)
class ApproverChat:
    """A chat in which people decide about calls.

    Attributes:
        client: The id of one of the agent's clients.
        chat_id: The platform's id of the chat.
        users: The platform's ids of the people who may press the buttons, beside the ``owners`` of the agent.
    """

    client: str
    chat_id: str
    users: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Approvers:
    """Chats to which the agent brings the questions of the service: calls that people have to approve.

    Attributes:
        chats: Where the questions are shown.
        api_key: Admin key, ``svc_admin_…``. Default: the environment variable ``SVC_ADMIN_API_KEY``.
        keys: Ids of agent keys. Default: all whose questions the admin key sees.
        poll_seconds: Seconds between two looks for questions.
    """

    chats: Sequence[ApproverChat]
    api_key: str | None = None
    keys: Sequence[str] | None = None
    poll_seconds: float = 2.0


def read_approvers(given: Approvers, owners: Sequence[str]) -> Approvers:
    """The option with its key.

    Raises:
        SvcError: INVALID_KEY without an admin key; INVALID_REQUEST for a chat in which no person may decide.
    """
    key = (given.api_key or from_environment("SVC_ADMIN_API_KEY") or "").strip()
    if not _ADMIN_KEY.fullmatch(key):
        raise SvcError("INVALID_KEY", "approvals need an admin key, svc_admin_…: set SVC_ADMIN_API_KEY or pass api_key")
    for chat in given.chats:
        if isinstance(chat.users, str):
            raise SvcError("INVALID_REQUEST", "users of a chat is a list of texts")
        if not chat.users and not any(owner.startswith(f"{chat.client}/") for owner in owners):
            raise SvcError(
                "INVALID_REQUEST",
                f"Chat {chat.chat_id} of {chat.client} has no person who may decide: name users, or owners of the "
                "agent",
            )
    seconds: object = given.poll_seconds
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= _MAX_POLL_SECONDS:
        raise SvcError(
            "INVALID_REQUEST",
            f"poll_seconds must be a number of seconds above 0 and at most {_MAX_POLL_SECONDS}, not {seconds!r}",
        )
    return replace(given, api_key=key)
