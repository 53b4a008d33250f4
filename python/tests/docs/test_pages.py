"""Runs the Python blocks of docs/ on the real service."""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from svc import ActionContext, Toolkit
from tests.docs.page_blocks import PageProgram, page_program, pages_with_python
from tests.docs.stage import Stage
from tests.docs.test_python_places import PLACES
from tests.support.repository import REPOSITORY
from tests.support.running import running, serving
from tests.support.waiting import until
from tests.support.wire_server import Received, Reply, wire_server

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")

Printed = Callable[[], str]


def define_weather(toolkit: Toolkit) -> None:
    @toolkit.action(action="today", action_description="Weather of today in a city", payload_description={})
    def today(ctx: ActionContext, payload: dict[str, Any]) -> dict[str, Any]:
        if "country" in payload:
            raise ctx.error("CITY_UNKNOWN", "There is no such city")
        ctx.progress(1, 2, "half of it")
        return {"celsius": 21}


def define_shop(toolkit: Toolkit) -> None:
    toolkit.action(action="find_order", action_description="Finds an order by its number")(lambda ctx: "sent")


def define_maps(toolkit: Toolkit) -> None:
    toolkit.action(action="draw", action_description="Draws a map of a city", payment={"amount": "0.05"})(
        lambda ctx: "a map"
    )


async def tools(stage: Stage, page: PageProgram, printed: Printed) -> None:
    asked: list[str] = []
    booked: list[tuple[str, str]] = []

    async def ask_human(question: str) -> bool:
        asked.append(question)
        return True

    call = SimpleNamespace(name="maps__draw", arguments='{"city": "Rome"}')
    message = SimpleNamespace(tool_calls=[SimpleNamespace(id="call_0", type="function", function=call)])
    page.names |= {"ask_human": ask_human, "book": lambda *entry: booked.append(entry), "message": message}
    async with (
        stage.toolkit("weather", define_weather),
        stage.toolkit("shop", define_shop),
        stage.toolkit("maps", define_maps),
    ):
        await page.run()
        output = printed()
        assert output.startswith("{'celsius': 21}\n")
        assert "1 2 half of it\n{'celsius': 21} None None None\n" in output
        assert "0.05 of 0.05 USD\n" in output
        assert asked == ["Run maps__draw for up to 0.05 USD?"]
        assert await page["run_after_asking"](call.name, call.arguments) == "a map"
        async with page["CountedTools"]() as counted:
            (answered,) = await counted.call_tools(message.tool_calls)
        assert answered["content"] == "a map"
        assert booked == [("maps__draw", "0.05")]
    for name in ("tools", "careful"):
        await page[name].aclose()


async def toolkit(stage: Stage, page: PageProgram, printed: Printed) -> None:
    def answer(request: Received) -> Reply:
        if request.path == "/Atlantis?days=3":
            return Reply(404)
        return Reply(body={"asked": request.path, "key": request.headers.get("idempotency-key")})

    async with wire_server(answer) as api, wire_server(Reply(raw=b"Good day")) as translator, stage.tools() as tools:
        page.replace("https://weather.example", api.url)
        page.replace("https://payments.example", api.url)
        page.replace("https://translation.example", translator.url)
        serves = await page.start_next("forecast")
        await page["toolkit"].ready()
        await page.run()
        assert "{'authorised': '0.05', 'charged': '0.03', 'currency': 'USD'}" in printed()
        forecast = await tools.invoke("weather__forecast", {"city": "Rome"})
        assert forecast["result"]["asked"] == "/Rome?days=3"
        (failed,) = await tools.call_tools([_call("weather__forecast", '{"city": "Atlantis"}')])
        assert "There is no weather for Atlantis" in failed["content"]
        today = await tools.invoke("weather__today", {"city": "Rome", "unit": "F"})
        assert today["result"] == "20 °F in Rome"
        listed = (await tools.search("weather__list_cities"))["actions"][0]
        assert listed["result"] == "{name:string, people:int}[]"
        translated = await tools.invoke("weather__translate", {"text": "1234"})
        assert (translated["result"], translated["payment"]["charged"]) == ("Good day", "0.00008")
        charged = await tools.invoke("weather__charge", {"customer": "c1", "cents": 5}, idempotency_key="order-1")
        assert charged["result"]["key"].endswith("/order-1")
        await page["toolkit"].stop()
        await serves


def write_picture() -> None:
    Path("sales.png").write_bytes(PNG)


