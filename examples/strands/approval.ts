/**
 * The same, and a human decides before anything destructive runs.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/strands/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { Agent, InterruptResponseContent } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { type StrandsQuestion, svcTools } from 'svc-sdk/strands';

const { OPENAI_MODEL: modelId = 'gpt-5-mini' } = process.env;

const agent = new Agent({ model: new OpenAIModel({ modelId }), tools: svcTools(), printer: false });
let result = await agent.invoke(process.argv[2] ?? 'Cancel order 17');
while (result.interrupts?.length) {
  const answers: InterruptResponseContent[] = [];
  for (const { id: interruptId, reason } of result.interrupts) {
    const { description } = reason as unknown as StrandsQuestion;
    answers.push(new InterruptResponseContent({ interruptId, response: await mayRun(description) }));
  }
  result = await agent.invoke(answers);
}
console.log(String(result));

/** Asks about the call that would run. */
async function mayRun(description: string): Promise<boolean> {
  const terminal = createInterface(process.stdin, process.stdout);
  const reply = await terminal.question(`Run ${description}? (y/n) `);
  terminal.close();
  return reply === 'y';
}
