"""The messages that a client receives."""

import asyncio

from svc.client.base import BaseClient, MessageContext
from tests.support.waiting import PATIENCE


async def receive(client: BaseClient) -> MessageContext:
    async with asyncio.timeout(PATIENCE):
        while True:
            if ctx := await client.receive_message():
                return ctx


async def receive_texts(client: BaseClient, count: int) -> list[str]:
    return [(await receive(client)).message for _ in range(count)]
