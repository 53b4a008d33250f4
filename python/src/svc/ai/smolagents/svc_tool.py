"""A tool of smolagents."""

from smolagents import Tool  # type: ignore[import-untyped]

from svc.ai.agent_tool import AgentTool, run_blocking
from svc.ai.smolagents.inputs import to_identifier, to_inputs
from svc.ai.smolagents.printable import printable


class SvcTool(Tool):  # type: ignore[misc] # smolagents has no types.
    """A tool of smolagents. Its result is a value, which code can use; printed, it is JSON."""

    skip_forward_signature_validation = True
    output_type = "any"

    def __init__(self, tool: AgentTool) -> None:
        self.name = to_identifier(tool.name)
        self.description = tool.description
        self.inputs = to_inputs(tool.parameters)
        self._tool = tool
        super().__init__()

    def forward(self, *unnamed: object, **arguments: object) -> object:
        named = dict(zip(self.inputs, unnamed, strict=False))
        # Returns a failure as a value: an exception would drop the other results of the step.
        return printable(run_blocking(self._tool.answer({**named, **arguments})).value)
