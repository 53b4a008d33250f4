"""Accounts of people in chats: the link, the code, and the call that continues by itself."""

import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from svc.agent import ModelRequest
from svc.agent.turns.commands import read_code
from svc.client.base import Message, MessageContext, RefusedReply, message_text
from tests.agent.account_service import ACTION, AccountService, account_service
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving
from tests.support.waiting import until

ASK = (
    "I need an account of yours for this. Open this page, connect the account, and send me the code that the page "
    "shows. Write no to go on without it."
)
WRONG = "That code is not valid here."
CODE = "7KQ2M-9XWPT"


@dataclass
class Model:
    """Calls the action for a message with "who", repeats the results of tools, and keeps its requests."""

    actions: list[str] = field(default_factory=lambda: [ACTION])
    seen: list[str] = field(default_factory=list)

    async def __call__(self, request: ModelRequest) -> Message:
        self.seen.append(json.dumps(request.messages))
        results: list[str] = []
        for message in reversed(request.messages):
            if message["role"] != "tool":
                break
            results.insert(0, str(message["content"]))
        if results:
            return say(",".join(results))
        if "who" not in message_text(request.messages[-1]):
            return say("Hello")
        calls = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": "invoke_service", "arguments": json.dumps({"action": action, "payload": {}})},
            }
            for number, action in enumerate(self.actions)
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}


@dataclass
class Chat:
    """A chat with an agent, and the service of its calls."""

    service: AccountService
    client: PipeClient
    model: Model
    store: Path

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        agent = TestedAgent(self.client, model=self.model, base_url=self.service.url, store=self.store)
        async with serving(agent):
            yield

    async def texts(self, count: int) -> list[str]:
        """The sent texts, as soon as there are so many."""
        await until(lambda: len(self.client.texts) >= count)
        assert len(self.client.texts) == count, self.client.texts
        return self.client.texts

    async def ask(self) -> str:
        """A person asks, and gets a link."""
        self.client.say("who am I?")
        (text,) = await self.texts(1)
        assert text == f"{ASK}\naccount: {link_in(text)}"
        return link_in(text)


def link_in(text: str) -> str:
    found = re.search(r"https?:\S+", text)
    assert found, text
    return found[0]


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[Chat]:
    async with account_service() as service:
        yield Chat(service, PipeClient(), Model(), tmp_path / "agent.db")


async def test_the_person_sends_the_code_and_neither_model_nor_store_has_link_or_code(chat: Chat) -> None:
    async with chat.served():
        link = await chat.ask()
        code = chat.service.connect_at(link)
        chat.client.say(f"  {code.lower()} ")
        assert await chat.texts(2) == [chat.client.texts[0], "octocat"]
        files = b"".join(each.read_bytes() for each in chat.store.parent.iterdir())
    assert chat.service.ran == ["pipe/ann"]
    assert len(set(chat.service.keys)) == 1
    for secret in (link, code, code.lower()):
        assert secret not in "".join(chat.model.seen)
        assert secret.encode() not in files


async def test_the_other_calls_of_a_step_run_again_under_their_keys(chat: Chat) -> None:
    chat.model.actions = ["other__action", ACTION]
    async with chat.served():
        chat.client.say(chat.service.connect_at(await chat.ask()))
        assert (await chat.texts(2))[1] == "other,octocat"
    assert len(chat.service.keys) == 4
    assert len(set(chat.service.keys)) == 2


async def test_a_wrong_code_gives_another_link_and_the_right_code_still_counts(chat: Chat) -> None:
    async with chat.served():
        link = await chat.ask()
        chat.client.say("AAAAA-AAAAA")
        second = (await chat.texts(2))[1]
        assert second == f"{WRONG}\n{ASK}\naccount: {link_in(second)}"
        assert link_in(second) != link
        chat.client.say(chat.service.connect_at(link))
        assert (await chat.texts(3))[2] == "octocat"


async def test_five_wrong_codes_end_the_wait(chat: Chat) -> None:
    async with chat.served():
        await chat.ask()
        for number in range(5):
            chat.client.say("AAAAA-AAAAA")
            await chat.texts(number + 2)
    assert "The person did not connect an account" in chat.client.texts[5]
    assert "http" not in chat.client.texts[5]


async def test_a_service_that_cannot_check_the_code_leaves_the_wait_open(chat: Chat) -> None:
    async with chat.served():
        code = chat.service.connect_at(await chat.ask())
        chat.service.is_down = True
        chat.client.say(code)
        assert (await chat.texts(2))[1] == "I cannot check the code now. Please send it again in a minute."
        chat.service.is_down = False
        chat.client.say(code)
        assert (await chat.texts(3))[2] == "octocat"


