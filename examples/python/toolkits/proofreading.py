"""A paid action: proofreading, charged by the words that were read.

```sh
SVC_TOOLKIT_API_KEY=… python examples/python/toolkits/proofreading.py
```

An agent needs a key with a budget:
``svc-service keys create --kind agent --name me --budget-per-call 0.10 --budget-per-day 5``.
"""

import math
import re
import sys
from typing import Any

from serve import report_loss, serve

from svc import ActionContext, Toolkit
from svc.toolkit import CallWarning

#: 0.001 for each 100 words that were begun.
WORDS = 100
MAX_WORDS = 5_000

#: Pattern, and the text to write instead.
RULES = (
    (re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE), r"\1"),
    (re.compile(r"\s+([,.])"), r"\1"),
    (re.compile(r"(?<=\S) {2,}(?=\S)"), " "),
)


def report_warning(warning: CallWarning) -> None:
    print(f"{warning.invocation_id}: {warning.message}", file=sys.stderr)


toolkit = Toolkit(on_status=report_loss, on_warning=report_warning)


@toolkit.action(
    payload_description={
        "text": {
            "type": "string",
            "maxLength": 100_000,
            "description": "The text, at most 5000 words",
            "required": True,
        }
    },
    annotations={"readOnly": True},
    # The most that one call costs: 5000 words.
    payment={"amount": "0.05"},
)
def proofread(ctx: ActionContext, payload: dict[str, str]) -> Any:
    """Finds doubled words and wrong spaces in a text: gives back each mistake with its place.

    Costs 0.001 for each 100 words, and nothing for a text without mistakes.
    """
    text = payload["text"]
    words = len(text.split())
    # A call that fails costs nothing.
    if words > MAX_WORDS:
        raise ctx.error("TOO_LONG", f"The text has {words} words; send at most {MAX_WORDS} at a time")
    found = [(match, instead) for pattern, instead in RULES for match in pattern.finditer(text)]
    mistakes = [
        {"at": match.start(), "found": match[0], "instead": match.expand(instead)}
        for match, instead in sorted(found, key=lambda each: each[0].start())
    ]
    ctx.charge(f"{math.ceil(words / WORDS) / 1_000:.3f}" if mistakes else "0")
    return {"words": words, "mistakes": mistakes}


if __name__ == "__main__":
    serve(toolkit, name="Proofreading", description="Finds mistakes in texts")
