"""Shows the questions of the service in chats of approvers, with buttons, and hands their answers to the service.

Rule:   only listed people may press. Questions that an app asks its own user stay out.
Errors: reported. The service and the platform are asked again at the next look; a question that the platform refused is
    left out there.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NotRequired, TypedDict, cast

from svc.agent.abort_signal import AbortSignal, within
from svc.agent.approvers.approval_texts import outcome_text, question_text
from svc.agent.approvers.approvers import ApproverChat, Approvers
from svc.agent.approvers.service_approvals import ServiceApprovals
from svc.agent.events import AgentEvent, ApprovalsErrorEvent, ClientStateEvent, ReplyErrorEvent
from svc.agent.store.agent_settings import AgentSettings
from svc.agent.store.store_error import patiently
from svc.client.base import BaseClient, Question, RefusedReply, has_member
from svc.client.message_context import MessageContext
from svc.errors import SvcError
from svc.protocol.approvals import ApprovalDecision, ApprovalInfo
from svc.protocol.json_text import from_json, to_json

#: Seconds: a press waits for it, and with the press the next message of its client.
_END_QUESTION_WITHIN = 5.0


class _Shown(TypedDict):
    """A question in a chat, stored as JSON."""

    text: str
    #: The value that ``ask_approval`` of the client returned. Absent: there are no buttons.
    shown: NotRequired[object]


class ApproverChats:
    """The chats of one run."""

    def __init__(
        self,
        approvers: Approvers,
        approvals: ServiceApprovals,
        *,
        clients: Sequence[BaseClient],
        owners: Collection[str],
        store: AgentSettings,
        ending: AbortSignal,
        emit: Callable[[AgentEvent], None],
    ) -> None:
        self._approvers = approvers
        self._approvals = approvals
        self._every_client = {client.client_id: client for client in clients}
        self._owners = owners
        self._store = store
        self._ending = ending
        self._emit = emit
        # The clients that this process holds.
        self._clients: dict[str, BaseClient] = {}
        # The error of the last look, which is reported once.
        self._failure: str | None = None

    def hold(self, event: ClientStateEvent) -> None:
        """Approvers get their questions through the clients of this process."""
        if event.state == "started":
            self._clients[event.client_id] = self._every_client[event.client_id]
        else:
            self._clients.pop(event.client_id, None)

    async def serve(self) -> None:
        """Looks again and again, until the agent ends."""
        while not self._ending.aborted:
            failure: SvcError | None = None
            try:
                await self._ending.race(self._look())
            except SvcError as error:
                failure = error
            except Exception:
                self._ending.raise_if_aborted()
                raise
            if failure and failure.code != self._failure:
                self._emit(ApprovalsErrorEvent(error=failure))
            self._failure = failure.code if failure else None
            await self._ending.pause(self._approvers.poll_seconds)

    async def press(self, client_id: str, ctx: MessageContext) -> bool:
        """Takes a pressed button. True for an answer to one of these questions."""
        answer = ctx.answer
        chat = self._chat_of(client_id, ctx.chat_id)
        if answer is None or chat is None:
            return False
        name = _name_of(answer.question_id, chat)
        if self._shown(name) is None:
            return False
        if ctx.user_id not in chat.users and f"{client_id}/{ctx.user_id}" not in self._owners:
            return True
        decision: ApprovalDecision = "approve" if answer.approved else "deny"
        reason = None if answer.approved else f"Denied in a chat by {ctx.user_name or ctx.user_id}"
        try:
            await self._end(await self._approvals.decide(answer.question_id, decision, reason=reason), name)
        except SvcError as error:
            # A question that was decided elsewhere: the next look shows the outcome.
            if error.code != "CONFLICT":
                self._emit(ApprovalsErrorEvent(error=error))
        return True

    async def _look(self) -> None:
        keys = self._approvers.keys
        pending = [
            approval
            for approval in await self._approvals.pending()
            if approval["decidedBy"] == "people" and (keys is None or approval["key"]["id"] in keys)
        ]
        for approval_id in reversed([approval["id"] for approval in pending]):
            missing = [
                chat
                for chat in self._approvers.chats
                if chat.client in self._clients and self._shown(_name_of(approval_id, chat)) is None
            ]
            if not missing:
                continue
            approval = await self._approvals.find(approval_id)
            for chat in missing:
                await self._ask(approval, chat)
        opened = {approval["id"] for approval in pending}
        for name in self._store.all("approval"):
            approval_id = name.partition(" ")[0]
            if approval_id not in opened:
                await self._end(await self._find(approval_id), name)

    async def _ask(self, approval: ApprovalInfo, chat: ApproverChat) -> None:
        client = self._clients.get(chat.client)
        if client is None:
            return
        question = question_text(approval)
        ctx = _context_of(chat, approval["id"])
        kept: _Shown = {"text": question.text}
        try:
            if question.is_whole and has_member(client, "ask_approval"):
                shown = await client.ask_approval(ctx, Question(approval["id"], question.text))
                if shown is not None:
                    kept["shown"] = shown
            else:
                await client.send_message(ctx, [{"role": "assistant", "content": question.text}])
        except RefusedReply as error:
            # Left out: the platform would refuse it again.
            self._report(chat, approval["id"], error)
        except Exception as error:
            self._report(chat, approval["id"], error)
            return
        await self._keep(_name_of(approval["id"], chat), to_json(kept))

    async def _end(self, approval: ApprovalInfo | None, name: str) -> None:
        """Replaces the buttons by what became of the question."""
        chats = self._approvers.chats if approval else ()
        chat = next((each for each in chats if approval and _name_of(approval["id"], each) == name), None)
        client = self._clients.get(chat.client) if chat else None
        if (approval and approval["status"] == "pending") or (chat and client is None):
            return
        kept = self._shown(name)
        if approval and chat and client and kept and "shown" in kept:
            text = f"{kept['text']}\n{outcome_text(approval)}"
            try:
                ended = client.end_question(_context_of(chat, approval["id"]), kept["shown"], text)
                await within(_END_QUESTION_WITHIN, ended)
            except RefusedReply as error:
                self._report(chat, approval["id"], error)
            except Exception as error:
                self._report(chat, approval["id"], error)
                return
        await self._keep(name, None)

    async def _find(self, approval_id: str) -> ApprovalInfo | None:
        """None for a question that the service has deleted."""
        try:
            return await self._approvals.find(approval_id)
        except SvcError as error:
            if error.code != "NOT_FOUND":
                raise
        return None

    def _chat_of(self, client_id: str, chat_id: str) -> ApproverChat | None:
        chats = self._approvers.chats
        return next((chat for chat in chats if chat.client == client_id and chat.chat_id == chat_id), None)

    def _shown(self, name: str) -> _Shown | None:
        kept = self._store.all("approval").get(name)
        return None if kept is None else cast(_Shown, from_json(kept))

    async def _keep(self, name: str, value: str | None) -> None:
        await patiently(lambda: self._store.set("approval", name, value))

    def _report(self, chat: ApproverChat, turn_id: str, error: Exception) -> None:
        self._emit(ReplyErrorEvent(client_id=chat.client, chat_id=chat.chat_id, turn_id=turn_id, error=error))


def _name_of(approval_id: str, chat: ApproverChat) -> str:
    return f"{approval_id} {chat.client} {chat.chat_id}"


def _context_of(chat: ApproverChat, approval_id: str) -> MessageContext:
    """The message id makes a second sending of the same question one message, where the platform has that."""
    return MessageContext(chat_id=chat.chat_id, user_id="", message="", message_id=f"approval/{approval_id}")
