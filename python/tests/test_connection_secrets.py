"""The secret of a connection is in no text but the frame, the headers of the call, and the handler's own request."""

import copy
import dataclasses
import json
import logging
import pickle
import pprint
import traceback
from typing import Any

import pytest

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.toolkit import ActionConnection
from svc.toolkit.action_connection import read_connection
from svc.toolkit.context import Call
from tests.support.running import running
from tests.support.wire_server import Reply, wire_server
from tests.support.wire_service import wire_service

CANARY = "canary-gho_16C7e42F292c6912E7710c838347Ae178B4a"
FRAME = {"type": "bearer", "token": CANARY, "account": "octocat"}


def connection() -> ActionConnection:
    read = read_connection(FRAME)
    assert read
    return read


@pytest.mark.parametrize(
    "printed",
    [
        *(str, repr, ascii, "{}".format, "{!r}".format, pprint.pformat),
        *(lambda value: f"{value}", lambda value: json.dumps(value, default=str), lambda value: repr([value])),
        *(lambda value: str(copy.copy(value)), lambda value: str(copy.deepcopy(value))),
    ],
)
def test_a_connection_prints_as_a_word(printed: Any) -> None:
    text = printed(connection())
    assert "[connection]" in text
    assert CANARY not in text


def test_a_connection_is_not_pickled() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="is not pickled"):
            pickle.dumps(connection(), protocol)


def test_a_call_with_a_connection_prints_and_copies_without_it() -> None:
    call = Call(
        **{field.name: None for field in dataclasses.fields(Call) if field.name != "connection"},  # type: ignore[arg-type]
        connection=connection(),
    )
    assert CANARY not in f"{call!r} {dataclasses.asdict(call)} {dataclasses.astuple(call)}"


@pytest.mark.parametrize("level", [logging.NOTSET, logging.DEBUG, logging.INFO])
async def test_no_log_has_a_key_or_a_connection(
    level: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in the logs of the libraries below."""
    monkeypatch.setattr("websockets.frames.MAX_LOG_SIZE", 10_000, raising=False)
    async with wire_service(logger=silent_logger()) as service, wire_server(Reply(body=INVOKED)) as server:
        toolkit = Toolkit("svc_toolkit_canary", base_url=service.url)
        await toolkit.update_toolkit(auth={"type": "bearer", "from": "caller"})
        toolkit.action(action="show", action_description="Shows")(lambda ctx: str(ctx.connection))
        caplog.set_level(level)
        async with running(toolkit), Tools("svc_agent_canary", base_url=server.url) as tools:
            socket = await service.socket()
            await socket.accept()
            await socket.invoke("inv_1", "show", connection=FRAME)
            assert (await socket.next())["result"] == "[connection]"
            await tools.invoke("github__list", connection={"bearer": CANARY})
    assert "canary" not in caplog.text


INVOKED = {"invocationId": "inv_1", "result": None}


def silent_logger() -> logging.Logger:
    """The scripted service logs its own side."""
    logger = logging.Logger("tests")
    logger.disabled = True
    return logger


async def test_an_error_of_a_handler_shows_no_connection() -> None:
    async def fail(ctx: ActionContext) -> Any:
        held = ctx.connection
        raise ValueError(f"{held} {ctx.__dict__} {[held]}")

    def returns_it(ctx: ActionContext) -> Any:
        return {"connection": ctx.connection}

    async with wire_service() as service:
        toolkit = Toolkit("svc_toolkit_x", base_url=service.url)
        toolkit.action(action="fail", action_description="Fails")(fail)
        toolkit.action(action="returns", action_description="Returns it")(returns_it)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            for number, action in enumerate(("fail", "returns")):
                await socket.invoke(f"inv_{number}", action, connection=FRAME)
                assert CANARY not in json.dumps(await socket.next())


@pytest.mark.parametrize(
    "reply",
    [
        Reply(403, {"code": "ACTION_FAILED", "detail": f"No {CANARY}", "cause": {"code": "X", "data": [CANARY]}}),
        Reply(502, raw=b"<html>", headers={"content-type": f"text/html; {CANARY}"}),
        Reply(302, raw=b"", headers={"location": f"http://127.0.0.1:1/{CANARY}"}),
        Reply(200, raw=f'"{CANARY}"'.encode()),
        Reply(cut=True),
    ],
    ids=["problem", "page", "redirect", "text", "lost"],
)
async def test_no_error_of_a_call_has_its_credential(reply: Reply, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc.protocol.backoff.random.random", lambda: 0.0)
    async with wire_server(reply) as server:
        async with Tools(
            "svc_agent_x", base_url=server.url, connections=lambda toolkit, user: {"bearer": CANARY}
        ) as tools:
            tools._connections._needing.add("github")
            with pytest.raises(SvcError) as raised:
                await tools.invoke("github__list")
    assert server.received[0].headers["svc-connections"] == f"github Bearer {CANARY}"
    error = raised.value
    shown = "".join(traceback.format_exception(error))
    assert CANARY not in f"{error!r} {error.to_json()} {error.details} {shown}"


async def test_no_variable_of_this_package_shows_a_credential(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that report errors show the variables of each frame too."""
    monkeypatch.setattr("svc.protocol.backoff.random.random", lambda: 0.0)
    async with wire_server(Reply(cut=True)) as server:
        async with Tools(
            "svc_agent_x", base_url=server.url, connections=lambda toolkit, user: {"bearer": CANARY}
        ) as tools:
            tools._connections._needing.add("github")
            with pytest.raises(SvcError) as raised:
                await tools.invoke("github__list")
    frames = "".join(traceback.TracebackException.from_exception(raised.value, capture_locals=True).format())
    own = [frame for frame in frames.split('  File "') if "/svc/" in frame.partition('"')[0]]
    assert len(own) > 3
    assert CANARY not in "".join(own)


async def test_a_redirect_takes_no_credential_to_another_address() -> None:
    async with wire_server(Reply(body=INVOKED)) as other:
        moved = Reply(307, raw=b"", headers={"location": f"{other.url}/v1/invoke"})
        async with wire_server(moved) as server, Tools("svc_agent_x", base_url=server.url) as tools:
            with pytest.raises(SvcError, match="redirects"):
                await tools.invoke("github__list", connection={"bearer": CANARY})
    assert other.received == []
