"""The questions of a service to people, read and decided with an admin key.

Errors: SvcError; none holds the key.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlencode

from svc.errors import SvcError
from svc.protocol.answer_body import ACCEPT_ENCODING
from svc.protocol.approvals import ApprovalDecision, ApprovalInfo
from svc.protocol.environment import read_base_url
from svc.protocol.http import APPROVALS_PATH
from svc.tools.sent_secrets import SentSecrets
from svc.tools.service_answer import ExpectedAnswer, read_answer

if TYPE_CHECKING:
    import httpx2

#: Seconds.
_TIMEOUT = 10.0
#: The service's limit of one page.
_PAGE = 100


class ServiceApprovals:
    """The questions that the key sees."""

    def __init__(self, base_url: str | None, api_key: str, http_client: "httpx2.AsyncClient") -> None:
        self._base_url = read_base_url(base_url).geturl()
        self._api_key = api_key
        self._http_client = http_client

    async def pending(self) -> list[ApprovalInfo]:
        """The open questions, without payloads."""
        found: list[ApprovalInfo] = []
        query: dict[str, str | int] = {"status": "pending", "limit": _PAGE}
        while True:
            page = await self._send("GET", f"?{urlencode(query)}", _is_page)
            found += page["approvals"]
            if "nextCursor" not in page:
                return found
            query["cursor"] = page["nextCursor"]

    async def find(self, approval_id: str) -> ApprovalInfo:
        """The question with its payload."""
        return cast(ApprovalInfo, await self._send("GET", f"/{quote(approval_id, safe='')}", _is_approval))

    async def decide(self, approval_id: str, decision: ApprovalDecision, *, reason: str | None = None) -> ApprovalInfo:
        """The question after the decision."""
        body = {"decision": decision} if reason is None else {"decision": decision, "reason": reason}
        return cast(ApprovalInfo, await self._send("POST", f"/{quote(approval_id, safe='')}", _is_approval, body))

    async def _send(self, method: str, path: str, is_answer: Callable[[object], bool], body: object = None) -> Any:
        import httpx2

        expected = ExpectedAnswer(
            base_url=self._base_url,
            secrets=SentSecrets(self._api_key, None),
            is_answer=is_answer,
            on_progress=None,
        )
        try:
            async with asyncio.timeout(_TIMEOUT):
                request = self._http_client.build_request(
                    method,
                    f"{self._base_url}{APPROVALS_PATH}{path}",
                    json=body,
                    headers={"authorization": f"Bearer {self._api_key}", **ACCEPT_ENCODING},
                )
                response = await self._http_client.send(request, stream=True, follow_redirects=False)
                try:
                    return await read_answer(response, expected)
                finally:
                    await response.aclose()
        except (TimeoutError, httpx2.RequestError):
            raise SvcError("SERVICE_UNREACHABLE", f"No answer from {self._base_url} about approvals") from None


def _is_page(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("approvals"), list)


def _is_approval(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("id"), str)
