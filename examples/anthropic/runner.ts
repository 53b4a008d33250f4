/**
 * Anthropic's tool runner with every action there is.
 *
 *   ANTHROPIC_API_KEY=… SVC_AGENT_API_KEY=… node examples/anthropic/runner.ts "What time is it in Tokyo?"
 */
import Anthropic from '@anthropic-ai/sdk';
import { svcTools } from 'svc-sdk/anthropic';

const { ANTHROPIC_MODEL: model = 'claude-sonnet-5-5' } = process.env;

const { content } = await new Anthropic().beta.messages.toolRunner({
  model,
  max_tokens: 4_096,
  messages: [{ role: 'user', content: process.argv[2] ?? 'What time is it in Tokyo?' }],
  tools: svcTools(),
  // The whole conversation in every request, as servers without message threads want it.
  thread: false,
});
for (const block of content) if (block.type === 'text') console.log(block.text);
