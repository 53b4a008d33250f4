/**
 * The same, and a human decides before anything destructive runs.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/ai-sdk/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { svcTools } from 'svc-sdk/ai';

const { OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1', OPENAI_API_KEY: apiKey = '', OPENAI_MODEL = 'gpt-5-mini' } = process.env;
const provider = createOpenAICompatible({ name: 'openai', baseURL, apiKey });
const messages: ModelMessage[] = [{ role: 'user', content: process.argv[2] ?? 'Cancel order 17' }];

for (;;) {
  const { content, text, responseMessages } = await generateText({
    model: provider(OPENAI_MODEL),
    tools: svcTools(),
    stopWhen: isStepCount(20),
    messages,
  });
  const requests = content.filter((part) => part.type === 'tool-approval-request');
  if (requests.length === 0) {
    console.log(text);
    break;
  }
  messages.push(...responseMessages);
  const terminal = createInterface(process.stdin, process.stdout);
  for (const { approvalId, toolCall } of requests) {
    const reply = await terminal.question(`Run ${JSON.stringify(toolCall.input)}? (y/n) `);
    messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: reply === 'y' }] });
  }
  terminal.close();
}
