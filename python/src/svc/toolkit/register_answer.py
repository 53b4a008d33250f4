"""The answer to ``register``."""

from dataclasses import dataclass
from typing import Any

from svc.errors import SvcError
from svc.toolkit.status import Registration, RejectedAction, ToolkitInfo

_LONGEST_HEARTBEAT_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class RegisterAnswer:
    """The service's view of this instance."""

    registration: Registration
    rejected: list[RejectedAction]
    #: Unfinished invocations whose results the service waits for.
    awaiting: list[str]
    #: Seconds.
    heartbeat: float


def read_register_answer(value: object) -> RegisterAnswer | None:
    """None for an answer that is not of protocol 1."""
    if not isinstance(value, dict):
        return None
    toolkit, heartbeat_ms = value.get("toolkit"), value.get("heartbeatMs")
    lists = [value.get(name) for name in ("accepted", "rejected", "awaiting")]
    if not isinstance(toolkit, dict) or not isinstance(toolkit.get("id"), str):
        return None
    if not isinstance(heartbeat_ms, int | float) or not 1 <= heartbeat_ms <= _LONGEST_HEARTBEAT_MS:
        return None
    if not all(isinstance(each, list) for each in lists) or not all(
        isinstance(each, dict) for each in value["rejected"]
    ):
        return None
    return RegisterAnswer(
        Registration(
            toolkit=ToolkitInfo(toolkit["id"], str(toolkit.get("name", "")), str(toolkit.get("description", ""))),
            accepted=value["accepted"],
            # A malformed warning is skipped and does not fail the registration.
            warnings=[each for each in _list(value.get("warnings")) if _is_warning(each)],
            more_warnings=value["moreWarnings"] if isinstance(value.get("moreWarnings"), int) else 0,
            held=_list(value.get("held")),
        ),
        [RejectedAction(str(each.get("action", "")), str(each.get("message", ""))) for each in value["rejected"]],
        value["awaiting"],
        heartbeat_ms / 1000,
    )


def rejected_actions_error(rejected: list[RejectedAction]) -> SvcError:
    reasons = "; ".join(f'"{each.action}": {each.message}' for each in rejected)
    return SvcError("INVALID_ACTION", f"The service rejected {len(rejected)} of the actions. {reasons}")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_warning(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(name), str) for name in ("rule", "message", "hint"))
