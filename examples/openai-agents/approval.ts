/**
 * The same, and a human decides before anything destructive runs.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai-agents/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { Agent, run, setOpenAIAPI } from '@openai/agents';
import { describeCall, Tools } from 'svc-sdk';
import { svcTools } from 'svc-sdk/openai-agents';

setOpenAIAPI('chat_completions');

const tools = new Tools();
const agent = new Agent({
  name: 'Assistant',
  instructions: 'Answer with the help of your tools.',
  model: process.env.OPENAI_MODEL ?? 'gpt-5-mini',
  tools: svcTools(tools),
});
const options = { maxTurns: 20, toolNotFoundBehavior: 'return_error_to_model' } as const;

let result = await run(agent, process.argv[2] ?? 'Cancel order 17', options);
while (result.interruptions.length > 0) {
  for (const call of result.interruptions) {
    if (await mayRun(call.name ?? '', call.arguments)) result.state.approve(call);
    else result.state.reject(call);
  }
  result = await run(agent, result.state, options);
}
console.log(result.finalOutput);

/** Asks about the call that would run. A call that the service does not know cannot be approved. */
async function mayRun(name: string, input: unknown): Promise<boolean> {
  const resolved = await tools.resolve(name, input).catch(() => undefined);
  if (!resolved) return false;
  const terminal = createInterface(process.stdin, process.stdout);
  const reply = await terminal.question(`Run ${describeCall(resolved)}? (y/n) `);
  terminal.close();
  return reply === 'y';
}
