import type { Limits } from '#sdk/protocol/limits';
import type { Cluster, NodeServer } from '../cluster/cluster';
import { nodeOffers } from '../cluster/node-offers';
import type { Hub } from '../hub/hub';

export interface JoinClusterDeps {
  cluster: Cluster;
  hub: Hub;
  peerCalls: NodeServer;
  /** Running requests of this node by agent key. */
  runningByKey: ReadonlyMap<string, number>;
  limits: Limits;
  /** Whether there may be other nodes. */
  shared: boolean;
}

/** Waits for the offers of other nodes: a toolkit that registers before they arrive could remove their actions from the catalogue. */
const INITIAL_OFFERS_WAIT_MS = 250;

/** Starts the exchange with other nodes. Afterwards they may forward calls to this node. */
export function joinCluster({ cluster, hub, peerCalls, runningByKey, limits, shared }: JoinClusterDeps): Promise<void> {
  return cluster.start(nodeOffers(hub, runningByKey, limits), peerCalls, shared ? INITIAL_OFFERS_WAIT_MS : 0);
}
