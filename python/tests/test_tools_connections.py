"""The options of ``Tools`` for connections, beyond the transcripts of test/vectors."""

import asyncio
import json
from typing import Any

import pytest

from svc import SvcError, Tools
from tests.support.waiting import PATIENCE
from tests.support.wire_server import Received, Reply, WireServer, wire_server

KEY = "svc_agent_test"
LINK = "https://svc.example/connections/connect/abc"


def invoked(result: Any) -> Reply:
    return Reply(body={"invocationId": "inv_1", "result": result})


def required(**connect: Any) -> Reply:
    return Reply(403, {"code": "CONNECTION_REQUIRED", "detail": f"Connect at {LINK}", "connect": connect})


def tools(server: WireServer, **options: Any) -> Tools:
    return Tools(KEY, base_url=server.url, **options)


def needs_token(request: Received) -> Reply:
    """A service whose toolkit github takes the caller's credential."""
    sent = request.headers.get("svc-connections")
    return required(toolkit="github") if sent is None else invoked(sent)


def call(number: int) -> dict[str, Any]:
    return {"id": f"call_{number}", "function": {"name": "github__list", "arguments": json.dumps({"n": number})}}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"connection": "gho_secret"}, 'The connection of github is {"bearer": token}'),
        ({"connection": {"bearer": "gho secret"}}, "not visible ASCII without spaces and commas"),
        ({"connection": {"basic": {"username": "a:b", "password": "secret"}}}, "user name with a colon"),
        ({"connection_name": "my secret"}, "The name of a connection of github has 1 to 64 of the characters"),
        ({"user_id": "ü"}, "user_id must be 1 to 200 visible ASCII characters"),
    ],
)
async def test_an_invalid_option_of_a_call_sends_nothing(options: dict[str, Any], words: str) -> None:
    async with wire_server(invoked(1)) as server, tools(server) as client:
        with pytest.raises(SvcError) as refused:
            await client.invoke("github__list", **options)
    assert words in refused.value.message
    assert "secret" not in refused.value.message
    assert (refused.value.code, server.received) == ("INVALID_REQUEST", [])


async def test_a_credential_needs_an_action_id() -> None:
    with pytest.raises(SvcError, match='"list" is not the id of an action'):
        await Tools(KEY).invoke("list", connection={"bearer": "x"})


@pytest.mark.parametrize("names", [{"GitHub": "work"}, {"github": "my work"}, {"github": 7}])
def test_invalid_names_of_connections(names: Any) -> None:
    with pytest.raises(SvcError, match="connection"):
        Tools(KEY, connection_names=names)


async def test_a_plain_function_gives_credentials_too() -> None:
    async with wire_server(needs_token) as server:
        async with tools(server, connections=lambda toolkit, user: {"apiKey": f"{toolkit}-{user}"}) as client:
            answer = await client.invoke("github__list", user_id="ann")
    assert answer["result"] == "github ApiKey github-ann"


@pytest.mark.parametrize("option", ["connections", "on_connection_required"])
async def test_a_failing_function_is_an_answer_without_its_reason(option: str) -> None:
    async def fail(*arguments: Any) -> Any:
        raise RuntimeError("no token gho_secret")

    connect = {"toolkit": "github"} if option == "connections" else {"toolkit": "github", "url": LINK}
    async with wire_server(required(**connect)) as server, tools(server, **{option: fail}) as client:
        answer = await client.answer_tool("github__list", {})
    assert answer.error
    assert f'could not connect an account of "github": {option} failed' in answer.error.message
    assert "secret" not in answer.content
    assert LINK not in answer.content
    assert isinstance(answer.error.__cause__, RuntimeError)


@pytest.mark.parametrize("option", ["connections", "on_connection_required"])
def test_an_option_that_is_not_a_function_is_refused(option: str) -> None:
    with pytest.raises(SvcError, match=f"{option} is a function, not dict"):
        Tools(KEY, **{option: {"github": "gho_secret"}})  # type: ignore[arg-type]


async def test_only_true_says_that_the_user_has_connected() -> None:
    async with wire_server(required(toolkit="github", url=LINK)) as server:
        async with tools(server, on_connection_required=lambda link: "a message was sent") as client:
            with pytest.raises(SvcError, match="The user was asked to connect an account"):
                await client.invoke("github__list")
    assert len(server.received) == 1


