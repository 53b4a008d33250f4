"""Connections with the real service, and a real API that checks tokens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from svc import ActionContext, SvcError, Toolkit, Tools, run_blocking
from svc.testing import LocalService
from tests.support.keys import create_key
from tests.support.running import serving
from tests.support.wire_server import Received, Reply, wire_server

#: Token -> the account at the API.
ACCOUNTS = {"tok-of-ann-1": "ann", "tok-of-bob-1": "bob"}


def api(request: Received) -> Reply:
    """The API behind the toolkit."""
    account = ACCOUNTS.get(request.headers.get("authorization", "").removeprefix("Bearer "))
    return Reply(body={"login": account}) if account else Reply(401, {"message": "Bad credentials"})


@asynccontextmanager
async def vault(service: LocalService, name: str) -> AsyncIterator[tuple[Toolkit, str]]:
    """A toolkit whose calls need the caller's token, and an agent key."""
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    await toolkit.update_toolkit(auth={"type": "bearer", "from": "caller", "help": "A token of the vault"})
    async with wire_server(api) as server:

        @toolkit.action(action="whoami", action_description="Names the account")
        async def whoami(ctx: ActionContext) -> Any:
            assert ctx.connection
            async with httpx2.AsyncClient() as client:
                answer = await client.get(f"{server.url}/user", headers=ctx.connection.headers())
            if answer.status_code == 401:
                await ctx.connection.refused()
            return {"login": answer.json()["login"], "user": ctx.user_id}

        @toolkit.action(action="blocking", action_description="Names the account, in a thread")
        def blocking(ctx: ActionContext) -> Any:
            assert ctx.connection
            run_blocking(ctx.connection.refused())

        @toolkit.action(action="echo", action_description="Gives back the token")
        async def echo(ctx: ActionContext) -> Any:
            assert ctx.connection
            ctx.progress(1, message=f"with {ctx.connection.token}")
            return {
                "token": ctx.connection.token,
                "headers": ctx.connection.headers(),
                "connection": str(ctx.connection),
            }

        @toolkit.action(action="open", action_description="Needs no account", auth=False)
        async def opened(ctx: ActionContext) -> Any:
            return ctx.connection is None

        async with serving(toolkit):
            yield toolkit, create_key(service, "agent", "agent")


async def test_each_user_acts_with_their_own_account(service: LocalService) -> None:
    asked: list[Any] = []

    async def token_of(toolkit: str, user_id: str | None) -> Any:
        asked.append((toolkit, user_id))
        return {"bearer": f"tok-of-{user_id}-1"} if user_id != "eve" else None

    async with vault(service, "vault") as (_, agent), Tools(agent, base_url=service.url, connections=token_of) as tools:
        for user in ("ann", "bob"):
            answer = await tools.for_user(user).invoke("vault__whoami")
            assert answer["result"] == {"login": user, "user": user}
        assert (await tools.invoke("vault__whoami", user_id="bob"))["result"]["login"] == "bob"
        with pytest.raises(SvcError) as refused:
            await tools.for_user("eve").invoke("vault__whoami")
        assert (await tools.for_user("eve").invoke("vault__open"))["result"] is True
    assert refused.value.code == "CONNECTION_REQUIRED"
    assert refused.value.details["connect"] == {"toolkit": "vault", "help": "A token of the vault"}
    assert asked == [("vault", user) for user in ("ann", "bob", "bob", "eve", "eve")]


async def test_a_token_that_the_api_refuses_leaves_the_idempotency_key_free(service: LocalService) -> None:
    async with vault(service, "vault2") as (_, agent), Tools(agent, base_url=service.url) as tools:
        with pytest.raises(SvcError) as refused:
            await tools.invoke("vault2__whoami", connection={"bearer": "tok-expired-1"}, idempotency_key="order-1")
        again = await tools.invoke("vault2__whoami", connection={"bearer": "tok-of-ann-1"}, idempotency_key="order-1")
        with pytest.raises(SvcError) as in_thread:
            await tools.invoke("vault2__blocking", connection={"bearer": "tok-expired-1"})
    assert refused.value.code == in_thread.value.code == "CONNECTION_REQUIRED"
    assert refused.value.details["connect"]["toolkit"] == "vault2"
    assert "tok-expired-1" not in f"{refused.value.to_json()}"
    assert again["result"]["login"] == "ann"


async def test_no_answer_has_the_token_of_the_call(service: LocalService) -> None:
    progress: list[Any] = []
    async with vault(service, "vault3") as (_, agent), Tools(agent, base_url=service.url) as tools:
        answer = await tools.invoke("vault3__echo", connection={"bearer": "tok-of-ann-1"}, on_progress=progress.append)
    assert answer["result"] == {
        "token": "[connection]",
        "headers": {"Authorization": "Bearer [connection]"},
        "connection": "[connection]",
    }
    assert progress == [{"progress": 1, "message": "with [connection]"}]


async def test_a_toolkit_that_needs_no_connection_any_more_gets_none(service: LocalService) -> None:
    async with vault(service, "vault4") as (toolkit, agent), Tools(agent, base_url=service.url) as tools:
        with pytest.raises(SvcError) as refused:
            await tools.invoke("vault4__echo")
        assert refused.value.code == "CONNECTION_REQUIRED"
        toolkit.remove_action("echo")
        toolkit.action(action="echo", action_description="Has no connection")(lambda ctx: ctx.connection)
        await toolkit.update_toolkit(auth=None)
        answer = await tools.invoke("vault4__echo", connection={"bearer": "tok-of-ann-1"})
    assert answer["result"] is None
