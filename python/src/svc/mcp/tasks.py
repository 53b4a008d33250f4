"""Calls that run for long, or wait for a person, as tasks: for clients of revision 2026-07-28 that have the extension.

Shape: the id of a task is the handle of its call; ``<handle>/<tool>`` for a static tool, whose result has a shape of
    its own. Nothing is kept here.
Errors: -32602 for an unknown task. A call that failed is a task that completed with an error for the model.
Source: https://github.com/modelcontextprotocol/ext-tasks, revision 2026-07-28.
"""

import re
from datetime import UTC, datetime
from typing import Any

from svc.errors import SvcError
from svc.mcp.ask_to_approve import page_question
from svc.mcp.ask_to_connect import ClientUser
from svc.mcp.held_call import approval_of
from svc.mcp.mcp_error import INVALID_PARAMS, McpError
from svc.mcp.resources import refused
from svc.mcp.tool import to_result
from svc.protocol.http import Progress
from svc.tools.canonical_json import to_canonical_json
from svc.tools.definitions import INVOKE_TOOL, ToolDefinition
from svc.tools.tool_answer import ToolAnswer

#: The extension by which a client polls a call that takes long.
TASKS = "io.modelcontextprotocol/tasks"

_POLL_MS = 2_000
#: The service keeps a result as long after the end of its call.
_TTL_MS = 24 * 60 * 60 * 1000
#: A handle begins with its kind and the time when it was made, in base 36.
_HANDLE_TIME = re.compile(r"[a-z]{3}_([0-9a-z]{9})")


def created_task(handle: str, tool: ToolDefinition, answer: ToolAnswer, user: ClientUser) -> dict[str, Any]:
    """The answer to a call that became a task."""
    task_id = handle if tool["name"] == INVOKE_TOOL else f"{handle}/{tool['name']}"
    return {"resultType": "task", **detailed_task(task_id, tool, answer, user)}


def detailed_task(task_id: str, tool: ToolDefinition, answer: ToolAnswer, user: ClientUser) -> dict[str, Any]:
    """How far the call is."""
    now = datetime.now(UTC)
    found = _HANDLE_TIME.match(task_id)
    created = datetime.fromtimestamp(int(found[1], 36) / 1000, UTC) if found else now
    return {
        "taskId": task_id,
        **_state_of(tool, answer, user),
        "createdAt": _to_text(created),
        "lastUpdatedAt": _to_text(now),
        "ttlMs": _TTL_MS,
        "pollIntervalMs": _POLL_MS,
    }


def parts_of(task_id: str) -> tuple[str, str]:
    """The handle of the call, and the name of its tool."""
    handle, *names = task_id.split("/")
    return handle, names[0] if names else INVOKE_TOOL


def unknown_task() -> McpError:
    return McpError(INVALID_PARAMS, "This client has no task with that id: a task is kept for 24 hours after its end")


def refused_task(error: SvcError) -> McpError:
    return unknown_task() if error.code == "NOT_FOUND" else refused(error)


def _state_of(tool: ToolDefinition, answer: ToolAnswer, user: ClientUser) -> dict[str, Any]:
    unfinished = answer.unfinished
    approval = (unfinished.get("approval") if unfinished else None) or approval_of(answer)
    if approval:
        questions = page_question(approval) if user.can_ask("url") else {}
        where = f": {approval['url']}" if "url" in approval else ""
        return {
            "status": "input_required" if questions else "working",
            "statusMessage": f"Waits for a person's approval{where}",
            "inputRequests": questions,
        }
    if unfinished:
        progress = unfinished.get("progress")
        return {"status": "working", **({"statusMessage": _message_of(progress)} if progress else {})}
    if answer.error and answer.error.code == "INVOCATION_CANCELLED":
        return {"status": "cancelled", "statusMessage": answer.error.message}
    return {"status": "completed", "result": to_result(answer, tool)}


def _message_of(report: Progress) -> str:
    count = to_canonical_json(report["progress"])
    if "total" in report:
        count += f" of {to_canonical_json(report['total'])}"
    return f"{count}: {report['message']}" if "message" in report else count


def _to_text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
