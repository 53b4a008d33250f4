"""The state to resume a gateway session. It is the client's cursor, and a process in any language can resume with
it.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class GatewaySession:
    """A session that Discord keeps for a while."""

    session: str
    #: The last event's number.
    sequence: int
    resume_url: str

    def to_cursor(self) -> dict[str, object]:
        return {"session": self.session, "sequence": self.sequence, "resumeUrl": self.resume_url}


def read_session(cursor: object) -> GatewaySession | None:
    """None for a cursor of another shape."""
    if not isinstance(cursor, dict):
        return None
    session, sequence, resume_url = (cursor.get(name) for name in ("session", "sequence", "resumeUrl"))
    if not (isinstance(session, str) and type(sequence) is int and isinstance(resume_url, str)):
        return None
    return GatewaySession(session, sequence, resume_url) if _is_socket_address(resume_url) else None


def _is_socket_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("ws", "wss") and bool(parts.hostname)
    except ValueError:
        return False
