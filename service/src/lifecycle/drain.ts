/** Drains a node: callers and toolkits move to other nodes, running calls end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Approvals } from '../approvals/approvals';
import type { Calls } from '../calls/calls';
import type { DetachedCalls } from '../calls/detached/detached-calls';
import type { Cluster } from '../cluster/cluster';
import type { HttpServer } from '../http/http-server';
import type { Hub } from '../hub/hub';
import type { Runs } from '../runs/runs';

/** Toolkits reconnect spread over this time, so that other nodes do not receive all of them at once. */
const MOVE_MS = 5_000;
/** Load balancers need this time to see that the node is not ready. Until then the node accepts their calls. */
const NOTICE_MS = 2_000;
const POLL_MS = 25;

export interface DrainDeps {
  cluster: Cluster;
  hub: Hub;
  calls: Pick<Calls, 'drain'>;
  approvals: Pick<Approvals, 'drain'>;
  detached: Pick<DetachedCalls, 'letGo'>;
  runs: Pick<Runs, 'letGo'> | undefined;
  server: HttpServer;
}

/** Resolves when all calls of this node have ended and its toolkits have disconnected, or after `graceMs`. */
export async function drain({ cluster, hub, calls, approvals, detached, runs, server }: DrainDeps, graceMs: number): Promise<void> {
  // A person may take longer than any grace.
  approvals.drain();
  // Their calls would be refused from now on. Another node, or the next process, goes on with them.
  await runs?.letGo();
  const over = new AbortController();
  const grace = delay(graceMs, undefined, { signal: over.signal }).catch(() => {});
  const ended = cluster.size > 0 ? leave({ hub, calls, detached, server }, graceMs, over.signal) : stay({ calls, server });
  await Promise.race([ended, grace]);
  over.abort();
}

async function leave(
  { hub, calls, detached, server }: Omit<DrainDeps, 'cluster' | 'approvals' | 'runs'>,
  graceMs: number,
  over: AbortSignal,
): Promise<void> {
  server.closeAfterAnswers();
  // Other nodes take them at once, and handlers go on while they move.
  await detached.letGo();
  hub.sockets.stopAccepting();
  hub.sockets.askToReconnect(Math.min(MOVE_MS, graceMs / 4));
  await delay(Math.min(NOTICE_MS, graceMs / 4));
  void server.stopListening();
  await calls.drain();
  while (hub.sockets.size > 0 && !over.aborted) await delay(POLL_MS);
}

/** Drains the only node: toolkits stay connected, since no other node exists. */
async function stay({ calls, server }: Pick<DrainDeps, 'calls' | 'server'>): Promise<void> {
  void server.stopListening();
  await calls.drain();
}
