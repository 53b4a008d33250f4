"""Runs the Python blocks about agents: on the real service, with the scripted model, and with fakes of the
platforms."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from svc.agent import Agent
from svc.client.base import BaseClient
from svc.client.telegram import TelegramClient
from tests.agent.running import serving
from tests.client.fake_platform import FakePlatform, until
from tests.docs.page_blocks import PageProgram, page_program, pages_with_python
from tests.docs.stage import Stage
from tests.support.waiting import PATIENCE

OpenFake = Callable[..., FakePlatform]

ANSWER = "I am a script and not a model, and nothing is written for this."


@pytest.fixture(autouse=True)
def _environment(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_MODEL", "openai/gpt-5-mini")


@asynccontextmanager
async def answering(program: PageProgram, written: str, serve: str, fake: FakePlatform) -> AsyncIterator[None]:
    """The next block has answered a message, and serves until the end of this block."""
    # The blocks are programs, which start their own event loop.
    program.replace(written, serve)
    task = await program.start_next("Agent")
    async with asyncio.timeout(PATIENCE):
        while not task.done() and not fake.sent:
            # Discord does not deliver messages from before the bot's session.
            fake.say("Hello")
            await asyncio.sleep(0.1)
    try:
        assert fake.sent[0]["text"].startswith(ANSWER)
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.mark.parametrize("page", ["docs/agent.md", "python/AGENT.md"])
async def test_the_pages_about_agents(page: str, open_fake: OpenFake, monkeypatch: pytest.MonkeyPatch) -> None:
    telegram = open_fake("telegram")
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", telegram.client_options["bot_token"])
    monkeypatch.setenv("SVC_ADMIN_API_KEY", "svc_admin_test")
    # Not that of the agent, which would receive the messages.
    fake = open_fake("telegram")
    options = {"right": fake.client_options, "wrong": fake.wrong_credentials}
    names = {
        "api_root": telegram.client_options["api_root"],
        "fake": fake,
        "make_client": lambda credentials: TelegramClient(**options[credentials]),
    }
    with page_program(page, names) as program:
        program.replace("bot_token=", "api_root=api_root, bot_token=")
        async with answering(program, "agent.run()", "await agent.serve()", telegram):
            if page == "python/AGENT.md":
                program.replace('"127.0.0.1", 8080', '"127.0.0.1", 0')
                # tests/client/test_contract.py runs all cases.
                program.replace("client_contract(make_client, fake)", "client_contract(make_client, fake)[:2]")
            await program.run()
    if page == "python/AGENT.md":
        await _lines_are_answered(program["LinesClient"](), program["ask"])
        await program["client"].close()


async def _lines_are_answered(client: BaseClient, ask: Any) -> None:
    async with serving(Agent(clients=[client], model=ask, store=":memory:")):
        await until(lambda: hasattr(client, "server"))
        port = client.server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"Hello\n")
        assert (await reader.readline()).decode().strip() == ANSWER
        writer.close()
        await writer.wait_closed()
        await until(lambda: not client.writers)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("platform", "written", "variables"),
    [
        ("telegram", "bot_token=", {"TELEGRAM_BOT_TOKEN": "bot_token"}),
        ("discord", "bot_token=", {"DISCORD_BOT_TOKEN": "bot_token"}),
        (
            "x",
            "api_key=",
            {
                "X_API_KEY": "api_key",
                "X_API_SECRET": "api_secret",
                "X_ACCESS_TOKEN": "access_token",
                "X_ACCESS_SECRET": "access_secret",
            },
        ),
    ],
)
async def test_the_pages_of_platforms(
    platform: str, written: str, variables: dict[str, str], open_fake: OpenFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = open_fake(platform)
    place = dict(fake.client_options)
    for variable, option in variables.items():
        monkeypatch.setenv(variable, place.pop(option))
    with page_program(f"docs/agent/{platform}.md", {"place": place}) as program:
        program.replace(written, f"**place, {written}")
        client = "x" if platform == "x" else "client"
        agent = f"Agent(clients=[{client}])"
        async with answering(program, f"{agent}.run()", f"await {agent}.serve()", fake):
            pass


async def test_the_page_about_models() -> None:
    with page_program("docs/agent/models.md") as program:
        await program.run()
        assert program["agent"].get_model("fallback") == "openrouter/qwen/qwen3-235b-a22b"


def test_these_are_all_pages_about_agents() -> None:
    assert [page for page in pages_with_python() if "agent" in page.lower()] == [
        "docs/agent.md",
        "docs/agent/discord.md",
        "docs/agent/models.md",
        "docs/agent/telegram.md",
        "docs/agent/x.md",
        "python/AGENT.md",
    ]
