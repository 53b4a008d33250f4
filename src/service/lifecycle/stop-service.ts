import type { Bus } from '../bus/bus';
import type { Calls } from '../calls/calls';
import type { Cluster } from '../cluster/cluster';
import type { Embeddings } from '../embeddings/embeddings';
import type { HttpServer } from '../http/http-server';
import type { Hub } from '../hub/hub';
import type { Learning } from '../learning/index';
import type { Settlement } from '../payments/settlement';
import type { Records } from '../records/records';

export interface RunningRooms {
  stopBackgroundJobs: () => void;
  cluster: Cluster;
  hub: Hub;
  calls: Calls;
  server: HttpServer;
  bus: Bus;
  learning: Learning;
  records: Records | undefined;
  embeddings: Embeddings | undefined;
  settlement: Settlement | undefined;
}

/** Stops every room but the store, which the last writes still use. */
export async function stopService(rooms: RunningRooms): Promise<void> {
  const { stopBackgroundJobs, cluster, calls, records, hub, server, bus, learning, embeddings, settlement } = rooms;
  stopBackgroundJobs();
  // Before the calls close: other nodes send theirs elsewhere now, and need not be refused.
  cluster.leave();
  // Before the sockets close: every caller gets its answer, and no call takes a closed socket for a lost toolkit.
  calls.close();
  records?.recordSightings();
  hub.close();
  // Waits for the answers on their way to callers, and would wait for sockets of toolkits.
  await server.close();
  // Other nodes have got the answers of their calls by now.
  cluster.close();
  await bus.close();
  // Both write what the last calls brought, so no call may end after them.
  await learning.close();
  await records?.close();
  await embeddings?.close();
  // Its entries stay in the ledger: what the last calls brought is settled after the next start.
  await settlement?.close();
}