@pytest.mark.parametrize("word", ["no", "hi"])
async def test_any_other_message_ends_the_wait(chat: Chat, word: str) -> None:
    async with chat.served():
        await chat.ask()
        chat.client.say(word)
        texts = await chat.texts(2 if word == "no" else 3)
    assert 'did not connect an account for \\"account\\". Make the call again only if' in texts[1]
    assert texts[2:] == ([] if word == "no" else ["Hello"])
    assert chat.service.ran == []


async def test_a_code_after_the_wait_connects_the_account(chat: Chat) -> None:
    async with chat.served():
        link = await chat.ask()
        chat.client.say("no")
        await chat.texts(2)
        chat.client.say(chat.service.connect_at(link).replace("-", ""))
        assert (await chat.texts(3))[2] == "The account is connected. What shall I do with it?"
        chat.client.say("who am I?")
        assert (await chat.texts(4))[3] == "octocat"
    assert "7KQ2M" not in "".join(chat.model.seen)


async def test_the_code_of_another_person_connects_nothing(chat: Chat) -> None:
    async with chat.served():
        code = chat.service.connect_at(await chat.ask())
        chat.client.say(code, "other", user_id="bob")
        assert (await chat.texts(2))[1] == WRONG
        assert chat.client.sent[1].chat_id == "other"
    assert chat.service.ran == []


@pytest.mark.parametrize(
    ("said", "connect", "words"),
    [
        ({"is_private": False}, {"confirm": True}, "needs a private chat: ask them to write to you in private"),
        ({}, {}, "only the operator of this agent can connect it"),
    ],
)
async def test_a_link_that_cannot_be_shown_is_not_sent(chat: Chat, said: Any, connect: Any, words: str) -> None:
    chat.service.connect = connect
    async with chat.served():
        chat.client.say("who am I?", **said)
        (text,) = await chat.texts(1)
    assert words in text
    assert "/connections/" not in f"{chat.client.texts} {chat.model.seen}"


async def test_a_link_that_the_platform_refuses_is_an_answer_for_the_model(chat: Chat) -> None:
    async def refuse(ctx: MessageContext) -> None:
        chat.client.on_send = None
        raise RefusedReply("no links here")

    chat.client.on_send = refuse
    async with chat.served():
        chat.client.say("who am I?")
        (text,) = await chat.texts(1)
    assert "did not connect an account" in text


async def test_the_wait_survives_a_restart(chat: Chat) -> None:
    async with chat.served():
        link = await chat.ask()
    async with chat.served():
        chat.client.say(chat.service.connect_at(link))
        assert (await chat.texts(2))[1] == "octocat"


async def test_the_wait_ends_at_its_deadline_also_after_a_restart(chat: Chat) -> None:
    async with chat.served():
        await chat.ask()
    with closing(sqlite3.connect(chat.store)) as database:
        database.execute("UPDATE svc_turn SET approval = json_set(approval, '$.connect.until', 1)")
        database.commit()
    async with chat.served():
        assert 'did not connect an account for \\"account\\" in time' in (await chat.texts(2))[1]


async def test_a_code_that_is_delivered_twice_counts_once(chat: Chat) -> None:
    async with chat.served():
        code = chat.service.connect_at(await chat.ask())
        for _ in range(2):
            chat.client.say(code, message_id="same")
        chat.client.say("hi")
        assert (await chat.texts(3))[1:] == ["octocat", "Hello"]


@pytest.mark.parametrize("message", [CODE, " 7kq2m-9xwpt\n", f"/start {CODE}", "/START 7kq2m9xwpt"])
def test_a_message_that_is_a_code(message: str) -> None:
    assert read_code(message, lambda: False) == CODE


@pytest.mark.parametrize("message", ["7kq2m9xwpt", f"the code is {CODE}.", f"{CODE} thanks"])
def test_a_message_that_is_a_code_when_one_is_expected(message: str) -> None:
    assert read_code(message, lambda: True) == CODE
    assert read_code(message, lambda: False) is None


@pytest.mark.parametrize(
    "message",
    [
        *(
            "",
            "no",
            "hello",
            "/start",
            "/start shop",
            "no code",
            f"{CODE}-2",
            f"a-{CODE}",
            "7KQ2M 9XWPT",
            "never-again",
        ),
    ],
)
def test_a_message_without_a_code(message: str) -> None:
    assert read_code(message, lambda: True) is None
