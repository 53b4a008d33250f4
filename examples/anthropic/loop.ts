/**
 * A loop of your own around Anthropic's API.
 *
 *   ANTHROPIC_API_KEY=… SVC_AGENT_API_KEY=… node examples/anthropic/loop.ts "What time is it in Tokyo?"
 */
import Anthropic from '@anthropic-ai/sdk';
import { callTools, nextRequest, svcTools } from 'svc-sdk/anthropic';

const { ANTHROPIC_MODEL: model = 'claude-sonnet-5-5' } = process.env;
const client = new Anthropic();
const tools = svcTools();
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: process.argv[2] ?? 'What time is it in Tokyo?' }];

for (let container: string | undefined; ; ) {
  const message = await client.messages.create({ model, max_tokens: 4_096, messages, tools, ...(container && { container }) });
  const next = nextRequest(message, await callTools(tools, message.content));
  messages.push(...next.messages);
  container = next.container ?? container;
  if (next.done) {
    for (const block of message.content) if (block.type === 'text') console.log(block.text);
    break;
  }
}
