/** How a node goes: no new calls, its toolkits to other nodes, its running calls to their end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster/cluster';
import type { Hub } from './hub/hub';
import type { Invoker } from './invocations/invoker';

/** In which toolkits move, so that not all come to the other nodes at once; a quarter of a short grace. */
const MOVE_MS = 5_000;
const LOOK_MS = 25;

/** Resolves when nobody waits for a call of this node any more and its toolkits have gone, or after `graceMs`. */
export async function drain({ cluster, hub, invoker }: { cluster: Cluster; hub: Hub; invoker: Invoker }, graceMs: number): Promise<void> {
  const over = new AbortController();
  const ended = invoker.drain();
  const left = cluster.size > 0 ? toolkitsLeft(hub, Math.min(MOVE_MS, graceMs / 4), over.signal) : undefined;
  const grace = delay(graceMs, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([Promise.all([ended, left]), grace]);
  over.abort();
}

/** A service without other nodes keeps its toolkits: they have nowhere to go. */
async function toolkitsLeft(hub: Hub, withinMs: number, over: AbortSignal): Promise<void> {
  hub.admitNobody();
  hub.askToReconnect(withinMs);
  while (hub.socketsByKey.size > 0 && !over.aborted) await delay(LOOK_MS);
}
