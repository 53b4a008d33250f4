"""Slots, history and the signal."""

import asyncio
from typing import Any

import pytest

from svc.agent.abort_signal import AbortSignal, within
from svc.agent.turns.fair_slots import FairSlots
from svc.agent.turns.history import read_history, with_few_images
from svc.client.base import Message, MessageContext, image_data_url, read_image_data_url
from svc.protocol.estimate_tokens import estimate_tokens
from tests.agent.agents import say
from tests.support.repository import vector
from tests.support.waiting import until

PNG = b"\x89PNG\r\n\x1a\n" + b"picture"


class Work:
    """Blocks that run until the test releases them."""

    def __init__(self, limit: int) -> None:
        self.slots = FairSlots(limit)
        self.began: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    def start(self, name: str, signal: AbortSignal) -> asyncio.Task[None]:
        return asyncio.create_task(self._run(name, signal))

    async def _run(self, name: str, signal: AbortSignal) -> None:
        end = self.ends[name] = asyncio.Event()
        async with self.slots.take(name[0], signal):
            self.began.append(name)
            await end.wait()


async def test_keys_take_turns_and_one_key_never_gets_the_last_slot() -> None:
    work = Work(3)
    signal = AbortSignal()
    tasks = [work.start(name, signal) for name in ("a1", "a2", "a3", "a4", "b1", "b2")]
    await until(lambda: work.began == ["a1", "a2", "b1"])
    work.ends["a1"].set()
    await until(lambda: work.began[3:] == ["a3"])
    work.ends["a2"].set()
    await until(lambda: work.began[4:] == ["b2"])
    work.ends["b1"].set()
    await until(lambda: work.began[5:] == ["a4"])
    for end in work.ends.values():
        end.set()
    await asyncio.gather(*tasks)


async def test_a_limit_of_one_serves_every_key() -> None:
    work = Work(1)
    tasks = [work.start(name, AbortSignal()) for name in ("a1", "b1")]
    await until(lambda: work.began == ["a1"])
    work.ends["a1"].set()
    await until(lambda: work.began == ["a1", "b1"])
    work.ends["b1"].set()
    await asyncio.gather(*tasks)


async def test_a_cancelled_waiter_gets_no_slot() -> None:
    work = Work(1)
    leaving = AbortSignal()
    first = work.start("a1", AbortSignal())
    await until(lambda: work.began == ["a1"])
    left = work.start("b1", leaving)
    cancelled = work.start("b2", AbortSignal())
    last = work.start("c1", AbortSignal())
    await until(lambda: len(work.ends) == 4)
    leaving.abort(KeyError("left"))
    with pytest.raises(KeyError):
        await left
    # The slot is granted at the same moment as the abort.
    work.ends["a1"].set()
    await first
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    await until(lambda: work.began[-1] == "c1")
    work.ends["c1"].set()
    await last


async def test_the_signal_of_a_parent_ends_its_children() -> None:
    parent = AbortSignal()
    child = AbortSignal(parent)
    waiting = asyncio.create_task(child.pause(60))
    await asyncio.sleep(0)
    parent.abort(KeyError("over"))
    with pytest.raises(KeyError, match="over"):
        await waiting
    with pytest.raises(KeyError, match="over"):
        AbortSignal(parent).raise_if_aborted()
    assert child.aborted


async def test_within_returns_the_result_or_raises_a_timeout() -> None:
    async def soon() -> int:
        return 1

    assert await within(1, soon()) == 1
    with pytest.raises(TimeoutError):
        await within(0.01, asyncio.sleep(60))


def test_history_is_the_newest_whole_turns_that_fit() -> None:
    def turn(text: str) -> list[Message]:
        return [{"role": "user", "content": text}, say(text)]

    turns = [turn("newest"), [], turn("older"), turn("/new"), turn("before")]
    assert [message["content"] for message in read_history(turns, 1_000)] == ["older", "older", "newest", "newest"]
    assert [message["content"] for message in read_history(turns, 20)] == ["newest", "newest"]
    assert read_history([turn("word " * 20)], 20) == []


@pytest.mark.parametrize("length", [0, 10_000])
def test_an_image_costs_the_same_whatever_its_size_and_own_members_cost_nothing(length: int) -> None:
    image = {"type": "image_url", "image_url": {"url": "x" * length}}
    turn: list[Message] = [{"role": "user", "content": [image], "svc_images": ["x" * length]}]
    assert read_history([turn], 1_630) == turn
    assert read_history([turn], 1_610) == []


@pytest.mark.parametrize("case", vector("token-estimates"), ids=lambda case: case["text"])
def test_token_estimates_play_the_vector(case: dict[str, Any]) -> None:
    assert estimate_tokens(case["text"]) == case["tokens"]


def test_the_four_newest_images_stay() -> None:
    def image(number: int) -> dict[str, Any]:
        return {"type": "image_url", "image_url": {"url": str(number)}}

    messages: list[Message] = [{"role": "user", "content": [image(number)]} for number in range(6)]
    shown = [message["content"][0] for message in with_few_images(messages)]
    assert shown[:2] == [{"type": "text", "text": "[an earlier image]"}] * 2
    assert shown[2:] == [image(number) for number in range(2, 6)]


@pytest.mark.parametrize("name", ["chat_id", "user_id", "message", "message_id"])
def test_an_id_that_is_a_number_is_refused_at_once(name: str) -> None:
    members: dict[str, Any] = {"chat_id": "1", "user_id": "2", "message": "hi", "message_id": "3", name: 4}
    with pytest.raises(TypeError, match=f"{name} must be a text, not 4"):
        MessageContext(**members)


def test_image_data_urls() -> None:
    url = image_data_url(PNG)
    assert url
    assert url.startswith("data:image/png;base64,")
    read = read_image_data_url(url)
    assert read == ("image/png", PNG)
    assert image_data_url(b"GIF89a")
    assert image_data_url(b"\xff\xd8\xff\xe0")
    assert image_data_url(b"RIFF\x00\x00\x00\x00WEBPVP8 ")
    assert image_data_url(b"RIFF\x00\x00\x00\x00WAVE") is None
    assert image_data_url(PNG + bytes(5 * 1024 * 1024)) is None
    assert read_image_data_url("https://example.com/a.png") is None
    assert read_image_data_url("data:image/png;base64,A") is None
