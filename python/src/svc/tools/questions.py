"""Questions to a user that several calls share: calls side by side, and all tool calls of one answer of a model."""

import asyncio
from collections.abc import Coroutine, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")

#: The questions of the tool calls that a model made together.
_kept: ContextVar[dict[Hashable, "_Question[Any]"] | None] = ContextVar("svc_questions", default=None)


class Questions(Generic[Answer]):
    """Asks each question once at a time."""

    def __init__(self) -> None:
        self._open: dict[Hashable, _Question[Answer]] = {}

    async def ask(self, about: Hashable, question: Coroutine[object, object, Answer]) -> Answer:
        """The answer to an equal question that is open or kept, or to this one."""
        kept = _kept.get()
        key = (asyncio.get_running_loop(), about)
        known = (kept or {}).get(key) or self._open.get(key)
        if known is None or known.is_abandoned:
            known = self._open[key] = _Question(question)
            known.task.add_done_callback(partial(self._end, key))
        else:
            question.close()
        if kept is not None:
            kept[key] = known
        return await known.answer()

    def _end(self, key: Hashable, task: "asyncio.Task[Answer]") -> None:
        if key in self._open and self._open[key].task is task:
            del self._open[key]


@contextmanager
def kept_answers() -> Iterator[None]:
    """Calls inside get the answers of earlier calls inside."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


class _Question(Generic[Answer]):
    def __init__(self, question: Coroutine[object, object, Answer]) -> None:
        self.task = asyncio.create_task(question)
        self._waiting = 0
        #: True if no call waits for the answer any more.
        self.is_abandoned = False

    async def answer(self) -> Answer:
        self._waiting += 1
        try:
            # A cancelled call must not cancel the others; the last one ends the question.
            return await asyncio.shield(self.task)
        finally:
            self._waiting -= 1
            if self._waiting == 0 and not self.task.done():
                self.is_abandoned = True
                self.task.cancel()
