"""Both SDKs have the same options, methods, events and variables: what one gets the other needs too, or it is named
here as a difference.
"""

import inspect
import re
from collections.abc import Set
from dataclasses import fields
from typing import Any, NamedTuple, get_args

import pytest

import svc.agent
import svc.client.base
from svc import Toolkit, Tools
from svc.agent import Agent, AgentEvent, ApproverChat, Approvers, TurnCode
from svc.client.base import BaseClient, MessageContext
from svc.mcp.help import HELP
from svc.tools.tool_answer import ToolAnswer
from tests.support.repository import REPOSITORY
from tests.support.typescript_members import in_python, members_of, source_of


def options(function: Any) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self"}


def methods(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")}


def members(kind: Any) -> set[str]:
    return {each.name for each in fields(kind)}


class Pair(NamedTuple):
    """The same part of both SDKs.

    Attributes:
        ours: Its names in Python.
        theirs: Names that only TypeScript has, in the words of Python.
        added: Names that only Python has.
    """

    path: str
    name: str
    ours: Set[str]
    theirs: Set[str] = frozenset()
    added: Set[str] = frozenset()


#: A cancelled task has no signal.
SIGNAL = frozenset({"signal"})
PAIRS = [
    Pair("src/agent/options.ts", "AgentOptions", options(Agent.__init__)),
    # `poll` alone would name no time.
    Pair(
        "src/agent/options.ts",
        "ApproverChatsOption",
        members(Approvers),
        frozenset({"poll"}),
        frozenset({"poll_seconds"}),
    ),
    Pair("src/agent/options.ts", "ApproverChat", members(ApproverChat)),
    Pair("src/agent/agent.ts", "Agent", methods(Agent), added=frozenset({"serve"})),
    Pair("src/agent/chat/base-client.ts", "BaseClient", methods(BaseClient)),
    Pair("src/agent/chat/message-context.ts", "MessageContext", members(MessageContext)),
    Pair(
        "src/tools/tools.ts",
        "ToolsOptions",
        options(Tools.__init__),
        frozenset({"fetch"}),
        frozenset({"http_client"}),
    ),
    Pair(
        "src/tools/tools.ts",
        "Tools",
        methods(Tools),
        frozenset({"for"}),
        frozenset({"for_user", "aclose", "answer_calls"}),
    ),
    Pair(
        "src/tools/tools.ts",
        "CallToolOptions",
        options(Tools.call_tool) - {"name", "arguments"},
        SIGNAL,
    ),
    Pair("src/tools/tools.ts", "InvokeOptions", options(Tools.invoke) - {"action", "payload"}, SIGNAL),
    Pair("src/tools/tools.ts", "ToolAnswer", members(ToolAnswer)),
    Pair("src/toolkit/options.ts", "ToolkitOptions", options(Toolkit.__init__)),
    Pair("src/toolkit/toolkit.ts", "Toolkit", methods(Toolkit)),
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_names_are_the_same(pair: Pair) -> None:
    wanted = {in_python(name) for name in members_of(pair.path, pair.name)}
    assert (wanted - pair.ours, pair.ours - wanted) == (pair.theirs, pair.added)


def test_the_events_of_an_agent() -> None:
    path = "src/agent/events.ts"
    events = {kind.__name__: kind for kind in get_args(AgentEvent)}
    types = dict(re.findall(r"export interface (\w+Event)\b.*?\btype: '([\w-]+)'", source_of(path), re.DOTALL))
    assert {name: kind.type for name, kind in events.items()} == types
    for name, kind in events.items():
        assert members(kind) | {"type"} == {in_python(member) for member in members_of(path, name)}, name


def test_the_codes_of_a_turn() -> None:
    union = source_of("src/agent/events.ts").partition("export type TurnCode =")[2].partition(";")[0]
    assert re.findall(r"'([\w-]+)'", union) == list(get_args(TurnCode))


def test_the_public_names_of_the_agent() -> None:
    lists = re.findall(r"export (?:type )?\{([^}]*)\}", source_of("src/agent/index.ts"))
    wanted = {in_python(name) for each in lists for name in re.findall(r"(?:type )?(\w+)", each) if name != "type"}
    # Types that Python has no need to name: options are arguments, and a message is a dictionary.
    unnamed = {"AgentOptions", "ApproveCall", "ImagePart", "MessagePart", "ModelRequestErrorDetails", "TextPart"}
    ours = {*svc.agent.__all__, *vars(svc.client.base)}
    assert wanted - ours == unnamed | {"ToolCall"}


def test_the_variables_of_the_mcp_server() -> None:
    names = re.compile(r"^  (SVC_\w+)", re.MULTILINE)
    wanted = names.findall((REPOSITORY / "src" / "mcp" / "help.ts").read_text("utf-8"))
    assert names.findall(HELP) == wanted


def test_the_methods_of_the_mcp_server() -> None:
    sources = [path.relative_to(REPOSITORY) for path in (REPOSITORY / "adapters" / "mcp").glob("*.ts")]
    wanted = {name for path in sources for name in re.findall(r"setRequestHandler\('([\w/]+)'", source_of(str(path)))}
    ours = (REPOSITORY / "python" / "src" / "svc" / "mcp" / "connection.py").read_text("utf-8")
    cases = {name for line in re.findall(r"case (.*):", ours) for name in re.findall(r'"([\w/]+)"', line)}
    # The official SDK answers these in TypeScript.
    assert cases - wanted == {"initialize", "ping", "server/discover", "subscriptions/listen"}
    assert wanted <= cases
