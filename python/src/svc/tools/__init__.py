"""The agent developer's half: ``Tools``."""

from svc.tools.describe_action import describe_action
from svc.tools.tool_answer import ModelMedia, ToolAnswer
from svc.tools.tools import Tools

__all__ = ["ModelMedia", "ToolAnswer", "Tools", "describe_action"]
