"""Decides which calls a human has to approve. The service holds the same rules when a call runs, whatever the framework
did before.
"""

import inspect
from dataclasses import dataclass
from typing import TypedDict

from svc.ai.agent_tool.options import Rules
from svc.errors import SvcError
from svc.protocol.ask import CallerAsk
from svc.protocol.http import ResolveResponse
from svc.tools import Tools
from svc.tools.definitions import RUN_CODE_TOOL, SEARCH_TOOL

#: The service refuses a call with one of these errors before it runs. Any other error says nothing about the effect of
#: the call.
_REFUSED_BEFORE_RUN = frozenset(
    {
        "INVALID_REQUEST",
        "INVALID_PAYLOAD",
        "REQUEST_TOO_LARGE",
        "ACTION_NOT_FOUND",
        "ACTION_NOT_ALLOWED",
        "INVALID_KEY",
        "KEY_EXPIRED",
        "KEY_REVOKED",
        "WRONG_KEY_KIND",
        "PAYMENT_REQUIRED",
        "CONNECTION_REQUIRED",
        "APPROVAL_DENIED",
    }
)


class ApprovedCall(TypedDict, total=False):
    """Options of a call that a human has approved."""

    #: The approval covers the question that the decision made; with ``action_version`` also a newer question, because
    #: the human has seen the same call.
    approved: bool
    max_payment: str | None
    action_version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The decision about a call: whether a human has to approve it, and the options of its run.

    Attributes:
        needed: the call that a human has to approve before it runs. None: it needs no approval, or others decide about
            it.
        call_options: for the call once the human has approved it: the action that was shown, for at most its price.
            Empty if no human is asked.
    """

    needed: ResolveResponse | None
    call_options: ApprovedCall


_NOT_NEEDED = Decision(needed=None, call_options={})


@dataclass(frozen=True, slots=True)
class Held:
    """The rules that the service holds at the run of a call, and the only version that may run."""

    ask: CallerAsk | None
    action_version: str | None = None


class ToolRules:
    """The rules of a program for the calls of one tool."""

    def __init__(self, client: Tools, name: str, rules: Rules) -> None:
        self._client = client
        self._name = name
        self._needs_approval = rules.needs_approval
        needs_approval, above = rules.needs_approval, rules.ask_above
        asks = name != SEARCH_TOOL and (needs_approval is not False or above is not None)
        always, destructive = needs_approval is True, needs_approval is not False
        #: The rules as the service reads them. None for a tool without.
        self.ask: CallerAsk | None = {"always": always, "destructive": destructive, "above": above} if asks else None

    async def decide(self, arguments: object) -> Decision:
        """Decides about one call, and makes the question.

        Raises:
            SvcError: when the service cannot be asked.
        """
        # The calls of a program are known while it runs: the service asks about each then.
        if self.ask is None or self._name == RUN_CODE_TOOL:
            return _NOT_NEEDED
        try:
            resolved = await self._client.resolve(self._name, arguments, ask=self.ask)
            if "approval" not in resolved and await self._is_chosen(resolved):
                resolved = await self._client.resolve(self._name, arguments, ask={"always": True})
        except SvcError as error:
            if error.code in _REFUSED_BEFORE_RUN:
                # The run of the call returns this error, or the kept result of an earlier run, to the model.
                return _NOT_NEEDED
            raise
        version = resolved.get("version")
        is_asked = "approval" in resolved and resolved["approval"]["decidedBy"] == "app"
        # A service before 0.14 holds no rules, and returns no version: there a human decides about every call.
        if not is_asked and version is not None:
            return _NOT_NEEDED
        payment = resolved["action"].get("payment")
        price = payment["amount"] if payment else "0"
        return Decision(
            needed=resolved, call_options={"approved": True, "max_payment": price, "action_version": version}
        )

    async def held(self, arguments: object, *, approved: bool) -> Held:
        """The rules at the run of the call. A function of the program decides about the call that would run now, and no
        other version of it runs.
        """
        if self.ask is None or not callable(self._needs_approval):
            return Held(self.ask)
        if not approved and self._name != RUN_CODE_TOOL:
            try:
                resolved = await self._client.resolve(self._name, arguments)
                if not await self._is_chosen(resolved):
                    return Held(self.ask, resolved.get("version"))
            except SvcError:
                pass
        return Held({"always": True})

    async def _is_chosen(self, resolved: ResolveResponse) -> bool:
        if not callable(self._needs_approval):
            return False
        action = resolved["action"]
        chosen = self._needs_approval(action["action"], resolved["payload"], action)
        return bool(await chosen if inspect.isawaitable(chosen) else chosen)
