/**
 * `npm run bench:agent -- [--rounds 300]`: what an agent adds to a turn, beside the bare loop of `getTools` and `callTools`.
 *
 * Both answer the same message with the same three requests to the scripted model and two calls of the same service, in turns; the agent writes to a
 * real file. Shown are the medians, and the median of the differences round by round, with its quartiles.
 */
import { join } from 'node:path';
import { Toolkit, Tools } from 'svc-sdk';
import { Agent } from 'svc-sdk/agent';
import { createService } from 'svc-service';
import { askBare } from './agent/bare-loop.ts';
import { COUNTING_TOOLKIT, countRuns } from './agent/counting.ts';
import { startCountingModel } from './agent/counting-model.ts';
import { WaitingClient } from './agent/waiting-client.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { goalLine } from './common/goal.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { temporaryFolder } from './common/processes.ts';
import { percentile, spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';

const MOST_ADDED_MS = 3;
const WARM_UP_ROUNDS = 50;
const PLAN = 'count 1,1';

const { rounds } = benchCommand('npm run bench:agent --')
  .option('--rounds <count>', 'turns of each', wholeNumber, 300)
  .parse()
  .opts<{ rounds: number }>();

const service = await createService({ port: 0 });
const toolkit = new Toolkit({ baseUrl: service.url, apiKey: (await service.keys.create({ kind: 'toolkit', name: COUNTING_TOOLKIT })).key });
countRuns().define(toolkit);
const toolkitOver = toolkit.run();
await toolkit.ready;
const { key: apiKey } = await service.keys.create({ kind: 'agent', name: 'agent' });
const model = await startCountingModel();
process.env.OPENAI_BASE_URL = model.baseURL;
process.env.OPENAI_API_KEY = 'any';

const client = new WaitingClient();
const store = join(temporaryFolder(), 'agent.db');
const agent = new Agent({ apiKey, baseUrl: service.url, store, clients: [client], approve: 'never', historyTokens: 1 });
agent.setModel('default', 'openai/scripted-model');
const agentOver = agent.run();
const tools = new Tools({ apiKey, baseUrl: service.url });

const times: { bare: number; agent: number }[] = [];
for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
  const bare = () => timeOf(() => askBare({ tools, baseURL: model.baseURL, text: `${PLAN} as bare-${round}` }));
  const turn = () => timeOf(() => client.ask(`${PLAN} as turn-${round}`));
  // The order alternates, so that neither is always second.
  const turnFirst = round % 2 === 0 ? await turn() : undefined;
  const measured = { bare: await bare(), agent: turnFirst ?? (await turn()) };
  if (round >= 0) times.push(measured);
}

await agent.stop();
await agentOver;
await toolkit.stop();
await toolkitOver;
await model.close();
await service.close();

const added = spreadOf(times.map((time) => time.agent - time.bare));
console.log(describeMachine(machineFacts()));
console.log(formatTable(['a turn, milliseconds', 'p50', 'p99'], [rowOf('bare loop', 'bare'), rowOf('agent', 'agent')]));
const quartiles = `${added.lowerQuartile.toFixed(2)}-${added.upperQuartile.toFixed(2)}`;
console.log(
  goalLine(
    added.median <= MOST_ADDED_MS,
    `a turn of the agent, at most ${MOST_ADDED_MS} ms more than the bare loop: ${added.median.toFixed(2)} [${quartiles}]`,
  ),
);

async function timeOf(work: () => Promise<string>): Promise<number> {
  const startedAt = performance.now();
  const text = await work();
  const ms = performance.now() - startedAt;
  if (!text.startsWith('Counted')) throw new Error(`The answer is ${text}`);
  return ms;
}

function rowOf(title: string, name: 'bare' | 'agent'): string[] {
  const sorted = times.map((time) => time[name]).toSorted((a, b) => a - b);
  return [title, percentile(sorted, 0.5).toFixed(2), percentile(sorted, 0.99).toFixed(2)];
}
