/**
 * A Mastra agent with every action there is.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/mastra/ask.ts "What time is it in Tokyo?"
 */
import { Agent } from '@mastra/core/agent';
import { svcTools } from 'svc-sdk/mastra';

const { OPENAI_BASE_URL: url = 'https://api.openai.com/v1', OPENAI_API_KEY: apiKey = '', OPENAI_MODEL = 'gpt-5-mini' } = process.env;

const agent = new Agent({
  id: 'assistant',
  name: 'Assistant',
  instructions: 'Answer with the help of your tools.',
  model: { id: `openai/${OPENAI_MODEL}`, url, apiKey },
  tools: svcTools(),
});

const { text } = await agent.generate(process.argv[2] ?? 'What time is it in Tokyo?', { maxSteps: 20 });
console.log(text);
