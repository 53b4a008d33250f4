"""A person at the connect page, as a browser without scripts: opens the link, and fills in the form of a token."""

import re
from urllib.parse import urljoin

import httpx2

_CODE = re.compile(r"\b[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}\b")


async def connect_account(link: str, token: str) -> str:
    """Connects the account of the token, and returns the code that the page shows."""
    async with httpx2.AsyncClient(follow_redirects=True) as browser:
        page = (await browser.get(link)).text
        form = {name: value for tag in re.findall(r"<input[^>]*>", page) for name, value in _field(tag, token)}
        target = urljoin(link, _attribute(re.findall(r"<form[^>]*>", page)[0], "action") or "")
        origin = re.match(r"https?://[^/]+", target)
        assert origin
        answer = await browser.post(target, data=form, headers={"origin": origin[0]})
    code = _CODE.search(answer.text)
    assert code, answer.text
    return code[0]


def _field(tag: str, token: str) -> list[tuple[str, str]]:
    name = _attribute(tag, "name")
    if name is None:
        return []
    return [(name, _attribute(tag, "value") or "" if _attribute(tag, "type") == "hidden" else token)]


def _attribute(tag: str, name: str) -> str | None:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else None
