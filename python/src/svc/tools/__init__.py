"""The agent developer's half: ``Tools``."""

from svc.protocol.approvals import ApprovalInfo, RequiredApproval
from svc.protocol.connections import ConfirmedConnection, ConnectPage, Credential
from svc.protocol.http import (
    ActionInfo,
    CallPayment,
    FoundAction,
    InvokeResponse,
    MoreAction,
    Payment,
    Progress,
    ResolveResponse,
    SearchResponse,
    UnfinishedInvocation,
)
from svc.protocol.runs import CodeRun, DoneRun, FailedRun, RunningRun, WaitingRun
from svc.tools.caller_approvals import ApprovalAnswer, ApprovalQuestion
from svc.tools.caller_connections import ConnectLink
from svc.tools.describe_action import describe_action
from svc.tools.describe_call import describe_call
from svc.tools.sync_tools import SyncTools
from svc.tools.tool_answer import ModelMedia, ToolAnswer
from svc.tools.tool_calls import ToolCall
from svc.tools.tools import CallPaymentCallback, CallProgressCallback, Tools

__all__ = [
    "ActionInfo",
    "ApprovalAnswer",
    "ApprovalInfo",
    "ApprovalQuestion",
    "CallPayment",
    "CallPaymentCallback",
    "CallProgressCallback",
    "CodeRun",
    "ConfirmedConnection",
    "ConnectLink",
    "ConnectPage",
    "Credential",
    "DoneRun",
    "FailedRun",
    "FoundAction",
    "InvokeResponse",
    "ModelMedia",
    "MoreAction",
    "Payment",
    "Progress",
    "RequiredApproval",
    "ResolveResponse",
    "RunningRun",
    "SearchResponse",
    "SyncTools",
    "ToolAnswer",
    "ToolCall",
    "Tools",
    "UnfinishedInvocation",
    "WaitingRun",
    "describe_action",
    "describe_call",
]
