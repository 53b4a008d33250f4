"""Exchange rates of a few currencies, made up.

```sh
SVC_TOOLKIT_API_KEY=… python examples/python/toolkits/exchange.py
```
"""

from typing import Annotated, Any

from serve import report_loss, serve

from svc import ActionContext, Toolkit

#: Units of each currency for one euro.
PER_EURO = {"EUR": 1.0, "CHF": 0.94, "GBP": 0.86, "JPY": 171.0, "USD": 1.16}

toolkit = Toolkit(on_status=report_loss)


@toolkit.action(annotations={"readOnly": True})
def exchange_rate(
    ctx: ActionContext,
    from_currency: Annotated[str, "Currency that you have, such as EUR"],
    to_currency: Annotated[str, "Currency that you want, such as USD"],
) -> Any:
    """Exchange rate between two currencies: the units of one for one unit of the other."""
    for currency in (from_currency, to_currency):
        if currency not in PER_EURO:
            raise ctx.error(
                "CURRENCY_UNKNOWN", f"There is no rate for {currency}", data={"currencies": sorted(PER_EURO)}
            )
    rate = PER_EURO[to_currency] / PER_EURO[from_currency]
    return {"from": from_currency, "to": to_currency, "rate": round(rate, 6)}


if __name__ == "__main__":
    serve(toolkit, name="Exchange rates", description="Exchange rates between currencies")
