"""The weather of a few cities, made up: the plainest toolkit here.

```sh
SVC_TOOLKIT_API_KEY=… python examples/python/toolkits/weather.py
```
"""

from typing import Annotated, Any

from serve import report_loss, serve

from svc import ActionContext, Toolkit

#: Degrees Celsius at noon, and the sky.
TODAY = {"Berlin": (17, "cloudy"), "Lima": (19, "misty"), "Oslo": (9, "rainy"), "Rome": (24, "clear")}
#: Lower and higher than noon today, day by day.
CHANGES = ((-6, 0), (-5, 1), (-7, -1), (-8, -3), (-6, 0), (-4, 2), (-3, 3))

toolkit = Toolkit(on_status=report_loss)


City = Annotated[str, "Name of the city, in English"]


@toolkit.action(annotations={"readOnly": True})
def today(ctx: ActionContext, city: City) -> Any:
    """Today's weather in a city: temperature in degrees Celsius and a word for the sky."""
    celsius, sky = look_up(ctx, city)
    return {"city": city, "celsius": celsius, "sky": sky}


@toolkit.action(annotations={"readOnly": True})
def forecast(ctx: ActionContext, city: City, days: Annotated[int, "1 to 7"] = 3) -> Any:
    """Forecast for a city: lowest and highest temperature of the next days, in degrees Celsius."""
    celsius, _ = look_up(ctx, city)
    changes = CHANGES[: min(max(days, 1), len(CHANGES))]
    return {"city": city, "days": [{"low": celsius + low, "high": celsius + high} for low, high in changes]}


def look_up(ctx: ActionContext, city: str) -> tuple[int, str]:
    if city not in TODAY:
        raise ctx.error("CITY_UNKNOWN", f"There is no weather for {city}", data={"cities": sorted(TODAY)})
    return TODAY[city]


if __name__ == "__main__":
    serve(toolkit, name="Weather", description="Weather of today and of the next days, by city")