async def content(stage: Stage, page: PageProgram, printed: Printed) -> None:
    write_picture()
    page.replace("Toolkit()", f"Toolkit({stage.toolkit_key('shop')!r})")
    await page.run_next()
    async with serving(page["toolkit"]):
        await page.run()
    assert printed() == f"image/png {len(PNG)}\n2026-03 https://example.com/sales/2026-03\n"


async def errors(stage: Stage, page: PageProgram, printed: Printed) -> None:
    page.replace('{"city": "Rome"}', '{"country": "Italy"}')
    async with stage.toolkit("weather", define_weather):
        await page.run()
    assert printed().startswith("ACTION_FAILED ")


async def payments(stage: Stage, page: PageProgram, printed: Printed) -> None:
    page.replace("Toolkit()", f"Toolkit({stage.toolkit_key('text')!r})")
    await page.run_next()
    async with serving(page["toolkit"]):
        await page.run_next()
    assert printed() == "{'words': 1} {'authorised': '0.05', 'charged': '0.01', 'currency': 'USD'}\n"
    await page.run()
    key, sent_at, body = b"secret", str(int(time.time())), b'{"charged": "0.01"}'
    signature = base64.b64encode(hmac.new(key, f"inv-1.{sent_at}.".encode() + body, hashlib.sha256).digest())
    headers = {"webhook-id": "inv-1", "webhook-timestamp": sent_at, "webhook-signature": f"v1,{signature.decode()}"}
    assert page["is_genuine"](headers, body)
    assert not page["is_genuine"](headers, body + b" ")


async def proxies(stage: Stage, page: PageProgram, printed: Printed) -> None:
    def answer(request: Received) -> Reply:
        assert request.path == "http://tools.example/v1/search"
        return Reply(body={"actions": []})

    async with wire_server(answer) as proxy:
        page.replace("http://proxy.company.example:3128", proxy.url)
        page.replace("Tools(", "Tools(base_url='http://tools.example', ")
        await page.run()
    assert printed() == "0\n"
    toolkit = Toolkit("svc_toolkit_any", base_url="http://tools.example", on_status=lambda status: None)
    async with wire_server(Reply(503)) as proxy:
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("HTTP_PROXY", proxy.url)
            async with running(toolkit):
                await until(lambda: proxy.received)
    assert (proxy.received[0].method, proxy.received[0].path) == ("CONNECT", "tools.example:80")


async def actions(stage: Stage, page: PageProgram, printed: Printed) -> None:
    page.replace("Toolkit()", f"Toolkit({stage.toolkit_key('restaurant')!r})")
    await page.run()
    assert printed() == "{'Soup': 7}\nINVALID_PAYLOAD /guests\n"
    async with stage.tools() as tools:
        table = await tools.invoke("restaurant__book_table", {"guests": 2, "place": "terrace"})
        assert table["result"] == "A table terrace for 2"
        results = {}
        for name, payload in (("count_members", {"a": 1}), ("cook", {"name": "Soup"}), ("close", {"reason": "late"})):
            results[name] = (await tools.invoke(f"restaurant__{name}", payload))["result"]
    assert results == {"count_members": 1, "cook": "Soup is ready", "close": False}
    await page["toolkit"].stop()
    await page["serving"]


async def browsers(stage: Stage, page: PageProgram, printed: Printed) -> None:
    page.replace("https://tools.example.com", stage.service.url)
    await page.run()
    assert (await page["svc_token"]("user-1")).startswith("svc_token_")


async def connections(stage: Stage, page: PageProgram, printed: Printed) -> None:
    def answer(request: Received) -> Reply:
        issues = {"Bearer gho_ada": ["Buy cogs"], "Bearer gho_other": ["Order silicon"]}
        found = issues.get(request.headers.get("authorization", ""))
        return Reply(401) if found is None else Reply(body=found)

    shown: list[tuple[str, ...]] = []

    async def show_button(*button: str) -> None:
        shown.append(button)

    page.names |= {"tokens": {"u_81 github": "gho_ada", "u_82 github": "gho_other"}, "show_button": show_button}
    async with wire_server(answer) as api:
        page.replace("https://api.github.com", api.url)
        page.replace("Toolkit()", f"Toolkit({stage.toolkit_key('github')!r})")
        await page.run_next()
        # The next block asks for kept accounts, and the app after it brings credentials.
        await page.run_next()
        await page["toolkit"].update_toolkit(auth={"type": "bearer", "from": "caller"})
        async with serving(page["toolkit"]):
            await page.run()
    assert printed() == "['Buy cogs']\n['Order silicon']\n['Order silicon']\n"
    await page["show_link"]({"userId": "u_83", "toolkit": "github", "url": "https://svc.example"})
    assert shown == [("u_83", "github", "https://svc.example")]
    await page["app"].aclose()


