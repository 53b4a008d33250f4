"""The tools of a ``Tools``, each as an ``AgentTool``: for adapters, and for frameworks without an adapter."""

from typing import Unpack

from svc.ai.agent_tool.agent_tool import AgentTool
from svc.ai.agent_tool.options import LoadSvcToolsOptions, ReadOptions, SvcToolsOptions, read_options
from svc.errors import SvcError
from svc.tools import SyncTools, Tools


def agent_tools(
    tools: Tools | SyncTools | ReadOptions | None = None, **options: Unpack[SvcToolsOptions]
) -> list[AgentTool]:
    """``search_services`` and ``invoke_service``. Makes no network call.

    ```python
    for tool in agent_tools():
        framework.add(tool.name, tool.description, tool.parameters, tool.answer)
    ```

    Args:
        tools: a ``Tools`` or ``SyncTools`` to share, or the read options of an adapter.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.

    Raises:
        SvcError: INVALID_REQUEST for a choice of static tools.
    """
    read = tools if isinstance(tools, ReadOptions) else read_options(tools, options)
    for name in read.selection:
        raise SvcError(
            "INVALID_REQUEST", f"{name} takes a network call: write `await load_svc_tools({name}=…)` instead"
        )
    return [AgentTool(read.client, definition, read.rules) for definition in read.client.definitions()]


async def load_agent_tools(
    tools: Tools | SyncTools | ReadOptions | None = None, **options: Unpack[LoadSvcToolsOptions]
) -> list[AgentTool]:
    """The same with static toolkits and actions, each as a separate tool.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have; INVALID_REQUEST when no
            tool is chosen.
    """
    read = tools if isinstance(tools, ReadOptions) else read_options(tools, options)
    definitions = await read.client.load_definitions(**read.selection)
    return [AgentTool(read.client, definition, read.rules) for definition in definitions]
