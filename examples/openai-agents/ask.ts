/**
 * The OpenAI Agents SDK with every action there is.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai-agents/ask.ts "What time is it in Tokyo?"
 */
import { Agent, run, setOpenAIAPI } from '@openai/agents';
import { svcTools } from 'svc-sdk/openai-agents';

setOpenAIAPI('chat_completions');

const agent = new Agent({
  name: 'Assistant',
  instructions: 'Answer with the help of your tools.',
  model: process.env.OPENAI_MODEL ?? 'gpt-5-mini',
  tools: svcTools(),
});

const { finalOutput } = await run(agent, process.argv[2] ?? 'What time is it in Tokyo?', {
  maxTurns: 20,
  toolNotFoundBehavior: 'return_error_to_model',
});
console.log(finalOutput);
