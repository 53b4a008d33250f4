"""The kit for adapters: one tool of a model in no framework's words, and the options of every adapter."""

from svc.ai.agent_tool.agent_tool import AgentTool, CallOptions
from svc.ai.agent_tool.agent_tools import agent_tools, load_agent_tools
from svc.ai.agent_tool.approval import ApprovedCall, Decision
from svc.ai.agent_tool.model_answer import failed_answer
from svc.ai.agent_tool.options import (
    LoadSvcToolsOptions,
    LoadSvcToolsOptionsWithoutApproval,
    NeedsApproval,
    ReadOptions,
    SvcToolsOptions,
    SvcToolsOptionsWithoutApproval,
    read_options,
)
from svc.ai.agent_tool.programs import ProgramTool
from svc.ai.agent_tool.question import Question, declined_answer, question_about
from svc.blocking import run_blocking

__all__ = [
    "AgentTool",
    "ApprovedCall",
    "CallOptions",
    "Decision",
    "LoadSvcToolsOptions",
    "LoadSvcToolsOptionsWithoutApproval",
    "NeedsApproval",
    "ProgramTool",
    "Question",
    "ReadOptions",
    "SvcToolsOptions",
    "SvcToolsOptionsWithoutApproval",
    "agent_tools",
    "declined_answer",
    "failed_answer",
    "load_agent_tools",
    "question_about",
    "read_options",
    "run_blocking",
]
