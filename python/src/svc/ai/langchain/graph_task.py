"""The LangGraph task that a tool runs in: its calls, and the question that it asked before.

Source: the values of the config that LangGraph's own ``interrupt()`` and ``ToolNode`` read, the same from 1.0 to 1.2.
    LangGraph's public API does not have these values.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig

_PULLED = "__pregel_pull"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a model."""

    id: str | None
    name: str
    args: object


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a task that has been answered."""

    value: object
    #: There were several interrupts and the answer names none: LangGraph then gives it to all of them.
    is_ambiguous: bool


@dataclass(frozen=True, slots=True)
class GraphTask:
    """One run of a task."""

    #: UUID, the same in every run of the task.
    id: str
    #: An object of this run, shared by all its calls.
    run: object
    #: The calls that this task answers together; empty when it has one call, or when they are unknown.
    calls: list[Call]
    answered: Callable[[], Awaitable[Asked]]


def graph_task(config: RunnableConfig, *, blocking: bool) -> GraphTask | None:
    """None where a human cannot be asked: outside of a graph, or in a graph without a checkpointer.

    Args:
        blocking: the graph runs in threads, and so does its checkpointer.
    """
    values = config.get("configurable") or {}
    saver, run = values.get("__pregel_checkpointer"), values.get("__pregel_scratchpad")
    if not saver or run is None:
        return None
    task_id = str(values.get("__pregel_task_id"))

    async def answered() -> Asked:
        levels = values.get("checkpoint_map", {}) if values.get("__pregel_resuming") else {}
        pending = []
        for namespace, checkpoint_id in levels.items():
            place = {"configurable": {**values, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}}
            saved = await (asyncio.to_thread(saver.get_tuple, place) if blocking else saver.aget_tuple(place))
            writes = (saved.pending_writes if saved else None) or ()
            pending.append([write for write in writes if write[1] == "__interrupt__"])
        of_task = [interrupts for level in pending for writer, _, interrupts in level if writer == task_id]
        return Asked(
            value=of_task[0][0].value if of_task and of_task[0] else None,
            is_ambiguous=run.get_null_resume(False) is not None and any(len(level) > 1 for level in pending),
        )

    return GraphTask(task_id, run, _calls(config), answered)


def _calls(config: RunnableConfig) -> list[Call]:
    """A task made by ``Send`` has one call; any other task has all unanswered calls of the last message."""
    path = (config.get("metadata") or {}).get("langgraph_path") or ()
    read = (config.get("configurable") or {}).get("__pregel_read")
    if not read or not path or path[0] != _PULLED:
        return []
    try:
        messages = read("messages", False)
    except KeyError:
        return []
    answered = {getattr(message, "tool_call_id", None) for message in messages}
    calling = next((message for message in reversed(messages) if getattr(message, "tool_calls", None)), None)
    return [
        Call(call["id"], call["name"], call["args"])
        for call in (calling.tool_calls if calling else ())
        if call["id"] not in answered
    ]
