/**
 * `npm run demo`: the service, four toolkits in processes of their own, and a model that answers three questions with them.
 *
 * Exit code 0 means: all three were answered rightly, by searches and calls that really happened.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import colors from 'picocolors';
import { Tools } from 'svc-sdk';
import { ChildProcesses } from './demo/child-processes.ts';
import { ConversationPrinter } from './demo/conversation-printer.ts';
import { openModel } from './demo/model.ts';
import { QUESTIONS } from './demo/questions.ts';
import { type Stage, setStage } from './demo/stage.ts';
import { timedTools } from './demo/timed-tools.ts';
import { ask } from './openai-loop.ts';

const children = new ChildProcesses();
const interruption = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => reject(new Error(`Stopped by ${signal}`)));
});

const data = await mkdtemp(join(tmpdir(), 'svc-sdk-demo-'));
try {
  await Promise.race([demo(), children.death, interruption]);
} catch (error) {
  console.error(`\n${colors.red((error as Error).message)}`);
  process.exitCode = 1;
} finally {
  await children.stop();
  await rm(data, { recursive: true, force: true });
}
// After an interruption a request may still be open; nothing is left that it could change.
process.exit();

async function demo(): Promise<void> {
  const stage = await setStage(children, data);
  const { client, model, introduction, close } = await openModel();
  introduce(stage, introduction);

  const tools = timedTools(new Tools({ baseUrl: stage.url, apiKey: stage.agentKey }));
  const printed = { searches: 0, invocations: 0 };
  for (const [index, { text, fact }] of QUESTIONS.entries()) {
    const printer = new ConversationPrinter(tools.milliseconds);
    printer.question(index + 1, text);
    const answer = await ask(text, { client, model, tools, onMessage: printer.message });
    printer.answer(answer);
    if (printer.searches === 0 || printer.invocations === 0) throw new Error('That was answered without a search or without a call.');
    if (!fact.test(answer)) throw new Error(`That is not right: the answer should hold ${fact}.`);
    printed.searches += printer.searches;
    printed.invocations += printer.invocations;
  }
  await close();
  farewell(printed);
}

function introduce({ url, toolkits }: Stage, introduction: string): void {
  const list = toolkits.map(({ name, actions }) => `${name} (${actions})`).join(', ');
  console.log(`${colors.dim('service ')}  ${url}, with temporary data`);
  console.log(`${colors.dim('toolkits')}  ${list}`);
  console.log(`${colors.dim('model   ')}  ${introduction}`);
}

function farewell({ searches, invocations }: { searches: number; invocations: number }): void {
  console.log(`\n${colors.bold(`All ${QUESTIONS.length} answered`)}, with ${searches} searches and ${invocations} calls.\n`);
  console.log('Make it yours:  npx svc-sdk dev   starts a service and prints keys and snippets to paste');
  console.log('Read on:        README.md, and examples/ for the toolkits and the loop that you just saw');
}
