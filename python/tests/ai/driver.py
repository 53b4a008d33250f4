"""One framework under test: how it holds a conversation, and what it cannot do."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Literal

from tests.ai.stage import PNG, Model

Capability = Literal[
    "static_tools",  # takes JSON Schemas of any shape
    "fail_to_load",  # fails before the model is asked when its tools cannot be had
    "cancel",  # a cancelled run cancels its calls
    "progress",  # shows progress while a tool runs
    "payments",  # has a place for the payment of a call, which no model reads
    "approval",  # asks a human before a tool runs
    "images",  # sends an image of a result to the model
    "unknown_tools",  # goes on after a call of a tool that does not exist
    "empty_arguments",  # goes on after an empty text as arguments
    "null_arguments",  # goes on after `null` as arguments
    "cut_arguments",  # goes on after arguments that are not JSON
    "parallel",  # runs the calls of one message at the same time
    "misfits",  # passes on arguments that do not fit the schema of the tool
    "call_ids",  # passes on the model's id of a call
]


@dataclass(frozen=True, kw_only=True)
class Conversing:
    """One conversation."""

    question: str
    #: For ``svc_tools``; for ``load_svc_tools`` if it is ``static``.
    options: dict[str, Any]
    model: Model
    #: Called with what the framework shows of a tool while it runs.
    on_progress: Callable[[Any], None]
    #: Called with each payment that the framework shows beside a result.
    on_payment: Callable[[Any], None]
    #: The human, who sees the arguments of the call as the framework shows them.
    approve: Callable[[Any], bool]

    @property
    def static(self) -> bool:
        """Whether the options choose static tools."""
        return not self.options.keys().isdisjoint({"dynamic_tools", "static_toolkits", "static_actions"})


@dataclass(frozen=True, kw_only=True)
class ShownImage:
    """The PNG of ``probe__show`` in a request, where the API takes an image in the result of a tool."""

    #: As the API wants it.
    block: Any
    #: Its base64, as the framework writes it.
    data: str = PNG
    #: True if it is sent without ``images=True``.
    always: bool = False


@dataclass(frozen=True, kw_only=True)
class Driver:
    """A framework, or one of the ways to use it."""

    #: ``svc.ai.<adapter>``.
    adapter: str
    #: The way of use, such as ``create_agent``.
    use: str
    #: The package whose version counts.
    package: str
    #: Holds the conversation in the framework, with approvals answered by ``approve``. Returns the model's last words.
    converse: Callable[[Conversing], Awaitable[str]]
    #: What the framework cannot do, with the reason.
    cannot: Mapping[Capability, str] = field(default_factory=dict)
    image: ShownImage | None = None
    #: What the framework makes of a JSON Schema before a model sees it.
    as_offered: Callable[[dict[str, Any]], dict[str, Any]] = lambda parameters: parameters
    #: What the framework makes of the name of a tool.
    as_named: Callable[[str], str] = lambda name: name
    #: Removes what the framework puts around the words of a tool, as a model does that reads them.
    understand: Callable[[Any], Any] = lambda output: output

    def __str__(self) -> str:
        return f"{self.adapter}, {self.use}"

    @property
    def title(self) -> str:
        return f"svc.ai.{self.adapter}, {self.use} ({self.package} {version(self.package)})"
