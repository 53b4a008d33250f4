/**
 * The same, and a human decides before anything destructive runs.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/ai-sdk/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { describeCall, Tools } from 'svc-sdk';
import { svcTools } from 'svc-sdk/ai';

const { OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1', OPENAI_API_KEY: apiKey = '', OPENAI_MODEL = 'gpt-5-mini' } = process.env;
const provider = createOpenAICompatible({ name: 'openai', baseURL, apiKey });
const tools = new Tools();
const messages: ModelMessage[] = [{ role: 'user', content: process.argv[2] ?? 'Cancel order 17' }];

for (;;) {
  const { content, text, responseMessages } = await generateText({
    model: provider(OPENAI_MODEL),
    tools: svcTools(tools),
    stopWhen: isStepCount(20),
    messages,
  });
  const requests = content.filter((part) => part.type === 'tool-approval-request');
  if (requests.length === 0) {
    console.log(text);
    break;
  }
  messages.push(...responseMessages);
  for (const { approvalId, toolCall } of requests) {
    const approved = await mayRun(toolCall.toolName, toolCall.input);
    messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] });
  }
}

/** Asks about the call that would run. A call that the service does not know cannot be approved. */
async function mayRun(name: string, input: unknown): Promise<boolean> {
  const resolved = await tools.resolve(name, input).catch(() => undefined);
  if (!resolved) return false;
  const terminal = createInterface(process.stdin, process.stdout);
  const reply = await terminal.question(`Run ${describeCall(resolved)}? (y/n) `);
  terminal.close();
  return reply === 'y';
}
