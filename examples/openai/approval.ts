/**
 * OpenAI's loops have no approval, so the tools ask: before an action that is declared `destructive`. The same `Tools` serves every loop.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import OpenAI from 'openai';
import { type CallToolOptions, describeCall, Tools } from 'svc-sdk';
import { svcTools } from 'svc-sdk/openai';

class AskingTools extends Tools {
  override async callTool(name: string, input: unknown, options: CallToolOptions = {}): Promise<unknown> {
    if (name === 'search_services') return super.callTool(name, input, options);
    const resolved = await this.resolve(name, input, options);
    const { action, payload, version: actionVersion } = resolved;
    if (action.annotations?.destructive && !(await mayRun(describeCall(resolved))))
      return 'The user said no. Do not try it again; ask what to do instead.';
    // Runs exactly the approved call, and no action that has changed since.
    return super.callTool(action.action, payload, { ...options, actionVersion });
  }
}

let lastQuestion: Promise<unknown> = Promise.resolve();

/** Calls run at the same time; questions come one after the other. */
function mayRun(call: string): Promise<boolean> {
  const reply = lastQuestion.then(() => ask(`Run ${call}? (y/n) `));
  lastQuestion = reply;
  return reply.then((text) => text === 'y');
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface(process.stdin, process.stdout);
  const reply = await terminal.question(question);
  terminal.close();
  return reply;
}

const runner = new OpenAI().chat.completions.runTools({
  model: process.env.OPENAI_MODEL ?? 'gpt-5-mini',
  messages: [{ role: 'user', content: process.argv[2] ?? 'Cancel order 17' }],
  tools: svcTools(new AskingTools()),
});
console.log(await runner.finalContent());
