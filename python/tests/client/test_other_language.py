"""Alternating clients of Python and TypeScript, which share one database file."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import pytest

from svc.client.base import BaseClient, MessageContext, Question
from tests.client.conftest import CLIENTS
from tests.client.fake_platform import PNG, FakePlatform
from tests.client.receiving import receive
from tests.support.typescript import from_typescript

SOURCES = {
    "telegram": {"TelegramClient": "agent/clients/telegram.ts"},
    "discord": {"DiscordClient": "agent/clients/discord.ts"},
    "x": {"XClient": "agent/clients/x.ts"},
}
CONTEXT = {"writeContext": "agent/store/context-row.ts", "readContext": "agent/store/context-row.ts"}
QUESTION = Question(id="turn_0123456789abcdef01234567/1/2-yes", text="May I?")

Open = Callable[..., FakePlatform]


def in_typescript(fake: FakePlatform, cursor: object, work: str, ctx: MessageContext | None = None) -> Any:
    """Runs work with a started client of TypeScript and returns its result.

    Args:
        work: JavaScript. ``receive`` returns the next message, ``ctx`` is the given context, read by TypeScript from
            the database, ``client`` is the client.
    """
    (name,) = SOURCES[fake.platform]
    program = f"""await (async () => {{
      const client = new {name}(given.options);
      client.cursor = given.cursor;
      await client.start();
      const ctx = given.ctx && readContext(given.ctx);
      const receive = async () => {{
        for (;;) {{
          const received = await client.receiveMessage({{ signal: AbortSignal.timeout(10_000) }});
          if (received) return JSON.parse(writeContext(received));
        }}
      }};
      const result = await ({work});
      await client.stop();
      return {{ result, cursor: client.cursor }};
    }})()"""
    options = {_camel(name): value for name, value in fake.client_options.items()}
    stored = json.dumps(asdict(ctx)) if ctx else None
    given = {"options": options, "cursor": cursor, "ctx": stored}
    return from_typescript(program, {**SOURCES[fake.platform], **CONTEXT}, given)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others)


async def hello(fake: FakePlatform, start_client: Any) -> tuple[BaseClient, MessageContext]:
    """A client, and the message that it has received."""
    client: BaseClient = await start_client(fake)
    fake.say("hello")
    return client, await receive(client)


@pytest.mark.parametrize("platform", CLIENTS)
async def test_contexts_and_cursors_equal_those_of_typescript(
    platform: str, open_fake: Open, start_client: Any
) -> None:
    fake = open_fake(platform)
    client: BaseClient = await start_client(fake)
    fake.say("one")
    assert (await receive(client)).message == "one"
    await client.stop()
    fake.say(f"{fake.mention} two", chat_id="-1001", is_private=False, user_name="Grace", images=[PNG])
    other = in_typescript(fake, client.cursor, "receive()")

    same: BaseClient = await start_client(fake, client.cursor)
    ctx = asdict(await receive(same))
    assert {name: value for name, value in ctx.items() if value is not None} == other["result"]
    assert same.cursor == other["cursor"]
    await same.stop()
    fake.say("three")
    third = await start_client(fake, other["cursor"])
    assert (await receive(third)).message == "three"


@pytest.mark.parametrize("platform", ["telegram", "discord"])
async def test_a_partial_reply_of_one_language_is_replaced_by_the_other_language(
    platform: str, open_fake: Open, start_client: Any
) -> None:
    fake = open_fake(platform)
    client, ctx = await hello(fake, start_client)
    await client.stop()
    partial = in_typescript(fake, client.cursor, "client.showPartial(ctx, 'The')", ctx)["result"]
    again: BaseClient = await start_client(fake, client.cursor)
    await again.send_message(replace(ctx, partial=partial), [{"role": "assistant", "content": "The answer"}])
    assert [(sent["text"], sent["edits"]) for sent in fake.sent] == [("The answer", 1)]


@pytest.mark.parametrize("platform", ["telegram", "discord"])
async def test_a_question_of_one_language_is_answered_and_ended_in_the_other_language(
    platform: str, open_fake: Open, start_client: Any
) -> None:
    fake = open_fake(platform)
    client, ctx = await hello(fake, start_client)
    shown = await client.ask_approval(ctx, QUESTION)
    await client.stop()
    fake.press("yes", chat_id=ctx.chat_id)
    end = f"receive().then(async (press) => (await client.endQuestion(ctx, {json.dumps(shown)}, 'Approved.'), press))"
    press = in_typescript(fake, client.cursor, end, ctx)["result"]
    assert press["answer"] == {"question_id": QUESTION.id, "approved": True}
    assert [(sent["text"], sent.get("buttons")) for sent in fake.sent] == [("Approved.", None)]


@pytest.mark.parametrize("platform", ["discord", "x"])
async def test_a_reply_that_the_other_language_sends_again_is_shown_once(
    platform: str, open_fake: Open, start_client: Any
) -> None:
    fake = open_fake(platform)
    client, ctx = await hello(fake, start_client)
    text = "A long reply: 👩🏽‍🚀 notes.md " * 100
    await client.send_message(ctx, [{"role": "assistant", "content": text}])
    await client.stop()
    shown = fake.sent
    send = f"client.sendMessage(ctx, [{{ role: 'assistant', content: {json.dumps(text)} }}]).then(() => null)"
    in_typescript(fake, client.cursor, send, ctx)
    assert fake.sent == shown


def test_a_client_loads_its_libraries_only_when_it_starts() -> None:
    program = (
        "import sys, svc.client.telegram, svc.client.discord, svc.client.x\n"
        "assert not {'httpx2', 'websockets'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
