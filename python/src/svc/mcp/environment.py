"""Reads the offered tools, the price limit of a call, and the ids for its record from the environment. ``Tools`` itself
reads the key and the address.

Errors: INVALID_REQUEST for an invalid value.
"""

from dataclasses import dataclass

from svc.errors import SvcError
from svc.protocol.amount import amount_problem
from svc.protocol.environment import from_environment
from svc.protocol.ids import check_header_text
from svc.protocol.json_text import quoted

_YES = ("true", "1", "yes", "on")
_NO = ("false", "0", "no", "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSelection:
    """The tools that a client is offered."""

    #: ``search_services`` and ``invoke_service``.
    dynamic_tools: bool = True
    static_toolkits: tuple[str, ...] = ()
    static_actions: tuple[str, ...] = ()


def read_selection() -> ToolSelection:
    return ToolSelection(
        dynamic_tools=_read_flag("SVC_DYNAMIC_TOOLS", default=True),
        static_toolkits=_read_list("SVC_STATIC_TOOLKITS"),
        static_actions=_read_list("SVC_STATIC_ACTIONS"),
    )


def read_code_flag() -> bool:
    """True if the client is offered ``run_code`` too."""
    return _read_flag("SVC_CODE", default=False)


def read_max_payment() -> str | None:
    """None for an empty variable too."""
    amount = _read_text("SVC_MAX_PAYMENT")
    if amount is None:
        return None
    if problem := amount_problem("SVC_MAX_PAYMENT", amount):
        raise SvcError("INVALID_REQUEST", problem)
    return amount


def read_user_id() -> str | None:
    """None for an empty variable too."""
    return _read_id("SVC_USER_ID")


def read_session_id() -> str | None:
    """None for an empty variable too."""
    return _read_id("SVC_SESSION_ID")


def _read_id(name: str) -> str | None:
    text = _read_text(name)
    if text is not None:
        check_header_text(name, text)
    return text


def _read_flag(name: str, *, default: bool) -> bool:
    text = from_environment(name) or ""
    word = text.strip().lower()
    if word == "":
        return default
    if word not in _YES + _NO:
        raise SvcError("INVALID_REQUEST", f"{name} is {quoted(text)}: write true or false")
    return word in _YES


def _read_list(name: str) -> tuple[str, ...]:
    items = (item.strip() for item in (from_environment(name) or "").split(","))
    return tuple(item for item in items if item)


def _read_text(name: str) -> str | None:
    return (from_environment(name) or "").strip() or None
