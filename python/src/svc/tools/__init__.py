"""The agent developer's half: ``Tools``."""

from svc.protocol.connections import ConfirmedConnection, ConnectPage, Credential
from svc.tools.caller_approvals import ApprovalAnswer, ApprovalQuestion
from svc.tools.caller_connections import ConnectLink
from svc.tools.describe_action import describe_action
from svc.tools.describe_call import describe_call
from svc.tools.tool_answer import ModelMedia, ToolAnswer
from svc.tools.tool_calls import ToolCall
from svc.tools.tools import CallPaymentCallback, CallProgressCallback, Tools

__all__ = [
    "ApprovalAnswer",
    "ApprovalQuestion",
    "CallPaymentCallback",
    "CallProgressCallback",
    "ConfirmedConnection",
    "ConnectLink",
    "ConnectPage",
    "Credential",
    "ModelMedia",
    "ToolAnswer",
    "ToolCall",
    "Tools",
    "describe_action",
    "describe_call",
]
