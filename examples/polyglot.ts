/**
 * `npm run demo:polyglot`: toolkits in TypeScript, Python and Rust answer one question together. The service and the loop are in TypeScript.
 *
 * Exit code 0 means: the question was answered rightly, and each toolkit served one of the calls.
 */
import colors from 'picocolors';
import { Tools } from 'svc-sdk';
import { requirePrograms } from '../scripts/programs.ts';
import { answerQuestion } from './demo/answer-question.ts';
import type { ChildProcesses } from './demo/child-processes.ts';
import { openModel } from './demo/model.ts';
import { introduceStage, runDemo } from './demo/run-demo.ts';
import { setStage } from './demo/stage.ts';
import { timedTools } from './demo/timed-tools.ts';
import { QUESTION, SCRIPT } from './polyglot/question.ts';
import { openToolkits } from './polyglot/toolkits.ts';

requirePrograms('python', 'cargo');
await runDemo(demo);

async function demo(children: ChildProcesses, data: string): Promise<void> {
  const programs = await openToolkits();
  const stage = await setStage(children, data, programs);
  const { client, model, introduction, close } = await openModel([SCRIPT]);
  introduceStage(stage, introduction);

  const tools = timedTools(new Tools({ baseUrl: stage.url, apiKey: stage.agentKey }));
  const { invocations } = await answerQuestion(1, QUESTION, { client, model, tools });
  if (invocations < programs.length) throw new Error(`That took ${invocations} calls, so not every toolkit had a part in it.`);
  await close();
  console.log(`\n${colors.bold('Answered')}, with ${invocations} calls in three languages.\n`);
  console.log('Read on:  python/README.md and rust/README.md, and examples/polyglot/ for what you just saw');
}
