/**
 * `npm run bench:connections [-- --minutes 10 --callers 20]`: the cost of a call with a kept connection beside one without; tokens of a second under
 * the calls of three nodes; and a node that is killed in the middle of a refresh. bench/README.md explains the figures.
 *
 * Errors: exit 1 when a refresh token was used twice, a call failed, or a killed node cost more than one new sign-in.
 */
import { fileURLToPath } from 'node:url';
import { requirePrograms } from '../scripts/programs.ts';
import { benchCommand, positiveNumber, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { makeNats } from './common/nats.ts';
import { pollUntil } from './common/poll-until.ts';
import { makePostgres, postgresUrl } from './common/postgres.ts';
import { type RunningProcess, temporaryFolder } from './common/processes.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { WorkerProcess } from './common/worker-process.ts';
import type { ApiCounts, ApiJob } from './connections/api.ts';
import { Caller } from './connections/caller.ts';
import { type BenchKeys, type GrantEndpoint, KeptGrant, makeKeys, newSecretsKey } from './connections/kept-grant.ts';
import { inPostgres, onDisk, type Storage, startService } from './svc/service.ts';

const NODES = 3;

const { minutes, callers, calls, tokenSeconds } = benchCommand('npm run bench:connections --')
  .option('--minutes <count>', 'minutes of the calls at three nodes', positiveNumber, 1)
  .option('--callers <count>', 'callers at each node', wholeNumber, 20)
  .option('--calls <count>', 'calls of each kind for their cost', wholeNumber, 4_000)
  .option('--token-seconds <count>', 'life of an access token', wholeNumber, 1)
  .parse()
  .opts<{ minutes: number; callers: number; calls: number; tokenSeconds: number }>();
requirePrograms('postgres', 'nats');
console.log(describeMachine(machineFacts()));

const secretsKey = newSecretsKey();
const start = async (storage: Storage, options: readonly string[] = []) => {
  const env = { SVC_SECRETS_KEY: secretsKey };
  const node = startService(storage, { options: ['--private-provider-host', '127.0.0.1', ...options], env });
  const [url = ''] = await node.ready;
  return { node, url };
};

await measureCost();
const place = await makePostgres();
const postgres = place.start();
await postgres.ready;
const natsPlace = await makeNats();
const nats = natsPlace.start();
await nats.ready;
const database = postgresUrl(place.port);
const startNode = () => start(inPostgres(database), ['--nats', `nats://127.0.0.1:${natsPlace.port}`]);
const nodes: { node: RunningProcess; url: string }[] = [];
while (nodes.length < NODES) nodes.push(await startNode());
const keys = await makeKeys({ database });
const kept = await KeptGrant.open({ database }, secretsKey, keys);
await underCalls();
await killedInRefresh('before');
await killedInRefresh('after');
await kept.close();
await Promise.all(nodes.map(({ node }) => node.stop()));
await nats.stop();
await postgres.stop();

/** One node on SQLite: an action without an account and one with a kept account take turns, one call at a time. */
async function measureCost(): Promise<void> {
  const data = temporaryFolder();
  const { node, url } = await start(onDisk(data));
  const keysOfCost = await makeKeys(data);
  const { api, endpoint, refreshToken } = await startApi(keysOfCost, url, 3_600);
  const grant = await KeptGrant.open(data, secretsKey, keysOfCost);
  await grant.keep(endpoint, refreshToken, 'a token of usual length, which is never checked');
  const caller = new Caller(url, keysOfCost.agentKey, 1);
  const actions = ['free', 'kept'].map((action) => `${keysOfCost.toolkit}__${action}`);
  await pollUntil('the toolkit', async () => ((await caller.call(actions[0] ?? '')).ok ? true : undefined));
  const times: [number[], number[]] = [[], []];
  for (let call = -500; call < calls; call++)
    for (const [index, action] of actions.entries()) {
      const startedAt = performance.now();
      const { ok, text } = await caller.call(action);
      if (!ok) throw new Error(text);
      if (call >= 0) times[index]?.push((performance.now() - startedAt) * 1_000);
    }
  const [free, withAccount] = times.map(spreadOf) as [ReturnType<typeof spreadOf>, ReturnType<typeof spreadOf>];
  const row = (name: string, { lowerQuartile, median, upperQuartile }: typeof free) => [
    name,
    ...[lowerQuartile, median, upperQuartile].map((us) => us.toFixed(0)),
  ];
  const difference = withAccount.median - free.median;
  console.log(
    `\n${formatTable(['µs of a call, SQLite', 'lower quartile', 'median', 'upper quartile'], [row('without an account', free), row('with a kept account', withAccount)])}\n` +
      `a kept account costs ${difference.toFixed(0)} µs`,
  );
  await caller.close();
  await grant.close();
  api.stop();
  await node.stop();
}

/** All callers of all nodes use one account, whose tokens live for a second. */
async function underCalls(): Promise<void> {
  const { api, endpoint, refreshToken } = await startApi(keys, nodes[0]?.url ?? '', tokenSeconds);
  await kept.keep(endpoint, refreshToken);
  const all = nodes.map(({ url }) => new Caller(url, keys.agentKey, callers));
  const action = `${keys.toolkit}__whoami`;
  for (const each of all) await pollUntil('the toolkit', async () => ((await each.call(action)).ok ? true : undefined));
  const version = (await kept.read()).version;
  const before = await countsOf(api);
  const failures = new Map<string, number>();
  let answered = 0;
  const endAt = performance.now() + minutes * 60_000;
  await Promise.all(
    all.flatMap((each) =>
      Array.from({ length: callers }, async () => {
        while (performance.now() < endAt) {
          const { ok, text } = await each.call(action);
          if (ok) answered++;
          else failures.set(text, (failures.get(text) ?? 0) + 1);
        }
      }),
    ),
  );
  const after = await countsOf(api);
  const row = await kept.read();
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\n${formatTable(
      ['nodes', 'callers', 'minutes', 'calls', 'failed', 'refreshes', 'reuse', 'refused by the provider', 'renewed for an API'],
      [
        [
          NODES,
          NODES * callers,
          minutes,
          answered,
          failed,
          after.refreshes - before.refreshes,
          after.reuse,
          after.refused,
          after.renewed,
        ].map(String),
      ],
    )}`,
  );
  for (const [text, count] of failures) console.error(`${count} x ${text}`);
  const isLost = row.version - version !== after.refreshes - before.refreshes;
  if (isLost) console.error(`${after.refreshes - before.refreshes} refreshes, and ${row.version - version} were stored`);
  if (failed + after.reuse + after.refused + after.failed > 0 || isLost || row.status !== 'live') process.exitCode = 1;
  for (const each of all) await each.close();
  api.stop();
}

/** The first node is killed while it refreshes: before its provider has the request, or when the provider has answered. */
async function killedInRefresh(when: 'before' | 'after'): Promise<void> {
  const [first, second] = nodes as [(typeof nodes)[number], (typeof nodes)[number]];
  const { api, endpoint, refreshToken } = await startApi(keys, second.url, 3_600);
  const action = `${keys.toolkit}__whoami`;
  await kept.keep(endpoint, refreshToken);
  const [atFirst, atSecond] = [new Caller(first.url, keys.agentKey, 1), new Caller(second.url, keys.agentKey, callers)];
  await pollUntil('the toolkit', async () => ((await atSecond.call(`${keys.toolkit}__free`)).ok ? true : undefined));
  const holding = api.run({ job: 'hold', when });
  const lost = atFirst.call(action);
  await holding;
  await first.node.kill();
  await api.run({ job: 'release' });
  await lost;
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: callers }, () => atSecond.call(action)));
  const waitedMs = performance.now() - startedAt;
  const { status, fault } = await kept.read();
  let signIns = 0;
  if (status === 'ended') {
    const { refreshToken: next } = (await api.run({ job: 'grant' })) as { refreshToken: string };
    await kept.keep(endpoint, next);
    signIns++;
  }
  const again = await Promise.all(Array.from({ length: callers }, () => atSecond.call(action)));
  const codes = [...new Set([...answers, ...again].map(({ code = 'OK' }) => code))];
  console.log(
    `\nkilled ${when === 'before' ? 'before the provider had the request' : 'before the new token was stored'}: ${signIns} new sign-ins, answers ${codes.join(', ')}, the first after ${(waitedMs / 1_000).toFixed(1)} s` +
      (fault === null ? '' : `\n  ${fault}`),
  );
  if (signIns > 1 || again.some(({ ok }) => !ok) || (signIns === 1 && !fault?.includes('A node stopped'))) process.exitCode = 1;
  await Promise.all([atFirst.close(), atSecond.close()]);
  api.stop();
  nodes[0] = await startNode();
}

async function startApi({ toolkitKey }: BenchKeys, url: string, seconds: number) {
  const api = new WorkerProcess<ApiJob, object>(fileURLToPath(new URL('connections/api.ts', import.meta.url)));
  const endpoint = (await api.run({ job: 'start', tokenSeconds: seconds })) as GrantEndpoint;
  const { refreshToken } = (await api.run({ job: 'grant' })) as { refreshToken: string };
  await api.run({ job: 'serve', url, key: toolkitKey });
  return { api, endpoint, refreshToken };
}

async function countsOf(api: WorkerProcess<ApiJob, object>): Promise<ApiCounts> {
  return (await api.run({ job: 'counts' })) as ApiCounts;
}
