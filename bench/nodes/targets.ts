/** All targets of a comparison, running at the same time: targets without requests are idle. */
import { makeNats } from '../common/nats.ts';
import { floor } from '../floor/target.ts';
import { svc, svcKeyed } from '../svc/target.ts';
import { startCluster, startSingle } from './cluster.ts';
import type { NamedTarget } from './named-target.ts';
import { plainNats } from './nats-target.ts';

export interface RunningTargets {
  targets: NamedTarget[];
  stop(): Promise<void>;
}

/**
 * @param nodes 0: nothing on PostgreSQL; 1: no cluster
 * @param only names of targets beside the floor; empty for all
 */
export async function startTargets(nodes: number, only: readonly string[]): Promise<RunningTargets> {
  const place = await makeNats();
  const nats = place.start();
  await nats.ready;
  const url = `nats://127.0.0.1:${place.port}`;
  const targets: NamedTarget[] = [
    { name: 'floor', running: await floor.start() },
    { name: 'floor again', running: await floor.start() },
    { name: 'SQLite', running: await svc.start() },
    { name: 'SQLite, keyed', running: await svcKeyed.start() },
    { name: 'plain NATS', running: await plainNats(url) },
  ];
  const clusters = [...(nodes >= 1 ? [await startSingle()] : []), ...(nodes >= 2 ? [await startCluster(nodes, url)] : [])];
  const all = [...targets, ...clusters.flatMap((cluster) => cluster.targets)];
  const unknown = only.filter((name) => !all.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`--only ${unknown}: the targets are ${all.map(({ name }) => `"${name}"`).join(', ')}`);
  return {
    targets: only.length === 0 ? all : all.filter(({ name }) => name === 'floor' || only.includes(name)),
    stop: async () => {
      await Promise.all(targets.map(({ running }) => running.stop()));
      for (const cluster of clusters) await cluster.stop();
      await nats.stop();
    },
  };
}
