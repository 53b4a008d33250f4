"""A marketplace of tools for AI agents: ``Tools`` finds and runs actions, ``Toolkit`` serves them.

Each name is loaded when it is first used, so a program that uses one half does not load the other.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from svc.version import __version__ as __version__

if TYPE_CHECKING:
    from svc.blocking import run_blocking as run_blocking
    from svc.errors import SvcError as SvcError
    from svc.protocol.amount import to_millionths as to_millionths
    from svc.toolkit import ActionContext as ActionContext
    from svc.toolkit import Toolkit as Toolkit
    from svc.tools import InvokeResponse as InvokeResponse
    from svc.tools import SearchResponse as SearchResponse
    from svc.tools import SyncTools as SyncTools
    from svc.tools import ToolAnswer as ToolAnswer
    from svc.tools import Tools as Tools
    from svc.tools import UnfinishedInvocation as UnfinishedInvocation
    from svc.tools import describe_action as describe_action
    from svc.tools import describe_call as describe_call

_MODULES = {
    "ActionContext": "svc.toolkit",
    "InvokeResponse": "svc.tools",
    "SearchResponse": "svc.tools",
    "SvcError": "svc.errors",
    "SyncTools": "svc.tools",
    "ToolAnswer": "svc.tools",
    "Toolkit": "svc.toolkit",
    "Tools": "svc.tools",
    "UnfinishedInvocation": "svc.tools",
    "describe_action": "svc.tools",
    "describe_call": "svc.tools",
    "run_blocking": "svc.blocking",
    "to_millionths": "svc.protocol.amount",
}

__all__ = [
    "ActionContext",
    "InvokeResponse",
    "SearchResponse",
    "SvcError",
    "SyncTools",
    "ToolAnswer",
    "Toolkit",
    "Tools",
    "UnfinishedInvocation",
    "__version__",
    "describe_action",
    "describe_call",
    "run_blocking",
    "to_millionths",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'svc' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
