"""The tools of a ``Tools``, each as an ``AgentTool``."""

from svc.ai.agent_tool.agent_tool import AgentTool
from svc.ai.agent_tool.options import ReadOptions
from svc.errors import SvcError


def agent_tools(options: ReadOptions) -> list[AgentTool]:
    """``search_services`` and ``invoke_service``. Makes no network call.

    Raises:
        SvcError: INVALID_REQUEST for a choice of static tools.
    """
    for name in options.selection:
        raise SvcError(
            "INVALID_REQUEST", f"{name} takes a network call: write `await load_svc_tools({name}=…)` instead"
        )
    return [AgentTool(options.client, definition, options.rules) for definition in options.client.definitions()]


async def load_agent_tools(options: ReadOptions) -> list[AgentTool]:
    """The same with static toolkits and actions, each a tool of its own.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have; INVALID_REQUEST when no
            tool is chosen.
    """
    definitions = await options.client.load_definitions(**options.selection)
    return [AgentTool(options.client, definition, options.rules) for definition in definitions]
