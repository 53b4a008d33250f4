/** Nodes on one PostgreSQL and one NATS server, and their figures. */
import type { MeasuredProcess } from '../common/measured-process.ts';
import { makePostgres, postgresUrl } from '../common/postgres.ts';
import type { RunningTarget } from '../load/target.ts';
import { type Echo, serveEcho } from '../svc/echo.ts';
import { startServiceNode } from '../svc/node.ts';
import { createKey, inPostgres } from '../svc/service.ts';
import { targetOf } from '../svc/target.ts';
import type { NamedTarget } from './named-target.ts';
import { otherWork } from './other-work.ts';

export interface Cluster {
  targets: NamedTarget[];
  stop(): Promise<void>;
}

/** One node without connections to others. */
export async function startSingle(): Promise<Cluster> {
  const { nodes, echoAt, stop } = await start(1, undefined);
  const echo = await echoAt(nodes, nodes);
  return {
    targets: [
      { name: 'PostgreSQL', running: leftRunning(targetOf(nodes, echo, false)) },
      { name: 'PostgreSQL, keyed', running: leftRunning(targetOf(nodes, echo, true)) },
    ],
    stop,
  };
}

/**
 * So many nodes, 2 at least. One toolkit is connected to the first node alone, and called there and at the second one; others have a process at each of
 * the first 2, 3, … nodes and are called at all of these.
 */
export async function startCluster(size: number, nats: string): Promise<Cluster> {
  const { nodes, adminKey, echoAt, stop } = await start(size, nats);
  const [first, second] = nodes;
  if (!first || !second) throw new Error(`A cluster of ${size} nodes has no other node`);
  const atFirst = await echoAt([first], [first, second]);
  const targets = [false, true].flatMap((keyed) => [
    { name: keyed ? 'same node, keyed' : 'same node', running: leftRunning(targetOf([first], atFirst, keyed)) },
    { name: keyed ? 'other node, keyed' : 'other node', running: otherNode(first, second, atFirst, keyed) },
  ]);
  let echo = atFirst;
  for (let count = 2; count <= size; count++) {
    const some = nodes.slice(0, count);
    echo = await echoAt(some, some);
    targets.push({ name: `${count} nodes, keyed`, running: leftRunning(targetOf(some, echo, true)) });
  }
  targets.push(...(await otherWork(nodes, echo, adminKey)));
  return { targets, stop };
}

async function start(size: number, nats: string | undefined) {
  const place = await makePostgres();
  const postgres = place.start();
  await postgres.ready;
  const storage = inPostgres(postgresUrl(place.port));
  const nodes: MeasuredProcess[] = [];
  for (let count = 0; count < size; count++)
    nodes.push(await startServiceNode(storage, { nats, options: ['--code'], limits: { runsPerKey: 1_000 } }));
  const adminKey = await createKey('admin', storage);
  const echoes: Echo[] = [];
  return {
    nodes,
    adminKey,
    echoAt: async (servedAt: MeasuredProcess[], calledAt: MeasuredProcess[]) => {
      const [first = '', ...rest] = servedAt.map(({ address }) => address);
      const echo = await serveEcho(adminKey, { servedAt: [first, ...rest], calledAt: calledAt.map(({ address }) => address) });
      echoes.push(echo);
      return echo;
    },
    stop: async () => {
      await Promise.all(echoes.map((echo) => echo.stop()));
      await Promise.all(nodes.map((node) => node.stop()));
      await postgres.stop();
    },
  };
}

/** The call enters the second node; both of them work for it. */
function otherNode(first: MeasuredProcess, second: MeasuredProcess, echo: Echo, keyed: boolean): RunningTarget {
  return leftRunning({ ...targetOf([second], echo, keyed), cpuMs: targetOf([first, second], echo, keyed).cpuMs });
}

/** Several targets share the nodes: they end with the cluster. */
function leftRunning(target: Omit<RunningTarget, 'stop'>): RunningTarget {
  return { ...target, stop: async () => {} };
}
