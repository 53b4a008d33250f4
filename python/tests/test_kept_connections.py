"""Accounts that the service keeps for the users of an app: the connect page, the code, and the calls."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.testing import LocalService
from svc.tools import ConnectLink
from tests.support.connect_page import connect_account
from tests.support.keys import create_key
from tests.support.running import serving


@asynccontextmanager
async def tracker(service: LocalService, name: str) -> AsyncIterator[str]:
    """A toolkit that acts with the account of each user. Returns an agent key."""
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    await toolkit.update_toolkit(auth={"type": "bearer", "from": "user", "help": "A token of the tracker"})

    @toolkit.action(action="whose", action_description="Names the account")
    async def whose(ctx: ActionContext) -> Any:
        assert ctx.connection
        # The service would hide the token.
        return {
            "user": ctx.user_id,
            "token": (ctx.connection.token or "")[::-1],
            "has_id": ctx.connection.id is not None,
        }

    @toolkit.action(action="refused", action_description="Cannot use the account")
    async def refused(ctx: ActionContext) -> Any:
        assert ctx.connection
        await ctx.connection.refused()

    async with serving(toolkit):
        yield create_key(service, "agent", name)


async def test_a_user_connects_an_account_and_the_call_continues(service: LocalService) -> None:
    asked: list[ConnectLink] = []

    async def connect(link: ConnectLink) -> bool:
        asked.append(link)
        code = await connect_account(link["url"], "tok-of-ann")
        confirmed = await tools.confirm_connection(code, user_id="ann")
        return confirmed["toolkit"] == "kept"

    async with (
        tracker(service, "kept") as agent,
        Tools(agent, base_url=service.url, user_id="ann", on_connection_required=connect) as tools,
    ):
        for _ in range(2):
            answer = await tools.invoke("kept__whose")
            assert answer["result"] == {"user": "ann", "token": "nna-fo-kot", "has_id": True}
        bob = tools.for_user("bob", on_connection_required=lambda link: False)
        with pytest.raises(SvcError, match="The user was asked to connect an account"):
            await bob.invoke("kept__whose")
    ((link),) = asked
    assert (link["toolkit"], link["userId"], link.get("confirm")) == ("kept", "ann", True)


async def test_the_code_of_one_user_connects_nothing_for_another(service: LocalService) -> None:
    async with tracker(service, "stolen") as agent, Tools(agent, base_url=service.url) as tools:
        page = await tools.connect_url(["stolen"], user_id="ann")
        code = await connect_account(page["url"], "tok-of-ann")
        with pytest.raises(SvcError):
            await tools.confirm_connection(code, user_id="eve")
        with pytest.raises(SvcError):
            await tools.confirm_connection(code, user_id="ann")
        for user in ("ann", "eve"):
            with pytest.raises(SvcError) as required:
                await tools.for_user(user).invoke("stolen__whose")
            assert required.value.code == "CONNECTION_REQUIRED"
            assert required.value.details["connect"]["url"].startswith(service.url)


async def test_an_account_that_the_api_refuses_has_to_be_connected_again(service: LocalService) -> None:
    async with tracker(service, "ended") as agent, Tools(agent, base_url=service.url, user_id="ann") as tools:
        page = await tools.connect_url(["ended"])
        await tools.confirm_connection(await connect_account(page["url"], "tok-of-ann"))
        with pytest.raises(SvcError) as required:
            await tools.invoke("ended__refused")
    assert required.value.code == "CONNECTION_REQUIRED"
    assert required.value.details["connect"]["url"].startswith(service.url)
    assert "tok-of-ann" not in str(required.value.to_json())


async def test_one_of_several_accounts_is_chosen_by_its_name(service: LocalService) -> None:
    async with tracker(service, "several") as agent, Tools(agent, base_url=service.url, user_id="ann") as tools:
        for name in ("home", "work"):
            page = await tools.connect_url(["several"], name=name)
            confirmed = await tools.confirm_connection(await connect_account(page["url"], f"tok-{name}"))
            assert confirmed["name"] == name
        work = await tools.invoke("several__whose", connection_name="work")
        home = await tools.for_user("ann", connection_names={"several": "home"}).invoke("several__whose")
    assert (work["result"]["token"], home["result"]["token"]) == ("krow-kot", "emoh-kot")
