"""The agent developer's half: ``Tools``."""

from svc.tools.describe_action import describe_action
from svc.tools.describe_call import describe_call
from svc.tools.tool_answer import ModelMedia, ToolAnswer
from svc.tools.tool_calls import ToolCall
from svc.tools.tools import CallPaymentCallback, CallProgressCallback, Tools

__all__ = [
    "CallPaymentCallback",
    "CallProgressCallback",
    "ModelMedia",
    "ToolAnswer",
    "ToolCall",
    "Tools",
    "describe_action",
    "describe_call",
]
