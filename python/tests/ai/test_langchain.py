from typing import Any

from langchain.agents import create_agent
from langchain_core.utils.json_schema import dereference_refs
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.types import Command
from pydantic import SecretStr

from svc.ai.langchain import ApprovalRequest, ApprovalResponse, load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import runs_programs
from tests.ai.stage import PNG, Model, Stage


def chat_model(model: Model, **options: Any) -> ChatOpenAI:
    return ChatOpenAI(
        model="scripted-model", base_url=model.base_url, api_key=SecretStr("any"), max_retries=0, **options
    )


async def make_tools(conversing: Conversing) -> Any:
    options = conversing.options
    return await load_svc_tools(**options) if conversing.static else svc_tools(**options)


async def converse_in_graph(agent: Any, conversing: Conversing) -> str:
    """The model streams if ``messages`` is among the modes."""
    graph_input: Any = {"messages": [{"role": "user", "content": conversing.question}]}
    config = {"configurable": {"thread_id": "thread"}}
    while True:
        state: dict[str, Any] = {}
        async for mode, chunk in agent.astream(graph_input, config, stream_mode=["custom", "values", "messages"]):
            if mode == "custom":
                conversing.on_progress(chunk["progress"])
            if mode == "values":
                state = chunk
        questions = (await agent.aget_state(config)).interrupts
        if not questions:
            break
        graph_input = Command(resume={question.id: answer(question.value, conversing) for question in questions})
    for message in state["messages"]:
        if payment := message.response_metadata.get("payment"):
            conversing.on_payment(payment)
    return str(state["messages"][-1].text)


def answer(request: ApprovalRequest, conversing: Conversing) -> ApprovalResponse:
    approved = [conversing.approve(each["args"]) for each in request["action_requests"]]
    return {"decisions": [{"type": "approve" if each else "reject"} for each in approved]}


async def by_create_agent(conversing: Conversing) -> str:
    tools = await make_tools(conversing)
    return await converse_in_graph(
        create_agent(chat_model(conversing.model), tools=tools, checkpointer=InMemorySaver()), conversing
    )


async def by_responses(conversing: Conversing) -> str:
    tools = await make_tools(conversing)
    model = chat_model(conversing.model, use_responses_api=True)
    return await converse_in_graph(create_agent(model, tools=tools, checkpointer=InMemorySaver()), conversing)


async def by_react_agent(conversing: Conversing) -> str:
    tools = await make_tools(conversing)
    agent = create_react_agent(chat_model(conversing.model), tools, checkpointer=InMemorySaver(), version="v1")
    return await converse_in_graph(agent, conversing)


def as_offered(parameters: dict[str, Any]) -> dict[str, Any]:
    """LangChain replaces references by their definitions."""
    resolved = dereference_refs(parameters)
    resolved.pop("$defs", None)
    return resolved


#: Missing in every way to use LangChain.
CANNOT: Any = {
    "null_arguments": "langchain-openai cannot read the message of the model",
}
TEXT_ONLY = {"images": "Chat completions take only text in the result of a tool"}

test_contract = contract_of(
    Driver(
        adapter="langchain",
        use="create_agent",
        package="langchain",
        as_offered=as_offered,
        converse=by_create_agent,
        cannot=CANNOT | TEXT_ONLY,
    ),
    Driver(
        adapter="langchain",
        use="create_agent with the Responses API",
        package="langchain-openai",
        as_offered=as_offered,
        converse=by_responses,
        cannot=CANNOT,
        image=ShownImage(block={"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}),
    ),
    Driver(
        adapter="langchain",
        use="create_react_agent",
        package="langgraph",
        as_offered=as_offered,
        converse=by_react_agent,
        cannot=CANNOT | TEXT_ONLY,
    ),
)

test_program = runs_programs("langchain", "langchain_ask")


async def test_programs_call_static_actions_that_change_nothing(stage: Stage) -> None:
    chosen = await load_svc_tools(stage.tools, programmatic=True, needs_approval=False, static_toolkits=["weather"])
    extras = {tool.name: tool.extras for tool in chosen}
    both = {"allowed_callers": ["direct", "code_execution_20260120"]}
    assert extras == {"search_services": both, "invoke_service": None, "weather__today": both}
    call = {"type": "tool_call", "id": "call_1", "name": "weather__today", "args": {"city": "Rome"}}
    message = await chosen[2].ainvoke(call)
    assert message.content == '{"city":"Rome","celsius":21}'
