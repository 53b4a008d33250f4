/**
 * The same, and a human decides before anything destructive runs.
 *
 *   GEMINI_API_KEY=… SVC_AGENT_API_KEY=… node examples/google-adk/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { InMemoryRunner, LlmAgent, LogLevel, setLogLevel, type ToolConfirmation } from '@google/adk';
import type { Content, Part } from '@google/genai';
import { svcTools } from 'svc-sdk/google-adk';

const { GEMINI_MODEL: model = 'gemini-3.8-flash' } = process.env;

setLogLevel(LogLevel.ERROR);
const agent = new LlmAgent({ name: 'assistant', model, instruction: 'Answer with the help of your tools.', tools: svcTools() });
const runner = new InMemoryRunner({ agent });
const { id: sessionId } = await runner.sessionService.createSession({ appName: runner.appName, userId: 'me' });

let newMessage: Content | undefined = { role: 'user', parts: [{ text: process.argv[2] ?? 'Cancel order 17' }] };
while (newMessage) {
  const answers: Part[] = [];
  for await (const { content } of runner.runAsync({ userId: 'me', sessionId, newMessage })) {
    for (const { text, functionCall } of content?.parts ?? []) {
      if (text) console.log(text);
      if (functionCall?.name !== 'adk_request_confirmation') continue;
      const { id = '', name, args = {} } = functionCall;
      const { hint } = args.toolConfirmation as ToolConfirmation;
      answers.push({ functionResponse: { id, name, response: { confirmed: await mayRun(hint) } } });
    }
  }
  newMessage = answers.length > 0 ? { role: 'user', parts: answers } : undefined;
}

/** Asks about the call that would run. */
async function mayRun(description: string): Promise<boolean> {
  const terminal = createInterface(process.stdin, process.stdout);
  const reply = await terminal.question(`Run ${description}? (y/n) `);
  terminal.close();
  return reply === 'y';
}
