/**
 * The same, and a human decides before anything destructive runs.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/mastra/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { describeCall, Tools } from 'svc-sdk';
import { svcTools } from 'svc-sdk/mastra';

const { OPENAI_BASE_URL: url = 'https://api.openai.com/v1', OPENAI_API_KEY: apiKey = '', OPENAI_MODEL = 'gpt-5-mini' } = process.env;

const tools = new Tools();
const agent = new Agent({
  id: 'assistant',
  name: 'Assistant',
  instructions: 'Answer with the help of your tools.',
  model: { id: `openai/${OPENAI_MODEL}`, url, apiKey },
  tools: svcTools(tools),
});
// A run that waits for a human is kept in a storage.
new Mastra({ agents: { agent }, storage: new InMemoryStore() });

let result = await agent.generate(process.argv[2] ?? 'Cancel order 17', { maxSteps: 20 });
while (result.finishReason === 'suspended') {
  const { toolCallId, toolName, args } = result.suspendPayload;
  const decision = { runId: String(result.runId), toolCallId, maxSteps: 20 };
  const approved = await mayRun(toolName, args);
  result = approved ? await agent.approveToolCallGenerate(decision) : await agent.declineToolCallGenerate(decision);
}
console.log(result.text);

/** Asks about the call that would run. A call that the service does not know cannot be approved. */
async function mayRun(name: string, input: unknown): Promise<boolean> {
  const resolved = await tools.resolve(name, input).catch(() => undefined);
  if (!resolved) return false;
  const terminal = createInterface(process.stdin, process.stdout);
  const reply = await terminal.question(`Run ${describeCall(resolved)}? (y/n) `);
  terminal.close();
  return reply === 'y';
}
