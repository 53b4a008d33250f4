import type { Approvals } from '../approvals/approvals';
import type { OpenedAttention } from '../attention/open-attention';
import type { Bus } from '../bus/bus';
import type { Calls } from '../calls/calls';
import type { DetachedCalls } from '../calls/detached/detached-calls';
import type { ResultMisfits } from '../catalog/results/result-misfits';
import type { Cluster } from '../cluster/cluster';
import type { Embeddings } from '../embeddings/embeddings';
import type { HttpServer } from '../http/http-server';
import type { Hub } from '../hub/hub';
import type { Learning } from '../learning/index';
import type { Settlement } from '../payments/settlement';
import type { Records } from '../records/records';
import type { Runs } from '../runs/runs';
import type { BackgroundJobs } from './background-jobs';

export interface RunningRooms {
  jobs: BackgroundJobs;
  cluster: Cluster;
  hub: Hub;
  calls: Calls;
  approvals: Approvals;
  detached: Pick<DetachedCalls, 'letGo'>;
  /** Undefined where the service runs no code. */
  runs: Pick<Runs, 'letGo'> | undefined;
  closeSandbox: () => Promise<void>;
  server: HttpServer;
  bus: Bus;
  learning: Learning;
  misfits: Pick<ResultMisfits, 'close'>;
  records: Records | undefined;
  attention: OpenedAttention | undefined;
  embeddings: Embeddings | undefined;
  settlement: Settlement | undefined;
  settleConnections: () => Promise<void>;
}

/** Stops every room but the store, which the last writes still use. */
export async function stopService(rooms: RunningRooms): Promise<void> {
  const {
    jobs,
    cluster,
    calls,
    approvals,
    detached,
    runs,
    closeSandbox,
    records,
    hub,
    server,
    bus,
    learning,
    misfits,
    attention,
    embeddings,
    settlement,
    settleConnections,
  } = rooms;
  jobs.stop();
  // Before the calls close: other nodes send their calls elsewhere from now on and get no refusal.
  cluster.leave();
  // Before the calls close: those that wait for a person have an answer of their own.
  approvals.drain();
  // Before the calls close: their errors would look like answers to programs, and like the ends of detached calls.
  await runs?.letGo();
  await closeSandbox();
  await detached.letGo();
  // Before the sockets close: otherwise a running call would report the closed socket as a lost toolkit.
  calls.close();
  records?.recordSightings();
  hub.close();
  // Waits for answers that are being sent. After the hub: the server would wait for open toolkit sockets too.
  await server.close();
  // After the server: other nodes have the answers of their calls by now.
  cluster.close();
  await bus.close();
  await attention?.close();
  // Learning and records write what the last calls reported, so no call may end after they close.
  await learning.close();
  await records?.close();
  await misfits.close();
  await embeddings?.close();
  // Ledger entries of the last calls are settled after the next start.
  await settlement?.close();
  await settleConnections();
  // A job that found the store closed would log a fault of the database.
  await jobs.settled();
}
