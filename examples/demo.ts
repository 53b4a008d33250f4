/**
 * `npm run demo`: the service, four toolkits in processes of their own, and a model that answers four questions with them, the last with a program.
 *
 * Exit code 0 means: all four were answered rightly, by searches and calls that really happened.
 */
import colors from 'picocolors';
import { Tools } from 'svc-sdk';
import { answerQuestion } from './demo/answer-question.ts';
import type { ChildProcesses } from './demo/child-processes.ts';
import { openModel } from './demo/model.ts';
import { PROGRAM_QUESTION, QUESTIONS } from './demo/questions.ts';
import { introduceStage, runDemo } from './demo/run-demo.ts';
import { setStage } from './demo/stage.ts';
import { timedTools } from './demo/timed-tools.ts';

const ASKED = [...QUESTIONS, PROGRAM_QUESTION];

await runDemo(demo);

async function demo(children: ChildProcesses, data: string): Promise<void> {
  const stage = await setStage(children, data);
  const { client, model, introduction, close } = await openModel();
  introduceStage(stage, introduction);

  const tools = timedTools(new Tools({ baseUrl: stage.url, apiKey: stage.agentKey, code: true }));
  const printed = { searches: 0, invocations: 0 };
  for (const [index, question] of ASKED.entries()) {
    const { searches, invocations } = await answerQuestion(index + 1, question, { client, model, tools });
    printed.searches += searches;
    printed.invocations += invocations;
  }
  await close();
  farewell(printed);
}

function farewell({ searches, invocations }: { searches: number; invocations: number }): void {
  console.log(`\n${colors.bold(`All ${ASKED.length} answered`)}, with ${searches} searches and ${invocations} calls.\n`);
  console.log('Make it yours:  npx svc-service dev   starts a service and prints keys and snippets to paste');
  console.log('Read on:        README.md, and examples/ for the toolkits and the loop that you just saw');
}
