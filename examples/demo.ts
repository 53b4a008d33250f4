/**
 * `npm run demo`: the service, four toolkits in processes of their own, and a model that answers three questions with them.
 *
 * Exit code 0 means: all three were answered rightly, by searches and calls that really happened.
 */
import colors from 'picocolors';
import { Tools } from 'svc-sdk';
import type { ChildProcesses } from './demo/child-processes.ts';
import { ConversationPrinter } from './demo/conversation-printer.ts';
import { openModel } from './demo/model.ts';
import { QUESTIONS } from './demo/questions.ts';
import { introduceStage, runDemo } from './demo/run-demo.ts';
import { setStage } from './demo/stage.ts';
import { timedTools } from './demo/timed-tools.ts';
import { ask } from './openai-loop.ts';

await runDemo(demo);

async function demo(children: ChildProcesses, data: string): Promise<void> {
  const stage = await setStage(children, data);
  const { client, model, introduction, close } = await openModel();
  introduceStage(stage, introduction);

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

function farewell({ searches, invocations }: { searches: number; invocations: number }): void {
  console.log(`\n${colors.bold(`All ${QUESTIONS.length} answered`)}, with ${searches} searches and ${invocations} calls.\n`);
  console.log('Make it yours:  npx svc-sdk dev   starts a service and prints keys and snippets to paste');
  console.log('Read on:        README.md, and examples/ for the toolkits and the loop that you just saw');
}
