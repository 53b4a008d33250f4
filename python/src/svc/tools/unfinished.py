"""Calls that go on without their caller, which reads their result later by a handle."""

from collections.abc import Mapping
from urllib.parse import quote

from svc.errors import SvcError
from svc.protocol.http import INVOCATIONS_PATH, InvokeResponse, UnfinishedInvocation
from svc.protocol.json_text import to_json
from svc.tools.definitions import INVOKE_TOOL

#: Seconds of one request.
MAX_WAIT = 60


def invocation_path(handle: object, wait: int | None = None) -> str:
    """The path of a call.

    Raises:
        SvcError: INVALID_REQUEST
    """
    if not isinstance(handle, str) or not handle:
        raise SvcError("INVALID_REQUEST", f'A handle is a text such as "inv_…", not {handle!r}')
    is_number = isinstance(wait, int) and not isinstance(wait, bool)
    if wait is not None and not (is_number and 0 <= wait <= MAX_WAIT):
        raise SvcError("INVALID_REQUEST", f"wait is a whole number of seconds from 0 to {MAX_WAIT}, not {wait!r}")
    path = f"{INVOCATIONS_PATH}/{quote(handle, safe='')}"
    return path if wait is None else f"{path}?wait={wait}"


def read_invocation(answer: Mapping[str, object]) -> InvokeResponse | UnfinishedInvocation:
    """The service's answer about a call."""
    return UnfinishedInvocation(answer) if "status" in answer else InvokeResponse(answer)


def is_undecided(answer: InvokeResponse | UnfinishedInvocation) -> bool:
    """The call waits for a person's decision."""
    approval = answer.approval if isinstance(answer, UnfinishedInvocation) else None
    return approval is not None and approval.status == "pending"


def to_model_value(unfinished: UnfinishedInvocation) -> dict[str, object]:
    """The value that a model reads in place of the result."""
    handle, progress = unfinished["invocationId"], unfinished.get("progress")
    if unfinished["status"] == "waiting":
        message = "A person has to approve this call first. Tell the user, and read the result later: "
    else:
        message = "Still running, so there is no result yet. Read it later: "
    return {
        "status": unfinished["status"],
        "handle": handle,
        **({} if progress is None else {"progress": progress}),
        "message": message + how_to_read(handle),
    }


def how_to_read(handle: str) -> str:
    """The tool call with which a model reads the result of a handle."""
    arguments = {"action": "svc__read_result", "payload": {"handle": handle, "wait": 30}}
    return f"{INVOKE_TOOL} {to_json(arguments)}"
