"""The toolkit developer's half: ``Toolkit``."""

from svc.protocol.connections import ActionAuth, ToolkitAuth
from svc.toolkit.action import ActionWithHandler, Handler
from svc.toolkit.action_connection import ActionConnection
from svc.toolkit.action_error import ActionError
from svc.toolkit.attachment import Attachment
from svc.toolkit.cancellation import Cancellation
from svc.toolkit.context import ActionContext
from svc.toolkit.options import Middleware
from svc.toolkit.status import (
    CallWarning,
    Connected,
    Connecting,
    Disconnected,
    Registration,
    RejectedAction,
    Stopped,
    ToolkitInfo,
    ToolkitStatus,
)
from svc.toolkit.toolkit import Toolkit

__all__ = [
    "ActionAuth",
    "ActionConnection",
    "ActionContext",
    "ActionError",
    "ActionWithHandler",
    "Attachment",
    "CallWarning",
    "Cancellation",
    "Connected",
    "Connecting",
    "Disconnected",
    "Handler",
    "Middleware",
    "Registration",
    "RejectedAction",
    "Stopped",
    "Toolkit",
    "ToolkitAuth",
    "ToolkitInfo",
    "ToolkitStatus",
]
