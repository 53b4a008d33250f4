/** Two nodes on PostgreSQL and NATS: the node with all the sockets is killed, the other one takes them, and continues its calls. */
import { makeNats } from '../common/nats.ts';
import { makePostgres, postgresUrl } from '../common/postgres.ts';
import { createKeys } from '../svc/admin-keys.ts';
import { serveEcho } from '../svc/echo.ts';
import { startServiceNode } from '../svc/node.ts';
import { createKey, inPostgres } from '../svc/service.ts';
import { measureRecovery, type Recovery } from './recovery.ts';
import type { ToolkitCrowd } from './toolkit-crowd.ts';

interface TakeoverPlan {
  toolkits: number;
  replicas: number;
  limits: Record<string, number>;
}

export async function measureTakeover(crowd: ToolkitCrowd, { toolkits, replicas, limits }: TakeoverPlan): Promise<Recovery> {
  const [postgresPlace, natsPlace] = [await makePostgres(), await makeNats()];
  const [postgres, natsServer] = [postgresPlace.start(), natsPlace.start()];
  await Promise.all([postgres.ready, natsServer.ready]);
  const storage = inPostgres(postgresUrl(postgresPlace.port));
  const nats = `nats://127.0.0.1:${natsPlace.port}`;
  const adminKey = await createKey('admin', storage);
  const victim = await startServiceNode(storage, { limits, nats });
  const survivor = await startServiceNode(storage, { limits, nats });
  const keys = await createKeys(victim.address, adminKey, idleToolkits(toolkits));
  const echo = await serveEcho(adminKey, { servedAt: [survivor.address], calledAt: [survivor.address] });
  await crowd.open({ origins: [victim.address, survivor.address], keys: keys.map(({ key }) => key), replicas });

  const target = { origin: survivor.address, actionId: echo.actionId, agentKey: echo.agentKey };
  const recovery = await measureRecovery(crowd, target, {
    name: 'SIGKILL, another takes over',
    nodeLives: true,
    strike: () => victim.kill(),
  });
  await crowd.close();
  await echo.stop();
  await survivor.stop();
  await Promise.all([postgres.stop(), natsServer.stop()]);
  return recovery;
}

/** Requests for their keys. */
export function idleToolkits(count: number): { kind: 'toolkit'; name: string }[] {
  return Array.from({ length: count }, (_, index) => ({ kind: 'toolkit', name: `idle ${index}` }));
}
