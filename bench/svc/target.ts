import { join } from 'node:path';
import type { MeasuredProcess } from '../common/measured-process.ts';
import { makePostgres, postgresUrl } from '../common/postgres.ts';
import { removeFolder, temporaryFolder } from '../common/processes.ts';
import type { RunningTarget, Target } from '../load/target.ts';
import { type Echo, serveEcho } from './echo.ts';
import { startServiceNode } from './node.ts';
import { createKey, inPostgres, onDisk } from './service.ts';

/** Authenticated, checked, routed, recorded. */
export const svc: Target = { name: 'svc-sdk', start: () => start(false) };

/** The same with idempotency keys: a call is durable before it is sent, and its outcome before it is returned. */
export const svcKeyed: Target = { name: 'svc-sdk, keyed', start: () => start(true) };

const NO_CONSOLE = ['--no-console'];

/** The service without its console and records. */
export const svcNoConsole: Target = { name: 'no console', start: () => start(false, NO_CONSOLE) };
export const svcKeyedNoConsole: Target = { name: 'no console, keyed', start: () => start(true, NO_CONSOLE) };

/** The same at a price: each call holds and charges an amount. */
export const svcPaid: Target = { name: 'svc-sdk, paid', start: () => start(true, [], 'sell') };

export const svcPostgresKeyed: Target = { name: 'PostgreSQL, keyed', start: () => startOnPostgres('echo') };
export const svcPostgresPaid: Target = { name: 'PostgreSQL, paid', start: () => startOnPostgres('sell') };

/** Starts on an empty database, so that one case does not slow down the next. */
async function start(keyed: boolean, options: readonly string[] = [], action?: 'echo' | 'sell'): Promise<RunningTarget> {
  const data = temporaryFolder();
  const node = await startServiceNode(onDisk(data), { options });
  const echo = await serveEcho(await createKey('admin', onDisk(data)), { servedAt: [node.address], calledAt: [node.address], action });
  return {
    ...targetOf([node], echo, keyed),
    stop: async () => {
      await echo.stop();
      await node.stop();
      removeFolder(data);
    },
  };
}

/** Starts on a PostgreSQL of its own. */
async function startOnPostgres(action: 'echo' | 'sell'): Promise<RunningTarget> {
  const place = await makePostgres();
  const logs = temporaryFolder();
  const postgres = place.start(join(logs, 'postgres.log'));
  await postgres.ready;
  const storage = inPostgres(postgresUrl(place.port));
  const node = await startServiceNode(storage);
  const echo = await serveEcho(await createKey('admin', storage), { servedAt: [node.address], calledAt: [node.address], action });
  return {
    ...targetOf([node], echo, true),
    stop: async () => {
      await echo.stop();
      await node.stop();
      await postgres.stop();
      removeFolder(logs);
    },
  };
}

/** Calls that enter these nodes. */
export function targetOf(nodes: MeasuredProcess[], { actionId, agentKey }: Echo, keyed: boolean): Omit<RunningTarget, 'stop'> {
  return {
    origins: nodes.map(({ address }) => address),
    actionId,
    agentKey,
    keyed,
    cpuMs: async () => {
      const usages = await Promise.all(nodes.map((node) => node.usage()));
      return usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    },
  };
}
