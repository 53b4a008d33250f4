/**
 * `npm run code:kills -- [--runs 100] [--kills 10] [--seed 1]`: runs of code at two nodes on PostgreSQL and NATS, whose nodes are killed with SIGKILL
 * at random moments. Each program makes 20 calls that must not run twice. Prints one line of JSON.
 *
 * Errors: exit 1 when a call ran twice, a run was lost, or a program ended as done without the answer of a call that ran.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Toolkit, Tools } from 'svc-sdk';
import { benchCommand, wholeNumber } from './common/command.ts';
import { freePort } from './common/free-port.ts';
import { makeNats } from './common/nats.ts';
import { makePostgres, postgresUrl } from './common/postgres.ts';
import type { RunningProcess } from './common/processes.ts';
import { randomOf } from './common/random.ts';
import { createKey, inPostgres, startService, waitForAction } from './svc/service.ts';

const CALLS = 20;
/** The time that all runs have to end after the last kill. */
const PATIENCE_MS = 120_000;

const { runs, kills, seed } = benchCommand('npm run code:kills --')
  .option('--runs <count>', 'programs', wholeNumber, 100)
  .option('--kills <count>', 'how often a node is killed', wholeNumber, 10)
  .option('--seed <seed>', 'makes the same pauses again', '1')
  .parse()
  .opts<{ runs: number; kills: number; seed: string }>();
const random = randomOf(seed);

const [postgres, nats] = [await makePostgres(), await makeNats()];
await Promise.all([postgres.start().ready, nats.start().ready]);
const storage = inPostgres(postgresUrl(postgres.port));
const ports = [await freePort(), await freePort()];
const start = (port: number) =>
  startService(storage, { options: ['--code', '--nats', `nats://127.0.0.1:${nats.port}`, '--port', String(port)] });
const nodes: RunningProcess[] = [];
for (const port of ports) {
  const node = start(port);
  await node.ready;
  nodes.push(node);
}
const urls = ports.map((port) => `http://127.0.0.1:${port}`);
const [toolkitKey, agentKey] = [await createKey('toolkit', storage), await createKey('agent', storage, ['--code'])];

const effects = new Map<string, number>();
const toolkits = urls.map((baseUrl) => {
  const toolkit = new Toolkit({ baseUrl, apiKey: toolkitKey, onStatus: () => {} });
  const payloadDescription = { id: { type: 'string', required: true } } as const;
  toolkit.action({ action: 'order', actionDescription: 'Orders an item', payloadDescription }, async (ctx, { id }) => {
    effects.set(id, (effects.get(id) ?? 0) + 1);
    await delay(20 + random() * 80);
    return ctx.result({ id });
  });
  return { toolkit, running: toolkit.run() };
});
for (const url of urls) await waitForAction(url, agentKey, 'order');
const action = (await waitForAction(urls[0] ?? '', agentKey, 'order')).replace('__', '.');

const ended = Array.from({ length: runs }, (_, index) => followed(index));
for (let kill = 0; kill < kills; kill++) {
  await delay(300 + random() * 1_200);
  const at = kill % nodes.length;
  await nodes[at]?.kill();
  await delay(random() * 500);
  const node = start(ports[at] ?? 0);
  nodes[at] = node;
  await node.ready;
}
const outcomes = await Promise.all(ended);

const twice = [...effects.values()].filter((count) => count > 1).length;
const lost = outcomes.filter((outcome) => outcome === 'lost').length;
const diverged = outcomes.filter((outcome) => outcome === 'diverged').length;
const wrong = outcomes.filter((outcome) => outcome === 'wrong').length;
const unknown = outcomes.reduce<number>((sum, outcome) => sum + (typeof outcome === 'number' ? outcome : 0), 0);
console.log(JSON.stringify({ runs, kills, seed, calls: effects.size, twice, lost, wrong, diverged, unknown }));
for (const { toolkit } of toolkits) await toolkit.stop({ timeoutMs: 0 });
for (const node of nodes) await node.stop();
process.exitCode = twice + lost + wrong > 0 ? 1 : 0;
process.exit();

/** The number of calls whose outcome is unknown, of a run that ended as it should. */
async function followed(index: number): Promise<number | 'lost' | 'diverged' | 'wrong'> {
  const names = Array.from({ length: CALLS }, (_, call) => `${index}-${call}`);
  const code = `const answers = [];
for (let from = 0; from < ${CALLS}; from += 4) {
  const ids = Array.from({ length: 4 }, (_, at) => '${index}-' + (from + at));
  answers.push(...(await Promise.all(ids.map((id) => tools.${action}({ id })))));
}
return answers.map(({ ok, data, error }) => (ok ? data.id : error.code));`;
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const tools = new Tools({ baseUrl: urls[Math.floor(random() * urls.length)] ?? '', apiKey: agentKey, timeoutMs: 5_000 });
    // A node that is killed breaks its connections: the same request attaches to the run at the other one.
    const run = await tools.runCode(code, { idempotencyKey: `run-${index}` }).catch(() => undefined);
    if (run?.status === 'failed' && run.error.code === 'DIVERGED') return 'diverged';
    if (run?.status === 'failed') return 'lost';
    if (run?.status !== 'done') {
      await delay(200);
      continue;
    }
    const results = run.result as string[];
    const isRight = results.every(
      (result, at) => result === names[at] || (result === 'OUTCOME_UNKNOWN' && (effects.get(names[at] ?? '') ?? 0) <= 1),
    );
    return isRight && results.length === CALLS ? results.filter((result) => result === 'OUTCOME_UNKNOWN').length : 'wrong';
  }
  return 'lost';
}
