"""One toolkit, many users: each call acts with the account of its user. The API is in this program and checks tokens.

```sh
SVC_TOOLKIT_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/connections.py
```
"""

import asyncio
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.tools import Credential

#: Token -> the issues of the account.
ISSUES = {"token-of-ann": ["The roof leaks"], "token-of-bob": ["No tea left", "The door squeaks"]}


class Api(BaseHTTPRequestHandler):
    """The API behind the toolkit."""

    def do_GET(self) -> None:
        issues = ISSUES.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        content = json.dumps(issues).encode()
        self.send_response(401 if issues is None else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Prints no line for each request."""


def serve_issues(api: str) -> Toolkit:
    """The toolkit's side: it asks for the caller's token, and sends that to the API."""
    toolkit = Toolkit()

    @toolkit.action(action="list_issues", action_description="Lists the user's open issues, oldest first")
    def list_issues(ctx: ActionContext) -> Any:
        assert ctx.connection
        try:
            with urlopen(Request(f"{api}/issues", headers=ctx.connection.headers())) as answer:
                return {"user": ctx.user_id, "issues": json.load(answer)}
        except HTTPError as error:
            if error.code != 401:
                raise
            # Nothing was done, and the user's app learns that it needs another token.
            raise ctx.error("CONNECTION_REQUIRED", "The issue tracker refuses this token") from None

    return toolkit


async def show_issues(api: str) -> None:
    toolkit = serve_issues(api)
    await toolkit.update_toolkit(
        name="Issues",
        description="The issues of each user",
        auth={"type": "bearer", "from": "caller", "help": "A token of the issue tracker"},
    )
    running = asyncio.create_task(toolkit.run())
    registration = await toolkit.ready()
    (action,) = registration.accepted

    def token_of(toolkit: str, user: str | None) -> Credential | None:
        """The application's side: it has the tokens of its users, for the toolkit that it trusts with them."""
        token = f"token-of-{user}"
        return {"bearer": token} if toolkit == registration.toolkit.id and token in ISSUES else None

    async with Tools(connections=token_of) as tools:
        for user in ("ann", "bob", "eve"):
            try:
                answer = await tools.for_user(user).invoke(action)
                print(f"{answer.result['user']}: {', '.join(answer.result['issues'])}")
            except SvcError as error:
                print(f"{user}: {error.code}, {error.details['connect']['help']}")
    await toolkit.stop()
    await running


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    Thread(target=server.serve_forever, daemon=True).start()
    asyncio.run(show_issues(f"http://127.0.0.1:{server.server_port}"))
    server.shutdown()


if __name__ == "__main__":
    main()
