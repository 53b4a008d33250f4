"""An agent in a chat: ``Agent`` answers people where they write."""

from svc.agent.agent import Agent
from svc.agent.approvers.approvers import ApproverChat, Approvers
from svc.agent.events import (
    AgentEvent,
    ApprovalsErrorEvent,
    ClientStateEvent,
    HandlerErrorEvent,
    MessageErrorEvent,
    ModelErrorEvent,
    ReplyErrorEvent,
    TurnCode,
    TurnEndEvent,
    TurnStartEvent,
)
from svc.agent.model.ask_model import AskModel, CountedMessage, ModelAnswer, ModelRequest, TokenCount
from svc.agent.model.model_request_error import ModelRequestError
from svc.agent.options import CallToApprove
from svc.agent.store.store_error import StoreError
from svc.agent.turns.client_loop import StartError

__all__ = [
    "Agent",
    "AgentEvent",
    "ApprovalsErrorEvent",
    "ApproverChat",
    "Approvers",
    "AskModel",
    "CallToApprove",
    "ClientStateEvent",
    "CountedMessage",
    "HandlerErrorEvent",
    "MessageErrorEvent",
    "ModelAnswer",
    "ModelErrorEvent",
    "ModelRequest",
    "ModelRequestError",
    "ReplyErrorEvent",
    "StartError",
    "StoreError",
    "TokenCount",
    "TurnCode",
    "TurnEndEvent",
    "TurnStartEvent",
]
