"""Hides the key and the credential of a request in texts of its errors: some programs repeat what was sent. Encoded
copies are not found.
"""

from svc.tools.credential_header import CredentialHeader

#: A shorter text occurs by chance.
_MIN_SECRET_CHARS = 4
#: Members of a problem document that programs decide on.
_KEPT = ("code", "type")


class SentSecrets:
    """The agent key and the credential of a request."""

    def __init__(self, api_key: str, credential: CredentialHeader | None) -> None:
        texts = [text for text in credential.secrets if len(text) >= _MIN_SECRET_CHARS] if credential else []
        self._names = {api_key: "svc_agent_…", **dict.fromkeys(texts, "[connection]")}

    def hide(self, text: str) -> str:
        for secret, name in self._names.items():
            text = text.replace(secret, name)
        return text

    def hide_in_problem(self, document: object) -> object:
        """The problem document without the secrets."""
        if not isinstance(document, dict):
            return document
        return {name: value if name in _KEPT else self._hide_in(value) for name, value in document.items()}

    def _hide_in(self, value: object) -> object:
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list):
            return [self._hide_in(item) for item in value]
        if isinstance(value, dict):
            return {self.hide(name): self._hide_in(member) for name, member in value.items()}
        return value
