"""One framework under test: its conversations, and its missing abilities."""

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
    #: The options for ``svc_tools``; for ``load_svc_tools`` if this is ``static``.
    options: dict[str, Any]
    model: Model
    #: Called with the progress that the framework shows while a tool runs.
    on_progress: Callable[[Any], None]
    #: Called with each payment that the framework shows beside a result.
    on_payment: Callable[[Any], None]
    #: The human's answer to the arguments of the call in the form of the framework.
    approve: Callable[[Any], bool]

    @property
    def static(self) -> bool:
        """True if the options choose static tools."""
        return not self.options.keys().isdisjoint({"dynamic_tools", "static_toolkits", "static_actions"})


@dataclass(frozen=True, kw_only=True)
class ShownImage:
    """The PNG of ``probe__show`` in a request, where the API takes an image in the result of a tool."""

    #: The image block of the API.
    block: Any
    #: The base64 of the image, as the framework writes it.
    data: str = PNG
    #: True if the image is sent without ``images=True``.
    always: bool = False


@dataclass(frozen=True, kw_only=True)
class Driver:
    """A framework, or one way to use it."""

    #: ``svc.ai.<adapter>``.
    adapter: str
    #: The way to use the framework, such as ``create_agent``.
    use: str
    #: The package whose version is reported.
    package: str
    #: Runs the conversation in the framework, with approvals answered by ``approve``. Returns the model's last text.
    converse: Callable[[Conversing], Awaitable[str]]
    #: The missing abilities of the framework, with the reason.
    cannot: Mapping[Capability, str] = field(default_factory=dict)
    #: The framework decides about a call again when its human has answered, and asks again if the call has changed.
    asks_anew: bool = False
    #: The framework offers tools in the order of their names.
    sorts_tools: bool = False
    image: ShownImage | None = None
    #: Converts a JSON Schema like the framework before a model sees it.
    as_offered: Callable[[dict[str, Any]], dict[str, Any]] = lambda parameters: parameters
    #: Converts the name of a tool like the framework.
    as_named: Callable[[str], str] = lambda name: name
    #: Removes the text that the framework adds around the answer of a tool.
    understand: Callable[[Any], Any] = lambda output: output

    def __str__(self) -> str:
        return f"{self.adapter}, {self.use}"

    @property
    def title(self) -> str:
        return f"svc.ai.{self.adapter}, {self.use} ({self.package} {version(self.package)})"
