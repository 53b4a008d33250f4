/**
 * A snippet in Python for each adapter of `svc.ai`, and for the agent in chats.
 *
 * Source: the first Python blocks of docs/adapters/ and docs/agent.md, which python/tests runs. `service/test/unit/console/snippets.test.ts` compares
 * them with these, but for the address, the key and the question.
 */
import { QUESTION, type Snippet } from './snippet';

const withModel = (name: string) => `Save it as ask.py. Set ${name} to the API key of your model.`;
const OPENAI_KEY = withModel('OPENAI_API_KEY');

/** A program that a framework runs: `ask.py`. */
function program(id: string, label: string, install: string, code: Snippet['code'], note = OPENAI_KEY): Snippet {
  return { id, label, sdk: 'python', language: 'py', note, install: `pip install ${install}`, code, run: 'python ask.py' };
}

const options = (url: string, key: string) => `base_url="${url}", api_key="${key}"`;

export const PYTHON_FRAMEWORK_SNIPPETS: readonly Snippet[] = [
  program(
    'openai',
    'OpenAI',
    "'svc-sdk[openai]'",
    (url, key) => `import asyncio

from openai import AsyncOpenAI

from svc.ai.openai import svc_tools


async def main() -> None:
    openai = AsyncOpenAI()
    tools = svc_tools(${options(url, key)})
    messages = [{"role": "user", "content": "${QUESTION}"}]
    while True:
        completion = await openai.chat.completions.create(model="gpt-5-mini", messages=messages, tools=tools)
        message = completion.choices[0].message
        messages += [message, *await tools.call_tools(message.tool_calls)]
        if not message.tool_calls:
            break
    print(message.content)


asyncio.run(main())
`,
    `The plain loop with OpenAI's client, which works with every server of that API. ${OPENAI_KEY}`,
  ),
  program(
    'openai-agents',
    'OpenAI Agents',
    "'svc-sdk[openai-agents]'",
    (url, key) => `import asyncio

from agents import Agent, RunConfig, Runner

from svc.ai.openai_agents import svc_tools


async def main() -> None:
    agent = Agent(name="Assistant", model="gpt-5-mini", tools=svc_tools(${options(url, key)}))
    run_config = RunConfig(tool_not_found_behavior="return_error_to_model")
    result = await Runner.run(agent, "${QUESTION}", run_config=run_config)
    print(result.final_output)


asyncio.run(main())
`,
  ),
  program(
    'anthropic',
    'Anthropic',
    "'svc-sdk[anthropic]'",
    (url, key) => `import asyncio

from anthropic import AsyncAnthropic

from svc.ai.anthropic import svc_tools


async def main() -> None:
    client = AsyncAnthropic()
    tools = svc_tools(${options(url, key)})
    messages = [{"role": "user", "content": "${QUESTION}"}]
    while True:
        message = await client.messages.create(
            model="claude-sonnet-5-5", max_tokens=4_096, messages=messages, tools=tools
        )
        results = await tools.call_tools(message.content)
        if not results:
            break
        messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
    print(message.content[-1].text)


asyncio.run(main())
`,
    withModel('ANTHROPIC_API_KEY'),
  ),
  program(
    'google',
    'Google Gen AI',
    "'svc-sdk[google-genai]'",
    (url, key) => `import asyncio

from google import genai

from svc.ai.google import svc_functions


async def main() -> None:
    client = genai.Client()
    chat = client.aio.chats.create(model="gemini-3.8-flash", config={"tools": svc_functions(${options(url, key)})})
    response = await chat.send_message("${QUESTION}")
    print(response.text)


asyncio.run(main())
`,
    withModel('GEMINI_API_KEY'),
  ),
  program(
    'langchain',
    'LangChain',
    "'svc-sdk[langchain]' langchain langchain-openai",
    (url, key) => `import asyncio

from langchain.agents import create_agent

from svc.ai.langchain import svc_tools


async def main() -> None:
    agent = create_agent("openai:gpt-5-mini", tools=svc_tools(${options(url, key)}))
    question = {"role": "user", "content": "${QUESTION}"}
    state = await agent.ainvoke({"messages": [question]})
    print(state["messages"][-1].text)


asyncio.run(main())
`,
  ),
  program(
    'llamaindex',
    'LlamaIndex',
    "'svc-sdk[llamaindex]' llama-index-llms-openai",
    (url, key) => `import asyncio
import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI

from svc.ai.llamaindex import svc_tools


async def main() -> None:
    llm = OpenAI("gpt-5-mini", api_base=os.environ.get("OPENAI_BASE_URL"))
    agent = FunctionAgent(llm=llm, tools=svc_tools(${options(url, key)}))
    print(await agent.run("${QUESTION}"))


asyncio.run(main())
`,
  ),
  program(
    'pydantic-ai',
    'Pydantic AI',
    "'svc-sdk[pydantic-ai]' 'pydantic-ai-slim[openai]'",
    (url, key) => `import asyncio

from pydantic_ai import Agent, DeferredToolRequests

from svc.ai.pydantic_ai import svc_tools

agent = Agent("openai-chat:gpt-5-mini", tools=svc_tools(${options(url, key)}), output_type=[str, DeferredToolRequests])


async def main() -> None:
    result = await agent.run("${QUESTION}")
    print(result.output)


asyncio.run(main())
`,
  ),
  program(
    'crewai',
    'CrewAI',
    "'svc-sdk[crewai]'",
    (url, key) => `from crewai import LLM, Agent, Crew, Task

from svc.ai.crewai import svc_tools

agent = Agent(
    role="Assistant",
    goal="Answer with the help of your tools",
    backstory="You can find and use any action.",
    llm=LLM(model="openai/gpt-5-mini"),
    tools=svc_tools(${options(url, key)}),
)
task = Task(description="${QUESTION}", expected_output="The answer", agent=agent)
print(Crew(agents=[agent], tasks=[task]).kickoff())
`,
  ),
  program(
    'smolagents',
    'smolagents',
    "'svc-sdk[smolagents]' 'smolagents[openai]'",
    (url, key) => `from smolagents import CodeAgent, OpenAIModel

from svc.ai.smolagents import svc_tools

agent = CodeAgent(tools=svc_tools(${options(url, key)}), model=OpenAIModel("gpt-5-mini"), verbosity_level=0)
print(agent.run("${QUESTION}"))
`,
  ),
  program(
    'autogen',
    'AutoGen',
    "'svc-sdk[autogen]' autogen-agentchat 'autogen-ext[openai]'",
    (url, key) => `import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

from svc.ai.autogen import svc_tools


async def main() -> None:
    model = OpenAIChatCompletionClient(model="gpt-5-mini")
    agent = AssistantAgent("assistant", model, tools=[*svc_tools(${options(url, key)})], max_tool_iterations=20)
    result = await agent.run(task="${QUESTION}")
    print(result.messages[-1].to_text())
    await model.close()


asyncio.run(main())
`,
  ),
  program(
    'strands',
    'Strands Agents',
    "'svc-sdk[strands]' 'strands-agents[openai]'",
    (url, key) => `import asyncio

from strands import Agent
from strands.models.openai import OpenAIModel

from svc.ai.strands import svc_tools

agent = Agent(model=OpenAIModel(model_id="gpt-5-mini"), tools=svc_tools(${options(url, key)}), callback_handler=None)


async def main() -> None:
    result = await agent.invoke_async("${QUESTION}")
    print(str(result).strip())


asyncio.run(main())
`,
  ),
  program(
    'google-adk',
    'Google ADK',
    "'svc-sdk[google-adk]'",
    (url, key) => `import asyncio

from google.adk.agents import Agent
from google.adk.runners import InMemoryRunner

from svc.ai.google_adk import svc_tools

agent = Agent(name="assistant", model="gemini-3.8-flash", tools=svc_tools(${options(url, key)}))


async def main() -> None:
    async with InMemoryRunner(agent) as runner:
        events = await runner.run_debug("${QUESTION}", quiet=True)
        for event in events:
            if event.is_final_response() and event.content and event.content.parts:
                print(event.content.parts[0].text)


asyncio.run(main())
`,
    withModel('GEMINI_API_KEY'),
  ),
  program(
    'agno',
    'Agno',
    "'svc-sdk[agno]' openai",
    (url, key) => `import asyncio

from agno.agent import Agent
from agno.models.openai import OpenAIChat

from svc.ai.agno import svc_tools

agent = Agent(model=OpenAIChat(id="gpt-5-mini"), tools=svc_tools(${options(url, key)}))


async def main() -> None:
    run = await agent.arun("${QUESTION}")
    print(run.content)


asyncio.run(main())
`,
  ),
  program(
    'haystack',
    'Haystack',
    "'svc-sdk[haystack]'",
    (url, key) => `from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage

from svc.ai.haystack import svc_tools

agent = Agent(chat_generator=OpenAIChatGenerator(model="gpt-5-mini"), tools=svc_tools(${options(url, key)}))
result = agent.run([ChatMessage.from_user("${QUESTION}")])
print(result["last_message"].text)
`,
  ),
  {
    id: 'agent',
    label: 'Agent in a chat',
    sdk: 'python',
    language: 'py',
    note: 'Answers people in Telegram; Discord and X work the same way. Save it as agent.py. Set OPENAI_API_KEY and TELEGRAM_BOT_TOKEN.',
    install: 'pip install svc-sdk',
    code: (url, key) => `import os

from svc.agent import Agent
from svc.client.telegram import TelegramClient

telegram = TelegramClient(bot_token=os.environ["TELEGRAM_BOT_TOKEN"])
agent = Agent(clients=[telegram], ${options(url, key)})
agent.set_model("default", "openai/gpt-5-mini")  # OPENAI_API_KEY
agent.set_prompt("system", f"{agent.get_prompt('system')}\\nYou help the customers of a tea shop.")
agent.run()  # until SIGINT or SIGTERM
`,
    run: 'python agent.py',
  },
];
