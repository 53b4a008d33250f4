"""The store of an agent: settings, cursors, turns and their messages."""

from svc.agent.store.agent_database import AgentDatabase
from svc.agent.store.agent_settings import AgentSettings
from svc.agent.store.client_rows import ClientRows
from svc.agent.store.turn_rows import TurnRows


class AgentStore:
    """The rows of one agent id in one file."""

    def __init__(self, path: str, agent_id: str) -> None:
        self._database = AgentDatabase(path)
        self.settings = AgentSettings(self._database, agent_id)
        self.clients = ClientRows(self._database, agent_id)
        self.turns = TurnRows(self._database, agent_id)

    def close(self) -> None:
        self._database.close()
