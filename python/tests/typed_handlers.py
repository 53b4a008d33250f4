"""Handlers for type checkers: mypy and pyright fail for an ignored line that has no error.

`npm run check:python` runs both; mypy checks all other files too.
"""

from dataclasses import dataclass
from typing import TypedDict, assert_type

from pydantic import BaseModel

from svc import ActionContext, Toolkit

toolkit = Toolkit("svc_toolkit_test")


@dataclass
class Wish:
    city: str


class Order(TypedDict):
    number: int


class Parcel(BaseModel):
    weight: float


@toolkit.action
async def today(city: str, ctx: ActionContext, days: int = 1) -> list[str]:
    """Is called with its own parameters by other code too."""
    return [city] * days


@toolkit.action(annotations={"readOnly": True})
def tomorrow(city: str) -> str:
    """Has a decorator with arguments."""
    return city


@toolkit.action(payload_description=Wish)
async def of_dataclass(ctx: ActionContext, wish: Wish) -> str:
    """Takes what its payload_description describes."""
    return wish.city


@toolkit.action(action="ordered", action_description="Orders", payload_description=Order)
def of_typed_dict(ctx: ActionContext, order: Order) -> int:
    return order["number"]


@toolkit.action(payload_description=Parcel)
def of_pydantic(ctx: ActionContext, parcel: Parcel, tax: float = 0.2) -> float:
    """May have parameters with defaults."""
    return parcel.weight * tax


@toolkit.action(payload_description=Wish)
def without_payload(ctx: ActionContext) -> None:
    """Does not read its payload."""


@toolkit.action(payload_description={"city": {"type": "string"}})
def of_short_form(ctx: ActionContext, payload: dict[str, str]) -> str:
    """Has a schema that type checkers cannot read."""
    return payload["city"]


async def calls(ctx: ActionContext) -> None:
    assert_type(await today("Rome", days=2, ctx=ctx), list[str])
    assert_type(tomorrow(city="Rome"), str)
    assert_type(await of_dataclass(ctx, Wish("Rome")), str)
    assert_type(of_typed_dict(ctx, {"number": 1}), int)
    assert_type(of_short_form(ctx, payload={"city": "Rome"}), str)
    await today("Rome")  # type: ignore[call-arg]
    tomorrow(7)  # type: ignore[arg-type]
    await of_dataclass(ctx, Order(number=1))  # type: ignore[arg-type]


@toolkit.action(payload_description=Wish)  # type: ignore[arg-type]
async def of_another_dataclass(ctx: ActionContext, wish: Parcel) -> None: ...


@toolkit.action(payload_description=Order)  # type: ignore[arg-type]
def of_a_text(ctx: ActionContext, order: str) -> None: ...


@toolkit.action(payload_description=Parcel)  # type: ignore[arg-type]
def of_members(weight: float) -> None: ...


@toolkit.action(payload_description=Parcel)  # type: ignore[arg-type]
def of_three(ctx: ActionContext, parcel: Parcel, more: int) -> None: ...


toolkit.action(action_desription="Has a typo")  # type: ignore[call-overload]
toolkit.action(payload_description=7)  # type: ignore[call-overload]
