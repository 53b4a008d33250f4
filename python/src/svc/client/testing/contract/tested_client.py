"""A client under test, called in the same way as by the agent. Its results and errors are searched for credentials.

Errors: AssertionError with the client's behaviour and the expected one.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Self, TypeVar

from svc.client.base import BaseClient, MessageContext, RefusedReply
from svc.client.testing.contract.check import check, check_json
from svc.client.testing.contract.secrets import Secrets
from svc.client.testing.contract.time_limit import ANSWER_TIME, STOP_TIME, in_time

Result = TypeVar("Result")

#: The agent's wait after a client returned None.
PAUSE = 0.05


class TestedClient:
    """One client of a case."""

    __test__ = False

    def __init__(self, client: BaseClient, secrets: Secrets, is_ours: Callable[[MessageContext], bool]) -> None:
        """
        Args:
            client: under test
            secrets: of the platform
            is_ours: false for messages of other cases, which the platform may still hold
        """
        self.client = client
        self._secrets = secrets
        self._is_ours = is_ours

    @property
    def stored_cursor(self) -> object:
        """The cursor in the form that another process reads."""
        return _stored(self.client.cursor)

    async def start(self, cursor: object = None) -> Self:
        self.client.cursor = cursor
        await self._watched("start()", self.client.start(), ANSWER_TIME)
        return self

    async def stop(self) -> None:
        await self._watched("stop()", self.client.stop(), STOP_TIME)

    async def error_of(self, name: str, work: Awaitable[object]) -> Exception:
        """The error of work that must fail."""
        try:
            await in_time(work, ANSWER_TIME, f"{name} did not end")
        except AssertionError:
            raise
        except Exception as error:
            self.check_absent(f"The error of {name}", error)
            return error
        raise AssertionError(f"{name} has to raise, and returned")

    async def receive(self) -> MessageContext:
        give_up_at = time.monotonic() + ANSWER_TIME
        while (left := give_up_at - time.monotonic()) > 0:
            ctx = await self._watched("receive_message()", self.client.receive_message(), left)
            self._check_stored("The cursor", self.client.cursor)
            if ctx:
                self._check_stored("The context", asdict(ctx))
                if self._is_ours(ctx):
                    return ctx
            else:
                await asyncio.sleep(PAUSE)
        raise AssertionError(f"No message came in {ANSWER_TIME:g} s, though a person wrote one: it was lost")

    async def receive_until(self, text: str) -> list[MessageContext]:
        """Receives all messages up to the one with this text, so a repeated message must arrive before it."""
        received: list[MessageContext] = []
        while not received or received[-1].message != text:
            try:
                received.append(await self.receive())
            except AssertionError as error:
                before = ", ".join(repr(ctx.message) for ctx in received) or "nothing"
                raise AssertionError(f'{error}. Waited for "{text}", and before it came {before}') from error
        return received

    async def receive_texts(self, last: str) -> list[str]:
        return [ctx.message for ctx in await self.receive_until(last)]

    async def reply(self, ctx: MessageContext, text: str) -> None:
        """Sends a reply as the agent does, with retries after any error except RefusedReply."""
        give_up_at = time.monotonic() + ANSWER_TIME
        while True:
            try:
                await self.send_once(ctx, text)
                return
            except RefusedReply as error:
                raise AssertionError(
                    f"send_message() raised a RefusedReply for a failure that passes: {error}"
                ) from error
            except AssertionError:
                raise
            except Exception as error:
                self.check_absent("The error of send_message()", error)
                check(
                    time.monotonic() < give_up_at,
                    f"send_message() did not send in {ANSWER_TIME:g} s. The last error: {error}",
                )
            await asyncio.sleep(PAUSE)

    async def send_once(self, ctx: MessageContext, text: str) -> None:
        sending = self.client.send_message(ctx, [{"role": "assistant", "content": text}])
        await in_time(sending, ANSWER_TIME, "send_message() did not end")

    async def shown(self, name: str, showing: Awaitable[object]) -> object:
        """The result of ``ask_approval`` or ``show_partial`` in the form that another process reads."""
        value = await self._watched(name, showing, ANSWER_TIME)
        self._check_stored(f"The result of {name}", value)
        return _stored(value)

    def check_absent(self, what: str, value: object) -> None:
        self._secrets.check_absent(what, value)

    async def _watched(self, name: str, work: Awaitable[Result], seconds: float) -> Result:
        """Runs work that must not fail."""
        try:
            return await in_time(work, seconds, f"{name} did not end")
        except AssertionError:
            raise
        except Exception as error:
            self.check_absent(f"The error of {name}", error)
            raise AssertionError(f"{name} failed, and should not: {error}") from error

    def _check_stored(self, what: str, value: object) -> None:
        check_json(what, value)
        self.check_absent(what, value)


def _stored(value: object) -> object:
    return json.loads(json.dumps(value))
