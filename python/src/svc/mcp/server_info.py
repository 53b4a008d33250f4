"""The server as clients show it to people."""

from svc.version import __version__

#: Clients get it with every answer of revision 2026-07-28, so it is small.
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' "
    "height='32' rx='8' fill='%230c7a6b'/%3E%3Cpath d='M9 11.5h9.5M9 16h14M13.5 20.5H23' stroke='%23fff' "
    "stroke-width='2.6'/%3E%3C/svg%3E"
)

SERVER_INFO: dict[str, object] = {
    "name": "svc-sdk",
    "title": "svc-sdk",
    "version": __version__,
    "icons": [{"src": _ICON, "mimeType": "image/svg+xml", "sizes": ["any"]}],
}
