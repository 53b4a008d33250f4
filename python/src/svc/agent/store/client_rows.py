"""Clients: the lease of the process that runs a client, and the client's cursor."""

from svc.agent.clock import now_ms
from svc.agent.store.agent_database import AgentDatabase
from svc.protocol.json_text import from_json

#: Milliseconds. Renewed every five seconds: after a crash another process can take the client over within half a
#: minute.
_LEASE_MS = 25_000


class ClientRows:
    """The rows of ``svc_client``."""

    def __init__(self, database: AgentDatabase, agent_id: str) -> None:
        self._database = database
        self._agent_id = agent_id

    def lease(self, client_id: str, owner: str) -> bool:
        """Takes or renews the lease. True if ``owner`` holds it now, until it expires."""
        now = now_ms()
        changed = self._database.run(
            # A lease that ends later than any new one comes from a clock that was set back since.
            """
            INSERT INTO svc_client (agent_id, client_id, owner, lease_until) VALUES (:agent, :client, :owner, :until)
            ON CONFLICT DO UPDATE SET owner = :owner, lease_until = :until
            WHERE owner IS NULL OR owner = :owner OR lease_until NOT BETWEEN :now AND :until
            """,
            {
                "agent": self._agent_id,
                "client": client_id,
                "owner": owner,
                "now": now,
                "until": now + _LEASE_MS,
            },
        )
        return changed > 0

    def release(self, client_id: str, owner: str) -> None:
        self._database.run(
            "UPDATE svc_client SET owner = NULL, lease_until = 0 "
            "WHERE agent_id = :agent AND client_id = :client AND owner = :owner",
            {"agent": self._agent_id, "client": client_id, "owner": owner},
        )

    def cursor(self, client_id: str) -> object:
        rows = self._database.all(
            "SELECT cursor FROM svc_client WHERE agent_id = :agent AND client_id = :client",
            {"agent": self._agent_id, "client": client_id},
        )
        return from_json(rows[0]["cursor"] or "null") if rows else None
