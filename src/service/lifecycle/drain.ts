/** How a node goes: its callers and toolkits to other nodes, its running calls to their end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Calls } from '../calls/calls';
import type { Cluster } from '../cluster/cluster';
import type { HttpServer } from '../http/http-server';
import type { Hub } from '../hub/hub';

/** The time in which toolkits move, so that not all connect to the other nodes at once. */
const MOVE_MS = 5_000;
/** The time for load balancers to see that this node is not ready: until then it accepts the calls that they still send. */
const NOTICE_MS = 2_000;
const POLL_MS = 25;

export interface DrainDeps {
  cluster: Cluster;
  hub: Hub;
  calls: Pick<Calls, 'drain'>;
  server: HttpServer;
}

/** Resolves when nobody waits for a call of this node any more and its toolkits have gone, or after `graceMs`. */
export async function drain({ cluster, hub, calls, server }: DrainDeps, graceMs: number): Promise<void> {
  const over = new AbortController();
  const grace = delay(graceMs, undefined, { signal: over.signal }).catch(() => {});
  const ended = cluster.size > 0 ? leave({ hub, calls, server }, graceMs, over.signal) : stay({ calls, server });
  await Promise.race([ended, grace]);
  over.abort();
}

/** Callers and toolkits go to the other nodes. */
async function leave({ hub, calls, server }: Omit<DrainDeps, 'cluster'>, graceMs: number, over: AbortSignal): Promise<void> {
  server.closeAfterAnswers();
  hub.sockets.stopAccepting();
  hub.sockets.askToReconnect(Math.min(MOVE_MS, graceMs / 4));
  await delay(Math.min(NOTICE_MS, graceMs / 4));
  void server.stopListening();
  await calls.drain();
  while (hub.sockets.size > 0 && !over.aborted) await delay(POLL_MS);
}

/** The only node: its toolkits have nowhere to go. */
async function stay({ calls, server }: Pick<DrainDeps, 'calls' | 'server'>): Promise<void> {
  void server.stopListening();
  await calls.drain();
}
