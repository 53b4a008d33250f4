import type { MeasuredProcess } from '../common/measured-process.ts';
import { removeFolder, temporaryFolder } from '../common/processes.ts';
import type { RunningTarget, Target } from '../load/target.ts';
import { type Echo, serveEcho } from './echo.ts';
import { startServiceNode } from './node.ts';
import { createKey, onDisk } from './service.ts';

/** Authenticated, checked, routed, recorded. */
export const svc: Target = { name: 'svc-sdk', start: () => start(false) };

/** The same with idempotency keys: a call is durable before it is sent, and its outcome before it is returned. */
export const svcKeyed: Target = { name: 'svc-sdk, keyed', start: () => start(true) };

const NO_CONSOLE = ['--no-console'];

/** The service without its console and records. */
export const svcNoConsole: Target = { name: 'no console', start: () => start(false, NO_CONSOLE) };
export const svcKeyedNoConsole: Target = { name: 'no console, keyed', start: () => start(true, NO_CONSOLE) };

/** Starts on an empty database, so that one case does not slow down the next. */
async function start(keyed: boolean, options: readonly string[] = []): Promise<RunningTarget> {
  const data = temporaryFolder();
  const node = await startServiceNode(onDisk(data), { options });
  const echo = await serveEcho(await createKey('admin', onDisk(data)), { servedAt: [node.address], calledAt: [node.address] });
  return {
    ...targetOf([node], echo, keyed),
    stop: async () => {
      await echo.stop();
      await node.stop();
      removeFolder(data);
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
