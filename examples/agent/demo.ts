/**
 * `npm run agent:demo`: an agent in the terminal, with the service, six toolkits and a model.
 *
 * It uses your model when `OPENAI_API_KEY` is set (and `OPENAI_BASE_URL`, `OPENAI_MODEL`), else a scripted model. Input from a pipe is answered
 * line by line, and its end ends the demo: `echo "What time is it in Tokyo?" | npm run -s agent:demo`.
 */
import { join } from 'node:path';
import { Agent } from 'svc-sdk/agent';
import { play } from '../../service/scripted-model/script.ts';
import { SCRIPTS } from '../../service/scripted-model/scripts.ts';
import { startScriptedModel } from '../../service/scripted-model/server.ts';
import type { ChildProcesses } from '../demo/child-processes.ts';
import { QUESTIONS } from '../demo/questions.ts';
import { introduceStage, runDemo } from '../demo/run-demo.ts';
import { setStage, TOOLKITS, typescriptToolkit } from '../demo/stage.ts';
import { ConsoleClient } from './console-client.ts';
import { AGENT_SCRIPTS } from './scripts.ts';

const TO_TRY = [
  'What time is it in Tokyo?',
  ...QUESTIONS.map(({ text }) => text),
  'Draw a bar chart: apples 3, pears 5, plums 8.',
  'Note: buy tea',
  'Delete all my notes.',
];

await runDemo(chat);

async function chat(children: ChildProcesses, data: string): Promise<void> {
  const stage = await setStage(children, data, [...TOOLKITS, ...['charts', 'notes'].map(typescriptToolkit)]);
  const { model, introduction } = await openModel();
  introduceStage(stage, introduction);
  console.log(`\nTry, or write /new, /stop, or Ctrl-D to end:\n${TO_TRY.map((text) => `  ${text}`).join('\n')}`);

  const client = new ConsoleClient();
  const agent = new Agent({ apiKey: stage.agentKey, baseUrl: stage.url, store: join(data, 'agent.db'), clients: [client] });
  agent.setModel('default', model);
  void client.ended.then(() => agent.stop());
  await agent.run();
}

/** The agent finds the scripted model where it would find OpenAI's server. */
async function openModel(): Promise<{ model: string; introduction: string }> {
  const { OPENAI_API_KEY, OPENAI_MODEL = 'gpt-5-mini' } = process.env;
  if (OPENAI_API_KEY) return { model: `openai/${OPENAI_MODEL}`, introduction: OPENAI_MODEL };
  const { baseURL } = await startScriptedModel({ speak: (conversation) => play([...AGENT_SCRIPTS, ...SCRIPTS], conversation) });
  Object.assign(process.env, { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: 'none-needed' });
  return { model: 'openai/scripted', introduction: 'scripted model (no OPENAI_API_KEY set): every search and every call is real' };
}
