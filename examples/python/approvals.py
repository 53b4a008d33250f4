"""A rule asks before each refund, and the program decides with its own user. The agent key needs this rule:

```json
[{ "match": { "action": "shop__refund" }, "do": "ask", "decidedBy": "app" }]
```

```sh
SVC_TOOLKIT_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/approvals.py
```
"""

import asyncio

from svc import SvcError, Toolkit, Tools
from svc.tools import ApprovalAnswer, ApprovalQuestion

#: The user's answers, in place of a dialog: small refunds are fine.
MOST = 20


def serve_shop() -> Toolkit:
    toolkit = Toolkit()

    @toolkit.action
    def refund(order: str, amount: float) -> str:
        """Gives the money of an order back."""
        return f"{amount:g} are back for {order}"

    return toolkit


async def ask_user(question: ApprovalQuestion) -> ApprovalAnswer:
    payload = question["payload"]
    print(f"{question['userId']}, may the agent run {question['action']} for {payload['amount']}?")
    if payload["amount"] <= MOST:
        return {"decision": "approve"}
    return {"decision": "deny", "reason": f"More than {MOST} needs a letter"}


async def main() -> None:
    toolkit = serve_shop()
    running = asyncio.create_task(toolkit.run())
    (action,) = (await toolkit.ready()).accepted
    async with Tools(user_id="ann", on_approval_required=ask_user) as tools:
        for order, amount in (("order-1", 15), ("order-2", 500)):
            try:
                answer = await tools.invoke(action, {"order": order, "amount": amount})
                print(answer.result)
            except SvcError as error:
                print(f"{error.code}: {error.details['approval']['reason']}")
    await toolkit.stop()
    await running


if __name__ == "__main__":
    asyncio.run(main())
