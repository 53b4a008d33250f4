"""Bar charts: a result with an image, a file and a link beside its JSON.

```sh
SVC_TOOLKIT_API_KEY=… python examples/python/toolkits/charts.py
```
"""

import csv
import io
import struct
import zlib
from typing import Annotated, Any, TypedDict

from serve import report_loss, serve

from svc import ActionContext, Toolkit

HEIGHT = 120
BAR = 16
GAP = 8
MAX_BARS = 100
WHITE = b"\xff\xff\xff"
BLUE = b"\x25\x63\xeb"

toolkit = Toolkit(on_status=report_loss)


class Bar(TypedDict):
    """One bar."""

    label: str
    value: Annotated[float, "0 or more"]


@toolkit.action(annotations={"readOnly": True, "idempotent": True})
def bar_chart(ctx: ActionContext, bars: Annotated[list[Bar], "From left to right"]) -> Any:
    """Draws numbers as a bar chart: gives back a PNG image, the numbers as CSV, and a link about such charts."""
    if not 1 <= len(bars) <= MAX_BARS or min(bar["value"] for bar in bars) < 0:
        raise ctx.error("NOT_DRAWN", f"A chart has 1 to {MAX_BARS} bars, and none is below 0")
    highest = max(bar["value"] for bar in bars)
    ctx.image(draw([bar["value"] / (highest or 1) for bar in bars]), "image/png")
    table = io.StringIO()
    csv.writer(table).writerows([("label", "value"), *((bar["label"], bar["value"]) for bar in bars)])
    ctx.file(table.getvalue(), "text/csv", "bars.csv")
    ctx.link("https://en.wikipedia.org/wiki/Bar_chart", title="How to read a bar chart")
    return {"bars": len(bars), "highest": highest}


def draw(shares: list[float]) -> bytes:
    """Bars as a PNG. A share of 1 is the highest bar."""
    tops = [HEIGHT - round(share * (HEIGHT - GAP)) for share in shares]
    rows = []
    for y in range(HEIGHT):
        bars = [(BLUE if y >= top else WHITE) * BAR for top in tops]
        rows.append(b"\x00" + WHITE * GAP + b"".join(bar + WHITE * GAP for bar in bars))
    width = GAP + len(shares) * (BAR + GAP)
    header = struct.pack(">IIBBBBB", width, HEIGHT, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    serve(toolkit, name="Charts", description="Draws numbers as images")
