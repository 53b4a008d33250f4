"""Exchange rates of a few currencies, made up.

```sh
SVC_TOOLKIT_API_KEY=… python examples/python/toolkits/exchange.py
```
"""

from dataclasses import dataclass
from typing import Annotated, Any

from serve import report_loss, serve

from svc import ActionContext, Toolkit

#: Units of each currency for one euro.
PER_EURO = {"EUR": 1.0, "CHF": 0.94, "GBP": 0.86, "JPY": 171.0, "USD": 1.16}

toolkit = Toolkit(on_status=report_loss)


@dataclass
class Pair:
    """Payload of ``exchange_rate``."""

    from_currency: Annotated[str, "Currency that you have, such as EUR"]
    to_currency: Annotated[str, "Currency that you want, such as USD"]


@toolkit.action(
    action="exchange_rate",
    action_description="Exchange rate between two currencies: the units of one for one unit of the other",
    payload_description=Pair,
    annotations={"readOnly": True},
)
def exchange_rate(ctx: ActionContext, pair: Pair) -> Any:
    for currency in (pair.from_currency, pair.to_currency):
        if currency not in PER_EURO:
            raise ctx.error(
                "CURRENCY_UNKNOWN", f"There is no rate for {currency}", data={"currencies": sorted(PER_EURO)}
            )
    rate = PER_EURO[pair.to_currency] / PER_EURO[pair.from_currency]
    return {"from": pair.from_currency, "to": pair.to_currency, "rate": round(rate, 6)}


if __name__ == "__main__":
    serve(toolkit, name="Exchange rates", description="Exchange rates between currencies")
