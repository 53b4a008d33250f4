/**
 * The Vercel AI SDK with every action there is.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/ai-sdk/ask.ts "What time is it in Tokyo?"
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { svcTools } from 'svc-sdk/ai';

const { OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1', OPENAI_API_KEY: apiKey = '', OPENAI_MODEL = 'gpt-5-mini' } = process.env;
const provider = createOpenAICompatible({ name: 'openai', baseURL, apiKey });

const { text } = await generateText({
  model: provider(OPENAI_MODEL),
  tools: svcTools(),
  stopWhen: isStepCount(20),
  prompt: process.argv[2] ?? 'What time is it in Tokyo?',
});
console.log(text);
