import type { OtherNodes } from '../hub/other-nodes';
import type { Cluster } from './cluster';
import { sharedCount } from './shared-counts';

export function otherNodesOf(cluster: Pick<Cluster, 'offers' | 'count'>): OtherNodes {
  return {
    offers: (toolkitId, actionName) => cluster.offers(toolkitId, actionName),
    running: (toolkitId) => cluster.count(sharedCount.running, toolkitId),
    sockets: (keyId) => cluster.count(sharedCount.sockets, keyId),
  };
}
