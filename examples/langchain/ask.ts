/**
 * A LangChain agent with every action there is.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/langchain/ask.ts "What time is it in Tokyo?"
 */
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { svcTools } from 'svc-sdk/langchain';

const agent = createAgent({
  model: new ChatOpenAI({ model: process.env.OPENAI_MODEL ?? 'gpt-5-mini' }),
  tools: svcTools(),
});

const { messages } = await agent.invoke({ messages: [{ role: 'user', content: process.argv[2] ?? 'What time is it in Tokyo?' }] });
console.log(messages.at(-1)?.text);
