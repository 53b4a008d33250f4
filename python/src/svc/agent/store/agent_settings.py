"""Prompts and models by name, and the questions in the chats of approvers."""

from typing import Literal

from svc.agent.store.agent_database import AgentDatabase

SettingKind = Literal["prompt", "model", "approval"]


class AgentSettings:
    """The rows of ``svc_setting``."""

    def __init__(self, database: AgentDatabase, agent_id: str) -> None:
        self._database = database
        self._agent_id = agent_id

    def all(self, kind: SettingKind) -> dict[str, str]:
        rows = self._database.all(
            "SELECT name, value FROM svc_setting WHERE agent_id = :agent AND kind = :kind ORDER BY name",
            {"agent": self._agent_id, "kind": kind},
        )
        return {row["name"]: row["value"] for row in rows}

    def set(self, kind: SettingKind, name: str, value: str | None) -> None:
        """An empty value and None restore the built-in value."""
        values = {
            "agent": self._agent_id,
            "kind": kind,
            "name": name,
            "value": value,
        }
        if value:
            self._database.run(
                "INSERT INTO svc_setting (agent_id, kind, name, value) VALUES (:agent, :kind, :name, :value) "
                "ON CONFLICT DO UPDATE SET value = excluded.value",
                values,
            )
        else:
            self._database.run(
                "DELETE FROM svc_setting WHERE agent_id = :agent AND kind = :kind AND name = :name", values
            )
