"""The toolkit of the vectors whose calls need a connection, with handlers of this SDK."""

from typing import Any

from svc import ActionContext, SvcError, Toolkit
from svc.toolkit import Handler
from tests.support.repository import vector

CONNECTED = vector("toolkit-connections")


def show(ctx: ActionContext) -> Any:
    connection = ctx.connection
    if connection is None:
        return {}
    shown = {
        "id": connection.id,
        "type": connection.type,
        "token": connection.token,
        "username": connection.username,
        "password": connection.password,
        "apiKey": connection.api_key,
        "expiresAtMs": connection.expires_at and round(connection.expires_at.timestamp() * 1000),
        "account": connection.account,
        "headers": connection.headers(),
        "printed": str(connection),
    }
    return {name: value for name, value in shown.items() if value is not None}


async def renew(ctx: ActionContext) -> Any:
    assert ctx.connection
    await ctx.connection.refused()
    return show(ctx)


def refuse(ctx: ActionContext) -> Any:
    raise ctx.error("CONNECTION_REQUIRED", "This account may not read")


def relay(ctx: ActionContext) -> Any:
    raise SvcError("CONNECTION_REQUIRED", "Connect elsewhere")


def opened(ctx: ActionContext) -> Any:
    return {"connected": ctx.connection is not None}


def define_connected(toolkit: Toolkit) -> list[dict[str, Any]]:
    """Adds the actions, and returns their registrations."""
    registrations = [{name: each[name] for name in each if name != "handler"} for each in CONNECTED["actions"]]
    handlers: dict[str, Handler] = {
        "show": show,
        "renew": renew,
        "refuse": refuse,
        "relay": relay,
        "open": opened,
    }
    for each in registrations:
        toolkit.action(
            action=each["action"],
            action_description=each["actionDescription"],
            annotations=each.get("annotations"),
            auth=each.get("auth"),
        )(handlers[each["action"]])
    return registrations