async def test_calls_side_by_side_ask_the_user_once() -> None:
    connected = False
    asked: list[Any] = []

    def answer(request: Received) -> Reply:
        return invoked(request.body["payload"]["n"]) if connected else required(toolkit="github", url=LINK)

    async def ask(question: Any) -> bool:
        nonlocal connected
        asked.append(question)
        async with asyncio.timeout(PATIENCE):
            while len(server.received) < 3:
                await asyncio.sleep(0.005)
        connected = True
        return True

    async with wire_server(answer) as server:
        async with tools(server, on_connection_required=ask, user_id="ann") as client:
            said = await client.call_tools([call(number) for number in range(3)])
    assert [message["content"] for message in said] == ["0", "1", "2"]
    assert asked == [{"toolkit": "github", "url": LINK, "userId": "ann"}]


async def test_separate_calls_side_by_side_share_an_open_question() -> None:
    asked: list[Any] = []

    async def ask(link: Any) -> bool:
        asked.append(link["userId"])
        async with asyncio.timeout(PATIENCE):
            while len(server.received) < 3:
                await asyncio.sleep(0.005)
        return False

    async with wire_server(required(toolkit="github", url=LINK)) as server:
        async with tools(server, on_connection_required=ask) as client:
            calls = [client.answer_tool("github__list", {}) for _ in range(2)]
            answers = await asyncio.gather(*calls, client.for_user("bob").answer_tool("github__list", {}))
            await client.answer_tool("github__list", {})
    assert [answer.error and answer.error.code for answer in answers] == ["CONNECTION_REQUIRED"] * 3
    assert sorted(map(str, asked)) == ["None", "None", "bob"]


async def test_a_cancelled_call_leaves_the_question_to_the_others() -> None:
    async def ask(link: Any) -> bool:
        await may_answer.wait()
        return False

    may_answer = asyncio.Event()
    async with wire_server(required(toolkit="github", url=LINK)) as server:
        async with tools(server, on_connection_required=ask) as client:
            first, second = (asyncio.create_task(client.answer_tool("github__list", {})) for _ in range(2))
            async with asyncio.timeout(PATIENCE):
                while len(server.received) < 2:
                    await asyncio.sleep(0.005)
                first.cancel()
                await asyncio.wait({first})
                may_answer.set()
                answer = await second
    assert first.cancelled()
    assert answer.error
    assert "The user was asked" in answer.error.message


async def test_a_list_that_ends_cancels_its_question() -> None:
    async def ask(question: Any) -> bool:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return True

    began, ended = asyncio.Event(), asyncio.Event()
    async with wire_server(required(toolkit="github", url=LINK)) as server:
        async with tools(server, on_connection_required=ask) as client:
            calls = asyncio.create_task(client.call_tools([call(1)]))
            async with asyncio.timeout(PATIENCE):
                await began.wait()
                calls.cancel()
                await ended.wait()
            with pytest.raises(asyncio.CancelledError):
                await calls


async def test_the_tools_of_another_user_are_of_the_same_class_and_share_connections() -> None:
    class Loud(Tools):
        async def call_tool(self, name: str, arguments: Any, **options: Any) -> Any:
            return f"{await super().call_tool(name, arguments, **options)}!"

    async with wire_server(invoked("done")) as server, Loud(KEY, base_url=server.url, user_id="ann") as client:
        bob = client.for_user("bob", session_id="s1")
        assert await bob.call_tool("github__list", {}) == "done!"
        await client.call_tool("github__list", {})
    users = [(each.headers.get("svc-user-id"), each.headers.get("svc-session-id")) for each in server.received]
    assert users == [("bob", "s1"), ("ann", None)]
    with pytest.raises(SvcError, match="user_id must be"):
        client.for_user("ü")


async def test_a_connect_page_needs_a_user() -> None:
    with pytest.raises(SvcError, match="pass user_id=…, your id of the user"):
        await Tools(KEY).connect_url(["github"])
    with pytest.raises(SvcError, match="toolkits is a list of ids"):
        await Tools(KEY).connect_url("github", user_id="ann")
