/** All that is measured beside each other, running at the same time: what is not asked idles. */
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

/** @param nodes 0: nothing on PostgreSQL; 1: no cluster */
export async function startTargets(nodes: number): Promise<RunningTargets> {
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
  return {
    targets: [...targets, ...clusters.flatMap((cluster) => cluster.targets)],
    stop: async () => {
      await Promise.all(targets.map(({ running }) => running.stop()));
      for (const cluster of clusters) await cluster.stop();
      await nats.stop();
    },
  };
}
