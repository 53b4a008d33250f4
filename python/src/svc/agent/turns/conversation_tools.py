"""Keeps the tools of each person in each chat across turns. The tools remember the searches of the conversation, so
that a call names the search that led to it, also after an approval or in a later turn.
"""

import asyncio
from typing import TYPE_CHECKING

from svc.agent.options import AgentOptions
from svc.agent.turns.conversation_id import conversation_id
from svc.agent.turns.turn_tools import TurnTools
from svc.client.message_context import MessageContext
from svc.tools.tools import Tools

if TYPE_CHECKING:
    import httpx2

#: Size of the LRU cache. The service deletes a search after ten minutes.
_MAX_KEPT = 1_000


class ConversationTools:
    """The tools of one run."""

    def __init__(self, options: AgentOptions, http_client: "httpx2.AsyncClient") -> None:
        self._options = options
        self._http_client = http_client
        # Ids of a conversation and a person -> their tools, the newest last.
        self._kept: dict[tuple[str, str], TurnTools] = {}

    def of(self, client_id: str, ctx: MessageContext) -> TurnTools:
        """The tools of the person who wrote, in this chat."""
        name = (conversation_id(client_id, ctx.chat_id), conversation_id(client_id, ctx.user_id))
        tools = self._kept.pop(name, None) or self._make(*name)
        self._kept[name] = tools
        if len(self._kept) > _MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return tools

    async def flush_tokens(self) -> None:
        """Sends the tokens that no call has carried, as far as the service takes them in time."""
        await asyncio.gather(*(tools.flush_tokens() for tools in self._kept.values()))

    def forget(self, client_id: str, chat_id: str) -> None:
        """Begins a new conversation, whose calls must not name a search of the former one."""
        ended = conversation_id(client_id, chat_id)
        self._kept = {name: tools for name, tools in self._kept.items() if name[0] != ended}

    def _make(self, session_id: str, user_id: str) -> TurnTools:
        options = self._options
        tools = Tools(
            options.api_key,
            base_url=options.base_url,
            session_id=session_id,
            user_id=user_id,
            http_client=self._http_client,
        )
        return TurnTools(tools, asks=options.approve != "never", ask_above=options.ask_above)
