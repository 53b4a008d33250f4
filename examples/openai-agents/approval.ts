/**
 * The same, and a human decides before anything destructive runs.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai-agents/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { Agent, run, setOpenAIAPI } from '@openai/agents';
import { svcTools } from 'svc-sdk/openai-agents';

setOpenAIAPI('chat_completions');

const agent = new Agent({
  name: 'Assistant',
  instructions: 'Answer with the help of your tools.',
  model: process.env.OPENAI_MODEL ?? 'gpt-5-mini',
  tools: svcTools(),
});
const options = { maxTurns: 20, toolNotFoundBehavior: 'return_error_to_model' } as const;

let result = await run(agent, process.argv[2] ?? 'Cancel order 17', options);
while (result.interruptions.length > 0) {
  const terminal = createInterface(process.stdin, process.stdout);
  for (const call of result.interruptions) {
    const reply = await terminal.question(`Run ${call.arguments}? (y/n) `);
    if (reply === 'y') result.state.approve(call);
    else result.state.reject(call);
  }
  terminal.close();
  result = await run(agent, result.state, options);
}
console.log(result.finalOutput);