async def operations(stage: Stage, page: PageProgram, printed: Printed) -> None:
    sent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    spans: list[tuple[str, str]] = []

    @contextmanager
    def span_of(name: str, parent: str) -> Iterator[None]:
        spans.append((name, parent))
        yield

    page.names |= {"span_of": span_of, "current_traceparent": lambda: sent}
    await page.run()
    define_weather(page["toolkit"])
    async with serving(page["toolkit"]), page["http"]:
        await page["tools"].invoke("weather__today")
    ((name, parent),) = spans
    assert (name, parent[:35]) == ("today", sent[:35])


async def service(stage: Stage, page: PageProgram, printed: Printed) -> None:
    await page.run()
    assert page["key"].startswith("svc_agent_")


def _call(name: str, arguments: str) -> dict[str, Any]:
    return {"id": "call_0", "type": "function", "function": {"name": name, "arguments": arguments}}


SCENES: dict[str, Callable[[Stage, PageProgram, Printed], Awaitable[None]]] = {
    "docs/python/actions.md": actions,
    "docs/browsers.md": browsers,
    "docs/connections.md": connections,
    "docs/content.md": content,
    "docs/errors.md": errors,
    "docs/operations.md": operations,
    "docs/payments.md": payments,
    "docs/proxies.md": proxies,
    "docs/service.md": service,
    "docs/toolkit.md": toolkit,
    "docs/tools.md": tools,
}
#: test_python_readme.py, test_python_places.py, test_agent_pages.py
ELSEWHERE = (*PLACES, "python/README.md", "python/AGENT.md", "docs/agent")


@pytest.mark.parametrize("page", [page for page in pages_with_python() if not page.startswith(ELSEWHERE)])
async def test_the_blocks_of_a_page_run(
    page: str, stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert page in SCENES, f"Add a scene for {page}"
    monkeypatch.setenv("SVC_LEDGER_WEBHOOK_SECRET", "whsec_" + base64.b64encode(b"secret").decode())
    with page_program(page) as program:
        await SCENES[page](stage, program, lambda: capsys.readouterr().out)


#: A text of a block of TypeScript, and the reason for a missing Python variant.
ONLY_TYPESCRIPT = {
    "ai-sdk": "the AI SDK is for TypeScript",
    "wrapLanguageModel": "the AI SDK is for TypeScript",
    "svc-sdk/agent/testing": "the fakes of the platforms run on Node",
    "svc-service": "the service runs on Node",
    "svc-service/import": "imports run on Node, beside toolkits in any language",
    "@modelcontextprotocol/server": "the SDK for MCP of TypeScript",
    "resourceUri": "`meta` of an action is an option of TypeScript",
    "approvals: { chats:": "approvers in chats are an option of the Agent of TypeScript",
    "'use client'": "Next.js",
    "serverExternalPackages": "Next.js",
    "fetch('/svc-token'": "a page in a browser",
    "export default {": "Cloudflare Workers",
    "isStepCount": "the AI SDK is for TypeScript",
    "tools.shop.list_orders": "the programs of models are JavaScript",
    "tools.runCode": "the names in Python are below it, and the service of these tests runs no code",
}
_TYPESCRIPT = r"^```(?:ts|js|tsx)\b[^\n]*\n(.*?)^```\n"
#: The commands of a program may be between the program and its variant.
_VARIANT = r"\n(?:```sh\n[^`]*```\n\n)?<details><summary>Python</summary>\n"


def test_each_block_of_typescript_has_its_variant() -> None:
    # Each adapter has a page with blocks for its framework; decisions have excerpts.
    pages = [*REPOSITORY.glob("docs/*.md"), *REPOSITORY.glob("docs/agent/*.md")]
    text = "".join(page.read_text() for page in pages if page.name != "adapters.md")
    without = [
        block[1]
        for block in re.finditer(_TYPESCRIPT, text, re.DOTALL | re.MULTILINE)
        if not re.match(_VARIANT, text[block.end() :])
    ]
    assert [code for code in without if not any(only in code for only in ONLY_TYPESCRIPT)] == []
